"""A store for the app's tests, made by real parts: Chinese and English tasks, a run with every kind of end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from reach_tui.agents.kind import SENT
from reach_tui.core.absent import ABSENT
from reach_tui.core.agent import AgentFacts
from reach_tui.core.changes import Change
from reach_tui.core.condition import Setup
from reach_tui.core.run import RunStatus, RunTotals
from reach_tui.core.task import Task
from reach_tui.core.tools import ToolSpec, ToolView
from reach_tui.core.trajectory import EndReason, Exchange, Step, StepKind, Trajectory
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.grading import grade
from reach_tui.harness.plan import PlannedTask, RunPlan
from reach_tui.metrics.tally import RunTally
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.store import control, run_queue
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer

NOW = 1_772_330_400_000
"""The tests' own clock, ms UTC."""

_ARGS = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "channel": {"type": "string"}},
    "required": ["order_id"],
}
SPECS = {
    spec.name: spec
    for spec in (
        ToolSpec(ToolView("get_order", "Reads an order.", _ARGS), "read", "orders", "order_id"),
        ToolSpec(
            ToolView("request_refund", "Asks for a refund.", _ARGS),
            "write",
            "orders",
            "order_id",
            claims=("提交退款申请", "submitted the refund"),
        ),
        ToolSpec(ToolView("open_ticket", "Opens a ticket.", _ARGS), "write", "tickets"),
    )
}

SETUP = Setup(
    agent="simulated",
    model={"id": "hasty-1", "provider": "simulated"},
    prompt="You help customers after a sale.\nCheck before you write.",
    tools=tuple(spec.view for spec in SPECS.values()),
    sandbox={"name": "commerce", "digest": find_sandbox("commerce").digest},
)

FACTS = AgentFacts("simulated", "suite", SENT, fork="history", cost_per_trial=0.0)

DOMAINS = ("after-sales", "logistics", "members")
REQUESTS = ("我要退掉刚收到的这个商品，订单 A100", "Please send back what I bought, order A100", "订单 A100 退款")


def initial() -> dict[str, Any]:
    """The world before a trial."""
    return {
        "orders": {"A100": {"status": "delivered", "total": 12900, "note": None}},
        "refunds": {},
        "shipments": {"S1": {"order_id": "A100", "status": "delivered"}},
        "tickets": {},
        "_world": {"now": "2026-03-01T10:00:00+08:00"},
    }


def make_task(number: int, **more: Any) -> Task:
    """Task AS-0NN: refund order A100."""
    body = {
        "id": f"AS-{number:03}",
        "request": REQUESTS[number % 3],
        "kind": "action",
        "domain": DOMAINS[number % 3],
        "intent": "refund",
        "task_type": "chain" if number % 2 else "single",
        "difficulty": "chain",
        "priority": f"P{number % 4}",
        "weight": float(1 + number % 3),
        "outcomes": [
            {
                "state": {
                    "orders": {"A100": {"status": "refund_review"}},
                    "refunds": {"$any": {"order_id": "A100", "channel": "original"}},
                }
            }
        ],
        "milestones": [
            {"name": "order looked up", "called": {"tool": "get_order", "args": {"order_id": "A100"}}},
            {"name": "refund recorded", "state": {"refunds": {"$any": {"order_id": "A100"}}}},
        ],
        **more,
    }
    return Task.of(body)


class Script:
    """Writes a trajectory step by step."""

    def __init__(self, request: str) -> None:
        self.steps: list[Step] = []
        self.turn = 0
        self._add("user", {"text": request})

    def _add(self, kind: StepKind, body: Mapping[str, Any], **more: Any) -> Script:
        n = len(self.steps) + 1
        self.steps.append(Step(n, self.turn, kind, body, at_ms=n * 700, **more))
        return self

    def user(self, text: str) -> Script:
        """The user speaks."""
        return self._add("user", {"text": text})

    def say(self, text: str) -> Script:
        """The agent speaks."""
        self.turn += 1
        return self._add("agent", {"text": text}, tokens=21)

    def call(self, tool: str, args: Any, result: Any = None, *changes: Change, error: str | None = None) -> Script:
        """The agent calls a tool."""
        self.turn += 1
        body = {"args": args, "raw": json.dumps(args, ensure_ascii=False)}
        body |= {"result": json.dumps(result, ensure_ascii=False)} if error is None else {"error": error}
        return self._add("call", body, tool=tool, ok=error is None, changes=tuple(changes), took_ms=320, tokens=34)


