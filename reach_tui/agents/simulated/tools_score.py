"""Which tool a clause is for: cosine of idf-weighted features, with its acts and its mood, and a little noise."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from reach_tui.agents.simulated.catalogue import Catalogue, Tool, Vector
from reach_tui.agents.simulated.features import tokens, vector
from reach_tui.agents.simulated.lexicon import ACT, FIELD, GENERIC_ACTS, RELATED, ROLE, THING
from reach_tui.agents.simulated.models import Traits
from reach_tui.core.canonical import digest_text
from reach_tui.core.draws import draw

PARAM_WEIGHT = 0.15
CONTEXT_WEIGHT = 0.4
ACT_BONUS, RELATED_BONUS = 0.35, 0.15
WRONG_MOOD = 0.3
NOTICED = 0.5
"""A place read with less weight than this does not tell a model what a tool can do."""
LATER_ACT = 0.4
"""Share of the bonus for an act that a description names after its first one."""
FILL_BONUS, PLURAL_BONUS, BATCH_MALUS, AIM_BONUS, SHOWS_BONUS = 0.12, 0.15, 0.2, 0.3, 0.08
_EMPHASIS = {
    "look": 0.3, "check": 0.4, "list": 0.6, "search": 0.6, "count": 0.4, "calculate": 0.5, "date": 0.7,
    "number": 0.5, "new": 0.5, "quantity": 0.7,
}  # fmt: skip
_ROLE_EMPHASIS = {THING: 1.2, FIELD: 0.9}
THRESHOLD = 0.08
"""Below this a clause is small talk."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A tool with its score for a clause; `fits` says that it can do one of the acts asked for (or none was named)."""

    tool: Tool
    score: float
    fits: bool


@lru_cache(maxsize=8192)
def _query_vector(text: str, context: str) -> dict[str, float]:
    """Features of a clause: general verbs count little, and a noun that only labels a value (phone 138...) half."""
    weights: dict[str, float] = {key: weight * CONTEXT_WEIGHT for key, weight in vector(context)} if context else {}
    labels = _labels(text)
    own = vector(text)
    others = any(key[:2] == "c:" and key[2:] not in labels and ROLE[key[2:]] in (THING, FIELD) for key, _ in own)
    for key, weight in own:
        if key[:2] == "c:":
            weight *= _EMPHASIS.get(key[2:], _ROLE_EMPHASIS.get(ROLE[key[2:]], 1.0)) * (
                0.5 if others and key[2:] in labels else 1.0
            )
        weights[key] = max(weight, weights.get(key, 0.0))
    return weights


def _labels(text: str) -> frozenset[str]:
    """Concepts that stand right before a value and name its kind."""
    out: list[str] = []
    found = [token for token in tokens(text) if token.kind != "stop"]
    for token, following in pairwise(found):
        if following.kind == "value" and token.kind == "concept" and following.start - token.end <= 2:
            out.extend(key for key in token.keys if ROLE[key] in (THING, FIELD))
        if (
            token.kind == "value"
            and following.kind == "concept"
            and re.fullmatch(r"\s*(?:这个|的这个|那个)?\s*", text[token.end : following.start])
            and text[token.end : following.start].strip()
        ):
            out.extend(key for key in following.keys if key in ("phone", "number", "email"))
    return frozenset(out)


def _similar(
    clause: Mapping[str, float], clause_norm: float, vec: Vector, idf: Mapping[str, float], mean: float
) -> float:
    """Cosine, with the tool's own length drawn half-way to the catalogue's mean, so that a long text costs little."""
    dot = norm = 0.0
    for key, weight in vec:
        scaled = weight * idf.get(key, 0.0)
        norm += scaled * scaled
        if key in clause:
            dot += clause[key] * scaled
    if not dot or not clause_norm:
        return 0.0
    return dot / (clause_norm * math.sqrt(math.sqrt(norm) * mean))


def rank(
    text: str, context: str, acts: tuple[str, ...], asks: bool, catalogue: Catalogue, traits: Traits, seed: str
) -> tuple[Ranked, ...]:
    """All tools for a clause, best first. `acts` are what it orders; `asks` says that it only wants to know."""
    return _rank(text, context, acts, asks, _Ref(catalogue), traits.name_weight, traits.desc_weight, traits.noise, seed)


@dataclass(frozen=True, slots=True, eq=False)
class _Ref:
    """A catalogue as a key of a cache: one object per content, so identity is enough."""

    catalogue: Catalogue

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Ref) and other.catalogue is self.catalogue

    def __hash__(self) -> int:
        return id(self.catalogue)


@lru_cache(maxsize=8192)
def _rank(
    text: str,
    context: str,
    acts: tuple[str, ...],
    asks: bool,
    ref: _Ref,
    name_weight: float,
    desc_weight: float,
    noise: float,
    seed: str,
) -> tuple[Ranked, ...]:
    catalogue = ref.catalogue
    weights = _query_vector(text, context)
    clause = {key: weight * catalogue.idf[key] for key, weight in weights.items() if key in catalogue.idf}
    norm = math.sqrt(sum(weight * weight for weight in clause.values()))
    mark = digest_text(text).hex()
    nouns = _objects(text)
    total = name_weight + desc_weight + PARAM_WEIGHT
    out = []
    for tool in catalogue.tools:
        score = (
            name_weight * _similar(clause, norm, tool.name_vec, catalogue.idf, catalogue.mean_norm[0])
            + desc_weight * _similar(clause, norm, tool.desc_vec, catalogue.idf, catalogue.mean_norm[1])
            + PARAM_WEIGHT * _similar(clause, norm, tool.param_vec, catalogue.idf, catalogue.mean_norm[2])
        ) / total
        bonus, fits = _act_match(tool, acts, name_weight, desc_weight, nouns)
        if asks:
            score -= 0.0 if tool.reads else WRONG_MOOD
            fits = tool.reads
        else:
            score += bonus
            score -= WRONG_MOOD if tool.reads and acts else 0.0
            score -= FILL_BONUS if acts and nouns and not nouns & tool.spoken else 0.0
            fits = fits and not (tool.reads and bool(acts))
        if noise:
            score += noise * (draw(seed, "choose", mark, tool.name) - 0.5)
        out.append(Ranked(tool, score, fits))
    out.sort(key=lambda ranked: -ranked.score)
    return tuple(out)


