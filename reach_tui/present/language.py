"""The one function through which every sentence that a person reads passes; its source language is English.

A catalogue of another language is set once, at start; nothing else of the product knows that there is one.
"""

from __future__ import annotations

from collections.abc import Callable

_catalogue: Callable[[str], str] | None = None


def speak(catalogue: Callable[[str], str] | None) -> None:
    """Look every text up in `catalogue` from now on (None: say the English source)."""
    global _catalogue
    _catalogue = catalogue


def phrase(text: str, /, **values: object) -> str:
    """`text` in the language that is spoken, its `{names}` replaced by `values` (which are never looked into).

    Without values the text is taken as it is: braces in it stand for themselves.
    """
    spoken = _catalogue(text) if _catalogue is not None else text
    return spoken.format_map(values) if values else spoken


def plural(number: int, single: str, many: str, /, **values: object) -> str:
    """`single` for a `number` of 1, else `many`; `{n}` is the number."""
    return phrase(single if number == 1 else many, n=number, **values)


def word(name: str) -> str:
    """A word of a closed set as people read it: `not_a_cause` is `not a cause`."""
    return phrase(name.replace("_", " "))
