"""What is installed here and whether it can be used: the product, the store in use, every plugin by name."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reach_tui.agents.kind import KINDS
from reach_tui.core.errors import ReachError
from reach_tui.core.plugins import PluginRow
from reach_tui.core.version import __version__
from reach_tui.formats.reader import READERS
from reach_tui.grading.detectors import INSTALLED
from reach_tui.present.language import phrase
from reach_tui.present.tables import TextColumn, table
from reach_tui.sandbox.registry import SANDBOXES
from reach_tui.store.store import Store, in_use

REGISTRIES = (KINDS, SANDBOXES, READERS, INSTALLED)


@dataclass(frozen=True, slots=True)
class Examined:
    """What was looked at. `store_problem` is empty where the store can be read, or where there is none yet."""

    version: str
    python: str
    store: Path
    store_there: bool
    store_problem: str
    plugins: tuple[PluginRow, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.store_problem and not any(row.problem for row in self.plugins)


def examined(store: Path) -> Examined:
    """Look at everything; nothing that is found broken is raised."""
    problem, path = "", store
    if store.exists():
        try:
            path = in_use(store)
            with Store(path):
                pass
        except ReachError as error:
            problem = str(error)
    rows = tuple(row for registry in REGISTRIES for row in registry.rows())
    return Examined(__version__, platform.python_version(), path, store.exists(), problem, rows)


def doctor_json(report: Examined) -> dict[str, Any]:
    """As `reach doctor --json` prints it."""
    return {
        "version": report.version, "python": report.python, "sound": report.sound,
        "store": {"path": str(report.store), "exists": report.store_there, "problem": report.store_problem or None},
        "plugins": [
            {"group": row.group, "name": row.name, "package": row.package, "value": row.value,
             "problem": row.problem or None}
            for row in report.plugins
        ],
    }  # fmt: skip


def doctor_text(report: Examined) -> str:
    """The same for people: a line for the product, one for the store, a row for each plugin."""
    state = report.store_problem or (phrase("can be read") if report.store_there else phrase("not made yet"))
    rows = [
        [row.group.removeprefix("reach_tui."), row.name, row.package, row.problem or phrase("fine")]
        for row in report.plugins
    ]
    columns = (TextColumn("kind"), TextColumn("name"), TextColumn("package"), TextColumn("state", 90))
    return "\n".join(
        [
            phrase("reach {version}, Python {python}", version=report.version, python=report.python),
            phrase("store {path}: {state}", path=report.store, state=state),
            "",
            table(columns, rows),
        ]
    )
