"""Unconfirmed write: a write that the agent never read back. A finding about the process; it derails nothing."""

from __future__ import annotations

from collections.abc import Iterator

from reach_tui.core.grading import Deviation
from reach_tui.grading.evidence import Evidence
from reach_tui.grading.read_back import unread_writes

DETECTOR = "unconfirmed_write"


def unconfirmed_writes(evidence: Evidence) -> Iterator[Deviation]:
    """One deviation a trial, at the first write that was not read back."""
    unread = unread_writes(evidence)
    if unread:
        names = ", ".join(dict.fromkeys(str(step.tool) for step in unread))
        words = f"{names} never read back" if len(unread) == 1 else f"{len(unread)} writes never read back: {names}"
        yield Deviation(DETECTOR, unread[0].n, words, unread[0].tool, unread[-1].n)