def passing(request: str) -> Script:
    """Looks the order up and refunds it."""
    script = Script(request).call("get_order", {"order_id": "A100"}, {"order_id": "A100", "status": "delivered"})
    script.call(
        "request_refund",
        {"order_id": "A100", "channel": "original"},
        {"refund_id": "R1", "status": "review"},
        Change("/orders/A100/status", "delivered", "refund_review"),
        Change("/refunds/R1", ABSENT, {"order_id": "A100", "channel": "original", "status": "review"}),
    )
    return script.say("订单 A100 的退款申请已提交，请耐心等待")


def claiming(request: str) -> Script:
    """Says that it refunded, and did not; ships something on the way."""
    script = Script(request).say("我先帮您查一下订单")
    script.call("get_order", {"order_id": "A100"}, {"order_id": "A100", "status": "delivered", "total": 12900})
    script.call("get_order", {"order_id": "A101"}, error="there is no order A101")
    script.call(
        "open_ticket",
        {"order_id": "A100"},
        {"ticket_id": "T1"},
        Change("/tickets/T1", ABSENT, {"order_id": "A100", "about": "退货"}),
    )
    script.call("request_refund", {"order_id": "A100", "channel": "original"}, error="A100 is past the return window")
    return script.say("我已经为您提交退款申请，请耐心等待")


def parting_late(request: str) -> Script:
    """Tries the wrong tool, which decides it at step 3; what is missing shows with the final message, at step 4."""
    script = Script(request).call("get_order", {"order_id": "A100"}, {"order_id": "A100", "status": "delivered"})
    script.call("open_ticket", {"order_id": "A100"}, error="no tickets today")
    return script.say("Sorry, I could not open a ticket.")


def giving_up(request: str) -> Script:
    """Looks and does nothing."""
    script = Script(request).call("get_order", {"order_id": "A100"}, {"order_id": "A100", "status": "delivered"})
    return script.say("Sorry, I cannot help with that.")


class SampleStore:
    """A store in the making."""

    def __init__(self, path: Path, tasks: int = 6) -> None:
        self.path = path
        self.sent: dict[int, Setup] = {}
        self.tasks = {task.key: task for task in (make_task(n) for n in range(1, tasks + 1))}
        with Store(path, write=True) as store:
            self.suite_id, self.task_ids = run_queue.add_suite(
                store, "aftersales", b"s" * 16, "suite: aftersales", list(self.tasks.values())
            )

    def add_task(self, task: Task, name: str) -> None:
        """A further task, in a suite of its own version."""
        with Store(self.path, write=True) as store:
            self.tasks[task.key] = task
            self.suite_id, self.task_ids = run_queue.add_suite(
                store, name, task.oracle, None, list(self.tasks.values())
            )

    def run(self, name: str, uid: str, *, repeats: int = 3, age_ms: int = 3_600_000, **more: Any) -> RunRow:
        """A queued run."""
        with Store(self.path, write=True) as store:
            tasks = tuple(PlannedTask(task, repeats) for task in self.tasks.values())
            plan = RunPlan("aftersales", more.get("setup", SETUP), tasks, "5eed", task_ids=self.task_ids)
            new = run_queue.NewRun(
                plan=plan.as_json(),
                name=name,
                suite_id=self.suite_id,
                planned=len(self.tasks) * repeats,
                setup=more.pop("setup", SETUP),
                facts=FACTS,
                tasks=len(self.tasks),
                repeats=repeats,
                uid=uid,
                created_at=NOW - age_ms,
                base_seed="5eed",
            )
            return run_queue.create_run(store, replace(new, **more))

    def status(self, run: RunRow, status: RunStatus, age_ms: int = 3_500_000) -> None:
        """Set a run's status."""
        with Store(self.path, write=True) as store:
            control.set_run_status(store, run.id, status, NOW - age_ms)

    def fill(
        self, run: RunRow, ends: Mapping[str, str], age_ms: int = 3_500_000, tally: RunTally | None = None
    ) -> RunTally:
        """Trials by task: `x` claims, `l` parts late, `-` breaks outside, `o` gives up, `.` passes, `>` still runs."""
        tally = tally or RunTally()
        with Store(self.path, write=True) as store:
            self.sent[run.id] = Setup.of(run_queue.load_plan(store, run.uid)["setup"])
        with Writer(self.path, every_ms=1) as writer:
            for key, marks in ends.items():
                for repeat, mark in enumerate(marks, 1):
                    self.put(writer, run, key, repeat, mark, tally, age_ms)
        return tally

    def put(
        self, writer: Writer, run: RunRow, key: str, repeat: int, mark: str, tally: RunTally, age_ms: int = 3_500_000
    ) -> str:
        """One trial; its uid."""
        task = self.tasks[key]
        make = {"x": claiming, "o": giving_up, "l": parting_late}.get(mark, passing)
        script = make(task.request)
        uid = f"t{run.uid}{key}{repeat}".replace("-", "").lower()
        started = NOW - age_ms
        writer.start_trial(
            TrialStart(uid, run.id, self.task_ids[key], repeat, 1, f"seed{repeat}", "exact", started), initial()
        )
        steps = script.steps[:2] if mark == ">" else script.steps
        for step in steps:
            writer.step(uid, step)
        for turn in range(1, script.turn + 1):
            setup = self.sent.get(run.id, SETUP)
            messages = ({"role": "system", "content": setup.prompt}, {"role": "user", "content": task.request})
            functions = tuple(view.as_function() for view in setup.tools)
            writer.exchange(uid, Exchange(turn, 1, messages, functions, {"seed": 7}, {"choices": []}, "hasty-1"))
        if mark == ">":
            return uid
        reason: EndReason = "infra_error" if mark == "-" else "answered"
        grading = grade(task, Trajectory(initial(), tuple(steps), reason), SPECS)
        tally.add(
            key,
            task.weight,
            repeat,
            grading.status,
            120,
            0.002,
            grading.mode,
            depth=grading.depth,
            depth_of=grading.depth_of,
        )
        counted = tally.totals()
        totals = RunTotals(**{field.name: getattr(counted, field.name) for field in fields(RunTotals)})
        writer.end_trial(
            uid,
            TrialEnd(
                started + 5000, reason, "", len(steps), script.turn, script.turn, 90, 30, 0.002, 40, 5000, 0, None
            ),
            grading,
            totals,
        )
        return uid


