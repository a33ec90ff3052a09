"""Identifiers for a parameter: from the user's words, from records seen, or through a tool that can find them."""

from __future__ import annotations

import re

from reach_tui.agents.simulated.choose import Candidate, candidates, choose, look_closer
from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.cues import Cues, cues
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.judge import order_by
from reach_tui.agents.simulated.lexicon import ROLE, THING
from reach_tui.agents.simulated.mentions import Mention, mentions, same_noun
from reach_tui.agents.simulated.parameters import ID, IDS, WORDS
from reach_tui.agents.simulated.pools import answers, around, conditions, own
from reach_tui.agents.simulated.producers import FIT, MOST_DEPTH, Attempt, Wanted, entities_of, produce
from reach_tui.agents.simulated.records import is_id_key, key_nouns
from reach_tui.agents.simulated.situation import Fact, Situation, linked, mentioned, named_in, suits
from reach_tui.agents.simulated.steps import Act, Ask, Dead, Got

NEW_SLACK = 0.15
_NEW_NAME = re.compile(r"^(?:new|to|target|replacement)(?=[_A-Z])")
BARE_FIT = 0.4
"""Enough for the goal's own tool: an identifier of which nothing is known."""


def resolve_id(situation: Situation, wanted: Wanted, attempt: Attempt) -> Got | Act | Ask | Dead | None:
    """Values for an id parameter; None if it must be asked for or left out."""
    goal = wanted.goal
    cue = cues(" ".join(own(goal) + answers(situation, goal)))
    stated = _stated(situation, wanted, own(goal))
    if stated:
        return _of_stated(situation, wanted, stated, cue)
    if _ruled_out(situation, wanted):
        return Dead("failed", wanted.nouns)
    later = _stated(situation, wanted, (*answers(situation, goal), *conditions(goal)))
    if later:
        return Got((later[0],) if wanted.param.kind == ID else tuple(later))
    entity = entities_of(situation, goal)
    selective = cue.picks or cue.every or cue.plural or bool(entity)
    if not selective:
        other = _elsewhere(situation, wanted)
        if other:
            return Got(tuple(other))
    if depends_on_earlier(situation, wanted):
        return Dead("later")
    found = _from_records(situation, wanted, cue, entity, attempt)
    if isinstance(found, Ask) and _new_word(situation, goal):
        again = produce(situation, wanted, attempt, listing=False)
        if isinstance(again, Act):
            return again
    if found is not None:
        return found
    produced = produce(situation, wanted, attempt, listing=cue.picks or cue.every or cue.plural)
    if isinstance(produced, Act):
        return produced
    if selective:
        other = _elsewhere(situation, wanted)
        if other:
            return Got(tuple(other[:1]))
    return produced


def _stated(situation: Situation, wanted: Wanted, texts: tuple[str, ...]) -> list[str]:
    """Identifiers of the first text that holds fitting ones."""
    rivals = [p for p in wanted.tool.params if p.kind in (ID, IDS) and p.name != wanted.param.name]
    # What something is to become (new_sku) is named without its kind: a rival's slight claim to it does not count.
    slack = NEW_SLACK if _NEW_NAME.match(wanted.param.name) else 0.0
    for text in texts:
        found: list[str] = []
        for mention in mentions(text):
            if wanted.hints.avoids(wanted.param.name, mention.text) or mention.text in found:
                continue
            fit = _fit(situation, mention, wanted)
            if fit >= (FIT if wanted.depth else BARE_FIT) and all(
                suits(situation, mention, rival.noun) <= fit + slack for rival in rivals
            ):
                found.append(mention.text)
        if found:
            return found
    return []


def _new_word(situation: Situation, goal: Goal) -> bool:
    """Whether the user has since told a phone, e-mail or id that no call was made with."""
    told = mentioned(" ".join(answers(situation, goal)))
    return any(all(value not in map(str, call.args.values()) for call in situation.calls) for value in told)


def _ruled_out(situation: Situation, wanted: Wanted) -> bool:
    """Whether the goal's own words name the record for sure, and that very id has failed: another one is not meant."""
    named = [m for text in own(wanted.goal) for m in mentions(text) if _fit(situation, m, wanted) >= 0.7]
    return bool(named) and all((wanted.param.name, m.text) in wanted.hints.avoid for m in named)


def _fit(situation: Situation, mention: Mention, wanted: Wanted) -> float:
    return suits(situation, mention, wanted.nouns)


def _of_stated(situation: Situation, wanted: Wanted, stated: list[str], cue: Cues) -> Got | Act:
    """Of several stated ones the superlative's, where there is one (the dearer of A1 and A2); else all."""
    if len(stated) > 1 and cue.best and not wanted.goal.asks:
        pool = [one for one in candidates(situation, situation.seen(), wanted.nouns) if one.key in stated]
        if len(pool) < len(stated):
            missing = [one for one in stated if all(p.key != one for p in pool)]
            details = look_closer(situation, [Candidate(key, {}, "", False) for key in missing], wanted.nouns)
            if details:
                return details
        order = order_by([one.fields for one in pool], cue.best)
        if order:
            return Got((pool[order[0]].key,))
    return Got(tuple(stated))


def _elsewhere(situation: Situation, wanted: Wanted) -> list[str]:
    """A fitting identifier of the rest of the conversation; several only where the goal speaks of them."""
    found = _stated(situation, wanted, around(situation, wanted.goal))
    if len(found) > 1 and not cues(wanted.goal.head).every:
        return found[-1:] if wanted.param.kind == ID else found
    return found


