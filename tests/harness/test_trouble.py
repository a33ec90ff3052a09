"""Trouble that is nobody's failing: it is named, not counted, and takes nothing else down with it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reach_tui.agents.kind import AgentChoice
from reach_tui.core.changes import Change
from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.protocols import StopTrial
from reach_tui.core.task import Limits
from reach_tui.harness.clock import WallClock
from reach_tui.harness.dead import find_dead
from reach_tui.harness.execute import Execution
from reach_tui.harness.session import TrialSession, read_arguments
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.harness.user import ScriptedUser
from reach_tui.harness.watch import ask, make_ready
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.suites.load import LoadedSuite
from tests.agents.scripted_endpoint import ScriptedEndpoint, reply
from tests.harness.conftest import Slow, answer
from tests.harness.test_execution import run, stored
from tests.harness.test_session import Kept

Queue = Callable[..., RunRow]


def planned(suite: LoadedSuite, base_url: str, **limits: Any) -> Any:
    plan = plan_run(suite, suite.tasks[:2], AgentChoice("chat", "m", base_url), RunChoice(repeat=1, seed="s"))
    from dataclasses import replace

    return replace(plan, setup=replace(plan.setup, limits=limits))


def test_an_endpoint_that_hangs_until_the_time_limit_is_not_the_agents_failure(
    suite: LoadedSuite, tmp_path: Path
) -> None:
    with ScriptedEndpoint(lambda number, body: (503, {}, "busy")) as endpoint:
        plan = planned(suite, endpoint.base_url, task_seconds=1.2)
        row = create(tmp_path / "r.db", plan, name="x", suite_digest=suite.digest, suite_source=None)
        run(tmp_path / "r.db", row.uid)
    row, trials = stored(tmp_path / "r.db", row.uid)
    assert {trial_row.grading.status for trial_row in trials} == {"infra_error"}
    assert {trial_row.grading.owner for trial_row in trials} == {"infrastructure"}
    assert row.totals.failed == 0
    assert "busy" in (trials[0].grading.why or "")


def test_prose_and_passwords_of_the_world_are_executed_as_they_are_written(tmp_path: Path) -> None:
    from reach_tui.suites.load import load_suite

    path = tmp_path / "s.yaml"
    path.write_text(
        "suite: s\nsandbox: commerce\nprompt: Our basic troubleshooting steps apply; bearer responsibilities too.\n"
        "tasks:\n  - {id: a, request: say it, must_include: [password]}\n",
        "utf-8",
    )
    suite = load_suite(path)
    seen: list[str] = []

    def script(number: int, body: Mapping[str, Any]) -> Any:
        seen.append(body["messages"][0]["content"])
        return reply("the password is open-sesame")

    with ScriptedEndpoint(script) as endpoint:
        plan = plan_run(suite, suite.tasks, AgentChoice("chat", "m", endpoint.base_url), RunChoice(repeat=1))
        row = create(tmp_path / "r.db", plan, name="x", suite_digest=suite.digest, suite_source=None)
        run(tmp_path / "r.db", row.uid)
    assert "basic troubleshooting steps" in seen[0]
    assert stored(tmp_path / "r.db", row.uid)[0].totals.passed == 1


def test_a_plan_that_holds_a_key_is_refused_before_it_is_stored(suite: LoadedSuite, tmp_path: Path) -> None:
    key = "sk-" + "a1b2" * 8
    plan = plan_run(suite, suite.tasks, AgentChoice("simulated", "hasty-1"), RunChoice(prompt=f"use {key}"))
    with pytest.raises(UsageError, match="/setup/prompt") as caught:
        create(tmp_path / "r.db", plan, name="x", suite_digest=suite.digest, suite_source=None)
    assert key not in str(caught.value)
    assert not (tmp_path / "r.db").exists()


def test_what_was_asked_of_a_dead_runner_is_not_obeyed_by_the_next(queue: Queue, tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    with ScriptedEndpoint(Slow(0.05)) as endpoint:
        row = queue(endpoint.base_url, concurrency=2)
        process = subprocess.Popen([sys.executable, "-m", "reach_tui", "run", "--plan", row.uid, "--store", str(store)])
        while not stored(store, row.uid)[1]:
            time.sleep(0.05)
        process.kill()
        process.wait()
        assert ask(store, row.uid, "cancel").status == "interrupted"
        make_ready(store, [row.uid])
        assert run(store, row.uid) == "done"
    assert stored(store, row.uid)[0].status == "ended"


def test_a_run_whose_process_died_is_listed_as_interrupted(queue: Queue, tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    with ScriptedEndpoint(Slow(0.2)) as endpoint:
        row = queue(endpoint.base_url)
        process = subprocess.Popen([sys.executable, "-m", "reach_tui", "run", "--plan", row.uid, "--store", str(store)])
        while stored(store, row.uid)[0].status != "running":
            time.sleep(0.05)
        process.kill()
        process.wait()
    with Store(store) as opened:
        find_dead(opened)
    assert stored(store, row.uid)[0].status == "interrupted"


def test_a_queued_run_that_is_cancelled_never_starts(queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    row = queue(endpoint.base_url)
    assert ask(tmp_path / "runs.db", row.uid, "cancel").status == "cancelled"
    command = [sys.executable, "-m", "reach_tui", "run", "--plan", row.uid, "--store", str(tmp_path / "runs.db")]
    assert subprocess.run(command, check=False).returncode == 0
    assert stored(tmp_path / "runs.db", row.uid)[1] == []


def test_a_world_that_cannot_be_opened_costs_its_own_trials_only(
    queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reach_tui.harness import trial

    row = queue(endpoint.base_url, concurrency=1)
    real = trial.open_world

    def opening(family: Any, task: Any) -> Any:
        if task.key == "C-02":
            raise RuntimeError("no room")
        return real(family, task)

    monkeypatch.setattr(trial, "open_world", opening)
    run(tmp_path / "runs.db", row.uid)
    row, trials = stored(tmp_path / "runs.db", row.uid)
    assert row.status == "ended"
    assert {trial_row.task.key for trial_row in trials if trial_row.grading.status == "infra_error"} == {"C-02"}
    assert row.totals.passed + row.totals.partial + row.totals.failed == 21


def test_a_run_is_not_finished_by_another_grader(
    queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = queue(endpoint.base_url)
    monkeypatch.setattr("reach_tui.harness.code.grader_version", lambda: "99")
    with pytest.raises(ReachError, match="grader changed"), Execution(tmp_path / "runs.db", [row.uid]):
        pass


def test_a_key_goes_only_where_this_user_has_said_it_may(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from reach_tui.agents.chat_kind import CHAT
    from reach_tui.core.condition import Setup
    from reach_tui.core.config import trust

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("SOME_KEY", "k-123456\n")
    setup = Setup("chat", {"id": "m", "base_url": "http://models.example:8443/v1"}, "", ())
    with pytest.raises(UsageError, match=r"models\.example:8443"):
        CHAT.check(setup, {"key_env": "SOME_KEY"})
    trust("models.example:8443", "SOME_KEY")

    async def key() -> str:
        async with CHAT.open(setup, {"key_env": "SOME_KEY"}) as agent:
            return agent._model._options.key  # type: ignore[attr-defined,no-any-return]

    assert asyncio.run(key()) == "k-123456"
    monkeypatch.setenv("SOME_KEY", "two words")
    with pytest.raises(UsageError, match="characters"):
        CHAT.check(setup, {"key_env": "SOME_KEY"})


def test_an_endpoint_that_echoes_the_key_does_not_bring_it_into_the_store() -> None:
    from reach_tui.agents.chat import ChatModel, ChatOptions
    from tests.agents.test_chat_model import REQUEST

    seen: list[Any] = []

    async def go(base_url: str) -> Any:
        model = ChatModel(ChatOptions(base_url, "m", key="odd.key", attempts=1))
        try:
            return await model.complete(REQUEST, seen.append)
        finally:
            await model.close()

    with ScriptedEndpoint(lambda n, b: reply("your key is odd.key")) as endpoint:
        message = asyncio.run(go(endpoint.base_url))
    assert "odd.key" not in str(message) + str(seen)


@dataclass(frozen=True)
class Result:
    ok: bool = True
    text: str = "{}"
    value: Any = None
    error: str | None = None
    changes: tuple[Change, ...] = ()


class SlowWorld:
    """A world whose tool takes its time, or does what it likes."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.state: dict[str, Any] = {}
        self.act = act

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        self.act()
        return Result()


