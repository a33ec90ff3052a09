"""The painter of `screenshots/`: every cell in its place, and pictures of places reached by keys."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style

from reach_tui.core.errors import ReachError
from screenshots import paint
from screenshots.shots import Shot, take
from tests.tui.driving import Drive

Store = Callable[[str], Path]


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
