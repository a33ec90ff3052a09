"""The command line as a person has it: a process of its own, its output and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "suites" / "commerce-aftersales.yaml"
FACTORS = ROOT / "suites" / "factors"


@dataclass(frozen=True, slots=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output as one JSON object."""
        return json.loads(self.out)


def reach(*arguments: object, cwd: Path | None = None) -> Done:
    """Run `reach` with these arguments, without a terminal."""
    command = [sys.executable, "-m", "reach_tui", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=cwd, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def literal(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(store, run): the tracking tasks of the example suite, run against literal-1."""
    store = tmp_path_factory.mktemp("literal") / "runs.db"
    done = reach(
        "run",
        SUITE,
        "--model",
        "literal-1",
        "--only",
        "tag.tool=track_shipment",
        "--seed",
        "1",
        "--json",
        "--store",
        store,
    )
    assert done.code == 0, done.err
    return store, done.json["run"]


@pytest.fixture
def copy(literal: tuple[Path, str], tmp_path: Path) -> Callable[[], tuple[Path, str]]:
    """A store of one's own with that run in it."""

    def go() -> tuple[Path, str]:
        done = reach("store", "backup", tmp_path / "own.db", "--store", literal[0])
        assert done.code == 0, done.err
        return tmp_path / "own.db", literal[1]

    return go