def session(act: Callable[[], None], *, blocking: bool) -> TrialSession:
    from reach_tui.core.tools import ToolView

    return TrialSession(
        trial_uid="t",
        request="r",
        prompt="",
        tools=[ToolView("f", "", {})],
        seed="s",
        port=SlowWorld(act),
        specs={},
        limits=Limits(tool_seconds=0.5),
        user=ScriptedUser(()),
        sink=Kept(),
        clock=WallClock(),
        blocking=blocking,
    )


async def test_many_slow_tools_at_once_do_not_wait_for_each_other() -> None:
    sessions = [session(lambda: time.sleep(0.2), blocking=True) for _ in range(24)]
    results = await asyncio.gather(*(open_session.call("f", {}, "c") for open_session in sessions))
    assert results == ["{}"] * 24


async def test_a_tool_that_hangs_is_cut_off_and_named() -> None:
    with pytest.raises(StopTrial, match="tool f took more than"):
        await session(lambda: time.sleep(2), blocking=True).call("f", {}, "c")


@pytest.mark.parametrize("blocking", [True, False])
async def test_a_tool_that_tries_to_end_the_process_ends_its_trial(blocking: bool) -> None:
    with pytest.raises((StopTrial, RuntimeError)):
        await session(lambda: sys.exit(3), blocking=blocking).call("f", {}, "c")


def test_arguments_nested_beyond_reading_are_told_to_the_model() -> None:
    deep: Any = {}
    for _ in range(700):
        deep = {"token": deep}
    value, problem = read_arguments(deep)
    assert value is None
    assert "nested" in str(problem)
    assert answer is not None
