"""A family of worlds: tables, seed data and tools, from which every trial gets a fresh world."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any

from jsonschema import Draft202012Validator

from reach_tui.core.canonical import digest
from reach_tui.core.changes import WORLD
from reach_tui.core.code import code_digest
from reach_tui.core.errors import UsageError
from reach_tui.core.tools import ToolSpec
from reach_tui.sandbox.arguments import near, problems_in
from reach_tui.sandbox.records import plain
from reach_tui.sandbox.schema import schema_of
from reach_tui.sandbox.tool import Tool
from reach_tui.sandbox.transaction import State
from reach_tui.sandbox.world import OpenWorld

REMOVE = {"$absent": True}
"""In an overlay: take this record or field out."""
_KEPT = 256
_NOW = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")


class Sandbox:
    """A `core.protocols.SandboxFamily`.

    `tables` gives each table's record type (a TypedDict), `data` its records by id, `now` the clock where a task does
    not set it, `package` the package whose Python and JSON files make the family's digest.
    """

    def __init__(
        self,
        name: str,
        *,
        package: str,
        tables: Mapping[str, Any],
        data: Mapping[str, Mapping[str, Any]],
        tools: Sequence[Tool],
        now: str,
    ) -> None:
        self.name = name
        self.now = now
        self._tools = {tool.spec.name: tool for tool in tools}
        self._schemas = {table: schema_of(kind) for table, kind in tables.items()}
        self._fields = {table: frozenset(schema["properties"]) for table, schema in self._schemas.items()}
        self._data: State = {table: plain(data.get(table, {})) for table in tables}
        self._prepared: OrderedDict[bytes, State] = OrderedDict()
        self._lock = Lock()
        self._package = package

    @cached_property
    def digest(self) -> str:
        """32 hex digits of the code and data that can change what a trial sees: its own and all that it imports."""
        return code_digest(self._package)

    @cached_property
    def _validators(self) -> dict[str, Any]:
        return {table: Draft202012Validator(schema) for table, schema in self._schemas.items()}

    def specs(self) -> tuple[ToolSpec, ...]:
        """All its tools, in a set order."""
        return tuple(tool.spec for tool in self._tools.values())

    def open(self, overlay: Mapping[str, Any], now: str | None, trial_key: str) -> OpenWorld:
        """A fresh world. `overlay` is merged over the seed data: objects merge, any other value replaces, a record or
        field given as `{"$absent": true}` is taken out.

        UsageError names every problem of the overlay (see `check`) and of `now`.
        """
        moment = self.now if now is None else now
        problems = [] if now is None or now == self.now else _clock_problems(now)
        base = self._data
        if overlay:
            key = digest(overlay)
            with self._lock:
                known = self._prepared.get(key)
            if known is None:
                known, overlay_problems = self._merge(overlay)
                problems += overlay_problems
                if not problems:
                    with self._lock:
                        self._prepared[key] = known
                        while len(self._prepared) > _KEPT:
                            self._prepared.popitem(last=False)
            base = known
        if problems:
            raise UsageError("; ".join(problems), where=f"sandbox {self.name}, initial state")
        # Records are shared between worlds and never changed in place; tables are each world's own.
        state: State = {table: dict(rows) for table, rows in base.items()}
        state[WORLD] = {"now": moment, "seq": {}}
        return OpenWorld(state, self._tools, self._fields, trial_key)

    def check(self, overlay: Mapping[str, Any], now: str | None = None) -> tuple[str, ...]:
        """All that is wrong with a task's initial state and clock, one sentence each, without opening a world."""
        clock = [] if now is None else _clock_problems(now)
        return (*clock, *self._merge(overlay)[1])

    def record_problems(self, table: str, key: str, record: Any) -> tuple[str, ...]:
        """How a record fails to be one of its table; empty if it is one."""
        validator = self._validators[table]
        if validator.is_valid(record):
            return ()
        return tuple(
            f"{table}/{key}: {text.replace('is not a parameter', 'is not a field')}"
            for text in problems_in(validator, record)
        )

    def _merge(self, overlay: Mapping[str, Any]) -> tuple[State, list[str]]:
        state: State = dict(self._data)
        problems: list[str] = []
        for table, records in overlay.items():
            if table not in self._data:
                meant = near(table, self._data)
                hint = f"did you mean {meant}?" if meant else f"it has {', '.join(self._data)}"
                clock = " (the clock is set by `now`)" if table == WORLD else ""
                problems.append(f"no table {table!r}{clock}: {hint}")
                continue
            if not isinstance(records, Mapping):
                problems.append(f"{table}: must be records by id")
                continue
            rows = dict(self._data[table])
            for key, patch in records.items():
                if patch == REMOVE:
                    if rows.pop(key, None) is None:
                        problems.append(f"{table}/{key}: there is no such record to take out")
                    continue
                rows[key] = _merged(rows.get(key), patch)
                problems += self.record_problems(table, key, rows[key])
            state[table] = rows
        return state, problems


def _merged(below: Any, above: Any) -> Any:
    """`above` over `below`, sharing no container of `above` and changing none of `below`."""
    if not isinstance(above, Mapping):
        return plain(above)
    result = dict(below) if isinstance(below, dict) else {}
    for key, value in above.items():
        if isinstance(value, Mapping) and value == REMOVE:
            result.pop(key, None)
        else:
            result[key] = _merged(result.get(key), value)
    return result


def _clock_problems(now: str) -> list[str]:
    example = "give a moment with its offset, such as 2026-03-01T10:00:00+08:00"
    if not _NOW.fullmatch(now):
        return [f"now {now!r} is no moment: {example}"]
    try:
        datetime.fromisoformat(now)
    except ValueError as error:
        return [f"now {now!r} is no moment ({error}): {example}"]
    return []
