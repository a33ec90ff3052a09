"""Which tool each goal is for, and what it already says about goals that need none."""

from __future__ import annotations

import re
from functools import lru_cache

from reach_tui.agents.simulated.catalogue import Catalogue, Tool
from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.cues import cues
from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.fill_text import addressy, looks_like_person
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.lexicon import ACT, RELATED, ROLE
from reach_tui.agents.simulated.mentions import Mention, mentions, same_noun
from reach_tui.agents.simulated.parameters import ADDRESS, DATE, EMAIL, ID, IDS, NAME, PHONE, WORDS
from reach_tui.agents.simulated.pools import own
from reach_tui.agents.simulated.said import NEW
from reach_tui.agents.simulated.situation import Situation, suits
from reach_tui.agents.simulated.tools_score import (
    AIM_BONUS,
    BATCH_MALUS,
    FILL_BONUS,
    PLURAL_BONUS,
    RESERVED_MALUS,
    SHOWS_BONUS,
    THRESHOLD,
    Ranked,
    nouns_of,
    rank,
    reserved_for_others,
    target_of,
)  # fmt: skip
from reach_tui.agents.simulated.values import find_values

_OF_STAFF = frozenset({"warehouse", "employee"})
TOLD_BONUS = 0.12
"""For a tool that is named after what the words beside an order speak of (退掉, ... 钱退回来)."""
MANY = 3
"""From so many records on, a batch tool is taken unasked."""


def ranked_for(situation: Situation, goal: Goal) -> tuple[Ranked, ...]:
    """Tools for a goal, best first: by words, then by what the values at hand could fill."""
    known = situation.ranks.get(goal)
    if known is None:
        known = situation.ranks[goal] = _ranked(situation, goal)
    return known


def _ranked(situation: Situation, goal: Goal) -> tuple[Ranked, ...]:
    head = _with_object(goal)
    base = rank(head, goal.context, goal.acts, goal.asks, situation.catalogue, situation.traits, situation.seed)
    words = (*own(goal), *(cond.text for cond, _ in goal.conds))
    ids = [m for text in words for m in mentions(text)]
    told = ids[: len(mentions(goal.head))]
    if not ids:
        ids = list(mentions(next((text for at, text in situation.view.users if at == goal.turn), "")))
    kinds = {v.kind for text in words for v in find_values(text)}
    every = cues(goal.head).every
    by_staff = any(_OF_STAFF & set(concepts(text)) for _, text in situation.view.users)
    meant = {concept for concept in concepts(goal.near) if ROLE[concept] == ACT}
    out = []
    for ranked in base:
        tool = ranked.tool
        score = ranked.score + _new_value(tool, goal) + _batch(situation, tool, len(ids), every)
        score += _fillable(situation, tool, told, kinds) or 0.5 * _fillable(situation, tool, ids, kinds)
        if reserved_for_others(tool.description) and not by_staff:
            score -= RESERVED_MALUS * min(1.0, situation.traits.desc_weight)
        score += TOLD_BONUS if goal.acts and meant & set(tool.name_acts) else 0.0
        if goal.asks:
            score += _asking(situation, goal, tool, told, ids)
        elif (
            told
            and goal.acts
            and not any(suits(situation, m, p.noun) >= 0.5 for m in told for p in tool.params if p.noun)
        ):
            score -= PLURAL_BONUS
        elif not goal.acts and tool.reads:
            score -= PLURAL_BONUS * 2
        out.append(Ranked(tool, score, ranked.fits))
    out.sort(key=lambda ranked: -ranked.score)
    return tuple(out)


def _with_object(goal: Goal) -> str:
    """The instruction, with the object named that a new value implies (to 9 Oak Street is an address)."""
    value = next((one.text for one in goal.said if one.label == NEW), None)
    if value is None or not addressy(value) or "address" in concepts(goal.head):
        return goal.head
    return goal.head + (" address" if goal.head.isascii() else " 地址")


def _asking(situation: Situation, goal: Goal, tool: Tool, told: list[Mention], ids: list[Mention]) -> float:
    """What speaks for a tool in a question: its noun is the one asked about, it lists or shows what is named."""
    cue = cues(goal.head)
    score = 0.0
    if (cue.plural or cue.every) and _lists(tool) and same_noun(tool.nouns[:1], nouns_of(goal.head)):
        score += PLURAL_BONUS
    aim, counted = target_of(goal.head)
    if aim and tool.nouns:
        share = AIM_BONUS if counted else AIM_BONUS * 0.7
        score += share if tool.nouns[0] in aim else -share / 2
    about = told or ids
    if about and not aim and _shows(situation, tool, about[0]):
        score += SHOWS_BONUS
    if cue.best and len(ids) > 1 and _shows(situation, tool, ids[0]):
        score += AIM_BONUS
    by_words = bool(tool.required) and all(p.kind in (WORDS, NAME, PHONE) for p in tool.required)
    if by_words and told and any(p.kind == WORDS for p in tool.required):
        score -= 2 * AIM_BONUS
    elif not ids and chunks(goal.head):
        person = any(looks_like_person(chunk.text) for chunk in chunks(goal.head))
        if any(p.kind == (NAME if person else WORDS) for p in (tool.params if person else tool.required)):
            score += PLURAL_BONUS
    return score


