"""The arguments of a call: each parameter from words, records or a producer; else a question to the user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reach_tui.agents.simulated import parameters as kinds
from reach_tui.agents.simulated import values as forms
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.cues import cues
from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.fill_text import address_for, compared_words, names_for, search_words, text_for
from reach_tui.agents.simulated.fill_values import (
    as_type,
    choice_for,
    date_for,
    flag_for,
    money_for,
    number_for,
    percent_for,
    plain_choice,
    signed,
    wants_whole,
)  # fmt: skip
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.judge import key_concepts
from reach_tui.agents.simulated.labelled import label_of, labelled
from reach_tui.agents.simulated.mentions import mentions
from reach_tui.agents.simulated.objects import list_for, objects_for
from reach_tui.agents.simulated.parameters import Param
from reach_tui.agents.simulated.pools import answers, around, conditions, own, pools
from reach_tui.agents.simulated.producers import Attempt, Wanted, produce
from reach_tui.agents.simulated.resolve import resolve_id
from reach_tui.agents.simulated.said import NEW
from reach_tui.agents.simulated.situation import Situation, linked, mentioned, named_in, suits
from reach_tui.agents.simulated.steps import Act, Ask, Dead, Filled, Got, Hints
from reach_tui.agents.simulated.values import find_values

MOST_CALLS = 10
_TAKES_BACK = frozenset({"refund", "return", "exchange", "reship"})
_NEW_NAME = re.compile(r"^(?:new|to|target|replacement)(?=[_A-Z])")
_NEW_VALUE_ACTS = frozenset({"change", "set", "create"})


def fill(
    situation: Situation, tool: Tool, goal: Goal, hints: Hints, depth: int, attempt: Attempt
) -> Filled | Act | Ask | Dead:
    """Arguments for `tool` towards `goal`. Identifiers first: they lead to the records that fill the rest."""
    needed = [p for p in tool.params if p.required or p.name in hints.needed]
    needed.sort(key=lambda p: p.kind not in (kinds.ID, kinds.IDS))
    single: dict[str, Any] = {}
    many: tuple[str, tuple[Any, ...]] | None = None
    missing: list[Param] = []
    also: list[Param] = []
    options: tuple[str, ...] = ()
    for param in needed:
        used = frozenset(str(value) for value in single.values()) if param.kind == kinds.ID else frozenset()
        wanted = Wanted(tool, param, goal, replace(hints, used=used), depth)
        found = _needed(situation, wanted, attempt)
        if isinstance(found, (Act, Dead)):
            return found
        if isinstance(found, Got):
            if param.kind in (kinds.IDS, kinds.LIST, kinds.OBJECTS):
                single[param.name] = list(found.values)
            elif len(found.values) > 1 and many is None:
                many = (param.name, found.values[:MOST_CALLS])
            else:
                single[param.name] = _typed(param, found.values[0], hints)
            continue
        missing.append(param)
        if isinstance(found, Ask):
            options = options or found.options
            also.extend(p for p in found.params if p.name != param.name)
    if missing:
        return Ask(tool, tuple(missing), options, tuple(also))
    if not hints.bare:
        for param in tool.params:
            if param.name not in single and not (many and many[0] == param.name) and not param.required:
                value = _optional(situation, Wanted(tool, param, goal, hints, depth))
                if value is not None and not hints.avoids(param.name, value):
                    single[param.name] = _typed(param, value, hints)
    if not single and not many and _says_nothing(tool):
        # Every parameter may be left out and nothing is known for any: a change of nothing, a search for nobody.
        return Ask(tool, tool.params[:3])
    ordered = [p.name for p in tool.params]
    rows = [single | {many[0]: value} for value in many[1]] if many else [single]
    return Filled(tuple({name: row[name] for name in ordered if name in row} for row in rows))


def _says_nothing(tool: Tool) -> bool:
    """Whether a call without arguments would be idle."""
    if not tool.params or tool.required:
        return False
    searches = any(key == "c:search" for key, _ in (*tool.name_vec, *tool.desc_vec))
    return not tool.reads or (searches and any(p.kind in _FINDERS for p in tool.params))


_FINDERS = frozenset({kinds.PHONE, kinds.NAME, kinds.EMAIL, kinds.ID, kinds.WORDS})


def _typed(param: Param, value: Any, hints: Hints) -> Any:
    """A value in the type the schema names, where that is a matter of form only."""
    if param.type in ("integer", "number") and isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    if param.type == "string" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if param.type == "integer" and isinstance(value, float):
        return as_type(param, value)
    return value


def _needed(situation: Situation, wanted: Wanted, attempt: Attempt) -> Got | Act | Ask | Dead | None:
    param, goal, hints = wanted.param, wanted.goal, wanted.hints
    if param.kind == kinds.ID and _NEW_NAME.search(param.name):
        fresh = _fresh_ids(situation, wanted)
        if fresh:
            return Got((fresh[0],))
    if param.kind in (kinds.ID, kinds.IDS):
        return resolve_id(situation, wanted, attempt)
    if param.kind == kinds.NAME:
        names = [n for n in _names(situation, wanted) if not hints.avoids(param.name, n)]
        return Got(tuple(names)) if names else _from_record(situation, wanted, attempt)
    if param.kind == kinds.WORDS and goal.asks and cues(goal.head).best:
        compared = compared_words(goal.head)
        if compared:
            return Got(compared)
    if param.kind == kinds.OBJECTS:
        rows = objects_for(situation, param, goal, wanted.tool)
        return Got(tuple(rows)) if rows else None
    if param.kind == kinds.LIST:
        items = list_for(param, pools(situation, goal))
        return Got(tuple(items)) if items else None
    value = _plain(situation, wanted, required=True)
    if value is not None and not hints.avoids(param.name, value):
        return Got((value,))
    if param.kind in (kinds.TEXT, kinds.WORDS, kinds.DATE, kinds.MONTH, kinds.TIME) or _is_new_value(wanted):
        return Got((param.default,)) if param.has_default and param.default is not None else None
    return _from_record(situation, wanted, attempt)


def _is_new_value(wanted: Wanted) -> bool:
    """Whether the parameter is what the tool is to change: that only the user can say."""
    return bool(_NEW_VALUE_ACTS & set(wanted.tool.acts)) and wanted.param.kind in (
        kinds.ADDRESS,
        kinds.PHONE,
        kinds.EMAIL,
        kinds.OTHER,
    )


def _names(situation: Situation, wanted: Wanted) -> tuple[str, ...]:
    goal, param = wanted.goal, wanted.param
    known = frozenset(
        str(value)
        for fact in situation.seen()
        for key, value in fact.record.fields.items()
        if isinstance(value, str) and set(param.concepts) & key_concepts(key) and 2 <= len(value) <= 30
    )
    near = (*own(goal), *answers(situation, goal), *conditions(goal))
    return names_for(param, near, known) or names_for(param, around(situation, goal), known)


def _plain(situation: Situation, wanted: Wanted, required: bool) -> Any:
    """A value of the user's words for a parameter that names no record."""
    param, goal = wanted.param, wanted.goal
    near = (*own(goal), *answers(situation, goal))
    wide = (*near, goal.text, *conditions(goal)) if required else near
    minor = situation.catalogue.minor or situation.minor
    if param.kind in (kinds.PHONE, kinds.EMAIL):
        texts = (*wide, goal.text, *around(situation, goal)) if required else wide
        return next(
            (
                v.text
                for text in texts
                for v in find_values(text)
                if v.kind == param.kind and not wanted.hints.avoids(param.name, v.text)
            ),
            None,
        )
    if param.kind in (kinds.DATE, kinds.MONTH, kinds.TIME):
        texts = (*wide, *around(situation, goal)) if required else near
        return date_for(param, texts, situation.now)
    if param.kind == kinds.MONEY:
        return money_for(param, near, minor, lenient=required)
    if param.kind == kinds.NUMBER:
        number = number_for(param, near, lenient=required)
        return None if number is None else signed(param, as_type(param, number), goal.acts)
    if param.kind == kinds.PERCENT:
        return percent_for(param, near)
    if param.kind == kinds.ENUM:
        chosen = choice_for(
            param,
            (
                goal.head,
                *(one.text for one in goal.said),
                goal.near,
                *answers(situation, goal),
                *(conditions(goal) if required else ()),
            ),
        )
        return chosen if chosen is not None or not required else plain_choice(param)
    if param.kind == kinds.FLAG:
        flag = flag_for(param, near)
        return flag if flag is not None or not required else bool(param.default)
    if param.kind == kinds.ADDRESS:
        return address_for(goal, (*near, goal.text), answers(situation, goal))
    if param.kind == kinds.WORDS:
        words = search_words(near, wanted.tool.nouns) or (
            search_words(pools(situation, goal), wanted.tool.nouns) if required else ()
        )
        return next((word for word in words if not wanted.hints.avoids(param.name, word)), None)
    if param.kind == kinds.TEXT:
        return text_for(param, goal, required)
    return _other(param, near, required)


