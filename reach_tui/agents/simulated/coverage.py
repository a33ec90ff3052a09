"""Whether what was seen already answers a question, and where to look for what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from reach_tui.agents.simulated.attempt import attempt
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.cues import cues
from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.judge import key_concepts
from reach_tui.agents.simulated.lexicon import FIELD, ROLE, THING
from reach_tui.agents.simulated.mentions import mentions, same_noun
from reach_tui.agents.simulated.records import is_id_key
from reach_tui.agents.simulated.report import DONE, PICKED, Report
from reach_tui.agents.simulated.situation import Call, Fact, Situation, linked, mentioned, named_in
from reach_tui.agents.simulated.steps import Act, Done
from reach_tui.agents.simulated.tools_score import THRESHOLD, Ranked

MOST_FOLLOW_UPS = 2
_GENERAL = frozenset(
    {"number", "date", "time", "quantity", "days", "total", "window", "reason", "used", "location_x", "year", "created"}
)
_ANAPHOR = re.compile(
    r"其中|哪一?[个笔件张款]|哪家|哪条|\bwhich one\b|\bwhich (?:is|are|was|has|costs?)\b|\bwhich of (?:them|those|"
    r"these)\b|\bof (?:them|those|these)\b|\bthe (?:most|least)\b|\bamong them\b",
    re.IGNORECASE,
)


def attributes(text: str) -> tuple[str, ...]:
    """The properties a question asks for: fields it names, those that only label a value left out."""
    found = tokens(text)
    labels = {
        key
        for t, n in pairwise(found)
        if n.kind == "value" and t.kind == "concept" and n.start - t.end <= 2
        for key in t.keys
    }
    return tuple(c for c in concepts(text) if ROLE[c] == FIELD and c not in labels and c not in _GENERAL)


def _speaks_of(fact: Fact, concept: str) -> bool:
    return any(concept in key_concepts(key) for key in fact.record.fields)


def _about(concept: str) -> frozenset[str]:
    close = {
        "amount": {"amount", "total", "price", "payment"},
        "price": {"price", "amount", "total"},
        "name": {"name", "applicant", "employee", "member"},
        "location": {"location"},
        "carrier": {"carrier", "shipment"},
        "balance": {"balance", "stock", "days", "used", "total"},
        "tracking_no": {"tracking_no"},
    }
    return frozenset(close.get(concept, {concept}))


def covered(situation: Situation, goal: Goal, reports: Sequence[Report]) -> tuple[Fact, ...]:
    """Records already seen that answer a question in full; none if any part of it is open."""
    wanted = attributes(goal.head)
    nouns = tuple(c for c in concepts(goal.head) if ROLE[c] == THING)
    if not wanted or cues(goal.head).picks or cues(goal.head).plural:
        return ()
    start = mentioned(goal.head + " " + goal.near) | named_in(situation, goal.head)
    if start:
        ids = [m.text for m in mentions(goal.head + " " + goal.near)]
        facts = linked(situation, start)[1]
        if any(
            all(f.record.key != one and one not in map(str, f.record.fields.values()) for f in facts) for one in ids
        ):
            return ()
        facts = tuple(
            f
            for f in facts
            if f.record.key in start
            or set(map(str, f.args.values())) & start
            or set(map(str, f.record.fields.values())) & start
        )
    else:
        last = next((r for r in reversed(reports) if r.state in (DONE, PICKED) and r.goal.turn == goal.turn), None)
        facts = last.facts if last else ()
        facts = facts or tuple(
            f for f in situation.facts if last and any(f.at == c.at and f.tool == c.name for c in last.calls)
        )
    if nouns:
        facts = tuple(
            f
            for f in facts
            if same_noun(f.record.nouns[:1], nouns)
            or any(same_noun((c,), nouns) for k in f.record.fields if not is_id_key(k) for c in key_concepts(k))
        )
    if not facts or any(all(not any(_speaks_of(f, near) for near in _about(c)) for f in facts) for c in wanted):
        return ()
    return facts


def picks_from(situation: Situation, goal: Goal, reports: Sequence[Report]) -> tuple[Fact, ...]:
    """For `which one is the dearest?`: the records of the question before."""
    if mentioned(goal.head) or not (_ANAPHOR.search(goal.head) and cues(goal.head).picks):
        return ()
    if any(ROLE[c] == THING for c in concepts(_ANAPHOR.sub("", goal.head))) and not re.search(
        r"其中|of them|of these|of those|among", goal.head
    ):
        return ()
    last = next((r for r in reversed(reports) if r.goal.asks and (r.calls or r.facts)), None)
    if last is None:
        return ()
    return last.facts or tuple(f for f in situation.facts if any(f.at == c.at and f.tool == c.name for c in last.calls))


def follow_up(
    situation: Situation, goal: Goal, used: Tool, done: Done, ranked: Sequence[Ranked]
) -> Act | tuple[Call, ...]:
    """Calls of further reading tools for what the first one left open; the next one to make if it is not made yet."""
    wanted = (
        *attributes(goal.head),
        *(c for c in concepts(goal.head) if c in ("track", "shipment", "stock", "refund", "payment")),
    )
    extra: list[Call] = []
    tried = 0
    for one in ranked:
        if tried >= MOST_FOLLOW_UPS:
            break
        facts = [f for f in situation.facts if any(f.at == c.at and f.tool == c.name for c in (*done.ok, *extra))]
        names = {n for c in (*done.ok, *extra) if (t := situation.tool(c.name)) for n in t.nouns[:1]}
        open_ = [
            c
            for c in wanted
            if not (set(_about(c)) & names)
            and not any(_speaks_of(f, near) for f in facts for near in _about(c))
            and not _told_by(situation, done, c)
        ]
        if not open_ or one.tool.name == used.name or not one.tool.reads or one.score < THRESHOLD:
            continue
        spoken = {key[2:] for key, _ in (*one.tool.name_vec, *one.tool.desc_vec) if key.startswith("c:")}
        if not spoken & set(open_):
            continue
        tried += 1
        step = attempt(situation, one.tool, goal, 1)
        if isinstance(step, Act):
            return step
        if isinstance(step, Done):
            extra.extend(step.ok)
    if not extra and wanted and tried == 0 and _open(situation, done, wanted):
        other = next(
            (o.tool for o in ranked if o.tool.name != used.name and o.tool.reads and o.score >= THRESHOLD), None
        )
        further = attempt(situation, other, goal, 1) if other is not None else None
        if isinstance(further, Act):
            return further
        if isinstance(further, Done):
            extra.extend(further.ok)
    return tuple(extra)


def _open(situation: Situation, done: Done, wanted: Sequence[str]) -> bool:
    """Whether the results say nothing of a property asked for."""
    facts = [f for f in situation.facts if any(f.at == c.at and f.tool == c.name for c in done.ok)]
    return any(ROLE[c] == FIELD and not any(_speaks_of(f, near) for f in facts for near in _about(c)) for c in wanted)


def _told_by(situation: Situation, done: Done, concept: str) -> bool:
    """Whether the tool used says by its own words that it tells this."""
    if concept in ("track",):
        return any(
            any({"location", "eta", "track"} & key_concepts(key) for key in f.record.fields)
            for f in situation.facts
            if any(f.at == c.at for c in done.ok)
        )
    return False
