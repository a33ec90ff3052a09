"""`reach runs` and `reach show` with start-up, on a store of a real run. Beside them: a bare interpreter."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.measure import Result, process_ms
from reach_tui.actions.demo import Tour
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of


def run() -> list[Result]:
    """Two rows."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "runs.db"
        row = Tour(store).run("hasty-1")
        with Store(store) as opened:
            link = trials_of(opened, row.id)[0].link
        runs = process_ms(["-m", "reach_tui", "runs", "--store", str(store)])
        show = process_ms(["-m", "reach_tui", "show", link, "--store", str(store)])
        bare = process_ms(["-c", "pass"])
    beside = "python -c pass"
    return [
        Result("reach runs, with start-up", runs, "ms", beside, bare, "200 ms"),
        Result("reach show of a trial, with start-up", show, "ms", beside, bare, "200 ms"),
    ]
