"""Conditions: all that can make a trial different, as parts in one table, and the one part in which two differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical, digest
from reach_tui.core.context import FULL
from reach_tui.core.errors import UsageError
from reach_tui.core.tools import ToolView

FACTORS = {
    "prompt": "agent", "model": "agent", "sampling": "agent", "context": "agent", "agent": "agent", "limits": "harness",
    "tool_description": "tools", "parameter_description": "tools", "tool_schema": "tools", "tool_presence": "tools",
    "sandbox": "environment", "faults": "environment", "stubs": "environment", "user_wording": "user",
    "start": "start",
}  # fmt: skip
"""Every factor kind with its owner."""

TEXT_FACTORS = ("prompt", "tool_description", "parameter_description")
"""Factors that are a text the agent reads: a neutral edit of equal length can stand as their placebo."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a condition. `name` is its JSON Pointer in the condition."""

    name: str
    factor: str
    value: Any

    @property
    def digest(self) -> bytes:
        """Of the value alone."""
        return digest(self.value)


@dataclass(frozen=True, slots=True)
class PartDifference:
    """One part in which two conditions differ; ABSENT where one of them has no such part."""

    name: str
    factor: str
    before: Any
    after: Any


def model_name(model: Any) -> str:
    """What the model part of a setup calls its model; empty where it has no name."""
    if isinstance(model, Mapping):
        return str(model.get("id") or model.get("model") or model.get("name") or "")
    return str(model or "")


@dataclass(frozen=True, slots=True)
class Setup:
    """What is under test and how it is run.

    `model` groups provider, id, base URL and the options that this model requires: one factor. `tools` is what the
    agent is told of its tools. `context` says how much of the conversation it is sent (`core.context`). `limits`
    overrides the tasks' own. `sandbox` names the world and its code digest; what stands between it and the agent are
    `faults` by name and `stubs` by tool (`core.faults`).
    """

    agent: str
    model: Mapping[str, Any]
    prompt: str
    tools: tuple[ToolView, ...]
    sampling: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=lambda: dict(FULL))
    limits: Mapping[str, Any] = field(default_factory=dict)
    sandbox: Mapping[str, Any] = field(default_factory=dict)
    faults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    stubs: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The setup by value, as a plan carries it."""
        return {
            "agent": self.agent, "model": dict(self.model), "prompt": self.prompt,
            "tools": [tool.as_json() for tool in self.tools], "sampling": dict(self.sampling),
            "context": dict(self.context), "limits": dict(self.limits), "sandbox": dict(self.sandbox),
            "faults": dict(self.faults), "stubs": dict(self.stubs),
        }  # fmt: skip

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Setup:
        """The inverse of `as_json`."""
        tools = tuple(ToolView(t["name"], t["description"], t["parameters"]) for t in body["tools"])
        return cls(**{**body, "tools": tools})

    def parts(self) -> tuple[Part, ...]:
        """The setup in parts. Everything in `as_json` is in exactly one of them."""
        parts = [
            Part("/agent", "agent", self.agent),
            Part("/model", "model", dict(self.model)),
            Part("/prompt", "prompt", self.prompt),
            Part("/sampling", "sampling", dict(self.sampling)),
            Part("/context", "context", dict(self.context)),
            Part("/limits", "limits", dict(self.limits)),
            Part("/sandbox", "sandbox", dict(self.sandbox)),
        ]
        parts += [Part(pointers.join(("faults", name)), "faults", dict(fault)) for name, fault in self.faults.items()]
        parts += [Part(pointers.join(("stubs", tool)), "stubs", stub) for tool, stub in self.stubs.items()]
        for tool in self.tools:
            parts.extend(_tool_parts(tool))
        return tuple(parts)

    @property
    def digest(self) -> bytes:
        """Of all parts, whatever the order of the tools' parts."""
        return digest([[part.name, part.digest.hex()] for part in sorted(self.parts(), key=lambda p: p.name)])

    def tool(self, name: str) -> ToolView:
        """The tool of that name; UsageError names the known ones."""
        for tool in self.tools:
            if tool.name == name:
                return tool
        known = ", ".join(sorted(tool.name for tool in self.tools))
        raise UsageError(f"no tool {name!r} in this setup", hint=f"its tools: {known}")

    def with_tool_description(self, name: str, text: str) -> Setup:
        """A setup that differs in one tool's description."""
        return self._with_tool(replace(self.tool(name), description=text))

    def with_parameter_description(self, name: str, parameter: str, text: str) -> Setup:
        """A setup that differs in the description of one parameter; UsageError for an unknown tool or parameter."""
        view = self.tool(name)
        properties = view.parameters.get("properties", {})
        if parameter not in properties:
            known = ", ".join(sorted(properties))
            raise UsageError(f"{name} has no parameter {parameter!r}", hint=f"its parameters: {known}")
        changed = {**properties, parameter: {**properties[parameter], "description": text}}
        return self._with_tool(replace(view, parameters={**view.parameters, "properties": changed}))

    def without_fault(self, name: str) -> Setup:
        """A setup that differs in a fault that is gone; UsageError names the faults it has."""
        if name not in self.faults:
            known = ", ".join(self.faults)
            raise UsageError(f"no fault {name!r} in this setup", hint=f"its faults: {known or 'none'}")
        return replace(self, faults={other: fault for other, fault in self.faults.items() if other != name})

    def _with_tool(self, view: ToolView) -> Setup:
        return replace(self, tools=tuple(view if tool.name == view.name else tool for tool in self.tools))


