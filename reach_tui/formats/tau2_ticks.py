"""Full-duplex simulations of tau2-bench: ticks of a fraction of a second, flattened into messages.

In a tick both sides may speak and call. A side's chunks with speech in them, tick after tick, are one utterance; silent
chunks are none. Utterances, calls and results are sorted by the time they begin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reach_tui.formats.values import first_text, instant, items, mapping, number

_SIDES = (("agent", "assistant"), ("user", "user"))


@dataclass(slots=True)
class _Utterance:
    """One side's speech without a silent tick in it. Times are as logged."""

    role: str
    timestamp: Any
    ticks: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)
    chunks: list[Any] = field(default_factory=list)
    seconds: float = 0.0

    def as_message(self) -> dict[str, Any]:
        """As a chat message; speech without a transcript is a part that says how long it took."""
        text = "".join(self.texts).strip()
        content: Any = text or [{"type": f"speech {self.seconds:.1f} s" if self.seconds else "speech"}]
        return {
            "role": self.role, "content": content, "timestamp": self.timestamp,
            "ticks": [self.ticks[0], self.ticks[-1]], "chunks": self.chunks,
        }  # fmt: skip


def flatten(ticks: Sequence[Any], tick_seconds: float | None = None) -> list[dict[str, Any]]:
    """The messages of a full-duplex simulation, in order of time; entries that are no ticks are passed over.

    `tick_seconds` is how long a tick is where the ticks do not say.
    """
    messages: list[tuple[int, int, Any]] = []
    speaking: dict[str, _Utterance] = {}
    seconds = _tick_seconds(ticks) or tick_seconds or 0.0

    def place(timestamp: Any, message: Any) -> None:
        at = instant(timestamp)
        # A message without a time stays behind the one before it.
        messages.append((at if at is not None else (messages[-1][0] if messages else 0), len(messages), message))

    for index, tick in enumerate(ticks):
        if not isinstance(tick, Mapping):
            continue
        for side, role in _SIDES:
            chunk, stamp = mapping(tick.get(f"{side}_chunk")), tick.get("timestamp")
            words = _words(chunk) or _script(
                chunk, tick.get("user_transcript") if role == "user" else None, speaking.get(role)
            )
            if words or chunk.get("contains_speech") is True:
                utterance = speaking.get(role)
                if utterance is None:
                    utterance = speaking[role] = _Utterance(role, chunk.get("timestamp") or stamp)
                    place(utterance.timestamp, utterance)
                _continue(utterance, index, chunk, words, seconds)
            else:
                speaking.pop(role, None)
            calls = [*items(chunk.get("tool_calls")), *items(tick.get(f"{side}_tool_calls"))]
            if calls:
                owned = [{"requestor": role, **call} if isinstance(call, Mapping) else call for call in calls]
                place(stamp, {"role": role, "content": None, "tool_calls": owned, "timestamp": stamp})
            for result in items(tick.get(f"{side}_tool_results")):
                if isinstance(result, Mapping):
                    reply = {"requestor": role, "timestamp": stamp, **result, "role": "tool"}
                    place(reply["timestamp"], reply)
    messages.sort(key=lambda entry: entry[:2])
    return [message.as_message() if isinstance(message, _Utterance) else message for _, _, message in messages]


def _continue(utterance: _Utterance, tick: int, chunk: Mapping[str, Any], words: str, seconds: float) -> None:
    ids = items(chunk.get("utterance_ids"))
    if (
        words
        and utterance.texts
        and ids
        and utterance.ids
        and not any(utterance_id in utterance.ids for utterance_id in ids)
    ):
        utterance.texts.append(" ")
    if words:
        utterance.texts.append(words)
        utterance.ids = ids
    utterance.ticks.append(tick)
    utterance.chunks.append(chunk)
    utterance.seconds += seconds


def _words(chunk: Mapping[str, Any]) -> str:
    """What a chunk says as text; what is encoded audio says nothing here."""
    content = chunk.get("content")
    return content if isinstance(content, str) and chunk.get("is_audio") is not True else ""


def _script(chunk: Mapping[str, Any], heard: Any, utterance: _Utterance | None) -> str:
    """The script that a chunk was spoken from, once an utterance, or what was heard of it."""
    script = first_text(chunk, ("audio_script_gold",))
    if script is not None:
        return "" if utterance is not None and script in utterance.texts else script
    return heard if isinstance(heard, str) else ""


def _tick_seconds(ticks: Sequence[Any]) -> float:
    """How long a tick is, as the log says; 0 where it does not."""
    lengths = (number(mapping(tick).get("tick_duration_seconds")) for tick in ticks[:5])
    return next((seconds for seconds in lengths if seconds and seconds > 0), 0.0)
