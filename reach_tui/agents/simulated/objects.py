"""Lists for a parameter: rows such as {sku, quantity}, or plain items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.agents.simulated import parameters as kinds
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.fill_values import numbers_in
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.mentions import mentions, same_noun
from reach_tui.agents.simulated.parameters import Param, read_param
from reach_tui.agents.simulated.pools import pools
from reach_tui.agents.simulated.situation import Situation, suits
from reach_tui.agents.simulated.values import QUOTED, find_values


def objects_for(situation: Situation, param: Param, goal: Goal, tool: Tool) -> list[dict[str, Any]]:
    """Rows out of the words: one for each identifier (or known record) that fits, with the number beside it."""
    item = param.item if isinstance(param.item, Mapping) else {}
    properties = item.get("properties")
    required = item.get("required")
    needed = set(required) if isinstance(required, list) else set()
    fields = (
        [read_param(str(k), v, k in needed) for k, v in properties.items()] if isinstance(properties, Mapping) else []
    )
    key = next((f for f in fields if f.kind == kinds.ID), None)
    count = next((f for f in fields if f.kind == kinds.NUMBER), None)
    if key is None:
        return []
    for text in pools(situation, goal):
        rows = []
        others = [p for p in tool.params if p.kind == kinds.ID]
        for mention in mentions(text):
            fit = suits(situation, mention, key.noun)
            if fit >= 0.45 and all(
                suits(situation, mention, p.noun) < fit or same_noun(p.noun, key.noun) for p in others
            ):
                rows.append({key.name: mention.text} | _count(count, text, mention.start, mention.end))
        if not rows:
            rows = _by_name(situation, key, count, text)
        if rows:
            return rows
    return []


def _by_name(situation: Situation, key: Param, count: Param | None, text: str) -> list[dict[str, Any]]:
    out = []
    for chunk in chunks(text):
        for fact in situation.seen():
            record = fact.record
            if (
                record.key
                and same_noun(record.nouns[:1], key.noun)
                and any(isinstance(v, str) and chunk.text.lower() in v.lower() for v in record.fields.values())
            ):
                row = {key.name: record.key} | _count(count, text, chunk.start, chunk.end)
                if row not in out:
                    out.append(row)
    return out


def _count(count: Param | None, text: str, start: int, end: int) -> dict[str, Any]:
    """The number nearest before an item, else right behind it, else one where a number is demanded."""
    if count is None:
        return {}
    numbers = [v for v in numbers_in(text) if v.number is not None]
    before = [v for v in numbers if v.end <= start and start - v.end <= 14]
    after = [v for v in numbers if v.start >= end and v.start - end <= 6]
    chosen = before[-1] if before else after[0] if after else None
    if chosen is not None and chosen.number is not None:
        return {count.name: int(chosen.number)}
    return {count.name: 1} if count.required else {}


def list_for(param: Param, texts: Sequence[str]) -> list[Any]:
    """Plain items: options named, quotations, or loose names."""
    for text in texts:
        if param.enum:
            named = [option for option in param.enum if str(option).lower() in text.lower()]
            if named:
                return named
        quoted = [v.text for v in find_values(text) if v.kind == QUOTED]
        if quoted:
            return quoted
    return [chunk.text for chunk in chunks(texts[0])] if texts and not param.enum and param.required else []
