"""From a validation error to a sentence with its place."""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from reach_tui.core import pointer as pointers
from reach_tui.suites.nodes import Mark, Node, describe, find, raw_of, short
from reach_tui.suites.problems import Problem
from reach_tui.suites.vocabulary import LATER_KEYS, near_hint

_SECRETS = ("key", "api_key", "apikey", "token", "key_env", "api_key_env", "headers")
_EXPECTED = {
    "missing": "this key", "list_type": "a list", "dict_type": "a mapping", "model_type": "a mapping",
    "too_short": "at least one entry",
}  # fmt: skip


def validate(model: type[BaseModel], root: Node, file: str) -> tuple[Any, tuple[Problem, ...]]:
    """(the model made of `root`, nothing wrong) or (None, every problem)."""
    try:
        return model.model_validate(raw_of(root)), ()
    except ValidationError as error:
        return None, tuple(_problems(model, root, file, error))


def problem_at(
    root: Node, file: str, path: Sequence[str | int], message: str, expected: str = "", *, at_key: bool = False
) -> Problem:
    """A problem at the place that `path` leads to."""
    mark, node = find(root, path, at_key=at_key)
    return Problem(file, mark.line, mark.column, pointers.join(map(str, path)), describe(node), expected, message)


def _problems(model: type[BaseModel], root: Node, file: str, error: ValidationError) -> Iterator[Problem]:
    for detail in error.errors(include_url=False):
        path = tuple(detail["loc"])
        kind = detail["type"]
        context = detail.get("ctx") or {}
        mark, node = find(root, path)
        actual = describe(node)
        if kind == "extra_forbidden":
            yield _unknown_key(model, root, file, path)
            continue
        expected = str(context.get("expected") or _EXPECTED.get(kind, "another value"))
        if kind == "reach":
            message = str(context["message"])
            if message.startswith("expected "):
                message = f"{message}, found {actual}"
        elif kind == "missing":
            actual = "nothing"
            message = f"`{path[-1]}` is missing: {_described(model, path)}"
        elif kind == "too_short":
            message = "expected at least one entry, found an empty list"
        elif kind in _EXPECTED:
            message = f"expected {expected}, found {actual}"
            if kind == "list_type" and not actual.startswith("a mapping"):
                message += "; write [a, b]"
        else:
            message = f"{detail['msg']}, found {actual}"
        yield Problem(file, mark.line, mark.column, pointers.join(map(str, path)), actual, expected, message)


def _unknown_key(model: type[BaseModel], root: Node, file: str, path: tuple[str | int, ...]) -> Problem:
    mark: Mark
    mark, node = find(root, path, at_key=True)
    name = str(path[-1])
    owner = _model_at(model, path[:-1])
    known = [field.alias or key for key, field in owner.model_fields.items()] if owner else []
    shown = short(name)
    if name in LATER_KEYS:
        message = f"`{shown}` is not supported yet in this version"
    elif name in _SECRETS and "base_url" in known:
        message = f"`{shown}` cannot stand in a suite: keys and headers are the user's own configuration"
    else:
        message = f"unknown key `{shown}`"
        hint = near_hint(name, known)
        if hint:
            message += hint
        elif len(path) == 1:
            message += " (anchors stand under keys that begin with x-)"
    expected = "one of " + ", ".join(known)
    return Problem(file, mark.line, mark.column, pointers.join(map(str, path)), describe(node), expected, message)


def _described(model: type[BaseModel], path: tuple[str | int, ...]) -> str:
    owner = _model_at(model, path[:-1])
    for key, field in (owner.model_fields if owner else {}).items():
        if path[-1] in (key, field.alias):
            return (field.description or key).rstrip(".")
    return "it is needed here"


def _model_at(model: type[BaseModel], path: Sequence[str | int]) -> type[BaseModel] | None:
    """The model whose keys stand at `path`."""
    here: Any = model
    for part in path:
        here = _inner(here)
        if isinstance(part, int):
            here = (get_args(here) or (None,))[0]
        elif isinstance(here, type) and issubclass(here, BaseModel):
            fields = {field.alias or key: field for key, field in here.model_fields.items()}
            here = fields[part].annotation if part in fields else None
    here = _inner(here)
    return here if isinstance(here, type) and issubclass(here, BaseModel) else None


def _inner(annotation: Any) -> Any:
    """Without Annotated and None."""
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation = get_args(annotation)[0]
        elif origin in (Union, types.UnionType):
            annotation = next(member for member in get_args(annotation) if member is not type(None))
        else:
            return annotation
