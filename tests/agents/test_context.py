"""What an agent is sent of its conversation: whole, its latest messages, or a summary that can be read back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.agents.context import RESULT_CHARACTERS, messages_of_summary, shown
from reach_tui.core.context import strategy_of, strategy_text
from reach_tui.core.errors import UsageError
from reach_tui.core.notice import append_notice, split_notice


def call(n: int, *arguments: str) -> dict[str, Any]:
    functions = [{"name": "get", "arguments": text} for text in arguments]
    calls = [{"id": f"c{n}{at}", "type": "function", "function": each} for at, each in enumerate(functions)]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(n: int, at: int, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"c{n}{at}", "content": text}


PROMPT = {"role": "system", "content": "Help."}
REQUEST = {"role": "user", "content": "Where is A100?"}
TALK = [
    PROMPT, REQUEST, call(1, '{"id": "A100"}', '{"id": "A: -> 1"}'), result(1, 0, '{"at": "长沙"}'),
    result(1, 1, "no: x"), {"role": "assistant", "content": "Which\none?"}, {"role": "user", "content": "The second"},
    call(2, "{}"), result(2, 0, "late"),
]  # fmt: skip


def test_full_sends_everything_as_it_is() -> None:
    assert list(shown(TALK, {"strategy": "full"})) == TALK


@given(st.integers(1, 12), st.booleans())
def test_a_window_keeps_prompt_and_request_and_never_a_result_without_its_call(size: int, prompted: bool) -> None:
    talk = TALK if prompted else TALK[1:]
    sent = shown(talk, {"strategy": "window", "messages": size})
    head = 2 if prompted else 1
    assert list(sent[:head]) == talk[:head]
    assert list(sent[head:]) == talk[len(talk) - len(sent) + head :]
    assert len(sent) - head >= min(size, len(talk) - head)
    asked = {each["id"] for message in sent for each in message.get("tool_calls", ())}
    assert all(message["tool_call_id"] in asked for message in sent if message["role"] == "tool")


def test_a_summary_is_one_message_from_which_the_conversation_can_be_read_again() -> None:
    sent = shown(TALK, {"strategy": "summary"})
    assert [message["role"] for message in sent] == ["system", "user"]
    assert 'you called get {"id": "A100"}: {"at": "长沙"}' in sent[1]["content"]
    told = messages_of_summary(sent)
    assert told is not None
    assert told[:2] == [PROMPT, REQUEST]
    heard = [m["content"] for m in told if m["role"] in ("tool", "user") or (m["role"] == "assistant" and m["content"])]
    assert heard == ["Where is A100?", '{"at": "长沙"}', "no: x", "Which\none?", "The second", "late"]
    arguments = [each["function"]["arguments"] for m in told for each in m.get("tool_calls", ())]
    assert arguments == ['{"id": "A100"}', '{"id": "A: -> 1"}', "{}"]


def test_a_notice_of_the_harness_survives_a_long_result_that_is_cut() -> None:
    told = append_notice("x" * (RESULT_CHARACTERS + 1), "do something else")
    talk = [PROMPT, REQUEST, call(1, "{broken"), result(1, 0, told)]
    again = messages_of_summary(shown(talk, {"strategy": "summary"}))
    assert again is not None
    assert split_notice(again[-1]["content"]) == ("x" * RESULT_CHARACTERS + "…", "do something else")
    assert again[-2]["tool_calls"][0]["function"]["arguments"] == "{broken"


@given(st.text(), st.text(), st.text())
def test_whatever_was_said_is_read_again_or_the_summary_is_none(asked: str, said: str, heard: str) -> None:
    talk: list[dict[str, Any]] = [
        {"role": "user", "content": asked}, {"role": "assistant", "content": said}, {"role": "user", "content": heard},
    ]  # fmt: skip
    again = messages_of_summary(shown(talk, {"strategy": "summary"}))
    assert again is None or [m["content"] for m in again] == [asked, *([said] if said else []), heard]


@pytest.mark.parametrize("messages", [TALK, TALK[:2], [], [{"role": "user", "content": None}]])
def test_any_other_conversation_is_no_summary(messages: list[dict[str, Any]]) -> None:
    assert messages_of_summary(messages) is None


def test_before_anything_happened_a_summary_is_the_request() -> None:
    assert list(shown(TALK[:2], {"strategy": "summary"})) == TALK[:2]


@pytest.mark.parametrize("text", ["full", "summary", "window:1", "window:400"])
def test_strategies_are_read_as_they_are_told(text: str) -> None:
    assert strategy_text(strategy_of(text)) == text


@pytest.mark.parametrize(
    "text", ["", "window", "window:0", "window:-1", "window:²", "full:1", "all", "window:" + "9" * 5000]
)
def test_what_is_no_strategy_is_refused_in_words(text: str) -> None:
    with pytest.raises(UsageError, match="window:N"):
        strategy_of(text)
