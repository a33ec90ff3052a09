"""What an agent is sent of its conversation: all of it, its latest messages, or one message that tells what happened.

`window` keeps the prompt, the request and the latest messages; results are never sent without the calls they answer.
`summary` asks each decision anew, from the prompt and one message: the request, and a line for everything since. It is
made by rule and not by a model, so the same conversation always has the same summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]

OPEN = "[[since this request:"
CLOSE = "end of what happened since]]"
RESULT_CHARACTERS = 4000
"""So much of a result a summary holds."""
_CALLED, _SAID, _HEARD = "you called ", "you said ", "the user said "


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
            yield _HEARD + json.dumps(words, ensure_ascii=False)
        if message.get("role") != "assistant":
            continue
        if words:
            yield _SAID + json.dumps(words, ensure_ascii=False)
        results = _results(messages, at)
        for call in _calls(message):
            result = results.pop(0) if results else ""
            yield f"{_CALLED}{call['name']} {_one_line(call.get('arguments'))}: {_one_line(result)[:RESULT_CHARACTERS]}"


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


def _one_line(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.splitlines())


def messages_of_summary(messages: Sequence[Message]) -> list[dict[str, Any]] | None:
    """The conversation that a summary tells of, in messages again, as far as it holds them; None for any other."""
    request = next((message for message in messages if message.get("role") == "user"), None)
    text = request.get("content") if request is not None else None
    if not isinstance(text, str) or not text.endswith(CLOSE) or f"\n\n{OPEN}\n" not in text:
        return None
    words, _, rest = text.partition(f"\n\n{OPEN}\n")
    before = [dict(message) for message in messages if message.get("role") in ("system", "developer")]
    told: list[dict[str, Any]] = [*before, {"role": "user", "content": words}]
    for n, line in enumerate(rest[: -len(CLOSE)].splitlines()):
        if line.startswith(_CALLED):
            told += _called(line[len(_CALLED) :], f"call_{n}")
        for begin, role in ((_SAID, "assistant"), (_HEARD, "user")):
            if line.startswith(begin):
                told.append({"role": role, "content": json.loads(line[len(begin) :])})
    return told


def _called(line: str, call_id: str) -> list[dict[str, Any]]:
    name, _, rest = line.partition(" ")
    try:
        end = json.JSONDecoder().raw_decode(rest)[1]
    except ValueError:
        end = max(rest.find(": "), 0)
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": rest[:end]}}
    result = {"role": "tool", "tool_call_id": call_id, "content": rest[end:].removeprefix(": ")}
    return [{"role": "assistant", "content": None, "tool_calls": [call]}, result]
