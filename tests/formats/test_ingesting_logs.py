"""Logs in the store: each trajectory once, labels kept, attempts told apart, what was skipped remembered."""

from __future__ import annotations

import hashlib
import multiprocessing
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.harness.ingest import VERSION, IngestReport, ingest
from reach_tui.present.imports import import_json, import_line
from reach_tui.store import check
from reach_tui.store.imports import imports_of
from reach_tui.store.labels import add_label, labels_of
from reach_tui.store.replay import load_trial
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_ids, runs_by_ids
from reach_tui.store.store import Store
from reach_tui.store.trial_rows import StoredTrial, TrialRow
from reach_tui.store.trials import trials_of
from reach_tui.store.writer import Writer
from tests.formats.import_logs import DATA, conversation, lines, tau_record, written


def stored(store: Path) -> list[tuple[RunRow, list[TrialRow]]]:
    """Every run of a store with its trials, oldest first."""
    with Store(store) as opened:
        runs = runs_by_ids(opened, sorted(run_ids(opened)))
        return [(run, trials_of(opened, run.id)) for run in runs]


def loaded(store: Path, trial: TrialRow) -> StoredTrial:
    """One trial, whole."""
    with Store(store) as opened:
        return load_trial(opened, trial.id)


def counts(report: IngestReport) -> tuple[int, int, int]:
    """Imported, skipped, already there."""
    return report.imported, len(report.skipped), report.already


THREE = lines(*(conversation(task) for task in ("x", "y", "z")))


@pytest.mark.parametrize(
    ("content", "imported", "line"),
    [
        pytest.param(THREE[: len(THREE) - 60], 2, 3, id="the last line is cut in half"),
        pytest.param(THREE[: len(THREE) - 60] + "\n\n", 2, 3, id="and an empty line follows"),
        pytest.param(
            lines(conversation("x")) + '{"task_id": "x", \n' + lines(conversation("z")), 2, 2, id="a line in the middle"
        ),
        pytest.param(
            lines(conversation("x")) + '"oops"\n' + lines(conversation("z")), 2, 2, id="a line of the wrong shape"
        ),
        pytest.param("", 0, None, id="an empty file"),
    ],
)
def test_a_torn_line_is_named_and_its_neighbours_are_imported(
    tmp_path: Path, content: str, imported: int, line: int | None
) -> None:
    store, log = tmp_path / "runs.db", written(tmp_path / "log.jsonl", content)
    report = ingest(store, [log])
    assert counts(report) == (imported, 1, 0)
    assert import_line(report) == f"{imported} imported, 1 skipped; stored in {store}"
    assert (report.skipped[0].where, report.skipped[0].line) == (str(log), line)
    assert report.skipped[0].reason
    repaired = ingest(store, [written(log, THREE)])
    assert counts(repaired) == (3 - imported, 0, imported)
    ((run, trials),) = stored(store)
    assert sorted(trial.task.key for trial in trials) == ["x", "y", "z"]
    assert (run.planned, run.totals.done, run.totals.not_counted, run.tasks, run.repeats) == (3, 3, 3, 3, 1)


