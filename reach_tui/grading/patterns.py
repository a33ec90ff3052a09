"""Patterns from suites, run with a time limit: a slow or broken one is the suite's trouble, never the agent's."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

SECONDS = 0.25
LONGEST_PATTERN = 2000


class PatternTrouble(Exception):
    """A pattern that cannot be read or does not come to an end; the message says which."""


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    import regex

    if len(pattern) > LONGEST_PATTERN:
        raise PatternTrouble(f"the pattern is longer than {LONGEST_PATTERN} characters")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise PatternTrouble(f"the pattern {pattern!r} cannot be read: {error}") from None


def found(pattern: str, text: str) -> bool:
    """Whether the pattern occurs in the text. Raises PatternTrouble where that cannot be said within SECONDS."""
    compiled = _compiled(pattern)
    try:
        return compiled.search(text, timeout=SECONDS) is not None
    except TimeoutError:
        raise PatternTrouble(f"the pattern {pattern!r} took more than {SECONDS:g} s") from None
