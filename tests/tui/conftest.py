"""Fixtures that drive the app by keys, on stores made by the product's own parts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tui.driving import Drive
from tests.tui.sample_store import sample_store, with_experiment


@pytest.fixture(scope="session")
def made_stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Stores that tests copy: plain, with an ended experiment, with one that runs."""
    folder = tmp_path_factory.mktemp("stores")
    made = {name: folder / f"{name}.db" for name in ("plain", "ended", "live")}
    store = sample_store(made["plain"])
    for name in ("ended", "live"):
        shutil.copy(made["plain"], made[name])
    store.path = made["ended"]
    with_experiment(store)
    store.path = made["live"]
    with_experiment(store, conduct_it=False)
    return made


@pytest.fixture
def store(made_stores: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    """`store("plain")`: a fresh copy of a store."""

    def copy(name: str = "plain") -> Path:
        target = tmp_path / "runs.db"
        shutil.copy(made_stores[name], target)
        return target

    return copy


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Drive]:
    """The driver, with caches and authors of its own, and short pauses."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for screen in ("runs", "branch"):
        monkeypatch.setattr(f"reach_tui.tui.screens.{screen}.REST_SECONDS", 0.01)
    for name in ("LIVELY", "QUIET"):
        monkeypatch.setattr(f"reach_tui.tui.reader.{name}", 0.05)
    for name in ("NO_COLOR", "REACH_AUTHOR", "PAGER", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    return Drive
