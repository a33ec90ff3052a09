"""What records say about a condition or a description: by concepts in field values, by numbers, by dates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from reach_tui.agents.simulated.cues import HIGH, Bound, Cues, holds
from reach_tui.agents.simulated.dates import parse_moment
from reach_tui.agents.simulated.features import concepts, spaced, states
from reach_tui.agents.simulated.lexicon import ACT, ROLE, STAGE_CHAINS, STATE, THING

Fields = Mapping[str, Any]

_STATUS_KEYS = frozenset({"status", "level", "priority", "category", "channel"})
_ENDED = frozenset({"cancel", "refund", "return", "complete", "close", "lost", "expired", "reject"})
_MONEY = frozenset({"amount", "price", "fee", "balance", "total", "used", "sales", "budget", "discount"})
_DATE_PREFERENCE = ("created", "date", "time", "applicant", "submit", "create", "buy", "pay")
_COUNTS = frozenset({"days", "points", "quantity", "stock", "capacity", "percent", "number", "year"})
_STOCK = frozenset({"stock"})


@lru_cache(maxsize=4096)
def key_concepts(key: str) -> frozenset[str]:
    """What a field's name speaks of."""
    return frozenset(concepts(spaced(key).lower()))


@lru_cache(maxsize=4096)
def _value_states(value: str) -> tuple[tuple[str, bool], ...]:
    return states(spaced(value)) if len(value) <= 40 else ()


def _stage(concept: str, status: Sequence[str]) -> bool | None:
    """Whether a status that has reached one of `status` implies `concept`; None where neither order says so."""
    if concept == "transit" and set(status) & {"ship", "transit"} and "delivered" not in status:
        return True
    for chain in STAGE_CHAINS:
        if concept in chain:
            reached = [chain.index(one) for one in status if one in chain]
            if reached:
                return max(reached) >= chain.index(concept)
    return None


def decides(fields: Fields, concept: str) -> bool | None:
    """Whether a record is in the state `concept`; None if nothing in it tells."""
    weak: bool | None = None
    for key, value in fields.items():
        about = key_concepts(key)
        if isinstance(value, bool):
            if concept in about:
                return value
            continue
        if isinstance(value, str):
            verdict = _by_text(about, value, concept)
            if verdict is not None and "status" in about and not any(ROLE[k] == THING for k in about):
                return verdict
            weak = verdict if weak is None else weak
        if (
            concept in about
            and ROLE[concept] in (STATE, ACT)
            and (value is None or parse_moment(value))
            and weak is None
        ):
            weak = value is not None
    return weak


def _by_text(about: frozenset[str], value: str, concept: str) -> bool | None:
    found = _value_states(value)
    plain = [key for key, denied in found if not denied]
    if concept in plain:
        return True
    if (concept, True) in found:
        return False
    if not (about & _STATUS_KEYS) or not found:
        return None
    foreign = [key for key in about if ROLE[key] == THING]
    if "status" in about:
        staged = _stage(concept, plain)
        if foreign:
            return staged if staged is not None and concept in ("pay",) else None
        if staged is not None:
            return staged
        return False
    return (
        False
        if ROLE[concept] == STATE and concept in _VALUES_OF.get(next(iter(about & _STATUS_KEYS)), frozenset())
        else None
    )


_VALUES_OF = {
    "level": frozenset({"gold", "silver", "platinum", "regular", "vip"}),
    "priority": frozenset({"high", "normal", "low"}),
    "category": frozenset({"annual", "sick", "personal", "express", "economy"}),
    "channel": frozenset({"original", "credit"}),
}


def in_stock(fields: Fields) -> bool | None:
    """Whether a record says that there is some; None if it does not tell."""
    for key, value in fields.items():
        about = key_concepts(key)
        if "stock" in about and isinstance(value, bool):
            return value
        if "stock" in about and isinstance(value, (int, float)):
            return value > 0
        if "stock" in about and isinstance(value, str):
            return not re.search(r"out|无|缺|none|sold", value, re.IGNORECASE)
    return next(
        (
            value > 0
            for key, value in fields.items()
            if key_concepts(key) & _STOCK and isinstance(value, (int, float)) and not isinstance(value, bool)
        ),
        None,
    )


