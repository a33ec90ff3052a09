"""How the benchmarks measure and print."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Result:
    """A row: what was measured, the figure with its unit, what ran beside it, that figure, and the budget in words."""

    what: str
    figure: float
    unit: str
    beside: str
    other: float
    budget: str

    @property
    def ratio(self) -> float:
        """The figure as a multiple of what ran beside it."""
        return self.figure / self.other if self.other else float("nan")


def cpu_ms(function: Callable[[], object], times: int = 5) -> float:
    """The least CPU time of this process, in ms, of several calls."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        function()
        best = min(best, time.process_time() - begun)
    return best * 1000


def wall_ms(function: Callable[[], object], times: int = 5) -> float:
    """The median wall time in ms of several calls."""
    spans = []
    for _ in range(times):
        begun = time.perf_counter()
        function()
        spans.append(time.perf_counter() - begun)
    return statistics.median(spans) * 1000


def process_ms(arguments: Sequence[str], times: int = 7) -> float:
    """The median wall time in ms of a whole process of this interpreter."""

    def go() -> None:
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=Path(__file__).parents[1])

    go()
    return wall_ms(go, times)


def table(results: Sequence[Result]) -> str:
    """The results as lines."""
    lines = [f"{'what':58} {'figure':>12}  {'ratio':>7}  beside"]
    for result in results:
        figure = f"{result.figure:.3g} {result.unit}"
        lines.append(
            f"{result.what:58} {figure:>12}  {result.ratio:6.2f}x  {result.beside}: {result.other:.3g} {result.unit}"
        )
        lines.append(f"{'':58} budget {result.budget}")
    return "\n".join(lines)
