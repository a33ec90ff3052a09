"""From values of the domain to values of columns: redacted, canonical, holdable by UTF-8 and by 64 bits."""

from __future__ import annotations

import json
import math
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.redaction import may_hold_secret, redact, redact_text
from reach_tui.core.text import storable

_LARGEST = 2**63 - 1


def json_text(value: Any) -> str:
    """Canonical JSON without secrets. Lone surrogates become JSON's own escapes, so that nothing is lost."""
    return safe(canonical(value), value)


def plan_text(value: Any) -> str:
    """`json_text` of what is executed as it is stored: only keys and headers are masked in it (`redact(plan=True)`)."""
    text = canonical(value)
    if may_hold_secret(text):
        text = canonical(redact(value, plan=True))
    return text if text.isascii() else storable(text)


def safe(text: str, value: Any) -> str:
    """`json_text` of a value whose canonical text is already known."""
    if may_hold_secret(text):
        text = canonical(redact(value))
    return text if text.isascii() else storable(text)


class SafeTexts:
    """`safe` with a memory: a conversation's messages come again with every request, and are looked through once."""

    LIMIT = 8_000_000
    """Characters remembered at most."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._size = 0

    def __call__(self, text: str, value: Any) -> str:
        """As `safe`; equal texts come back as one object."""
        safe_text = self._known.get(text)
        if safe_text is None:
            safe_text = safe(text, value)
            if self._size > self.LIMIT:
                self._known, self._size = {}, 0
            self._known[text] = safe_text
            self._size += len(text)
        return safe_text


def json_or_null(value: Any) -> str | None:
    """`json_text`, with None for None: for columns in which NULL says that nothing was said."""
    return None if value is None else json_text(value)


def json_or_absent(value: Any) -> str | None:
    """`json_text`, with None for ABSENT: JSON's null is the text `null`."""
    return None if value is ABSENT else json_text(value)


def value_at(pointer: str, value: Any) -> str | None:
    """A state's value as JSON. It is masked by its name too, as it would be inside its record."""
    if value is ABSENT:
        return None
    name = pointers.split(pointer)[-1] if pointer.startswith("/") else pointer
    return json_text(redact({name: value})[name] if may_hold_secret(name) else value)


def plain(text: str) -> str:
    """A text without secrets and lone surrogates."""
    if may_hold_secret(text):
        text = redact_text(text)
    return text if text.isascii() else storable(text)


def plain_or_null(text: str | None) -> str | None:
    """`plain`, with None for None."""
    return None if text is None else plain(str(text))


def whole(value: Any) -> int | None:
    """A number as SQLite's integer: cut to 64 bits; None for what is no number."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return max(-_LARGEST - 1, min(_LARGEST, int(value)))


def real(value: Any) -> float | None:
    """A number as SQLite's real; None for what is no finite number."""
    if value is None:
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def flag(value: bool | None) -> int | None:
    """True and False as 1 and 0."""
    return None if value is None else int(value)


def truth(value: int | None) -> bool | None:
    """The inverse of `flag`."""
    return None if value is None else bool(value)


def loads(text: str | None) -> Any:
    """JSON from a column; None for NULL."""
    return None if text is None else json.loads(text)


def loads_or_absent(text: str | None) -> Any:
    """JSON from a column; ABSENT for NULL."""
    return ABSENT if text is None else json.loads(text)
