"""The shapes in which chat messages are logged, brought to one: a conversation and what stands around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reach_tui.core.canonical import digest
from reach_tui.formats.content import read_calls, read_message
from reach_tui.formats.source import Record, Unreadable
from reach_tui.formats.values import count, first_text, mapping, names_of, short, total

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
MODEL_KEYS = ("model", "model_name", "model_id")
SESSION_KEYS = (
    "task_id", "task", "instance_id", "question_id", "sample_id", "case_id", "conversation_id", "session_id",
    "thread_id", "trace_id",
)  # fmt: skip
"""Fields that name the task or the conversation, by which requests of different ones are told apart."""
TRIAL_KEYS = ("trial", "repeat", "epoch", "rollout", "sample_index")
_ITEM_TYPES = ("message", "function_call", "function_call_output", "reasoning")


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a log with what stands around it. `about` is the record's own fields, the messages apart.

    `asked` is how many messages the request had where it was logged as a pair of request and response, else 0.
    """

    line: int
    messages: tuple[Any, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Any, ...] = ()
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    error: Any = None
    asked: int = 0


def is_message(value: Any) -> bool:
    """Whether a value is a chat message."""
    return isinstance(value, Mapping) and value.get("role") in ROLES


def is_messages(value: Any) -> bool:
    """Whether a list is a conversation: at least half of it are messages or items of the Responses API."""
    if not isinstance(value, list) or not value:
        return False
    good = sum(1 for item in value if is_message(item) or _is_item(item))
    return 2 * good >= len(value)


def is_conversation(value: Any) -> bool:
    """Whether a value holds one conversation, in any of the forms."""
    if not isinstance(value, Mapping):
        return is_messages(value)
    if isinstance(value.get("messages"), list) and (not value["messages"] or is_messages(value["messages"])):
        return True
    return _pair(value) is not None


def read_conversations(
    records: Sequence[Record], gaps: Sequence[int] = ()
) -> tuple[list[Conversation], list[Unreadable]]:
    """(conversations, records that are none) of a file. Records that are single messages are one conversation.

    `gaps` are lines that could not be read at all: in a conversation of single messages, a notice stands for each.
    """
    conversations: list[Conversation] = []
    problems: list[Unreadable] = []
    loose = [record for record in records if is_message(record.value)]
    if loose and 2 * len(loose) >= len(records):
        lost = [
            Record(line, {"role": "notice", "content": f"line {line} of the log could not be read"}) for line in gaps
        ]
        whole = sorted((*loose, *lost), key=lambda record: record.line) if lost else loose
        conversations.append(Conversation(loose[0].line, tuple(record.value for record in whole)))
        records = [record for record in records if not is_message(record.value)]
    for record in records:
        try:
            conversations.append(_conversation(record))
        except Unreadable as error:
            problems.append(error)
    return _joined(conversations), problems


def _conversation(record: Record) -> Conversation:
    """One record as a conversation. Raises Unreadable, with the reason, where it is none."""
    value = record.value
    if isinstance(value, list) and is_messages(value):
        return Conversation(record.line, _messages(value))
    if not isinstance(value, Mapping):
        raise record.problem(f"no conversation: {short(value)}")
    pair = _pair(value)
    if pair is not None:
        return replace(pair, line=record.line)
    listed = value.get("messages")
    if not isinstance(listed, list):
        raise record.problem(f"no conversation: an object without messages (it has {names_of(value)})")
    if not listed:
        raise record.problem("a conversation without messages")
    if not is_messages(listed):
        raise record.problem("no conversation: its messages have no roles")
    usage = mapping(value.get("usage"))
    return Conversation(
        line=record.line,
        messages=_messages(listed),
        about={key: item for key, item in value.items() if key not in ("messages", "tools", "functions")},
        tools=_tool_list(value),
        model=first_text(value, MODEL_KEYS) or _model_of(listed),
        tokens_in=count(usage.get("prompt_tokens")),
        tokens_out=count(usage.get("completion_tokens")),
        error=value.get("error"),
    )