def number_field(fields: Fields, about: Sequence[str], kind: str, unit: str = "") -> tuple[str, float] | None:
    """The numeric field that a bound or superlative speaks of, as (key, value)."""
    wanted = list(about)
    if "balance" not in wanted[:1]:
        wanted += {"money": ["amount", "price", "total", "balance"], "percent": ["percent"]}.get(kind, [])
    wanted += {
        "人": ["capacity"],
        "天": ["days"],
        "积分": ["points"],
        "分": ["points"],
        "件": ["quantity", "stock"],
        "个": ["quantity", "stock"],
        "money": [],
    }.get(unit, [])
    numeric = [
        (key, float(value))
        for key, value in fields.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]
    for concept in wanted:
        pool = _MONEY if concept in ("amount", "price", "total") and concept not in about[:1] else frozenset({concept})
        for key, value in numeric:
            if (
                key_concepts(key) & pool
                or (concept == "amount" and key_concepts(key) & {"total", "price"})
                or (concept == "price" and key_concepts(key) & {"amount", "total"})
            ):
                return key, value
    if "balance" in wanted and len(numeric) > 1:
        spent = next((value for key, value in numeric if "used" in key_concepts(key)), None)
        whole = next(
            (
                value
                for key, value in numeric
                if key_concepts(key) & {"total", "amount", "budget"} and "used" not in key_concepts(key)
            ),
            None,
        )
        if spent is not None and whole is not None:
            return "remaining", whole - spent
    numeric = [(key, value) for key, value in numeric if not key_concepts(key) & _COUNTS]
    return numeric[0] if len(numeric) == 1 and (kind in ("money", "percent") or not about) else None


def date_field(fields: Fields, about: Sequence[str] = ()) -> tuple[str, datetime] | None:
    """The date field that a text speaks of: by its concepts, else the one that says when the record came to be."""
    dated = [(key, moment) for key, value in fields.items() if (moment := parse_moment(value)) is not None]
    for concept in (*about, *_DATE_PREFERENCE):
        for key, moment in dated:
            if concept in key_concepts(key):
                return key, moment
    return dated[0] if dated else None


def meets(fields: Fields, bound: Bound, now: date | None, minor: bool) -> bool | None:
    """Whether a record meets a numeric condition; None if no field tells."""
    if bound.unit == "天" or (bound.kind == "number" and "days" in bound.about[:1]):
        days = number_field(fields, ("days",), "number")
        if days and "days" in key_concepts(days[0]):
            return holds(bound.op, days[1], bound.number)
        found = date_field(fields, [c for c in bound.about if c in ("delivered", "created", "pay", "ship", "submit")])
        if found and now:
            return holds(bound.op, abs((now - found[1].date()).days), bound.number)
        return None
    found_number = number_field(fields, bound.about, bound.kind, bound.unit)
    if found_number is None:
        return None
    key, value = found_number
    money = bound.kind == "money" or (key_concepts(key) & _MONEY and bound.kind == "number" and bound.unit == "")
    if bound.kind == "percent" and value <= 1:
        value *= 100
    return holds(bound.op, value, bound.number * (100 if money and minor else 1))


def keeps(fields: Fields, cue: Cues, now: date | None, minor: bool) -> bool | None:
    """Whether a record fits the description of `cue` (its superlative apart); None if nothing in it tells."""
    verdicts: list[bool | None] = []
    for concept, denied in cue.states:
        verdict = decides(fields, concept)
        if verdict is not None:
            verdict = verdict != denied
            if denied and verdict and any(decides(fields, end) for end in _ENDED if end != concept and ROLE.get(end)):
                verdict = False
        verdicts.append(verdict)
    if cue.stock is not None:
        stocked = in_stock(fields)
        verdicts.append(None if stocked is None else stocked == cue.stock)
    verdicts.extend(meets(fields, bound, now, minor) for bound in cue.bounds)
    if False in verdicts:
        return False
    return True if True in verdicts else None


def order_by(rows: Sequence[Fields], best: tuple[str, str]) -> list[int] | None:
    """Places of `rows` from best to worst by a superlative; None if no field tells."""
    concept, way = best
    if concept == "date":
        dated = [(found[1], n) for n, fields in enumerate(rows) if (found := date_field(fields))]
        if dated:
            return [
                n
                for _, n in sorted(
                    dated, key=lambda pair: (pair[0], pair[1] if way != HIGH else -pair[1]), reverse=way == HIGH
                )
            ]
        return None
    counted = [
        (number[1], n)
        for n, fields in enumerate(rows)
        if (number := number_field(fields, (concept,), "money" if concept == "price" else ""))
    ]
    if not counted:
        return None
    return [n for _, n in sorted(counted, key=lambda pair: (-pair[0] if way == HIGH else pair[0], pair[1]))]
