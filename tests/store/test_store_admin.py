"""Checks find what is broken, digests name content, vacuum keeps what counts, search finds words in any script."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.trajectory import Step
from reach_tui.store import (
    check,
    control,
    digest,
    experiments,
    imports,
    labels,
    leases,
    maintenance,
    processes,
    replay,
    search,
)
from reach_tui.store.base import meta
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer
from tests.store.store_samples import Shop, count, exchange, experiment_plan, grading, totals

LONG = {"args": {"id": "A1"}, "raw": "", "result": "长" * 20_000}


def _filled(path: Path, uids: tuple[str, ...] = ("t1", "t2"), *, compress: bool = True, every: int = 1) -> Shop:
    shop = Shop(path)
    with Writer(shop.path, every_ms=every, compress=compress) as writer:
        for number, uid in enumerate(uids):
            repeat = int(uid[1:])
            writer.start_trial(*shop.start(uid, repeat=repeat))
            writer.exchange(uid, exchange(1, "hello", f"only {uid}"))
            shop.put(writer, uid, repeat=repeat, body=LONG, totals=totals(done=number + 1, passed=number + 1))
            writer.flush(20)
    with Store(shop.path, write=True) as store:
        labels.add_label(store, "t1", "mode", "tool", "ann", step=2, at=7, uid="l1")
        experiments.create_experiment(
            store, uid="x1", parent_run_id=1, base_seed="s", primary_metric="pass", plan=experiment_plan(), created_at=3
        )
    return shop


def test_the_digest_is_of_content_not_of_ids_files_or_times(tmp_path: Path) -> None:
    shop = _filled(tmp_path / "a.db")
    content_digest = maintenance.content_digest(shop.path)
    assert len(content_digest) == 32
    other = _filled(tmp_path / "b.db", ("t2", "t1"), compress=False, every=500)
    with Store(other.path, write=True) as store:
        # What working leaves behind is not content.
        control.set_run_status(store, 1, "running", 123)
        control.set_run_status(store, 1, "queued")
        control.add_command(store, 1, "cancel")
        leases.claim(store, 1, "k", "h", 1, 1)
        imports.record_import(store, "tau2", "x.json", None, 1)
        search.index_more(store)
    assert maintenance.content_digest(other.path) == content_digest
    assert maintenance.content_digest(maintenance.compact(other.path, tmp_path / "c.db")) == content_digest
    assert maintenance.content_digest(maintenance.backup(other.path, tmp_path / "d.db")) == content_digest


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE steps SET body = '{}' WHERE n = 1 AND trial_id = 1",
        "UPDATE changes SET new = 'null'",
        "UPDATE changes SET old = NULL",
        "UPDATE trials SET final_digest = x'00' WHERE id = 2",
        "UPDATE checks SET verdict = 'pass' WHERE ord = 0",
        "UPDATE claims SET supported = NULL",
        "UPDATE exchanges SET messages = json_array(json_extract(messages, '$[0]')) WHERE id = 1",
        "UPDATE runs SET reach_mean = 0.5",
        "UPDATE setup_parts SET evidence = 'sent' WHERE part = '/prompt'",
        "UPDATE runs SET agent_facts = '{}'",
        "UPDATE tasks SET body = '{}' WHERE id = 1",
        "INSERT INTO labels(uid, trial_uid, kind, value, author, at) VALUES('l2', 't1', 'note', 'x', 'ann', 1)",
        "UPDATE experiments SET verdict = 'cause'",
        "DELETE FROM milestones WHERE grading_id = 1",
        "INSERT INTO quarantine(task_key, since, reason) VALUES('T1', 1, 'flaky')",
    ],
)
def test_the_digest_changes_with_any_content(tmp_path: Path, statement: str) -> None:
    shop = _filled(tmp_path / "a.db")
    before = maintenance.content_digest(shop.path)
    with Store(shop.path, write=True) as store:
        assert store.db.execute(statement).rowcount > 0
    assert maintenance.content_digest(shop.path) != before


def test_every_table_is_content_or_known_not_to_be(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "a.db")
    names = {row[0] for row in shop.reading().db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    working = {"meta", "texts", "cache", "runners", "commands", "imports"}
    assert names == set(digest.CONTENT) | working


def test_a_sound_store_has_no_findings(tmp_path: Path) -> None:
    assert check.check(_filled(tmp_path / "a.db").path, deep=True) == []
    with pytest.raises(UsageError, match="no store"):
        check.check(tmp_path / "nothing.db")


@pytest.mark.parametrize(
    ("statement", "level", "words"),
    [
        ("UPDATE runs SET passed = 7", "error", "passed/partial/failed are 7/0/0 in the run, 2/0/0 in its trials"),
        ("DELETE FROM steps WHERE trial_id = 1 AND n = 3", "error", "2 of 3 steps are stored"),
        ("UPDATE trials SET final = 1, repeat = 1, attempt = uid = 't2'", "error", "2 attempts speak for one slot"),
        ("UPDATE gradings SET current = 0 WHERE trial_id = 2", "error", "ended without a grading"),
        ("UPDATE runs SET suite_id = 99", "error", "refers to a row of suites that is not there"),
        (
            "UPDATE exchanges SET messages = '[77]' WHERE id = 1",
            "error",
            "a message of the request at turn 1 is missing",
        ),
        ("UPDATE texts SET body = 'x' WHERE codec = 'raw' AND id = 1", "error", "is not what its digest says"),
        ("UPDATE changes SET new = '\"other\"' WHERE trial_id = 1", "error", "the state after step 2 is not the one"),
        (
            "INSERT INTO texts(digest, codec, size, body) VALUES(x'00', 'raw', 3, 'abc')",
            "info",
            r"texts \(3 bytes\) are used by nothing",
        ),
        (
            "INSERT INTO labels(uid, trial_uid, kind, value, author, at) VALUES('l9', 'tx', 'note', 'x', 'ann', 1)",
            "info",
            "1 labels wait for trials",
        ),
        (
            "INSERT INTO trials(uid, run_id, task_id, repeat, attempt, status, state_kind, rev)"
            " SELECT 'r', 1, 1, 50, 1, 'running', 'none', 1 FROM runs",
            "none",
            "",
        ),
    ],
)
def test_each_kind_of_damage_has_its_words(tmp_path: Path, statement: str, level: str, words: str) -> None:
    shop = _filled(tmp_path / "a.db")
    db = sqlite3.connect(shop.path)
    db.execute(statement)
    db.commit()
    db.close()
    findings = check.check(shop.path, deep=True)
    if level == "none":
        assert findings == []
        return

    assert any(finding.level == level and re.search(words, finding.what) for finding in findings), [
        str(finding) for finding in findings
    ]


def test_trials_left_running_in_an_ended_run_are_a_warning(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "a.db")
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
    store = Store(shop.path, write=True)
    control.set_run_status(store, 1, "cancelled")
    (finding,) = check.check(shop.path)
    assert (finding.level, finding.where) == ("warning", "run rrun1")
    assert "1 trials are left running" in str(finding)


def test_vacuum_drops_old_raw_texts_and_keeps_steps_changes_and_gradings(tmp_path: Path) -> None:
    shop = _filled(tmp_path / "a.db")
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start("t3", repeat=3))
        writer.exchange("t3", exchange(1, "hello", "only t3"))
        shop.put(writer, "t3", repeat=3, ended_at=10 * 86_400_000, totals=totals(done=3, passed=3))
    before = replay.load_trial(shop.reading(), 1)
    done = maintenance.vacuum(shop.path, drop_raw_older_than=5, now=12 * 86_400_000)
    assert (done.exchanges, done.texts) == (2, 2)
    store = shop.reading()
    assert replay.load_trial(store, 1) == before
    assert replay.raw_exchange(store, 1, 1) is None
    kept = replay.raw_exchange(store, 3, 1)
    assert kept is not None
    assert kept.proof == "verified"
    assert check.check(shop.path, deep=True) == []
    again = maintenance.vacuum(shop.path)
    assert (again.exchanges, again.texts) == (0, 0)
    assert again.after <= done.before


def test_vacuum_gives_space_back_while_a_viewer_looks(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "a.db")
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        writer.exchange("t1", exchange(1, *(f"{n}" * 3000 for n in range(100))))
        shop.put(writer, "t1")
    viewer = Store(shop.path)
    assert count(viewer, "exchanges") == 1
    done = maintenance.vacuum(shop.path, drop_raw_older_than=0)
    assert done.after < done.before / 2
    assert count(viewer, "exchanges") == 0
    assert replay.load_trial(viewer, 1).row.grading.status == "passed"


def test_vacuum_waits_for_no_living_run(tmp_path: Path) -> None:
    shop = _filled(tmp_path / "a.db")
    store = Store(shop.path, write=True)
    me = processes.this_process()
    leases.claim(store, 1, "k1", me.host, me.pid, me.started)
    with pytest.raises(ReachError, match="run rrun1 is being executed"):
        maintenance.vacuum(shop.path, drop_raw_older_than=0)
    assert count(store, "exchanges") == 2


def test_a_writer_notices_that_texts_it_knew_were_dropped(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "a.db")
    with Writer(shop.path, every_ms=1) as writer:
        writer.start_trial(*shop.start())
        writer.exchange("t1", exchange(1, "hello"))
        shop.put(writer, "t1")
        assert writer.flush(20)
        maintenance.vacuum(shop.path, drop_raw_older_than=0)
        writer.start_trial(*shop.start("t2", repeat=2))
        writer.exchange("t2", exchange(1, "hello"))
        assert writer.flush(20)
    raw = replay.raw_exchange(shop.reading(), 2, 1)
    assert raw is not None
    assert raw.proof == "verified"


@pytest.mark.parametrize("make", [maintenance.backup, maintenance.compact])
def test_a_copy_is_never_written_over_what_is_there(tmp_path: Path, make: Callable[[Path, Path], Path]) -> None:
    shop = _filled(tmp_path / "a.db")
    with pytest.raises(UsageError, match="exists already"):
        make(shop.path, shop.path)
    copy = Store(make(shop.path, tmp_path / "copy.db"))
    assert copy.db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert sorted(entry.name for entry in tmp_path.iterdir() if entry.name.startswith((".", "copy"))) == ["copy.db"]


# --- search -----------------------------------------------------------------------------------------------------------


def _spoken(path: Path, *texts: str) -> Shop:
    shop = Shop(path)
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        for n, text in enumerate(texts, 1):
            writer.step("t1", Step(n, n, "agent", {"text": text}))
        writer.step(
            "t1", Step(len(texts) + 1, 1, "call", {"args": {"order_id": "A100"}, "raw": "", "result": "ok"}, "refund")
        )
        writer.end_trial(*shop.end(steps=len(texts) + 1))
    return shop


SPOKEN = (
    "我要退款，订单 A100",
    "please refund order A1000 now",
    "Refunds are final\nand \"quoted\" 'text'",
    "退货和款项",
    "ÜBER naïve [/red] 100%",
    "京",
    "long " * 3000 + "needle",
)


@pytest.mark.parametrize("indexed", [0, 2, None])
@pytest.mark.parametrize(
    ("query", "steps"),
    [
        ("退款", [1]), ("退", [4, 1]), ("款", [4, 1]), ("京", [6]), ("订单 A100", [1]), ("a100", [8, 2, 1]),
        ("refund", [8, 3, 2]), ("refund order", [8, 2]), ('"refund order"', [2]), ("order_id", [8]), ("fund", []),
        ("über", [5]), ("quoted", [3]), ("needle", [7]), ("退款 refund", []), ("%", None), ("", None), ('"', None),
        ("naïve OR zebra", []), ("NEAR(refund)", []),
    ],
)  # fmt: skip
def test_words_are_found_in_any_script_with_and_without_the_index(
    tmp_path: Path, query: str, steps: list[int] | None, indexed: int | None
) -> None:
    shop = _spoken(tmp_path / "a.db", *SPOKEN)
    if indexed != 0:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search, "BATCH", indexed or search.BATCH)
            search.index(shop.path, steps=indexed)
    store = shop.reading()
    if steps is None:
        with pytest.raises(UsageError, match="nothing to look for"):
            search.search(store, query)
        return
    results = search.search(store, query)
    assert [hit.n for hit in results.hits] == steps
    assert (results.complete, results.unseen) == (True, 0)
    if steps:
        assert (results.hits[0].task_key, results.hits[0].run_uid, results.hits[0].repeat) == ("T1", "rrun1", 1)


def test_the_excerpt_shows_the_words_on_one_line(tmp_path: Path) -> None:
    shop = _spoken(tmp_path / "a.db", *SPOKEN)
    (hit,) = search.search(shop.reading(), "needle").hits
    assert hit.excerpt.startswith("…")
    assert hit.excerpt.endswith("needle")
    assert len(hit.excerpt) < 100


def test_the_index_grows_behind_a_watermark_and_says_what_it_lacks(tmp_path: Path) -> None:
    shop = _spoken(tmp_path / "a.db", *SPOKEN)
    assert search.index(shop.path) == search.Indexed(8, 8, 0)
    assert search.index(shop.path) == search.Indexed(0, 8, 0)
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start("t2", repeat=2))
        for n in range(1, 11):
            writer.step("t2", Step(n, 1, "agent", {"text": f"later zebra{n}"}))
        writer.end_trial(*shop.end("t2", steps=10, grading=grading()))
    store = shop.reading()
    results = search.search(store, "zebra")
    assert (len(results.hits), results.unseen) == (10, 0)
    results = search.search(store, "zebra", scan=4)
    assert ([hit.n for hit in results.hits], results.unseen) == ([10, 9, 8, 7], 6)
    limited = search.search(store, "zebra", limit=3)
    assert (len(limited.hits), limited.complete) == (3, False)
    assert search.index(shop.path).added == 10
    assert search.search(store, "zebra", scan=0).unseen == 0
    assert search.index(shop.path, rebuild=True) == search.Indexed(18, 18, 0)
    assert len(search.search(store, "zebra", scan=0).hits) == 10
    assert meta(store.db, "search_upto") == "18"


WORDS = st.text(st.sampled_from("ab退款单。 _-京\n,é"), max_size=12)


@settings(max_examples=40)
@given(
    texts=st.lists(WORDS, min_size=1, max_size=5), query=st.text(st.sampled_from("ab退款_ "), min_size=1, max_size=4)
)
def test_the_index_finds_exactly_what_a_scan_finds(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], query: str
) -> None:
    shop = _spoken(tmp_path_factory.mktemp("search") / "a.db", *texts)
    store = shop.reading()
    try:
        scanned = [hit.n for hit in search.search(store, query).hits]
    except UsageError:
        return
    search.index(shop.path)
    assert [hit.n for hit in search.search(store, query).hits] == scanned


# --- sqlite-utils for people ---


def test_tables_and_views_can_be_listed_and_read_as_mappings(tmp_path: Path) -> None:
    shop = _filled(tmp_path / "a.db")
    store = shop.reading()
    listed = {table["name"]: table for table in maintenance.overview(store)}
    assert listed["steps"]["rows"] == 6
    assert listed["v_trials"]["kind"] == "view"
    assert "model" in listed["v_trials"]["columns"]
    rows = maintenance.table_rows(store, "v_trials", where="repeat = :r", values={"r": 2}).as_mappings()
    assert [(row["task"], row["status"]) for row in rows] == [("T1", "passed")]
    assert len(maintenance.table_rows(store, "suites").as_mappings()[0]["digest"]) == 32
    assert len(maintenance.table_rows(store, "steps", limit=2).rows) == 2
    with pytest.raises(UsageError, match="no table 'nope'"):
        maintenance.table_rows(store, "nope")
    assert "status" in maintenance.table_rows(store, "trials", where="0").columns


@pytest.mark.parametrize(
    ("name", "where", "told", "hint"),
    [
        ("trails", None, "no table 'trails'", "trials"),
        ("trials", "statos = 'failed'", "no column 'statos' in trials", "status"),
        ("trials", "status =", "SQLite does not read 'status ='", "failed"),
        ("trials", "repeat = :missing", "SQLite does not read", ""),
        ("trials", "1; DELETE FROM labels", "SQLite does not read", ""),
    ],
)
def test_a_table_a_column_or_an_expression_that_is_not_there_is_a_users_mistake(
    tmp_path: Path, name: str, where: str | None, told: str, hint: str
) -> None:
    store = _filled(tmp_path / "a.db").reading()
    with pytest.raises(UsageError) as raised:
        maintenance.table_rows(store, name, where=where)
    assert told in raised.value.what
    assert hint in raised.value.hint


def test_reading_and_writing_do_not_import_what_is_slow() -> None:
    script = (
        "import sys; import reach_tui.store.runs, reach_tui.store.replay, reach_tui.store.store;"
        "print([m for m in ('sqlite_utils', 'pydantic', 'httpx', 'textual', 'scipy', 'rich', 'deepdiff', 'asyncio',"
        " 'reach_tui.store.writer', 'reach_tui.store.spill') if m in sys.modules]);"
        "import reach_tui.store.writer, reach_tui.store.run_queue, reach_tui.store.maintenance;"
        "print([m for m in ('sqlite_utils', 'pydantic', 'httpx', 'textual', 'scipy', 'deepdiff') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["[]", "[]", ""]
