"""What a reader hands back: runs of trials in our own words, and what was skipped, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reach_tui.core.canonical import digest
from reach_tui.core.grading import CheckResult, Owner, TrialStatus
from reach_tui.core.ids import content_uid
from reach_tui.core.tools import ToolView
from reach_tui.core.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or record that was not read. `line` counts from 1 where a line can be named."""

    where: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        return f"{self.where}:{self.line}: {self.reason}" if self.line else f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Score:
    """What the log says a trial came to. `owner` is whose fault it was, where the format says so."""

    status: TrialStatus
    why: str
    checks: tuple[CheckResult, ...] = ()
    reward: float | None = None
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class ImportedTrial:
    """One trajectory of a log. Times in ms; `started_at` UTC, where a time without an offset is read as UTC.

    `uid` is a function of the content (see `trial_uid`). `repeat` is what the log says, moved to our count where the
    format counts from 0; where the log says nothing it is the order within the file and `given` is False. Two trials
    of one task and repeat are attempts: `attempt` counts from 1 in the order of the file, the last is the result.
    """

    uid: str
    task_key: str
    repeat: int
    given: bool
    task: Mapping[str, Any]
    trajectory: Trajectory
    score: Score
    where: str
    line: int | None = None
    attempt: int = 1
    final: bool = True
    turns: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    model_ms: int = 0
    duration_ms: int | None = None
    started_at: int | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """Trials that were made under one setup, as far as the log tells.

    `key` is the log's own identity of the run (empty where it has none): equal keys are one run whatever the file.
    `model` is the model's name or None; `options` its sampling options. `prompt` is the text that all its trials
    share, or empty. `environment` says what else the log knows of the world and the user around the agent.
    """

    format: str
    name: str
    key: str
    agent: str
    model: str | None
    domain: str
    trials: tuple[ImportedTrial, ...]
    prompt: str = ""
    tools: tuple[ToolView, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    created_at: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """One file (or one folder that is a log) as read. `digest` is of its bytes, None where nothing could be read."""

    format: str
    source: str
    digest: bytes | None
    runs: tuple[ImportedRun, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def trials(self) -> int:
        """How many trajectories it holds."""
        return sum(len(run.trials) for run in self.runs)


_ESSENCE = (
    "role", "content", "tool_calls", "function_call", "tool_call_id", "id", "name", "error", "tool_messages",
    "refusal", "reasoning_content",
)  # fmt: skip


def essence(messages: Iterable[Any]) -> list[Any]:
    """What makes a conversation the same one however it was written out: what was said, called and answered.

    Other fields, and those that say nothing, come and go with the versions of the programs that write logs.
    """
    return [
        {key: message[key] for key in _ESSENCE if message.get(key) not in (None, False, "", [])}
        if isinstance(message, Mapping)
        else message
        for message in messages
    ]


def trial_uid(fmt: str, model: str | None, task_key: str, trial: Any, content: Any, copy: int = 0) -> str:
    """The uid of a trajectory: of its content (see `essence`), its model, task and trial index, and nothing else.

    `trial` is the index as the log has it, None if it has none; then `copy` tells equal conversations of one file
    apart, which are separate tries. With an index they are the same record written twice.
    """
    return content_uid("t", fmt, model or "", task_key, repr(trial), digest(content).hex(), str(copy))


NO_REQUEST = "(the log does not hold the request)"


def task_body(key: str, request: str, **known: Any) -> dict[str, Any]:
    """A task's body with every key of the normalised form, for a task that a log tells of.

    It names no outcome, so that no grader of ours takes part of the log's expectations for all of them; what the log
    expects stands under `imported`, its reference calls under `reference`.
    """
    body: dict[str, Any] = {
        "id": key, "request": request or NO_REQUEST,
        "domain": None, "intent": None, "task_type": None, "kind": "action",
        "priority": None, "difficulty": None, "risk": None, "weight": 1.0, "repeat": 1, "tags": {}, "turns": [],
        "now": None, "initial_state": {}, "allowed_tools": None, "outcomes": [], "allow_changes": [],
        "expected_tools": None, "milestones": [], "forbidden": [], "constraints": [], "reference": [],
        "perturbations": [], "quality": None, "limits": {}, "sandbox": None, "judge": "state",
    }  # fmt: skip
    return {**body, **known}


def with_attempts(trials: Iterable[ImportedTrial]) -> tuple[ImportedTrial, ...]:
    """Trials with repeats, attempts and the speaking attempt settled, in order; a record written twice is kept once.

    A trial whose log gives no index takes the next repeat of its task that no other trial has.
    """
    distinct = list({trial.uid: trial for trial in reversed(list(trials))}.values())[::-1]
    taken = {(trial.task_key, trial.repeat) for trial in distinct if trial.given}
    attempts: dict[tuple[str, int], int] = {}
    settled = []
    for trial in distinct:
        repeat = trial.repeat
        if not trial.given:
            repeat = 1
            while (trial.task_key, repeat) in taken:
                repeat += 1
            taken.add((trial.task_key, repeat))
        slot = (trial.task_key, repeat)
        attempts[slot] = attempts.get(slot, 0) + 1
        settled.append(replace(trial, repeat=repeat, attempt=attempts[slot]))
    return tuple(replace(t, final=t.attempt == attempts[(t.task_key, t.repeat)]) for t in settled)
