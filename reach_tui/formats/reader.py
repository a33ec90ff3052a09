"""Readers of formats that others bring: what one is, and those that are installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from reach_tui.core.plugins import FORMATS, Registry


class LogReader:
    """Reads one foreign format by turning what a file holds into conversations in our plain form (docs/import.md).

    `value` is the file's JSON value; of JSON lines, the list of their values. Both methods are given data that nobody
    has checked. Made once a process, without arguments.
    """

    name: ClassVar[str]

    def recognises(self, value: Any) -> bool:
        """Whether the value is of this format. Asked only of what no reader of ours has taken."""
        raise NotImplementedError

    def conversations(self, value: Any) -> Iterable[Mapping[str, Any]]:
        """The conversations: each a mapping with `messages` (as of chat completions) and, where known, `id`, `trial`,
        `model`, `tools`, `metadata`. Whatever it raises, the file is skipped with that as the reason.
        """
        raise NotImplementedError


def _fits(loaded: object) -> str:
    return "" if isinstance(loaded, LogReader) else f"{type(loaded).__name__} is no LogReader"


READERS: Registry[LogReader] = Registry(FORMATS, "format", _fits)
