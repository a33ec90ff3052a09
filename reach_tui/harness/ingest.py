"""Logs of others into the store: each trajectory once, whatever its file is called and however often it is imported.

A trial's uid is a function of its content, so what is stored already is found again and left as it is, labels and all.
A run is found by the log's own identity of it, else by a trial of the file that is stored already (a repaired file then
adds what was missing), else it is new, under a uid made of its trials. Two imports of one file at the same moment
therefore write the same rows, and the store keeps one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reach_tui.core.agent import AgentFacts
from reach_tui.core.canonical import digest
from reach_tui.core.condition import Setup
from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.grading import FailureMode, Grading
from reach_tui.core.ids import content_uid
from reach_tui.core.records import to_json
from reach_tui.core.task import Task
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.formats.detect import read_paths
from reach_tui.formats.model import ImportedFile, ImportedRun, ImportedTrial, Skipped
from reach_tui.metrics.tally import RunTally
from reach_tui.store import control, run_queue
from reach_tui.store.base import now_ms
from reach_tui.store.gradings import current_grading
from reach_tui.store.imports import grow_run, record_import
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.trial_rows import TrialRow
from reach_tui.store.trials import existing_uids, find_trial, trials_of
from reach_tui.store.writer import Writer

VERSION = "imported-1"
"""The version of gradings that a log gave."""
AGENT_KIND = "imported"
FACTS = AgentFacts("imported", "agent", holds=("turns", "words"))
"""Of what others ran: nothing of it can be changed and run again."""
_UNFINISHED = ("running", "interrupted")
_AT_ONCE = 100
"""Trials that are handed to the writer before it is waited for: more would only wait in memory."""

_PATIENCE = 60.0
"""Seconds that the writer may take for them."""

Progress = Callable[[int, int, str], None]
"""(trials stored so far, trials found so far, the file being read)"""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an import did. `imported` counts trials that are new in the store, `already` those that were there.

    `skipped` are files and records that were not taken in, with the reason. `runs` are the uids of all runs that hold
    trials of the files, `store` is the file that they are in, `note` what the status line should say of it.
    """

    imported: int
    skipped: list[Skipped]
    runs: list[str]
    already: int
    store: Path
    note: str = ""


def ingest(
    store_path: str | Path, paths: Sequence[str | Path], *, progress: Progress | None = None, at: int | None = None
) -> IngestReport:
    """Read files and folders and store what is new. `at` (ms UTC) is the time of import, by default now.

    What cannot be read is skipped, never raised; a UsageError tells where none of the paths exists, a ReachError that
    the store cannot be written. The store is made if there is none and something to put in.
    """
    if paths and not any(Path(path).exists() for path in paths):
        raise UsageError(f"there is no {Path(paths[0])}", hint="name a file or a folder of logs")
    importer = _Importer(Path(store_path), now_ms() if at is None else at, progress)
    try:
        for file in read_paths(paths, progress=lambda path: importer.tell(str(path))):
            importer.take(file)
        return importer.report()
    finally:
        importer.close()


@dataclass(slots=True)
class _Stored:
    """The stored run that trials are put in: its slots by (task, repeat) with their attempts so far."""

    row: RunRow
    tasks: dict[str, int]
    weights: dict[str, float]
    attempts: dict[tuple[str, int], int] = field(default_factory=dict)
    tally: RunTally = field(default_factory=RunTally)

    def place(self, trial: ImportedTrial) -> tuple[int, int]:
        """(repeat, attempt) for a new trial. Without an index of its own it takes a repeat that is free."""
        repeat = trial.repeat
        if not trial.given:
            choices = (repeat, *range(1, len(self.attempts) + 2))
            repeat = next(n for n in choices if (trial.task_key, n) not in self.attempts)
        attempt = self.attempts.get((trial.task_key, repeat), 0) + 1
        self.attempts[trial.task_key, repeat] = attempt
        return repeat, attempt

    @property
    def repeats(self) -> int:
        """The largest number of slots that a task has, whatever they are numbered."""
        return max(Counter(task for task, _ in self.attempts).values(), default=0)


