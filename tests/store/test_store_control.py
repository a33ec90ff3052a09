"""Leases, commands, statuses, and what becomes of trials whose runner is gone; labels that nothing deletes."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reach_tui.core.errors import UsageError
from reach_tui.core.trajectory import Step
from reach_tui.store import control, labels, leases, processes, replay, runs, trials
from reach_tui.store.leases import LeaseWatch
from reach_tui.store.processes import Lease, is_gone, this_host, this_process
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer
from tests.store.store_samples import Shop, count, grading

ME = this_process()
ELSEWHERE = ("another-machine pid:[1]", 4242, 1)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "runs.db", ("T1", "T2"))


@pytest.fixture
def store(shop: Shop) -> Store:
    return Store(shop.path, write=True)


def _ended_process() -> processes.Process:
    """A process of this host that has ended."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = processes.process_started(child.pid)
    child.communicate()
    return processes.Process(this_host(), child.pid, started)


def test_one_runner_a_run(shop: Shop, store: Store) -> None:
    assert leases.claim(store, shop.run.id, "k1", ME.host, ME.pid, ME.started)
    assert not leases.claim(store, shop.run.id, "k2", ME.host, ME.pid, ME.started)
    assert leases.claim(store, shop.run.id, "k1", ME.host, ME.pid, ME.started), "its own lease"
    lease = leases.owner(store, shop.run.id)
    assert lease is not None
    assert (lease.uid, lease.pid) == ("k1", os.getpid())
    leases.release(store, "k1")
    assert leases.owner(store, shop.run.id) is None
    assert leases.claim(store, shop.run.id, "k2", ME.host, ME.pid, ME.started)


def test_one_runner_may_hold_the_arms_of_an_experiment(shop: Shop, store: Store) -> None:
    other = shop.new_run(store, name="arm")
    for run in (shop.run, other):
        assert leases.claim(store, run.id, "k1", ME.host, ME.pid, ME.started)
    assert leases.beat(store, "k1", "12 of 40")
    held = [leases.owner(store, run.id) for run in (shop.run, other)]
    assert [(lease.beat, lease.said) for lease in held if lease] == [(2, "12 of 40"), (2, "12 of 40")]
    leases.release(store, "k1", other.id)
    assert leases.owner(store, other.id) is None
    assert leases.owner(store, shop.run.id) is not None
    assert not leases.beat(store, "nobody")


def test_the_lease_of_an_ended_process_or_a_namesake_is_gone_at_once(shop: Shop, store: Store) -> None:
    gone = _ended_process()
    assert leases.claim(store, shop.run.id, "k1", gone.host, gone.pid, gone.started)
    assert leases.claim(store, shop.run.id, "k2", ME.host, ME.pid, ME.started)
    if ME.started is None:
        pytest.skip("the start of a process cannot be seen here")
    assert is_gone(Lease(1, "k", ME.host, ME.pid, ME.started - 1, 1, None)), "the pid was given to another process"
    assert not is_gone(Lease(1, "k", ME.host, ME.pid, ME.started, 1, None))
    assert not is_gone(Lease(1, "k", *ELSEWHERE, 1, None)), "of another machine nothing is certain"


def test_a_process_that_ended_unwaited_for_counts_as_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "print(1)"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.read()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert processes.process_started(child.pid) is None
    child.stdout.close()
    child.wait()


def test_a_lease_elsewhere_is_stale_by_what_the_reader_saw_never_by_clocks(shop: Shop, store: Store) -> None:
    now = [1000.0]
    watch = LeaseWatch(30, lambda: now[0])
    assert leases.claim(store, shop.run.id, "far", *ELSEWHERE)

    def look() -> bool:
        lease = leases.owner(store, shop.run.id)
        assert lease is not None
        return watch.stale(lease)

    assert not look(), "seen for the first time"
    now[0] += 29
    assert not look()
    leases.beat(store, "far")
    now[0] += 29
    assert not look(), "it moved"
    now[0] += 31
    assert look()
    stale = leases.owner(store, shop.run.id)
    assert stale is not None
    leases.beat(store, "far")
    assert not leases.claim(store, shop.run.id, "k2", ME.host, ME.pid, ME.started, over=stale), "it beat after all"
    stale = leases.owner(store, shop.run.id)
    assert leases.claim(store, shop.run.id, "k2", ME.host, ME.pid, ME.started, over=stale)
    assert not leases.beat(store, "far"), "the old runner learns that it must stop"


def test_commands_wait_until_they_are_done(shop: Shop, store: Store) -> None:
    first = control.add_command(store, shop.run.id, "concurrency", {"n": 4}, by="ann", at=7)
    control.add_command(store, shop.run.id, "cancel")
    waiting = control.commands_for(store, shop.run.id)
    assert [(command.verb, command.args, command.by) for command in waiting] == [
        ("concurrency", {"n": 4}, "ann"),
        ("cancel", {}, None),
    ]
    control.done_command(store, first, at=8)
    control.done_command(store, first, at=9)
    assert [command.verb for command in control.commands_for(store, shop.run.id)] == ["cancel"]
    assert store.db.execute("SELECT done_at FROM commands WHERE id = ?", (first,)).fetchone() == (8,)
    assert control.commands_for(store, 99) == []


