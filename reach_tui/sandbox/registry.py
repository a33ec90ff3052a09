"""Families of worlds by name, ours and those that installed packages bring."""

from __future__ import annotations

from reach_tui.core import plugins
from reach_tui.core.protocols import SandboxFamily


def _fits(loaded: object) -> str:
    missing = [name for name in ("name", "specs", "open") if not hasattr(loaded, name)]
    return f"{type(loaded).__name__} is no sandbox: it has no {', '.join(missing)}" if missing else ""


SANDBOXES: plugins.Registry[SandboxFamily] = plugins.Registry(plugins.SANDBOXES, "sandbox", _fits)
"""By entry point; an entry names a module attribute that is a `core.protocols.SandboxFamily`."""


def find_sandbox(name: str) -> SandboxFamily:
    """The family of that name. UsageError names the known ones; ReachError where the one found cannot be loaded."""
    return SANDBOXES.find(name)