class _Importer:
    """One import. The store is opened with the first trial that there is to put in."""

    def __init__(self, path: Path, at: int, progress: Progress | None) -> None:
        self._path = path
        self._at = at
        self._progress = progress
        self._writer: Writer | None = None
        self._store: Store | None = None
        self._unrecorded: list[tuple[ImportedFile, int]] = []
        self._imported = 0
        self._new = 0
        self._already = 0
        self._skipped: list[Skipped] = []
        self._runs: dict[str, None] = {}

    def tell(self, what: str) -> None:
        """Say how far it is."""
        if self._progress is not None:
            self._progress(self._imported, self._new, what)

    def take(self, file: ImportedFile) -> None:
        """Store what is new of a file."""
        before, skipped = self._imported, list(file.skipped)
        for run in file.runs:
            skipped += self._take_run(run)
        self._skipped += skipped
        self._unrecorded.append(
            (ImportedFile(file.format, file.source, file.digest, (), tuple(skipped)), self._imported - before)
        )
        if self._writer is not None:
            self._record()

    def report(self) -> IngestReport:
        """Counts, runs and path of what was imported so far."""
        path, note = self._path, ""
        if self._writer is not None:
            path, note = self._writer.path, self._writer.note
        return IngestReport(self._imported, self._skipped, list(self._runs), self._already, path, note)

    def close(self) -> None:
        """Store what is left and close the store."""
        if self._writer is not None:
            self._writer.close()
        if self._store is not None:
            self._store.close()

    def _open(self) -> tuple[Store, Writer]:
        if self._store is None or self._writer is None:
            self._store = Store(self._path, write=True)
            self._writer = Writer(self._store.path)
        return self._store, self._writer

    def _settle(self, writer: Writer) -> None:
        """Wait until everything is stored; ReachError where another program holds the store for long."""
        if not writer.flush(_PATIENCE):
            raise ReachError(writer.note or "the store does not take anything in", where=str(writer.path))

    def _record(self) -> None:
        assert self._store is not None
        for file, stored in self._unrecorded:
            told = [to_json(skipped) for skipped in file.skipped]
            record_import(self._store, file.format, file.source, file.digest, stored, told, self._at)
        self._unrecorded.clear()

    def _take_run(self, run: ImportedRun) -> list[Skipped]:
        store, writer = self._open()
        there = existing_uids(store, [trial.uid for trial in run.trials])
        rows = {trial.uid: find_trial(store, trial.uid) for trial in run.trials if trial.uid in there}
        ended = {uid for uid, row in rows.items() if row.grading.status not in _UNFINISHED}
        todo = [trial for trial in run.trials if trial.uid not in ended]
        self._already += len(ended)
        self._new += len(todo)
        self._runs.update(dict.fromkeys(row.run_uid for row in rows.values()))
        if todo:
            stored = self._home(run, rows)
            self._runs[stored.row.uid] = None
            for number, trial in enumerate(todo, 1):
                self._write(writer, stored, trial, rows.get(trial.uid))
                if number % _AT_ONCE == 0:
                    self._settle(writer)
                    self.tell(trial.where)
            self._settle(writer)
            grow_run(store, stored.row.id, len(stored.attempts), stored.repeats)
            control.set_run_status(store, stored.row.id, "ended", self._ended(todo, stored))
        return [
            told for trial in run.trials if trial.uid in ended and (told := _changed(store, trial, rows[trial.uid]))
        ]

    def _home(self, run: ImportedRun, rows: dict[str, TrialRow]) -> _Stored:
        """The run that a file's new trials belong to, made if it is not there."""
        store, _ = self._open()
        uid = _run_uid(run)
        held = [row.run_uid for row in rows.values()]
        home = run_by_uid(store, uid) or (run_by_uid(store, max(sorted(set(held)), key=held.count)) if held else None)
        bodies = {trial.task_key: Task.of(trial.task) for trial in reversed(run.trials)}
        suite_name = f"{run.format}/{run.domain}" if run.domain else f"{run.format}/{run.name}"
        suite_id, tasks = run_queue.add_suite(
            store, suite_name, digest([AGENT_KIND, suite_name]), None, list(bodies.values())
        )
        if home is None:
            slots = {(trial.task_key, trial.repeat) for trial in run.trials}
            home = run_queue.create_run(
                store,
                run_queue.NewRun(
                    name=run.name,
                    suite_id=suite_id,
                    planned=len(slots),
                    setup=setup_of(run),
                    facts=FACTS,
                    origin="import",
                    status="ended",
                    uid=uid,
                    created_at=self._at if run.created_at is None else run.created_at,
                    plan={"suite": suite_name, "imported": {"format": run.format, "key": run.key}},
                ),
            )
        stored = _Stored(
            home, {**tasks, **run_queue.task_ids(store, home.id)}, {key: t.weight for key, t in bodies.items()}
        )
        for row in trials_of(store, home.id):
            slot = (row.task.key, row.start.repeat)
            stored.attempts[slot] = max(stored.attempts.get(slot, 0), row.start.attempt)
            if row.end is not None and row.grading.status not in _UNFINISHED:
                stored.tally.add(
                    row.task.key,
                    row.task.weight,
                    row.start.repeat,
                    row.grading.status,
                    row.end.tokens,
                    row.end.cost,
                    row.grading.mode,
                    attempt=row.start.attempt if row.final else -row.start.attempt,
                    depth=row.grading.depth,
                    depth_of=row.grading.depth_of,
                )
        return stored

    def _write(self, writer: Writer, stored: _Stored, trial: ImportedTrial, half: TrialRow | None) -> None:
        """Store a trial; `half` is its row where an earlier import was cut off within it."""
        repeat, attempt = (half.start.repeat, half.start.attempt) if half is not None else stored.place(trial)
        run_id, trajectory, score = stored.row.id, trial.trajectory, trial.score
        observed = trajectory.initial is not None
        writer.start_trial(
            TrialStart(
                trial.uid,
                run_id,
                stored.tasks[trial.task_key],
                repeat,
                attempt,
                trial.seed,
                "observed" if observed else "none",
                trial.started_at,
            ),
            trajectory.initial,
        )
        for step in trajectory.steps:
            writer.step(trial.uid, step)
        mode: FailureMode | None = "unclassified" if score.status in ("failed", "partial") else None
        end = TrialEnd(
            ended_at=_end_of(trial, self._at),
            end_reason=trajectory.end_reason,
            end_text=trajectory.end_text,
            steps=len(trajectory.steps),
            turns=trial.turns,
            calls=len(trajectory.calls()),
            tokens_in=trial.tokens_in,
            tokens_out=trial.tokens_out,
            cost=trial.cost,
            model_ms=trial.model_ms,
            wall_ms=trial.duration_ms,
            failed_requests=None,
            final_digest=None,
        )
        stored.tally.add(
            trial.task_key,
            stored.weights.get(trial.task_key, 1.0),
            repeat,
            score.status,
            end.tokens,
            end.cost,
            mode,
            attempt=attempt if trial.final else -attempt,
        )
        grading = Grading(
            VERSION, Task.of(trial.task).oracle, score.status, score.why, mode, score.owner, checks=score.checks
        )
        writer.end_trial(trial.uid, end, grading, stored.tally.totals(), final=trial.final)
        self._imported += 1

    def _ended(self, todo: Sequence[ImportedTrial], stored: _Stored) -> int:
        return max(stored.row.created_at, stored.row.ended_at or 0, *(_end_of(trial, self._at) for trial in todo))


