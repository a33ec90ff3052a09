"""Lists: order, pages, what is new, what people name; every query of a screen stands on an index."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.store import control, experiments, gradings, imports, labels, plans, replay, runs, trials
from reach_tui.store.base import Database, data_version, revision
from reach_tui.store.connect import open_for_writing
from reach_tui.store.rows import RunRow
from reach_tui.store.writer import Writer
from tests.store.store_samples import SETUP, Shop, experiment_plan, experiment_result, grading, task, totals


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "runs.db")


def _write(shop: Shop) -> Database:
    return open_for_writing(shop.path).db


def test_branches_stand_under_their_parents_and_the_newest_tree_first(shop: Shop) -> None:
    db = _write(shop)
    made = {"first": shop.run}
    for name, parent in [
        ("second", None), ("a", "first"), ("a1", "a"), ("third", None), ("b", "first"), ("s1", "second"),
    ]:  # fmt: skip
        made[name] = shop.new_run(db, name=name, parent_uid=made[parent].uid if parent else None)
    rows = runs.runs_by_ids(db, runs.run_ids(db))
    assert [(row.name, row.depth) for row in rows] == [
        ("third", 0), ("second", 0), ("s1", 1), ("first", 0), ("a", 1), ("a1", 2), ("b", 1),
    ]  # fmt: skip
    assert [row.name for row in runs.branches_of(db, shop.run.id)] == ["a", "b"]
    assert made["a1"].root_id == shop.run.id


def test_a_run_shows_suite_setup_and_plan(shop: Shop) -> None:
    db = _write(shop)
    run = shop.new_run(
        db, name="r", factor="prompt", factor_part="/prompt", arm="branch", tasks=40, repeats=3,
        exec={"concurrency": 4}, transform={"kind": "paraphrase"},
        plan={"tasks": [{"id": "T1"}], "key": "OPENAI_API_KEY"},
    )  # fmt: skip
    assert (run.suite, run.agent_kind, run.model, run.status, run.created_at) == (
        "shop", "simulated", "hasty-1", "queued", 1000,
    )  # fmt: skip
    assert (run.tasks, run.repeats, run.planned, run.done, run.reach_mean) == (40, 3, 2, 0, None)
    assert plans.load_plan(db, run.uid) == {"tasks": [{"id": "T1"}], "key": "OPENAI_API_KEY"}
    assert plans.add_setup(db, SETUP) == plans.add_setup(db, replace(SETUP))
    assert plans.add_setup(db, replace(SETUP, prompt="other")) != plans.add_setup(db, SETUP)
    with pytest.raises(UsageError, match="no run 'nope'"):
        plans.load_plan(db, "nope")
    with pytest.raises(UsageError, match="no run 'nope'"):
        shop.new_run(db, parent_uid="nope")


def test_tasks_and_repeats_of_an_unplanned_run_are_counted(shop: Shop) -> None:
    with Writer(shop.path) as writer:
        for repeat in (1, 2, 3):
            shop.put(writer, f"t{repeat}", repeat=repeat)
        shop.put(writer, "u1", key="T2")
    (row,) = runs.runs_by_ids(shop.db(), [1])
    assert (row.tasks, row.repeats) == (2, 3)


def test_a_suite_and_its_tasks_are_stored_by_content(shop: Shop) -> None:
    db = _write(shop)
    again = plans.add_suite(
        db, "shop", b"s" * 16, "suite: shop", [task("T1", domain="shop", tags={"capability": "refund"})]
    )
    assert again == (shop.suite_id, {"T1": shop.tasks["T1"]})
    changed, tasks = plans.add_suite(db, "shop", b"t" * 16, None, [task("T1", domain="office"), task("T9")])
    assert changed != shop.suite_id
    assert shop.tasks["T1"] != tasks["T1"]


def test_pages_keep_the_order_asked_for_and_leave_out_what_is_not_there(shop: Shop) -> None:
    db = _write(shop)
    ids = [shop.run.id] + [shop.new_run(db, name=str(n)).id for n in range(1200)]
    asked = [*reversed(ids), 99_999]
    assert [row.id for row in runs.runs_by_ids(db, asked)] == list(reversed(ids))
    assert runs.runs_by_ids(db, []) == []
    assert len(runs.run_ids(db)) == 1201


def test_only_what_changed_comes_back_and_never_half_a_revision(shop: Shop) -> None:
    db = _write(shop)
    seen = revision(db)
    assert runs.runs_since(db, seen) == []
    others = [shop.new_run(db, name=str(n)) for n in range(5)]
    assert [row.name for row in runs.runs_since(db, seen)] == ["0", "1", "2", "3", "4"]
    experiment = experiments.create_experiment(db, base_seed="s", primary_metric="pass", plan=experiment_plan())
    arms = [shop.new_run(db, name=f"arm{n}", experiment_id=experiment.id) for n in range(4)]
    experiments.set_result(db, experiment.uid, experiment_result())
    # The four arms changed in one revision: a page of two brings all of them.
    page = runs.runs_since(db, others[-1].rev, limit=2)
    assert [row.id for row in page] == [row.id for row in arms]
    assert len({row.rev for row in page}) == 1
    before = revision(db)
    version = data_version(shop.db())
    with Writer(shop.path) as writer:
        shop.put(writer, "t1")
        shop.put(writer, "t2", key="T2")
    assert {row.uid for row in trials.trials_since(db, shop.run.id, before)} == {"t1", "t2"}
    assert trials.trials_since(db, shop.run.id, revision(db)) == []
    assert data_version(db) >= version


def test_another_connection_sees_by_one_number_that_something_changed(shop: Shop) -> None:
    reading = shop.db()
    before = data_version(reading)
    assert data_version(reading) == before
    shop.stored()
    assert data_version(reading) != before


def test_runs_are_filtered_by_text_suite_mode_and_status(shop: Shop) -> None:
    db = _write(shop)
    other = shop.new_run(db, name="Größe [/red] 100%", status="ended")
    shop.stored(grading=grading("failed", mode="tool"))
    assert runs.run_ids(db, text="RED] 100%") == [other.id]
    assert runs.run_ids(db, text="hasty") == [other.id, shop.run.id]
    assert runs.run_ids(db, mode="tool") == [shop.run.id]
    assert runs.run_ids(db, mode="tool", text="red") == []
    assert runs.run_ids(db, status="ended") == [other.id]
    assert runs.run_ids(db, suite_id=99) == []


def _names(db: Database, shop: Shop) -> list[RunRow]:
    return [
        shop.new_run(db, uid="rabc111", name="night"),
        shop.new_run(db, uid="rabc222", name="night"),
        shop.new_run(db, uid="rxyz333", name="rabc"),
    ]


def test_a_run_is_found_by_uid_beginning_name_or_last(shop: Shop) -> None:
    db = _write(shop)
    _names(db, shop)
    assert runs.find_run(db, "rabc111").uid == "rabc111"
    assert runs.find_run(db, "rx").uid == "rxyz333"
    assert runs.find_run(db, "night").uid == "rabc222"
    assert runs.find_run(db, "rabc").uid == "rxyz333", "a name counts before a beginning"
    assert runs.find_run(db, "last").uid == "rxyz333"
    experiment = experiments.create_experiment(db, base_seed="s", primary_metric="pass", plan=experiment_plan())
    shop.new_run(db, uid="rarm", experiment_id=experiment.id)
    assert runs.find_run(db, " last ").uid == "rxyz333", "an arm is not what `last` means"


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
    db = _write(shop)
    _names(db, shop)
    if ref == "rabc1 ":
        assert runs.find_run(db, ref).uid == "rabc111"
        return
    with pytest.raises(UsageError, match=words):
        runs.find_run(db, ref)


def test_an_empty_store_says_that_it_is_empty(tmp_path: Path) -> None:
    db = open_for_writing(tmp_path / "empty.db").db
    for ref in ("last", "x"):
        with pytest.raises(UsageError, match=r"no run"):
            runs.find_run(db, ref)
    assert runs.run_ids(db) == []


def test_a_trial_is_found_however_its_task_and_run_are_called(tmp_path: Path) -> None:
    keys = ("T1", "a/b#2", "x#1", "退款/1.5", "AS-014.2")
    shop = Shop(tmp_path / "runs.db", keys, name="mine/night")
    with Writer(shop.path) as writer:
        for number, key in enumerate(keys):
            shop.put(writer, f"u{number}", key=key, repeat=1)
        shop.put(writer, "v", key="T1", repeat=2)
        shop.put(writer, "w", key="T1", repeat=2, attempt=2)
    db = shop.db()
    for number, key in enumerate(keys):
        for run in ("rrun1", "mine/night", "last", "rr"):
            assert trials.find_trial(db, f"{run}/{key}#1").uid == f"u{number}"
    assert trials.find_trial(db, "u3").task_key == "退款/1.5"
    assert trials.find_trial(db, "last/x#1").uid == "u2", "the key itself looks like a repeat"
    assert trials.find_trial(db, "last/AS-014.2").uid == "u4", "it has only one trial"
    assert trials.find_trial(db, "last/T1#2").uid == "w"
    assert trials.find_trial(db, "last/T1#2.1").uid == "v"


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
        trials.find_trial(shop.db(), ref)


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
    db = shop.db()
    by_id = {row.id: row.uid for row in trials.trials_of(db, shop.run.id)}
    assert [by_id[one] for one in trials.failing_ids(db, shop.run.id)] == ["b", "c", "a"]
    assert [by_id[one] for one in trials.failing_ids(db, shop.run.id, ("failed",))] == ["b", "a"]
    assert [row.uid for row in trials.history_of_task(db, shop.tasks["T1"], 2)] == ["f", "e"]
    assert trials.trial_ids(db, shop.run.id) == [row.id for row in trials.trials_of(db, shop.run.id)]
    assert [row.uid for row in trials.trials_by_ids(db, [3, 1, 77])] == ["c", "a"]
    assert plans.task_ids(db, shop.run.id) == {"T1": shop.tasks["T1"]}


def test_reach_over_time_is_oldest_first_and_the_latest_points(shop: Shop) -> None:
    db = _write(shop)
    for number in range(5):
        run = shop.new_run(db, uid=f"r{number}", created_at=2000 + number, factor="prompt" if number == 4 else None)
        plans.write_totals(db, run.id, totals(reach_mean=number / 10))
    points = runs.reach_history(db, shop.suite_id, 3)
    assert [(one.uid, one.reach_mean, one.factor) for one in points] == [
        ("r2", 0.2, None), ("r3", 0.3, None), ("r4", 0.4, "prompt"),
    ]  # fmt: skip


def test_an_experiment_and_the_pairs_of_its_arms(shop: Shop) -> None:
    db = _write(shop)
    made = experiments.create_experiment(
        db,
        uid="x1",
        parent_run_id=shop.run.id,
        base_seed="seed",
        primary_metric="pass",
        plan=experiment_plan(repeats=2),
        created_at=5,
    )
    assert (
        experiments.create_experiment(db, uid="x1", base_seed="z", primary_metric="z", plan=experiment_plan()) == made
    )
    arms = [
        shop.new_run(db, name=arm, arm=arm, parent_uid="rrun1", experiment_id=made.id) for arm in ("control", "branch")
    ]
    with Writer(shop.path) as writer:
        for arm, statuses in zip(arms, (["failed", "passed", "partial"], ["passed", "infra_error"]), strict=True):
            for repeat, status in enumerate(statuses, 1):
                shop.put(writer, f"{arm.name}{repeat}", repeat=repeat, run=arm, grading=grading(status))
        shop.put(writer, "extra", key="T2", run=arms[1], grading=grading("passed"))
        writer.start_trial(shop.start("running", "T2", 2, run=arms[1]))
    first, second = experiments.pairs(db, arms[0].id, arms[1].uid)
    assert (first.task_key, second.task_key) == ("T1", "T2")
    assert (first.control.passed, first.control.counted, first.control.not_counted) == (1, 3, 0)
    assert (first.branch.passed, first.branch.counted, first.branch.not_counted) == (1, 1, 1)
    assert [(repeat, a.status, b.status) for repeat, a, b in first.repeats()] == [
        (1, "failed", "passed"), (2, "passed", "infra_error"),
    ]  # fmt: skip
    assert (second.control.counted, second.branch.passed, second.repeats()) == (0, 1, [])
    assert [row.arm for row in experiments.runs_of(db, made.id)] == ["control", "branch"]
    assert experiments.experiments_of(db, shop.run.id) == [made]
    experiments.set_result(db, "x1", experiment_result(), "s1")
    ended = experiments.experiment(db, "x1")
    assert (ended.verdict, ended.result, ended.parent_run_uid) == ("cause", experiment_result(), "rrun1")
    assert db.execute("SELECT task, repeat, flip FROM v_flips").fetchall() == [("T1", 1, "fixed")]
    with pytest.raises(UsageError, match="no experiment"):
        experiments.experiment(db, "nope")
    with pytest.raises(UsageError, match="no experiment"):
        experiments.set_result(db, "nope", None)


def test_people_with_a_shell_have_views(shop: Shop) -> None:
    with Writer(shop.path) as writer:
        shop.put(writer, "t1", body={"args": {}, "raw": "", "result": "y" * 5000})
        shop.put(writer, "t2", repeat=2, grading=grading("failed", mode="tool"))
    db = shop.db()
    assert db.execute("SELECT run, task, model, status, mode, cost FROM v_trials ORDER BY repeat").fetchall() == [
        ("first", "T1", "hasty-1", "passed", None, 0.5), ("first", "T1", "hasty-1", "failed", "tool", 0.5),
    ]  # fmt: skip
    assert db.execute("SELECT passes, counted, ended FROM v_tasks_reach").fetchall() == [(1, 2, 2)]
    (length,) = db.execute("SELECT length(body ->> 'result') FROM v_steps WHERE trial_uid = 't1' AND n = 2").fetchone()
    assert length == 5000


def test_an_import_is_remembered_by_the_file_s_digest(shop: Shop) -> None:
    db = _write(shop)
    imports.record_import(db, "tau2", "a.json", b"d" * 16, 114, [{"record": 3, "why": "no messages"}], at=5)
    (row,) = imports.imports_of(db, b"d" * 16)
    assert (row.format, row.trials, row.skipped, row.at) == ("tau2", 114, ({"record": 3, "why": "no messages"},), 5)
    assert imports.imports_of(db, b"e" * 16) == []


BIG = {"runs", "trials", "steps", "changes", "exchanges", "texts", "gradings", "checks", "tasks", "labels"}


class _Recorder:
    """Every statement that a connection runs, with its plan."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.statements: list[str] = []
        db.set_trace_callback(self.statements.append)

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
                found = re.match(r"SCAN (\w+)", detail)
                if found and _table(statement, found[1]) in BIG:
                    bad.append(f"{detail}: {statement}")
        return bad


