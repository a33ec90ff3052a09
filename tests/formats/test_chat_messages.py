"""Chat messages in all their shapes become steps; nothing of a message is lost from view."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reach_tui.formats.detect import read_path
from tests.formats.import_logs import DATA, conversation, lines, read, steps_of, trials


def test_six_messages_without_plain_text_are_all_shown() -> None:
    (trial,) = trials(read_path(DATA / "six-messages.jsonl"))
    steps = trial.trajectory.steps
    call, hello, image, thought, legacy = steps
    assert (call.kind, call.tool, call.body["args"]) == ("call", "read_rows", {"table": "a"})
    assert call.body["result"] == '[{"message": "two rows", "rows": {"a": 1}}]'
    assert (hello.kind, hello.text) == ("agent", "Hello there")
    assert image.text == "[image_url]"
    assert (thought.text, thought.body["reasoning"]) == ("", "think")
    assert (legacy.kind, legacy.tool, legacy.body["args"]) == ("call", "read_record", {})
    assert legacy.body["reason"] == "the log holds no result of this call"


def test_the_raw_json_of_every_message_stays_with_its_step() -> None:
    logged = json.loads((DATA / "six-messages.jsonl").read_text())["messages"]
    (trial,) = trials(read_path(DATA / "six-messages.jsonl"))
    kept = [
        step.body[key] for step in trial.trajectory.steps for key in ("message", "reply", "raw") if key in step.body
    ]
    assert all(message in kept for message in logged)


def test_text_beside_calls_is_a_step_before_them_and_every_call_has_its_own(tmp_path: Path) -> None:
    calls = [{"id": f"c{n}", "function": {"name": "look", "arguments": f'{{"n": {n}}}'}} for n in range(3)]
    steps = steps_of(
        [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "looking", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "c2", "content": "two"},
            {"role": "tool", "tool_call_id": "c0", "content": "zero"},
            {"role": "tool", "content": "one, without an id"},
            {"role": "assistant", "content": "seen"},
        ],
        tmp_path,
    )
    assert [(step.kind, step.turn) for step in steps] == [
        ("user", 0),
        ("agent", 1),
        ("call", 1),
        ("call", 1),
        ("call", 1),
        ("agent", 2),
    ]
    assert [step.n for step in steps] == [1, 2, 3, 4, 5, 6]
    assert [step.body["result"] for step in steps[2:5]] == ["zero", "one, without an id", "two"]
    assert [step.body["message"] == steps[1].body["raw"] for step in steps[2:5]] == [True, False, False]


def test_ids_used_again_pair_each_result_with_the_call_before_it(tmp_path: Path) -> None:
    def turn(n: int) -> list[dict[str, Any]]:
        call = {"id": "same", "function": {"name": f"tool_{n}", "arguments": "{}"}}
        return [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "same", "content": str(n)},
        ]

    steps = steps_of([message for n in range(4) for message in turn(n)], tmp_path)
    assert [(step.tool, step.body["result"]) for step in steps] == [(f"tool_{n}", str(n)) for n in range(4)]


def test_one_id_for_all_calls_of_a_message_pairs_by_position(tmp_path: Path) -> None:
    calls = [{"id": "x", "function": {"name": name, "arguments": "{}"}} for name in ("a", "b")]
    steps = steps_of(
        [{"role": "assistant", "tool_calls": calls}]
        + [{"role": "tool", "tool_call_id": "x", "content": text} for text in ("first", "second")],
        tmp_path,
    )
    assert [(step.tool, step.body["result"]) for step in steps] == [("a", "first"), ("b", "second")]


def test_a_late_result_finds_its_call_by_id_and_an_orphan_is_a_notice(tmp_path: Path) -> None:
    steps = steps_of(
        [
            {"role": "assistant", "tool_calls": [{"id": "late", "function": {"name": "slow", "arguments": ""}}]},
            {"role": "assistant", "content": "still waiting"},
            {"role": "tool", "tool_call_id": "late", "content": "here"},
            {"role": "tool", "tool_call_id": "nobody", "name": "ghost", "content": "boo"},
        ],
        tmp_path,
    )
    assert (steps[0].body["args"], steps[0].body["result"]) == ({}, "here")
    assert (steps[2].kind, steps[2].text, steps[2].body["reason"]) == ("notice", "boo", "a result without a call")


def test_a_call_left_without_a_result_takes_none_of_a_later_call(tmp_path: Path) -> None:
    def asks(*names: str) -> dict[str, Any]:
        return {"role": "assistant", "tool_calls": [{"id": "x", "function": {"name": name}} for name in names]}

    def says(text: str, **more: Any) -> dict[str, Any]:
        return {"role": "tool", "content": text, **more}

    steps = steps_of(
        [
            asks("one", "two"),
            says("for one", tool_call_id="x"),
            asks("three"),
            says("for three", tool_call_id="x"),
            asks("four"),
            {"role": "user", "content": "well?"},
            asks("five"),
            says("for five"),
            says("for an older one"),
        ],
        tmp_path,
    )
    assert [(step.tool, step.body.get("result")) for step in steps if step.tool] == [
        ("one", "for one"),
        ("two", "for an older one"),
        ("three", "for three"),
        ("four", None),
        ("five", "for five"),
    ]


@pytest.mark.parametrize(
    ("received", "args"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ("", {}),
        (None, {}),
        ('{"a": ', None),
        ("{'a': 1}", None),
        ("[1]", None),
        ([1], None),
        (7, None),
    ],
)
def test_arguments_are_parsed_where_they_can_be_and_kept_as_received(
    tmp_path: Path, received: Any, args: dict[str, Any] | None
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": received}}
    (step,) = steps_of([{"role": "assistant", "tool_calls": [call]}], tmp_path)
    assert (step.body["args"], step.body["raw"]) == (args, received)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ({"role": "assistant", "content": None}, "[empty message]"),
        ({"role": "assistant"}, "[empty message]"),
        ({"role": "assistant", "content": []}, "[empty message]"),
        ({"role": "assistant", "content": None, "refusal": "I will not"}, "I will not"),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}, "no"),
        ({"role": "assistant", "content": None, "audio": {"id": "a", "transcript": "hello"}}, "hello [audio]"),
        ({"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "what?"}]}, "[image_url] what?"),
        ({"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "file"}]}, "see [file]"),
        ({"role": "user", "content": {"type": "text", "text": {"value": "nested"}}}, "nested"),
        ({"role": "user", "content": {"free": "form"}}, '{"free": "form"}'),
        ({"role": "user", "content": 12}, "12"),
        ({"role": "assistant", "tool_calls": "call me"}, None),
        ({"role": "assistant", "tool_calls": [None, {"id": 1}, {"function": {"name": "f"}}]}, None),
        ({"role": "assistant", "tool_calls": [{"type": "custom", "custom": {"name": "sh", "input": "ls"}}]}, None),
    ],
)
def test_no_step_is_blank_whatever_the_content(tmp_path: Path, message: dict[str, Any], shown: str | None) -> None:
    steps = steps_of([message], tmp_path)
    assert steps
    for step in steps:
        assert step.tool or step.text or step.body.get("reasoning")
    if shown is not None:
        assert steps[0].text == shown


def test_instructions_are_a_notice_and_the_prompt_of_the_run(tmp_path: Path) -> None:
    record = conversation("a")
    record["messages"].insert(0, {"role": "system", "content": "Be kind."})
    file = read(tmp_path / "log.json", record)
    assert file.runs[0].prompt == "Be kind."
    first = trials(file)[0].trajectory.steps[0]
    assert (first.kind, first.text, first.body["reason"]) == ("notice", "Be kind.", "system")


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("Error: no such record", True),
        ("Unknown action fly", True),
        ('{"error": "not found"}', True),
        ('{"error": null, "id": 4}', False),
        ('{"text": "no \\"error\\" here"}', False),
        ("all fine", False),
        ("", False),
    ],
)
def test_a_call_failed_where_its_result_says_so(tmp_path: Path, text: str, failed: bool) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "{}"}}
    messages = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": text}]
    (step,) = steps_of(messages, tmp_path)
    assert step.ok is not failed
    assert step.body["error" if failed else "result"] == text


def test_chat_messages_are_unscored_and_their_own_score_decides_nothing(tmp_path: Path) -> None:
    (trial,) = trials(read(tmp_path / "log.json", conversation("a", reward=1.0)))
    assert trial.score.status == "unscored"
    assert [(check.decides, check.actual) for check in trial.score.checks] == [(False, 1.0)]
    assert "'reward' is shown and decides nothing" in trial.score.why


def test_runs_of_one_file_are_parted_by_name_model_agent_and_domain(tmp_path: Path) -> None:
    text = lines(
        conversation("a", model="m-small", run="nightly"),
        conversation("a", model="m-large", run="nightly"),
        conversation("b", model="m-small", run="nightly"),
        conversation("b", model="m-small", run="weekly", metadata={"domain": "parcels"}),
    )
    file = read(tmp_path / "log.jsonl", text)
    assert [(run.name, run.model, run.domain, len(run.trials)) for run in file.runs] == [
        ("nightly", "m-small", "", 2),
        ("nightly", "m-large", "", 1),
        ("weekly", "m-small", "parcels", 1),
    ]


def test_tries_without_an_index_are_repeats_in_order_and_equal_ones_are_kept_apart(tmp_path: Path) -> None:
    text = lines(*(conversation("a", trial=None, answer=answer) for answer in ("x", "y", "x")))
    tries = trials(read(tmp_path / "log.jsonl", text))
    assert [(trial.repeat, trial.attempt, trial.final) for trial in tries] == [(1, 1, True), (2, 1, True), (3, 1, True)]
    assert len({trial.uid for trial in tries}) == 3


def test_two_tries_of_one_index_are_attempts_and_the_later_is_the_result(tmp_path: Path) -> None:
    text = lines(conversation("a", answer="x", error="timeout"), conversation("a", answer="y"))
    tries = trials(read(tmp_path / "log.jsonl", text))
    assert [(t.repeat, t.attempt, t.final, t.score.status) for t in tries] == [
        (1, 1, False, "infra_error"),
        (1, 2, True, "unscored"),
    ]
    assert tries[0].trajectory.steps[-1].kind == "error"


def test_a_record_written_twice_is_one_trial_and_another_index_is_another(tmp_path: Path) -> None:
    text = lines(conversation("a"), conversation("a"), conversation("a", trial=2))
    imported = trials(read(tmp_path / "log.jsonl", text))
    assert [(trial.repeat, trial.attempt, trial.final) for trial in imported] == [(1, 1, True), (2, 1, True)]


def test_fields_that_say_nothing_make_no_other_trial(tmp_path: Path) -> None:
    record = conversation("a")
    later = json.loads(json.dumps(record))
    for message in later["messages"]:
        message.update(audio=None, is_final_chunk=True, annotations=[])
    first, other = (trials(read(tmp_path / "log.json", each))[0] for each in (record, later))
    assert first.uid == other.uid
    later["messages"][-1]["content"] = "something else"
    assert trials(read(tmp_path / "log.json", later))[0].uid != first.uid


def test_a_conversation_logged_request_by_request_is_one_trajectory(tmp_path: Path) -> None:
    messages = conversation("a")["messages"]

    def pair(asked: list[Any], reply: Any, n: int) -> dict[str, Any]:
        response = {
            "id": f"chatcmpl-{n}", "model": "m-small-0301", "usage": {"prompt_tokens": 100 * n, "completion_tokens": n},
            "choices": [{"message": {**reply, "refusal": None, "annotations": []}}],
        }  # fmt: skip
        return {"id": f"req-{n}", "request": {"model": "m-small", "messages": asked}, "response": response}

    other = [{"role": "user", "content": "something else"}]
    text = lines(
        pair(messages[:1], messages[1], 1),
        pair(other, {"role": "assistant", "content": "yes"}, 2),
        pair(messages[:3], messages[3], 3),
    )
    imported = trials(read(tmp_path / "log.jsonl", text))
    by_length = sorted(imported, key=lambda trial: -len(trial.trajectory.steps))
    assert [len(trial.trajectory.steps) for trial in by_length] == [3, 2]
    assert (by_length[0].tokens_in, by_length[0].tokens_out) == (400, 4)
    assert by_length[0].trajectory.end_reason == "answered"


def test_equal_single_requests_are_tries_of_their_own(tmp_path: Path) -> None:
    record = {
        "messages": [{"role": "user", "content": "2 + 2?"}],
        "response": {"choices": [{"message": {"role": "assistant", "content": "4"}}]},
    }
    assert [trial.repeat for trial in trials(read(tmp_path / "log.jsonl", lines(record, record, record)))] == [1, 2, 3]


def test_a_request_that_got_an_error_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    record = {
        "request": {"messages": [{"role": "user", "content": "hi"}]},
        "response": {"error": {"message": "overloaded", "code": 529}},
    }
    (trial,) = trials(read(tmp_path / "log.json", record))
    assert (trial.score.status, trial.score.owner) == ("infra_error", "infrastructure")
    assert "overloaded" in trial.score.why
    assert trial.trajectory.end_reason == "infra_error"


def test_a_response_beside_a_whole_conversation_is_not_said_twice(tmp_path: Path) -> None:
    steps = trials(read(tmp_path / "log.json", conversation("a", response="done")))[0].trajectory.steps
    assert [step.text for step in steps].count("done") == 1


def test_lines_of_single_messages_are_one_conversation_and_a_lost_line_is_told_in_its_place(tmp_path: Path) -> None:
    text = lines(*conversation("a")["messages"])
    (trial,) = trials(read(tmp_path / "whole.jsonl", text))
    assert [step.kind for step in trial.trajectory.steps] == ["user", "call", "agent"]
    broken = text.splitlines(keepends=True)
    broken[2] = broken[2][:15] + "\n"
    file = read(tmp_path / "broken.jsonl", "".join(broken))
    (trial,) = trials(file)
    assert [skip.line for skip in file.skipped] == [3]
    assert [step.text for step in trial.trajectory.steps if step.kind == "notice"] == [
        "line 3 of the log could not be read"
    ]


def test_items_of_the_responses_api_are_read(tmp_path: Path) -> None:
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "xx"},
        {"type": "function_call", "call_id": "k1", "name": "look", "arguments": '{"n": 1}'},
        {"type": "function_call_output", "call_id": "k1", "output": "seen"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "there"}]},
    ]
    steps = steps_of(items, tmp_path)
    assert [(step.kind, step.text) for step in steps] == [
        ("user", "look"),
        ("agent", ""),
        ("call", "seen"),
        ("agent", "there"),
    ]
    assert steps[1].body["reasoning"] == "hm"
    assert steps[2].body["args"] == {"n": 1}


def test_tools_and_usage_of_a_record_are_kept(tmp_path: Path) -> None:
    tool = {"type": "function", "function": {"name": "read_record", "description": "reads", "parameters": {
        "type": "object", "properties": {"record_id": {"type": "string"}}}}}  # fmt: skip
    odd = [{"name": "legacy", "parameters": {"properties": []}}, "junk", {"function": {}}]
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    file = read(tmp_path / "log.json", conversation("a", tools=[tool, *odd], usage=usage, timestamp=1_700_000_000))
    (trial,) = trials(file)
    assert [view.name for view in file.runs[0].tools] == ["read_record", "legacy"]
    assert file.runs[0].tools[0].parameters["properties"] == {"record_id": {"type": "string"}}
    assert (trial.tokens_in, trial.tokens_out, trial.started_at) == (7, 2, 1_700_000_000_000)


def test_a_tasks_key_is_one_clean_line(tmp_path: Path) -> None:
    imported = trials(read(tmp_path / "log.jsonl", lines(conversation("a\nb\x1b[0m"), conversation("x" * 900))))
    assert imported[0].task_key == "a b [0m"
    assert len(imported[1].task_key) <= 200


def test_records_of_the_wrong_shape_are_skipped_by_line(tmp_path: Path) -> None:
    text = lines(conversation("a"), "oops", {"messages": []}, {"messages": [1, 2]}, {"other": 1}, conversation("b"))
    file = read(tmp_path / "log.jsonl", text)
    assert [trial.task_key for trial in trials(file)] == ["a", "b"]
    assert [skip.line for skip in file.skipped] == [2, 3, 4, 5]
    assert all(skip.reason for skip in file.skipped)
