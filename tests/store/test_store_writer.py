"""The writer loses nothing and doubles nothing: with others at the store, when it is killed, when it must leave."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reach_tui.core.errors import ReachError
from reach_tui.core.trajectory import Step
from reach_tui.core.trial import TrialStart
from reach_tui.store import check, control, leases, maintenance, processes, replay, runs, trials
from reach_tui.store.base import meta
from reach_tui.store.spill import pending_path, rejected_path, take_in
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer
from tests.store.store_samples import Shop, count, exchange, grading, steps, totals


def _wait(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.005)


def _holder(path: Path) -> sqlite3.Connection:
    """Another program's write lock."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_trial_appears_running_grows_and_ends_with_the_run_s_totals(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    store = shop.reading()
    with Writer(shop.path, every_ms=1) as writer:
        writer.start_trial(*shop.start())
        assert writer.flush(10)
        assert [row.grading.status for row in trials.trials_of(store, shop.run.id)] == ["running"]
        first, *rest = steps({"args": {}, "raw": "{}", "result": "x"})
        writer.step("t1", first)
        assert writer.flush(10)
        (flying,) = trials.in_flight(store, shop.run.id)
        assert (flying.task_key, flying.steps, flying.last_tool) == ("T1", 1, None)
        assert runs.runs_by_ids(store, [shop.run.id])[0].totals.done == 0
        for step in rest:
            writer.step("t1", step)
        writer.end_trial(*shop.end(totals=totals(summary={"modes": {"tool": 1}})))
        assert writer.flush(10)
    (row,) = runs.runs_by_ids(store, [shop.run.id])
    assert (row.totals.done, row.totals.passed, row.totals.reach_mean, row.totals.cost) == (1, 1, 1.0, 0.5)
    assert row.totals.summary == {"modes": {"tool": 1}}
    assert trials.in_flight(store, shop.run.id) == []
    assert check.check(shop.path, deep=True) == []


def test_what_gathers_is_stored_in_one_transaction_without_being_asked(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=20) as writer:
        before = int(meta(shop.reading().db, "rev") or 0)
        shop.put(writer, "t1")
        shop.put(writer, "t2", repeat=2)
        store = shop.reading()
        _wait(lambda: count(store, "gradings") == 2)
        revisions = {row[0] for row in store.db.execute("SELECT rev FROM trials")}
    assert revisions == {before + 1}


def test_many_threads_may_give_to_one_writer(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=1) as writer:

        def work(number: int) -> None:
            for n in range(10):
                shop.put(writer, f"t{number}-{n}", repeat=number * 100 + n)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert writer.flush(20)
        assert writer.note == ""
    store = shop.reading()
    assert (count(store, "trials"), count(store, "steps"), count(store, "gradings")) == (40, 120, 40)


def test_a_lock_held_past_the_timeout_keeps_the_results_says_so_and_stores_them_later(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=1, busy_ms=30) as writer:
        holding = _holder(shop.path)
        shop.put(writer)
        assert not writer.flush(0.05)
        _wait(lambda: writer.note != "")
        assert "another program holds the store: 5 records are kept" in writer.note
        reader = shop.reading()
        assert trials.trials_of(reader, shop.run.id) == []
        holding.execute("ROLLBACK")
        assert writer.flush(20)
        assert writer.note == ""
    assert not pending_path(shop.path).exists()
    assert count(shop.reading(), "steps") == 3


