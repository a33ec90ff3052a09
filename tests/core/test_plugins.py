"""What installed packages bring: found by name, loaded at first use, each fault named and nothing else broken by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from reach_tui.core import plugins
from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.plugins import Registry


@dataclass(frozen=True)
class Package:
    """What an entry point knows of the package that brings it."""

    name: str
    version: str = "1.0"


@dataclass(frozen=True)
class Entry:
    """An installed entry point; `make` is what loading it does."""

    name: str
    make: Callable[[], Any]
    dist: Package
    value: str = "some.module:THING"

    def load(self) -> Any:
        return self.make()


def _broken() -> Any:
    raise ImportError("no module named lamp")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry[str]:
    entries = (
        Entry("lamp", lambda: "a lamp", Package("lamps")),
        Entry("torn", _broken, Package("torn-things")),
        Entry("odd", lambda: 7, Package("odd-things")),
        Entry("twice", lambda: "one", Package("first")),
        Entry("twice", lambda: "two", Package("second")),
    )
    monkeypatch.setattr(plugins, "_entries", lambda group: entries)
    return Registry("some.group", "thing", lambda loaded: "" if isinstance(loaded, str) else "it is no text")


def test_a_plugin_is_found_by_name_and_names_are_known_without_loading(registry: Registry[str]) -> None:
    assert registry.names() == ("lamp", "odd", "torn", "twice")
    assert registry.find("lamp") == "a lamp"


def test_an_unknown_name_is_a_users_mistake_with_the_near_one_named(registry: Registry[str]) -> None:
    with pytest.raises(UsageError, match=r"no thing 'lmap' is installed \(did you mean lamp"):
        registry.find("lmap")
    with pytest.raises(UsageError, match="installed: lamp, odd, torn, twice"):
        registry.find("zzz")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("torn", "ImportError: no module named lamp"),
        ("odd", "it is no text"),
        ("twice", "first 1.0 and second 1.0 both bring it; take one away"),
    ],
)
def test_what_cannot_be_used_says_why_and_breaks_nothing_else(registry: Registry[str], name: str, words: str) -> None:
    with pytest.raises(ReachError, match=words):
        registry.find(name)
    assert list(registry.usable()) == [("lamp", "a lamp")]
    rows = {(row.name, row.package): row.problem for row in registry.rows()}
    assert rows["lamp", "lamps 1.0"] == ""
    assert all(words in problem for (row, _), problem in rows.items() if row == name)
    assert len(rows) == 5
