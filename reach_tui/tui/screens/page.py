"""Pages of text, opened by their word: searched, copied, scrolled sideways, read in the pager."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult

from reach_tui.present.cells import Row
from reach_tui.present.sandbox import asked_text
from reach_tui.store.store import Store
from reach_tui.tui.navigation import PagePlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.widgets.virtual_list import VirtualList


class Page(NamedTuple):
    """What a page shows: its title and its lines."""

    title: str
    lines: Sequence[str]


class PageScreen(ReachScreen):
    """One list of lines. A page of its own overrides `read` and is named in `navigation.PAGES`."""

    KIND: ClassVar[str] = "page"
    BINDINGS = bindings("page")

    @staticmethod
    def read(store: Store, words: str, here: str) -> Page:
        """What the page shows, read in the reader's thread.

        `words` are what was typed behind its word; `here` is the link of what the screen before showed (a run's uid,
        `RUN/TASK#1@7`, an experiment's uid; empty where there was none). UsageError for what cannot be shown.
        """
        raise NotImplementedError

    def __init__(self, place: PagePlace) -> None:
        super().__init__()
        self.page: Page = place.page
        self.list = VirtualList((), lambda n: Row((((self.page.lines[n], "text"),),)))

    def body(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.set_title(((self.page.title, "title"),))
        self.list.set_ids(range(len(self.page.lines)))


class SandboxScreen(PageScreen):
    """`:sandbox NAME [TABLE [ID]] [--tools]`: what a world holds."""

    @staticmethod
    def read(store: Store, words: str, here: str) -> Page:
        """As `reach sandbox show` prints it."""
        return Page(f"sandbox {words}", asked_text(words).splitlines())
