"""Whether a condition holds, by the records seen; and which look-up would tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reach_tui.agents.simulated.attempt import attempt
from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.conditions import FAILED, POSSIBLE, Cond
from reach_tui.agents.simulated.cues import Bound, Cues, cues
from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.judge import decides, in_stock, meets
from reach_tui.agents.simulated.lexicon import FIELD, RELATED, ROLE, THING
from reach_tui.agents.simulated.mentions import mentions, same_noun
from reach_tui.agents.simulated.parameters import ID
from reach_tui.agents.simulated.plan import ranked_for
from reach_tui.agents.simulated.report import DONE, PICKED, REFUSED, SKIPPED, Report
from reach_tui.agents.simulated.situation import Fact, Situation, linked, mentioned, named_in, suits
from reach_tui.agents.simulated.steps import Act, Ask, Done
from reach_tui.agents.simulated.tools_score import Ranked
from reach_tui.agents.simulated.values import find_values

MOST_LOOKS = 3
_CONFIRMS = frozenset({"verify", "look"})
"""That somebody has confirmed a state is no state beside it."""
_EXISTS = re.compile(
    r"有(?!货|库存)|存在|\bthere (?:is|are)\b|\bexists?\b|\bhas (?:an?|any|no)\b|\bhave (?:an?|any|no)\b|\bany\b",
    re.IGNORECASE,
)
_OF_PARCELS = frozenset({"lost", "transit"})
"""States that only the record of a parcel tells."""
_IS = re.compile(r"(?:是|为|等于|=|\bis|\bare|\bequals?|\bhas)\s*(?:only |just |只有)?$", re.IGNORECASE)
_NEGATED = re.compile(r"不了|不能|无法|没法|不可以|失败|\bcan(?:no|['’])t\b|\bnot possible\b|\bfails?\b", re.IGNORECASE)
_NONE = re.compile(r"没有|无(?!线)|不存在|\bno\b|\bnone\b|n['’]t (?:any|have)|\bwithout\b", re.IGNORECASE)


def truth(situation: Situation, cond: Cond, goal: Goal, reports: Sequence[Report]) -> bool | Act | Ask | None:
    """True or False; a call that would tell; None where it cannot be told."""
    if cond.kind in (FAILED, POSSIBLE):
        tried = _tried(cond, reports)
        if tried is not None:
            return tried if cond.kind == POSSIBLE else not tried
        if cond.kind == POSSIBLE and set(cond.acts) & set(goal.acts):
            return True
        if cond.kind == POSSIBLE and not goal.acts:
            return True
        if cond.kind == FAILED and cond.acts:
            return _try_out(situation, cond, goal)
    looks = 0
    verdict = _by_facts(situation, cond, goal)
    if verdict is not None:
        return verdict
    asked: Ask | None = None
    near = " ".join(part for part in (goal.near, goal.head) if part) if not mentioned(cond.text) else goal.near
    probe = Goal(goal.turn, goal.number, goal.span, True, cond.text, cond.text, near, goal.head, (), (), (), False)
    for ranked in _readers(situation, probe, cond):
        if looks >= MOST_LOOKS:
            break
        if ranked.score <= 0.02:
            continue
        looks += 1
        step = attempt(situation, ranked.tool, probe)
        if isinstance(step, Act):
            return step
        if isinstance(step, Ask) and asked is None:
            asked = step
    return asked if not _subjects(situation, cond, goal)[1] else None


def _readers(situation: Situation, probe: Goal, cond: Cond) -> list[Ranked]:
    """Reading tools for a condition: those that show the very record it names come first where it asks for a state."""
    ranked = [one for one in ranked_for(situation, probe) if one.tool.reads]
    found = mentions(cond.text) or mentions(probe.near)
    if not cues(cond.text).states or not found:
        return ranked

    def direct(one: Ranked) -> bool:
        ids = [p for p in one.tool.required if p.kind == ID]
        return (
            len(one.tool.required) == 1
            and bool(ids)
            and suits(situation, found[0], ids[0].noun) >= 0.5
            and same_noun(one.tool.nouns[:1], ids[0].noun)
        )

    return sorted(ranked, key=lambda one: not direct(one))


def _try_out(situation: Situation, cond: Cond, goal: Goal) -> bool | Act | Ask | None:
    """`If it cannot be cancelled`, with nothing tried before: the way to know is to try."""
    text = _NEGATED.sub("", cond.text)
    probe = Goal(goal.turn, goal.number, goal.span, False, text, text, goal.near, goal.head, cond.acts, (), (), False)
    ranked = next((one for one in ranked_for(situation, probe) if one.fits), None)
    if ranked is None:
        return True
    step = attempt(situation, ranked.tool, probe)
    if isinstance(step, (Act, Ask)):
        return step
    return bool(isinstance(step, Done) and not step.ok)


def _tried(cond: Cond, reports: Sequence[Report]) -> bool | None:
    """Whether the act a condition speaks of went through; None if it was not tried."""
    for report in reversed(reports):
        acts = set(report.goal.acts) | set(report.tool.acts if report.tool else ())
        close = set(cond.acts) & acts or any((a, b) in RELATED for a in cond.acts for b in acts)
        if (close or not cond.acts) and not report.goal.asks:
            if report.state in (DONE, PICKED, SKIPPED):
                return True
            if report.state == REFUSED:
                return False
    return None


def _subjects(situation: Situation, cond: Cond, goal: Goal) -> tuple[frozenset[str], tuple[Fact, ...]]:
    """The records a condition is about: those that hang together with the ids it names, else with the goal's."""
    turn = next((text for at, text in situation.view.users if at == goal.turn), "")
    loose = [chunk.text.lower() for chunk in chunks(cond.text)]
    spoken = [
        fact
        for fact in situation.seen()
        if any(isinstance(v, str) and words in v.lower() for v in fact.record.fields.values() for words in loose)
    ]
    if spoken:
        values, facts = linked(situation, frozenset(fact.record.key for fact in spoken if fact.record.key))
        return values, (*spoken, *(fact for fact in facts if fact not in spoken))
    for text in (
        cond.text,
        cond.about,
        goal.head + " " + goal.near,
        turn,
        " ".join(t for _, t in situation.view.users),
    ):
        start = mentioned(text) | named_in(situation, text)
        if start:
            values, facts = linked(situation, start)
            if facts or text in (cond.text, cond.about):
                return values, facts
    return frozenset(), situation.seen()


