"""Factor libraries: named variants of one part of a setup, to be tried as branches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from reach_tui.core import pointer as pointers
from reach_tui.core.condition import TEXT_FACTORS
from reach_tui.core.errors import UsageError
from reach_tui.suites.explain import problem_at, validate
from reach_tui.suites.fields import Json, Name, Said, one_of
from reach_tui.suites.load import read_file, repeated, without_anchors
from reach_tui.suites.nodes import MapNode, describe, short
from reach_tui.suites.problems import Problem, SuiteProblems
from reach_tui.suites.prompts import PromptError, read_prompt
from reach_tui.suites.vocabulary import near_hint
from reach_tui.suites.yaml_text import read_yaml

KINDS = (*TEXT_FACTORS, "model")
MODEL_KEYS = ("id", "provider", "base_url", "options")
EFFECTS = ("better", "worse", "sham")
_NOTE = re.compile(r"(better|worse|sham)\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class FactorVariant:
    """One variant. `kind` is one of KINDS; `target` the tool's name, or the JSON Pointer of the part in a condition.

    `text` is the new text (prompt and descriptions), `value` the new model as a mapping with `id`. `note` begins with
    what its author expects, which `effect` gives.
    """

    name: str
    kind: str
    target: str
    text: str | None
    value: Mapping[str, Any] | None
    note: str

    @property
    def effect(self) -> str:
        """ "better", "worse" or "sham": what its author expects of it."""
        match = _NOTE.match(self.note)
        return match.group(1) if match else ""

    @property
    def needs_trust(self) -> bool:
        """Whether a branch with it would speak to an address that the library names."""
        return bool(self.value and self.value.get("base_url"))

    @property
    def part(self) -> str:
        """The JSON Pointer of the part that it changes, as conditions name it."""
        if self.target.startswith("/"):
            return self.target
        return pointers.join(("tools", self.target, "description"))


class FactorModel(BaseModel):
    """One entry of a factor library."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    name: Name = Field(description="What the variant is called.")
    kind: one_of(*KINDS) = Field(description="The part it changes.")  # type: ignore[valid-type]
    target: Name | None = Field(
        None, description="The tool's name; for a parameter /tools/TOOL/parameters/NAME/description."
    )
    text: Said | None = Field(None, description="The new text; for a prompt also a file in the library's folder.")
    value: Json = Field(None, description="The new model: its id, or a mapping with id.")
    note: Said = Field(description="better, worse or sham, then why in a few words.")


class FactorFileModel(BaseModel):
    """A factor library."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    factors: Annotated[list[FactorModel], Field(min_length=1)] = Field(description="The variants.")


def load_factors(path: str | Path) -> tuple[FactorVariant, ...]:
    """All variants in the library at `path`. SuiteProblems with everything that is wrong; UsageError without a file."""
    path = Path(path)
    document = read_yaml(read_file(path), str(path))
    problems = list(document.problems)
    if document.root is None:
        raise SuiteProblems(problems)
    if not isinstance(document.root, MapNode):
        actual = describe(document.root)
        raise SuiteProblems(
            [*problems, problem_at(document.root, document.file, (), f"expected `factors`, found {actual}")]
        )
    top = without_anchors(document.root)
    model, found_problems = validate(FactorFileModel, top, document.file)
    problems += found_problems
    factors = top.entries.get("factors")
    problems += repeated(factors.node if factors else None, ("factors",), document.file, top, "name", "variant")
    variants = []
    for index, factor in enumerate(model.factors if model else ()):
        variant, wrong = _variant(factor, path.parent)
        variants.append(variant)
        problems += [
            problem_at(top, document.file, ("factors", index, *place), message, expected)
            for place, message, expected in wrong
        ]
    if problems:
        raise SuiteProblems(problems)
    return tuple(variants)


def find_factor(variants: tuple[FactorVariant, ...], name: str) -> FactorVariant:
    """The variant of that name; UsageError names the known ones."""
    for variant in variants:
        if variant.name == name:
            return variant
    known = [variant.name for variant in variants]
    raise UsageError(f"no factor variant `{short(name)}`{near_hint(name, known)}", hint=f"known: {', '.join(known)}")


_Wrong = tuple[tuple[str, ...], str, str]


def _variant(model: FactorModel, folder: Path) -> tuple[FactorVariant, list[_Wrong]]:
    """The variant, and what is wrong with its parts together: (place, message, what was expected)."""
    wrong: list[_Wrong] = []
    text, value = model.text, None
    if model.kind == "model":
        value, trouble = _model_value(model.value)
        if trouble:
            wrong.append((("value",), trouble, "a model id, or {id: ...}"))
        if text is not None:
            wrong.append((("text",), "a model has a `value`, not a `text`", "`value`"))
    else:
        if model.value is not None:
            wrong.append((("value",), f"a {model.kind} has a `text`, not a `value`", "`text`"))
        if text is None:
            wrong.append(((), f"`text` is missing: the new {model.kind}", "`text`"))
        elif model.kind == "prompt":
            try:
                text = read_prompt(text, folder)
            except PromptError as error:
                wrong.append((("text",), str(error), "a text, or a file in this folder"))
    target, trouble = _target(model.kind, model.target)
    if trouble:
        wrong.append((("target",) if model.target else (), trouble, "the part that changes"))
    if not _NOTE.match(model.note):
        message = f"a note begins with better, worse or sham, not '{short(model.note)}'"
        wrong.append((("note",), message, "better, worse or sham, then why"))
    return FactorVariant(model.name, model.kind, target, text, value, model.note), wrong


def _model_value(value: Any) -> tuple[dict[str, Any] | None, str]:
    if isinstance(value, str) and value.strip():
        return {"id": value}, ""
    if isinstance(value, dict) and isinstance(value.get("id"), str) and value["id"].strip():
        unknown = [key for key in value if key not in MODEL_KEYS]
        if unknown:
            message = f"unknown key `{short(unknown[0])}` in a model{near_hint(unknown[0], MODEL_KEYS)}"
            return value, f"{message}; it has {', '.join(MODEL_KEYS)}"
        return value, ""
    return None, "expected a model id, or a mapping with `id`"


def _target(kind: str, target: str | None) -> tuple[str, str]:
    """(the target, nothing wrong) or (anything, what is wrong)."""
    if kind in ("prompt", "model"):
        whole = "/" + kind
        return whole, "" if target in (None, whole) else f"the target of a {kind} is {whole}, or left out"
    if target is None:
        return "", f"`target` is missing: the tool whose {kind.replace('_', ' ')} changes"
    parts = pointers.split(target) if target.startswith("/") else ()
    if kind == "tool_description":
        if not target.startswith("/"):
            return target, ""
        fits = len(parts) == 3 and parts[0] == "tools" and parts[2] == "description"
        return target, "" if fits else "expected a tool's name, or /tools/TOOL/description"
    fits = len(parts) == 5 and (parts[0], parts[2], parts[4]) == ("tools", "parameters", "description")
    return target, "" if fits else "expected /tools/TOOL/parameters/NAME/description"


__all__ = ["EFFECTS", "KINDS", "FactorVariant", "Problem", "SuiteProblems", "find_factor", "load_factors"]