def _other(param: Param, near: tuple[str, ...], required: bool) -> Any:
    """A parameter of no known kind: a quotation, or an identifier that stands beside its name."""
    for text in near:
        for value in find_values(text):
            if value.kind == forms.QUOTED:
                return value.text
    if required:
        for text in near:
            for value in find_values(text):
                if value.kind == forms.ID:
                    return value.text
    return None


def _optional(situation: Situation, wanted: Wanted) -> Any:
    """A value for an optional parameter, only where the words speak of it."""
    param, goal = wanted.param, wanted.goal
    if param.kind in (kinds.ID, kinds.IDS):
        return _optional_id(situation, wanted)
    if not wanted.tool.reads and label_of(param) is not None:
        given = labelled(param, _told(situation, goal))
        if given is not None or not address_kind(param):
            return given
    if param.kind == kinds.NAME:
        if not wanted.tool.reads and not set(param.concepts) & {*goal.acts, *concepts(goal.head)}:
            return None
        names = names_for(param, own(goal), frozenset(), sure=True)
        if not names and wanted.tool.reads:
            names = names_for(param, around(situation, goal)[:2], frozenset(), sure=True)
        return names[0] if len(names) == 1 else None
    if param.kind == kinds.ENUM and wanted.depth and wanted.tool.reads:
        cue = cues(goal.head + " " + goal.near)
        return (
            choice_for(param, (goal.head, goal.near))
            if (cue.states and not cue.states[0][1]) or any(denied for _, denied in cue.states)
            else None
        )
    if param.kind == kinds.MONEY and wants_whole(own(goal)):
        return None
    if param.kind == kinds.NUMBER and wanted.tool.reads:
        return None
    if param.kind in (kinds.OBJECTS, kinds.LIST, kinds.OTHER, kinds.WORDS, kinds.FLAG) and wanted.depth:
        return None
    return _plain(situation, wanted, required=False) if param.kind not in (kinds.OBJECTS, kinds.LIST) else None


