"""What a message says, in whatever form it was logged: text, labelled placeholders of all else, reasoning, calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core.text import storable
from reach_tui.formats.source import Unreadable, load_json
from reach_tui.formats.values import text_of

_TEXT_PARTS = ("text", "input_text", "output_text", "summary_text")
_THOUGHT_PARTS = ("reasoning", "thinking", "reasoning_text")


@dataclass(frozen=True, slots=True)
class Content:
    """A message's words, with a placeholder such as `[image_url]` where a part is no text, and its reasoning."""

    text: str = ""
    reasoning: str = ""

    @property
    def blank(self) -> bool:
        """Whether there is nothing in it to show."""
        return not (self.text.strip() or self.reasoning.strip())


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A tool call as logged. `received` are its arguments as they stand there, `args` the object they parse to."""

    name: str
    id: str | None
    received: Any
    args: dict[str, Any] | None
    entry: Any


def read_content(content: Any) -> Content:
    """A `content` in any form: nothing, text, a list of parts, one part, or plain data, which is shown as JSON."""
    if content is None:
        return Content()
    if isinstance(content, str):
        return Content(content)
    if isinstance(content, Mapping) and _is_part(content):
        content = [content]
    if not isinstance(content, list) or not all(isinstance(part, str) or _is_part(part) for part in content):
        return Content(text_of(content))
    text, thoughts, placed = "", [], False
    for part in content:
        kind = "text" if isinstance(part, str) else str(part.get("type") or "text")
        words = _words(part, kind)
        if words is not None:
            text += f" {words}" if placed and words and not words[0].isspace() else words
            placed = placed and not words
        elif kind in _THOUGHT_PARTS:
            thoughts.append(text_of(part.get("text") or part.get("thinking") or part.get("reasoning") or ""))
        else:
            text, placed = with_placeholder(text, kind), True
    return Content(text, "\n".join(thought for thought in thoughts if thought))


def _words(part: Any, kind: str) -> str | None:
    """What a part says; None where it is no text."""
    if isinstance(part, str):
        return part
    if kind == "refusal":
        return text_of(part.get("refusal") or "")
    if kind not in _TEXT_PARTS:
        return None
    inner = part.get("text")
    inner = inner.get("value") if isinstance(inner, Mapping) and "value" in inner else inner
    return "" if inner is None else text_of(inner)


def with_placeholder(text: str, kind: str) -> str:
    """`text` with a placeholder behind it for something that is no text."""
    return f"{text}{' ' if text and not text[-1].isspace() else ''}[{kind}]"


def _is_part(value: Any) -> bool:
    return isinstance(value, Mapping) and (isinstance(value.get("type"), str) or isinstance(value.get("text"), str))


def read_message(message: Mapping[str, Any]) -> Content:
    """The words of a whole message: its content, its refusal, its reasoning fields, the transcript of its audio."""
    content = read_content(message.get("content"))
    text, thoughts = content.text, [content.reasoning]
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal and not text:
        text = refusal
    audio = message.get("audio")
    if isinstance(audio, Mapping) and audio:
        transcript = audio.get("transcript")
        text = with_placeholder(text or (transcript if isinstance(transcript, str) else ""), "audio")
    for key in ("reasoning_content", "reasoning", "thinking"):
        reasoning_content = read_content(message.get(key))
        if not reasoning_content.blank:
            thoughts.insert(0, reasoning_content.text or reasoning_content.reasoning)
            break
    return Content(text, "\n".join(thought for thought in thoughts if thought))


def read_calls(message: Mapping[str, Any]) -> tuple[LoggedCall, ...]:
    """The calls of a message in listed order, in any of the forms that are about; legacy `function_call` included."""
    listed = message.get("tool_calls")
    if isinstance(listed, Mapping):
        listed = [listed]
    if isinstance(listed, list) and listed:
        return tuple(_call(entry) for entry in listed)
    if listed and not isinstance(listed, list):
        return (LoggedCall("", None, listed, None, listed),)
    legacy = message.get("function_call")
    return (_call(legacy),) if isinstance(legacy, Mapping) else ()


def _call(entry: Any) -> LoggedCall:
    if not isinstance(entry, Mapping):
        return LoggedCall("", None, entry, None, entry)
    inner = entry.get("function", entry.get("custom"))
    function = inner if isinstance(inner, Mapping) else entry
    received = function.get("arguments", function.get("input", function.get("args")))
    name, call_id = function.get("name"), entry.get("id", entry.get("call_id"))
    return LoggedCall(
        name=storable(text_of(name)) if name else "",
        id=storable(text_of(call_id)) if call_id not in (None, "") else None,
        received=received,
        args=read_arguments(received),
        entry=entry,
    )


def read_arguments(received: Any) -> dict[str, Any] | None:
    """The arguments as an object; None where they are none. Text is read as JSON, twice if it was encoded twice."""
    for _ in range(2):
        if received is None or (isinstance(received, str) and not received.strip()):
            return {}
        if isinstance(received, Mapping):
            return dict(received)
        if not isinstance(received, str):
            return None
        try:
            received = load_json(received)
        except Unreadable:
            return None
    return dict(received) if isinstance(received, Mapping) else None
