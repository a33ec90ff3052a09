"""What all screens are made of: a title, panes, a last line for hints and news, questions to the reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from reach_tui.present.cells import Piece
from reach_tui.tui import actions
from reach_tui.tui.reader import Answer
from reach_tui.tui.screens.keys import Keyed, fitting_hints
from reach_tui.tui.widgets.one_line import OneLine
from reach_tui.tui.widgets.virtual_list import VirtualList

__all__ = ["LEAST", "BaseScreen"]

LEAST = (60, 15)
"""Columns and rows that a screen needs."""


class BaseScreen(Keyed, Screen[None], inherit_bindings=False):
    """Title, panes, last line. Subclasses compose `body()`."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        self.title_line = OneLine(id="title", classes="edge")
        self.last_line = OneLine(id="last", classes="edge")
        self.small_line = OneLine(id="small")
        self._news: tuple[str, str] | None = None
        self._search = ""
        self.zoomed: VirtualList | None = None
        self.stale = False

    def body(self) -> ComposeResult:
        """The widgets between title and last line."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield self.title_line
        yield from self.body()
        yield self.last_line
        yield self.small_line

    @property
    def panes(self) -> Sequence[VirtualList]:
        """The panes that `tab` and numbers go round, in order."""
        return tuple(self.query(VirtualList))

    @property
    def pane(self) -> VirtualList | None:
        """The pane in focus, else the first."""
        if isinstance(self.focused, VirtualList):
            return self.focused
        return next((pane for pane in self.panes if pane.display), None)

    @property
    def waiting(self) -> bool:
        """Whether the screen is about to do something by itself (a read that waits for the cursor to rest)."""
        return False

    # The reader

    def ask(self, key: str, query: Callable[..., Any], *args: Any) -> None:
        """Ask the reader; `got_<key>` receives the value."""
        self.reach.reader.ask(self, key, query, *args)

    def on_answer(self, answer: Answer) -> None:
        if answer.error:
            self.failed(answer.key, answer.error)
        else:
            getattr(self, f"got_{answer.key}")(answer.value)

    def failed(self, key: str, error: str) -> None:
        """A question could not be answered."""
        self.say(error, "bad")

    def store_changed(self) -> None:
        """Somebody wrote to the store while this screen was up (or beneath another)."""

    def on_screen_resume(self) -> None:
        if self.stale:
            self.stale = False
            self.store_changed()

    def store_note(self) -> None:
        """The store was opened; its note may have changed."""

    def labels_changed(self) -> None:
        """This person wrote or took back a label: the store will say so too, at its next look."""

    def on_unmount(self) -> None:
        self.reach.reader.forget(self)

    # Title, hints, news

    def set_title(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """The first line; the store's note, if any, stands at its right."""
        note = self.reach.note
        ends = [*right, *(((f" {note} ", "warn"),) if note else ())]
        self.title_line.show([(" ", ""), *left], [*ends, (" ", "")])

    def say(self, text: str, role: str = "text") -> None:
        """News on the last line, until the next key."""
        self._news = (text, role)
        self.draw_last_line()

    def hints(self) -> Sequence[actions.Action]:
        """The actions the last line names."""
        return actions.hints(self.KIND)

    def draw_last_line(self) -> None:
        """News if there are any, else the hints that fit."""
        if self._news:
            self.last_line.show([(" ", ""), self._news])
        else:
            self.last_line.show(fitting_hints(self.hints(), self.size.width))

    def perform(self, id: str) -> None:
        if self._news:
            self._news = None
            self.draw_last_line()
        super().perform(id)

    def on_resize(self, event: events.Resize) -> None:
        small = event.size.width < LEAST[0] or event.size.height < LEAST[1]
        self.set_class(small, "-small")
        self.small_line.show(((f"{event.size.width}x{event.size.height}: needs {LEAST[0]}x{LEAST[1]}", "warn"),))
        self.draw_last_line()

    def on_mount(self) -> None:
        self.draw_last_line()
        panes = self.panes
        if panes:
            panes[0].focus(scroll_visible=False)
