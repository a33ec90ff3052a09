"""A page of text, line by line: searched, copied, scrolled sideways, read in the pager."""

from __future__ import annotations

from textual.app import ComposeResult

from reach_tui.present.cells import Row
from reach_tui.tui.navigation import TextPlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.widgets.virtual_list import VirtualList


class TextScreen(ReachScreen):
    """One list of lines."""

    KIND = "text"
    BINDINGS = bindings("text")

    def __init__(self, place: TextPlace) -> None:
        super().__init__()
        self.title_words = place.title
        self.lines = place.text.splitlines() or [""]
        self.list = VirtualList((), lambda n: Row((((self.lines[n], "text"),),)))

    def body(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.set_title(((self.title_words, "title"),))
        self.list.set_ids(range(len(self.lines)))