def _by_facts(situation: Situation, cond: Cond, goal: Goal) -> bool | None:
    values, facts = _subjects(situation, cond, goal)
    if not facts:
        return None
    cue = cues(cond.text)
    asked = tuple(c for c in concepts(cond.about) if ROLE[c] in (FIELD, THING))
    cue = replace(cue, bounds=tuple(b if b.about else replace(b, about=asked) for b in cue.bounds))
    nouns = tuple(c for c in concepts(cond.text) if ROLE[c] == THING)
    listed = _by_list(situation, cond, cue, nouns, facts)
    if listed is not None:
        return listed
    rows = _rows(facts, nouns, values)
    labels = {n for m in mentions(cond.text) for n in m.nouns}
    own = [n for n in nouns if n not in labels and not any(n in m.nouns for m in mentions(cond.text))]
    if any(concept in _OF_PARCELS for concept, _ in cue.states):
        own = [*own, "shipment"]
    strange = (
        bool(own)
        and not any(same_noun(f.record.nouns[:1], tuple(own)) for f in facts)
        and _told_elsewhere(situation, tuple(own))
    )
    if not (cue.bounds or cue.states or cue.stock is not None):
        cue = replace(cue, bounds=_equal(cond))
    plain = tuple(one for one in cue.states if one[0] not in _CONFIRMS)
    cue = replace(cue, states=plain or cue.states)
    verdicts = [_one(situation, cue, rows, concept, denied) for concept, denied in cue.states]
    verdicts += [
        _first(meets(fact.record.fields, bound, situation.now, situation.minor) for fact in rows)
        for bound in cue.bounds
    ]
    if cue.stock is not None:
        stocked = _first(in_stock(fact.record.fields) for fact in rows)
        verdicts.append(None if stocked is None else stocked == cue.stock)
    if not verdicts:
        return _by_word(cond, rows)
    if False in verdicts:
        return None if strange else False
    return True if all(verdict is True for verdict in verdicts) else None


