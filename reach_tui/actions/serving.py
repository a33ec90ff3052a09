"""Serving an agent kind over HTTP, with what it needs to know of a suite."""

from __future__ import annotations

from pathlib import Path

from reach_tui.agents.kind import KINDS, Served
from reach_tui.agents.serve import ModelServer
from reach_tui.core.brief import Brief, brief_of
from reach_tui.core.errors import UsageError
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.suites.load import load_suite


def open_server(suite: Path | None, kind: str | None, port: int = 0) -> tuple[ModelServer, tuple[str, ...]]:
    """(a server that is bound and not yet serving, its models' names). UsageError for a kind that serves nothing."""
    briefs = {} if suite is None else briefs_of(suite)
    served = _served(briefs, kind)
    return ModelServer(served, port), served.models


def briefs_of(suite: Path) -> dict[str, Brief]:
    """The briefs of a suite's tasks, by key. UsageError for a suite without a sandbox."""
    loaded = load_suite(suite)
    if loaded.sandbox is None:
        raise UsageError("this suite names no sandbox", where=str(suite))
    specs = {spec.name: spec for spec in find_sandbox(loaded.sandbox).specs()}
    return {task.key: brief_of(task, specs) for task in loaded.tasks}


def _served(briefs: dict[str, Brief], kind: str | None) -> Served:
    kinds = [KINDS.find(kind)] if kind else [installed for _, installed in KINDS.usable()]
    offered = [served for served in (candidate.served(briefs) for candidate in kinds) if served is not None]
    if len(offered) != 1:
        raise UsageError(
            "no agent kind here can be served" if not offered else "several agent kinds can be served",
            hint="name one with --agent",
        )
    return offered[0]
