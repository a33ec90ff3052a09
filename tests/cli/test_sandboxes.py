"""`reach sandbox` and `reach doctor`: what worlds hold, a skeleton that runs, what is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reach_tui.sandbox.registry import find_sandbox
from tests.cli.conftest import reach


def test_a_sandbox_shows_its_tables_a_table_a_record_and_its_tools() -> None:
    whole = reach("sandbox", "show", "commerce")
    assert whole.code == 0
    assert "orders" in whole.out
    assert "18 tools: get_order" in whole.out
    assert "A150" in reach("sandbox", "show", "commerce", "orders").out
    assert reach("sandbox", "show", "commerce", "orders", "A150", "--json").json["record"]["status"]
    tools = reach("sandbox", "show", "commerce", "--tools").out
    assert all(spec.view.description.splitlines()[0] in tools for spec in find_sandbox("commerce").specs())
    assert "never shown to an agent" in tools
    named = reach("sandbox", "show", "commerce", "--json").json
    assert named["tables"]["orders"] > 10
    assert "_world" not in named["tables"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "comerce"], "did you mean commerce"),
        (["show", "commerce", "ordres"], "no table 'ordres' (it has"),
        (["show", "commerce", "orders", "A1"], "orders has no record 'A1' (it has"),
        (["show", "commerce", "orders", "--tools"], "--tools beside a table"),
        (["new", "Not a name"], "cannot be a sandbox's name"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(arguments: list[str], words: str, tmp_path: Path) -> None:
    done = reach("sandbox", *arguments, cwd=tmp_path)
    assert done.code == 2, done
    assert words in done.err


def test_a_skeleton_is_a_package_whose_suite_passes(tmp_path: Path) -> None:
    folder = tmp_path / "reach-shelf"
    assert reach("sandbox", "new", "shelf", folder, "--json").json["files"]
    assert "not empty" in reach("sandbox", "new", "shelf", folder).err
    site = installed(folder, tmp_path / "site")
    done = run_with(site, "run", folder / "shelf.yaml", "--store", tmp_path / "r.db", "--json")
    assert done.returncode == 0, done.stderr
    assert '"passed": 3' in done.stdout
    doctor = run_with(site, "doctor", "--store", tmp_path / "r.db")
    assert doctor.returncode == 0, doctor.stdout
    assert "shelf" in doctor.stdout


def installed(folder: Path, site: Path) -> Path:
    """Build the package in `folder` without network, and unpack its wheel, which is all that installing one does."""
    import zipfile

    built = folder / "dist"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run_with(site: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """`reach` in a process that has the packages in `site`, too."""
    return subprocess.run(
        [sys.executable, "-m", "reach_tui", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(site)},
    )


def test_a_broken_package_is_a_row_of_the_doctor_and_breaks_nothing_else(tmp_path: Path) -> None:
    site = tmp_path / "site"
    info = site / "broken_things-0.3.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-things\nVersion: 0.3\n")
    (info / "entry_points.txt").write_text(
        "[reach_tui.sandboxes]\nbroken = no_such_module:SANDBOX\ncommerce = no_such_module:SANDBOX\n"
        "[reach_tui.agents]\nodd = os:path\n"
    )
    done = run_with(site, "doctor", "--store", tmp_path / "r.db", "--json")
    assert done.returncode == 1
    import json

    rows = {(row["group"], row["name"], row["package"]): row["problem"] for row in json.loads(done.stdout)["plugins"]}
    assert "no_such_module" in rows["reach_tui.sandboxes", "broken", "broken-things 0.3"]
    assert "is no AgentKind" in rows["reach_tui.agents", "odd", "broken-things 0.3"]
    assert [problem for (_, name, _), problem in rows.items() if name == "commerce"] == [
        next(problem for (_, name, _), problem in rows.items() if name == "commerce")
    ] * 2
    assert "both bring it" in rows["reach_tui.sandboxes", "commerce", "broken-things 0.3"]
    assert rows[next(key for key in rows if key[1] == "chat")] is None
    shown = run_with(site, "sandbox", "show", "commerce")
    assert shown.returncode == 3
    assert "both bring it" in shown.stderr
    assert run_with(site, "runs", "--store", "runs.db").returncode in (0, 2)
