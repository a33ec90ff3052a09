"""Rows of a list as pieces of text with a role, fitted to columns by terminal cells. Nothing here is ever markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reach_tui.core.text import one_line
from reach_tui.present.language import phrase
from reach_tui.present.layout import fit, fit_middle, width

Piece = tuple[str, str]
"""Text (from anywhere) and the role that colours it."""

Cell = str | tuple[Piece, ...]
"""Plain text in the row's own role, or pieces."""

Line = tuple[Piece, ...]
"""A line of a pane."""

GAP = 1
_CIRCLE = "\u25cc"


@dataclass(frozen=True, slots=True)
class Column:
    """A column at least `width` cells wide, taking `grow` shares of what is left over."""

    title: str
    width: int
    grow: int = 0
    right: bool = False
    middle: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row: cells, a sign of one cell for the gutter, and the role of its plain text."""

    cells: tuple[Cell, ...]
    sign: str = " "
    sign_role: str = ""
    role: str = ""


def column_widths(columns: Sequence[Column], available: int) -> tuple[int, ...]:
    """Cells of each column so that all fill `available`; never below a column's own width."""
    least = sum(c.width for c in columns) + GAP * max(0, len(columns) - 1)
    shares = sum(c.grow for c in columns)
    spare = max(0, available - least)
    widths = [c.width + (spare * c.grow // shares if shares else 0) for c in columns]
    rest = spare - sum(w - c.width for w, c in zip(widths, columns, strict=True)) if shares else 0
    for index in reversed(range(len(columns))):
        if rest and columns[index].grow:
            widths[index] += rest
            break
    return tuple(widths)


def safe(text: str) -> str:
    """`text` on one line with control characters as marks; a mark that joins leftwards gets a circle to sit on."""
    text = one_line(text)
    return _CIRCLE + text if text and not text[0].isascii() and width(text[0]) == 0 else text


def pieces_of(cell: Cell, role: str = "") -> tuple[Piece, ...]:
    """A cell as pieces, made safe to draw."""
    if isinstance(cell, str):
        return ((safe(cell), role),)
    return tuple((safe(text), own or role) for text, own in cell)


def fit_pieces(pieces: Sequence[Piece], cells: int, *, right: bool = False, middle: bool = False) -> list[Piece]:
    """Safe pieces cut (with `…`) or padded to exactly `cells` cells."""
    if len(pieces) == 1:
        text, role = pieces[0]
        size = width(text)
        if size > cells:
            return [((fit_middle if middle else fit)(text, cells), role)]
        pad = " " * (cells - size)
        return [(pad + text if right else text + pad, role)]
    total = sum(width(text) for text, _ in pieces)
    if total <= cells:
        pad = " " * (cells - total)
        return [(pad, ""), *pieces] if right else [*pieces, (pad, "")]
    out: list[Piece] = []
    left = cells
    for text, role in pieces:
        size = width(text)
        if size >= left:
            # The cut must show even where this piece ends exactly at the edge: more pieces follow or it is too long.
            out.append((fit(text if size > left else text + "…", left), role))
            break
        out.append((text, role))
        left -= size
    return out


def table_pieces(row: Row, columns: Sequence[Column], widths: Sequence[int]) -> list[Piece]:
    """A row's cells side by side, one gap between."""
    out: list[Piece] = []
    for index, (column, cells) in enumerate(zip(columns, widths, strict=True)):
        if index:
            out.append((" " * GAP, ""))
        cell = row.cells[index] if index < len(row.cells) else ""
        out.extend(fit_pieces(pieces_of(cell, row.role), cells, right=column.right, middle=column.middle))
    return out


def header_pieces(columns: Sequence[Column], widths: Sequence[int]) -> list[Piece]:
    """The columns' titles over their columns."""
    return table_pieces(Row(tuple(((phrase(c.title), "head"),) for c in columns)), columns, widths)


def light_up(pieces: Iterable[Piece], needle: str, role: str = "match") -> list[Piece]:
    """Pieces with every occurrence of `needle` (whatever its case) in `role`."""
    lowered = needle.lower()
    out: list[Piece] = []
    for text, own in pieces:
        lower = text.lower()
        if not lowered or lowered not in lower or len(lower) != len(text):
            out.append((text, own))
            continue
        start = 0
        while (match_start := lower.find(lowered, start)) >= 0:
            if match_start > start:
                out.append((text[start:match_start], own))
            out.append((text[match_start : match_start + len(lowered)], role))
            start = match_start + len(lowered)
        if start < len(text):
            out.append((text[start:], own))
    return out


def plain(row: Row) -> str:
    """The words of a row, for searching and copying."""
    return " ".join("".join(text for text, _ in pieces_of(cell)) for cell in row.cells).strip()