def test_the_same_log_is_one_run_whatever_its_name_and_models_stay_apart(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    a = written(tmp_path / "a.jsonl", lines(conversation("t1", model="m-small", run="nightly")))
    b = written(tmp_path / "b.jsonl", lines(conversation("t1", model="m-large", run="nightly")))
    copy = written(tmp_path / "elsewhere" / "copy.jsonl", a.read_bytes())
    reports = [ingest(store, [path]) for path in (a, a, b, copy)]
    assert [counts(report) for report in reports] == [(1, 0, 0), (0, 0, 1), (1, 0, 0), (0, 0, 1)]
    stored_runs = stored(store)
    assert [(run.name, run.model, len(trials)) for run, trials in stored_runs] == [
        ("nightly", "m-small", 1),
        ("nightly", "m-large", 1),
    ]
    assert [report.runs for report in reports] == [[stored_runs[0][0].uid]] * 2 + [
        [stored_runs[1][0].uid],
        [stored_runs[0][0].uid],
    ]


def test_a_label_survives_importing_the_log_again(tmp_path: Path) -> None:
    store, log = tmp_path / "runs.db", written(tmp_path / "a.jsonl", lines(conversation("t1", model="m-small")))
    ingest(store, [log])
    ((_, (trial,)),) = stored(store)
    with Store(store, write=True) as opened:
        add_label(opened, trial.start.uid, "owner", "user", author="reviewer")
    ingest(store, [log])
    ((_, (after,)),) = stored(store)
    with Store(store) as opened:
        assert [(label.kind, label.value) for label in labels_of(opened, after.start.uid)] == [("owner", "user")]


def test_two_tries_of_one_slot_are_attempts_and_the_later_is_the_result(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    log = written(tmp_path / "run.json", [tau_record(1, 0, 0.0, error="connection lost"), tau_record(1, 0, 1.0)])
    assert counts(ingest(store, [log])) == (2, 0, 0)
    ((run, trials),) = stored(store)
    assert [(t.start.repeat, t.start.attempt, t.final, t.grading.status) for t in trials] == [
        (1, 1, False, "infra_error"),
        (1, 2, True, "passed"),
    ]
    assert (run.planned, run.totals.done, run.totals.passed, run.totals.not_counted, run.totals.reach_mean) == (
        1,
        1,
        1,
        0,
        1.0,
    )
    assert counts(ingest(store, [log])) == (0, 0, 2)


@pytest.mark.parametrize("start", ["threads", "processes"])
def test_two_imports_at_the_same_moment_give_one(tmp_path: Path, start: str) -> None:
    store = tmp_path / "runs.db"
    log = written(tmp_path / "run.json", [tau_record(n, 0, 1.0, answer=f"done {n}") for n in range(20)])
    if start == "threads":
        barrier = threading.Barrier(2)
        both: list[Any] = [threading.Thread(target=at_once, args=(barrier.wait, store, log)) for _ in range(2)]
    else:
        context = multiprocessing.get_context("spawn")
        gate = context.Barrier(2)
        both = [context.Process(target=at_once, args=(gate.wait, store, log)) for _ in range(2)]
    for worker in both:
        worker.start()
    for worker in both:
        worker.join()
    ((run, trials),) = stored(store)
    assert len(trials) == 20
    assert all(trial.final and trial.start.attempt == 1 and trial.grading.status == "passed" for trial in trials)
    assert (run.planned, run.totals.done, run.totals.passed) == (20, 20, 20)
    assert not check.check(store)


def at_once(wait: Callable[[], object], store: Path, log: Path) -> None:
    """Import when the other one does."""
    wait()
    ingest(store, [log])


def test_an_import_that_was_cut_off_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "runs.db"
    log = written(tmp_path / "run.json", [tau_record(n, 0, 1.0, answer=f"done {n}") for n in range(3)])
    end, ended = Writer.end_trial, []

    def end_one(self: Writer, *told: Any, **more: Any) -> None:
        if ended:
            raise KeyboardInterrupt
        ended.append(told)
        end(self, *told, **more)

    monkeypatch.setattr(Writer, "end_trial", end_one)
    with pytest.raises(KeyboardInterrupt):
        ingest(store, [log])
    monkeypatch.undo()
    assert counts(ingest(store, [log])) == (2, 0, 1)
    ((run, trials),) = stored(store)
    assert [(t.grading.status, t.start.attempt, t.end.steps) for t in trials] == [("passed", 1, 2)] * 3
    assert run.totals.done == 3


def test_equal_tries_without_an_index_are_found_again(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    records = [conversation("a", trial=None, answer=answer) for answer in ("x", "y", "x")]
    torn = lines(records[0]) + lines(records[1])[:-30] + "\n" + lines(records[2])
    assert counts(ingest(store, [written(tmp_path / "a.jsonl", torn)])) == (2, 1, 0)
    assert counts(ingest(store, [written(tmp_path / "b.jsonl", lines(*records))])) == (1, 0, 2)
    ((run, trials),) = stored(store)
    assert sorted(trial.start.repeat for trial in trials) == [1, 2, 3]
    assert (run.planned, run.repeats) == (3, 3)
    assert all(trial.final for trial in trials)


def test_a_later_try_of_the_same_run_is_a_further_attempt(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"

    def results(answer: str) -> dict[str, Any]:
        messages = [{"role": "assistant", "content": answer}]
        simulation = {"id": answer, "task_id": "t", "trial": 0, "messages": messages, "reward_info": {"reward": 1.0}}
        return {"timestamp": "2026-01-01", "info": {"seed": 1}, "tasks": [], "simulations": [simulation]}

    ingest(store, [written(tmp_path / "a.json", results("one"))])
    ingest(store, [written(tmp_path / "b.json", results("two"))])
    ((run, trials),) = stored(store)
    assert [(t.start.attempt, t.final) for t in trials] == [(1, False), (2, True)]
    assert (run.planned, run.totals.done) == (1, 1)


def test_two_logs_without_anything_in_common_are_two_runs(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for day in ("monday", "tuesday"):
        ingest(store, [written(tmp_path / f"{day}.jsonl", lines(conversation("t1", answer=day)))])
    assert [(run.name, len(trials)) for run, trials in stored(store)] == [("monday", 1), ("tuesday", 1)]


def test_another_outcome_for_a_stored_trajectory_is_told_and_not_taken(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    ingest(store, [written(tmp_path / "a.json", [tau_record(1, 0, 1.0)])])
    report = ingest(store, [written(tmp_path / "a.json", [tau_record(1, 0, 0.0)])])
    assert counts(report) == (0, 1, 1)
    assert "stored as passed, now said to be failed" in report.skipped[0].reason
    ((run, _),) = stored(store)
    assert run.totals.passed == 1


def test_what_is_imported_is_whole_in_the_store(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    report = ingest(store, [DATA / "desks.results.json", DATA / "parcels.tau-bench.json", DATA / "six-messages.jsonl"])
    assert counts(report) == (15, 0, 0)
    desks, parcels, six = stored(store)
    run = desks[0]
    assert (run.origin, run.status, run.suite, run.agent_kind, run.model) == (
        "import",
        "ended",
        "tau2-bench/desks",
        "imported",
        "m-small",
    )
    assert (run.totals.passed, run.totals.failed, run.totals.not_counted, run.planned) == (2, 3, 3, 8)
    assert run.totals.summary["not_counted"] == {"infra_error": 1, "simulator_error": 1, "unscored": 1}
    first = next(trial for trial in desks[1] if trial.task.key == "move_desk" and trial.start.repeat == 1)
    trial = loaded(store, first)
    assert (first.start.state_kind, first.end.tokens_in, first.end.cost, first.end.wall_ms) == (
        "observed",
        700,
        0.02,
        30500,
    )
    assert trial.trajectory.history().value(("bookings", "B1", "desk_id"), 9) == "D2"
    assert trial.setup is not None
    assert trial.setup.prompt.startswith("Book desks.")
    assert trial.grading is not None
    assert (trial.grading.version, trial.grading.status, trial.grading.mode) == (VERSION, "passed", None)
    assert [check.decides for check in trial.grading.checks] == [True, True, False]
    failed = loaded(store, parcels[1][1])
    assert failed.grading is not None
    assert (failed.grading.status, failed.grading.mode, failed.grading.owner, failed.grading.step) == (
        "failed",
        "unclassified",
        None,
        None,
    )
    assert six[1][0].start.state_kind == "none"
    assert "two rows" in loaded(store, six[1][0]).trajectory.steps[0].text
    assert not check.check(store)


def test_every_import_is_remembered_with_what_it_skipped(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    good = written(tmp_path / "logs" / "good.jsonl", lines(conversation("a")))
    bad = written(tmp_path / "logs" / "note.txt", "no log")
    report = ingest(store, [tmp_path / "logs"])
    assert counts(report) == (1, 1, 0)
    assert import_json(report)["reasons"] == [
        {"where": str(bad), "line": None, "reason": "not a trajectory: no JSON"},
    ]
    with Store(store) as opened:
        digest = hashlib.blake2b(good.read_bytes(), digest_size=16).digest()
        assert [
            (import_row.format, import_row.source, import_row.trials) for import_row in imports_of(opened, digest)
        ] == [("openai-chat", str(good), 1)]


def test_nothing_to_import_makes_no_store_and_a_missing_path_is_said(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    report = ingest(store, [written(tmp_path / "note.txt", "no log")])
    assert counts(report) == (0, 1, 0)
    assert not store.exists()
    with pytest.raises(UsageError, match=r"there is no .*gone\.json"):
        ingest(store, [tmp_path / "gone.json"])
    report = ingest(store, [tmp_path / "gone.json", written(tmp_path / "a.json", conversation("a"))])
    assert counts(report) == (1, 1, 0)


def test_progress_hears_of_every_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        written(tmp_path / "logs" / f"{name}.json", conversation(name))
    heard: list[tuple[int, int, str]] = []
    ingest(tmp_path / "runs.db", [tmp_path / "logs"], progress=lambda *told: heard.append(told))
    assert [(done, new_count, Path(name).name) for done, new_count, name in heard] == [
        (0, 0, "a.json"),
        (1, 1, "b.json"),
    ]
