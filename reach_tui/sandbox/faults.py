"""What is set between a trial and its world: faults that befall calls, and stubs that answer in the world's place.

A faulty tool never leaves half a change: it does not run at all, or it runs as a whole and only its answer suffers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from reach_tui.core.canonical import canonical
from reach_tui.core.draws import draw
from reach_tui.core.equality import same
from reach_tui.core.faults import Befallen, Fault, StubReply
from reach_tui.core.protocols import ToolResult
from reach_tui.core.records import from_json
from reach_tui.sandbox.world import CallResult, refused


class Interposed:
    """The faults and stubs of a setup, for one trial of one task.

    Whether a fault with a chance befalls a call is drawn from the trial's seed, the tool, its arguments and how often
    this same call was made before: one more call elsewhere shifts nothing. Ordinals (`calls`) count the tool's calls.
    """

    def __init__(
        self, faults: Mapping[str, Mapping[str, Any]], stubs: Mapping[str, Sequence[Any]], task_key: str, seed: str
    ) -> None:
        read = {name: from_json(Fault, fault) for name, fault in faults.items()}
        self._faults = {name: fault for name, fault in read.items() if fault.concerns(task_key)}
        self._stubs = {tool: [from_json(StubReply, reply) for reply in replies] for tool, replies in stubs.items()}
        self._seed = seed
        self._calls: Counter[str] = Counter()
        self._same: Counter[tuple[str, str]] = Counter()

    def has_stub(self, tool: str) -> bool:
        """Whether a tool is answered from a list."""
        return tool in self._stubs

    def strike(self, tool: str, arguments: Mapping[str, Any]) -> Befallen | None:
        """The fault that befalls this call, if one does. To be asked once for each call, in their order: it counts."""
        if not self._faults:
            return None
        given = canonical(arguments)
        self._calls[tool] += 1
        self._same[tool, given] += 1
        for name, fault in self._faults.items():
            if fault.tool != tool or (fault.calls and self._calls[tool] not in fault.calls):
                continue
            if draw(self._seed, "fault", name, tool, given, self._same[tool, given]) < fault.chance:
                return Befallen(name, fault)
        return None

    def stubbed(self, tool: str, arguments: Mapping[str, Any]) -> CallResult | None:
        """What a stub answers; None for a tool that has none. One that has no answer breaks like a tool."""
        if tool not in self._stubs:
            return None
        for entry in self._stubs[tool]:
            if all(name in arguments and same(value, arguments[name]) for name, value in entry.args.items()):
                if entry.reply is None:
                    return refused("failed", entry.error or "")
                return CallResult(True, entry.reply, json.loads(entry.reply))
        return refused("unavailable", f"{tool} has no answer for these arguments.", fault=True)


def no_answer(fault: Fault, tool: str, seconds: float) -> CallResult | None:
    """What an agent is told under a fault in whose place the tool does not run; None where it does."""
    if fault.kind == "empty":
        return CallResult(True, "[]", [])
    if fault.kind == "timeout" or (fault.kind == "delay" and fault.seconds > seconds):
        return refused("timeout", f"{tool} timed out: no answer within {seconds:g} seconds.")
    if fault.kind == "status":
        try:
            phrase = f" ({HTTPStatus(fault.status).phrase})"
        except ValueError:
            phrase = ""
        return refused(f"http_{fault.status}", f"{tool} answered with status {fault.status}{phrase}.")
    return None


def malformed(result: ToolResult) -> CallResult:
    """The result of a call with its answer cut off, so that it is no JSON any more; what it wrote stays written."""
    text = result.text[: len(result.text) // 2]
    with suppress(ValueError):
        json.loads(text)
        text = f'"{text}'  # Half of a short answer may still be one: 12 of 1234.
    return CallResult(result.ok, text, None, None if result.ok else text, tuple(result.changes))
