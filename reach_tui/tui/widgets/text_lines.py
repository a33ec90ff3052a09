"""Lines of text: title, hints, tabs, labels of fields. Data in them is drawn as it is, never as markup."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from reach_tui.present.cells import Piece, fit_pieces, pieces_of
from reach_tui.present.layout import width as cells_of
from reach_tui.tui import theme


class TextLines(Widget):
    """One or more lines of pieces; on each, `right` (if any) stands at the right edge and gives way last."""

    def __init__(self, *, id: str | None = None, role: str = "", classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._role = role
        self._lines: tuple[tuple[tuple[Piece, ...], tuple[Piece, ...]], ...] = (((), ()),)

    def show(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """Show one line."""
        self.show_lines(((tuple(left), tuple(right)),))

    def show_lines(self, lines: Sequence[tuple[Sequence[Piece], Sequence[Piece]]]) -> None:
        """Show several lines, each as (left, right)."""
        new = tuple((tuple(left), tuple(right)) for left, right in lines)
        if new != self._lines:
            self._lines = new
            self.refresh()

    @property
    def text(self) -> str:
        """The words shown."""
        return "\n".join("".join(t for t, _ in (*left, *right)) for left, right in self._lines)

    def render_line(self, y: int) -> Strip:
        size = self.size.width
        if size < 1:
            return Strip.blank(0)
        left, right = self._lines[y] if y < len(self._lines) else ((), ())
        ends = list(pieces_of(right)) if right else []
        room = max(0, size - sum(cells_of(text) for text, _ in ends))
        pieces = fit_pieces(pieces_of(left) if left else (("", ""),), room) + ends
        roles: theme.Palette = getattr(self.app, "palette", theme.TRUE)
        base = self.rich_style + roles.get(self._role, roles[""])
        return Strip([Segment(text, base + roles.get(role, roles[""])) for text, role in pieces if text]).crop(0, size)
