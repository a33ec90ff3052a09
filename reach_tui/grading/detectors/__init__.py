"""Derailing events, one detector a file. A detector is a function of the evidence that yields `Deviation`s.

To add one: a file with such a function, a line in `DETECTORS`, a positive and a negative test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from reach_tui.core.grading import Claim, Deviation
from reach_tui.grading.detectors.abandoned_error import abandoned_errors
from reach_tui.grading.detectors.blind_retry import blind_retries
from reach_tui.grading.detectors.false_claim import false_claims
from reach_tui.grading.detectors.loop import loops
from reach_tui.grading.detectors.unconfirmed_write import unconfirmed_writes
from reach_tui.grading.detectors.ungrounded import ungrounded_arguments
from reach_tui.grading.evidence import Evidence

Detector = Callable[[Evidence], Iterator[Deviation]]

DETECTORS: tuple[Detector, ...] = (
    loops, blind_retries, ungrounded_arguments, abandoned_errors, unconfirmed_writes,
)  # fmt: skip


def deviations_of(evidence: Evidence, claims: Sequence[Claim]) -> tuple[Deviation, ...]:
    """Every deviation of a trial, by step."""
    found = [one for detector in DETECTORS for one in detector(evidence)]
    found.extend(false_claims(claims))
    return tuple(sorted(found, key=lambda one: one.step))
