"""Opening stores: what is missing, torn, foreign, newer, older, a demo, or in a place that cannot be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.store import check, maintenance, migrations
from reach_tui.store.base import StoreDamaged, StoreLocked, meta, set_meta
from reach_tui.store.control import set_run_status
from reach_tui.store.runs import run_ids
from reach_tui.store.store import Store, in_use
from reach_tui.store.writer import Writer
from tests.store.store_samples import Shop


def test_a_missing_store_names_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no store at .*reach run"):
        Store(tmp_path / "runs.db")


def test_writing_makes_a_store_with_our_marks_and_an_uid_of_its_own(tmp_path: Path) -> None:
    uids = set()
    for name in ("a.db", "b.db"):
        with Store(tmp_path / name, write=True) as store:
            assert store.db.execute("PRAGMA application_id").fetchone() == (1380270403,)
            assert store.db.execute("PRAGMA user_version").fetchone() == (migrations.VERSION,)
            uids.add(meta(store.db, "store_uid"))
    assert len(uids) == 2


def test_a_store_in_a_folder_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        Store(tmp_path / "nowhere" / "runs.db", write=True)


def test_an_empty_file_is_no_store_to_read_and_becomes_one_when_written(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.touch()
    with pytest.raises(UsageError, match="empty"):
        Store(path)
    Store(path, write=True).close()
    Store(path).close()


def test_a_store_is_closed_as_it_is_left_and_may_be_closed_again(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db", write=True) as store:
        assert run_ids(store) == []
    with pytest.raises(ReachError, match="closed"):
        run_ids(store)
    store.close()


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE other(x)")
    db.close()


def _newer(path: Path) -> None:
    Store(path, write=True).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {migrations.VERSION + 1}")
    db.close()


def _text(path: Path) -> None:
    path.write_text("suite: not a store\n" * 200, encoding="utf-8")


def _stub(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\x00" + b"\x10" * 20)


def _torn(path: Path) -> None:
    shop = Shop(path)
    shop.stored()
    maintenance.compact(path, path.with_suffix(".new"))
    whole = path.with_suffix(".new").read_bytes()
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(whole[: len(whole) // 2])


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_foreign, "another program's database"),
        (_newer, "the store has version"),
        (_text, "this is no SQLite database"),
        (_stub, "no SQLite database, or its beginning is lost"),
        (_torn, "the store is damaged: database disk image is malformed"),
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_what_is_no_store_of_ours_is_refused_and_left_as_it_is(
    tmp_path: Path, spoil: Callable[[Path], None], words: str, write: bool
) -> None:
    path = tmp_path / "runs.db"
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(ReachError, match=words) as caught:
        Store(path, write=write)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_damage_inside_is_an_error_in_words_not_a_traceback_of_sqlite(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    shop.stored()
    target = maintenance.compact(shop.path, tmp_path / "spoilt.db")
    with sqlite3.connect(target) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'runs_tree'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    db.close()
    raw = bytearray(target.read_bytes())
    raw[(page - 1) * size : page * size] = b"\xff" * size
    target.write_bytes(raw)
    opened = Store(target)
    with pytest.raises(StoreDamaged, match="reach store check"):
        run_ids(opened)
    assert any(finding.level == "error" for finding in check.check(target))


def test_the_first_writer_switches_the_write_ahead_log_on(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    handed = maintenance.compact(shop.path, tmp_path / "handed.db")
    with Store(handed) as reading:
        assert reading.db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with Store(handed, write=True) as writing:
        assert writing.db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert writing.note == ""


def test_a_reader_at_work_keeps_the_log_from_being_switched_on_and_nothing_fails(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    handed = maintenance.compact(shop.path, tmp_path / "handed.db")
    reading = Store(handed)
    reading.db.execute("BEGIN")
    reading.db.execute("SELECT * FROM runs").fetchone()
    with Store(handed, write=True, busy_ms=50) as writing:
        assert writing.db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        reading.db.execute("ROLLBACK")
        set_run_status(writing, shop.run.id, "running")


def test_a_connection_for_reading_cannot_write(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    store = shop.reading()
    with pytest.raises(ReachError):
        set_run_status(store, shop.run.id, "running")


def test_a_lock_held_by_another_program_is_said_in_words(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    other = sqlite3.connect(shop.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = Store(shop.path, write=True, busy_ms=30)
    with pytest.raises(StoreLocked, match="locked by another program"):
        set_run_status(store, shop.run.id, "running")
    other.execute("ROLLBACK")
    assert set_run_status(store, shop.run.id, "running")


# --- demo ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def demo_store(tmp_path: Path) -> Path:
    shop = Shop(tmp_path / "made.db")
    shop.stored()
    with Store(shop.path, write=True) as store:
        maintenance.mark_demo(store, True)
    folder = tmp_path / "demo"
    folder.mkdir()
    return maintenance.compact(shop.path, folder / "runs.db")


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_reading_the_demo_store_leaves_the_folder_as_it_is(demo_store: Path) -> None:
    with Store(demo_store) as store:
        assert store.note == "demo"
        assert len(run_ids(store)) == 1
    assert _names(demo_store.parent) == ["runs.db"]


def test_the_first_write_to_the_demo_store_goes_to_a_copy_that_is_opened_from_then_on(demo_store: Path) -> None:
    before = demo_store.read_bytes()
    with Writer(demo_store) as writer:
        assert writer.path.name == "runs-local.db"
        assert "runs-local.db" in writer.note
    with Store(demo_store, write=True) as store:
        set_run_status(store, 1, "cancelled")
    with Store(demo_store) as reading:
        assert reading.path.name == "runs-local.db"
        assert "demo copy" in reading.note
        assert reading.db.execute("SELECT status FROM runs").fetchone() == ("cancelled",)
        assert meta(reading.db, "demo") == "0"
    assert demo_store.read_bytes() == before
    assert not list(demo_store.parent.glob("runs.db-*"))


def test_the_store_is_the_demos_copy_once_there_is_one_for_whoever_looks_after_it(
    demo_store: Path, tmp_path: Path
) -> None:
    copy, before = demo_store.with_name("runs-local.db"), maintenance.content_digest(demo_store)
    assert in_use(demo_store) == demo_store
    with pytest.raises(UsageError, match="never written"):
        maintenance.migrate(demo_store)
    with Store(demo_store, write=True) as store:
        set_run_status(store, 1, "cancelled")
    assert in_use(demo_store) == in_use(copy) == copy
    assert maintenance.content_digest(demo_store) == maintenance.content_digest(copy) != before
    assert check.check(demo_store) == []
    with Store(maintenance.backup(demo_store, tmp_path / "kept.db")) as store:
        assert store.db.execute("SELECT status FROM runs").fetchone() == ("cancelled",)


def test_the_file_in_use_is_the_path_itself_for_all_but_a_demo_store_with_a_copy(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    shop.stored()
    absent, torn = tmp_path / "absent.db", tmp_path / "torn.db"
    torn.write_bytes(b"SQLite format 3\x00" + b"\x07" * 500)
    for path in (shop.path, absent, torn):
        path.with_name(f"{path.stem}-local.db").write_bytes(b"")
        assert in_use(path) == path


def test_an_older_demo_store_is_read_through_a_copy_that_is_migrated(
    demo_store: Path, next_version: Callable[[migrations.Step], None]
) -> None:
    before = demo_store.read_bytes()
    next_version(_to_next)
    for _ in range(2):
        with Store(demo_store) as store:
            assert store.path.name == "runs-local.db"
            assert store.db.execute("SELECT colour FROM runs").fetchone() == (None,)
    assert demo_store.read_bytes() == before


def test_two_programs_that_write_to_the_demo_at_once_share_one_copy(demo_store: Path) -> None:
    barrier = threading.Barrier(4)
    uids: list[str | None] = []

    def write() -> None:
        barrier.wait()
        with Store(demo_store, write=True) as store:
            uids.append(meta(store.db, "store_uid"))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(uids) == 4
    assert len(set(uids)) == 1
    assert _names(demo_store.parent) == ["runs-local.db", "runs.db"]


# --- versions -----------------------------------------------------------------------------------------------------


NOW = migrations.VERSION


def _to_next(db: sqlite3.Connection) -> None:
    from sqlite_utils import Database

    db.execute("ALTER TABLE runs ADD COLUMN colour TEXT")
    Database(db).table("quarantine").transform(rename={"reason": "because"})


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Callable[[migrations.Step], None]:
    def become(step: migrations.Step) -> None:
        monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, step))
        monkeypatch.setattr(migrations, "VERSION", NOW + 1)

    return become


@pytest.mark.parametrize("write", [False, True])
def test_an_older_store_is_migrated_after_a_backup_and_keeps_every_value(
    tmp_path: Path, next_version: Callable[[migrations.Step], None], write: bool
) -> None:
    shop = Shop(tmp_path / "runs.db")
    shop.stored()
    before = maintenance.content_digest(shop.path)
    next_version(_to_next)
    with Store(shop.path, write=write) as store:
        assert store.db.execute("SELECT colour FROM runs").fetchone() == (None,)
    backup = tmp_path / f"runs.db.v{NOW}-backup"
    with sqlite3.connect(backup) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (NOW,)
        assert old.execute("SELECT count(*) FROM steps").fetchone() == (3,)
    old.close()
    # The digest reads columns that both versions have, but for the renamed one.
    with Store(shop.path, write=True) as store:
        store.db.execute("ALTER TABLE quarantine RENAME COLUMN because TO reason")
    assert maintenance.content_digest(shop.path) == before


def _tables(path: Path) -> list[tuple[str, ...]]:
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    db.close()
    return rows


def test_a_migrated_store_is_what_a_fresh_one_is(
    tmp_path: Path, next_version: Callable[[migrations.Step], None]
) -> None:
    Shop(tmp_path / "old.db").stored()
    next_version(
        "ALTER TABLE trials ADD COLUMN told INTEGER CHECK(told >= 0);\n"
        "-- a word; and no end of a statement\n"
        "CREATE INDEX trials_told ON trials(told)\n WHERE told IS NOT NULL;\n"
    )
    assert maintenance.migrate(tmp_path / "old.db").after == NOW + 1
    Shop(tmp_path / "new.db").stored()
    tables = _tables(tmp_path / "old.db")
    assert tables == _tables(tmp_path / "new.db")
    assert "trials_told" in {name for _, name, *_ in tables}
    for name in ("old.db", "new.db"):
        with Store(tmp_path / name) as store:
            assert store.db.execute("PRAGMA user_version").fetchone() == (NOW + 1,)
    assert maintenance.content_digest(tmp_path / "old.db") == maintenance.content_digest(tmp_path / "new.db")


def test_making_a_store_does_not_wait_for_sqlite_utils(tmp_path: Path) -> None:
    code = (
        "import sys; from reach_tui.store.store import Store; Store(sys.argv[1], write=True).close();"
        " assert 'sqlite_utils' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.db"], check=True)


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, next_version: Callable[[migrations.Step], None]
) -> None:
    shop = Shop(tmp_path / "runs.db")

    def half(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE runs ADD COLUMN colour TEXT")
        raise ReachError("no")

    next_version(half)
    with pytest.raises(ReachError, match="no"):
        maintenance.migrate(shop.path)
    with sqlite3.connect(shop.path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (NOW,)
        assert "colour" not in {row[1] for row in db.execute("PRAGMA table_info(runs)")}
    db.close()


def test_migrating_a_store_of_today_does_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    assert maintenance.migrate(shop.path) == maintenance.Migrated(migrations.VERSION, migrations.VERSION, None)


# --- places that cannot be written ----------------------------------------------------------------------------------


@pytest.fixture
def locked_folder() -> Iterator[Path]:
    """A folder that the reading process cannot write to."""
    folder = Path(tempfile.mkdtemp(prefix="reach-read-only-"))
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


@contextmanager
def _without_rights(folder: Path) -> Iterator[None]:
    """Be a program that cannot write to the folder and its files."""
    if os.name != "posix":
        pytest.skip("folders without write access are a matter of POSIX here")
    for entry in folder.iterdir():
        entry.chmod(0o444)
    folder.chmod(0o555)
    # Root may write anywhere: for the time being this process is nobody.
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(PermissionError):
            (folder / "probe").touch()
        yield
    finally:
        if root:
            os.seteuid(0)


def _read_without_rights(path: Path) -> str:
    """What a program that cannot write beside the store sees of it: runs and note, or the error."""
    with _without_rights(path.parent):
        try:
            with Store(path) as opened:
                return f"{len(run_ids(opened))} {opened.note}".strip()
        except ReachError as error:
            return f"ReachError {error}"


@pytest.mark.parametrize("demonstration", [False, True])
@pytest.mark.parametrize("exists", [False, True])
def test_writing_where_nothing_may_be_written_is_refused_at_once(
    tmp_path: Path, locked_folder: Path, demonstration: bool, exists: bool
) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Store(shop.path, write=True) as store:
        maintenance.mark_demo(store, demonstration)
    target = locked_folder / "runs.db"
    if exists:
        maintenance.compact(shop.path, target)
    with _without_rights(locked_folder), pytest.raises(ReachError, match=r"cannot be (written|opened or made)"):
        Writer(target)
    assert _names(locked_folder) == ["runs.db"] * exists


def test_a_store_with_a_log_in_a_folder_without_write_access_opens_as_a_snapshot(
    tmp_path: Path, locked_folder: Path
) -> None:
    shop = Shop(tmp_path / "runs.db")
    target = locked_folder / "runs.db"
    shutil.copy(shop.path, target)
    assert target.read_bytes()[18] == 2, "a store in WAL mode"
    assert _read_without_rights(target) == "1 snapshot"


def test_a_copy_without_its_log_says_what_is_missing(tmp_path: Path, locked_folder: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Store(shop.path) as held:
        held.db.execute("SELECT * FROM runs").fetchall()
        shop.stored()  # stays in the log, because somebody reads
        target = locked_folder / "runs.db"
        shutil.copy(shop.path, target)
        shutil.copy(f"{shop.path}-wal", f"{target}-wal")
        assert _read_without_rights(target) == "1 snapshot, without what is still in runs.db-wal"


def test_a_store_in_rollback_mode_needs_no_write_access_to_be_read(tmp_path: Path, locked_folder: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    target = maintenance.compact(shop.path, locked_folder / "runs.db")
    assert _read_without_rights(target) == "1"


def test_an_interrupted_write_that_cannot_be_taken_back_is_refused_not_read(
    tmp_path: Path, locked_folder: Path
) -> None:
    shop = Shop(tmp_path / "runs.db")
    made = maintenance.compact(shop.path, tmp_path / "made.db")
    db = sqlite3.connect(made, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE filler(x)")
    db.execute("INSERT INTO filler SELECT randomblob(5000) FROM runs, (VALUES(1),(2),(3),(4),(5),(6),(7),(8))")
    db.execute("PRAGMA cache_spill = 1")
    target = locked_folder / "runs.db"
    shutil.copy(made, target)
    shutil.copy(f"{made}-journal", f"{target}-journal")
    db.execute("ROLLBACK")
    db.close()
    # A journal that has to be played back starts with SQLite's mark.
    with open(f"{target}-journal", "r+b") as file:
        file.write(bytes.fromhex("d9d505f920a163d7"))
    output = _read_without_rights(target)
    assert output.startswith("ReachError"), output
    assert "runs.db-journal" in output


def test_meta_values_can_be_set_again(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db", write=True) as store:
        set_meta(store.db, "search_upto", "7")
        set_meta(store.db, "search_upto", "8")
        assert meta(store.db, "search_upto") == "8"
