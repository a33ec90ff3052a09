"""A user's turn cut into clauses, each with its mood and the conditions it stands under."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.conditions import Cond, Split, is_denied, is_hollow, read_cond, split_condition
from reach_tui.agents.simulated.cutting import cut_sentences, fragments, head_of
from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.lexicon import ACT, ROLE, THING
from reach_tui.agents.simulated.mentions import mentions
from reach_tui.agents.simulated.mood import ACTION, FORBID, QUERY, TELL, act_keys, asks_politely, mood
from reach_tui.agents.simulated.said import NEW, Said, find_said
from reach_tui.agents.simulated.values import find_values


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a turn. `head` is its text without content spans; `conds` must hold for it, each as (cond, wanted)."""

    text: str
    head: str
    start: int
    end: int
    sentence: int
    mood: str
    said: tuple[Said, ...] = ()
    conds: tuple[tuple[Cond, bool], ...] = ()
    fresh: bool = False


_FRESH = re.compile(
    r"^\W*(?:另外|顺便|同时|此外|还有|最后|也|also\b|additionally\b|besides\b|anyway\b|in addition\b|separately\b|"
    r"finally\b|by the way\b)",
    re.IGNORECASE,
)
_THEN = re.compile(r"^(?:就|则|那就|那么|那|便|then\b|请|麻烦|please\b)", re.IGNORECASE)
_NOTHING = re.compile(
    r"算了|不用|不必|什么都不|不管|没事|不处理|\bnothing\b|\bleave it\b|\bignore\b|\bfine\b|\bforget\b|\bdon['’]t\b|"
    r"\bdo not\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def clauses(turn: str, offered: frozenset[str] = frozenset()) -> tuple[Clause, ...]:
    """The clauses of a turn, in order. `offered` are the acts that the visible tools can do."""
    said = find_said(turn)
    closed = [(s.start, s.end) for s in said] + [(v.start, v.end) for v in find_values(turn)]
    out: list[Clause] = []
    last: tuple[tuple[Cond, bool], ...] = ()
    for number, (start, end) in enumerate(cut_sentences(turn, closed)):
        pieces = [p for p in fragments(turn, start, end, closed) if turn[p[0] : p[1]].strip()]
        made, last = _sentence(turn, pieces, number, said, last, out, offered)
        out.extend(made)
    return tuple(out)


def _sentence(
    turn: str,
    pieces: list[tuple[int, int]],
    number: int,
    said: tuple[Said, ...],
    last: tuple[tuple[Cond, bool], ...],
    earlier: list[Clause],
    offered: frozenset[str],
) -> tuple[list[Clause], tuple[tuple[Cond, bool], ...]]:
    """The clauses of one sentence, and the condition that an `otherwise` after it would turn round."""
    out: list[Clause] = []
    active: tuple[tuple[Cond, bool], ...] = ()
    waiting = False
    for start, end in pieces:
        head, inside = head_of(turn, start, end, said)
        if _FRESH.search(head):
            active = ()
        split = split_condition(head)
        if split is None:
            if not head and not inside:
                continue
            how = mood(head, offered) if head else TELL
            if waiting and how == TELL and not inside and not _THEN.match(head):
                active = (*active, (read_cond(head, False, _asked([*earlier, *out])), True))
                last = active
                continue
            if waiting and how == TELL and act_keys(head):
                how = ACTION
            if any(one.label == NEW for one in inside) and (how == TELL or (how == QUERY and asks_politely(head))):
                how = ACTION
            waiting = False
            out.append(
                Clause(
                    turn[start:end].strip(" ，,"),
                    head,
                    start,
                    end,
                    number,
                    how,
                    inside,
                    active,
                    bool(_FRESH.search(head)),
                )
            )
            continue
        active, last = _conditions(split, last, [*earlier, *out])
        waiting = split.cond is not None and not split.then
        if split.then:
            how = mood(split.then, offered)
            if (
                how == TELL
                and not _NOTHING.search(split.then)
                and (act_keys(split.then) or _says_something(split.then))
            ):
                how = ACTION
            out.append(Clause(turn[start:end].strip(" ，,"), split.then, start, end, number, how, inside, active))
        elif inside and not waiting:
            out.append(Clause(turn[start:end].strip(" ，,"), "", start, end, number, TELL, inside, active))
    return _join_hollow([_with_fallback(one) for one in out], turn), last


def _join_hollow(found: list[Clause], turn: str) -> list[Clause]:
    """Pieces of one question that commas cut apart (which of the two, A or B, costs more?) become one again."""
    asked = [n for n, c in enumerate(found) if c.mood == QUERY]
    if len(asked) > 1 and _only_names(found[asked[0]].head) and not found[asked[0]].conds:
        found = [replace(c, mood=TELL) if n == asked[0] else c for n, c in enumerate(found)]
        asked = asked[1:]
    if (
        len(asked) < 2
        or any(ROLE[c] != "read" for c in concepts(found[asked[0]].head))
        or mentions(found[asked[0]].head)
        or chunks(found[asked[0]].head)
    ):
        return found
    first, last = asked[0], asked[1]
    if any(c.mood != TELL for c in found[first + 1 : last]) or found[first].conds != found[last].conds:
        return found
    whole = turn[found[first].start : found[last].end]
    joined = replace(found[first], text=whole, head=whole, end=found[last].end)
    return [*found[:first], joined, *found[last + 1 :]]


def _only_names(text: str) -> bool:
    """查询订单 A105: nothing is asked but to see what follows."""
    labels = {n for m in mentions(text) for n in m.nouns}
    rest = [
        c
        for c in concepts(text)
        if (ROLE[c] != "read" or c == "track") and c not in labels and c not in ("number", "created")
    ]
    return bool(mentions(text)) and not rest


def _says_something(text: str) -> bool:
    return bool(find_values(text)) or any(ROLE[c] in (THING, ACT) for c in concepts(text))


def _with_fallback(clause: Clause) -> Clause:
    """A clause under a condition orders something even where it is worded as a wish."""
    if (
        clause.conds
        and clause.mood == TELL
        and any(ROLE[k] == THING for t in tokens(clause.head) if t.kind == "concept" for k in t.keys)
    ):
        return replace(clause, mood=QUERY if "?" in clause.head else ACTION if act_keys(clause.head) else TELL)
    return clause


def _conditions(
    split: Split, last: tuple[tuple[Cond, bool], ...], before: list[Clause]
) -> tuple[tuple[tuple[Cond, bool], ...], tuple[tuple[Cond, bool], ...]]:
    if split.otherwise:
        if not last:
            asked = _asked(before)
            last = ((read_cond(asked, False, asked), True),) if asked else ()
        return tuple((cond, not wanted) for cond, wanted in last[-1:]), last
    text = split.cond or ""
    asked = _asked(before)
    if is_hollow(text) and not split.failure:
        question = next((c for c in reversed(before) if c.mood in (QUERY, ACTION, FORBID)), None)
        if last and (question is None or question.mood != QUERY or question.conds):
            cond, want = last[-1]
            same = split.so or split.denied == is_denied(cond.text)
            return ((cond, want if split.so else same),), last
        if asked:
            active = ((read_cond(asked, False, asked), not split.denied),)
            return active, active
    active = ((read_cond(text, split.failure, asked), not split.unless),)
    return active, active


def _asked(before: list[Clause]) -> str:
    """The latest question or order, which a short condition (有的话, if so) refers to."""
    asked = next((c.head for c in reversed(before) if c.mood in (QUERY, ACTION, FORBID)), "")
    return asked or next(
        (
            c.head
            for c in reversed(before)
            if c.mood == TELL and any(ROLE[k] in ("state", ACT) for k in concepts(c.head))
        ),
        "",
    )
