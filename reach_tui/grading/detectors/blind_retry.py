"""Blind retry: a call that has just failed, made again unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from reach_tui.core.canonical import canonical
from reach_tui.core.grading import Deviation
from reach_tui.core.trajectory import FAULT, LATE, Step
from reach_tui.grading.evidence import Evidence, result_of, succeeded

DETECTOR = "blind_retry"
FLAGGED_FROM = 3
"""Equal failing calls in a row: the second may be a slip, from the third on nothing was learned from the error."""


def blind_retries(evidence: Evidence) -> Iterator[Deviation]:
    """One deviation an episode: equal calls one right after the other, each failing. Calls that an injected fault or
    the clock broke may be tried again, and so may polling tools.
    """
    for _, group in groupby(evidence.calls, key=lambda step: _key(step, evidence)):
        steps = list(group)
        if len(steps) >= FLAGGED_FROM and _key(steps[0], evidence) is not None:
            words = (
                f"{steps[0].tool} tried {len(steps)} times unchanged after its own error: {result_of(steps[0])[:200]}"
            )
            yield Deviation(DETECTOR, steps[0].n, words, steps[0].tool, steps[-1].n)


def _key(step: Step, evidence: Evidence) -> tuple[str, str] | None:
    spec = evidence.spec(step)
    if succeeded(step) or step.flags & (FAULT | LATE) or (spec is not None and spec.polling):
        return None
    args = step.body.get("args")
    return step.tool or "", canonical(args if args is not None else step.body.get("raw"))
