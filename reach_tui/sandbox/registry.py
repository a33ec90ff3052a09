"""Families of worlds by name, ours and those that installed packages bring."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import entry_points
from typing import cast

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.protocols import SandboxFamily
from reach_tui.sandbox.arguments import near

GROUP = "reach_tui.sandboxes"
"""The entry point group; an entry names a module attribute that is a `core.protocols.SandboxFamily`."""


def known_sandboxes() -> tuple[str, ...]:
    """The names of all installed sandboxes, sorted."""
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)}))


@lru_cache(maxsize=32)
def find_sandbox(name: str) -> SandboxFamily:
    """The family of that name. UsageError names the known ones; ReachError where the one found cannot be loaded."""
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            try:
                return cast(SandboxFamily, entry.load())
            except Exception as error:
                raise ReachError(
                    f"the sandbox {name!r} cannot be loaded: {error}",
                    where=entry.value,
                    hint="the package that brings it is broken or does not fit this version",
                ) from error
    known = known_sandboxes()
    meant = near(name, known)
    hint = f"did you mean {meant!r}? " if meant else ""
    raise UsageError(f"no sandbox {name!r}", hint=f"{hint}installed are: {', '.join(known) or 'none'}")
