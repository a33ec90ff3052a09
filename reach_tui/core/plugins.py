"""What installed packages bring, by entry point: found by name and loaded at first use, each fault named.

Ours come in the same way. A package that is missing or broken breaks what asks for it and nothing else; two of one
name are refused, since nobody could say which of them a run meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from reach_tui.core.errors import ReachError, UsageError

AGENTS, SANDBOXES = "reach_tui.agents", "reach_tui.sandboxes"
FORMATS, DETECTORS = "reach_tui.formats", "reach_tui.detectors"
"""The entry point groups."""

Plugin = TypeVar("Plugin")


@dataclass(frozen=True, slots=True)
class PluginRow:
    """A plugin as `reach doctor` lists it; `problem` is empty where it loads and fits."""

    group: str
    name: str
    value: str
    package: str
    problem: str


class Registry(Generic[Plugin]):
    """The plugins of one entry point group. `what` is what people call one; `fits` says why a loaded object is none.

    An entry names a module attribute. `fits` returns an empty text for an object that is what the group holds.
    """

    def __init__(self, group: str, what: str, fits: Callable[[object], str]) -> None:
        self.group, self.what = group, what
        self._fits = fits
        self._loaded: dict[str, Plugin] = {}

    def names(self) -> tuple[str, ...]:
        """All names, sorted, without loading anything."""
        return installed(self.group)

    def find(self, name: str) -> Plugin:
        """The plugin of that name. UsageError for an unknown one; ReachError where it cannot be loaded or is double."""
        if name not in self._loaded:
            entries = [entry for entry in _entries(self.group) if entry.name == name]
            if not entries:
                raise UsageError(f"no {self.what} {name!r} is installed", hint=self._near(name))
            problem, plugin = self._load(entries)
            if problem:
                raise ReachError(
                    f"the {self.what} {name!r} cannot be used: {problem}",
                    where=entries[0].value,
                    hint="see `reach doctor`; what needs no such thing goes on working",
                )
            assert plugin is not None
            self._loaded[name] = plugin
        return self._loaded[name]

    def usable(self) -> Iterable[tuple[str, Plugin]]:
        """(name, plugin) of all that load, by name; the others are left out (see `rows`)."""
        for name in self.names():
            try:
                yield name, self.find(name)
            except ReachError:
                continue

    def rows(self) -> tuple[PluginRow, ...]:
        """A row for each entry, with what is wrong with it: every plugin is loaded for this."""
        found = []
        for name in self.names():
            entries = [entry for entry in _entries(self.group) if entry.name == name]
            problem, _ = self._load(entries)
            found += [PluginRow(self.group, name, entry.value, _package(entry), problem) for entry in entries]
        return tuple(found)

    def _load(self, entries: list[EntryPoint]) -> tuple[str, Plugin | None]:
        if len(entries) > 1:
            return f"{' and '.join(sorted(map(_package, entries)))} both bring it; take one away", None
        try:
            plugin = entries[0].load()
        except Exception as error:
            # Whatever a stranger's module raises as it is imported is its own fault, told as that.
            return f"{type(error).__name__}: {error}", None
        problem = self._fits(plugin)
        return (problem, None) if problem else ("", plugin)

    def _near(self, name: str) -> str:
        names = self.names()
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
        return f"did you mean {near[0]}?" if near else f"installed: {', '.join(names) or 'none'}"


def installed(group: str) -> tuple[str, ...]:
    """The names of a group, sorted, without loading anything."""
    return tuple(sorted({entry.name for entry in _entries(group)}))


@lru_cache(maxsize=16)
def _entries(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "an unnamed package"
