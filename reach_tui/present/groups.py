"""Trials counted by task and by tag: what tables of a run are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reach_tui.core.grading import COUNTED
from reach_tui.store.trial_rows import TrialRow


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """The final trials of one task, by repeat."""

    task_id: int
    key: str
    trials: tuple[TrialRow, ...]

    @property
    def passed(self) -> int:
        """Trials that passed."""
        return sum(trial.grading.status == "passed" for trial in self.trials)

    @property
    def counted(self) -> int:
        """Trials that count."""
        return sum(trial.grading.status in COUNTED for trial in self.trials)

    @property
    def mode(self) -> str:
        """The commonest failure mode; empty without failures."""
        return main_mode(self.trials)


@dataclass(frozen=True, slots=True)
class TagGroup:
    """The trials of all tasks with one value of a tag; `mean` is the mean over its counted tasks."""

    name: str
    tasks: int
    passed: int
    counted: int
    mean: float | None
    mode: str


def final_trials(trials: Iterable[TrialRow]) -> list[TrialRow]:
    """One trial for each slot: the attempt that speaks for it, else the one under way."""
    slots: dict[tuple[int, int], TrialRow] = {}
    for trial in trials:
        slot = (trial.start.task_id, trial.start.repeat)
        held = slots.get(slot)
        if held is None or trial.final or (not held.final and trial.start.attempt >= held.start.attempt):
            slots[slot] = trial
    return sorted(slots.values(), key=lambda trial: (trial.start.task_id, trial.start.repeat))


def by_task(trials: Iterable[TrialRow]) -> list[TaskGroup]:
    """Trials grouped by task, in the order of the suite."""
    rows_by_task: dict[int, list[TrialRow]] = {}
    for trial in final_trials(trials):
        rows_by_task.setdefault(trial.start.task_id, []).append(trial)
    return [TaskGroup(id, rows[0].task.key, tuple(rows)) for id, rows in rows_by_task.items()]


def by_tag(trials: Iterable[TrialRow], tag: Callable[[TrialRow], str | None]) -> list[TagGroup]:
    """Trials grouped by what `tag` gives, worst mean first."""
    rows_by_tag: dict[str, list[TrialRow]] = {}
    for trial in final_trials(trials):
        rows_by_tag.setdefault(tag(trial) or "-", []).append(trial)
    groups = []
    for name, rows in rows_by_tag.items():
        tasks = by_task(rows)
        means = [task.passed / task.counted for task in tasks if task.counted]
        groups.append(
            TagGroup(
                name,
                len(tasks),
                sum(t.passed for t in tasks),
                sum(t.counted for t in tasks),
                sum(means) / len(means) if means else None,
                main_mode(rows),
            )
        )
    return sorted(groups, key=lambda group: (2.0 if group.mean is None else group.mean, group.name))


def main_mode(trials: Sequence[TrialRow]) -> str:
    """The commonest failure mode of trials that did not pass, ties by name."""
    counted = Counter(
        trial.grading.mode or "unclassified" for trial in trials if trial.grading.status in ("failed", "partial")
    )
    return min(counted, key=lambda mode: (-counted[mode], mode)) if counted else ""


def matches(trial: TrialRow, words: Sequence[str]) -> bool:
    """Whether every word of a filter holds of a trial: `mode:tool`, `status:failed`, `domain:after`, or any text."""
    task, grading = trial.task, trial.grading
    fields = {
        "task": task.key, "status": grading.status, "mode": grading.mode, "owner": grading.owner,
        "domain": task.domain, "intent": task.intent, "type": task.task_type, "kind": task.kind,
        "difficulty": task.difficulty, "priority": task.priority, "end": trial.end and trial.end.end_reason,
        "why": grading.why,
        "repeat": f"#{trial.start.repeat}",
    }  # fmt: skip
    for word in words:
        name, colon, value = word.partition(":")
        if colon and name in fields:
            held = (fields[name] or "").lower()
            if held != f"#{value.removeprefix('#')}" if name == "repeat" else value.lower() not in held:
                return False
        elif not any(word.lower() in (text or "").lower() for text in fields.values()):
            return False
    return True
