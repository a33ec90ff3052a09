"""What a sandbox holds: its tables, one table, one record, its tools, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core.changes import WORLD
from reach_tui.core.errors import UsageError
from reach_tui.core.protocols import SandboxFamily
from reach_tui.core.text import one_line
from reach_tui.core.tools import ToolSpec
from reach_tui.present.language import phrase, plural
from reach_tui.present.tables import TextColumn, table
from reach_tui.sandbox.registry import find_sandbox

VALUE = 24
"""Cells of a field's value in a list of records."""
TOOLS = "--tools"
SOME = 12
"""So many ids are named where one is not there."""


def sandbox_json(
    family: SandboxFamily, table_name: str | None = None, record: str | None = None, *, tools: bool = False
) -> dict[str, Any]:
    """As `reach sandbox show --json` prints it. UsageError for a table or record that is not there."""
    state = _state(family)
    value: dict[str, Any] = {"sandbox": family.name, "digest": family.digest}
    if tools:
        return {**value, "tools": [_tool_json(spec) for spec in family.specs()]}
    if table_name is None:
        tables = {name: len(records) for name, records in state.items()}
        return {**value, "now": _now(family), "tables": tables, "tools": [spec.name for spec in family.specs()]}
    records = _table(family, state, table_name)
    if record is None:
        return {**value, "table": table_name, "records": dict(records)}
    return {**value, "table": table_name, "id": record, "record": _record(table_name, records, record)}


def sandbox_text(
    family: SandboxFamily, table_name: str | None = None, record: str | None = None, *, tools: bool = False
) -> str:
    """The same for people. UsageError as `sandbox_json`."""
    state = _state(family)
    if tools:
        return "\n\n".join(_tool_text(spec) for spec in family.specs())
    if table_name is None:
        rows = [[name, str(len(records)), ", ".join(_fields(records))] for name, records in state.items()]
        head = phrase("sandbox {name}, its clock at {now}", name=family.name, now=_now(family))
        columns = (TextColumn("table"), TextColumn("records", right=True), TextColumn("fields", 90))
        names = ", ".join(spec.name for spec in family.specs())
        count = plural(len(family.specs()), "{n} tool: {names}", "{n} tools: {names}", names=names)
        return f"{head}\n\n{table(columns, rows)}\n\n{count}"
    records = _table(family, state, table_name)
    if record is not None:
        return json.dumps(_record(table_name, records, record), ensure_ascii=False, indent=2)
    fields = _fields(records)
    heads = [TextColumn("id"), *(TextColumn(field, VALUE) for field in fields)]
    return table(heads, [[key, *(_cell(row.get(field)) for field in fields)] for key, row in records.items()])


def asked_text(words: str) -> str:
    """What `NAME [TABLE [ID]] [--tools]` shows, as `reach sandbox show` prints it. UsageError as there."""
    given = words.split()
    places = [word for word in given if word != TOOLS]
    if not 1 <= len(places) <= 3:
        raise UsageError("which sandbox?", hint="sandbox NAME [TABLE [ID]] [--tools]")
    return sandbox_text(find_sandbox(places[0]), *places[1:], tools=TOOLS in given)


def _state(family: SandboxFamily) -> dict[str, Mapping[str, Any]]:
    """The tables of a fresh world: what every trial starts from where its task says nothing else."""
    state = family.open({}, None, "show").state
    return {name: records for name, records in state.items() if name != WORLD and isinstance(records, Mapping)}


def _now(family: SandboxFamily) -> str:
    return str(family.open({}, None, "show").state.get(WORLD, {}).get("now", ""))


def _table(family: SandboxFamily, state: Mapping[str, Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    if name not in state:
        raise UsageError(f"the sandbox {family.name} has no table {name!r}", hint=f"it has {', '.join(state)}")
    return state[name]


def _record(table_name: str, records: Mapping[str, Any], key: str) -> Any:
    if key not in records:
        some = ", ".join([*list(records)[:SOME], *(["…"] if len(records) > SOME else [])])
        raise UsageError(f"{table_name} has no record {key!r}", hint=f"it has {some}")
    return records[key]


def _fields(records: Mapping[str, Any]) -> Sequence[str]:
    return list(dict.fromkeys(field for row in records.values() if isinstance(row, Mapping) for field in row))


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return one_line(value or "")
    return json.dumps(value, ensure_ascii=False)


def _tool_json(spec: ToolSpec) -> dict[str, Any]:
    return {
        **spec.view.as_json(), "effect": spec.effect, "entity": spec.entity, "entity_arg": spec.entity_arg,
        "purpose": spec.purpose, "claims": list(spec.claims),
    }  # fmt: skip


def _tool_text(spec: ToolSpec) -> str:
    of = f" {spec.entity}" if spec.entity else ""
    lines = [f"{spec.name}  {phrase(spec.effect)}{of}", *(f"  {line}" for line in spec.view.description.splitlines())]
    properties = spec.view.parameters.get("properties", {})
    required = set(spec.view.parameters.get("required", ()))
    for name, schema in properties.items():
        needed = "" if name in required else phrase(" (optional)")
        kinds = schema.get("enum") or schema.get("type") or ""
        kind = kinds if isinstance(kinds, str) else ", ".join(map(str, kinds))
        lines.append(f"  - {name}{needed}: {kind}. {schema.get('description', '')}".rstrip())
    if spec.purpose:
        lines.append(phrase("  wanted for (never shown to an agent): {purpose}", purpose=one_line(spec.purpose)))
    return "\n".join(lines)
