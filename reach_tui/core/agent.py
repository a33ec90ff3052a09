"""What is known of an agent without having it: the facts that its kind states and that plans and stores carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Measures = Literal["model", "agent", "suite"]
"""What the numbers of a run speak of. *suite*: the agent is handed the task's answer, or does nothing: its pass share
tells how good a suite is and nothing of any model."""

Evidence = Literal["sent", "served", "handed", "declared", "fingerprint"]
"""How one can see that a factor reached the agent: *sent* stands in a recorded request, *served* was delivered by us,
*handed* was given and its use not seen, *declared* is a label, *fingerprint* a hash of files."""
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)

Fork = Literal["history", "re_execution", "start", "none"]
"""How a trial can be begun in its middle: from the messages so far, by running again against the recorded results, only
at the beginning, or not at all."""

Recorded = Literal["turns", "words", "exchanges", "tokens"]
"""What a trajectory of this agent holds beside calls and results."""


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """What others ask of an agent, stated by its kind for one setup; a store is read where the kind is not installed.

    `label` is what people call the kind. `evidence` is the best that can be given for each factor kind: a factor that
    is not named cannot be branched. `hears_user`: whether it hears further words of a user. `fingerprint` names by hash
    what its trials depend on beside setup and sandbox; a run is finished only under an equal one. `cost_per_trial` in
    USD where it is known beforehand (nothing is ever paid for an agent in this process), else None.
    """

    label: str
    measures: Measures = "agent"
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    fork: Fork = "none"
    holds: tuple[Recorded, ...] = ()
    hears_user: bool = True
    fingerprint: Mapping[str, str] = field(default_factory=dict)
    cost_per_trial: float | None = None
