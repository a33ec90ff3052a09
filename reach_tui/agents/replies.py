"""Reading an assistant message as real servers send it, which is rarely to the letter.

A model's mistake (broken arguments, an unknown tool) becomes something the agent is told and is scored on; only a reply
that holds no message at all is the endpoint's mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call that a message asks for: `arguments` as received (text, object or nothing), `id` unique in its turn."""

    name: str
    arguments: Any
    id: str


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """An assistant message: its words, its reasoning, placeholders of its other parts, its calls in listed order.

    `legacy` tells that the one call came as `function_call`, whose result wants the role `function`.
    """

    text: str
    reasoning: str
    parts: tuple[str, ...]
    calls: tuple[CallRequest, ...]
    legacy: bool = False


def read_message(message: Mapping[str, Any], turn: int) -> ReadMessage:
    """Read an assistant message of decision `turn`. A call without an id, or with one used twice, gets a new one."""
    text, parts, thoughts = read_content(message.get("content"))
    if not text and isinstance(message.get("refusal"), str):
        text = message["refusal"]
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            thoughts.insert(0, message[key])
            break
    calls: list[CallRequest] = []
    used: set[str] = set()
    listed = message.get("tool_calls")
    given = {item.get("id") for item in listed if isinstance(item, Mapping)} if isinstance(listed, list) else set()
    for position, item in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(item, Mapping):
            continue
        inner = item.get("function")
        function = inner if isinstance(inner, Mapping) else item
        call_id = item.get("id")
        if not isinstance(call_id, str) or not call_id or call_id in used:
            call_id = f"call_{turn}_{position + 1}"
            while call_id in used or call_id in given:
                call_id += "_"
        used.add(call_id)
        calls.append(CallRequest(str(function.get("name") or ""), function.get("arguments"), call_id))
    legacy = message.get("function_call")
    if not calls and isinstance(legacy, Mapping):
        call = CallRequest(str(legacy.get("name") or ""), legacy.get("arguments"), f"call_{turn}_1")
        return ReadMessage(text, "\n".join(thoughts), tuple(parts), (call,), legacy=True)
    return ReadMessage(text, "\n".join(thoughts), tuple(parts), tuple(calls))


def read_content(content: Any) -> tuple[str, list[str], list[str]]:
    """(text, placeholders such as `[image_url]`, reasoning) of a message's content in any form."""
    if content is None:
        return "", [], []
    if isinstance(content, str):
        return content, [], []
    if not isinstance(content, list):
        return str(content), [], []
    text, parts, thoughts = "", [], []
    for part in content:
        if isinstance(part, str):
            text += part
        elif isinstance(part, Mapping):
            kind = str(part.get("type") or "part")
            if kind in ("text", "output_text", "input_text"):
                text += str(part.get("text") or "")
            elif kind in ("reasoning", "thinking"):
                thoughts.append(str(part.get("text") or part.get("thinking") or part.get("reasoning") or ""))
            elif kind == "refusal":
                text += str(part.get("refusal") or "")
            else:
                parts.append(f"[{kind}]")
    return text, parts, [thought for thought in thoughts if thought]


def for_sending(message: Mapping[str, Any], read: ReadMessage) -> Mapping[str, Any]:
    """The message to send back: as received, but for call ids missing or doubled, which a server would refuse."""
    listed = message.get("tool_calls")
    if not read.calls or read.legacy or not isinstance(listed, list):
        return message
    kept = [item for item in listed if isinstance(item, Mapping)]
    if all(item.get("id") == call.id for item, call in zip(kept, read.calls, strict=True)):
        return message
    repaired = [{**item, "id": call.id} for item, call in zip(kept, read.calls, strict=True)]
    return {**message, "tool_calls": repaired}