ENDS = {"AS-001": "x.x", "AS-002": "...", "AS-003": "xxx", "AS-004": "o.-", "AS-005": ".x.", "AS-006": "..."}


def sample_store(path: Path) -> SampleStore:
    """A store with a run that failed in several ways and one before it."""
    store = SampleStore(path)
    first = store.run("monday", "rmonday00001", age_ms=90_000_000)
    store.fill(first, dict.fromkeys(store.tasks, "..."), age_ms=89_000_000)
    store.status(first, "ended", 88_000_000)
    run = store.run("baseline", "rbaseline001")
    store.fill(run, ENDS)
    store.status(run, "ended")
    return store


def with_experiment(store: SampleStore, parent: str = "rbaseline001", conduct_it: bool = True) -> str:
    """An experiment on the failing tasks of a run, its arms filled and (unless told not to) conducted; its uid."""
    from reach_tui.counterfactual.conduct import conduct
    from reach_tui.counterfactual.edits import ToolDescription
    from reach_tui.counterfactual.plan import BranchRequest, plan_branch
    from reach_tui.counterfactual.start import start_experiment
    from reach_tui.store.experiments import experiment, runs_of

    with Store(store.path, write=True) as opened:
        text = "Asks for a refund of a delivered order, whatever its age."
        plan = plan_branch(
            opened,
            BranchRequest(parent, [ToolDescription("request_refund", text)], failing=True, seed="7", placebo="on"),
        )
        uid = start_experiment(store.path, plan, uid="xrefund00001", now_ms=NOW - 2_000_000)
        arms = {run.arm: run for run in runs_of(opened, experiment(opened, uid).id)}
    marks = {"control": ("xx.xx", "....."), "branch": (".....", "..x.."), "placebo": ("xxxx.", "")}
    for arm, run in arms.items():
        chosen, passing = marks[str(arm)]
        if not conduct_it:
            chosen, passing = chosen[:2] + ">", passing[:2]
        ends = dict.fromkeys(plan.chosen.tasks, chosen)
        ends |= dict.fromkeys(plan.passing.tasks if plan.passing and passing else (), passing)
        store.fill(run, ends, age_ms=1_900_000)
        store.status(run, "running", 1_950_000)
    if conduct_it:
        conduct(store.path, uid)
    return uid
