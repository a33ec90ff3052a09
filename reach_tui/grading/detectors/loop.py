"""Loop: equal calls with equal results, more of them than the limit bears, with no state change between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reach_tui.core.canonical import canonical
from reach_tui.core.grading import Deviation
from reach_tui.core.trajectory import Step
from reach_tui.grading.evidence import Evidence, result_of

DETECTOR = "loop"


def loops(evidence: Evidence) -> Iterator[Deviation]:
    """One deviation a loop, from its first call to its last. Other calls may come between: a cycle is a loop too.

    The same rule as the guard's (`limits.loop` equal calls are borne); polling tools are exempt.
    """
    bearable = evidence.task.limits.loop
    if max(Counter(step.tool for step in evidence.calls).values(), default=0) <= bearable:
        return
    seen: dict[tuple[str, str, str], list[Step]] = {}
    for step in evidence.trajectory.steps:
        if step.changes:
            yield from _over(seen, bearable)
            seen = {}
        elif step.kind == "call" and step.body.get("requestor") != "user":
            spec = evidence.spec(step)
            if spec is None or not spec.polling:
                seen.setdefault((step.tool or "", _arguments(step), result_of(step)), []).append(step)
    yield from _over(seen, bearable)


def _over(seen: dict[tuple[str, str, str], list[Step]], bearable: int) -> Iterator[Deviation]:
    for steps in seen.values():
        if len(steps) > bearable:
            words = (
                f"{steps[0].tool} called {len(steps)} times with equal arguments and results, nothing changed between"
            )
            yield Deviation(DETECTOR, steps[0].n, words, steps[0].tool, steps[-1].n)


def _arguments(step: Step) -> str:
    args = step.body.get("args")
    return canonical(args if args is not None else step.body.get("raw"))
