"""Gradings in the store: entities of their own, of which one per trial is current."""

from __future__ import annotations

from reach_tui.core.grading import CheckResult, Claim, Deviation, Grading, MilestoneResult
from reach_tui.store.base import Database, bump, transaction, translated
from reach_tui.store.encode import loads_or_absent, truth
from reach_tui.store.ops import GradingOp, grading_op


def write_grading(db: Database, trial_id: int, grading: GradingOp, at: int) -> None:
    """Store a grading as the trial's current one, in the caller's transaction. The same version again replaces it."""
    db.execute("UPDATE gradings SET current = 0 WHERE trial_id = ? AND current = 1", (trial_id,))
    row = db.execute(
        "INSERT INTO gradings(trial_id, version, oracle, at, status, mode, owner, step, parting, depth, depth_of, why,"
        " current) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT(trial_id, version, oracle) DO NOTHING"
        " RETURNING id",
        (trial_id, grading.version, grading.oracle, at, *grading[2:10]),
    ).fetchone()
    if row is None:
        row = db.execute(
            "UPDATE gradings SET at = ?, status = ?, mode = ?, owner = ?, step = ?, parting = ?, depth = ?,"
            " depth_of = ?, why = ?, current = 1 WHERE trial_id = ? AND version = ? AND oracle = ? RETURNING id",
            (at, *grading[2:10], trial_id, grading.version, grading.oracle),
        ).fetchone()
        for table in ("checks", "milestones", "deviations", "claims"):
            db.execute(f"DELETE FROM {table} WHERE grading_id = ?", row)
    one = (int(row[0]),)
    db.executemany(
        "INSERT INTO checks(grading_id, ord, kind, decides, path, verdict, expected, actual, step, why)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [one + check for check in grading.checks],
    )
    db.executemany(
        "INSERT INTO milestones(grading_id, ord, name, verdict, step, expected, actual) VALUES(?, ?, ?, ?, ?, ?, ?)",
        [one + milestone for milestone in grading.milestones],
    )
    db.executemany(
        "INSERT INTO deviations(grading_id, ord, detector, tool, step, last_step, evidence)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)",
        [one + deviation for deviation in grading.deviations],
    )
    db.executemany(
        "INSERT INTO claims(grading_id, ord, step, pointer, value, span, supported, tool)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        [one + claim for claim in grading.claims],
    )


@translated
def add_grading(db: Database, trial_id: int, grading: Grading, at: int) -> None:
    """Grade a stored trial again: the new grading becomes current, older ones stay; the trial's row follows it.

    The run's totals are the caller's to write (`plans.write_totals`) once all its trials are graded.
    """
    with transaction(db):
        op = grading_op(grading)
        write_grading(db, trial_id, op, at)
        db.execute(
            "UPDATE trials SET status = ?, mode = ?, owner = ?, decisive_step = ?, depth = ?, depth_of = ?, rev = ?"
            " WHERE id = ?",
            (op.status, op.mode, op.owner, op.step, op.depth, op.depth_of, bump(db), trial_id),
        )


@translated
def current_grading(db: Database, trial_id: int) -> Grading | None:
    """The trial's current grading with all its evidence; None where it was never graded."""
    row = db.execute(
        "SELECT id, version, oracle, status, why, mode, owner, step, parting, depth, depth_of FROM gradings"
        " WHERE trial_id = ? AND current = 1",
        (trial_id,),
    ).fetchone()
    if row is None:
        return None
    grading_id, version, oracle, status, why, mode, owner, step, parting, depth, depth_of = row
    checks = db.execute(
        "SELECT kind, decides, verdict, why, path, expected, actual, step FROM checks WHERE grading_id = ?"
        " ORDER BY ord",
        (grading_id,),
    ).fetchall()
    milestones = db.execute(
        "SELECT name, verdict, step, expected, actual FROM milestones WHERE grading_id = ? ORDER BY ord", (grading_id,)
    ).fetchall()
    deviations = db.execute(
        "SELECT detector, step, evidence, tool, last_step FROM deviations WHERE grading_id = ? ORDER BY ord",
        (grading_id,),
    ).fetchall()
    claims = db.execute(
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
