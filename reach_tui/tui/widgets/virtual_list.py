"""The one list of the app: any number of rows, drawn line by line, with nothing read while drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from reach_tui.present.cells import (
    Column,
    Piece,
    Row,
    column_widths,
    fit_pieces,
    header_pieces,
    light_up,
    pieces_of,
    plain,
    table_pieces,
)
from reach_tui.present.layout import width as cells_of
from reach_tui.present.layout import wrap
from reach_tui.present.signs import MARKED
from reach_tui.tui import theme
from reach_tui.tui.widgets.selection import Id, Selection

Draw = Callable[[Any], Row | None]

_KEPT_STRIPS = 1000


class VirtualList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows by id. `draw` gives the row of an id, or None while it is not here yet: then `…` stands in its place and
    `Wanted` asks for it. Cursor and marks hold ids, never positions. Without columns rows are lines of text, as long
    as they are, and scroll sideways. `gap` cells stand between the sign of a row and its first column.
    """

    DEFAULT_CSS = """
    VirtualList { height: 1fr; border: none; padding: 0; overflow-x: hidden; overflow-y: auto;
      scrollbar-gutter: stable; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    """

    class Moved(Message):
        """The cursor rests on another row."""

        def __init__(self, list: VirtualList, id: Id | None) -> None:
            super().__init__()
            self.list, self.id = list, id

        @property
        def control(self) -> VirtualList:
            return self.list

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, VirtualList.Moved) and message.list is self.list

    class Opened(Message):
        """A row was opened by mouse."""

        def __init__(self, list: VirtualList, id: Id) -> None:
            super().__init__()
            self.list, self.id = list, id

    class Wanted(Message):
        """These rows are about to be seen and not here yet."""

        def __init__(self, list: VirtualList, ids: tuple[Id, ...]) -> None:
            super().__init__()
            self.list, self.ids = list, ids

    class Resized(Message):
        """The pane has other columns or rows: what is wrapped to it is to be laid anew."""

        def __init__(self, list: VirtualList) -> None:
            super().__init__()
            self.list = list

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, VirtualList.Resized) and message.list is self.list

    class Lost(Message):
        """The row under the cursor left the list; `id` is where the cursor went."""

        def __init__(self, list: VirtualList, lost: Id, id: Id | None) -> None:
            super().__init__()
            self.list, self.lost, self.id = list, lost, id

    def __init__(
        self,
        columns: Sequence[Column] = (),
        draw: Draw | None = None,
        *,
        id: str | None = None,
        heading: Sequence[Piece] = (),
        empty: str = "",
        gap: int = 0,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.draw: Draw = draw or (lambda _: None)
        self.empty = empty
        self._gap = gap
        self.rows = Selection()
        self._columns = tuple(columns)
        self._heading = tuple(heading)
        self._left = 0
        self._longest = 0
        self._needle = ""
        self._widths: tuple[int, ...] = ()
        self._strips: dict[tuple[Id, str], Strip] = {}
        self._styles_of: dict[tuple[str, str], Style] = {}
        self._missing = False

    # What it shows

    @property
    def ids(self) -> Sequence[Id]:
        """The ids of all rows, in order."""
        return self.rows.ids

    @property
    def cursor(self) -> Id | None:
        """The id under the cursor; None in an empty list."""
        return self.rows.cursor

    @property
    def marks(self) -> set[Id]:
        """The ids of marked rows."""
        return self.rows.marks

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._columns

    @columns.setter
    def columns(self, columns: Sequence[Column]) -> None:
        if tuple(columns) != self._columns:
            self._columns = tuple(columns)
            self.redraw()

    @property
    def heading(self) -> tuple[Piece, ...]:
        return self._heading

    @heading.setter
    def heading(self, pieces: Sequence[Piece]) -> None:
        if tuple(pieces) != self._heading:
            had = bool(self._heading)
            self._heading = tuple(pieces)
            if had == bool(self._heading):
                self.refresh(self._line_region(0))
            else:
                self._resized()

    @property
    def needle(self) -> str:
        return self._needle

    @needle.setter
    def needle(self, text: str) -> None:
        """Text to light up wherever it is seen."""
        if text != self._needle:
            self._needle = text
            self.redraw()

    def set_ids(self, ids: Sequence[Id]) -> None:
        """Show these rows. The cursor stays with its id, and on its line of the screen where the list allows it."""
        before, line, at_top = self.cursor, self.rows.at - self.scroll_offset.y, self.scroll_offset.y == 0
        lost = self.rows.replace(ids)
        self._strips.clear()
        self._resized()
        body = self._body()
        if not (at_top and self.rows.at < body):
            self._scroll(max(0, self.rows.at - min(max(line, 0), body - 1)))
        self._keep_in_view()
        if lost is not None:
            self.post_message(self.Lost(self, lost, self.cursor))
        if self.cursor != before:
            self.post_message(self.Moved(self, self.cursor))

    def redraw(self, ids: Sequence[Id] | None = None) -> None:
        """The rows' content changed: all, or only these."""
        if ids is None:
            self._strips.clear()
            self._widths = ()
            self._longest = 0
            self.refresh()
            return
        stale = set(ids)
        for key in [key for key in self._strips if key[0] in stale]:
            del self._strips[key]
        first, last = self._window()
        if len(ids) > last - first or any(self.rows.ids[place] in stale for place in range(first, last)):
            for place in range(first, last):
                if self.rows.ids[place] in stale:
                    self._refresh_place(place)

    def mark(self) -> None:
        """Mark or unmark the row under the cursor and go on to the next."""
        if (here := self.cursor) is not None:
            self.rows.marks ^= {here}
            self.redraw([here])
            self.move(1)

    # Moving

    def move(self, rows: int) -> None:
        """Move the cursor by `rows` down (up where negative), cut to the list."""
        self.go(self.rows.at + rows)

    def page(self, direction: int) -> None:
        """Move the cursor half a page down (1) or up (-1)."""
        self.move(direction * max(1, self._body() // 2))

    def go(self, place: int) -> None:
        """Move the cursor to a position, cut to the list."""
        before = self.rows.at
        if not self.rows.put(place):
            return
        self._refresh_place(before)
        self._refresh_place(self.rows.at)
        self._keep_in_view()
        self.post_message(self.Moved(self, self.cursor))

    def go_to(self, id: Id) -> bool:
        """Move the cursor to an id; False if it is not in the list."""
        place = self.rows.place_of(id)
        if place is None:
            return False
        self.go(place)
        return True

    def sideways(self, cells: int) -> None:
        """Scroll sideways as far as there is something to see."""
        room = self.cells - self._gutter
        widest = sum(self._widths) + len(self._widths) - 1 if self._columns else self._longest
        left = max(0, min(self._left + cells, widest - room))
        if left != self._left:
            self._left = left
            self.refresh()

    def search(self, text: str, step: int) -> bool:
        """To the next row (step 1 or -1) that holds `text`, coming round at the end. Rows not here yet are passed."""
        self.needle = text
        lowered = text.lower()
        count = len(self.rows.ids)
        for n in range(1, count + 1):
            place = (self.rows.at + step * n) % count
            row = self.draw(self.rows.ids[place])
            if row is not None and lowered in plain(row).lower():
                self.go(place)
                return True
        return False

    def text_here(self) -> str:
        """The row under the cursor as a plain line."""
        row = self.draw(self.cursor) if self.cursor is not None else None
        return plain(row) if row is not None else ""

    def texts(self) -> list[str]:
        """All rows that are here, as plain lines."""
        rows = (self.draw(id) for id in self.rows.ids)
        return [plain(row) for row in rows if row is not None]

    # Drawing

    @property
    def cells(self) -> int:
        """Columns to draw in: the scrollbar's is not among them, whether it shows or not."""
        return max(0, self._size.width - self.scrollbar_size_vertical)

    @property
    def _gutter(self) -> int:
        return 2 + self._gap if self._columns else 1

    @property
    def _fixed(self) -> int:
        return bool(self._heading) + any(c.title for c in self._columns)

    def _body(self) -> int:
        return max(1, self._size.height - self._fixed)

    def _window(self) -> tuple[int, int]:
        first = self.scroll_offset.y
        return first, min(len(self.rows.ids), first + self._body())

    def _line_region(self, y: int) -> Any:
        return Size(self._size.width, 1).region.translate((0, y))

    def _refresh_place(self, place: int) -> None:
        y = place - self.scroll_offset.y + self._fixed
        if self._fixed <= y < self._size.height:
            self.refresh(self._line_region(y))

    def _resized(self) -> None:
        # Set past the reactive: a change of row count needs new scroll limits, not a layout of the whole screen.
        self.set_reactive(Widget.virtual_size, Size(self.cells, len(self.rows.ids) + self._fixed))
        self._refresh_scrollbars()
        if self.scroll_offset.y > self.max_scroll_y:
            self._scroll(self.max_scroll_y)
        self.refresh()

    def _scroll(self, y: int) -> None:
        self.scroll_to(y=min(y, self.max_scroll_y), animate=False)

    def _keep_in_view(self) -> None:
        first, body = self.scroll_offset.y, self._body()
        if self.rows.at < first:
            self._scroll(self.rows.at)
        elif self.rows.at >= first + body:
            self._scroll(self.rows.at - body + 1)

    def on_resize(self) -> None:
        self._strips.clear()
        self._widths = ()
        self._resized()
        self._keep_in_view()
        self.post_message(self.Resized(self))

    def notify_style_update(self) -> None:
        self._styles_of.clear()
        self._strips.clear()
        super().notify_style_update()

    def on_focus(self) -> None:
        self._heads_up()

    def on_blur(self) -> None:
        self._heads_up()

    def _heads_up(self) -> None:
        self._refresh_place(self.rows.at)
        if self._heading:
            self.refresh(self._line_region(0))

    def _style(self, role: str, state: str) -> Style:
        key = (role, state)
        if key not in self._styles_of:
            roles: theme.Palette = getattr(self.app, "palette", theme.TRUE)
            own, over = roles.get(role, roles[""]), roles.get(state, roles[""])
            # Colours under reverse video would become patches of ground.
            self._styles_of[key] = self.rich_style + over + (own if not over.reverse else Style(bold=own.bold))
        return self._styles_of[key]

    def _strip(self, pieces: Sequence[Piece], state: str, left: int = 0, gutter: Sequence[Piece] = ()) -> Strip:
        room = self.cells - sum(cells_of(text) for text, _ in gutter)
        body = Strip([Segment(text, self._style(role, state)) for text, role in pieces if text])
        body = body.crop(left, left + room).extend_cell_length(room, self._style("", state))
        return Strip(
            [Segment(text, self._style(role, state)) for text, role in gutter if text] + list(body), self.cells
        )

    def render_line(self, y: int) -> Strip:
        if self.cells < 1:
            return Strip.blank(0)
        if self._heading:
            if y == 0:
                return self._draw_heading()
            y -= 1
        if self._columns and not self._widths:
            self._widths = column_widths(self._columns, self.cells - self._gutter)
        if any(c.title for c in self._columns):
            if y == 0:
                return self._strip(
                    header_pieces(self._columns, self._widths), "", self._left, ((" " * self._gutter, ""),)
                )
            y -= 1
        return self._draw_row(y + self.scroll_offset.y)

    def _draw_heading(self) -> Strip:
        focused = self.has_focus
        pieces: list[Piece] = [("-", "faint")]
        for text, role in pieces_of(self._heading):
            pieces.append((text, "focus" if focused and not role else role or "head"))
        pieces.append((" ", ""))
        used = sum(cells_of(text) for text, _ in pieces)
        pieces.append(("-" * max(0, self.cells - used), "faint"))
        return self._strip(fit_pieces(pieces, self.cells), "")

    def _draw_row(self, place: int) -> Strip:
        if not 0 <= place < len(self.rows.ids):
            lines = wrap(self.empty, self.cells - self._gutter) if not self.rows.ids and place >= 0 else []
            text = lines[place] if place < len(lines) else ""
            return self._strip(((text, "dim"),) if text else (), "", gutter=((" " * self._gutter, ""),))
        id = self.rows.ids[place]
        state = "" if place != self.rows.at else "cursor" if self.has_focus else "rest"
        key = (id, state)
        if (strip := self._strips.get(key)) is not None and strip.cell_length == self.cells and not self._left:
            return strip
        row = self.draw(id)
        if row is None:
            self._ask(place)
            return self._strip((("…", "dim"),), state, gutter=((" " * self._gutter, ""),))
        mark = MARKED.piece if id in self.marks else (" ", "")
        if self._columns:
            pieces = table_pieces(row, self._columns, self._widths)
            sign = fit_pieces(pieces_of(((row.sign, row.sign_role),)), 1)
            gutter: tuple[Piece, ...] = (mark, *sign, (" " * self._gap, ""))
        else:
            pieces = list(pieces_of(row.cells[0] if row.cells else "", row.role))
            self._longest = max(self._longest, sum(cells_of(text) for text, _ in pieces))
            gutter = (mark,)
        if self._needle:
            pieces = light_up(pieces, self._needle)
        strip = self._strip(pieces, state, self._left, gutter)
        if not self._left:
            if len(self._strips) > _KEPT_STRIPS:
                self._strips.clear()
            self._strips[key] = strip
        return strip

    def _ask(self, place: int) -> None:
        if not self._missing:
            self._missing = True
            self.call_later(self._ask_now)

    def _ask_now(self) -> None:
        self._missing = False
        first, last = self._window()
        body = self._body()
        around = (self.rows.ids[n] for n in range(max(0, first - body), min(len(self.rows.ids), last + body)))
        missing = tuple(id for id in around if self.draw(id) is None)
        if missing:
            self.post_message(self.Wanted(self, missing))

    # Mouse

    def on_click(self, event: events.Click) -> None:
        place = event.y - self._fixed + self.scroll_offset.y
        if event.y < self._fixed or not 0 <= place < len(self.rows.ids):
            return
        again = place == self.rows.at
        self.go(place)
        if again or event.chain > 1:
            self.post_message(self.Opened(self, self.rows.ids[place]))
