"""Time as the harness measures it. It never enters a digest, and a reproducible store has none at all."""

from __future__ import annotations

import time


class WallClock:
    """Milliseconds by this machine's clocks."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // 1_000_000

    def elapsed_ms(self) -> int | None:
        """Milliseconds from an unknown moment; only differences mean anything. None where time is not measured."""
        return time.monotonic_ns() // 1_000_000


class FixedClock:
    """A clock that stands: for stores that must come out the same each time. Durations are then unknown, not zero."""

    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC: always the moment it was made with."""
        return self._now_ms

    def elapsed_ms(self) -> int | None:
        """None: time is not measured."""
        return None


Clock = WallClock | FixedClock
