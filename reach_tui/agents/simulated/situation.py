"""Everything a decision is made from, in one place: the view, the catalogue, the goals, and the records seen so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

from reach_tui.agents.simulated.catalogue import Catalogue, Tool
from reach_tui.agents.simulated.directives import Directives
from reach_tui.agents.simulated.goals import Wishes
from reach_tui.agents.simulated.mentions import Mention, mentions, same_noun
from reach_tui.agents.simulated.models import Traits
from reach_tui.agents.simulated.records import Reading, Record, is_id_key, key_nouns, read_result
from reach_tui.agents.simulated.values import find_values, prefix, shape
from reach_tui.agents.simulated.view import View
from reach_tui.core.canonical import canonical
from reach_tui.core.draws import draw


@dataclass(frozen=True, slots=True)
class Call:
    """A visible call with what came of it."""

    at: int
    name: str
    args: Mapping[str, Any]
    reading: Reading
    mark: str

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return self.reading.error is None


@dataclass(frozen=True, slots=True)
class Fact:
    """A record with the place of the call that showed it and that call's arguments."""

    at: int
    tool: str
    args: Mapping[str, Any]
    record: Record


@dataclass(slots=True)
class Situation:
    """One decision's inputs. Built fresh for each decision; `spent` are calls already counted for a goal."""

    view: View
    catalogue: Catalogue
    traits: Traits
    seed: str
    chinese: bool
    now: date | None
    wishes: Wishes
    directives: Directives
    calls: tuple[Call, ...]
    facts: tuple[Fact, ...]
    minor: bool
    spent: set[int] = field(default_factory=set)
    until: int | None = None
    depth: int = 0
    busy: list[str] = field(default_factory=list)
    coming: list[tuple[str, ...]] = field(default_factory=list)
    ranks: dict[Any, Any] = field(default_factory=dict)

    def chance(self, *key: Any) -> float:
        """A draw of this trial."""
        return draw(self.seed, *key)

    def seen(self) -> tuple[Fact, ...]:
        """Records seen before `until` (all where that is None)."""
        if self.until is None:
            return self.facts
        return tuple(fact for fact in self.facts if fact.at < self.until)

    def tool(self, name: str) -> Tool | None:
        """The visible tool of that name."""
        return self.catalogue.tool(name)


def read_calls(view: View, catalogue: Catalogue) -> tuple[Call, ...]:
    """The visible, answered calls with their results read."""
    out = []
    for seen in view.calls:
        if seen.result is None:
            continue
        tool = catalogue.tool(seen.name)
        reading = read_result(seen.result, tool.nouns if tool else key_nouns(seen.name))
        out.append(Call(seen.at, seen.name, seen.args, reading, mark_of(seen.name, seen.args)))
    return tuple(out)


def mark_of(name: str, args: Mapping[str, Any]) -> str:
    """A call's name and arguments as one key."""
    return canonical([name, dict(args)])


def facts_of(calls: tuple[Call, ...]) -> tuple[Fact, ...]:
    """All records of the calls, in the order seen."""
    return tuple(Fact(call.at, call.name, call.args, record) for call in calls for record in call.reading.records)


@lru_cache(maxsize=4096)
def _scalars(items: tuple[tuple[str, Any], ...]) -> frozenset[str]:
    return frozenset(str(value) for _, value in items if isinstance(value, (str, int)) and not isinstance(value, bool))


def scalars(fields: Mapping[str, Any]) -> frozenset[str]:
    """Texts and whole numbers of a record, as text, lists of them opened."""
    flat: list[tuple[str, Any]] = []
    for key, value in fields.items():
        if isinstance(value, list):
            flat.extend((key, one) for one in value if isinstance(one, (str, int)))
        elif isinstance(value, (str, int)):
            flat.append((key, value))
    return _scalars(tuple(flat))


def linked(situation: Situation, start: frozenset[str]) -> tuple[frozenset[str], tuple[Fact, ...]]:
    """Values and records that hang together with `start`: by a shared value, or by a call that was given one."""
    values = set(start)
    facts = situation.seen()
    hit: list[bool] = [False] * len(facts)
    for _ in range(4):
        grown = False
        for n, fact in enumerate(facts):
            if hit[n]:
                continue
            if values & scalars(fact.record.fields) or (fact.record.key or "") in values or values & scalars(fact.args):
                hit[n] = grown = True
                if fact.record.key:
                    values.add(fact.record.key)
                values.update(
                    str(v)
                    for k, v in fact.record.fields.items()
                    if is_id_key(k) and isinstance(v, (str, int)) and not isinstance(v, bool)
                )
        if not grown:
            break
    return frozenset(values), tuple(fact for n, fact in enumerate(facts) if hit[n])


