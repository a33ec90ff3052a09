"""First paint and key to repaint in a real pseudo-terminal, on 100,000 runs and on a trial of 10,000 steps.

Beside them: a minimal Textual app, which paints one line and counts keys.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pexpect

from benchmarks.measure import Result
from reach_tui.core.canonical import digest
from reach_tui.core.changes import Change
from reach_tui.core.grading import Grading
from reach_tui.core.run import RunTotals
from reach_tui.core.task import Task
from reach_tui.core.trajectory import CHANGED, Step
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.store import control, run_queue
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer

RUNS, STEPS, KEYS = 100_000, 10_000, 120
MINIMAL = """\
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    count = 0
    def compose(self):
        yield Static("minimal 0")
    def on_key(self, event):
        self.count += 1
        self.query_one(Static).update(f"minimal {self.count}")
Minimal().run()
"""
BODY = {"outcomes": [{"state": {"orders": {"A1": {"status": "done"}}}}]}


def _fill(path: Path) -> str:
    """A store of 100,000 runs, the newest with one trial of 10,000 steps; that trial's reference."""
    with Store(path, write=True) as store:
        task = Task.of({"id": "T", "request": "做很多事", "kind": "action", **BODY})
        suite_id, ids = run_queue.add_suite(store, "long", digest("long"), None, [task])
        run_queue.create_run(
            store, run_queue.NewRun(name="seed", suite_id=suite_id, planned=3, tasks=1, repeats=3, status="ended")
        )
    db = sqlite3.connect(path)
    columns = [row[1] for row in db.execute("PRAGMA table_info(runs)")]
    computed = {
        "id": "n", "uid": "printf('r%012d', n)", "root_id": "n", "tree": "printf('%010d', n)", "rev": "n",
        "name": "'nightly ' || n", "status": "'ended'", "done": "100", "passed": "n % 100", "failed": "100 - n % 100",
        "reach_mean": "(n % 100) / 100.0", "reach_majority": "(n % 100) / 100.0",
    }  # fmt: skip
    chosen = ", ".join(computed.get(column, column) for column in columns)
    db.execute(
        f"INSERT INTO runs({', '.join(columns)}) WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c "
        f"WHERE n < {RUNS}) SELECT {chosen} FROM c, runs WHERE runs.id = 1"
    )
    db.execute("UPDATE meta SET value = ? WHERE key = 'rev'", (str(RUNS + 1),))
    db.commit()
    db.close()
    with Store(path, write=True) as store:
        run = run_queue.create_run(
            store, run_queue.NewRun(name="long", suite_id=suite_id, planned=1, tasks=1, repeats=1)
        )
    initial = {"orders": {f"A{n}": {"status": "new", "n": 0} for n in range(200)}}
    with Writer(path) as writer:
        writer.start_trial(TrialStart("tlong", run.id, ids["T"], 1, 1, "s", "exact", 0), initial)
        writer.step("tlong", Step(1, 0, "user", {"text": "做很多事"}))
        for n in range(2, STEPS + 1):
            change = Change(f"/orders/A{n % 200}/n", n - 200, n)
            body = {"args": {"order_id": f"A{n % 200}"}, "raw": "{}", "result": "好的 " + "x" * 200}
            if n % 7 == 0:
                writer.step("tlong", Step(n, n, "agent", {"text": f"第 {n} 步"}, at_ms=n))
            else:
                writer.step(
                    "tlong",
                    Step(
                        n,
                        n,
                        "call",
                        body,
                        tool="set",
                        call_id=f"c{n}",
                        ok=True,
                        flags=CHANGED,
                        at_ms=n,
                        changes=(change,),
                    ),
                )
        totals = RunTotals(1, 0, 0, 1, 0, 0.0, 0.0, 0.0, 0.0, 0, 0.0, 0, {})
        grading = Grading(
            "1", task.oracle, "failed", "not done", mode="planning:gave_up", owner="agent", step=STEPS // 2
        )
        writer.end_trial(
            "tlong", TrialEnd(0, "answered", "", STEPS, STEPS, STEPS, 0, 0, 0.0, 0, 0, 0, None), grading, totals
        )
    with Store(path, write=True) as store:
        control.set_run_status(store, run.id, "ended")
    return run.uid


def _spawn(command: Sequence[str]) -> pexpect.spawn[bytes]:
    home = {"TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
    where = str(Path(__file__).parents[1])
    child = pexpect.spawn(command[0], list(command[1:]), dimensions=(24, 80), timeout=20, env=home, cwd=where)
    # It waits 50 ms before each key, for shells that echo passwords.
    child.delaybeforesend = None
    return child


def _first_paint(command: Sequence[str], sign: bytes, times: int = 5) -> float:
    """The median ms from the start of the process to the first sight of `sign` on its screen."""
    spans = []
    for _ in range(times + 1):
        begun = time.perf_counter()
        child = _spawn(command)
        child.expect_exact(sign)
        spans.append(time.perf_counter() - begun)
        child.close(force=True)
    return statistics.median(spans[1:]) * 1000


def _drain(child: pexpect.spawn[bytes], quiet: float) -> None:
    while True:
        try:
            child.read_nonblocking(65536, timeout=quiet)
        except pexpect.TIMEOUT:
            return


def _repaint(child: pexpect.spawn[bytes], keys: Sequence[str]) -> tuple[float, float]:
    """(median, 95th percentile) ms from a key to the first bytes that the app paints for it."""
    spans = []
    for key in keys:
        _drain(child, 0.12)
        begun = time.perf_counter()
        child.send(key)
        child.read_nonblocking(65536, timeout=5)
        spans.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spans), statistics.quantiles(spans, n=20)[-1]


def _keys(*alternating: str) -> list[str]:
    return [alternating[i % len(alternating)] for i in range(KEYS)]


def run() -> list[Result]:
    """First paint, then keys on the runs list and in a replay."""
    with tempfile.TemporaryDirectory() as folder:
        store, minimal = Path(folder) / "big.db", Path(folder) / "minimal.py"
        _fill(store)
        minimal.write_text(MINIMAL)
        ours = [sys.executable, "-m", "reach_tui", "--store", str(store)]
        paint = _first_paint(ours, b"reach")
        bare_paint = _first_paint([sys.executable, str(minimal)], b"minimal")
        child = _spawn([sys.executable, str(minimal)])
        child.expect_exact(b"minimal")
        bare, bare95 = _repaint(child, _keys("j"))
        child.close(force=True)
        child = _spawn(ours)
        child.expect_exact(b"nightly")
        runs, runs95 = _repaint(child, _keys("j", "j", "j", "k"))
        child.send("g")
        _drain(child, 0.3)
        child.send("f")
        _drain(child, 1.0)
        steps, steps95 = _repaint(child, _keys("]", "]", "["))
        child.close(force=True)
    beside = "a minimal Textual app"
    return [
        Result("first paint on 100,000 runs", paint, "ms", beside, bare_paint, "1.2 x the minimal app"),
        Result("key to repaint, 100,000 runs, median", runs, "ms", beside, bare, "8 ms"),
        Result("key to repaint, 100,000 runs, 95th percentile", runs95, "ms", beside, bare95, "20 ms"),
        Result("key to repaint, a trial of 10,000 steps, median", steps, "ms", beside, bare, "8 ms"),
        Result("key to repaint, a trial of 10,000 steps, 95th percentile", steps95, "ms", beside, bare95, "20 ms"),
    ]