def _table(statement: str, alias: str) -> str:
    found = re.search(rf"(?:FROM|JOIN|,) (\w+) (?:AS )?{alias}\b", statement)
    return found[1] if found else alias


def test_every_query_of_a_screen_stands_on_an_index(shop: Shop) -> None:
    db = _write(shop)
    experiment = experiments.create_experiment(db, uid="x", base_seed="s", primary_metric="p", plan=experiment_plan())
    shop.new_run(db, uid="r2", parent_uid="rrun1", experiment_id=experiment.id)
    with Writer(shop.path) as writer:
        shop.put(writer, "t1")
        writer.start_trial(shop.start("t2", repeat=2))
    labels.add_label(db, "t1", "note", "x", "ann")
    recorder = _Recorder(db)
    runs.runs_by_ids(db, [1, 2])
    runs.runs_since(db, 0)
    runs.reach_history(db, shop.suite_id)
    runs.branches_of(db, 1)
    for ref in ("rrun1", "first", "rr", "last"):
        runs.find_run(db, ref)
    trials.trials_of(db, 1)
    trials.trial_ids(db, 1)
    trials.trials_by_ids(db, [1])
    trials.trials_since(db, 1, 0)
    trials.failing_ids(db, 1)
    trials.history_of_task(db, 1)
    trials.in_flight(db, 1)
    trials.slots_of(db, 1)
    trials.existing_uids(db, ["t1"])
    trials.find_trial(db, "rrun1/T1#1")
    replay.load_trial(db, 1)
    replay.timeline(db, 1)
    replay.steps_of(db, 1, 2)
    replay.exchanges_of(db, 1)
    replay.raw_exchange(db, 1, 1)
    gradings.current_grading(db, 1)
    experiments.experiment(db, "x")
    experiments.experiments_of(db, 1)
    experiments.runs_of(db, experiment.id)
    experiments.pairs(db, 1, 2)
    labels.labels_of(db, "t1")
    labels.undo_last(db, "ann")
    control.commands_for(db, 1)
    control.recover(db, 1)
    control.recover_all(db)
    plans.owner(db, 1)
    plans.load_plan(db, "rrun1")
    plans.task_ids(db, 1)
    assert len(recorder.statements) > 40
    assert recorder.scans() == []


def test_the_next_failing_trial_comes_from_an_index_of_status_and_mode(shop: Shop) -> None:
    db = shop.db()
    recorder = _Recorder(db)
    trials.failing_ids(db, 1, ("failed",))
    db.set_trace_callback(None)
    (statement,) = recorder.statements
    plan = [row[-1] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert plan == ["SEARCH trials USING COVERING INDEX trials_status (run_id=? AND status=?)"]


def test_all_ids_of_the_runs_list_come_from_the_index_in_its_order(shop: Shop) -> None:
    db = shop.db()
    plan = [row[-1] for row in db.execute("EXPLAIN QUERY PLAN SELECT id FROM runs ORDER BY root_id DESC, tree")]
    assert plan == ["SCAN runs USING COVERING INDEX runs_tree"]


def test_no_cursor_outlives_a_call(shop: Shop) -> None:
    shop.stored()
    reading = shop.db()
    trials.find_trial(reading, "last/T1#1")
    replay.load_trial(reading, 1)
    runs.find_run(reading, "last")
    writing = sqlite3.connect(shop.path)
    busy, *_ = writing.execute("PRAGMA wal_checkpoint(truncate)").fetchone()
    assert busy == 0
    writing.close()