def _fillable(situation: Situation, tool: Tool, ids: list[Mention], kinds: set[str]) -> float:
    """A bonus where a required identifier or phone is at hand."""
    for param in tool.required:
        if param.kind in (ID, IDS) and any(suits(situation, m, param.noun) >= 0.7 for m in ids):
            return FILL_BONUS
        if param.kind in (PHONE, EMAIL) and param.kind in kinds:
            return FILL_BONUS
    return 0.0


def _new_value(tool: Tool, goal: Goal) -> float:
    """For a new value given (改成 ..., to ...): tools with a parameter of its kind, against those that want another."""
    value = next((one.text for one in goal.said if one.label == NEW), None)
    if value is None or not ({"change", "set", "exchange"} & set(tool.acts)):
        return 0.0
    kinds = {v.kind for v in find_values(value)}
    if addressy(value) and not kinds & {"id", "phone", "email"}:
        wanted = ADDRESS
    else:
        wanted = next((kind for kind in (PHONE, EMAIL, DATE, ID) if kind in kinds), "")
    has = {param.kind for param in tool.params}
    if not wanted:
        return -FILL_BONUS if ADDRESS in has and not re.search("[\u4e00-\u9fff]", value) else 0.0
    count = sum(1 for param in tool.params if param.kind == wanted)
    return FILL_BONUS if count > (1 if wanted == ID else 0) else -FILL_BONUS


def _shows(situation: Situation, tool: Tool, mention: Mention) -> bool:
    """Whether a tool shows the very record that an identifier names."""
    return any(
        p.kind == ID and suits(situation, mention, p.noun) >= 0.5 and same_noun(tool.nouns[:1], p.noun)
        for p in tool.required
    )


def _lists(tool: Tool) -> bool:
    words = {key for key, _ in (*tool.name_vec, *tool.desc_vec)}
    return (
        "c:list" in words
        or "c:search" in words
        or not any(p.kind == ID and same_noun(p.noun, tool.nouns[:1]) for p in tool.required)
    )


def _batch(situation: Situation, tool: Tool, stated: int, every: bool) -> float:
    """Against a batch tool for one record, for it where there are many or the prompt prefers it."""
    if not tool.batch:
        return 0.0
    if stated >= MANY or (situation.directives.batch and (stated > 1 or every)):
        return BATCH_MALUS
    return -BATCH_MALUS


def tool_for(situation: Situation, goal: Goal) -> Ranked | None:
    """The best tool that fits; None if nothing is close enough."""
    ranked = ranked_for(situation, goal)
    best = next((one for one in ranked if one.fits), None)
    if best is not None and best.score >= THRESHOLD:
        return best
    if goal.asks:
        found = mentions(goal.head + " " + goal.near)
        shown = next(
            (one for one in ranked if one.tool.reads and found and _shows(situation, one.tool, found[0])), None
        )
        if shown is not None:
            return shown
        return _by_search(situation, goal, ranked)
    return None


def shows_named(situation: Situation, goal: Goal, besides: Tool | None) -> Tool | None:
    """The best reading tool, `besides` one, that shows the very record a question names."""
    found = mentions(goal.head + " " + goal.near)
    if not found:
        return None
    for one in ranked_for(situation, goal):
        if one.tool.reads and one.tool is not besides and _shows(situation, one.tool, found[0]):
            return one.tool
    return None


def _by_search(situation: Situation, goal: Goal, ranked: tuple[Ranked, ...]) -> Ranked | None:
    """A question about a name the lexicon does not know goes to a tool that searches by words."""
    if not chunks(goal.head) or (not cues(goal.head).plural and not cues(goal.head).picks):
        return None
    return next((one for one in ranked if one.tool.reads and any(p.kind == WORDS for p in one.tool.required)), None)


@lru_cache(maxsize=64)
def offered(catalogue_acts: frozenset[str]) -> frozenset[str]:
    """The acts that tools can do, those close to them included."""
    return catalogue_acts | {two for one, two in RELATED if one in catalogue_acts}


def acts_offered(catalogue: Catalogue) -> frozenset[str]:
    """The acts that the visible tools can do or come close to."""
    return offered(catalogue.acts)
