"""The columns of what a trial is made of, in the order of the records' fields; for those who write and who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from reach_tui.core.changes import Change
from reach_tui.core.grading import CheckResult, Claim, Deviation, Grading, MilestoneResult
from reach_tui.core.run import RunTotals
from reach_tui.core.trajectory import Exchange, Step
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.store.columns import Columns, Row, as_is

START = Columns(TrialStart, encoders={"uid": as_is, "seed": as_is})
END = Columns(TrialEnd)
STEP = Columns(Step, without=("body", "changes"))
CHANGE = Columns(Change)
EXCHANGE = Columns(Exchange, without=("messages", "tools", "response", "request_digest"), encoders={"who": as_is})
TOTALS = Columns(RunTotals)
PARTS: Mapping[str, Columns[Any]] = {
    "checks": Columns(CheckResult), "milestones": Columns(MilestoneResult),
    "deviations": Columns(Deviation, encoders={"detector": as_is}), "claims": Columns(Claim),
}  # fmt: skip
"""What a grading consists of, each in a table of its own, in order."""
GRADING = Columns(Grading, without=tuple(PARTS), encoders={"version": as_is})


class GradingOp(NamedTuple):
    """A grading, and the rows of its parts by table."""

    grading: Row
    parts: Mapping[str, tuple[Row, ...]]


def grading_op(grading: Grading) -> GradingOp:
    """Encode a grading with its checks, milestones, deviations and claims."""
    return GradingOp(
        GRADING.encode(grading), {name: tuple(map(part.encode, getattr(grading, name))) for name, part in PARTS.items()}
    )
