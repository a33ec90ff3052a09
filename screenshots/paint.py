"""Pictures of the app: the composed screen as text, or painted cell by cell to a PNG.

Painting needs Pillow and a monospace font; Chinese needs an installed CJK font. Wide characters take two cells, as on a
terminal, which an export to SVG does not manage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, split_graphemes
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from reach_tui.core.errors import ReachError

if TYPE_CHECKING:
    from PIL import ImageDraw
    from PIL.ImageFont import FreeTypeFont
    from textual.app import App

_PLACES = (
    "/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "~/Library/Fonts",
    "~/.fonts", "~/.local/share/fonts", "C:/Windows/Fonts",
)  # fmt: skip
_MONO = (
    "DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "NotoSansMono-Regular.ttf", "UbuntuMono-R.ttf", "Menlo.ttc",
    "consola.ttf", "cour.ttf",
)  # fmt: skip
_BOLD = ("DejaVuSansMono-Bold.ttf", "LiberationMono-Bold.ttf", "NotoSansMono-Bold.ttf", "UbuntuMono-B.ttf")
_CJK = (
    "wqy-zenhei.ttc", "wqy-microhei.ttc", "NotoSansCJK-Regular.ttc", "NotoSansMonoCJK-VF.otf.ttc",
    "NotoSansSC-Regular.otf", "SourceHanSansSC-Regular.otf", "DroidSansFallbackFull.ttf", "PingFang.ttc", "msyh.ttc",
    "simsun.ttc",
)  # fmt: skip

GROUND, INK = (20, 23, 27), (197, 203, 211)
"""Colours where the screen leaves them to the terminal."""

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Fonts:
    """Files for plain, bold and Chinese text; `cjk` is None where none is installed."""

    plain: Path
    bold: Path
    cjk: Path | None


def screen_lines(app: App[Any]) -> list[list[Segment]]:
    """The composed screen as it would be written to the terminal, modals included, one list of segments a line."""
    screen = app.screen
    return [list(strip) for strip in screen._compositor.render_strips()]


def as_text(app: App[Any]) -> str:
    """The composed screen as lines of text without trailing spaces: the main form of snapshots."""
    lines = ["".join(segment.text for segment in line).rstrip() for line in screen_lines(app)]
    return "\n".join(lines) + "\n"


def find_fonts() -> Fonts:
    """The installed fonts to paint with. ReachError where there is no monospace font at all."""
    plain = _find(_MONO)
    if plain is None:
        raise ReachError("no monospace font is installed", hint=f"install one of {', '.join(_MONO[:3])}")
    return Fonts(plain, _find(_BOLD) or plain, _find(_CJK))


def paint_screen(app: App[Any], path: Path, *, size: int = 16, fonts: Fonts | None = None) -> None:
    """Paint the composed screen to a PNG at `path`, `size` pixels to the letter. ReachError without Pillow or font."""
    paint_lines(screen_lines(app), path, size=size, fonts=fonts)


def paint_lines(lines: Sequence[Sequence[Segment]], path: Path, *, size: int = 16, fonts: Fonts | None = None) -> None:
    """Paint lines of styled segments, each character in its cells."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise ReachError("pictures need Pillow", hint="install it with `pip install pillow`") from None
    used_fonts = fonts or find_fonts()
    width, height = _cell(used_fonts.plain, size)
    columns = max((sum(cell_len(piece.text) for piece in line) for line in lines), default=1)
    image = Image.new("RGB", (max(1, columns) * width, max(1, len(lines)) * height), GROUND)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        column = 0
        for segment in line:
            ink, ground, style = _colours(segment.style)
            spans, _ = split_graphemes(segment.text)
            for start, end, cells in spans:
                box = (column * width, row * height, (column + cells) * width, (row + 1) * height)
                if ground != GROUND:
                    draw.rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill=ground)
                _glyph(draw, segment.text[start:end], cells, box, ink, style, used_fonts, size)
                column += cells
    image.save(path)


def _glyph(
    draw: ImageDraw.ImageDraw,
    text: str,
    cells: int,
    box: tuple[int, int, int, int],
    ink: Rgb,
    style: Style,
    fonts: Fonts,
    size: int,
) -> None:
    left, top, right, bottom = box
    if _block(draw, text, box, ink):
        return
    if text.strip():
        path = fonts.bold if style.bold else fonts.plain
        if fonts.cjk is not None and (cells == 2 or not _has(path, size, text[0])):
            path = fonts.cjk
        font = _font(path, size)
        baseline = top + _ascent(fonts.plain, size)
        shift = max(0, round((right - left - font.getlength(text)) / 2)) if cells == 2 else 0
        draw.text((left + shift, baseline), text, font=font, fill=ink, anchor="ls")
    if style.underline:
        draw.line((left, bottom - 2, right - 1, bottom - 2), fill=ink)
    if style.strike:
        draw.line((left, (top + bottom) // 2, right - 1, (top + bottom) // 2), fill=ink)


def _block(draw: ImageDraw.ImageDraw, text: str, box: tuple[int, int, int, int], ink: Rgb) -> bool:
    """Block elements are drawn as rectangles: fonts leave seams between them."""
    left, top, right, bottom = box
    if len(text) == 1 and "\u2581" <= text <= "\u2588":
        eighths = ord(text) - 0x2580
        draw.rectangle((left, bottom - round((bottom - top) * eighths / 8), right - 1, bottom - 1), fill=ink)
        return True
    if len(text) == 1 and "\u2589" <= text <= "\u258f":
        eighths = 0x2590 - ord(text)
        draw.rectangle((left, top, left + round((right - left) * eighths / 8) - 1, bottom - 1), fill=ink)
        return True
    return False


def _colours(style: Style | None) -> tuple[Rgb, Rgb, Style]:
    style = style or Style()
    ink = _rgb(style.color, INK, foreground=True)
    ground = _rgb(style.bgcolor, GROUND, foreground=False)
    if style.reverse:
        ink, ground = ground, ink
    if style.dim:
        ink = tuple((3 * fore + 2 * back) // 5 for fore, back in zip(ink, ground, strict=True))  # type: ignore[assignment]
    return ink, ground, style


def _rgb(color: Color | None, default: Rgb, *, foreground: bool) -> Rgb:
    if color is None or color.is_default:
        return default
    triplet = color.get_truecolor(foreground=foreground)
    return triplet.red, triplet.green, triplet.blue


@lru_cache(maxsize=64)
def _find(names: tuple[str, ...]) -> Path | None:
    for name in names:
        for place in _PLACES:
            folder = Path(place).expanduser()
            path = next(folder.rglob(name), None) if folder.is_dir() else None
            if path is not None:
                return path
    return None


@lru_cache(maxsize=16)
def _font(path: Path, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(path), size)


def _cell(path: Path, size: int) -> tuple[int, int]:
    font = _font(path, size)
    ascent, descent = font.getmetrics()
    return round(font.getlength("M")), ascent + descent + max(2, size // 8)


def _ascent(path: Path, size: int) -> int:
    return _font(path, size).getmetrics()[0] + max(1, size // 16)


@lru_cache(maxsize=4096)
def _has(path: Path, size: int, character: str) -> bool:
    """Whether a font has a glyph of its own for `character`: one that differs from what it draws for a hole."""
    font = _font(path, size)
    return bytes(font.getmask(character)) != bytes(font.getmask("\U0010fffe")) or character.isascii()
