"""Lists: order, pages, what is new, what people name; every query of a screen stands on an index."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.store import control, experiments, gradings, imports, labels, leases, replay, run_queue, runs, trials
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer
from tests.store.store_samples import SETUP, Shop, experiment_plan, experiment_result, grading, task, totals


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "runs.db")


def _write(shop: Shop) -> Store:
    return Store(shop.path, write=True)


def test_branches_stand_under_their_parents_and_the_newest_tree_first(shop: Shop) -> None:
    store = _write(shop)
    made = {"first": shop.run}
    for name, parent in [
        ("second", None), ("a", "first"), ("a1", "a"), ("third", None), ("b", "first"), ("s1", "second"),
    ]:  # fmt: skip
        made[name] = shop.new_run(store, name=name, parent_uid=made[parent].uid if parent else None)
    rows = runs.runs_by_ids(store, runs.run_ids(store))
    assert [(row.name, row.depth) for row in rows] == [
        ("third", 0),
        ("second", 0),
        ("s1", 1),
        ("first", 0),
        ("a", 1),
        ("a1", 2),
        ("b", 1),
    ]
    assert [row.name for row in runs.branches_of(store, shop.run.id)] == ["a", "b"]
    assert made["a1"].root_id == shop.run.id


def test_a_run_shows_suite_setup_and_plan(shop: Shop) -> None:
    store = _write(shop)
    run = shop.new_run(
        store,
        name="r",
        factor="prompt",
        factor_part="/prompt",
        arm="branch",
        tasks=40,
        repeats=3,
        exec={"concurrency": 4},
        transform={"kind": "paraphrase"},
        plan={"tasks": [{"id": "T1"}], "key": "OPENAI_API_KEY"},
    )
    assert (run.suite, run.agent_kind, run.model, run.status, run.created_at) == (
        "shop",
        "simulated",
        "hasty-1",
        "queued",
        1000,
    )
    assert (run.tasks, run.repeats, run.planned, run.totals.done, run.totals.reach_mean) == (40, 3, 2, 0, None)
    assert run_queue.load_plan(store, run.uid) == {"tasks": [{"id": "T1"}], "key": "OPENAI_API_KEY"}
    assert run_queue.add_setup(store, SETUP) == run_queue.add_setup(store, replace(SETUP))
    assert run_queue.add_setup(store, replace(SETUP, prompt="other")) != run_queue.add_setup(store, SETUP)
    with pytest.raises(UsageError, match="no run 'nope'"):
        run_queue.load_plan(store, "nope")
    with pytest.raises(UsageError, match="no run 'nope'"):
        shop.new_run(store, parent_uid="nope")


def test_tasks_and_repeats_of_an_unplanned_run_are_counted(shop: Shop) -> None:
    with Writer(shop.path) as writer:
        for repeat in (1, 2, 3):
            shop.put(writer, f"t{repeat}", repeat=repeat)
        shop.put(writer, "u1", key="T2")
    (row,) = runs.runs_by_ids(shop.reading(), [1])
    assert (row.tasks, row.repeats) == (2, 3)


def test_a_suite_and_its_tasks_are_stored_by_content(shop: Shop) -> None:
    store = _write(shop)
    again = run_queue.add_suite(
        store, "shop", b"s" * 16, "suite: shop", [task("T1", domain="shop", tags={"capability": "refund"})]
    )
    assert again == (shop.suite_id, {"T1": shop.tasks["T1"]})
    changed, tasks = run_queue.add_suite(store, "shop", b"t" * 16, None, [task("T1", domain="office"), task("T9")])
    assert changed != shop.suite_id
    assert shop.tasks["T1"] != tasks["T1"]


def test_pages_keep_the_order_asked_for_and_leave_out_what_is_not_there(shop: Shop) -> None:
    store = _write(shop)
    ids = [shop.run.id] + [shop.new_run(store, name=str(n)).id for n in range(1200)]
    asked = [*reversed(ids), 99_999]
    assert [row.id for row in runs.runs_by_ids(store, asked)] == list(reversed(ids))
    assert runs.runs_by_ids(store, []) == []
    assert len(runs.run_ids(store)) == 1201


def test_only_what_changed_comes_back_and_never_half_a_revision(shop: Shop) -> None:
    store = _write(shop)
    seen = store.revision()
    assert runs.runs_since(store, seen) == []
    others = [shop.new_run(store, name=str(n)) for n in range(5)]
    assert [row.name for row in runs.runs_since(store, seen)] == ["0", "1", "2", "3", "4"]
    experiment = experiments.create_experiment(store, base_seed="s", primary_metric="pass", plan=experiment_plan())
    arms = [shop.new_run(store, name=f"arm{n}", experiment_id=experiment.id) for n in range(4)]
    experiments.set_result(store, experiment.uid, experiment_result())
    # The four arms changed in one revision: a page of two brings all of them.
    page = runs.runs_since(store, others[-1].rev, limit=2)
    assert [row.id for row in page] == [row.id for row in arms]
    assert len({row.rev for row in page}) == 1
    before = store.revision()
    version = shop.reading().data_version()
    with Writer(shop.path) as writer:
        shop.put(writer, "t1")
        shop.put(writer, "t2", key="T2")
    assert {row.start.uid for row in trials.trials_since(store, shop.run.id, before)} == {"t1", "t2"}
    assert trials.trials_since(store, shop.run.id, store.revision()) == []
    assert store.data_version() >= version


def test_another_connection_sees_by_one_number_that_something_changed(shop: Shop) -> None:
    reading = shop.reading()
    before = reading.data_version()
    assert reading.data_version() == before
    shop.stored()
    assert reading.data_version() != before


def test_runs_are_filtered_by_text_suite_mode_and_status(shop: Shop) -> None:
    store = _write(shop)
    other = shop.new_run(store, name="Größe [/red] 100%", status="ended")
    shop.stored(grading=grading("failed", mode="tool"))
    assert runs.run_ids(store, text="RED] 100%") == [other.id]
    assert runs.run_ids(store, text="hasty") == [other.id, shop.run.id]
    assert runs.run_ids(store, mode="tool") == [shop.run.id]
    assert runs.run_ids(store, mode="tool", text="red") == []
    assert runs.run_ids(store, status="ended") == [other.id]
    assert runs.run_ids(store, suite_id=99) == []


def _names(store: Store, shop: Shop) -> list[RunRow]:
    return [
        shop.new_run(store, uid="rabc111", name="night"),
        shop.new_run(store, uid="rabc222", name="night"),
        shop.new_run(store, uid="rxyz333", name="rabc"),
    ]


def test_a_run_is_found_by_uid_beginning_name_or_last(shop: Shop) -> None:
    store = _write(shop)
    _names(store, shop)
    assert runs.find_run(store, "rabc111").uid == "rabc111"
    assert runs.find_run(store, "rx").uid == "rxyz333"
    assert runs.find_run(store, "night").uid == "rabc222"
    assert runs.find_run(store, "rabc").uid == "rxyz333", "a name counts before a beginning"
    assert runs.find_run(store, "last").uid == "rxyz333"
    experiment = experiments.create_experiment(store, base_seed="s", primary_metric="pass", plan=experiment_plan())
    shop.new_run(store, uid="rarm", experiment_id=experiment.id)
    assert runs.find_run(store, " last ").uid == "rxyz333", "an arm is not what `last` means"


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        ("rabc1x", "did you mean .*rabc111"),
        ("nigth", "did you mean night"),
        ("rabc1 ", "rabc111"),
        ("zzz", "the newest are rxyz333"),
        ("", "no run named"),
        ("rab", "begins several runs: rabc111 .night., rabc222"),
        ("'; DROP TABLE runs; --", "no run"),
        ("%", "no run"),
    ],
)
def test_a_run_that_is_not_found_names_what_comes_near(shop: Shop, ref: str, words: str) -> None:
    store = _write(shop)
    _names(store, shop)
    if ref == "rabc1 ":
        assert runs.find_run(store, ref).uid == "rabc111"
        return
    with pytest.raises(UsageError, match=words):
        runs.find_run(store, ref)


def test_an_empty_store_says_that_it_is_empty(tmp_path: Path) -> None:
    store = Store(tmp_path / "empty.db", write=True)
    for ref in ("last", "x"):
        with pytest.raises(UsageError, match=r"no run"):
            runs.find_run(store, ref)
    assert runs.run_ids(store) == []


def test_a_trial_is_found_however_its_task_and_run_are_called(tmp_path: Path) -> None:
    keys = ("T1", "a/b#2", "x#1", "退款/1.5", "AS-014.2")
    shop = Shop(tmp_path / "runs.db", keys, name="mine/night")
    with Writer(shop.path) as writer:
        for number, key in enumerate(keys):
            shop.put(writer, f"u{number}", key=key, repeat=1)
        shop.put(writer, "v", key="T1", repeat=2)
        shop.put(writer, "w", key="T1", repeat=2, attempt=2)
    store = shop.reading()
    for number, key in enumerate(keys):
        for run in ("rrun1", "mine/night", "last", "rr"):
            assert trials.find_trial(store, f"{run}/{key}#1").start.uid == f"u{number}"
    assert trials.find_trial(store, "u3").task.key == "退款/1.5"
    assert trials.find_trial(store, "last/x#1").start.uid == "u2", "the key itself looks like a repeat"
    assert trials.find_trial(store, "last/AS-014.2").start.uid == "u4", "it has only one trial"
    assert trials.find_trial(store, "last/T1#2").start.uid == "w"
    assert trials.find_trial(store, "last/T1#2.1").start.uid == "v"


def test_a_slot_is_named_by_its_final_attempt_whatever_was_begun_before_it_or_came_late(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start("cut off"))
    with Store(shop.path, write=True) as store:
        control.recover(store, shop.run.id)
    with Writer(shop.path) as writer:
        shop.put(writer, "replaced", attempt=2)
        shop.put(writer, "speaks", attempt=3)
        shop.put(writer, "late", attempt=4, final=False)
    store = shop.reading()
    listed = {row.start.uid: (row.start.attempt, row.final) for row in trials.trials_of(store, shop.run.id)}
    assert listed == {"cut off": (1, False), "replaced": (2, False), "speaks": (3, True), "late": (4, False)}
    for name in ("rrun1/T1#1", "rrun1/T1"):
        assert trials.find_trial(store, name).start.uid == "speaks"
    for uid, (attempt, _) in listed.items():
        assert trials.find_trial(store, f"rrun1/T1#1.{attempt}").start.uid == uid


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        ("rrun1/T1#7", "its repeats are #1, #2"),
        ("rrun1/T3#1", "did you mean"),
        ("rrun1/zzzz", "its tasks are T1, T2"),
        ("rrun1/T1", "say which: #1, #2"),
        ("rrun1/T1#1.4", "its attempts: .1"),
        ("rnope/T1#1", "no run 'rnope'"),
        ("nothing", "RUN/TASK#REPEAT"),
        ("rrun1/T1#99999999999999999999", "no trial"),
    ],
)
def test_a_trial_that_is_not_found_names_what_comes_near(shop: Shop, ref: str, words: str) -> None:
    with Writer(shop.path) as writer:
        shop.put(writer, "t1")
        shop.put(writer, "t2", repeat=2)
        shop.put(writer, "t3", key="T2")
    with pytest.raises(UsageError, match=words):
        trials.find_trial(shop.reading(), ref)


def test_a_link_may_name_a_step(shop: Shop) -> None:
    assert trials.split_step("r/T#1@7") == ("r/T#1", 7)
    assert trials.split_step("r/a@b#1") == ("r/a@b#1", None)


def test_failing_trials_come_by_mode_and_without_superseded_ones(shop: Shop) -> None:
    with Writer(shop.path) as writer:
        shop.put(writer, "a", repeat=1, grading=grading("failed", mode="tool"))
        shop.put(writer, "b", repeat=2, grading=grading("failed", mode="argument"))
        shop.put(writer, "c", repeat=3, grading=grading("partial", mode="drift"))
        shop.put(writer, "d", repeat=4, grading=grading("passed"))
        shop.put(writer, "e", repeat=5, attempt=1, grading=grading("failed", mode="argument"))
        shop.put(writer, "f", repeat=5, attempt=2, grading=grading("infra_error"))
    store = shop.reading()
    by_id = {row.id: row.start.uid for row in trials.trials_of(store, shop.run.id)}
    assert [by_id[trial_id] for trial_id in trials.failing_ids(store, shop.run.id)] == ["b", "c", "a"]
    assert [by_id[trial_id] for trial_id in trials.failing_ids(store, shop.run.id, ("failed",))] == ["b", "a"]
    assert [row.start.uid for row in trials.history_of_task(store, shop.tasks["T1"], 2)] == ["f", "e"]
    assert trials.trial_ids(store, shop.run.id) == [row.id for row in trials.trials_of(store, shop.run.id)]
    assert [row.start.uid for row in trials.trials_by_ids(store, [3, 1, 77])] == ["c", "a"]
    assert run_queue.task_ids(store, shop.run.id) == {"T1": shop.tasks["T1"]}


def test_reach_over_time_is_oldest_first_and_the_latest_points(shop: Shop) -> None:
    store = _write(shop)
    for number in range(5):
        run = shop.new_run(store, uid=f"r{number}", created_at=2000 + number, factor="prompt" if number == 4 else None)
        run_queue.write_totals(store, run.id, totals(reach_mean=number / 10))
    points = runs.reach_history(store, shop.suite_id, 3)
    assert [(point.uid, point.reach_mean, point.factor) for point in points] == [
        ("r2", 0.2, None),
        ("r3", 0.3, None),
        ("r4", 0.4, "prompt"),
    ]


def test_an_experiment_and_the_pairs_of_its_arms(shop: Shop) -> None:
    store = _write(shop)
    made = experiments.create_experiment(
        store,
        uid="x1",
        parent_run_id=shop.run.id,
        base_seed="seed",
        primary_metric="pass",
        plan=experiment_plan(repeats=2),
        created_at=5,
    )
    assert (
        experiments.create_experiment(store, uid="x1", base_seed="z", primary_metric="z", plan=experiment_plan())
        == made
    )
    arms = [
        shop.new_run(store, name=arm, arm=arm, parent_uid="rrun1", experiment_id=made.id)
        for arm in ("control", "branch")
    ]
    with Writer(shop.path) as writer:
        for arm, statuses in zip(arms, (["failed", "passed", "partial"], ["passed", "infra_error"]), strict=True):
            for repeat, status in enumerate(statuses, 1):
                shop.put(writer, f"{arm.name}{repeat}", repeat=repeat, run=arm, grading=grading(status))
        shop.put(writer, "extra", key="T2", run=arms[1], grading=grading("passed"))
        writer.start_trial(*shop.start("running", "T2", 2, run=arms[1]))
    first, second = experiments.pairs(store, arms[0].id, arms[1].uid)
    assert (first.task_key, second.task_key) == ("T1", "T2")
    assert (first.control.passed, first.control.counted, first.control.not_counted) == (1, 3, 0)
    assert (first.branch.passed, first.branch.counted, first.branch.not_counted) == (1, 1, 1)
    assert [(repeat, a.status, b.status) for repeat, a, b in first.repeats()] == [
        (1, "failed", "passed"),
        (2, "passed", "infra_error"),
    ]
    assert (second.control.counted, second.branch.passed, second.repeats()) == (0, 1, [])
    assert [row.arm for row in experiments.runs_of(store, made.id)] == ["control", "branch"]
    assert experiments.experiments_of(store, shop.run.id) == [made]
    experiments.set_result(store, "x1", experiment_result(), "s1")
    ended = experiments.experiment(store, "x1")
    assert (ended.verdict, ended.result, ended.parent_run_uid) == ("cause", experiment_result(), "rrun1")
    assert store.db.execute("SELECT task, repeat, flip FROM v_flips").fetchall() == [("T1", 1, "fixed")]
    with pytest.raises(UsageError, match="no experiment"):
        experiments.experiment(store, "nope")
    with pytest.raises(UsageError, match="no experiment"):
        experiments.set_result(store, "nope", None)


def test_people_with_a_shell_have_views(shop: Shop) -> None:
    with Writer(shop.path) as writer:
        shop.put(writer, "t1", body={"args": {}, "raw": "", "result": "y" * 5000})
        shop.put(writer, "t2", repeat=2, grading=grading("failed", mode="tool"))
    store = shop.reading()
    assert store.db.execute("SELECT run, task, model, status, mode, cost FROM v_trials ORDER BY repeat").fetchall() == [
        ("first", "T1", "hasty-1", "passed", None, 0.5),
        ("first", "T1", "hasty-1", "failed", "tool", 0.5),
    ]
    assert store.db.execute("SELECT passes, counted, ended FROM v_tasks_reach").fetchall() == [(1, 2, 2)]
    (length,) = store.db.execute(
        "SELECT length(body ->> 'result') FROM v_steps WHERE trial_uid = 't1' AND n = 2"
    ).fetchone()
    assert length == 5000


def test_an_import_is_remembered_by_the_file_s_digest(shop: Shop) -> None:
    store = _write(shop)
    imports.record_import(store, "tau2", "a.json", b"d" * 16, 114, [{"record": 3, "why": "no messages"}], at=5)
    (row,) = imports.imports_of(store, b"d" * 16)
    assert (row.format, row.trials, row.skipped, row.at) == ("tau2", 114, ({"record": 3, "why": "no messages"},), 5)
    assert imports.imports_of(store, b"e" * 16) == []


BIG = {"runs", "trials", "steps", "changes", "exchanges", "texts", "gradings", "checks", "tasks", "labels"}


class _Recorder:
    """Every statement that a connection runs, with its plan."""

    def __init__(self, store: Store) -> None:
        self.db = store.db
        self.statements: list[str] = []
        store.db.set_trace_callback(self.statements.append)

    def scans(self) -> list[str]:
        """Statements that read a whole big table."""
        self.db.set_trace_callback(None)
        bad = []
        for statement in dict.fromkeys(self.statements):
            if not statement.startswith(("SELECT", "UPDATE", "DELETE")) or statement.endswith(
                "ORDER BY id DESC LIMIT 1"
            ):
                continue
            for *_, detail in self.db.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall():
                match = re.match(r"SCAN (\w+)", detail)
                if match and _table(statement, match[1]) in BIG:
                    bad.append(f"{detail}: {statement}")
        return bad


def _table(statement: str, alias: str) -> str:
    match = re.search(rf"(?:FROM|JOIN|,) (\w+) (?:AS )?{alias}\b", statement)
    return match[1] if match else alias


def test_every_query_of_a_screen_stands_on_an_index(shop: Shop) -> None:
    store = _write(shop)
    experiment = experiments.create_experiment(
        store, uid="x", base_seed="s", primary_metric="p", plan=experiment_plan()
    )
    shop.new_run(store, uid="r2", parent_uid="rrun1", experiment_id=experiment.id)
    with Writer(shop.path) as writer:
        shop.put(writer, "t1")
        writer.start_trial(*shop.start("t2", repeat=2))
    labels.add_label(store, "t1", "note", "x", "ann")
    recorder = _Recorder(store)
    runs.runs_by_ids(store, [1, 2])
    runs.runs_since(store, 0)
    runs.reach_history(store, shop.suite_id)
    runs.branches_of(store, 1)
    for ref in ("rrun1", "first", "rr", "last"):
        runs.find_run(store, ref)
    trials.trials_of(store, 1)
    trials.trial_ids(store, 1)
    trials.trials_by_ids(store, [1])
    trials.trials_since(store, 1, 0)
    trials.failing_ids(store, 1)
    trials.history_of_task(store, 1)
    trials.in_flight(store, 1)
    trials.slots_of(store, 1)
    trials.existing_uids(store, ["t1"])
    trials.find_trial(store, "rrun1/T1#1")
    replay.load_trial(store, 1)
    replay.timeline(store, 1)
    replay.steps_of(store, 1, 2)
    replay.exchanges_of(store, 1)
    replay.raw_exchange(store, 1, 1)
    gradings.current_grading(store, 1)
    experiments.experiment(store, "x")
    experiments.experiments_of(store, 1)
    experiments.runs_of(store, experiment.id)
    experiments.pairs(store, 1, 2)
    labels.labels_of(store, "t1")
    labels.undo_last(store, "ann")
    control.commands_for(store, 1)
    control.recover(store, 1)
    control.recover_all(store)
    leases.owner(store, 1)
    run_queue.load_plan(store, "rrun1")
    run_queue.task_ids(store, 1)
    assert len(recorder.statements) > 40
    assert recorder.scans() == []


def test_the_next_failing_trial_comes_from_an_index_of_status_and_mode(shop: Shop) -> None:
    store = shop.reading()
    recorder = _Recorder(store)
    trials.failing_ids(store, 1, ("failed",))
    store.db.set_trace_callback(None)
    (statement,) = recorder.statements
    plan = [row[-1] for row in store.db.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert plan == ["SEARCH trials USING COVERING INDEX trials_status (run_id=? AND status=?)"]


def test_all_ids_of_the_runs_list_come_from_the_index_in_its_order(shop: Shop) -> None:
    store = shop.reading()
    plan = [row[-1] for row in store.db.execute("EXPLAIN QUERY PLAN SELECT id FROM runs ORDER BY root_id DESC, tree")]
    assert plan == ["SCAN runs USING COVERING INDEX runs_tree"]


def test_no_cursor_outlives_a_call(shop: Shop) -> None:
    shop.stored()
    reading = shop.reading()
    trials.find_trial(reading, "last/T1#1")
    replay.load_trial(reading, 1)
    runs.find_run(reading, "last")
    writing = sqlite3.connect(shop.path)
    busy, *_ = writing.execute("PRAGMA wal_checkpoint(truncate)").fetchone()
    assert busy == 0
    writing.close()
