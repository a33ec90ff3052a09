"""The demo store is what the code makes today, and it is never written to."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, reach


def test_a_write_to_the_demo_store_goes_to_its_copy(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    shutil.copyfile(ROOT / "runs.db", store)
    before = store.read_bytes()
    suite = ROOT / "suites" / "commerce-aftersales.yaml"
    done = reach("run", suite, "--model", "careful-1", "--only", "TR-01", "--repeat", "1", "--store", store, "--json")
    assert done.code == 0, done.err
    assert store.read_bytes() == before
    assert done.json["store"] == str(tmp_path / "runs-local.db")
    listed = [row["run"] for row in reach("runs", "--store", store, "--json").json["runs"]]
    assert done.json["run"] in listed
    assert len(listed) > 1


@pytest.fixture
def demo(tmp_path: Path) -> tuple[Path, Path]:
    """(a demo store, the copy that the first write to it makes)."""
    shutil.copyfile(ROOT / "runs.db", tmp_path / "runs.db")
    return tmp_path / "runs.db", tmp_path / "runs-local.db"


@pytest.fixture
def used(demo: tuple[Path, Path]) -> tuple[Path, Path]:
    """The same after a first write, with runs in the copy that are called otherwise than in the demo store."""
    store, copy = demo
    assert reach("store", "vacuum", "--store", store).code == 0
    with contextlib.closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE runs SET name = 'of the copy'")
    return store, copy


def test_commands_that_write_first_name_the_copy_that_they_made(demo: tuple[Path, Path], tmp_path: Path) -> None:
    store, copy = demo
    log = tmp_path / "log.json"
    log.write_text('[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]', "utf-8")
    before = store.read_bytes()
    for command in (("import", log), ("store", "vacuum"), ("store", "index")):
        copy.unlink(missing_ok=True)
        assert reach(*command, "--store", store, "--json").json["store"] == str(copy), command
        copy.unlink()
        assert f"{copy}" in reach(*command, "--store", store).out, command
    assert store.read_bytes() == before


def test_once_there_is_a_copy_every_command_works_on_it_and_names_it(used: tuple[Path, Path], tmp_path: Path) -> None:
    store, copy = used
    for verb in ("check", "digest", "migrate", "vacuum", "index", "tables"):
        done = reach("store", verb, "--store", store, "--json")
        assert done.code == 0, done.err
        assert done.json["store"] == str(copy), verb
    assert reach("store", "check", "--store", store).out.startswith(f"{copy}: sound")
    digests = {reach("store", "digest", "--store", path).out for path in (store, copy)}
    assert len(digests) == 1
    done = reach("store", "backup", tmp_path / "own.db", "--store", store, "--json")
    assert done.json["store"] == str(copy)
    for path in (store, tmp_path / "own.db"):
        assert {run["name"] for run in reach("runs", "--store", path, "--json").json["runs"]} == {"of the copy"}
    assert reach("runs", "--store", store, "--json").json["store"] == str(copy)
    assert f"demo copy {copy.name}" in reach("runs", "--store", store).out
    run = reach("show", "last", "--store", store, "--json").json
    assert run["name"] == "of the copy"


def test_the_demo_store_that_ships_is_what_the_code_makes_whatever_copy_lies_beside_it(
    used: tuple[Path, Path], tmp_path: Path
) -> None:
    store, copy = used
    shipped = tmp_path / "shipped.db"
    shutil.copyfile(ROOT / "runs.db", shipped)
    done = reach("demo", "--rebuild", store)
    assert done.code == 0, done.err
    copy.unlink()
    made = reach("store", "digest", "--store", store, "--json").json["digest"]
    assert done.out.split()[-1] == made
    # If this fails after a change of code or suite: make runs.db
    assert reach("store", "digest", "--store", shipped, "--json").json["digest"] == made
    assert (ROOT / "runs.db").stat().st_size < 5_000_000


def test_without_a_terminal_the_tour_is_told_as_text(tmp_path: Path) -> None:
    done = reach("demo", "--store", tmp_path / "tour.db")
    assert done.code == 0, done.err
    for words in ("trials of 81 tasks", "state at step", "said but not done", "ended, cause", "fixed", "inconclusive"):
        assert words in done.out
