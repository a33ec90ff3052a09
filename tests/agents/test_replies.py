"""Replies that are not to the letter are read, kept and answered."""

from typing import Any

import pytest

from reach_tui.agents.replies import for_sending, read_message
from reach_tui.harness.session import read_arguments


@pytest.mark.parametrize(
    ("raw", "value"),
    [("", {}), (None, {}), ("  ", {}), ({"a": 1}, {"a": 1}), ('{"a": 1}', {"a": 1}), ("{}", {})],
)
def test_arguments_as_text_object_or_nothing_are_read(raw: object, value: object) -> None:
    assert read_arguments(raw) == (value, None)


@pytest.mark.parametrize(
    "raw", ['{"record_id": "R-1", "value": }', "[1]", [1], "7", "null", "NaN", '{"a": NaN}', "[" * 9999]
)
def test_arguments_that_are_no_object_are_refused_in_words(raw: object) -> None:
    value, problem = read_arguments(raw)
    assert value is None
    assert problem
    assert "argument" in problem


def test_calls_without_an_id_or_with_one_used_twice_get_their_own_and_go_back_repaired() -> None:
    call = {"type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [{**call, "id": "x"}, {**call, "id": "x"}, call]}
    read = read_message(message, 4)
    assert [tool_call.id for tool_call in read.calls] == ["x", "call_4_2", "call_4_3"]
    assert [tool_call["id"] for tool_call in for_sending(message, read)["tool_calls"]] == ["x", "call_4_2", "call_4_3"]


def test_a_well_formed_message_goes_back_as_received() -> None:
    message = {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": {"name": "f"}}], "odd": 1}
    assert for_sending(message, read_message(message, 1)) is message


def test_the_old_form_of_a_call_is_a_call() -> None:
    message = {"role": "assistant", "content": None, "function_call": {"name": "read_record", "arguments": "{}"}}
    read = read_message(message, 1)
    assert read.legacy
    assert [(tool_call.name, tool_call.arguments) for tool_call in read.calls] == [("read_record", "{}")]


@pytest.mark.parametrize(
    ("message", "text", "parts", "reasoning"),
    [
        ({"content": [{"type": "text", "text": "Hello "}, {"type": "text", "text": "there"}]}, "Hello there", (), ""),
        ({"content": [{"type": "image_url", "image_url": {"url": "data:..."}}]}, "", ("[image_url]",), ""),
        ({"content": "", "reasoning_content": "think"}, "", (), "think"),
        ({"content": [{"type": "thinking", "thinking": "hm"}, "yes"]}, "yes", (), "hm"),
        ({"content": None, "refusal": "no"}, "no", (), ""),
        ({"content": 7}, "7", (), ""),
    ],
)
def test_content_in_any_form_is_never_dropped(
    message: dict[str, Any], text: str, parts: tuple[str, ...], reasoning: str
) -> None:
    read = read_message({"role": "assistant", **message}, 1)
    assert (read.text, read.parts, read.reasoning) == (text, parts, reasoning)