def depends_on_earlier(situation: Situation, wanted: Wanted) -> bool:
    """Whether an earlier goal, still open, will make the record that this one needs."""
    return any(same_noun(nouns, wanted.nouns) for nouns in situation.coming)


def _from_records(
    situation: Situation, wanted: Wanted, cue: Cues, entity: frozenset[str], attempt: Attempt
) -> Got | Act | Ask | Dead | None:
    goal = wanted.goal
    spoken = _spoken_of(situation, wanted)
    if spoken:
        return choose(situation, goal, spoken, wanted.nouns, wanted.tool, wanted.param, wanted.tool.reads)
    search = _search_first(situation, wanted, attempt)
    if search is not None:
        return search
    facts, values = _facts_near(situation, goal, entity)
    found = [
        one for one in candidates(situation, facts, wanted.nouns) if not wanted.hints.avoids(wanted.param.name, one.key)
    ]
    picking = cue.picks or cue.every or cue.plural
    refs, null = _references(facts, wanted, frozenset(one.key for one in found))
    listed = [one for one in found if one.listed]
    if (
        picking
        and not listed
        and wanted.depth < MOST_DEPTH
        and not (found and len(found) == 1 and not cue.every and found[0].key in values and not cue.best)
    ):
        step = produce(situation, wanted, attempt, listing=True)
        if isinstance(step, Act):
            return step
    if picking and listed:
        found = listed
    if found and (listed or picking or not refs):
        if len(found) > 1 and not picking and entity:
            direct = [one for one in found if one.key in refs]
            found = direct or found
        return choose(situation, goal, found, wanted.nouns, wanted.tool, wanted.param, wanted.tool.reads)
    if refs:
        return Got(tuple(refs) if wanted.tool.reads or wanted.param.kind == IDS else tuple(refs[:1]))
    if null and not found:
        step = produce(situation, wanted, attempt, listing=False)
        return step if isinstance(step, Act) else Dead("null", wanted.nouns)
    return None


def _spoken_of(situation: Situation, wanted: Wanted) -> list[Candidate]:
    """Records seen that hold the very words of the goal or of its conditions (the wool scarf)."""
    found = candidates(situation, situation.seen(), wanted.nouns)
    for text in (wanted.goal.head, wanted.goal.near, *answers(situation, wanted.goal), *conditions(wanted.goal)):
        loose = [chunk.text.lower() for chunk in chunks(text) if len(chunk.text) > 1]
        hit = [
            one
            for one in found
            if any(words in one.words for words in loose) and not wanted.hints.avoids(wanted.param.name, one.key)
        ]
        if hit or (loose and text == wanted.goal.head):
            return hit
    return []


def _search_first(situation: Situation, wanted: Wanted, attempt: Attempt) -> Act | None:
    """A name in the goal's own words that no record seen holds is searched for, where a tool searches these records."""
    loose = [chunk.text for text in own(wanted.goal)[:1] for chunk in chunks(text) if len(chunk.text) > 1]
    if not loose or wanted.depth >= MOST_DEPTH or not any(ROLE[n] == THING for n in wanted.nouns if n in ROLE):
        return None
    for tool in situation.catalogue.tools:
        searches = tool.reads and tool.name not in situation.busy and any(p.kind == WORDS for p in tool.required)
        if not searches or not (same_noun(tool.nouns[:1], wanted.nouns) or same_noun(("item",), wanted.nouns)):
            continue
        if any(
            c.name == tool.name and c.at > wanted.goal.turn and set(map(str, c.args.values())) & set(loose)
            for c in situation.calls
        ):
            continue
        situation.busy.append(tool.name)
        step = attempt(situation, tool, wanted.goal, wanted.depth + 1)
        situation.busy.pop()
        if isinstance(step, Act):
            return step
    return None


def _facts_near(situation: Situation, goal: Goal, entity: frozenset[str]) -> tuple[tuple[Fact, ...], frozenset[str]]:
    """Records that hang together with the goal's entities, else with its turn's, else with any; else all seen."""
    turn = next((text for at, text in situation.view.users if at == goal.turn), "")
    later = " ".join(answers(situation, goal))
    everything = " ".join(text for _, text in situation.view.users)
    for text in ("", goal.scope + " " + later, turn + " " + later, everything):
        start = entity if not text else mentioned(text) | named_in(situation, text)
        if start:
            values, facts = linked(situation, start)
            if facts or not text:
                return facts, values
    return situation.seen(), frozenset()


def _references(facts: tuple[Fact, ...], wanted: Wanted, own_keys: frozenset[str]) -> tuple[list[str], bool]:
    """Ids of the wanted noun that stand in fields of other records, latest record first; whether one stood empty."""
    out: list[str] = []
    null = False
    for fact in reversed(facts):
        for key, value in fact.record.fields.items():
            if key != wanted.param.name and not (is_id_key(key) and same_noun(key_nouns(key), wanted.nouns)):
                continue
            if key.lower() == "id":
                continue
            items = value if isinstance(value, list) else [value]
            for item in items:
                if item is None or item == "":
                    null = True
                elif (
                    isinstance(item, (str, int))
                    and not isinstance(item, bool)
                    and not wanted.hints.avoids(wanted.param.name, item)
                ):
                    out.append(str(item))
    return list(dict.fromkeys(out)), null
