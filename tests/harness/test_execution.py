"""Runs end, stop, die and go on: every slot once, nothing finished lost, the same seeds the same ends."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reach_tui.core.errors import ReachError
from reach_tui.harness.execute import Execution, interleaved
from reach_tui.harness.plan import Slot
from reach_tui.harness.watch import ask
from reach_tui.store.check import check
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.trial_rows import TrialRow
from reach_tui.store.trials import trials_of
from tests.agents.scripted_endpoint import ScriptedEndpoint, call, reply
from tests.harness.conftest import Slow, answer

Queue = Callable[..., RunRow]


def stored(store: Path, uid: str) -> tuple[RunRow, list[TrialRow]]:
    with Store(store) as opened:
        row = run_by_uid(opened, uid)
        assert row is not None
        return row, trials_of(opened, row.id)


def ends(trials: list[TrialRow]) -> dict[tuple[str, int], tuple[str, int | None]]:
    """By slot: how it ended, in how many steps."""
    return {
        (trial.task.key, trial.start.repeat): (trial.grading.status, trial.end.steps) for trial in trials if trial.final
    }


def digests(store: Path, uid: str) -> dict[tuple[str, int], str]:
    """By slot: the digest of the final state."""
    from reach_tui.store.maintenance import table_rows

    with Store(store) as opened:
        row = run_by_uid(opened, uid)
        assert row is not None
        keys = {trial.id: (trial.task.key, trial.start.repeat) for trial in trials_of(opened, row.id) if trial.final}
        rows = table_rows(opened, "trials").as_mappings()
        return {keys[row["id"]]: row["final_digest"] for row in rows if row["id"] in keys}


def run(store: Path, uid: str) -> str:
    with Execution(store, [uid]) as execution:
        state = execution.run()
        execution.finish()
    return state


def test_a_run_ends_with_every_slot_graded_and_its_totals_stored(
    queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path
) -> None:
    row = queue(endpoint.base_url)
    assert run(tmp_path / "runs.db", row.uid) == "done"
    row, trials = stored(tmp_path / "runs.db", row.uid)
    assert (row.status, row.totals.done, row.planned) == ("ended", 24, 24)
    assert row.totals.passed == sum(trial.grading.status == "passed" for trial in trials)
    assert 0 < row.totals.passed < 24
    assert row.totals.reach_mean == pytest.approx(row.totals.passed / 24)
    assert {trial.grading.mode for trial in trials if trial.grading.status == "failed"} == {
        "hallucination:false_completion"
    }
    assert not [finding for finding in check(tmp_path / "runs.db", deep=True) if finding.level != "info"]


def test_the_same_seed_gives_the_same_ends_at_any_concurrency(
    queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path
) -> None:
    outcomes = []
    for concurrency in (1, 16):
        row = queue(endpoint.base_url, concurrency=concurrency)
        run(tmp_path / "runs.db", row.uid)
        outcomes.append((ends(stored(tmp_path / "runs.db", row.uid)[1]), digests(tmp_path / "runs.db", row.uid)))
    assert outcomes[0] == outcomes[1]


def test_killed_again_and_again_it_goes_on_and_comes_to_the_same(queue: Queue, tmp_path: Path) -> None:
    rng = random.Random(5)
    with ScriptedEndpoint(Slow(0.02)) as endpoint:
        whole = queue(endpoint.base_url, tmp_path / "whole.db")
        run(tmp_path / "whole.db", whole.uid)
        torn = queue(endpoint.base_url, tmp_path / "torn.db", concurrency=3)
        command = [sys.executable, "-m", "reach_tui", "run", "--plan", torn.uid, "--store", str(tmp_path / "torn.db")]
        for _ in range(5):
            process = subprocess.Popen(command)
            time.sleep(0.5 + rng.random() * 0.8)
            process.kill()
            process.wait()
        last = subprocess.run(command, check=False)
    assert last.returncode == 0
    row, trials = stored(tmp_path / "torn.db", torn.uid)
    assert row.status == "ended"
    slots = [(trial.task.key, trial.start.repeat) for trial in trials if trial.final]
    assert len(slots) == len(set(slots)) == 24
    assert ends(trials) == ends(stored(tmp_path / "whole.db", whole.uid)[1])
    assert digests(tmp_path / "torn.db", torn.uid) == digests(tmp_path / "whole.db", whole.uid)
    assert not [finding for finding in check(tmp_path / "torn.db", deep=True) if finding.level == "error"]
    assert {trial.grading.status for trial in trials if not trial.final} <= {"interrupted"}


@pytest.mark.parametrize("how", ["command", "SIGTERM"])
def test_a_cancelled_run_stops_soon_and_keeps_what_it_has(how: str, queue: Queue, tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    slow = Slow(0.1)
    with ScriptedEndpoint(slow) as endpoint:
        row = queue(endpoint.base_url, concurrency=4)
        process = subprocess.Popen([sys.executable, "-m", "reach_tui", "run", "--plan", row.uid, "--store", str(store)])
        while slow.answered < 20:
            time.sleep(0.02)
        ask(store, row.uid, "cancel") if how == "command" else process.send_signal(signal.SIGTERM)
        process.wait(20)
    row, trials = stored(store, row.uid)
    assert row.status == "cancelled"
    assert 0 < row.totals.done < 24
    assert {trial.grading.status for trial in trials if not trial.final} == {"cancelled"}
    assert all(trial.end.steps for trial in trials)
    assert row.totals.done == sum(trial.final for trial in trials)


def test_a_paused_run_finishes_what_is_in_flight_and_can_go_on(queue: Queue, tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    slow = Slow(0.05)
    with ScriptedEndpoint(slow) as endpoint:
        row = queue(endpoint.base_url, concurrency=2)

        def pause() -> None:
            while slow.answered < 8:
                time.sleep(0.01)
            ask(store, row.uid, "pause")

        asking = threading.Thread(target=pause)
        asking.start()
        run(store, row.uid)
        asking.join()
        paused, trials = stored(store, row.uid)
        assert paused.status == "paused"
        assert all(trial.final for trial in trials)
        assert run(store, row.uid) == "done"
    row, trials = stored(store, row.uid)
    assert row.status == "ended"
    assert len(trials) == 24


def test_a_second_process_cannot_take_a_run_that_lives(
    queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path
) -> None:
    row = queue(endpoint.base_url)
    command = [sys.executable, "-m", "reach_tui", "run", "--plan", row.uid, "--store", str(tmp_path / "runs.db")]
    with Execution(tmp_path / "runs.db", [row.uid]):
        second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 3
    assert "another process" in second.stderr
    with pytest.raises(ReachError, match="no run"), Execution(tmp_path / "runs.db", ["nothing"]):
        pass


def test_an_outage_ends_a_trial_as_infrastructure_after_a_second_attempt_and_is_not_counted(
    queue: Queue, tmp_path: Path
) -> None:
    def script(number: int, body: dict[str, Any]) -> Any:
        first = body["messages"][-1]["content"]
        return (400, {}, {"error": {"message": "no such model"}}) if "(3)" in str(first) else answer(number, body)

    with ScriptedEndpoint(script) as endpoint:
        row = queue(endpoint.base_url)
        run(tmp_path / "runs.db", row.uid)
    row, trials = stored(tmp_path / "runs.db", row.uid)
    broken = [trial for trial in trials if trial.task.key == "C-03"]
    assert {trial.grading.status for trial in broken} == {"infra_error"}
    assert sorted((trial.start.repeat, trial.start.attempt, trial.final) for trial in broken) == [
        (n, attempt, attempt == 2) for n in (1, 2, 3) for attempt in (1, 2)
    ]
    assert row.totals.not_counted == 3
    assert row.totals.passed + row.totals.partial + row.totals.failed == 21
    assert {trial.grading.owner for trial in broken} == {"infrastructure"}


def test_a_restarted_attempt_begins_in_a_fresh_world(queue: Queue, tmp_path: Path) -> None:
    failed: set[int] = set()

    def script(number: int, body: dict[str, Any]) -> Any:
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        if turns == 0:
            return reply(None, tool_calls=[call("cancel_order", '{"order_id": "A140", "reason": "changed_mind"}')])
        if body["seed"] not in failed:
            failed.add(body["seed"])
            return 400, {}, {"error": {"message": "gone"}}
        return reply("订单 A140 已取消。")

    with ScriptedEndpoint(script) as endpoint:
        row = queue(endpoint.base_url, repeat=1)
        run(tmp_path / "runs.db", row.uid)
    row, trials = stored(tmp_path / "runs.db", row.uid)
    assert row.totals.passed == 8
    assert sorted(trial.start.attempt for trial in trials) == [1] * 8 + [2] * 8


def test_a_world_that_changed_since_the_plan_refuses_the_run(
    queue: Queue, endpoint: ScriptedEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reach_tui.sandbox.registry import find_sandbox

    row = queue(endpoint.base_url)
    monkeypatch.setitem(vars(find_sandbox("commerce")), "digest", "other")
    with pytest.raises(ReachError, match="has changed"), Execution(tmp_path / "runs.db", [row.uid]):
        pass


def test_arms_are_interleaved_by_repeat_and_task() -> None:
    arms = [[Slot(arm, task, repeat) for repeat in (1, 2) for task in ("a", "b")] for arm in ("x", "y")]
    order = interleaved(arms)
    assert [(slot.repeat, slot.task_key, slot.run_uid) for slot in order] == [
        (repeat, task, arm) for repeat in (1, 2) for task in ("a", "b") for arm in ("x", "y")
    ]


def test_no_key_is_ever_stored(queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reach_tui.agents.chat_kind import host_of
    from reach_tui.agents.kind import AgentChoice
    from reach_tui.core.config import trust
    from reach_tui.harness.start import RunChoice, create, plan_run
    from reach_tui.suites.load import load_suite

    secret = "sk-" + "z9" * 16
    monkeypatch.setenv("TEST_KEY", secret)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    suite = load_suite(tmp_path / "small.yaml")

    def script(number: int, body: dict[str, Any]) -> Any:
        return reply(f"the key is {secret}")

    with ScriptedEndpoint(script) as endpoint:
        trust(host_of(endpoint.base_url), "TEST_KEY")
        plan = plan_run(suite, suite.tasks[:1], AgentChoice("chat", "m", endpoint.base_url, "TEST_KEY"), RunChoice())
        row = create(tmp_path / "runs.db", plan, name="x", suite_digest=suite.digest, suite_source=None)
        run(tmp_path / "runs.db", row.uid)
    for file in tmp_path.glob("runs.db*"):
        assert secret.encode() not in file.read_bytes(), file.name
    assert stored(tmp_path / "runs.db", row.uid)[0].totals.done == 3
