"""What an agent is sent of its conversation: all of it, its latest messages, or one message that tells what happened.

`window` keeps the prompt, the request and the latest messages; results are never sent without the calls they answer.
`summary` asks each decision anew, from the prompt and one message: the request, and a line for everything since. It is
made by rule and not by a model, so the same conversation always has the same summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reach_tui.core.notice import append_notice, split_notice

Message = Mapping[str, Any]

OPEN = "[[since this request:"
CLOSE = "end of what happened since]]"
RESULT_CHARACTERS = 4000
"""So much of a result a summary holds."""
_CALLED, _SAID, _HEARD, _NOTED = "you called ", "you said ", "the user said ", "notice "


def shown(messages: Sequence[Message], context: Mapping[str, Any]) -> tuple[Message, ...]:
    """The messages of a conversation (prompt, request and all since) as a strategy sends them (see `core.context`)."""
    head = 1 + (bool(messages) and messages[0].get("role") == "system")
    strategy = context.get("strategy")
    if strategy == "window":
        start = max(len(messages) - int(context["messages"]), head)
        while start > head and messages[start].get("role") in ("tool", "function"):
            start -= 1
        return (*messages[:head], *messages[start:])
    if strategy == "summary" and len(messages) > head:
        lines = "\n".join(_lines(messages[head:]))
        request = messages[head - 1]
        told = {**request, "content": f"{request['content']}\n\n{OPEN}\n{lines}\n{CLOSE}"}
        return (*messages[: head - 1], told)
    return tuple(messages)


def _lines(messages: Sequence[Message]) -> Iterator[str]:
    for at, message in enumerate(messages):
        words = message.get("content")
        if message.get("role") == "user":
            yield _HEARD + _quoted(words)
        if message.get("role") != "assistant":
            continue
        if words:
            yield _SAID + _quoted(words)
        results = _results(messages, at)
        for call in _calls(message):
            result, notice = split_notice(_text(results.pop(0) if results else ""))
            cut = result if len(result) <= RESULT_CHARACTERS else result[:RESULT_CHARACTERS] + "…"
            yield f"{_CALLED}{call['name']} {_arguments(call.get('arguments'))}: {' '.join(cut.splitlines())}"
            if notice:
                yield _NOTED + _quoted(notice)


def _quoted(words: Any) -> str:
    return json.dumps(words, ensure_ascii=False)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _arguments(value: Any) -> str:
    """Arguments as JSON on one line; what is none stands in quotes, as the text that it is."""
    text = _text(value)
    try:
        json.loads(text)
    except ValueError:
        return _quoted(text)
    return " ".join(text.splitlines())


def _calls(message: Message) -> list[Mapping[str, Any]]:
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return calls or ([message["function_call"]] if message.get("function_call") else [])


def _results(messages: Sequence[Message], at: int) -> list[Any]:
    """What answered the calls of the message at a place, in their order."""
    results = []
    for message in messages[at + 1 :]:
        if message.get("role") not in ("tool", "function"):
            break
        results.append(message.get("content"))
    return results


def messages_of_summary(messages: Sequence[Message]) -> list[dict[str, Any]] | None:
    """The conversation that a summary tells of, in messages again, as far as it holds them; None for any other."""
    request = next((message for message in messages if message.get("role") == "user"), None)
    text = request.get("content") if request is not None else None
    begin = f"\n\n{OPEN}\n"
    if not isinstance(text, str) or not text.endswith("\n" + CLOSE) or begin not in text:
        return None
    words, _, rest = text.partition(begin)
    told = [dict(message) for message in messages if message.get("role") in ("system", "developer")]
    told.append({"role": "user", "content": words})
    try:
        for n, line in enumerate(rest[: -len(CLOSE) - 1].split("\n")):
            told += _read(line, f"call_{n}", told[-1])
    except ValueError:
        return None
    return told


def _read(line: str, call_id: str, before: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of one line; a notice goes to the result `before` it. ValueError for a line that is none."""
    for begin, role in ((_SAID, "assistant"), (_HEARD, "user")):
        if line.startswith(begin):
            return [{"role": role, "content": json.loads(line[len(begin) :])}]
    if line.startswith(_NOTED):
        before["content"] = append_notice(str(before.get("content")), json.loads(line[len(_NOTED) :]))
        return []
    if not line.startswith(_CALLED):
        raise ValueError(f"no line of a summary: {line[:80]}")
    name, _, rest = line[len(_CALLED) :].partition(" ")
    arguments, end = json.JSONDecoder().raw_decode(rest)
    function = {"name": name, "arguments": arguments if isinstance(arguments, str) else rest[:end]}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": call_id, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": call_id, "content": rest[end:].removeprefix(": ")},
    ]
