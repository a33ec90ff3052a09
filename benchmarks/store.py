"""Wall time in the shared flush of a trial of 20 steps of 2 KB, and with its encoding. Beside it: bare sqlite3."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Result
from reach_tui.core.canonical import canonical, digest
from reach_tui.core.grading import Grading
from reach_tui.core.task import Task
from reach_tui.core.trajectory import Step
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.metrics.tally import RunTally
from reach_tui.store import run_queue
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer

TRIALS, STEPS = 300, 20
BODY = {"args": {"order_id": "A100"}, "raw": "{}", "result": "记录" + "x" * 1900}


def _steps() -> list[Step]:
    return [
        Step(n, n, "call", {**BODY, "k": n}, tool="get_order", call_id=f"c{n}", ok=True) for n in range(1, STEPS + 1)
    ]


def _ours(path: Path) -> tuple[float, float]:
    """(ms in the flush, ms with the encoding before it) per trial, 16 trials sharing each flush."""
    with Store(path, write=True) as store:
        task = Task.of({"id": "t", "request": "r"})
        suite_id, ids = run_queue.add_suite(store, "s", digest("s"), None, [task])
        run = run_queue.create_run(store, run_queue.NewRun(name="b", suite_id=suite_id, planned=TRIALS))
    tally = RunTally()
    steps = _steps()
    begun, flushing = time.perf_counter(), 0.0
    with Writer(path, every_ms=60_000) as writer:
        for repeat in range(1, TRIALS + 1):
            uid = f"t{repeat}"
            writer.start_trial(TrialStart(uid, run.id, ids["t"], repeat, 1, "s", "exact", 0), {})
            for step in steps:
                writer.step(uid, step)
            tally.add("t", 1.0, repeat, "passed")
            totals = tally.totals()
            writer.end_trial(
                uid,
                TrialEnd(
                    ended_at=0,
                    end_reason="answered",
                    end_text="",
                    steps=STEPS,
                    turns=STEPS,
                    calls=STEPS,
                    tokens_in=0,
                    tokens_out=0,
                    cost=0.0,
                    model_ms=0,
                    wall_ms=0,
                    failed_requests=0,
                    final_digest=None,
                ),
                Grading("b", b"", "passed", ""),
                totals,
            )
            if repeat % 16 == 0 or repeat == TRIALS:
                full = time.perf_counter()
                writer.flush()
                flushing += time.perf_counter() - full
        return flushing * 1000 / TRIALS, (time.perf_counter() - begun) * 1000 / TRIALS


def _bare(path: Path) -> float:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = wal")
    db.execute("PRAGMA synchronous = normal")
    db.execute("CREATE TABLE steps(trial INTEGER, n INTEGER, kind TEXT, tool TEXT, body TEXT, UNIQUE(trial, n))")
    steps = _steps()
    begun = time.perf_counter()
    for trial in range(TRIALS):
        db.execute("BEGIN IMMEDIATE")
        db.executemany(
            "INSERT INTO steps VALUES(?, ?, ?, ?, ?)",
            [(trial, step.n, step.kind, step.tool, canonical(step.body)) for step in steps],
        )
        db.execute("COMMIT")
    db.close()
    return (time.perf_counter() - begun) * 1000 / TRIALS


def run() -> list[Result]:
    """Two rows."""
    with tempfile.TemporaryDirectory() as folder:
        flush, whole = min(_ours(Path(folder) / f"ours{i}.db") for i in range(3))
        bare = min(_bare(Path(folder) / f"bare{i}.db") for i in range(3))
    beside = "the bare inserts by sqlite3"
    return [
        Result("store, the shared flush of a trial of 20 steps x 2 KB", flush, "ms", beside, bare, "1 ms"),
        Result("store, the same with its encoding and masking", whole, "ms", beside, bare, "none set"),
    ]
