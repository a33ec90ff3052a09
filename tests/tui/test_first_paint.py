"""Starting: what the app module imports, that the first paint waits for no query, and what is drawn without colour."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reach_tui.store import store as opening
from reach_tui.tui import theme
from reach_tui.tui.app import ReachApp
from screenshots import paint
from tests.tui.driving import Drive

Store = Callable[[str], Path]

HEAVY = ("sqlite3", "scipy", "pydantic", "httpx", "yaml", "jsonschema", "deepdiff", "numpy", "PIL",
         "reach_tui.grading", "reach_tui.counterfactual", "reach_tui.harness", "reach_tui.suites",
         "textual.widgets._text_area")  # fmt: skip


def test_the_app_module_imports_core_and_rows_and_nothing_heavier() -> None:
    code = "import sys, reach_tui.tui.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in HEAVY if name in loaded] == []


async def test_the_first_paint_comes_before_the_store_is_opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    opened = opening.Store
    monkeypatch.setattr(opening, "Store", lambda path: (order.append("open"), opened(path))[1])
    display = ReachApp._display

    def painted(self: ReachApp, screen: object, update: object) -> None:
        if update is not None:
            order.append("paint")
        display(self, screen, update)  # type: ignore[arg-type]

    monkeypatch.setattr(ReachApp, "_display", painted)
    async with Drive(store("plain")):
        assert "open" in order
        assert order[0] == "paint"


@pytest.mark.parametrize("variable", ["NO_COLOR", "TEXTUAL_COLOR_SYSTEM"])
async def test_without_colour_the_terminals_own_are_used_and_the_cursor_still_shows(
    store: Store, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    if variable == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "standard")
    async with Drive(store("plain"), plain=None) as app:
        assert app.app.theme == "ansi-dark"
        assert app.app.palette is theme.SIXTEEN
        styles = [segment.style for line in paint.screen_lines(app.app) for segment in line if segment.style]
        assert not [style for style in styles if style.color and style.color.triplet]
        if variable == "NO_COLOR":
            assert not [style for style in styles if style.color and not style.color.is_default]
        cursor = paint.screen_lines(app.app)[2]
        assert any(segment.style and segment.style.reverse for segment in cursor)


def test_both_palettes_know_the_same_roles() -> None:
    assert theme.TRUE.keys() == theme.SIXTEEN.keys()
