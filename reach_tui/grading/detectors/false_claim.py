"""False claim: the agent says that something is done, and no successful write bears it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reach_tui.core.grading import Claim, Deviation

DETECTOR = "false_claim"


def false_claims(claims: Sequence[Claim]) -> Iterator[Deviation]:
    """One deviation for each statement that claims a tool's work without it."""
    seen = set()
    for claim in claims:
        if claim.supported is False and claim.tool is not None and (claim.step, claim.span, claim.tool) not in seen:
            seen.add((claim.step, claim.span, claim.tool))
            words = f"said {claim.span!r}, and no {claim.tool} had succeeded"
            yield Deviation(DETECTOR, claim.step, words, claim.tool)