def _pair(value: Mapping[str, Any]) -> Conversation | None:
    """A request and its response as the conversation so far; None if the value is no such pair."""
    response = value if "choices" in value else value.get("response")
    request = mapping(value.get("request")) or value
    listed = request.get("messages")
    if not isinstance(listed, list) or not is_messages(listed):
        return None
    # Without a request of its own, a `response` beside whole messages may be anything: a copy of the last one, a note.
    asks = mapping(listed[-1]).get("role") in ("user", "tool", "function")
    if request is value and not ("choices" in mapping(response) or (asks and _reply(response) is not None)):
        return None
    answered = mapping(response)
    reply = _reply(response)
    usage = mapping(answered.get("usage"))
    error = value.get("error") or answered.get("error")
    if reply is None and not error:
        error = "the response holds no message"
    around = ("request", "response", "messages", "choices", "tools", "functions")
    return Conversation(
        line=0,
        messages=(*_messages(listed), *([] if reply is None else [reply])),
        about={key: item for key, item in value.items() if key not in around},
        tools=_tool_list(request),
        model=first_text(answered, MODEL_KEYS) or first_text(request, MODEL_KEYS) or first_text(value, MODEL_KEYS),
        tokens_in=count(usage.get("prompt_tokens")),
        tokens_out=count(usage.get("completion_tokens")),
        error=error,
        asked=len(listed),
    )


def _reply(response: Any) -> Mapping[str, Any] | None:
    """The message in a response: the first choice's, or the response itself where it is a message or its text."""
    if isinstance(response, str):
        return {"role": "assistant", "content": response}
    choices = mapping(response).get("choices")
    if isinstance(choices, list) and choices:
        message = mapping(choices[0]).get("message")
        return {"role": "assistant", **message} if isinstance(message, Mapping) else None
    return response if is_message(response) else None


def _joined(conversations: Sequence[Conversation]) -> list[Conversation]:
    """Conversations, where a pair that another pair goes on from is left out: its tokens are counted there."""
    kept: list[Conversation | None] = []
    ends: dict[bytes, list[int]] = {}
    for conversation in conversations:
        if not conversation.asked:
            kept.append(conversation)
            continue
        chain, prefix = digest([first_text(conversation.about, (key,)) for key in (*SESSION_KEYS, *TRIAL_KEYS)]), None
        for index, message in enumerate(conversation.messages):
            chain = digest([chain.hex(), _sent_back(message)])
            if index < conversation.asked and ends.get(chain):
                prefix = chain
        if prefix is not None:
            place = ends[prefix].pop(0)
            before = kept[place]
            assert before is not None
            conversation = replace(
                conversation,
                line=before.line,
                about={**conversation.about, **before.about},
                tokens_in=total(before.tokens_in, conversation.tokens_in),
                tokens_out=total(before.tokens_out, conversation.tokens_out),
            )
            kept[place] = None
        kept.append(conversation)
        if not conversation.error:
            ends.setdefault(chain, []).append(len(kept) - 1)
    return [entry for entry in kept if entry is not None]


def _sent_back(message: Any) -> Any:
    """What of a message comes back in the next request, whatever a client strips from it."""
    if not isinstance(message, Mapping):
        return message
    calls = [[call.name, call.args if call.args is not None else call.received] for call in read_calls(message)]
    return [message.get("role"), read_message({"content": message.get("content")}).text, calls]


def _messages(listed: Sequence[Any]) -> tuple[Any, ...]:
    """The messages of a list; items of the Responses API in the form of messages, with the item as it came inside."""
    return tuple(_from_item(item) if _is_item(item) else item for item in listed)


def _is_item(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and value.get("type") in _ITEM_TYPES
        and not (value.get("type") == "message" and value.get("role") not in ROLES)
    )


def _from_item(item: Mapping[str, Any]) -> Mapping[str, Any]:
    if item["type"] == "function_call":
        return {"role": "assistant", "content": None, "tool_calls": [item]}
    if item["type"] == "function_call_output":
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": item.get("output"), "item": item}
    if item["type"] == "reasoning":
        reasoning = item.get("summary") or item.get("content")
        return {"role": "assistant", "content": None, "reasoning": reasoning or "[encrypted reasoning]", "item": item}
    return item


def _model_of(messages: Sequence[Any]) -> str | None:
    """The one model that all assistant messages name, if they do."""
    named = {m.get("model") for m in messages if isinstance(m, Mapping) and isinstance(m.get("model"), str)}
    return next(iter(named)) if len(named) == 1 else None


def _tool_list(value: Mapping[str, Any]) -> tuple[Any, ...]:
    listed = value.get("tools") or value.get("functions")
    return tuple(listed) if isinstance(listed, list) else ()