def _equal(cond: Cond) -> tuple[Bound, ...]:
    """如果是 0: equal to a number, of what the question before asked."""
    number = next((v for v in find_values(cond.text) if v.number is not None), None)
    if number is None or number.number is None or not _IS.search(cond.text[: number.start]):
        return ()
    about = tuple(c for c in (*concepts(cond.text), *concepts(cond.about)) if ROLE[c] in (FIELD, THING))
    return (Bound("=", number.number, number.kind, number.unit, about),)


def _told_elsewhere(situation: Situation, nouns: tuple[str, ...]) -> bool:
    """Whether some tool, not called yet, shows records of these nouns: then others say nothing about them."""
    called = {call.name for call in situation.calls}
    return any(t.reads and same_noun(t.nouns[:1], nouns) and t.name not in called for t in situation.catalogue.tools)


def _rows(facts: Sequence[Fact], nouns: tuple[str, ...], values: frozenset[str]) -> list[Fact]:
    """Latest sight first; records of the nouns spoken of before others."""
    ordered = list(reversed(facts))
    return sorted(ordered, key=lambda fact: not same_noun(fact.record.nouns[:1], nouns)) if nouns else ordered


def _one(situation: Situation, cue: Cues, rows: Sequence[Fact], concept: str, denied: bool) -> bool | None:
    verdict = _first(decides(fact.record.fields, concept) for fact in rows)
    return None if verdict is None else verdict != denied


def _first(verdicts: object) -> bool | None:
    return next((verdict for verdict in verdicts if verdict is not None), None)  # type: ignore[attr-defined]


def _by_list(situation: Situation, cond: Cond, cue: Cues, nouns: tuple[str, ...], facts: Sequence[Fact]) -> bool | None:
    """There is one / there is none: by a list of that noun that was seen."""
    if (
        not nouns
        or (not _EXISTS.search(cond.text) and not _NONE.search(cond.text))
        or cue.bounds
        or cue.stock is not None
    ):
        return None
    calls = [
        c
        for c in situation.calls
        if c.ok and (tool := situation.tool(c.name)) and tool.reads and same_noun(tool.nouns[:1], nouns)
    ]
    lists = [
        c
        for c in calls
        if isinstance(c.reading.value, list) or any(r.listed for r in c.reading.records) or c.reading.empty
    ]
    if not lists:
        return None
    hits = 0
    for record in lists[-1].reading.records:
        if same_noun(record.nouns[:1], nouns) and record.listed:
            kept = [decides(record.fields, concept) for concept, denied in cue.states if not denied]
            hits += all(one is not False for one in kept)
    there = hits > 0
    return not there if _NONE.search(cond.text) and not re.search(r"有没有", cond.text) else there


def _by_word(cond: Cond, rows: Sequence[Fact]) -> bool | None:
    """A field value that stands in the condition word for word (the carrier is X)."""
    low = cond.text.lower()
    about = set(concepts(cond.text))
    for fact in rows:
        for key, value in fact.record.fields.items():
            if isinstance(value, str) and len(value) > 1 and value.lower() in low and value not in mentioned(cond.text):
                return not re.search(r"不是|\bnot\b|n['’]t\b", low)
            if isinstance(value, bool) and about & set(concepts(key.replace("_", " "))):
                return value != bool(_NONE.search(cond.text) or re.search(r"不|\bnot\b|n['’]t\b", low))
    return None
