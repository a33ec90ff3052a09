"""Which code a run's trials depend on, so that a run is not finished by other code than it was begun with."""

from __future__ import annotations

from collections.abc import Mapping

from reach_tui.agents.kind import KINDS
from reach_tui.core.condition import Setup
from reach_tui.grading import grader_version


def code_of(setup: Setup) -> Mapping[str, str]:
    """What the trials of a setup depend on beside its sandbox: the grader's version, the agent kind's fingerprint."""
    return {"grader": grader_version(), **KINDS.find(setup.agent).facts(setup).fingerprint}
