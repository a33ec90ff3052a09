"""Tools: Python functions whose signature and docstring are what the agent is told."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_type_hints

from jsonschema import Draft202012Validator

from reach_tui.core.tools import ToolSpec, ToolView
from reach_tui.sandbox.arguments import problems_in
from reach_tui.sandbox.schema import object_schema

Function = TypeVar("Function", bound=Callable[..., Any])
_SPEC = "__reach_tool__"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool ready to be called: its spec, its function, and a validator compiled once."""

    spec: ToolSpec
    function: Callable[..., Any]
    validator: Any = field(repr=False, compare=False)
    whole_numbers: bool = False

    def problems(self, arguments: Any) -> tuple[str, ...]:
        """All that is wrong with the arguments, a sentence each, empty if nothing is."""
        if self.validator.is_valid(arguments):
            return ()
        return problems_in(self.validator, arguments)

    def run(self, world: Any, arguments: Mapping[str, Any]) -> Any:
        """The function's own result. The arguments have passed `problems`."""
        if self.whole_numbers:
            # JSON has one kind of number: 2.0 is valid where an integer is asked for, and tools are promised an int.
            arguments = _as_whole(self.spec.view.parameters, arguments)
        return self.function(world, **arguments)


def tool(
    *,
    effect: str,
    entity: str | None = None,
    entity_arg: str | None = None,
    polling: bool = False,
    claims: tuple[str, ...] = (),
    batch_of: str | None = None,
    purpose: str = "",
) -> Callable[[Function], Function]:
    """Mark a function as a tool; the keywords are those of `core.tools.ToolSpec`.

    The function takes the world first and then what the agent gives, each parameter annotated with a type that
    `schema_of` knows (`Annotated[str, "..."]` for its description). Its docstring is the description the agent reads.
    It returns JSON, reads and writes the world it is given and nothing else, and raises ToolError to say no.
    """

    def mark(function: Function) -> Function:
        name = function.__name__
        parameters = _parameters(function)
        view = ToolView(name, _description(function), parameters)
        spec = ToolSpec(view, effect, entity, entity_arg, polling, claims, batch_of, purpose)
        if effect not in ("read", "write"):
            raise TypeError(f"{name}: the effect of a tool is 'read' or 'write', not {effect!r}")
        if entity_arg is not None and entity_arg not in parameters["properties"]:
            raise TypeError(f"{name} has no parameter {entity_arg!r} to name its {entity}")
        setattr(function, _SPEC, spec)
        return function

    return mark


def tools_in(*modules: Any) -> tuple[Tool, ...]:
    """The marked functions that these modules define, in the order in which they stand there.

    A module may be given by its name (`__name__`), if it is imported.
    """
    tools = []
    for module in (sys.modules[module] if isinstance(module, str) else module for module in modules):
        for function in vars(module).values():
            if callable(function) and hasattr(function, _SPEC) and function.__module__ == module.__name__:
                tools.append(compiled(function))
    return tuple(tools)


def compiled(function: Callable[..., Any]) -> Tool:
    """The Tool of a function that `tool` has marked; AttributeError for any other."""
    spec: ToolSpec = getattr(function, _SPEC)
    schema = spec.view.parameters
    return Tool(spec, function, Draft202012Validator(schema), _asks_whole(schema))


def _description(function: Callable[..., Any]) -> str:
    """The docstring with its lines joined: where the source breaks them means nothing to an agent."""
    paragraphs = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _asks_whole(schema: Any) -> bool:
    if isinstance(schema, Mapping):
        return "integer" in str(schema.get("type", "")) or any(map(_asks_whole, schema.values()))
    return isinstance(schema, list) and any(map(_asks_whole, schema))


def _as_whole(schema: Mapping[str, Any], value: Any) -> Any:
    if isinstance(value, float) and "integer" in str(schema.get("type", "")):
        return int(value)
    if isinstance(value, Mapping):
        inner, rest = schema.get("properties", {}), schema.get("additionalProperties")
        other = rest if isinstance(rest, Mapping) else {}
        return {name: _as_whole(inner.get(name, other), item) for name, item in value.items()}
    if isinstance(value, list) and "items" in schema:
        return [_as_whole(schema["items"], item) for item in value]
    return value


def _parameters(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    hints = get_type_hints(function, include_extras=True)
    required = {parameter.name for parameter in parameters if parameter.default is inspect.Parameter.empty}
    schema = object_schema({parameter.name: hints[parameter.name] for parameter in parameters}, required)
    for parameter in parameters:
        if parameter.default is not inspect.Parameter.empty and parameter.default is not None:
            schema["properties"][parameter.name]["default"] = parameter.default
    return schema
