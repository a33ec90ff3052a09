"""A line that moves while something runs: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TextIO

from reach_tui.core.text import visible
from reach_tui.present.layout import fit
from reach_tui.store.rows import RunRow

BAR = 24
_EVERY_SECONDS = 5.0


class Progress:
    """Shows `label [####....] done/total note`. Quiet for the first second: what is over by then needs no bar."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._begun = time.monotonic()
        self._last = self._begun
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn and self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def update(self, label: str, done: int, total: int, note: str = "") -> None:
        """Draw, where it is time to."""
        now = time.monotonic()
        if now - self._begun < 1.0 or (not self._terminal and now - self._last < _EVERY_SECONDS):
            return
        self._last, self._drawn = now, True
        text = visible(f"{label} {bar(done, total)} {done}/{total} {note}")
        self._stream.write("\r" + fit(text, 79) if self._terminal else text.rstrip() + "\n")
        self._stream.flush()


class RunProgress(Progress):
    """Progress of one run."""

    def __enter__(self) -> RunProgress:
        return self

    def show(self, row: RunRow) -> None:
        """A run's row as it stands."""
        self.update(f"run {row.uid}", row.totals.done, row.planned, f"passed {row.totals.passed}")


def bar(done: int, total: int, cells: int = BAR) -> str:
    """`[######......]`"""
    full = cells if total <= 0 else min(cells, done * cells // total)
    return "[" + "#" * full + "." * (cells - full) + "]"