def named_in(situation: Situation, text: str) -> frozenset[str]:
    """Field values of seen records that stand in `text` word for word."""
    out: list[str] = []
    low = text.lower()
    for fact in situation.seen():
        for key, value in fact.record.fields.items():
            if (
                isinstance(value, str)
                and 2 <= len(value) <= 40
                and value.lower() in low
                and not value.isascii() | is_id_key(key)
                and value not in out
            ) or (
                isinstance(value, str)
                and 3 <= len(value) <= 40
                and value.isascii()
                and (" " in value or is_id_key(key) or key_nouns(key)[:1] == ("name",))
                and re.search(rf"(?<![A-Za-z0-9]){re.escape(value.lower())}(?![A-Za-z0-9])", low)
            ):
                out.append(value)
    return frozenset(out)


def suits(situation: Situation, mention: Mention, nouns: tuple[str, ...]) -> float:
    """How well an identifier of a text fits a parameter that wants one of `nouns`: 0 not at all, 1 surely."""
    if mention.nouns and mention.loose and not same_noun(mention.nouns, nouns):
        evidence = _evidence(situation, mention.text, nouns)
        return 0.0 if evidence is None else evidence
    if mention.nouns:
        if same_noun(mention.nouns, nouns):
            return 1.0
        if "number" not in nouns:
            return 0.0
    evidence = _evidence(situation, mention.text, nouns)
    if evidence is not None:
        return evidence
    return 0.5 if same_noun(situation.catalogue.main_noun, nouns) else 0.4


def _evidence(situation: Situation, text: str, nouns: tuple[str, ...]) -> float | None:
    """What records seen, documented examples and first letters say of an identifier; None if they say nothing."""
    known = _known_nouns(situation, text)
    if known:
        return 1.0 if same_noun(known, nouns) else 0.0
    example = situation.catalogue.shapes.get(shape(text))
    if example:
        return 0.9 if same_noun(example, nouns) else 0.1
    letters = prefix(text)
    if letters:
        for pattern, named in situation.catalogue.shapes.items():
            if prefix(pattern) == letters:
                return 0.8 if same_noun(named, nouns) else 0.2
        alike = _nouns_by_letters(situation.catalogue, letters)
        if alike:
            return 0.7 if same_noun(alike, nouns) else 0.3
    return None


def _known_nouns(situation: Situation, text: str) -> tuple[str, ...]:
    """What seen records say that an identifier names."""
    for fact in reversed(situation.facts):
        if fact.record.key == text and fact.record.nouns:
            return fact.record.nouns[:1]
        for key, value in fact.record.fields.items():
            if is_id_key(key) and str(value) == text and key_nouns(key):
                return key_nouns(key)
    return ()


_LETTERS = {
    "order": ("O", "OR", "ORD", "SO", "PO", "DD", "ORDER"),
    "item": ("P", "SKU", "I", "IT", "ITEM", "PRD", "PROD", "G"),
    "shipment": ("S", "SH", "SHP", "SHIP", "PK", "PKG", "LP", "D", "WB"),
    "member": ("M", "MB", "C", "CU", "CUS", "CUST", "U", "USR", "MEM", "VIP"), "employee": ("E", "EMP"),
    "ticket": ("T", "TK", "TKT", "TIC", "CS", "CASE", "WO"), "refund_record": ("R", "RF", "RE", "REF"),
    "payment": ("P", "PY", "PAY", "TX", "TXN"), "approval": ("AP", "APP", "APR"), "invoice_record": ("INV", "FP"),
}  # fmt: skip


@lru_cache(maxsize=256)
def _letters_of(nouns: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    out: dict[str, list[str]] = {}
    for noun in nouns:
        for name in _LETTERS.get(noun, (noun[:1].upper(), noun[:2].upper(), noun[:3].upper())):
            out.setdefault(name, []).append(noun)
    return {key: tuple(dict.fromkeys(found)) for key, found in out.items()}


def _nouns_by_letters(catalogue: Catalogue, letters: str) -> tuple[str, ...]:
    """Nouns with ids in this catalogue whose English name begins like `letters`; only where that is unambiguous."""
    nouns = tuple(dict.fromkeys(param.noun[0] for tool in catalogue.tools for param in tool.params if param.noun))
    found = _letters_of(nouns).get(letters, ())
    return found if len(found) == 1 else ()


def mentioned(text: str) -> frozenset[str]:
    """Identifiers, phones and addresses of mail that a text holds."""
    return frozenset(
        [m.text for m in mentions(text)] + [v.text for v in find_values(text) if v.kind in ("id", "phone", "email")]
    )