def test_a_run_keeps_the_time_of_its_first_start_and_its_last_end(shop: Shop, store: Store) -> None:
    def times() -> tuple[str, int | None, int | None]:
        (row,) = runs.runs_by_ids(store, [shop.run.id])
        return row.status, row.started_at, row.ended_at

    assert control.set_run_status(store, shop.run.id, "running", 10)
    assert times() == ("running", 10, None)
    assert control.set_run_status(store, shop.run.id, "interrupted", 20)
    assert control.set_run_status(store, shop.run.id, "running", 30)
    assert times() == ("running", 10, None)
    assert control.set_run_status(store, shop.run.id, "ended", 40, only_from=("running",))
    assert not control.set_run_status(store, shop.run.id, "interrupted", 50, only_from=("running", "paused"))
    assert times() == ("ended", 10, 40)
    assert not control.set_run_status(store, 99, "ended")
    with pytest.raises(ValueError, match="no status"):
        control.set_run_status(store, shop.run.id, "finished")  # type: ignore[arg-type]


def _half_done(shop: Shop) -> None:
    with Writer(shop.path) as writer:
        shop.put(writer, "done")
        writer.start_trial(*shop.start("half", "T2"))
        writer.step("half", Step(1, 0, "user", {"text": "kept"}))


def test_trials_without_a_runner_become_interrupted_are_kept_and_run_again(shop: Shop, store: Store) -> None:
    gone = _ended_process()
    leases.claim(store, shop.run.id, "k1", gone.host, gone.pid, gone.started)
    control.set_run_status(store, shop.run.id, "running", 1)
    _half_done(shop)
    before = runs.runs_by_ids(store, [shop.run.id])[0]
    assert control.recover_all(store, 500) == [shop.run.id]
    row = trials.find_trial(store, "half")
    assert (row.grading.status, row.end.end_reason, row.final, row.end.ended_at) == (
        "interrupted",
        "interrupted",
        False,
        500,
    )
    assert [step.text for step in replay.load_trial(store, row.id).trajectory.steps] == ["kept"]
    after = runs.runs_by_ids(store, [shop.run.id])[0]
    assert (after.status, after.totals.done, after.totals.passed) == (
        "interrupted",
        before.totals.done,
        before.totals.passed,
    )
    assert after.rev > before.rev
    assert leases.owner(store, shop.run.id) is None
    slot = trials.slots_of(store, shop.run.id)[shop.tasks["T2"], 1]
    assert (slot.attempts, slot.status) == (1, None)
    with Writer(shop.path) as writer:
        shop.put(writer, "again", "T2", attempt=2)
    assert trials.find_trial(store, "last/T2#1").start.uid == "again"
    assert control.recover_all(store) == []


def test_nothing_is_recovered_from_a_runner_that_may_live(shop: Shop, store: Store) -> None:
    leases.claim(store, shop.run.id, "far", *ELSEWHERE)
    control.set_run_status(store, shop.run.id, "running", 1)
    _half_done(shop)
    assert control.recover(store, shop.run.id) == 0
    assert control.recover_all(store) == []
    assert trials.find_trial(store, "half").grading.status == "running"
    assert control.recover_all(store, stale=["far"]) == [shop.run.id]
    assert trials.find_trial(store, "half").grading.status == "interrupted"


def test_the_new_runner_recovers_its_own_run_and_goes_on(shop: Shop, store: Store) -> None:
    control.set_run_status(store, shop.run.id, "running", 1)
    _half_done(shop)
    assert leases.claim(store, shop.run.id, "k2", ME.host, ME.pid, ME.started)
    assert control.recover(store, shop.run.id, runner_uid="k2") == 1
    assert leases.owner(store, shop.run.id) is not None
    assert runs.runs_by_ids(store, [shop.run.id])[0].status == "running"


def test_a_result_that_turns_up_after_its_trial_was_given_up_counts_after_all(shop: Shop, store: Store) -> None:
    _half_done(shop)
    assert control.recover(store, shop.run.id) == 1
    with Writer(shop.path) as writer:
        writer.end_trial(*shop.end("half", steps=1, grading=grading("failed")))
    row = trials.find_trial(store, "half")
    assert (row.grading.status, row.end.end_reason, row.final) == ("failed", "answered", True)


def test_an_import_has_no_runner_and_is_left_to_its_own_program(shop: Shop, store: Store) -> None:
    run = shop.new_run(store, name="log", origin="import", status="running")
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start("half", run=run))
    assert control.recover(store, run.id) == 0
    assert control.recover(store, 99) == 0
    assert trials.find_trial(store, "half").grading.status == "running"


# --- labels ---------------------------------------------------------------------------------------------------------


def _standing(store: Store, uid: str = "t1") -> list[tuple[str, str, str]]:
    return [(label.author, label.kind, label.value) for label in labels.labels_of(store, uid)]


