"""Starting: what the app module imports, and that the first paint waits for no query; colours and pictures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style

from reach_tui.core.errors import ReachError
from reach_tui.store import store as opening
from reach_tui.tui import theme
from reach_tui.tui.app import ReachApp
from screenshots import paint
from screenshots.shots import Shot, take
from tests.tui.driving import Drive

Store = Callable[[str], Path]

HEAVY = ("sqlite3", "scipy", "pydantic", "httpx", "yaml", "jsonschema", "deepdiff", "numpy", "PIL",
         "reach_tui.grading", "reach_tui.counterfactual", "reach_tui.harness", "reach_tui.suites",
         "textual.widgets._text_area")  # fmt: skip


def test_the_app_module_imports_core_and_rows_and_nothing_heavier() -> None:
    code = "import sys, reach_tui.tui.app; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in HEAVY if name in found] == []


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


async def test_a_picture_has_every_cell_in_its_place(store: Store, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    try:
        fonts = paint.find_fonts()
    except ReachError:
        pytest.skip("no monospace font is installed")
    async with Drive(store("plain")) as app:
        await app.press("f", "f")
        paint.paint_screen(app.app, tmp_path / "replay.png")
    painted = image.open(tmp_path / "replay.png")
    assert painted.width % 80 == 0
    assert painted.height % 24 == 0
    assert len(painted.getcolors(100_000)) > 20
    style = Style(color="#ff0000", bgcolor="#0000ff")
    paint.paint_lines(
        [[Segment("退a", style)], [Segment("██ ", Style(color="#00ff00"))]], tmp_path / "two.png", fonts=fonts
    )
    two = image.open(tmp_path / "two.png").convert("RGB")
    cell = two.width // 3, two.height // 2
    assert two.getpixel((cell[0] * 2 + 1, 1)) == (0, 0, 255)
    assert two.getpixel((cell[0] - 1, cell[1] + cell[1] // 2)) == (0, 255, 0)
    assert two.getpixel((cell[0] * 2 + 2, cell[1] + 2)) == paint.GROUND


async def test_pictures_say_what_they_need(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ReachError, match="pictures need Pillow"):
        paint.paint_lines([[Segment("x")]], tmp_path / "x.png")
    monkeypatch.setattr(paint, "_find", lambda names: None)
    with pytest.raises(ReachError, match="no monospace font"):
        paint.find_fonts()


def test_shots_are_taken_at_places_reached_by_keys(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    try:
        paint.find_fonts()
    except ReachError:
        pytest.skip("no monospace font is installed")
    made = take(store("plain"), [Shot("found", ["/", "=mon", "enter"]), Shot("wide", ["f"], 120, 30)], tmp_path / "out")
    assert [path.name for path in made] == ["found.png", "found.txt", "wide.png", "wide.txt"]
    assert "1 of 2 runs" in made[1].read_text("utf-8")
    assert len(made[3].read_text("utf-8").splitlines()) == 30
