"""The loop guard: equal calls with equal results and no state change between get a notice, then an end."""

from __future__ import annotations

from reach_tui.core.canonical import digest


class LoopGuard:
    """Counts equal calls. More than `max_equal_calls` of them get a notice; one more after that ends the trial.

    Part of the limits, and so equal in all arms of an experiment. Polling tools are not watched.
    """

    def __init__(self, max_equal_calls: int) -> None:
        self._max_equal_calls = max_equal_calls
        self._seen: dict[bytes, int] = {}
        self._warned: set[bytes] = set()

    def after_call(self, tool: str, arguments: object, result: str, *, changed: bool) -> str | None:
        """ "notice" when the guard should speak, "stop" when the trial should end, else None."""
        if changed:
            self._seen.clear()
            self._warned.clear()
            return None
        key = digest([tool, arguments, result])
        self._seen[key] = self._seen.get(key, 0) + 1
        if key in self._warned:
            return "stop"
        if self._seen[key] > self._max_equal_calls:
            self._warned.add(key)
            return "notice"
        return None
