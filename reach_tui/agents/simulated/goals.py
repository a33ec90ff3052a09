"""What the user wants: goals out of all visible turns, each with the words around it that belong to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.agents.simulated.clauses import Clause, clauses
from reach_tui.agents.simulated.conditions import Cond
from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.lexicon import FIELD, ROLE, THING
from reach_tui.agents.simulated.mood import ACTION, CHAT, FORBID, QUERY, act_keys, forbidden_acts
from reach_tui.agents.simulated.said import NEW, Said


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing wanted. `turn` is the place of the user's message, `span` its clause there; `head` its instruction,
    `text` with content and context; `near` the words told beside it, `before` the clause it may lean on."""

    turn: int
    number: int
    span: tuple[int, int]
    asks: bool
    head: str
    text: str
    near: str
    before: str
    acts: tuple[str, ...]
    said: tuple[Said, ...]
    conds: tuple[tuple[Cond, bool], ...]
    fresh: bool

    @property
    def scope(self) -> str:
        """All words that belong to the goal, those of its conditions included."""
        return " ".join(part for part in (self.text, self.near, *(cond.text for cond, _ in self.conds)) if part)

    @property
    def context(self) -> str:
        """The words beside the instruction, for choosing a tool."""
        lean = () if _has_thing(self.head) else (*(cond.text for cond, _ in self.conds), self.before)
        return " ".join(part for part in (self.near, *lean) if part)


@dataclass(frozen=True, slots=True)
class Wishes:
    """All goals of a conversation in order; `forbidden` are acts the user ruled out; `facts` are turns that only tell
    (place, text); `dropped` says that the user gave up what went before."""

    goals: tuple[Goal, ...]
    forbidden: tuple[str, ...]
    facts: tuple[tuple[int, str], ...]


_NEVER_MIND = re.compile(
    r"^\W*(?:算了|不用了|不需要了|不必了|不用管了|never ?mind|forget (?:it|about it)|don['’]t bother|no "
    r"need)(?:[，,.。!！吧]|$)",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"[?？]\s*$|请提供|请问|请告诉|could you (?:give|tell)|please (?:give|provide|tell)", re.IGNORECASE
)


def _has_thing(text: str) -> bool:
    return any(ROLE[c] == THING for c in concepts(text))


@lru_cache(maxsize=2048)
def turn_goals(
    turn: str, at: int, offered: frozenset[str], answering: bool
) -> tuple[tuple[Goal, ...], tuple[str, ...]]:
    """Goals of one turn and the acts it forbids. `answering`: the model had asked, so that mere values are answers."""
    found = clauses(turn, offered)
    wanted = [c for c in found if c.mood in (ACTION, QUERY) and not (answering and _mere_answer(c))]
    wanted = [c for c in wanted if not _only_told(c, wanted)]
    forbidden = tuple(act for c in found if c.mood == FORBID for act in forbidden_acts(c.head))
    if not wanted:
        return (), forbidden
    near: dict[int, list[tuple[int, int]]] = {}
    extra: dict[int, list[Said]] = {}
    for clause in found:
        if clause in wanted or (clause.mood == CHAT and not clause.said) or clause.mood == FORBID:
            continue
        owner = _owner(clause, wanted)
        near.setdefault(owner, []).append((clause.start, clause.end))
        extra.setdefault(owner, []).extend(clause.said)
    goals = []
    for n, clause in enumerate(wanted):
        goals.append(
            Goal(
                turn=at,
                number=n,
                span=(clause.start, clause.end),
                asks=clause.mood == QUERY,
                head=clause.head,
                text=clause.text,
                near=_joined(turn, near.get(n, [])),
                before=wanted[n - 1].head if n else "",
                acts=_acts(clause),
                said=(*clause.said, *extra.get(n, ())),
                conds=clause.conds,
                fresh=clause.fresh,
            )
        )
    return tuple(goals), forbidden


_SOME = re.compile(r"有(?:好)?几|不少|\bseveral\b|\ba few\b|\bsome of\b")


def _only_told(clause: Clause, wanted: list[Clause]) -> bool:
    """A clause beside an order that gives its reason or what is wrong (A 不想要了，请退款), and asks for nothing."""
    if clause.conds or not any(other is not clause and _acts(other) for other in wanted):
        return False
    if clause.mood == ACTION:
        return not _acts(clause) and "unwanted" in concepts(clause.head)
    return bool(_SOME.search(clause.head)) and not re.search(r"[?？]", clause.text)


def _joined(turn: str, spans: list[tuple[int, int]]) -> str:
    """Words told beside a goal; pieces that only a comma parts stay together (77 River Road, Oxford)."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and re.fullmatch(r"\s*[,，]\s*", turn[out[-1][1] : start]):
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return " ".join(turn[start:end].strip(" ，,") for start, end in out)


def _acts(clause: Clause) -> tuple[str, ...]:
    """The acts a clause orders; a new value given without a verb (应该是 ...) orders a change."""
    if clause.mood != ACTION:
        return ()
    acts = act_keys(clause.head)
    if any(one.label == NEW for one in clause.said) and set(acts) <= {"ship", "send"}:
        return ("change", *acts)
    return acts or (("change",) if any(one.label == NEW for one in clause.said) else ())


def _mere_answer(clause: Clause) -> bool:
    """After a question of the model, a clause with values but without an order or a question of its own."""
    if clause.mood == QUERY:
        return (
            "?" not in clause.text
            and "？" not in clause.text
            and not re.search("查|看|什么|多少|哪|几", clause.text)
            and not re.match(r"\s*(?:what|where|when|how|which|who|check|find|show)", clause.text, re.IGNORECASE)
        )
    return not clause.conds and not any(_strong(key) for key in act_keys(clause.head))


def _strong(act: str) -> bool:
    return act not in (
        "apply",
        "set",
        "send",
        "note",
        "create",
        "change",
        "submit",
        "schedule",
        "report",
        "buy",
        "pay",
        "ship",
        "add",
        "notify",
        "sign",
    )


def _owner(clause: Clause, wanted: list[Clause]) -> int:
    """The goal that words told beside it belong to: the next in the sentence, else the one before, else the nearest."""
    same = [n for n, w in enumerate(wanted) if w.sentence == clause.sentence]
    after = [n for n in same if wanted[n].start >= clause.start]
    before = [n for n in same if wanted[n].start < clause.start]
    if before and (not after or clause.said or not _names_record(clause.text)):
        return before[-1]
    if after:
        return after[0]
    later = [n for n, w in enumerate(wanted) if w.start >= clause.start]
    return later[0] if later else len(wanted) - 1


def _names_record(text: str) -> bool:
    return any(token.kind == "value" for token in tokens(text)) or any(
        ROLE[c] in (THING, FIELD) for c in concepts(text)
    )


def wishes(users: tuple[tuple[int, str], ...], own: tuple[tuple[int, str], ...], offered: frozenset[str]) -> Wishes:
    """The goals of a conversation. A turn without any is an answer or a remark, and its values are facts."""
    goals: list[Goal] = []
    forbidden: list[str] = []
    facts: list[tuple[int, str]] = []
    for at, text in users:
        asked = next((said for place, said in reversed(own) if place < at), "")
        answering = bool(asked and _ANSWER.search(asked))
        found, banned = turn_goals(text, at, offered, answering)
        if _NEVER_MIND.search(text):
            goals = []
        forbidden.extend(banned)
        if (not found and goals) or (found and answering):
            facts.append((at, text))
        goals.extend(found)
    return Wishes(tuple(goals), tuple(dict.fromkeys(forbidden)), tuple(facts))
