"""Arguments got wrong: a stale value, a wrong sibling, a dropped option, a form left raw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reach_tui.agents.simulated import parameters as kinds
from reach_tui.agents.simulated import values as forms
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.mentions import mentions, same_noun
from reach_tui.agents.simulated.parameters import Param
from reach_tui.agents.simulated.records import is_id_key, key_nouns
from reach_tui.agents.simulated.situation import Situation
from reach_tui.agents.simulated.values import find_values
from reach_tui.core.draws import pick

HINT_SHARE = 0.5
"""An example, choice, format or pattern in a parameter's description leaves this share of the slips."""


def slip(situation: Situation, tool: Tool, args: Mapping[str, Any], before: int | None) -> dict[str, Any]:
    """`args` with the slips this trial makes in them, drawn from what was seen `before` a place in the conversation
    (None: all), so that the same call gets the same slips at every later turn."""
    out = dict(args)
    for name, value in args.items():
        param = tool.param(name)
        if param is None:
            continue
        risk = (1.0 - situation.traits.care) * (HINT_SHARE if param.hinted else 1.0)
        if risk <= 0 or situation.chance("arg", tool.name, name, value) >= risk:
            continue
        wrong = _wrongs(situation, param, value, before)
        if wrong:
            chosen = pick(wrong, situation.seed, "slip", tool.name, name, value)
            if chosen is None:
                out.pop(name)
            else:
                out[name] = chosen
    return out


def _wrongs(situation: Situation, param: Param, value: Any, before: int | None) -> list[Any]:
    """What may come instead, None for leaving it out; in a fixed order."""
    out: list[Any] = []
    if param.kind == kinds.ID and isinstance(value, str):
        stale, sibling = _other_ids(situation, param, value, before)
        out += stale[:1] + sibling[:1]
    elif param.kind in (kinds.DATE, kinds.MONTH) and isinstance(value, str):
        raw = [
            v.text
            for _, text in situation.view.users
            for v in find_values(text)
            if v.kind == forms.DATE and v.text != value
        ]
        out += raw[:1]
    elif param.kind in (kinds.NUMBER, kinds.MONEY, kinds.PERCENT) and isinstance(value, (int, float)):
        others = [
            v.number
            for _, text in situation.view.users
            for v in find_values(text)
            if v.number is not None and v.number != value
        ]
        out += [int(n) if param.type == "integer" else n for n in others[:1]]
        if param.kind == kinds.MONEY and isinstance(value, int) and value % 100 == 0 and value:
            out.append(value // 100)
    elif param.kind == kinds.ENUM and len(param.enum) > 1:
        out += [option for option in param.enum if option != value][:1]
    elif param.kind == kinds.PHONE and isinstance(value, str):
        out += [
            v.text
            for _, text in situation.view.users
            for v in find_values(text)
            if v.kind == forms.PHONE and v.text != value
        ][:1]
    if not param.required:
        out.append(None)
    return out


def _other_ids(situation: Situation, param: Param, value: str, before: int | None) -> tuple[list[str], list[str]]:
    """(older ids of the same kind, ids of something else), both in the order first seen."""
    same: list[str] = []
    other: list[str] = []
    for _, text in situation.view.users:
        for mention in mentions(text):
            (same if not mention.nouns or same_noun(mention.nouns, param.noun) else other).append(mention.text)
    for fact in situation.facts:
        if before is not None and fact.at >= before:
            break
        if fact.record.key:
            (same if same_noun(fact.record.nouns[:1], param.noun) else other).append(fact.record.key)
        for key, item in fact.record.fields.items():
            if isinstance(item, str) and is_id_key(key) and key_nouns(key):
                (same if same_noun(key_nouns(key), param.noun) else other).append(item)
    return [one for one in dict.fromkeys(same) if one != value], [
        one for one in dict.fromkeys(other) if one != value and one not in same
    ]
