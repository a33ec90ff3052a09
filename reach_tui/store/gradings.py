"""Gradings in the store: entities of their own, of which one per trial is current."""

from __future__ import annotations

from reach_tui.core.grading import Grading
from reach_tui.store.base import bump
from reach_tui.store.store import Store, translated
from reach_tui.store.trial_columns import GRADING, PARTS, grading_op


@translated
def add_grading(store: Store, trial_id: int, grading: Grading, at: int) -> None:
    """Grade a stored trial again: the new grading becomes current, older ones stay; the trial's row follows it.

    The run's totals are the caller's to write (`plans.write_totals`) once all its trials are graded.
    """
    # Imported here: what only writers need takes 4 ms of `reach show`'s start.
    from reach_tui.store.apply import write_grading

    with store.transaction():
        write_grading(store.db, trial_id, grading_op(grading), at, bump(store.db))


@translated
def current_grading(store: Store, trial_id: int) -> Grading | None:
    """The trial's current grading with all its evidence; None where it was never graded."""
    row = store.db.execute(
        f"SELECT {GRADING.select}, id FROM gradings WHERE trial_id = ? AND current = 1", (trial_id,)
    ).fetchone()
    if row is None:
        return None
    parts = {
        table: tuple(
            map(
                part.decode,
                store.db.execute(
                    f"SELECT {part.select} FROM {table} WHERE grading_id = ? ORDER BY ord", (row[-1],)
                ).fetchall(),
            )
        )
        for table, part in PARTS.items()
    }
    return GRADING.decode(row, **parts)
