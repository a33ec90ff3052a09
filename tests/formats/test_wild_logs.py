"""Whatever JSON a file holds, reading it gives trials or says why not, and never raises."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.core.changes import StateDigest
from reach_tui.core.grading import TRIAL_STATUSES
from reach_tui.core.task import Task
from reach_tui.core.trajectory import END_REASONS, STEP_KINDS
from reach_tui.formats.detect import read_path
from reach_tui.formats.model import ImportedFile

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
KEYS = st.sampled_from(
    [
        "role", "content", "messages", "tool_calls", "tool_call_id", "function", "function_call", "name", "arguments",
        "traj", "task_id", "trial", "reward", "info", "reward_info", "simulations", "tasks", "ticks", "id", "type",
        "text", "request", "response", "choices", "message", "usage", "error", "actions", "outputs", "agent_chunk",
        "user_chunk", "agent_tool_results", "termination_reason", "reward_basis", "reward_breakdown", "db_check",
        "environment_info", "agent_info", "user_scenario", "evaluation_criteria", "timestamp", "metadata", "tools",
    ]
)  # fmt: skip
VALUES = st.sampled_from(
    ["user", "assistant", "tool", "system", "text", "function_call", "user_stop", "DB", "2026-01-01"]
)
JSON = st.recursive(
    SCALARS | VALUES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TEXTS, inner, max_size=6),
    max_leaves=25,
)
CALLS = st.lists(
    st.fixed_dictionaries({}, optional={"id": JSON, "name": JSON, "arguments": JSON, "function": JSON, "type": JSON}),
    max_size=3,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool", "function", "odd"])},
        optional={
            "content": JSON,
            "tool_calls": CALLS | JSON,
            "function_call": JSON,
            "tool_call_id": JSON,
            "id": JSON,
            "name": JSON,
            "error": JSON,
            "requestor": JSON,
            "timestamp": JSON,
            "usage": JSON,
            "reasoning_content": JSON,
            "tool_messages": JSON,
            "generation_time_seconds": JSON,
            "refusal": JSON,
            "audio": JSON,
        },
    )
    | JSON,
    max_size=6,
)
CHATS = MESSAGES | st.fixed_dictionaries(
    {"messages": MESSAGES},
    optional=dict.fromkeys(
        ("task_id", "trial", "model", "run", "tools", "error", "response", "metadata", "timestamp", "request"), JSON
    ),
)
TAU = st.fixed_dictionaries({"traj": MESSAGES}, optional={"task_id": JSON, "trial": JSON, "reward": JSON, "info": JSON})
TICKS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "timestamp": JSON,
            "agent_chunk": JSON,
            "user_chunk": JSON,
            "agent_tool_calls": JSON,
            "user_tool_calls": JSON,
            "agent_tool_results": JSON,
            "user_tool_results": JSON,
            "tick_duration_seconds": JSON,
        },
    )
    | JSON,
    max_size=5,
)
REWARDS = st.fixed_dictionaries({}, optional={
    "reward": JSON, "db_check": JSON, "env_assertions": JSON, "action_checks": JSON, "nl_assertions": JSON,
    "communicate_checks": JSON, "reward_basis": JSON, "reward_breakdown": JSON, "info": JSON,
})  # fmt: skip
SIMULATIONS = st.fixed_dictionaries(
    {"task_id": JSON, "messages": MESSAGES | st.none(), "reward_info": REWARDS | JSON},
    optional={"ticks": TICKS, "trial": JSON, "id": JSON, "termination_reason": JSON | VALUES, "start_time": JSON,
              "duration": JSON, "agent_cost": JSON, "seed": JSON, "review": JSON, "policy": JSON},
)  # fmt: skip
TAU2 = st.fixed_dictionaries(
    {"info": JSON, "simulations": st.lists(SIMULATIONS | JSON, max_size=3)},
    optional={"tasks": JSON, "timestamp": JSON},
)


def checked(content: bytes, name: str = "log.json") -> ImportedFile:
    """What is read of `content`; everything in it is of the shape that the rest of the product relies on."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        file = read_path(path)
    assert file.trials or file.skipped
    assert all(skip.reason for skip in file.skipped)
    uids = [trial.uid for run in file.runs for trial in run.trials]
    assert len(uids) == len(set(uids))
    for run in file.runs:
        slots = {(trial.task_key, trial.repeat, trial.attempt) for trial in run.trials}
        assert len(slots) == len(run.trials)
        for trial in run.trials:
            assert trial.score.status in TRIAL_STATUSES
            assert trial.trajectory.end_reason in END_REASONS
            assert trial.task_key
            Task.of(trial.task)
            steps = trial.trajectory.steps
            assert [step.n for step in steps] == list(range(1, len(steps) + 1))
            for step in steps:
                assert step.kind in STEP_KINDS
                assert step.text or step.tool or step.body.get("reasoning")
            if trial.trajectory.initial is not None:
                StateDigest(trial.trajectory.history().state_at(len(steps)))
    return file


@settings(max_examples=40)
@given(JSON)
def test_any_json_is_read_or_skipped(value: Any) -> None:
    checked(json.dumps(value).encode())


@settings(max_examples=40)
@given(st.lists(CHATS | JSON, max_size=4), st.booleans())
def test_any_chat_log_is_read_or_skipped(records: list[Any], as_lines: bool) -> None:
    text = "".join(json.dumps(record) + "\n" for record in records) if as_lines else json.dumps(records)
    checked(text.encode())


@settings(max_examples=40)
@given(st.lists(TAU | JSON, max_size=3))
def test_any_tau_bench_file_is_read_or_skipped(records: list[Any]) -> None:
    checked(json.dumps(records).encode())


@settings(max_examples=40)
@given(TAU2)
def test_any_tau2_file_is_read_or_skipped(results: Any) -> None:
    checked(json.dumps(results).encode())


@settings(max_examples=40)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_skipped(content: bytes) -> None:
    checked(content)


@settings(max_examples=40)
@given(st.lists(TAU, min_size=1, max_size=3), st.integers(1, 400), st.sampled_from([None, 1, 2]))
def test_a_log_cut_off_anywhere_is_read_or_skipped(records: list[Any], left: int, indent: int | None) -> None:
    content = json.dumps(records, indent=indent).encode()
    whole = {trial.uid for run in checked(content).runs for trial in run.trials}
    cut = {trial.uid for run in checked(content[:-left] or b" ").runs for trial in run.trials}
    assert cut <= whole
