"""What is wrong with a value, told so that an agent can put it right: every problem, in words, with the way out."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_SHOWN = 60
# Endings that say "this names a thing" and differ between systems: orderNo, order_number, orderId.
_NAMING = re.compile(r"(?:id|ids|no|nos|num|number|numbers|code)$")


def problems_in(validator: Any, value: Any) -> tuple[str, ...]:
    """All problems that a compiled validator of an object schema finds in `value`, one sentence each, in a set order.

    A missing property and an unknown one whose names are near are told as one mistake.
    """
    if not isinstance(value, Mapping):
        return (f"the arguments must be one JSON object, found {with_kind(value)}",)
    problems: list[str] = []
    for error in sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path]):
        if error.validator in ("required", "additionalProperties"):
            continue
        problems.append(_sentence(error))
    problems.extend(_names(validator.schema, value, ""))
    return tuple(dict.fromkeys(problems))


def near(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be, or None."""
    letters = _bare(name)
    bare = {_bare(candidate): candidate for candidate in known}
    if letters in bare:
        return bare[letters]
    stem = _NAMING.sub("", letters)
    stems = {_NAMING.sub("", word): original for word, original in bare.items()}
    if stem and stem in stems:
        return stems[stem]
    # qty is quantity, addr is address: the letters in order, beginning with the same one.
    longer = [
        word for word in bare if len(letters) > 2 and word.startswith(letters[0]) and _runs_through(letters, word)
    ]
    if len(longer) == 1:
        return bare[longer[0]]
    close = difflib.get_close_matches(letters, list(bare), n=1, cutoff=0.7)
    return bare[close[0]] if close else None


def with_kind(value: Any) -> str:
    """A value with its kind, cut where it is long: `"2" (text)`."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if value is None:
        return "null"
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > _SHOWN:
        text = text[:_SHOWN] + "…"
    kind = "boolean" if isinstance(value, bool) else "string" if isinstance(value, str) else "number"
    return f"{text} ({_KINDS[kind] if kind != 'boolean' else 'a boolean'})"


def expected(schema: Mapping[str, Any]) -> str:
    """What a schema asks for, in a few words: `one of original, balance`; `text such as A100`."""
    if "enum" in schema:
        return "one of " + ", ".join("null" if choice is None else str(choice) for choice in schema["enum"])
    kinds = schema.get("type", "")
    words = " or ".join(_KINDS.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))
    if schema.get("items") and kinds == "array":
        words = f"a list, each item {expected(schema['items'])}"
    examples = schema.get("examples")
    return f"{words} such as {examples[0]}" if examples else words


def _runs_through(letters: str, word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


def _place(path: Sequence[Any]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "the arguments"


def _sentence(error: Any) -> str:
    place, schema, value = _place(list(error.absolute_path)), error.schema, error.instance
    if error.validator in ("type", "enum"):
        return f"{place} must be {expected(schema)}, found {with_kind(value)}"
    if error.validator == "pattern":
        examples = schema.get("examples")
        shape = f"look like {examples[0]}" if examples else f"match {error.validator_value}"
        return f"{place} must {shape}, found {with_kind(value)}"
    limits = {
        "minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than", "exclusiveMaximum": "less than",
    }  # fmt: skip
    if error.validator in limits:
        return f"{place} must be {limits[error.validator]} {error.validator_value}, found {with_kind(value)}"
    sizes = {
        "minItems": ("at least", "item"), "maxItems": ("at most", "item"), "minLength": ("at least", "character"),
        "maxLength": ("at most", "character"),
    }  # fmt: skip
    if error.validator in sizes:
        (bound, noun), size = sizes[error.validator], error.validator_value
        return f"{place} must have {bound} {size} {noun}{'' if size == 1 else 's'}, found {len(value)}"
    if error.validator == "uniqueItems":
        return f"{place} must not hold the same item twice"
    return f"{place}: {str(error.message)[:200]}"


def _names(schema: Mapping[str, Any], value: Any, at: str) -> list[str]:
    """Missing and unknown names of an object and of all objects inside it."""
    problems: list[str] = []
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            problems += _names(schema.get("items", {}), item, f"{at}[{index}]")
    if not isinstance(value, Mapping) or "properties" not in schema:
        return problems
    properties: Mapping[str, Any] = schema["properties"]
    missing = [name for name in schema.get("required", ()) if name not in value]
    for name in [name for name in value if name not in properties]:
        where = f" in {at}" if at else ""
        meant = near(str(name), missing) or near(str(name), properties)
        if meant:
            problems.append(
                f"{_shown(name)} is not a parameter{where}: did you mean {meant} ({_hint(properties[meant])})"
            )
            missing = [needed for needed in missing if needed != meant]
        else:
            problems.append(f"{_shown(name)} is not a parameter{where}: it takes {', '.join(properties) or 'none'}")
    problems += [f"{at + '.' if at else ''}{name} is missing: {_hint(properties[name])}" for name in missing]
    for name, property_schema in properties.items():
        if name in value:
            problems += _names(property_schema, value[name], f"{at}.{name}" if at else name)
    return problems


def _hint(schema: Mapping[str, Any]) -> str:
    words = expected(schema)
    about = schema.get("description", "").rstrip(".")
    return words if "enum" in schema or not about else f"{words}, {about[0].lower()}{about[1:]}"


def _shown(name: Any) -> str:
    text = str(name)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
