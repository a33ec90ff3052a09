"""JSON Pointers (RFC 6901), and patterns over them for allow-lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reach_tui.core.absent import ABSENT


def escape(part: str) -> str:
    """One segment as it stands in a pointer: `~` is `~0`, `/` is `~1`."""
    return part.replace("~", "~0").replace("/", "~1")


def join(parts: Iterable[str]) -> str:
    """`("orders", "A/1")` is `/orders/A~11`; no parts is the whole document, ``."""
    return "".join("/" + escape(str(part)) for part in parts)


def split(pointer: str) -> tuple[str, ...]:
    """The segments of a pointer, unescaped. Raises ValueError where it does not start with `/`."""
    if pointer == "":
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON Pointer starts with '/': {pointer!r}")
    parts = pointer[1:].split("/")
    return tuple(parts if "~" not in pointer else [part.replace("~1", "/").replace("~0", "~") for part in parts])


def get(document: Any, pointer: str) -> Any:
    """The value at `pointer`, or ABSENT."""
    return get_parts(document, split(pointer))


def get_parts(document: Any, parts: Iterable[str]) -> Any:
    """The value under the segments `parts`, or ABSENT. Lists take decimal indices."""
    here = document
    for part in parts:
        if isinstance(here, dict):
            if part not in here:
                return ABSENT
            here = here[part]
        elif isinstance(here, (list, tuple)):
            if not part.isdigit() or int(part) >= len(here):
                return ABSENT
            here = here[int(part)]
        else:
            return ABSENT
    return here


def covers(pattern: str, pointer: str) -> bool:
    """True if `pattern` names `pointer` or something above it. In a pattern `*` stands for any one segment."""
    return covers_parts(split(pattern), split(pointer))


def covers_parts(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """`covers` on segments already split, for those who ask often."""
    if len(pattern) > len(parts):
        return False
    return all(segment in ("*", part) for segment, part in zip(pattern, parts, strict=False))


def leaves(document: Any, prefix: tuple[str, ...] = ()) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Every (segments, value) that is no non-empty mapping, in document order; lists are leaves."""
    if isinstance(document, dict) and document:
        for key, value in document.items():
            yield from leaves(value, (*prefix, str(key)))
    else:
        yield prefix, document
