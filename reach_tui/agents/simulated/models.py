"""The five models: what each does well and badly, as plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Traits:
    """Weaknesses of a model. All but `memory`, `stubborn`, the two weights and `noise` are probabilities.

    memory: how many of the last messages it sees (None: all). name_weight, desc_weight: how much it reads tool names
    and descriptions. haste: skips a write and counts it as done, or takes a condition as met without a look. check:
    reads back what it wrote and notices that a result does not answer. care: gets an argument right. repair: acts on
    what an error says. stubborn: how often it repeats a failed call as it was. comply: how far directives of the
    prompt move it. invent: makes up what it no longer sees. noise: width of the noise on the scores of tools.
    """

    memory: int | None = None
    name_weight: float = 0.7
    desc_weight: float = 1.0
    haste: float = 0.0
    check: float = 1.0
    care: float = 1.0
    repair: float = 1.0
    stubborn: int = 1
    comply: float = 1.0
    invent: float = 0.0
    noise: float = 0.0


_TABLE: dict[str, Traits] = {
    "careful-1": Traits(
        haste=0.01, check=0.9, care=0.98, repair=0.95, stubborn=1, comply=0.95, invent=0.0, noise=0.02,
    ),
    "hasty-1": Traits(haste=0.35, check=0.05, care=0.93, repair=0.8, stubborn=1, comply=0.7, invent=0.3, noise=0.2),
    "forgetful-1": Traits(
        memory=6, haste=0.03, check=0.3, care=0.95, repair=0.7, stubborn=2, comply=0.8, invent=0.4, noise=0.04,
    ),
    "literal-1": Traits(
        name_weight=0.2, haste=0.03, check=0.3, care=0.95, repair=0.7, stubborn=1, comply=0.8, invent=0.1, noise=0.03,
    ),
    "stubborn-1": Traits(
        memory=12, name_weight=1.0, desc_weight=0.3, haste=0.1, check=0.1, care=0.85, repair=0.2, stubborn=5,
        comply=0.5,
        invent=0.2, noise=0.06,
    ),
}  # fmt: skip

MODELS: tuple[str, ...] = tuple(_TABLE)
"""Names of the models, in the order in which they are shown."""

_FIELDS = frozenset(field.name for field in fields(Traits))


def traits_of(options: Mapping[str, Any]) -> Traits:
    """Traits of `options["model"]` (the careful one if unknown) with `options["traits"]`, a mapping, laid over them."""
    name = options.get("model")
    traits = _TABLE.get(name, _TABLE["careful-1"]) if isinstance(name, str) else _TABLE["careful-1"]
    overrides = options.get("traits")
    if isinstance(overrides, Mapping):
        traits = replace(traits, **{key: value for key, value in overrides.items() if key in _FIELDS})
    return traits