def address_kind(param: Param) -> bool:
    """Whether a parameter takes a whole postal address, which has a form of its own."""
    return param.kind == kinds.ADDRESS


def _told(situation: Situation, goal: Goal) -> tuple[str, ...]:
    """The user's own words around a goal: later answers first, then the turn that set it."""
    turn = next((text for at, text in situation.view.users if at == goal.turn), "")
    return tuple(text for text in (*answers(situation, goal), turn) if text)


def _fresh_ids(situation: Situation, wanted: Wanted) -> list[str]:
    """Identifiers given as the new value (换成 X, exchange it for X)."""
    return [
        m.text
        for one in wanted.goal.said
        if one.label == NEW
        for m in mentions(one.text)
        if suits(situation, m, wanted.nouns) >= 0.4
    ]


def _optional_id(situation: Situation, wanted: Wanted) -> Any:
    fresh = _fresh_ids(situation, wanted)
    if fresh:
        return fresh[0] if wanted.param.kind == kinds.ID else fresh
    rivals = [p for p in wanted.tool.params if p.required and p.kind in (kinds.ID, kinds.IDS)]
    for text in (*own(wanted.goal), *conditions(wanted.goal), *answers(situation, wanted.goal)):
        found = [
            m.text
            for m in mentions(text)
            if suits(situation, m, wanted.nouns) >= 0.7 and all(suits(situation, m, r.noun) < 0.7 for r in rivals)
        ]
        if found:
            return found[0] if wanted.param.kind == kinds.ID else found
    return None


def _from_record(situation: Situation, wanted: Wanted, attempt: Attempt) -> Got | Act | Ask | None:
    """A field of the record at hand by key or concept; else a producer that speaks of it."""
    param, goal = wanted.param, wanted.goal
    start = mentioned(goal.scope) | named_in(situation, goal.scope)
    start = start or mentioned(" ".join(text for _, text in situation.view.users))
    facts = linked(situation, start)[1] if start else situation.seen()
    labels = [c for c in concepts(param.name.replace("_", " ")) if c not in ("new", "number")]
    for fact in reversed(facts):
        for key, value in fact.record.fields.items():
            same = key == param.name or bool(labels and set(labels) & key_concepts(key))
            if param.kind == kinds.NUMBER and not (key == param.name and _TAKES_BACK & set(wanted.tool.acts)):
                continue
            if same and value not in (None, "") and not isinstance(value, (dict, list)) and _fits_kind(param, value):
                return Got((value,))
    if (
        param.kind in (kinds.MONEY, kinds.PHONE, kinds.EMAIL, kinds.ADDRESS, kinds.NUMBER, kinds.NAME)
        and wanted.depth == 0
        and labels
    ):
        step = produce(
            situation,
            Wanted(wanted.tool, _as_noun(param, labels), goal, wanted.hints, wanted.depth + 1),
            attempt,
            listing=False,
        )
        if isinstance(step, Act):
            return step
    return None


def _as_noun(param: Param, labels: list[str]) -> Param:
    return replace(param, noun=tuple(labels))


def _fits_kind(param: Param, value: Any) -> bool:
    if param.kind in (kinds.MONEY, kinds.NUMBER, kinds.PERCENT):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, str)


def as_json(args: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as a plain mapping."""
    return dict(args)
