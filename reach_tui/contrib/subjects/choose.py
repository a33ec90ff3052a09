"""Which tool a subject takes for a step: the one whose name and description, as shown, speak most of its goal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reach_tui.contrib.subjects.features import Vector, claims_of, cosine, features_of, joined, rarity_of, weighted
from reach_tui.contrib.subjects.traits import Traits, draw

_Vectors = Mapping[str, Vector]
SCANT, NAME, REQUEST = 3.0, 1.0, 0.4
"""How short a text may be before it counts for less; the shares of a tool's name and of the user's words in the goal,
beside 1 for its purpose."""
ENOUGH, ASTRAY = 0.35, 1.15
"""From where on a description that speaks more of the goal is no better, the name decides then; what it loses for
speaking more of what another tool is for."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the agent is shown it. `parameters` by name, each a JSON schema; `required` are names of them."""

    name: str
    description: str
    parameters: Mapping[str, Mapping[str, Any]]
    required: frozenset[str]

    def fillable(self, args: Mapping[str, Any]) -> bool:
        """Whether the arguments hold all that it requires, and any that it takes."""
        return self.required <= set(args) and (not self.parameters or not set(self.parameters).isdisjoint(args))


def read_tools(tools: Sequence[Mapping[str, Any]]) -> tuple[Tool, ...]:
    """Tools from the function form of chat completions."""
    shown = []
    for function in (entry.get("function") or {} for entry in tools):
        schema = function.get("parameters") or {}
        parameters, required = schema.get("properties") or {}, frozenset(schema.get("required") or ())
        shown.append(Tool(str(function.get("name")), str(function.get("description") or ""), parameters, required))
    return tuple(shown)


def digest_of(prompt: str, tools: Sequence[Tool]) -> str:
    """Of all that an agent is told before the request: any edit makes another."""
    shown = [[tool.name, tool.description, dict(tool.parameters)] for tool in tools]
    text = json.dumps([prompt, shown], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=256)
def _catalogue(
    texts: tuple[tuple[str, str], ...], purposes: tuple[tuple[str, str], ...]
) -> tuple[Vector, _Vectors, _Vectors, _Vectors, Mapping[tuple[str, str], tuple[float, float]]]:
    """(rarity of features; by tool what it is for, its name, what its description says; what speaks against it).

    The last by (tool, tool needed): how much more its description speaks of what another tool is for, and how far it
    denies what the one needed is for.
    """
    known = dict.fromkeys(name for name, _ in texts)
    counts = {name: features_of(name) for name in known}
    wants = {name: features_of("") for name in known} | {n: features_of(text) for n, text in purposes if n in known}
    # Of what people want, not of the texts shown: an edit of one tool's description must not move the others.
    rarity = rarity_of([{**counts[name], **wants[name]} for name in known])
    names = {name: weighted(counts[name], rarity) for name in known}
    # The name has a share of its own: among the many words of a purpose it would be lost.
    goals = {name: joined(weighted(wants[name], rarity), names[name], NAME) for name in known}
    claimed: dict[str, Vector] = {}
    against: dict[tuple[str, str], tuple[float, float]] = {}
    for name, text in texts:
        says, denies = (weighted(claims, rarity, SCANT) for claims in claims_of(text, frozenset(known) - {name}))
        claimed[name] = says
        near, far = ({n: cosine(vector, goal) for n, goal in goals.items()} for vector in (says, denies))
        for n in goals:
            # "Not for a lost parcel" denies what that other tool is for, and is no word against this one.
            against[name, n] = max(near.values()) - near[n], far[n] if far[n] >= max(far.values()) else 0.0
    return rarity, goals, names, claimed, against


@dataclass(frozen=True, slots=True)
class Chooser:
    """Choosing under one setup. `told` is the digest of all that the agent is told; used by touch alone."""

    tools: tuple[Tool, ...]
    traits: Traits
    seed: int
    purposes: Mapping[str, str]
    told: str

    def ranked(self, step: int, needed: str, request: str, candidates: Sequence[Tool]) -> list[Tool]:
        """The candidates for a step that needs the tool `needed`, best first; without those in which it sees no way."""
        texts = tuple((tool.name, tool.description) for tool in self.tools)
        rarity, goals, names, claimed, against = _catalogue(texts, tuple(self.purposes.items()))
        goal = joined(goals.get(needed, {}), weighted(features_of(request), rarity), REQUEST)
        raw: dict[str, float] = {}
        for name in (tool.name for tool in candidates):
            astray, denied = against.get((name, needed), (0.0, 0.0))
            fit = max(cosine(claimed[name], goal) - ASTRAY * astray, 0.0) - denied
            if fit >= self.traits.floor:
                raw[name] = self.traits.name * cosine(names[name], goal) + self.traits.desc * min(fit, ENOUGH)
        highest = max(raw.values(), default=0.0)
        scale = 1 / highest if highest > 0 else 1.0
        scores = {name: value * scale + self._jitter(step, name, request) for name, value in raw.items() if value > 0}
        return sorted((tool for tool in candidates if tool.name in scores), key=lambda tool: -scores[tool.name])

    def _jitter(self, step: int, tool: str, request: str) -> float:
        jitter = self.traits.noise * (draw(self.seed, "noise", step, tool) - 0.5)
        if self.traits.touch:
            jitter += self.traits.touch * (draw(self.told, request, step, tool) - 0.5)
        return jitter
