"""Notices of the harness inside a tool result, between fixed marks, so that nobody takes them for the tool's words."""

from __future__ import annotations

OPEN = "[[harness notice: "
CLOSE = "]]"


def append_notice(result: str, notice: str) -> str:
    """A result's text with a notice behind it."""
    return f"{result}\n\n{OPEN}{notice}{CLOSE}"


def split_notice(text: str) -> tuple[str, str | None]:
    """The tool's own text and the notice behind it, if there is one."""
    own, mark, rest = text.rpartition("\n\n" + OPEN)
    if not mark or not rest.endswith(CLOSE):
        return text, None
    return own, rest[: -len(CLOSE)]
