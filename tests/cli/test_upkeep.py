"""`reach suite`, `reach store`, `reach import`: their answers and exit codes."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from tests.cli.conftest import SUITE, reach


def test_a_sound_store_is_sound_and_its_digest_is_that_of_its_copy(literal: tuple[Path, str], tmp_path: Path) -> None:
    store, _ = literal
    assert reach("store", "check", "--deep", "--store", store).code == 0
    reach("store", "backup", tmp_path / "b.db", "--store", store)
    digest = reach("store", "digest", "--store", store, "--json").json["digest"]
    assert reach("store", "digest", "--store", tmp_path / "b.db", "--json").json["digest"] == digest


def test_a_torn_store_is_damaged_and_a_foreign_one_is_refused(tmp_path: Path) -> None:
    torn = tmp_path / "torn.db"
    torn.write_bytes(b"SQLite format 3\x00" + b"\x07" * 500)
    assert reach("store", "check", "--store", torn).code == 1
    foreign = tmp_path / "foreign.db"
    sqlite3.connect(foreign).execute("CREATE TABLE x(y)").connection.close()
    done = reach("runs", "--store", foreign)
    assert done.code in (2, 3)
    assert "Traceback" not in done.err


def test_upkeep_commands_do_their_work(literal: tuple[Path, str], tmp_path: Path) -> None:
    reach("store", "backup", tmp_path / "b.db", "--store", literal[0])
    assert reach("store", "index", "--store", tmp_path / "b.db", "--json").json["left"] == 0
    assert reach("store", "vacuum", "--store", tmp_path / "b.db").code == 0
    assert reach("store", "migrate", "--store", tmp_path / "b.db", "--json").json["backup"] is None
    names = {table["name"] for table in reach("store", "tables", "--store", tmp_path / "b.db", "--json").json["tables"]}
    assert {"runs", "trials", "steps", "v_trials"} <= names


def test_rows_of_a_table_are_printed_as_text_csv_and_json(literal: tuple[Path, str], tmp_path: Path) -> None:
    store = tmp_path / "b.db"
    reach("store", "backup", store, "--store", literal[0])
    with sqlite3.connect(store) as db:
        db.execute(
            "INSERT INTO baselines(name, run_id, at) VALUES('=1+1', 1, -5), ('@x' || char(27), 1, 2), ('c', 1, 3)"
        )
    db.close()
    listed = reach("store", "rows", "baselines", "--where", "at < 3", "--csv", "--store", store)
    assert listed.out == "name,run_id,at\n'=1+1,1,-5\n'@x\x1b,1,2\n"
    (row,) = reach("store", "rows", "baselines", "--where", "at = 3", "--store", store, "--json").json["rows"]
    assert row == {"name": "c", "run_id": 1, "at": 3}
    text = reach("store", "rows", "baselines", "--store", store).out
    assert text.splitlines()[0].split() == ["name", "run_id", "at"]
    assert "@x\u241b" in text
    assert len(reach("store", "rows", "v_steps", "--limit", "2", "--csv", "--store", store).out.splitlines()) >= 3
    assert reach("store", "rows", "labels", "--csv", "--store", store).out.startswith("id,uid,trial_uid")
    wrong = reach("store", "rows", "baseline", "--store", store)
    assert wrong.code == 2
    assert "baselines" in wrong.err


def test_lint_answers_with_its_exit_code(tmp_path: Path) -> None:
    assert reach("suite", "lint", SUITE).code == 0
    bad = tmp_path / "bad.yaml"
    bad.write_text("suite: x\nsandbox: commerce\ntasks:\n  - id: a\n    reqest: hello\n", "utf-8")
    done = reach("suite", "lint", bad)
    assert done.code == 1
    assert "bad.yaml:5" in done.out
    assert "request" in done.out


def test_a_new_suite_lints_clean_and_runs(tmp_path: Path) -> None:
    assert reach("suite", "new", tmp_path / "mine.yaml").code == 0
    assert reach("suite", "lint", tmp_path / "mine.yaml").code == 0
    done = reach("run", tmp_path / "mine.yaml", "--model", "careful-1", "--json", "--store", tmp_path / "r.db")
    assert done.code == 0, done.err
    assert done.json["counts"]["done"] > 0
    assert json.loads(reach("suite", "schema").out)["$schema"]


def test_an_import_that_skips_something_says_what_and_exits_1(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]))
    bad = tmp_path / "bad.json"
    bad.write_text('{"no": "trajectory"}')
    done = reach("import", good, bad, "--store", tmp_path / "r.db", "--json")
    assert done.code == 1
    assert (done.json["imported"], done.json["skipped"]) == (1, 1)
    assert "bad.json" in done.json["reasons"][0]["where"]
    again = reach("import", good, "--store", tmp_path / "r.db", "--json")
    assert again.code == 0
    assert (again.json["imported"], again.json["already"]) == (0, 1)


def test_listing_runs_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import contextlib, sys; sys.argv = ['reach', 'runs', '--store', 'absent.db']\n"
        "from reach_tui.__main__ import main\n"
        "with contextlib.suppress(SystemExit): main()\n"
        "print(*sorted(m.split('.')[0] for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "textual",
        "scipy",
        "numpy",
        "pydantic",
        "httpx",
        "deepdiff",
        "jsonschema",
        "sqlite_utils",
        "yaml",
    }