def test_a_label_replaces_the_author_s_own_of_its_kind_and_undo_brings_it_back(shop: Shop, store: Store) -> None:
    shop.stored()
    labels.add_label(store, "t1", "mode", "tool", "ann", step=2, reason="see step 2", at=1)
    labels.add_label(store, "t1", "mode", "argument", "ann", step=2, at=2)
    labels.add_label(store, "t1", "mode", "drift", "bob", at=3)
    labels.add_label(store, "t1", "note", "odd", "ann", at=4)
    labels.add_label(store, "t1", "note", "very odd", "ann", at=5)
    assert _standing(store) == [
        ("ann", "mode", "argument"),
        ("bob", "mode", "drift"),
        ("ann", "note", "odd"),
        ("ann", "note", "very odd"),
    ]
    undone = labels.undo_last(store, "ann", at=6)
    assert undone is not None
    assert undone.value == "very odd"
    assert labels.undo_last(store, "ann", at=7) is not None
    assert _standing(store) == [("ann", "mode", "argument"), ("bob", "mode", "drift")]
    assert labels.undo_last(store, "ann", at=8) is not None
    assert _standing(store) == [("ann", "mode", "tool"), ("bob", "mode", "drift")]
    assert labels.undo_last(store, "ann", at=9) is not None
    assert labels.undo_last(store, "ann", at=10) is None
    assert _standing(store) == [("bob", "mode", "drift")]
    everything = labels.labels_of(store, "t1", history=True)
    assert len(everything) == 9
    assert [label.value for label in everything[5:]] == ["", "", "", ""]
    assert replay.load_trial(store, 1).labels == tuple(labels.labels_of(store, "t1"))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["tool", "argument", "drift", "undo"]), max_size=12))
def test_undoing_is_what_a_stack_would_do(tmp_path_factory: pytest.TempPathFactory, doings: list[str]) -> None:
    store = Store(tmp_path_factory.mktemp("stack") / "runs.db", write=True)
    stack: list[str] = []
    for doing in doings:
        if doing == "undo":
            undone = labels.undo_last(store, "ann")
            assert (undone.value if undone else None) == (stack.pop() if stack else None)
        else:
            labels.add_label(store, "t", "mode", doing, "ann")
            stack.append(doing)
        assert [label.value for label in labels.labels_of(store, "t")] == stack[-1:]


def test_undo_may_be_kept_to_one_trial_and_to_its_author(shop: Shop, store: Store) -> None:
    labels.add_label(store, "t1", "owner", "tool", "ann")
    labels.add_label(store, "t2", "owner", "user", "ann")
    assert labels.undo_last(store, "bob") is None
    undone = labels.undo_last(store, "ann", trial_uid="t1")
    assert undone is not None
    assert undone.trial_uid == "t1"
    assert _standing(store, "t2") == [("ann", "owner", "user")]


def test_nothing_deletes_or_changes_a_label(shop: Shop, store: Store) -> None:
    labels.add_label(store, "t1", "mode", "tool", "ann")
    for statement in ("DELETE FROM labels", "UPDATE labels SET value = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="labels are never"):
            store.db.execute(statement)
    assert count(store, "labels") == 1


def test_labels_survive_that_their_trial_is_imported_again(shop: Shop, store: Store) -> None:
    labels.add_label(store, "t1", "owner", "user", "ann")
    for _ in range(2):
        shop.stored()
    assert [(label.kind, label.value) for label in replay.load_trial(store, 1).labels] == [("owner", "user")]


def test_a_label_is_anchored_to_what_the_step_said(shop: Shop, store: Store) -> None:
    shop.stored("t1")
    shop.stored("t2")
    for uid in ("t1", "t2"):
        labels.add_label(store, uid, "decisive_step", "2", "ann", step=2)
    labels.add_label(store, "t1", "note", "x", "ann", step=3)
    labels.add_label(store, "t1", "note", "x", "ann", step=99)
    same, again, other, nowhere = (row[0] for row in store.db.execute("SELECT step_digest FROM labels ORDER BY id"))
    assert len(same) == 16
    assert same == again
    assert same != other
    assert nowhere is None


def test_a_label_shows_as_a_change_of_its_trial(shop: Shop, store: Store) -> None:
    shop.stored()
    before = trials.find_trial(store, "t1").rev
    labels.add_label(store, "t1", "mark", "1", "ann")
    assert [row.start.uid for row in trials.trials_since(store, shop.run.id, before)] == ["t1"]
    assert [row.uid for row in runs.runs_since(store, before)] == ["rrun1"]


def test_a_label_given_twice_under_one_uid_is_one_label(shop: Shop, store: Store) -> None:
    label = labels.add_label(store, "t1", "mode", "tool", "ann", uid="l1", at=1)
    assert labels.add_label(store, "t1", "mode", "drift", "ann", uid="l1", at=2) == label
    assert count(store, "labels") == 1


@pytest.mark.parametrize(("kind", "value"), [("colour", "red"), ("mode", "")])
def test_a_label_without_kind_or_value_is_refused(store: Store, kind: str, value: str) -> None:
    with pytest.raises(UsageError):
        labels.add_label(store, "t1", kind, value, "ann")
