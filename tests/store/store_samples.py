"""Small stores for tests, made through the product's own functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reach_tui.core.changes import Change, StateDigest, fold
from reach_tui.core.condition import Setup
from reach_tui.core.experiment import (
    Effect,
    Estimate,
    ExperimentPlan,
    ExperimentResult,
    Factor,
    Flips,
    Placebo,
    Rules,
    SmallestEffects,
    Stratum,
    Verdict,
)
from reach_tui.core.grading import CheckResult, Claim, Deviation, Grading, MilestoneResult, TrialStatus
from reach_tui.core.reasons import Reason
from reach_tui.core.run import RunTotals
from reach_tui.core.task import Task
from reach_tui.core.tools import ToolView
from reach_tui.core.trajectory import Exchange, Step
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.store import run_queue
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer

SETUP = Setup(
    agent="simulated",
    model={"id": "hasty-1", "provider": "built in"},
    prompt="Help the customer.",
    tools=(
        ToolView("get_order", "Reads an order.", {"type": "object", "properties": {"id": {"type": "string"}}}),
        ToolView("refund", "", {"type": "object", "properties": {"id": {"type": "string", "description": "订单号"}}}),
    ),
)
INITIAL = {"orders": {"A1": {"status": "delivered", "note": None}}, "_world": {"now": {"at": "2026-03-01"}}}


def task(key: str, **body: Any) -> Task:
    """A task with a request of its own."""
    return Task.of({"id": key, "request": f"please {key}", **body})


def grading(status: TrialStatus = "passed", **fields: Any) -> Grading:
    """A grading with one of everything."""
    base = Grading(
        version="g1",
        oracle=b"o" * 16,
        status=status,
        why=f"it {status}",
        depth=1,
        depth_of=2,
        checks=(
            CheckResult("state_wrong", True, "fail", "differs", "/orders/A1/status", "refunded", "delivered", 2),
            CheckResult("text", False, "pass", "said so", expected=None, actual=["a", {"b": 1.5}]),
        ),
        milestones=(MilestoneResult("looked up", "reached", 1, {"tool": "get_order"}, {"tool": "get_order"}),),
        deviations=(Deviation("loop", 1, "the same call twice", "get_order", 2),),
        claims=(Claim(3, "已退款", "/orders/A1/status", "refunded", False, "refund"), Claim(3, "done")),
    )
    return replace(base, **fields)


def totals(**counts: Any) -> RunTotals:
    """Run totals, by default those of one trial that passed."""
    base = RunTotals(1, 1, 0, 0, 0, 1.0, 1.0, 1.0, 1.0, 10, 0.5, 0, {"modes": {}})
    return replace(base, **counts)


def steps(*bodies: Mapping[str, Any]) -> tuple[Step, ...]:
    """A user's turn, one call for each body that changes the order's status, and a last message, with digests."""
    state = fold(INITIAL, ())
    running = StateDigest(state)
    all_steps = [Step(1, 0, "user", {"text": "please"}, at_ms=0, state_digest=running.digest)]
    for number, body in enumerate(bodies, 2):
        change = Change("/orders/A1/status", state["orders"]["A1"]["status"], f"s{number}")
        state = fold(state, [change])
        all_steps.append(
            Step(
                number,
                number - 1,
                "call",
                body,
                "get_order",
                f"c{number}",
                True,
                16,
                5 * number,
                4,
                7,
                (change,),
                running.update(state, [change]),
            )
        )
    last = len(all_steps) + 1
    all_steps.append(Step(last, last - 1, "agent", {"text": "已经办好了"}, at_ms=99, state_digest=running.digest))
    return tuple(all_steps)


def exchange(turn: int, *texts: str, **fields: Any) -> Exchange:
    """A request whose messages are `texts`, and an answer."""
    messages = tuple({"role": "user", "content": text} for text in texts)
    return replace(
        Exchange(turn, 1, messages, ({"type": "function"},), {"seed": 7}, {"choices": [{"index": 0}]}, "hasty-1"),
        **fields,
    )


class Shop:
    """A store with one suite and one run, and short ways to put trials into it."""

    def __init__(self, path: Path, keys: Iterable[str] = ("T1", "T2"), **run: Any) -> None:
        self.path = path
        with Store(path, write=True) as store:
            self.path = store.path
            suite = [task(key, domain="shop", tags={"capability": "refund"}) for key in keys]
            self.suite_id, self.tasks = run_queue.add_suite(store, "shop", b"s" * 16, "suite: shop", suite)
            self.run = self.new_run(store, **{"uid": "rrun1", **run})

    def new_run(self, store: Store, **fields: Any) -> RunRow:
        """Another run of the suite."""
        base = run_queue.NewRun(
            name="first", suite_id=self.suite_id, planned=2, plan={"tasks": ["T1"]}, setup=SETUP, created_at=1000
        )
        return run_queue.create_run(store, replace(base, **fields))

    def start(
        self, uid: str = "t1", key: str = "T1", repeat: int = 1, attempt: int = 1, run: RunRow | None = None
    ) -> tuple[TrialStart, Mapping[str, Any] | None]:
        """The start of a trial, and its world."""
        run_id = (run or self.run).id
        return TrialStart(uid, run_id, self.tasks[key], repeat, attempt, "5eed", "exact", 2000), INITIAL

    def end(self, uid: str = "t1", **fields: Any) -> tuple[str, TrialEnd, Grading, RunTotals, bool]:
        """The end of a trial with three steps, as a writer is told it."""
        base = TrialEnd(
            ended_at=3000,
            end_reason="answered",
            end_text="",
            steps=3,
            turns=2,
            calls=1,
            tokens_in=4,
            tokens_out=6,
            cost=0.5,
            model_ms=8,
            wall_ms=9,
            failed_requests=0,
            final_digest=b"f" * 16,
        )
        judged, sums, final = (
            fields.pop("grading", grading()),
            fields.pop("totals", totals()),
            fields.pop("final", True),
        )
        return uid, replace(base, **fields), judged, sums, final

    def put(
        self,
        writer: Writer,
        uid: str = "t1",
        key: str = "T1",
        repeat: int = 1,
        attempt: int = 1,
        *,
        run: RunRow | None = None,
        body: Mapping[str, Any] | None = None,
        **end: Any,
    ) -> None:
        """A whole trial of three steps."""
        writer.start_trial(*self.start(uid, key, repeat, attempt, run))
        for step in steps(body or {"args": {"id": "A1"}, "raw": '{"id": "A1"}', "result": "delivered"}):
            writer.step(uid, step)
        writer.end_trial(*self.end(uid, **end))

    def stored(self, uid: str = "t1", **end: Any) -> None:
        """`put` with a writer of its own."""
        with Writer(self.path, every_ms=1) as writer:
            self.put(writer, uid, **end)

    def reading(self) -> Store:
        """The store, open for reading."""
        return Store(self.path)


def count(store: Store, table: str) -> int:
    """Rows of a table."""
    return int(store.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def experiment_plan(**changed: Any) -> ExperimentPlan:
    """A plan of an experiment; fields may be given otherwise."""
    plan = ExperimentPlan(
        parent_uid="r1",
        parent_name="base",
        suite="s",
        agent="simulated",
        factor=Factor("prompt", "/prompt", "before", "after"),
        chosen=Stratum("chosen", (Reason("failing", {"run": "base"}),), ("T1",), 1),
        passing=None,
        all_failed=True,
        repeats=1,
        base_seed="s",
        placebo=Placebo("/prompt", "neutral", "when_needed"),
        rules=Rules(),
        trials=2,
        placebo_trials=1,
        estimate=Estimate(2, None, None, None, None, 0),
        smallest=SmallestEffects(None, None, None),
        warnings=(),
        concurrency=1,
    )
    return replace(plan, **changed)


def experiment_result() -> ExperimentResult:
    """A result that ended with a cause."""
    effect = Effect(0.5, 0.1, 0.9, 0.01, 10, 6, (0.2, 0.8), 0.1)
    verdict = Verdict("cause", "tasks_like_these", 0.01, (Reason("effect_shown", {"p": 0.01, "estimate": 0.5}),))
    return ExperimentResult("ended", 1, {}, "complete", effect, 0.01, 6, Flips(("T1",)), (verdict,))
