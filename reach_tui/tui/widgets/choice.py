"""A choice on one line: `< failing >`. Left, right and space change it, a letter goes to the option that begins so."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from reach_tui.present.cells import Piece, fit_pieces, pieces_of
from reach_tui.present.layout import width
from reach_tui.tui import theme


class Choice(Widget, can_focus=True, inherit_bindings=False):
    """`options` are words; `index` says which is chosen."""

    class Changed(Message):
        """Another option was chosen."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    DEFAULT_CSS = "Choice { height: 1; width: auto; }"

    def __init__(self, label: str, options: Sequence[str], index: int = 0, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.label, self.options, self.index = label, tuple(options), index

    @property
    def value(self) -> str:
        """The chosen word."""
        return self.options[self.index] if self.options else ""

    def offer(self, options: Sequence[str], index: int = 0) -> None:
        """Other options."""
        self.options, self.index = tuple(options), min(index, max(0, len(options) - 1))
        self.refresh(layout=True)

    def get_content_width(self, container: object, viewport: object) -> int:
        return width(self.label) + max((width(option) for option in self.options), default=1) + 6

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return 1

    def render_line(self, y: int) -> Strip:
        roles: theme.Palette = getattr(self.app, "palette", theme.TRUE)
        over = "lit" if self.has_focus else "strong"
        ends = ("< ", " >") if len(self.options) > 1 else ("[ ", " ]")
        label = f" {self.label} " if self.label else " "
        pieces: list[Piece] = [(label, "head"), (ends[0], "faint"), (self.value, over), (ends[1], "faint")]
        base = self.rich_style
        fitted = fit_pieces(pieces_of(tuple(pieces)), self.size.width) if self.size.width else []
        return Strip([Segment(text, base + roles.get(role, roles[""])) for text, role in fitted if text])

    def turn(self, by: int) -> None:
        """`by` options on, coming round."""
        if len(self.options) > 1:
            self.index = (self.index + by) % len(self.options)
            self.refresh()
            self.post_message(self.Changed(self))

    def on_key(self, event: events.Key) -> None:
        if event.key in ("right", "space", "enter", "down"):
            self.turn(1)
        elif event.key in ("left", "up"):
            self.turn(-1)
        elif event.character and event.character.isalnum():
            order = [(self.index + k) % len(self.options) for k in range(1, len(self.options) + 1)]
            target = next((k for k in order if self.options[k].lower().startswith(event.character.lower())), None)
            if target is None:
                return
            self.turn(target - self.index)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_click(self) -> None:
        self.focus()
        self.turn(1)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
