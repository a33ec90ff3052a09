"""tau2-bench results in both storage forms: only what the reward is made of decides."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reach_tui.formats.detect import read_path, read_paths
from reach_tui.formats.model import ImportedFile, ImportedTrial
from reach_tui.formats.source import Bounds
from reach_tui.formats.tau2_ticks import flatten
from tests.formats.import_logs import DATA, read, trials, written

RESULTS: dict[str, Any] = json.loads((DATA / "desks.results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def desks() -> ImportedFile:
    return read_path(DATA / "desks.results.json")


def by_id(file: ImportedFile) -> dict[str, ImportedTrial]:
    imported = trials(file)
    assert len(imported) == len(RESULTS["simulations"])
    return {simulation["id"]: trial for simulation, trial in zip(RESULTS["simulations"], imported, strict=True)}


def test_the_run_tells_agent_model_domain_policy_and_settings(desks: ImportedFile) -> None:
    (run,) = desks.runs
    assert (desks.format, run.agent, run.model, run.domain) == ("tau2-bench", "llm_agent", "m-small", "desks")
    assert run.prompt == "Book desks. One desk per worker and day."
    assert run.options == {"temperature": 0.0}
    assert run.environment["user"]["llm"] == "user-model"
    assert run.key


def test_an_unmatched_reference_action_fails_nothing_unless_actions_are_in_the_basis(desks: ImportedFile) -> None:
    trial = by_id(desks)["s-1"]
    assert trial.score.status == "passed"
    assert [(c.kind, c.decides, c.verdict) for c in trial.score.checks] == [
        ("state", True, "pass"),
        ("told", True, "pass"),
        ("tools", False, "fail"),
    ]
    changed = json.loads(json.dumps(RESULTS))
    info = changed["simulations"][0]["reward_info"]
    info.update(reward=0.0, reward_basis=["DB", "ACTION"], reward_breakdown={"DB": 1.0, "ACTION": 0.0})
    trial = trials(read_again(changed))[0]
    assert trial.score.status == "failed"
    assert [(c.kind, c.decides, c.verdict) for c in trial.score.checks if c.decides] == [
        ("state", True, "pass"),
        ("tools", True, "fail"),
    ]


def read_again(results: Any) -> ImportedFile:
    with tempfile.TemporaryDirectory() as folder:
        return read(Path(folder) / "results.json", results)


def test_a_matched_action_passes_nothing_and_what_is_outside_the_basis_is_not_the_reason(desks: ImportedFile) -> None:
    trial_by_id = by_id(desks)
    assert trial_by_id["s-2"].score.status == "failed"
    assert trial_by_id["s-2"].score.why == "reward 0: the database did not end as expected"
    lamp = trial_by_id["s-3"].score
    assert lamp.status == "passed"
    assert [(c.kind, c.decides, c.verdict) for c in lamp.checks] == [
        ("state", True, "pass"),
        ("state", False, "fail"),
        ("tools", False, "fail"),
    ]


@pytest.mark.parametrize(
    ("simulation", "status", "end", "owner"),
    [
        ("s-1", "passed", "answered", None),
        ("s-4", "failed", "step_limit", None),
        ("s-5", "simulator_error", "simulator_error", "user"),
        ("s-6", "infra_error", "infra_error", "infrastructure"),
        ("s-7", "failed", "unknown", "agent"),
        ("s-8", "unscored", "answered", None),
    ],
)
def test_how_a_simulation_ended_says_what_it_counts_as(
    desks: ImportedFile, simulation: str, status: str, end: str, owner: str | None
) -> None:
    trial = by_id(desks)[simulation]
    assert (trial.score.status, trial.trajectory.end_reason, trial.score.owner) == (status, end, owner)


@pytest.mark.parametrize(
    ("reason", "status", "end"),
    [
        ("timeout", "failed", "time_limit"),
        ("too_many_errors", "failed", "unknown"),
        ("unexpected_error", "infra_error", "infra_error"),
        ("context_window_exceeded", "infra_error", "token_limit"),
        ("TerminationReason.MAX_STEPS", "failed", "step_limit"),
        ("something new", "failed", "unknown"),
    ],
)
def test_every_reason_to_end_has_its_place(reason: str, status: str, end: str) -> None:
    simulation = {
        "id": "s", "task_id": "t", "trial": 0, "messages": [], "termination_reason": reason,
        "reward_info": {"reward": 0.0, "reward_basis": None},
    }  # fmt: skip
    (trial,) = trials(read_again({"info": {}, "tasks": [], "simulations": [simulation]}))
    assert (trial.score.status, trial.trajectory.end_reason) == (status, end)


def test_parallel_calls_packed_results_and_failed_calls(desks: ImportedFile) -> None:
    steps = by_id(desks)["s-1"].trajectory.steps
    assert [(s.kind, s.tool, s.ok) for s in steps] == [
        ("agent", None, None),
        ("user", None, None),
        ("call", "get_booking", True),
        ("call", "get_worker", True),
        ("agent", None, None),
        ("call", "book_desk", False),
        ("call", "move_booking", True),
        ("agent", None, None),
        ("user", None, None),
    ]
    assert steps[5].body["error"] == "Error: no such desk"
    assert steps[2].body["args"] == {"booking_id": "B1"}
    assert steps[3].body["result"] == '{"worker_id": "W1", "name": "Åsa"}'
    state = by_id(desks)["s-1"].trajectory.history()
    assert state.value(("bookings", "B1", "desk_id"), 3) == "D1"
    assert state.value(("bookings", "B1", "desk_id"), 7) == "D2"
    assert state.value(("workers", "W1", "name"), 4) == "Åsa"


def test_times_tokens_cost_and_duration_are_kept(desks: ImportedFile) -> None:
    trial = by_id(desks)["s-1"]
    assert (trial.tokens_in, trial.tokens_out, trial.model_ms) == (700, 72, 2000)
    assert (trial.cost, trial.duration_ms, trial.turns, trial.seed) == (0.02, 30500, 5, "11")
    assert trial.started_at == 1_770_112_800_000
    assert [(s.at_ms, s.took_ms) for s in trial.trajectory.steps[:4]] == [
        (100, None),
        (2000, None),
        (3000, 500),
        (3000, 600),
    ]


def test_calls_of_the_user_are_marked_and_are_no_calls_of_the_agent(desks: ImportedFile) -> None:
    trajectory = by_id(desks)["s-3"].trajectory
    calls = [step for step in trajectory.steps if step.kind == "call"]
    assert [(c.tool, c.body["requestor"], c.body["result"]) for c in calls] == [
        ("switch_lamp", "user", "switched"),
        ("look_at_lamp", "user", "It is bright"),
    ]
    assert trajectory.calls() == ()


def test_the_task_tells_what_the_user_was_told_and_keeps_the_criteria(desks: ImportedFile) -> None:
    task = by_id(desks)["s-1"].task
    assert task["request"] == "You want desk D2 on Monday.\n\nYou are worker W1.\n\nBe brief."
    assert task["reference"] == [{"tool": "book_desk", "args": {"worker_id": "W1", "desk_id": "D2", "day": "Monday"}}]
    assert task["imported"]["task"]["evaluation_criteria"]["communicate_info"] == ["D2"]
    assert by_id(desks)["s-3"].task_key == "lamp[on|off]"


def folder_form(path: Path, *, index: bool = True) -> Path:
    metadata = {key: value for key, value in RESULTS.items() if key != "simulations"}
    if index:
        metadata["simulation_index"] = [
            {"id": simulation["id"], "task_id": simulation["task_id"]} for simulation in RESULTS["simulations"]
        ]
    written(path / "results.json", metadata)
    for simulation in RESULTS["simulations"]:
        written(path / "simulations" / f"{simulation['id']}.json", simulation)
    return path


def test_both_storage_forms_hold_the_same_trials_of_the_same_run(tmp_path: Path, desks: ImportedFile) -> None:
    folder = folder_form(tmp_path / "run")
    uids = {trial.uid for trial in trials(desks)}
    for path in (folder, folder / "results.json"):
        file = read_path(path)
        assert {trial.uid for trial in trials(file)} == uids
        assert not file.skipped
        assert file.runs[0].key == desks.runs[0].key
    assert file.runs[0].name == "run"


def test_a_walked_folder_finds_the_folder_form_once(tmp_path: Path) -> None:
    folder_form(tmp_path / "deep" / "run")
    written(tmp_path / "deep" / "notes.txt", "notes")
    written(tmp_path / ".hidden" / "x.json", "{}")
    files = list(read_paths([tmp_path, tmp_path / "deep" / "run" / "results.json"]))
    assert sum(file.trials for file in files) == len(RESULTS["simulations"])
    assert [Path(skip.where).name for file in files for skip in file.skipped] == ["notes.txt"]


def test_a_torn_or_missing_simulation_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    folder = folder_form(tmp_path / "run")
    (folder / "simulations" / "s-2.json").unlink()
    torn = folder / "simulations" / "s-3.json"
    torn.write_text(torn.read_text()[:200])
    file = read_path(folder)
    assert file.trials == len(RESULTS["simulations"]) - 2
    assert sorted(Path(skip.where).name for skip in file.skipped) == ["results.json", "s-3.json"]
    assert any("s-2 is in the index" in skip.reason for skip in file.skipped)


def test_a_simulation_alone_is_read_with_the_results_file_it_belongs_to(tmp_path: Path, desks: ImportedFile) -> None:
    folder = folder_form(tmp_path / "run", index=False)
    file = read_path(folder / "simulations" / "s-1.json")
    assert [trial.uid for trial in trials(file)] == [by_id(desks)["s-1"].uid]
    assert file.runs[0].model == "m-small"


def tick(n: int, **sides: Any) -> dict[str, Any]:
    return {"tick_id": n, "timestamp": f"2026-02-03T10:00:{n:02d}", "tick_duration_seconds": 0.5, **sides}


def chunk(role: str, text: str | None, *, speech: bool = True, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": text, "contains_speech": speech, **more}


def test_ticks_become_utterances_calls_and_results_in_order_of_time() -> None:
    silent = chunk("user", None, speech=False)
    ticks: list[Any] = [
        tick(0, agent_chunk=chunk("assistant", "Good "), user_chunk=silent),
        tick(1, agent_chunk=chunk("assistant", "day"), user_chunk=chunk("user", None)),
        tick(2, agent_chunk=chunk("assistant", None, speech=False), user_chunk=chunk("user", None)),
        "junk",
        tick(
            3, agent_tool_calls=[{"id": "c1", "name": "look", "arguments": {}}],
            user_tool_calls=[{"id": "u1", "name": "press", "arguments": {}}],
        ),
        tick(
            4, agent_tool_results=[{"id": "c1", "content": "seen", "timestamp": "2026-02-03T10:00:09"}],
            user_tool_results=[{"id": "u1", "content": "pressed", "error": False}],
            user_chunk=chunk("user", "AAAA", is_audio=True, audio_script_gold="yes, please"),
        ),
    ]  # fmt: skip
    messages = flatten(ticks)
    assert [(m["role"], m["content"]) for m in messages] == [
        ("assistant", "Good day"),
        ("user", [{"type": "speech 1.0 s"}]),
        ("assistant", None),
        ("user", None),
        ("user", "yes, please"),
        ("tool", "pressed"),
        ("tool", "seen"),
    ]
    assert messages[2]["tool_calls"][0]["requestor"] == "assistant"
    assert messages[0]["ticks"] == [0, 1]


def test_a_full_duplex_simulation_is_a_trajectory_like_any_other(tmp_path: Path) -> None:
    simulation = {
        "id": "v", "task_id": "9", "trial": 0, "start_time": "2026-02-03T10:00:00", "termination_reason": "user_stop",
        "messages": None, "mode": "full_duplex", "ticks": [
            tick(1, user_chunk=chunk("user", "hello", utterance_ids=["1"])),
            tick(2, user_chunk=chunk("user", "again", utterance_ids=["2"])),
            tick(3, agent_tool_calls=[{"id": "c", "name": "get_desk", "arguments": {"desk_id": "D1"}}]),
            tick(4, agent_chunk=chunk("assistant", "wait")),
            tick(5, agent_tool_results=[{"id": "c", "content": '{"desk_id": "D1", "free": true}'}]),
        ],
    }  # fmt: skip
    (trial,) = trials(read(tmp_path / "v.json", simulation))
    assert [(s.kind, s.text, s.at_ms) for s in trial.trajectory.steps] == [
        ("user", "hello again", 1000),
        ("call", '{"desk_id": "D1", "free": true}', 3000),
        ("agent", "wait", 4000),
    ]
    assert trial.trajectory.history().value(("desks", "D1", "free"), 2) is True
    assert trial.score.status == "unscored"


def test_results_without_simulations_say_so(tmp_path: Path) -> None:
    file = read(tmp_path / "results.json", {"info": {}, "tasks": [], "simulations": []})
    assert [skip.reason for skip in file.skipped] == ["results without simulations: 0 trajectories"]


def test_simulations_beyond_the_bound_are_told_and_not_dropped_in_silence(tmp_path: Path) -> None:
    folder = folder_form(tmp_path / "run", index=False)
    count = len(list((folder / "simulations").iterdir()))
    file = read_path(folder, Bounds(files=count - 1))
    assert sum(len(run.trials) for run in file.runs) == count - 1
    assert [f"more than {count - 1} files" in skipped.reason for skipped in file.skipped] == [True]