RESERVED_MALUS = 0.4
_RESERVED = re.compile(
    r"\b(?:staff|warehouse|employees?|administrators?|admins?|internal(?: use)?) only\b"
    r"|\bonly (?:for|by) (?:staff|employees|the warehouse|administrators)\b"
    r"|(?:仓库|员工|内部|管理员)(?:专用|使用)|仅(?:供|限)(?:员工|内部|仓库)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def reserved_for_others(description: str) -> bool:
    """Whether a description keeps a tool for staff: a customer's request is then not for it."""
    return bool(_RESERVED.search(description))


def _act_match(
    tool: Tool, acts: tuple[str, ...], name_weight: float, desc_weight: float, objects: frozenset[str]
) -> tuple[float, bool]:
    """What the acts of a clause add to a tool's score, by where the tool names them, and whether it can do one.

    An act that takes any object (create, change, add) only counts for a tool that speaks of the clause's objects.
    """
    if not acts:
        return 0.0, True
    best, fits = 0.0, False
    fitting = not objects or bool(objects & tool.spoken)
    for place, act in enumerate(acts):
        if act in _ANY_OBJECT and not fitting:
            continue
        share = (1.0 if place == 0 else 0.8) * (0.7 if act in GENERIC_ACTS and len(acts) > 1 else 1.0)
        for named, weight in ((tool.name_acts, name_weight), (tool.desc_acts, desc_weight)):
            strength = min(1.0, weight) * share
            if act in named:
                strength *= 1.0 if named[0] == act or named is tool.name_acts else LATER_ACT
                best, fits = max(best, ACT_BONUS * strength), fits or weight >= NOTICED
            elif any((act, other) in RELATED and (fitting or other not in _ANY_OBJECT) for other in named):
                best, fits = max(best, RELATED_BONUS * strength), fits or weight >= NOTICED
        if act in tool.enum_acts and _SETS & set(tool.acts) and (not objects or bool(objects & set(tool.nouns))):
            best, fits = max(best, RELATED_BONUS * share), True
    return best, fits


_SETS = frozenset({"change", "set"})
_ANY_OBJECT = GENERIC_ACTS | {"change", "add", "remove", "issue", "apply", "assign", "transfer", "release", "activate"}


@lru_cache(maxsize=4096)
def _objects(text: str) -> frozenset[str]:
    """What a clause speaks of; nouns that only label a value count where there are no others."""
    labels = _labels(text)
    named = [
        key
        for token in tokens(text)
        if token.kind == "concept" and not any(ROLE[key] == ACT for key in token.keys)
        for key in token.keys
        if ROLE[key] in (THING, FIELD) and key not in _LOOSE
    ]
    return frozenset(key for key in named if key not in labels) or frozenset(key for key in named if ROLE[key] == THING)


_LOOSE = frozenset({"date", "time", "number", "new", "window", "created", "quantity", "total", "name", "status"})


_WHICH = re.compile(
    r"\b(?:which|what|how many|how much|list|show(?: me)?(?: all)?|any)\b(?: (?:of|other|kind of|all|the|my|his|"
    r"her|their|open|more))*|哪些|哪几[个笔张件条款位]?|几[个笔张件条款位]|多少[个笔张件条款位]|有什么|所有的?",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def target_of(text: str) -> tuple[tuple[str, ...], bool]:
    """The thing a question is about, and whether it is counted or listed (which orders, 几个订单) or just the subject
    of a yes-or-no question (最近一笔订单发货了吗, has the latest order shipped)."""
    found = tokens(text)
    for match in _WHICH.finditer(text):
        for token in found:
            if token.start >= match.end() and token.kind in ("concept", "value"):
                if token.kind == "concept" and token.start - match.end() <= 8:
                    things = tuple(key for key in token.keys if ROLE[key] == THING)
                    if things:
                        return things, True
                break
    labels = _labels(text)
    named = [[k for k in t.keys if ROLE[k] == THING and k not in labels] for t in found if t.kind == "concept"]
    subjects = [keys for keys in named if keys]
    if len(subjects) < 1:
        return (), False
    if text.isascii():
        return (tuple(subjects[0]), False) if _AUXILIARY.search(text) else ((), False)
    return tuple(subjects[-1]), False


_AUXILIARY = re.compile(r"^\W*(?:and |so )?(?:has|have|is|are|was|were|did|does|do)\b", re.IGNORECASE)


def nouns_of(text: str) -> tuple[str, ...]:
    """Things a clause speaks of."""
    return tuple(key[2:] for key, _ in vector(text) if key.startswith("c:") and ROLE[key[2:]] == THING)
