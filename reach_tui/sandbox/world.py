"""One world: the state of one trial and the calls that change it."""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core.changes import Change
from reach_tui.sandbox.arguments import near
from reach_tui.sandbox.records import plain
from reach_tui.sandbox.tool import Tool
from reach_tui.sandbox.transaction import State, ToolError, World

INVALID_ARGUMENTS, UNKNOWN_TOOL, TOOL_FAILURE = "invalid_arguments", "unknown_tool", "tool_failure"


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call came to. See `core.protocols.ToolResult`.

    `code` names the kind of error (None on success). `fault` is true where the tool itself broke: then the agent is
    told no more than that, and `detail` holds the traceback for people.
    """

    ok: bool
    text: str
    value: Any = None
    error: str | None = None
    changes: tuple[Change, ...] = ()
    code: str | None = None
    fault: bool = False
    detail: str = ""


def refused(code: str, message: str, *, fault: bool = False, detail: str = "") -> CallResult:
    """The outcome of a call that changed nothing: the agent gets `{"error": code, "message": message}`."""
    value = {"error": code, "message": message}
    return CallResult(False, json.dumps(value, ensure_ascii=False), value, message, (), code, fault, detail)


class OpenWorld:
    """A `core.protocols.ToolPort` over a family's tools. Not for two threads at once; shares nothing that is written.

    `state` holds every table and the hidden `_world`. It is to be read only; records in it are never changed in place,
    so a reference taken before a call still shows the moment before.
    """

    __slots__ = ("_fields", "_tools", "_trial_key", "state")

    def __init__(
        self, state: State, tools: Mapping[str, Tool], fields: Mapping[str, frozenset[str]], trial_key: str
    ) -> None:
        self.state: dict[str, Any] = state
        self._tools = tools
        self._fields = fields
        self._trial_key = trial_key

    def call(self, name: str, arguments: Mapping[str, Any]) -> CallResult:
        """Run one call in a transaction of its own: all its writes are applied, or none. Never raises."""
        tool = self._tools.get(name)
        if tool is None:
            meant = near(name, self._tools)
            hint = f"Did you mean {meant}? " if meant else ""
            known = ", ".join(self._tools)
            return refused(UNKNOWN_TOOL, f"There is no tool {name[:80]!r}. {hint}The tools are: {known}.")
        try:
            problems = tool.problems(arguments)
            if problems:
                count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
                words = "; ".join(problems)
                return refused(INVALID_ARGUMENTS, f"{name} was not run: {count} with its arguments: {words}.")
            transaction = World(self.state, self._fields, self._trial_key)
            value = plain(tool.run(transaction, arguments))
            text = json.dumps(value, ensure_ascii=False)
            return CallResult(True, text, value, None, transaction.commit())
        except ToolError as error:
            return refused(error.code, error.message)
        except Exception as error:
            message = (
                f"Tool failure: {name} broke while it was running and nothing was changed. This is not a mistake in "
                "your arguments; try another way or tell the user that it cannot be done now."
            )
            return refused(TOOL_FAILURE, message, fault=True, detail="".join(traceback.format_exception(error)))