@dataclass(frozen=True, slots=True)
class Condition:
    """A setup, a transform of the tasks' wording (None: as written) and a start (None: the beginning)."""

    setup: Setup
    transform: Mapping[str, Any] | None = None
    start: Mapping[str, Any] | None = None

    def parts(self) -> tuple[Part, ...]:
        """The setup's parts and those of transform and start, where there are any."""
        extra = []
        if self.transform is not None:
            extra.append(Part("/transform", "user_wording", dict(self.transform)))
        if self.start is not None:
            extra.append(Part("/start", "start", dict(self.start)))
        return (*self.setup.parts(), *extra)


def _tool_parts(tool: ToolView) -> list[Part]:
    base = pointers.join(("tools", tool.name))
    bare, descriptions = _without_descriptions(tool.parameters)
    parts = [
        Part(base, "tool_presence", True),
        Part(base + "/description", "tool_description", tool.description),
        Part(base + "/schema", "tool_schema", bare),
    ]
    parts += [
        Part(f"{base}/parameters/{pointers.escape(name)}/description", "parameter_description", text)
        for name, text in descriptions.items()
    ]
    return parts


def _without_descriptions(schema: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """A schema without its parameters' descriptions, and these by parameter (empty text where there is none)."""
    properties = schema.get("properties", {})
    texts = {name: str(parameter.get("description", "")) for name, parameter in properties.items()}
    bare = {name: {k: v for k, v in parameter.items() if k != "description"} for name, parameter in properties.items()}
    return {**schema, "properties": bare}, texts


def differing(before: Condition, after: Condition) -> tuple[PartDifference, ...]:
    """The parts in which two conditions differ, by joining them on the part's name.

    A tool (or a parameter) that only one side has is one difference, not one for each of its parts.
    """
    left = {part.name: part for part in before.parts()}
    right = {part.name: part for part in after.parts()}
    differences = []
    for name in [*left, *(name for name in right if name not in left)]:
        before_part, after_part = left.get(name), right.get(name)
        a, b = (before_part.value if before_part else ABSENT), (after_part.value if after_part else ABSENT)
        if (a is ABSENT) != (b is ABSENT) or (a is not ABSENT and canonical(a) != canonical(b)):
            part = before_part or after_part
            assert part is not None
            differences.append(PartDifference(name, part.factor, a, b))
    whole = {d.name for d in differences if d.factor == "tool_presence"}
    differences = [
        d for d in differences if d.factor == "tool_presence" or not any(d.name.startswith(w + "/") for w in whole)
    ]
    schemas = {d.name.rsplit("/", 1)[0] for d in differences if d.factor == "tool_schema"}
    # A parameter that came or went takes its description along: the schema's difference says it all.
    return tuple(
        d
        for d in differences
        if not (
            d.factor == "parameter_description"
            and (d.before is ABSENT or d.after is ABSENT)
            and d.name.split("/parameters/", 1)[0] in schemas
        )
    )


def the_factor(before: Condition, after: Condition) -> PartDifference:
    """The one part in which two conditions differ. UsageError where there is none or more than one, naming all."""
    differences = differing(before, after)
    if not differences:
        raise UsageError("the branch differs from its parent in nothing", hint="change one factor")
    if len(differences) > 1:
        names = " and ".join(f"{d.factor} ({d.name})" for d in differences)
        raise UsageError(
            f"exactly one factor may change, but {len(differences)} do: {names}",
            hint="start one branch for each; together they cannot tell which one is the cause",
        )
    return differences[0]


def tools_for(setup: Setup, allowed: Sequence[str] | None) -> tuple[ToolView, ...]:
    """The tools of a setup that a task allows (None: all), in the setup's order."""
    return setup.tools if allowed is None else tuple(tool for tool in setup.tools if tool.name in allowed)
