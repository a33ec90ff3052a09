"""The bilingual lexicon, compiled: which concepts a word or phrase names, and what kind each concept is."""

from __future__ import annotations

import re

from reach_tui.agents.simulated.lexicon_acts import ACTS, READS
from reach_tui.agents.simulated.lexicon_states import CONTENT_ZH, NEUTRAL_ZH, STAGES, STATES, STOP_EN, STOP_ZH
from reach_tui.agents.simulated.lexicon_things import FIELDS, THINGS

ACT, READ, THING, FIELD, STATE = "act", "read", "thing", "field", "state"

_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")
_IRREGULAR = {
    "sent": "send", "found": "find", "paid": "pay", "held": "hold", "kept": "keep", "broken": "break",
    "broke": "break",
    "bought": "buy", "lost": "lose", "gave": "give", "given": "give", "shown": "show", "people": "person",
    "withdrawn": "withdraw",
    "made": "make", "written": "write", "told": "tell", "got": "get", "cheapest": "cheap", "cheaper": "cheap",
    "arrival": "arrive",
    "shipping": "shipping",
}  # fmt: skip


def stem(word: str) -> str:
    """A light stem of a lower-case English word: plural, -ing, -ed and a last e go."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii() or word == "shipping":
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5:
        word = word[:-3]
    elif word.endswith("ed") and len(word) > 4 and word[-3] != "e":
        word = word[:-2]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return _DOUBLED.sub(r"\1", word) if len(word) > 3 else word


def _compile() -> tuple[
    dict[tuple[str, ...], tuple[str, ...]], dict[str, tuple[str, ...]], dict[str, str], dict[str, tuple[str, str]]
]:
    english: dict[tuple[str, ...], list[str]] = {}
    chinese: dict[str, list[str]] = {}
    roles: dict[str, str] = {}
    spoken: dict[str, tuple[str, str]] = {}
    for role, table in ((ACT, ACTS), (READ, READS), (THING, THINGS), (FIELD, FIELDS), (STATE, STATES)):
        for line in table.strip().splitlines():
            concept, en, zh = (part.strip() for part in line.split("|"))
            en_forms = [form.strip() for form in en.split(",") if form.strip()]
            zh_forms = [form.strip() for form in zh.split(",") if form.strip()]
            roles[concept] = role
            spoken[concept] = (en_forms[0], zh_forms[0])
            for form in en_forms:
                words = tuple(stem(word) for word in re.findall(r"[a-z]+", form.lower()))
                if concept not in english.setdefault(words, []):
                    english[words].append(concept)
            for form in zh_forms:
                if concept not in chinese.setdefault(form, []):
                    chinese[form].append(concept)
    return (
        {words: tuple(names) for words, names in english.items()},
        {form: tuple(names) for form, names in chinese.items()},
        roles,
        spoken,
    )


ENGLISH, CHINESE, ROLE, SPOKEN = _compile()
"""Stemmed words to concepts; Chinese form to concepts; concept to role; concept to how it is said (en, zh)."""

NEUTRAL = frozenset(NEUTRAL_ZH.split()) | frozenset(STOP_ZH)
CONTENT = frozenset(CONTENT_ZH.split())
STOP = frozenset(STOP_EN.split())
LONGEST_PHRASE = max(len(words) for words in ENGLISH)
LONGEST_FORM = max(max(map(len, CHINESE)), max(map(len, NEUTRAL)), max(map(len, CONTENT)))
STAGE_CHAINS = STAGES

GENERIC_ACTS = frozenset({"apply", "submit", "set", "send", "schedule", "verify", "note", "create", "report"})
"""Acts that often only introduce another one: 申请退款, request a refund."""

_RELATED = (
    ("refund", "return"), ("exchange", "change"), ("exchange", "reship"), ("exchange", "return"), ("create", "apply"),
    ("create", "submit"), ("apply", "submit"), ("create", "report"), ("notify", "send"), ("create", "complain"),
    ("set", "change"),
    ("escalate", "report"), ("escalate", "assign"), ("escalate", "upgrade"), ("transfer", "assign"), ("add",
    "issue"), ("add", "compensate"),
    ("close", "complete"), ("remove", "cancel"), ("reserve", "create"), ("add", "create"), ("note", "add"),
    ("freeze", "intercept"),
    ("activate", "reopen"), ("release", "cancel"), ("restock", "add"), ("upgrade", "change"), ("reship", "send"),
    ("reship", "ship"),
    ("buy", "create"), ("send", "ship"), ("schedule", "reserve"), ("schedule", "set"), ("pay", "refund"), ("issue",
    "create"),
    ("report", "submit"), ("expedite", "change"), ("subscribe", "create"), ("sign", "approve"), ("add", "change"),
    ("remove", "change"),
    ("complain", "submit"), ("complain", "apply"), ("transfer", "change"), ("compensate", "refund"), ("upgrade",
    "escalate"), ("release", "activate"),
    ("set", "create"), ("send", "reship"), ("note", "create"), ("note", "change"),
    ("add", "set"), ("verify", "approve"),
)  # fmt: skip
RELATED = frozenset(pair for one, two in _RELATED for pair in ((one, two), (two, one)))
"""Acts close enough that one may stand for the other where the exact one is not on offer."""
