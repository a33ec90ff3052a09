# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A small world of dicts and functions, and the loop that lets a simulated model act in it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reach_tui.agents.simulated import decide


class Refused(Exception):
    """A tool says no, in words for the agent."""


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    properties: Mapping[str, Any]
    required: Sequence[str]
    run: Callable[[dict[str, Any], dict[str, Any]], Any]

    def function(self) -> dict[str, Any]:
        schema = {"type": "object", "properties": dict(self.properties), "required": list(self.required)}
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": schema},
        }


@dataclass(frozen=True)
class World:
    prompt: str
    data: Mapping[str, Any]
    tools: Sequence[Tool]
    error_style: str = "text"


@dataclass(frozen=True)
class Case:
    """`changes` maps pointers to new values; a pointer ending in `/*` stands for one new record holding the given
    fields. Nothing else may change. `says` are words the last message must hold, any of a tuple."""

    id: str
    request: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    says: Sequence[Any] = ()
    turns: Sequence[tuple[str | None, str]] = ()
    asked: str | None = None
    overlay: Mapping[str, Any] = field(default_factory=dict)
    only: Sequence[str] | None = None
    loose: Sequence[str] = ()
    held: bool = False


@dataclass
class Played:
    messages: list[dict[str, Any]]
    state: dict[str, Any]
    calls: list[tuple[str, Any, bool]]
    passed: bool
    why: str

    @property
    def last(self) -> str:
        return next(
            (str(m["content"]) for m in reversed(self.messages) if m["role"] == "assistant" and m["content"]), ""
        )


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,), "object": (dict,),
}  # fmt: skip


def _invalid(tool: Tool, args: Mapping[str, Any]) -> str | None:
    problems = [f"missing required parameter '{name}'" for name in tool.required if name not in args]
    for name, value in args.items():
        spec = tool.properties.get(name)
        if spec is None:
            problems.append(f"unknown parameter '{name}'")
            continue
        kind = spec.get("type", "string")
        if not isinstance(value, _TYPES[kind]) or (kind in ("integer", "number") and isinstance(value, bool)):
            problems.append(f"parameter '{name}' must be of type {kind}, got {value!r}")
        elif "enum" in spec and value not in spec["enum"]:
            problems.append(f"parameter '{name}' must be one of {', '.join(spec['enum'])}, got {value!r}")
        elif "pattern" in spec and not re.search(spec["pattern"], str(value)):
            problems.append(f"parameter '{name}' does not match {spec['pattern']}: {value!r}")
    return "; ".join(problems) or None


def call(world: World, state: dict[str, Any], name: str, raw: str) -> tuple[str, bool]:
    tool = next((one for one in world.tools if one.name == name), None)
    try:
        if tool is None:
            raise Refused(f"there is no tool {name!r}")
        args = json.loads(raw)
        problem = _invalid(tool, args)
        if problem:
            raise Refused(problem)
        draft = copy.deepcopy(state)
        value = tool.run(draft, args)
        state.clear()
        state.update(draft)
        return json.dumps(value, ensure_ascii=False), True
    except Refused as refusal:
        if world.error_style == "json":
            return json.dumps({"error": {"code": "rejected", "message": str(refusal)}}, ensure_ascii=False), False
        return f"Error: {refusal}", False


def _flat(value: Any, pointer: str = "") -> dict[str, Any]:
    if isinstance(value, dict) and pointer.count("/") < 3 and (value or pointer.count("/") < 2):
        out: dict[str, Any] = {}
        for key, item in value.items():
            out.update(_flat(item, f"{pointer}/{key}"))
        return out
    return {pointer: value}


def judge(case: Case, before: dict[str, Any], after: dict[str, Any], last: str, said: str) -> str:
    old, new = _flat(before), _flat(after)
    changed = {
        p: new.get(p) for p in sorted(set(old) | set(new)) if old.get(p) != new.get(p) and not p.startswith("/_")
    }
    left = dict(changed)
    for pointer, value in case.changes.items():
        if pointer.endswith("/*"):
            table = pointer[:-2]
            ids = sorted({p.split("/")[2] for p in left if p.startswith(table + "/")})
            hit = next(
                (i for i in ids if all(_same(v, after[table[1:]].get(i, {}).get(k)) for k, v in value.items())), None
            )
            if hit is None:
                return f"no new record in {table} like {value}; changed {changed}"
            left = {p: v for p, v in left.items() if not p.startswith(f"{table}/{hit}/")}
        elif not _same(value, left.pop(pointer, "<unchanged>")):
            return f"{pointer} should become {value!r}; changed {changed}"
    left = {p: v for p, v in left.items() if not any(re.fullmatch(loose, p) for loose in case.loose)}
    if left:
        return f"unexpected changes {left}"
    for words in case.says:
        options = words if isinstance(words, tuple) else (words,)
        if not any(option.lower() in last.lower() for option in options):
            return f"last message does not say {options}"
    if case.asked and not re.search(case.asked, said, re.IGNORECASE):
        return f"never asked for {case.asked}"
    return ""


def _same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, re.Pattern):
        return isinstance(actual, str) and bool(expected.search(actual))
    return type(expected) is type(actual) and expected == actual


def play(
    world: World,
    case: Case,
    model: str = "careful-1",
    seed: int = 1,
    tools: Sequence[Mapping[str, Any]] | None = None,
    names: Mapping[str, str] | None = None,
    limit: int = 30,
    **options: Any,
) -> Played:
    """One trial. `tools` replaces the catalogue the model sees; `names` maps its tool names back to the world's."""
    state = merge(copy.deepcopy(dict(world.data)), case.overlay)
    before = copy.deepcopy(state)
    shown = list(tools) if tools is not None else [t.function() for t in world.tools]
    if case.only is not None:
        shown = [t for t in shown if (names or {}).get(t["function"]["name"], t["function"]["name"]) in case.only]
    messages: list[dict[str, Any]] = [{"role": "system", "content": options.pop("prompt", world.prompt)}]
    messages.append({"role": "user", "content": case.request})
    waiting = list(case.turns)
    calls: list[tuple[str, Any, bool]] = []
    for _ in range(limit):
        reply = decide(messages, shown, {"model": model, "seed": seed, **options})
        messages.append(reply)
        for one in reply.get("tool_calls") or ():
            name = one["function"]["name"]
            text, ok = call(world, state, (names or {}).get(name, name), one["function"]["arguments"])
            calls.append((name, one["function"]["arguments"], ok))
            messages.append({"role": "tool", "tool_call_id": one["id"], "content": text})
        if not reply.get("tool_calls"):
            at = next(
                (
                    i
                    for i, (when, _) in enumerate(waiting)
                    if when is None or re.search(when, reply["content"], re.IGNORECASE)
                ),
                None,
            )
            if at is None:
                break
            messages.append({"role": "user", "content": waiting.pop(at)[1]})
    said = "\n".join(str(m["content"] or "") for m in messages if m["role"] == "assistant")
    last = next((str(m["content"]) for m in reversed(messages) if m["role"] == "assistant" and m["content"]), "")
    why = judge(case, before, state, last, said)
    if waiting:
        why = why or "the user was never asked"
    return Played(messages, state, calls, not why, why)


def merge(base: dict[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in overlay.items():
        if isinstance(value, Mapping) and isinstance(base.get(key), dict):
            merge(base[key], value)
        else:
            base[key] = copy.deepcopy(value)
    return base