def setup_of(run: ImportedRun) -> Setup:
    """What a log tells of the setup its trials were made under. Nothing of it can be run again as it stands."""
    return Setup(
        agent=AGENT_KIND,
        model={"id": run.model},
        prompt=run.prompt,
        tools=run.tools,
        sampling=dict(run.options),
        context={"strategy": "as logged", **({"implementation": run.agent} if run.agent else {})},
        sandbox=dict(run.environment) or {"name": run.format, "domain": run.domain},
    )


def _run_uid(run: ImportedRun) -> str:
    """By the log's own identity of the run, else by its trials; never by a file's name."""
    parts = [run.key] if run.key else sorted(trial.uid for trial in run.trials)
    return content_uid("r", run.format, run.model or "", run.agent, run.domain, *parts)


def _end_of(trial: ImportedTrial, at: int) -> int:
    return at if trial.started_at is None else trial.started_at + (trial.duration_ms or 0)


def _changed(store: Store, trial: ImportedTrial, row: TrialRow) -> Skipped | None:
    """What to say where a file gives a stored trajectory another outcome than the log gave before: that stays."""
    if row.grading.status == trial.score.status:
        return None
    grading = current_grading(store, row.id)
    if grading is None or grading.version != VERSION:
        return None
    change = f"stored as {row.grading.status}, now said to be {trial.score.status}"
    return Skipped(trial.where, trial.line, f"{trial.task_key}#{row.start.repeat} is {change}: what is stored is kept")
