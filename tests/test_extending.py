"""The pages for those who extend: each example is built, installed without network and run; 0 files inside change."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_sandboxes import installed, run_with
from tests.tui.sample_store import sample_store

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "extending"
SUITE = ROOT / "suites" / "commerce-aftersales.yaml"
_FILE = re.compile(r"^`([^`\n]+)`[^\n]*:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def package(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """(the folder with the files of a page, where the package built of them is installed)."""
    text = (PAGES / f"{request.param}.md").read_text("utf-8")
    files = _FILE.findall(text)
    assert len(files) >= 2
    for name, body in files:
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, "utf-8")
    return tmp_path / "package", installed(tmp_path / "package", tmp_path / "site")


@pytest.mark.parametrize("package", ["sandbox"], indirect=True)
def test_a_sandbox_by_its_page(package: tuple[Path, Path], tmp_path: Path) -> None:
    folder, site = package
    lint = run_with(site, "suite", "lint", folder / "greenhouse.yaml")
    assert lint.returncode == 0, lint.stdout
    shown = run_with(site, "sandbox", "show", "greenhouse", "--tools").stdout
    assert "water_bed  write beds" in shown
    # Its descriptions are good, and what they state of wet beds is a rule: literal-1 follows them.
    for agent, passed in (
        (("reference",), 6),
        (("nothing",), 0),
        (("simulated", "--model", "literal-1", "--seed", "4"), 6),
    ):
        arguments = ["--agent", *agent, "--store", tmp_path / "r.db", "--json"]
        done = run_with(site, "run", folder / "greenhouse.yaml", *arguments)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["counts"]["passed"] == passed


@pytest.mark.parametrize("package", ["agent"], indirect=True)
def test_an_agent_kind_by_its_page(package: tuple[Path, Path], tmp_path: Path) -> None:
    _, site = package
    arguments = ["run", SUITE, "--agent", "wordmatch", "--only", "TR-0*", "--repeat", "1", "--store", tmp_path / "r.db"]
    done = run_with(site, *arguments, "--option", "politeness=1", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["agent"], result["measures"]) == ("wordmatch", "agent")
    assert result["counts"]["done"] == result["counts"]["planned"] > 3
    refused = run_with(site, *arguments, "--option", "rudeness=1")
    assert refused.returncode == 2
    assert "has no option rudeness (options: politeness)" in refused.stderr
    # The kind is not installed here: what it stated is read from the store.
    read = run_with(tmp_path / "nowhere", "show", result["run"], "--store", tmp_path / "r.db", "--json")
    assert json.loads(read.stdout)["measures"] == "agent"
    for where in (site, tmp_path / "nowhere"):
        branched = run_with(where, "branch", "last", "--prompt-file", PAGES / "agent.md", "--store", tmp_path / "r.db")
        assert "prompt does not reach an agent of kind wordmatch" in branched.stderr
    assert "no agent kind 'wordmatch' is installed" in run_with(tmp_path / "nowhere", *arguments).stderr


@pytest.mark.parametrize("package", ["reader"], indirect=True)
def test_a_reader_by_its_page(package: tuple[Path, Path], tmp_path: Path) -> None:
    folder, site = package
    store = tmp_path / "r.db"
    done = run_with(site, "import", folder / "talks.json", "--store", store, "--json")
    assert json.loads(done.stdout)["imported"] == 1, done.stderr
    again = json.loads(run_with(site, "import", folder / "talks.json", "--store", store, "--json").stdout)
    assert (again["imported"], again["already"]) == (0, 1)
    assert "In Wuhan." in run_with(site, "show", "last/7#1", "--store", store).stdout
    (folder / "torn.json").write_text('{"talks": [{"case": "8"}]}')
    torn = run_with(site, "import", folder / "torn.json", folder / "talks.json", "--store", store)
    assert torn.returncode == 1
    assert "the reader of talks broke: KeyError: 'lines'" in torn.stderr


@pytest.mark.parametrize("package", ["detector"], indirect=True)
def test_a_detector_by_its_page(package: tuple[Path, Path], tmp_path: Path) -> None:
    _, site = package
    store = tmp_path / "r.db"
    suite = tmp_path / "twice.yaml"
    suite.write_text(
        "suite: twice\nsandbox: commerce\nagent: {kind: reference}\ntasks:\n"
        "  - {id: T, request: 'Where is A101?', must_include: [here], answer: It is here.,\n"
        "     reference: [{get_order: {order_id: A101}}, {get_order: {order_id: A101}}]}\n"
    )
    for where, expected in ((site, ["asked_twice"]), (tmp_path / "nowhere", [])):
        done = run_with(where, "run", suite, "--repeat", "1", "--store", store, "--json")
        assert done.returncode == 0, done.stderr
        run = json.loads(done.stdout)["run"]
        trial = json.loads(run_with(where, "show", f"{run}/T#1", "--store", store, "--json").stdout)
        assert [event["detector"] for event in trial["deviations"]] == expected
        assert trial["status"] == "passed"


SHOWS = """
import asyncio, sys
from pathlib import Path
from reach_tui.tui.app import ReachApp
from screenshots.paint import as_text

async def main():
    app = ReachApp(Path(sys.argv[1]), now=lambda: 0)
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in (sys.argv[2], "enter"):
            await pilot.press(*([keys] if keys == "enter" else [":", *keys]))
            for _ in range(400):
                await pilot.pause(0.01)
                if app.settled:
                    break
        print(as_text(app))

asyncio.run(main())
"""


def test_a_page_of_the_app_is_one_new_file_and_one_line(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for folder in ("reach_tui", "screenshots"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = {path: path.read_text("utf-8") for path in copy.rglob("*.py")}
    (patch,) = re.findall(r"^```diff\n(.*?)^```$", (PAGES / "screen.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "page.patch").write_text(patch, "utf-8")
    applied = subprocess.run(["git", "apply", tmp_path / "page.patch"], cwd=copy, capture_output=True, text=True)
    assert applied.returncode == 0, applied.stderr
    after = {path: path.read_text("utf-8") for path in copy.rglob("*.py")}
    assert [path.name for path in after.keys() - before.keys()] == ["slow.py"]
    changed = {path: text for path, text in before.items() if after[path] != text}
    assert sum(len(after[path].splitlines()) - len(text.splitlines()) for path, text in changed.items()) <= 2
    sample_store(tmp_path / "runs.db")
    store, environment = str(tmp_path / "runs.db"), {**os.environ, "PYTHONPATH": str(copy)}
    for typed, shown in (
        ("slow baseline", "320 ms  get_order                rbaseline001/AS-001#1@3"),
        ("slow nosuch", "no run 'nosuch'"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", SHOWS, store, typed], cwd=copy, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert shown in done.stdout
