"""Which code a run's trials depend on, so that a run is not finished by other code than it was begun with."""

from __future__ import annotations

import hashlib
from pathlib import Path

from reach_tui import agents
from reach_tui.core.condition import Setup
from reach_tui.grading import GRADER_VERSION


def code_of(setup: Setup) -> dict[str, str]:
    """What the trials of a setup depend on beside its sandbox: the grader's version, the simulated models' code."""
    fingerprints = {"grader": GRADER_VERSION}
    if setup.agent == "simulated":
        hasher = hashlib.blake2b(digest_size=16)
        for path in sorted((Path(agents.__file__).parent / "simulated").glob("*.py")):
            hasher.update(path.read_bytes())
        fingerprints["simulated"] = hasher.hexdigest()
    return fingerprints
