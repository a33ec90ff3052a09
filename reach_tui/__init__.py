"""Reach TUI: run suites against tool-calling agents, replay each trial beside its state, find the factor at fault.

This is the public face: what sandboxes, agent kinds and programs of others import. `from reach_tui import Sandbox`
loads what the name needs and nothing else. Nobody inside the product imports it; what ships in `contrib` uses it alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Each under its own name again, which tells type checkers that it is meant for others.
    from reach_tui.agents.context import messages_of_summary as messages_of_summary
    from reach_tui.agents.kind import SENT as SENT
    from reach_tui.agents.kind import AgentChoice as AgentChoice
    from reach_tui.agents.kind import AgentKind as AgentKind
    from reach_tui.agents.kind import Need as Need
    from reach_tui.agents.kind import Served as Served
    from reach_tui.agents.loop import ChatLoop as ChatLoop
    from reach_tui.agents.loop import Model as Model
    from reach_tui.agents.loop import ModelRequest as ModelRequest
    from reach_tui.agents.loop import approximate_tokens as approximate_tokens
    from reach_tui.core.agent import AgentFacts as AgentFacts
    from reach_tui.core.brief import Brief as Brief
    from reach_tui.core.canonical import canonical as canonical
    from reach_tui.core.code import code_digest as code_digest
    from reach_tui.core.condition import Setup as Setup
    from reach_tui.core.draws import draw as draw
    from reach_tui.core.draws import pick as pick
    from reach_tui.core.draws import seed_number as seed_number
    from reach_tui.core.errors import ReachError as ReachError
    from reach_tui.core.errors import UsageError as UsageError
    from reach_tui.core.grading import Deviation as Deviation
    from reach_tui.core.protocols import Agent as Agent
    from reach_tui.core.protocols import AgentSideError as AgentSideError
    from reach_tui.core.protocols import Session as Session
    from reach_tui.core.protocols import StopTrial as StopTrial
    from reach_tui.core.task import Task as Task
    from reach_tui.core.tools import ToolSpec as ToolSpec
    from reach_tui.core.tools import ToolView as ToolView
    from reach_tui.core.trajectory import Exchange as Exchange
    from reach_tui.core.trajectory import Step as Step
    from reach_tui.core.version import __version__ as __version__
    from reach_tui.formats.reader import LogReader as LogReader
    from reach_tui.grading.evidence import Evidence as Evidence
    from reach_tui.sandbox.family import Sandbox as Sandbox
    from reach_tui.sandbox.records import Record as Record
    from reach_tui.sandbox.schema import Keywords as Keywords
    from reach_tui.sandbox.tool import tool as tool
    from reach_tui.sandbox.tool import tools_in as tools_in
    from reach_tui.sandbox.transaction import ToolError as ToolError
    from reach_tui.sandbox.transaction import World as World
    from reach_tui.store.store import Store as Store
    from reach_tui.suites.load import load_suite as load_suite

_PLACES = {
    "SENT": "agents.kind", "AgentChoice": "agents.kind", "AgentKind": "agents.kind",
    "Need": "agents.kind", "Served": "agents.kind",
    "approximate_tokens": "agents.loop",
    "messages_of_summary": "agents.context",
    "ChatLoop": "agents.loop", "Model": "agents.loop", "ModelRequest": "agents.loop",
    "AgentFacts": "core.agent", "Brief": "core.brief", "canonical": "core.canonical", "code_digest": "core.code",
    "Setup": "core.condition", "draw": "core.draws", "pick": "core.draws", "seed_number": "core.draws",
    "ReachError": "core.errors", "UsageError": "core.errors",
    "Agent": "core.protocols", "AgentSideError": "core.protocols", "Session": "core.protocols",
    "StopTrial": "core.protocols",
    "Task": "core.task", "ToolSpec": "core.tools", "ToolView": "core.tools",
    "Exchange": "core.trajectory", "Step": "core.trajectory",
    "Deviation": "core.grading", "Evidence": "grading.evidence", "LogReader": "formats.reader",
    "__version__": "core.version",
    "Sandbox": "sandbox.family", "Record": "sandbox.records", "Keywords": "sandbox.schema",
    "tool": "sandbox.tool", "tools_in": "sandbox.tool",
    "ToolError": "sandbox.transaction", "World": "sandbox.transaction",
    "Store": "store.store", "load_suite": "suites.load",
}  # fmt: skip
"""Where each name is."""

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{place}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
