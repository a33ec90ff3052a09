"""Choosing records that a goal speaks of: by words they hold, by states and numbers, by superlatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.cues import Cues, cues
from reach_tui.agents.simulated.features import spaced, states, tokens
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.judge import decides, keeps, key_concepts, order_by
from reach_tui.agents.simulated.mentions import same_noun
from reach_tui.agents.simulated.parameters import ID
from reach_tui.agents.simulated.pools import answers, own
from reach_tui.agents.simulated.situation import Fact, Situation, mark_of
from reach_tui.agents.simulated.steps import Act, Ask, Dead, Got

MOST_DETAILS = 6
MOST_READ = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may be meant: its id, all fields seen of it, and the texts it and its parts hold."""

    key: str
    fields: dict[str, Any]
    words: str
    listed: bool


def candidates(situation: Situation, facts: Sequence[Fact], nouns: tuple[str, ...]) -> list[Candidate]:
    """Records of `nouns` among `facts`, each once, in the order first seen; later sights add to earlier ones."""
    fields: dict[str, dict[str, Any]] = {}
    words: dict[str, list[str]] = {}
    listed: dict[str, bool] = {}
    for fact in facts:
        record = fact.record
        if record.key is None or not same_noun(record.nouns[:1], nouns):
            continue
        known = fields.setdefault(record.key, {})
        for name, value in record.fields.items():
            known[name] = value
        words.setdefault(record.key, []).extend(_texts(situation, fact))
        listed[record.key] = listed.get(record.key, False) or record.listed
    return [Candidate(key, fields[key], " ".join(words[key]).lower(), listed[key]) for key in fields]


def _texts(situation: Situation, fact: Fact) -> list[str]:
    """Texts of a record and of the records inside it."""
    out = [
        str(item)
        for value in fact.record.fields.values()
        for item in (value if isinstance(value, list) else [value])
        if isinstance(item, str)
    ]
    same = [f.record for f in situation.facts if f.at == fact.at and f.tool == fact.tool]
    place = next((n for n, record in enumerate(same) if record is fact.record), -1)
    for record in same:
        if record.parent == place and place >= 0 and record is not fact.record:
            out.extend(str(value) for value in record.fields.values() if isinstance(value, str))
    return out


def meant_by_words(found: list[Candidate], text: str) -> list[Candidate]:
    """Those that hold most of the loose words of `text`; all where none holds any."""
    loose = [chunk.text.lower() for chunk in chunks(text)]
    scores = []
    for one in found:
        score = 0
        for words in loose:
            if words in one.words:
                score += 2 * len(words) + any(isinstance(v, str) and v.lower() == words for v in one.fields.values())
            elif words.isascii():
                score += sum(len(w) for w in words.split() if len(w) > 2 and w.rstrip("s") in one.words)
        scores.append(score)
    best = max(scores, default=0)
    return [one for one, score in zip(found, scores, strict=True) if score == best] if best else found


def choose(
    situation: Situation, goal: Goal, found: list[Candidate], nouns: tuple[str, ...], tool: Tool, param: Any, asks: bool
) -> Got | Act | Ask | Dead:
    """The candidates a goal means; a look at details first where the list does not tell."""
    words = " ".join(own(goal) + answers(situation, goal))
    cue = cues(words)
    pool = meant_by_words(found, words)
    picking = not asks or cue.plural or cue.every or cue.best is not None
    if picking and (len(pool) > 1 or cue.states or cue.bounds or cue.stock is not None):
        narrowed = _narrow(situation, pool, cue, nouns, len(pool) > 1)
        if isinstance(narrowed, (Act, Dead)):
            return narrowed
        pool = narrowed
    if cue.best and len(pool) > 1:
        order = order_by([one.fields for one in pool], cue.best)
        if order is None:
            details = look_closer(situation, pool, nouns)
            if details:
                return details
        else:
            pool = [pool[n] for n in order[: cue.take]]
    if len(pool) == 1:
        return Got((pool[0].key,))
    if cue.every or cue.plural or cue.take > 1:
        return Got(tuple(one.key for one in pool))
    if asks:
        return Got(tuple(one.key for one in pool[:MOST_READ]))
    allowed = _allowed(tool, pool) if _described(goal) else []
    if len(allowed) == 1:
        return Got((allowed[0].key,))
    return Ask(tool, (param,), tuple(one.key for one in pool))


def _narrow(
    situation: Situation, pool: list[Candidate], cue: Cues, nouns: tuple[str, ...], several: bool
) -> list[Candidate] | Act | Dead:
    verdicts = [keeps(one.fields, cue, situation.now, situation.minor) for one in pool]
    wanted = bool(cue.states or cue.bounds or cue.stock is not None)
    if not wanted:
        return pool
    if all(verdict is None for verdict in verdicts):
        details = look_closer(situation, pool, nouns) if several else None
        return details or pool
    kept = [one for one, verdict in zip(pool, verdicts, strict=True) if verdict is True]
    if not kept:
        kept = [one for one, verdict in zip(pool, verdicts, strict=True) if verdict is None]
    if kept:
        return _exactly(kept, cue) or kept
    return Dead("none", nouns) if several or cue.bounds or cue.stock is not None else pool


def _exactly(kept: list[Candidate], cue: Cues) -> list[Candidate]:
    """Those whose status is the very state spoken of (paid), before those that have gone beyond it (delivered)."""
    wanted = {concept for concept, denied in cue.states if not denied}
    if len(kept) < 2 or not wanted:
        return []
    return [
        one
        for one in kept
        if any(
            "status" in key_concepts(key)
            and isinstance(value, str)
            and {c for c, no in states(spaced(value)) if not no} == wanted
            for key, value in one.fields.items()
        )
    ]


def _described(goal: Goal) -> bool:
    """Whether the goal's own words say anything of the record or its owner: a bare `cancel my order` does not."""
    return any(chunks(text) or any(t.kind == "value" for t in tokens(text)) for text in own(goal))


def _allowed(tool: Tool, pool: list[Candidate]) -> list[Candidate]:
    """Those in the state that the tool's description demands (a refund of a *delivered* order)."""
    if tool.reads or not tool.demands:
        return []
    return [
        one for one in pool if all(decides(one.fields, concept) == (not denied) for concept, denied in tool.demands)
    ]


def look_closer(situation: Situation, pool: Sequence[Candidate], nouns: tuple[str, ...]) -> Act | None:
    """A call that shows one candidate in full, if a tool does that and it was not made yet."""
    for tool in situation.catalogue.tools:
        needed = tool.required
        if not tool.reads or len(needed) != 1 or needed[0].kind != ID or not same_noun(needed[0].noun, nouns):
            continue
        if not same_noun(tool.nouns[:1], nouns):
            continue
        for one in pool[:MOST_DETAILS]:
            args = {needed[0].name: one.key}
            mark = mark_of(tool.name, args)
            if all(call.mark != mark for call in situation.calls):
                return Act(tool.name, args)
        return None
    return None
