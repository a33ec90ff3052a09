"""Whether a pattern of a suite can be read. Patterns run in grading, with a time limit."""

from __future__ import annotations

from reach_tui.suites.nodes import short

LONGEST = 2000


def pattern_trouble(pattern: str) -> str | None:
    """Why the regular expression cannot be used, or None."""
    import regex  # 40 ms that a file without patterns need not pay

    if len(pattern) > LONGEST:
        return f"the pattern is longer than {LONGEST} characters"
    try:
        regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError, ValueError, MemoryError) as error:
        return f"the pattern cannot be read: {short(str(error), 100)}"
    return None
