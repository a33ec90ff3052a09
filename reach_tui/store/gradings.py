"""Gradings in the store: entities of their own, of which one per trial is current."""

from __future__ import annotations

from reach_tui.core.grading import CheckResult, Claim, Deviation, Grading, MilestoneResult
from reach_tui.store.apply import write_grading
from reach_tui.store.base import bump
from reach_tui.store.encode import loads_or_absent, truth
from reach_tui.store.ops import grading_op
from reach_tui.store.store import Store, translated


@translated
def add_grading(store: Store, trial_id: int, grading: Grading, at: int) -> None:
    """Grade a stored trial again: the new grading becomes current, older ones stay; the trial's row follows it.

    The run's totals are the caller's to write (`plans.write_totals`) once all its trials are graded.
    """
    with store.transaction():
        op = grading_op(grading)
        write_grading(store.db, trial_id, op, at)
        store.db.execute(
            "UPDATE trials SET status = ?, mode = ?, owner = ?, decisive_step = ?, depth = ?, depth_of = ?, rev = ?"
            " WHERE id = ?",
            (op.status, op.mode, op.owner, op.step, op.depth, op.depth_of, bump(store.db), trial_id),
        )


@translated
def current_grading(store: Store, trial_id: int) -> Grading | None:
    """The trial's current grading with all its evidence; None where it was never graded."""
    row = store.db.execute(
        "SELECT id, version, oracle, status, why, mode, owner, step, parting, depth, depth_of FROM gradings"
        " WHERE trial_id = ? AND current = 1",
        (trial_id,),
    ).fetchone()
    if row is None:
        return None
    grading_id, version, oracle, status, why, mode, owner, step, parting, depth, depth_of = row
    checks = store.db.execute(
        "SELECT kind, decides, verdict, why, path, expected, actual, step FROM checks WHERE grading_id = ?"
        " ORDER BY ord",
        (grading_id,),
    ).fetchall()
    milestones = store.db.execute(
        "SELECT name, verdict, step, expected, actual FROM milestones WHERE grading_id = ? ORDER BY ord", (grading_id,)
    ).fetchall()
    deviations = store.db.execute(
        "SELECT detector, step, evidence, tool, last_step FROM deviations WHERE grading_id = ? ORDER BY ord",
        (grading_id,),
    ).fetchall()
    claims = store.db.execute(
        "SELECT step, span, pointer, value, supported, tool FROM claims WHERE grading_id = ? ORDER BY ord",
        (grading_id,),
    ).fetchall()
    return Grading(
        version, oracle, status, why, mode, owner, step, parting, depth, depth_of,
        tuple(
            CheckResult(c[0], bool(c[1]), c[2], c[3], c[4], loads_or_absent(c[5]), loads_or_absent(c[6]), c[7])
            for c in checks
        ),
        tuple(MilestoneResult(m[0], m[1], m[2], loads_or_absent(m[3]), loads_or_absent(m[4])) for m in milestones),
        tuple(Deviation(*d) for d in deviations),
        tuple(Claim(c[0], c[1], c[2], loads_or_absent(c[3]), truth(c[4]), c[5]) for c in claims),
    )  # fmt: skip
