"""tau-bench run files: the reward decides, its parts say why, reference actions only inform."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import fold
from reach_tui.formats.detect import read_path
from reach_tui.formats.model import ImportedTrial
from tests.formats.import_logs import DATA, lines, read, tau_record, trials


@pytest.fixture(scope="module")
def parcels() -> dict[tuple[str, int], ImportedTrial]:
    file = read_path(DATA / "parcels.tau-bench.json")
    assert (file.format, len(file.runs), file.skipped) == ("tau-bench", 1, ())
    return {(trial.task_key, trial.repeat): trial for trial in trials(file)}


def test_a_reward_of_one_passes_and_trials_count_from_one(parcels: dict[tuple[str, int], ImportedTrial]) -> None:
    assert sorted(parcels) == [("0", 1), ("0", 2), ("1", 1), ("1", 2), ("1", 3), ("1", 4)]
    trial = parcels["0", 1]
    assert (trial.score.status, trial.score.reward, trial.trajectory.end_reason) == ("passed", 1.0, "answered")


@pytest.mark.parametrize(("reward", "status"), [(1, "passed"), (1 - 1e-7, "passed"), (0.999, "failed"), (0, "failed")])
def test_a_reward_is_full_within_a_millionth(tmp_path: Path, reward: float, status: str) -> None:
    (trial,) = trials(read(tmp_path / "run.json", [tau_record(0, 0, reward)]))
    assert trial.score.status == status


def test_actions_that_differ_from_the_reference_never_decide(parcels: dict[tuple[str, int], ImportedTrial]) -> None:
    checks = parcels["0", 2].score.checks
    assert [(c.kind, c.decides, c.verdict) for c in checks] == [("state", True, "fail"), ("tools", False, "fail")]
    tools_check = next(check for check in parcels["0", 1].score.checks if check.kind == "tools")
    assert (tools_check.decides, tools_check.verdict, tools_check.step) == (False, "pass", 5)


def test_outputs_stand_in_place_of_the_database_which_the_reward_then_tells(
    parcels: dict[tuple[str, int], ImportedTrial],
) -> None:
    spoken, unspoken = parcels["1", 1].score, parcels["1", 2].score
    assert [(c.kind, c.decides, c.verdict) for c in spoken.checks[:2]] == [
        ("state", True, "fail"),
        ("text", True, "pass"),
    ]
    assert [(c.kind, c.decides, c.verdict) for c in unspoken.checks[:2]] == [
        ("state", True, "skipped"),
        ("text", True, "fail"),
    ]
    assert unspoken.why == "reward 0: the agent never said '3'"


def test_a_null_reward_info_is_the_step_limit_and_a_failure(parcels: dict[tuple[str, int], ImportedTrial]) -> None:
    trial = parcels["1", 3]
    assert (trial.score.status, trial.trajectory.end_reason) == ("failed", "step_limit")


def test_an_empty_trajectory_with_an_error_is_no_failure_of_the_agent(
    parcels: dict[tuple[str, int], ImportedTrial],
) -> None:
    trial = parcels["1", 4]
    assert (trial.score.status, trial.score.owner) == ("infra_error", "infrastructure")
    assert [(step.kind, step.text) for step in trial.trajectory.steps] == [("error", "connection reset by peer")]


def test_a_call_failed_where_its_text_says_so(parcels: dict[tuple[str, int], ImportedTrial]) -> None:
    calls = parcels["0", 2].trajectory.calls()
    assert [(call.tool, call.ok, call.body.get("error")) for call in calls] == [
        ("redirect_parcel", False, "Error: parcel not found"),
        ("move_parcel", False, "Unknown action move_parcel"),
    ]


def test_entities_are_seen_in_results_from_their_step_on(parcels: dict[tuple[str, int], ImportedTrial]) -> None:
    trajectory = parcels["0", 1].trajectory
    history = trajectory.history()
    assert trajectory.initial == {"parcels": {"P7": {}}}
    assert history.value(("parcels", "P7", "status"), 2) is ABSENT
    assert history.value(("parcels", "P7", "status"), 3) == "waiting"
    assert history.value(("parcels", "P7", "status"), 5) == "redirected"
    assert history.since(("parcels", "P7", "address", "city"), 8) == 5
    assert [change.pointer for change in trajectory.steps[4].changes] == [
        "/parcels/P7/status",
        "/parcels/P7/address/city",
        "/parcels/P7/address/street",
    ]
    assert fold({}, [c for s in trajectory.steps for c in s.changes]) == history.state_at(99)
    listed = parcels["1", 1].trajectory.history().state_at(99)
    assert sorted(listed["parcels"]) == ["P1", "P2", "P3"]


def test_the_task_holds_what_the_user_was_told_and_the_reference(
    parcels: dict[tuple[str, int], ImportedTrial],
) -> None:
    task = parcels["0", 1].task
    assert task["request"].startswith("You are customer C1.")
    assert task["reference"][0]["tool"] == "redirect_parcel"
    assert task["outcomes"] == []
    assert task == parcels["0", 2].task


def test_the_model_is_only_told_by_the_runners_way_of_naming_files(tmp_path: Path) -> None:
    records = [tau_record(0, 0, 1.0)]
    named = read(tmp_path / "tool-calling-m-small-0.0_range_0--1_user-m-user-llm_0102.json", records)
    other = read(tmp_path / "m-large.json", records)
    assert (named.runs[0].model, other.runs[0].model) == ("m-small", None)
    assert [trial.uid for trial in trials(named)] == [trial.uid for trial in trials(other)]


def test_actions_in_text_are_calls_with_their_results(tmp_path: Path) -> None:
    def acts(name: str, arguments: object) -> dict[str, str]:
        action = json.dumps({"name": name, "arguments": arguments})
        return {"role": "assistant", "content": f"Thought:\nI wonder.\nAction:\n{action}"}

    traj = [
        {"role": "system", "content": "# Retail agent policy"},
        {"role": "user", "content": "hi"},
        acts("get_order", {"order_id": "W1"}),
        {"role": "user", "content": 'API output: {"order_id": "W1", "status": "pending"}'},
        acts("respond", {"content": "It is pending."}),
        {"role": "user", "content": "API output: that is what I read on my screen"},
    ]
    record = {**tau_record(0, 0, 1.0), "traj": traj}
    file = read(tmp_path / "run.json", [record])
    assert file.runs[0].domain == "retail"
    steps = trials(file)[0].trajectory.steps
    assert [(step.kind, step.text) for step in steps[2:]] == [
        ("agent", "I wonder."),
        ("call", '{"order_id": "W1", "status": "pending"}'),
        ("agent", "It is pending."),
        ("user", "API output: that is what I read on my screen"),
    ]
    assert steps[4].body["reasoning"] == "I wonder."
    assert steps[3].changes


def test_records_as_lines_and_odd_records_are_read_and_skipped(tmp_path: Path) -> None:
    odd = {"task_id": None, "traj": ["x", None, {"role": "assistant"}], "info": 3, "reward": "much", "trial": "first"}
    file = read(tmp_path / "run.jsonl", lines(tau_record(0, 0, 1.0), {"no": "traj"}, odd, 7))
    assert [trial.score.status for trial in trials(file)] == ["passed", "unscored"]
    assert [skip.line for skip in file.skipped] == [2, 4]


def test_a_list_names_a_bad_record_by_its_place(tmp_path: Path) -> None:
    file = read(tmp_path / "run.json", [tau_record(0, 0, 1.0), "oops"])
    assert [(skip.line, skip.reason) for skip in file.skipped] == [(None, "record 2: no record of a trial: oops")]
