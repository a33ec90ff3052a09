"""The state table of a trajectory of 10,000 steps. Beside it: folding the whole state afresh at that step."""

from __future__ import annotations

from typing import Any

from benchmarks.measure import Result, wall_ms
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change, fold
from reach_tui.core.history import StateHistory
from reach_tui.core.task import Task
from reach_tui.grading.state.table import StateTable

STEPS, RECORDS = 10_000, 500
TASK = Task.of(
    {
        "id": "t", "request": "r", "kind": "action", "allow_changes": ["/audit/*"],
        "outcomes": [{"state": {"orders": {f"A{i}": {"status": "done"} for i in range(20)},
                                "refunds": {"$any": {"order_id": "A1"}}}}],
    }
)  # fmt: skip


def _log() -> tuple[dict[str, Any], list[tuple[int, Change]]]:
    initial = {"orders": {f"A{i}": {"status": "new", "n": 0} for i in range(RECORDS)}, "refunds": {}, "audit": {}}
    changes = []
    for step in range(1, STEPS + 1):
        key = f"A{step % RECORDS}"
        if step % 3 == 0:
            changes.append((step, Change(f"/audit/E{step}", ABSENT, {"at": step})))
        elif step % 3 == 1:
            changes.append((step, Change(f"/orders/{key}/n", None, step)))
        else:
            changes.append((step, Change(f"/orders/{key}/status", "new", "done" if step % 2 else "open")))
    return initial, changes


def run() -> list[Result]:
    """Two rows."""
    initial, changes = _log()
    table = StateTable(TASK, StateHistory(initial, changes))
    steps = iter(range(1, STEPS, 37))
    table.rows(5000)
    opening = wall_ms(lambda: StateTable(TASK, StateHistory(initial, changes)).rows(STEPS), 3)
    turning = wall_ms(lambda: table.rows(next(steps)), 101)
    folding = wall_ms(lambda: fold(initial, (change for _, change in changes[: STEPS // 2])), 5)
    return [
        Result("state table, opened on 10,000 steps", opening, "ms", "one fold of the whole state", folding, "100 ms"),
        Result("state table, at a further step", turning, "ms", "one fold of the whole state", folding, "1 ms"),
    ]
