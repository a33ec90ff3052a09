"""The demo store is what the code makes today, and it is never written to."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.conftest import ROOT, reach


def test_the_demo_store_that_ships_is_what_the_code_makes(tmp_path: Path) -> None:
    done = reach("demo", "--rebuild", tmp_path / "made.db")
    assert done.code == 0, done.err
    made = reach("store", "digest", "--store", tmp_path / "made.db", "--json").json["digest"]
    # If this fails after a change of code or suite: make runs.db
    assert reach("store", "digest", "--store", ROOT / "runs.db", "--json").json["digest"] == made
    assert (ROOT / "runs.db").stat().st_size < 5_000_000


def test_a_write_to_the_demo_store_goes_to_its_copy(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    shutil.copyfile(ROOT / "runs.db", store)
    before = store.read_bytes()
    suite = ROOT / "suites" / "commerce-aftersales.yaml"
    done = reach("run", suite, "--model", "careful-1", "--only", "TR-01", "--repeat", "1", "--store", store, "--json")
    assert done.code == 0, done.err
    assert store.read_bytes() == before
    assert (tmp_path / "runs-local.db").exists()
    listed = [one["run"] for one in reach("runs", "--store", store, "--json").json["runs"]]
    assert done.json["run"] in listed
    assert len(listed) > 1


def test_without_a_terminal_the_tour_is_told_as_text(tmp_path: Path) -> None:
    done = reach("demo", "--store", tmp_path / "tour.db")
    assert done.code == 0, done.err
    for words in ("trials of 81 tasks", "state at step", "said but not done", "ended, cause", "fixed", "inconclusive"):
        assert words in done.out