def test_what_is_left_when_the_writer_must_leave_is_taken_in_by_the_next_one(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    holding = _holder(shop.path)
    writer = Writer(shop.path, every_ms=1, busy_ms=20)
    shop.put(writer, body={"args": {"t": "007\ud83d"}, "raw": "", "result": "退款"})
    writer.exchange("t1", exchange(1, "hello"))
    assert writer.close() == 6
    assert pending_path(shop.path).exists()
    assert any("wait to be stored" in finding.what for finding in check.check(shop.path))
    with pytest.raises(ReachError, match="closed"):
        writer.step("t1", Step(1, 0, "user", {}))
    holding.execute("ROLLBACK")
    store = Store(shop.path, write=True)
    assert "6 records of an earlier run were stored now" in store.note
    assert not pending_path(shop.path).exists()
    stored = replay.load_trial(store, 1)
    assert stored.trajectory.steps == steps({"args": {"t": "007\ud83d"}, "raw": "", "result": "退款"})
    assert stored.grading == grading()
    # An exchange that came after the trial's end has no place in it any more.
    assert replay.exchanges_of(store, 1) == []
    assert [finding for finding in check.check(shop.path, deep=True) if finding.level != "info"] == []


def test_taking_a_side_file_in_twice_doubles_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    holding = _holder(shop.path)
    writer = Writer(shop.path, busy_ms=20)
    shop.put(writer)
    writer.start_trial(*shop.start("t2", repeat=2))
    writer.step("t2", Step(1, 0, "user", {"text": "x"}))
    writer.close()
    holding.execute("ROLLBACK")
    kept = pending_path(shop.path).read_bytes()
    digests = []
    for _ in range(3):
        pending_path(shop.path).write_bytes(kept)
        with Store(shop.path, write=True) as store:
            digests.append(maintenance.content_digest(shop.path))
            assert (count(store, "trials"), count(store, "steps"), count(store, "changes")) == (2, 4, 1)
    assert len(set(digests)) == 1
    assert not rejected_path(shop.path).exists()


def test_two_writers_that_leave_add_to_one_side_file(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    holding = _holder(shop.path)
    writers = [Writer(shop.path, busy_ms=20) for _ in range(2)]
    for number, writer in enumerate(writers):
        shop.put(writer, f"t{number}", repeat=number + 1)
    closing = [threading.Thread(target=writer.close) for writer in writers]
    for thread in closing:
        thread.start()
    for thread in closing:
        thread.join()
    holding.execute("ROLLBACK")
    Store(shop.path, write=True).close()
    assert [row.grading.status for row in trials.trials_of(shop.reading(), shop.run.id)] == ["passed", "passed"]


def test_a_running_writer_takes_in_what_another_had_to_leave(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=1) as staying:
        holding = _holder(shop.path)
        leaving = Writer(shop.path, busy_ms=20)
        shop.put(leaving, "t1")
        leaving.close()
        holding.execute("ROLLBACK")
        shop.put(staying, "t2", repeat=2)
        assert staying.flush(20)
    assert count(shop.reading(), "gradings") == 2
    assert not pending_path(shop.path).exists()


def test_a_torn_or_foreign_line_of_a_side_file_stops_nothing_and_is_kept_apart(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    holding = _holder(shop.path)
    writer = Writer(shop.path, busy_ms=20)
    shop.put(writer)
    writer.close()
    holding.execute("ROLLBACK")
    path = pending_path(shop.path)
    raw = path.read_bytes()
    other = json.dumps({"store": "sother"}).encode() + b"\n" + raw.splitlines(keepends=True)[1]
    path.write_bytes(b'["step", \xff\n' + raw + b'["nonsense"]\n' + other + b'["step", "t1", 4, 1, "us')
    with Store(shop.path, write=True) as opened:
        assert "2 records" in opened.note
        assert replay.load_trial(opened, 1).row.grading.status == "passed"
        assert "nonsense" in rejected_path(shop.path).read_text()
        # What was written for another store of that name waits for it.
        assert b"sother" in path.read_bytes()
    assert Store(shop.path, write=True).note == ""


def test_a_side_file_of_an_older_release_is_refused_in_words_and_kept(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    line = '["start", "t1", 1, 1, 1, 1, "5eed", "exact", null, 2000]'
    pending_path(shop.path).write_text(line + "\n")
    with Store(shop.path, write=True) as opened:
        assert "1 records of an earlier run could not be stored" in opened.note
    why, kept = rejected_path(shop.path).read_text().splitlines()
    assert "older release" in json.loads(why)["why"]
    assert kept == line


def test_a_side_file_names_its_values_and_takes_defaults_for_what_it_does_not_name(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    holding = _holder(shop.path)
    writer = Writer(shop.path, busy_ms=20)
    shop.put(writer)
    writer.close()
    holding.execute("ROLLBACK")
    header, *lines = [json.loads(line) for line in pending_path(shop.path).read_text().splitlines()]
    assert [line["op"] for line in lines] == ["start", "step", "step", "step", "end"]
    assert lines[-1]["end"]["failed_requests"] == 0
    assert lines[-1]["totals"]["reach_mean"] == 1.0
    for line in lines[1:-1]:
        del line["step"]["tokens"]
        line["of_a_newer_release"] = 1
    lines[-1]["end"] = dict(reversed(lines[-1]["end"].items()))
    pending_path(shop.path).write_text("".join(json.dumps(line) + "\n" for line in [header, *lines]))
    with Store(shop.path, write=True) as opened:
        assert "5 records" in opened.note
        trial = replay.load_trial(opened, 1)
    assert trial.row.end == shop.end()[1]
    assert [step.tokens for step in trial.trajectory.steps] == [None] * 3


def test_a_record_that_can_never_be_stored_is_put_aside_and_the_others_are_stored(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=1) as writer:
        writer.step("nobody", Step(1, 0, "user", {"text": "lost"}))
        shop.put(writer)
        writer.start_trial(TrialStart("t9", 99, 1, 1, 1, None, "none", 0), None)
        assert writer.flush(20)
        assert "2 records could not be stored" in writer.note
    assert count(shop.reading(), "steps") == 3
    told = rejected_path(shop.path).read_text()
    assert "trial nobody never began" in told
    assert "FOREIGN KEY" in told
    assert any(finding.level == "warning" for finding in check.check(shop.path))


def test_a_trial_that_has_ended_is_left_as_it_is_whoever_sends_it_again(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    shop.stored()
    before = maintenance.content_digest(shop.path)
    with Writer(shop.path, every_ms=1) as writer:
        shop.put(writer, "t1", body={"args": {}, "raw": "", "result": "other"}, grading=grading("failed"))
        writer.step("t1", Step(4, 3, "agent", {"text": "more"}))
        assert writer.flush(20)
        assert writer.note == ""
    assert maintenance.content_digest(shop.path) == before
    assert trials.existing_uids(shop.reading(), ["t1", "t2"]) == {"t1"}


def test_two_imports_of_one_log_at_the_same_moment_give_it_once(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    barrier = threading.Barrier(2)

    def import_it() -> None:
        with Store(shop.path, write=True) as opened:
            barrier.wait()
            run = shop.new_run(opened, uid="rlog", name="log", origin="import")
            with Writer(shop.path, every_ms=1) as writer:
                for number in range(10):
                    shop.put(writer, f"i{number}", repeat=number + 1, run=run)

    both = [threading.Thread(target=import_it) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    store = shop.reading()
    assert (count(store, "runs"), count(store, "trials"), count(store, "steps"), count(store, "gradings")) == (
        2,
        10,
        30,
        10,
    )
    assert not rejected_path(shop.path).exists()


def test_a_later_attempt_speaks_for_its_slot_and_the_earlier_one_is_kept(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=1) as writer:
        shop.put(writer, "a1", attempt=1, grading=grading("infra_error"))
        shop.put(writer, "a2", attempt=2, grading=grading("passed"))
        shop.put(writer, "b2", repeat=2, attempt=2, grading=grading("passed"))
        shop.put(writer, "b1", repeat=2, attempt=1, grading=grading("failed"))
        shop.put(writer, "c1", repeat=3, attempt=1, grading=grading("cancelled"), final=False)
    rows = {row.start.uid: row.final for row in trials.trials_of(shop.reading(), shop.run.id)}
    assert rows == {"a1": False, "a2": True, "b1": False, "b2": True, "c1": False}
    assert trials.find_trial(shop.reading(), "rrun1/T1#1").start.uid == "a2"
    assert trials.find_trial(shop.reading(), "rrun1/T1#1.1").start.uid == "a1"
    slots = trials.slots_of(shop.reading(), shop.run.id)
    assert [(slots[1, n].attempts, slots[1, n].status) for n in (1, 2, 3)] == [(2, "passed"), (2, "passed"), (1, None)]


def test_a_late_result_for_a_slot_that_was_run_again_is_kept_and_does_not_count(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    shop.stored("again", grading=grading("passed"), totals=totals(done=2))
    with Writer(shop.path, every_ms=1) as writer:
        shop.put(writer, "late", grading=grading("failed"), totals=totals(done=1, passed=0, failed=1))
    rows = [
        (row.start.uid, row.start.attempt, row.final, row.grading.status)
        for row in trials.trials_of(shop.reading(), shop.run.id)
    ]
    assert rows == [("again", 1, True, "passed"), ("late", 2, False, "failed")]
    (run,) = runs.runs_by_ids(shop.reading(), [shop.run.id])
    assert (run.totals.done, run.totals.passed, run.totals.failed) == (2, 1, 0)


def test_a_side_file_does_not_mix_into_a_trial_that_is_being_run_again(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    holding = _holder(shop.path)
    writer = Writer(shop.path, busy_ms=20)
    writer.start_trial(*shop.start())
    writer.step("t1", Step(1, 0, "user", {"text": "old"}))
    writer.step("t1", Step(2, 1, "agent", {"text": "old"}))
    writer.close()
    holding.execute("ROLLBACK")
    waiting = pending_path(shop.path).rename(tmp_path / "aside")
    header, *lines = waiting.read_text().splitlines(keepends=True)
    waiting.write_text(header.replace(str(os.getpid()), "1") + "".join(lines))
    with Store(shop.path, write=True) as opened:
        me = processes.this_process()
        assert leases.claim(opened, shop.run.id, "k2", me.host, me.pid, me.started)
        with Writer(shop.path, every_ms=1) as again:
            again.start_trial(*shop.start())
            again.step("t1", Step(1, 0, "user", {"text": "new"}))
            again.flush(20)
            waiting.rename(pending_path(shop.path))
            taken, rejected = take_in(opened.db)
            assert (taken, rejected) == (0, 3)
            again.step("t1", Step(2, 1, "agent", {"text": "new"}))
            again.end_trial(*shop.end(steps=2))
        texts = [step.text for step in replay.load_trial(shop.reading(), 1).trajectory.steps]
        assert texts == ["new", "new"]


_CHILD = """
import sys
from pathlib import Path
from reach_tui.store.writer import Writer
from tests.store.store_samples import Shop
shop = Shop(Path(sys.argv[1]))
writer = Writer(shop.path, every_ms=5)
number = 0
while True:
    number += 1
    shop.put(writer, f"t{number}", repeat=number)
    if writer.flush(20):
        print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_writer_killed_at_any_moment_loses_nothing_that_was_finished(tmp_path: Path, after: int) -> None:
    path = tmp_path / "runs.db"
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert child.stdout is not None
    seen = 0
    for line in child.stdout:
        seen = int(line)
        if seen >= after:
            break
    child.send_signal(signal.SIGKILL)
    seen = max([seen, *map(int, child.stdout.read().split())])
    child.stdout.close()
    child.wait()
    shop = Shop(path)
    with Store(path, write=True) as store:
        rows = trials.trials_of(store, shop.run.id)
        ended = [row for row in rows if row.grading.status == "passed"]
        assert len(ended) >= seen
        assert [row.start.repeat for row in ended] == list(range(1, len(ended) + 1))
        for row in ended:
            assert len(replay.load_trial(store, row.id).trajectory.steps) == 3
        control.recover(store, shop.run.id)
        with Writer(path, every_ms=1) as writer:
            shop.put(writer, "after", repeat=10_000, totals=totals(done=len(ended) + 1, passed=len(ended) + 1))
        assert [finding for finding in check.check(path, deep=True) if finding.level == "error"] == []


_LOCKER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
db.execute("ROLLBACK")
"""


def test_forty_results_of_eight_workers_survive_a_viewer_and_a_third_program_s_lock(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    viewer = Store(shop.path)
    with Writer(shop.path, every_ms=1, busy_ms=30) as writer:
        locker = subprocess.Popen(
            [sys.executable, "-c", _LOCKER, str(shop.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert locker.stdin is not None
        assert locker.stdout is not None

        def work(number: int) -> None:
            for n in range(5):
                shop.put(writer, f"t{number}-{n}", repeat=number * 10 + n)
                writer.flush(0.01)

        assert locker.stdout.readline() == "held\n"
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(50):
            assert len(runs.runs_by_ids(viewer, runs.run_ids(viewer))) == 1
            trials.trials_of(viewer, shop.run.id)
        _wait(lambda: "kept" in writer.note)
        locker.communicate("\n")
        for thread in threads:
            thread.join()
        assert writer.flush(20)
        copy = maintenance.backup(shop.path, tmp_path / "copy.db")
    assert len(trials.trials_of(viewer, shop.run.id)) == 40
    assert len(trials.trials_of(Store(copy), shop.run.id)) == 40
    assert not pending_path(shop.path).exists()


def test_a_backup_taken_while_a_run_is_going_holds_every_finished_result(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path, every_ms=1) as writer:
        shop.put(writer, "t1")
        assert writer.flush(20)
        writer.start_trial(*shop.start("t2", repeat=2))
        writer.flush(20)
        copy = maintenance.backup(shop.path, tmp_path / "copy.db")
    store = Store(copy)
    assert [row.grading.status for row in trials.trials_of(store, shop.run.id)] == ["passed", "running"]
    assert store.db.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_where_even_the_side_file_fails_closing_says_what_was_lost(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    pending_path(shop.path).mkdir()
    holding = _holder(shop.path)
    writer = Writer(shop.path, busy_ms=20)
    shop.put(writer)
    with pytest.raises(ReachError, match="5 records could not be stored"):
        writer.close()
    holding.execute("ROLLBACK")


def test_a_full_disk_keeps_the_results_says_so_and_goes_on_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(tmp_path / "runs.db")
    monkeypatch.setattr("reach_tui.store.writer._RETRY_SECONDS", 0.01)
    with Writer(shop.path, every_ms=1, compress=False) as writer:
        (pages,) = shop.reading().db.execute("PRAGMA page_count").fetchone()
        writer._store.db.execute(f"PRAGMA max_page_count = {pages + 1}")
        shop.put(writer, body={"args": {}, "raw": "", "result": "x" * 200_000})
        assert not writer.flush(0.05)
        _wait(lambda: "the disk is full" in writer.note)
        writer._store.db.execute("PRAGMA max_page_count = 100000")
        assert writer.flush(20)
        assert writer.note == ""
    assert count(shop.reading(), "steps") == 3


def test_a_writer_that_stops_for_a_reason_of_its_own_leaves_everything_in_the_side_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(tmp_path / "runs.db")
    writer = Writer(shop.path)

    def broken(batch: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(writer, "_apply", broken)
    shop.put(writer)
    assert not writer.flush()
    with pytest.raises(ReachError, match=r"closed.*a bug"):
        shop.put(writer)
    assert writer.close() == 5
    Store(shop.path, write=True).close()
    assert count(shop.reading(), "gradings") == 1
