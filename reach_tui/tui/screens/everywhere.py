"""The keys that mean the same on every screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.containers import Container

from reach_tui.tui.screens.base import BaseScreen
from reach_tui.tui.screens.keys import bindings
from reach_tui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from reach_tui.present.reading import Place

__all__ = ["ReachScreen", "bindings"]


class ReachScreen(BaseScreen):
    """A screen with the actions of *everywhere*. Subclasses add `do_<id>` for each action of their own table."""

    # Moving

    def do_down(self) -> None:
        self._move(lambda pane: pane.move(1))

    def do_up(self) -> None:
        self._move(lambda pane: pane.move(-1))

    def do_top(self) -> None:
        self._move(lambda pane: pane.go(0))

    def do_bottom(self) -> None:
        self._move(lambda pane: pane.go(len(pane.ids) - 1))

    def do_page_down(self) -> None:
        self._move(lambda pane: pane.page(1))

    def do_page_up(self) -> None:
        self._move(lambda pane: pane.page(-1))

    def do_right(self) -> None:
        self._move(lambda pane: pane.sideways(8))

    def do_left(self) -> None:
        self._move(lambda pane: pane.sideways(-8))

    def _move(self, how: Callable[[VirtualList], None]) -> None:
        if self.pane is not None:
            how(self.pane)

    def do_next_pane(self) -> None:
        self._turn(1)

    def do_prev_pane(self) -> None:
        self._turn(-1)

    def _turn(self, step: int) -> None:
        shown = [pane for pane in self.panes if pane.display]
        if shown:
            here = shown.index(self.pane) if self.pane in shown else 0
            shown[(here + step) % len(shown)].focus(scroll_visible=False)

    def focus_pane(self, number: int) -> None:
        """Focus pane `number` (from 1), leaving zoom."""
        panes = self.panes
        if number <= len(panes):
            if self.zoomed is not None:
                self.do_zoom()
            panes[number - 1].focus(scroll_visible=False)

    def do_pane_1(self) -> None:
        self.focus_pane(1)

    def do_pane_2(self) -> None:
        self.focus_pane(2)

    def do_pane_3(self) -> None:
        self.focus_pane(3)

    def do_back(self) -> None:
        if self.zoomed is not None:
            self.do_zoom()
        else:
            self.reach.pop_screen()

    def do_zoom(self) -> None:
        self.zoomed = None if self.zoomed is not None else self.pane
        self.set_class(self.zoomed is not None, "-zoomed")
        for pane in self.panes:
            pane.set_class(pane is self.zoomed, "-zoom")
        for box in self.query(Container):
            # A box with nothing left to show would still take its share.
            box.set_class(self.zoomed is not None and self.zoomed not in box.walk_children(), "hidden")

    def do_help(self) -> None:
        from reach_tui.tui.screens.help import HelpScreen

        self.reach.push_screen(HelpScreen(self.KIND))

    # Finding

    def do_find(self) -> None:
        self.ask_line("/", self.find, self._search, live=self.find_live)

    def find_live(self, text: str) -> None:
        """The search text while it is typed."""

    def find(self, text: str) -> None:
        """Search (or filter) for `text`; empty ends it."""
        self._search = text
        pane = self.pane
        if pane is None:
            return
        if not text:
            pane.needle = ""
        elif not pane.search(text, 1):
            self.say(f"nothing holds {text!r}", "warn")

    def do_find_next(self) -> None:
        self._again(1)

    def do_find_prev(self) -> None:
        self._again(-1)

    def _again(self, step: int) -> None:
        if not self._search:
            self.say("nothing searched yet: / searches", "dim")
        elif self.pane is not None and not self.pane.search(self._search, step):
            self.say(f"nothing holds {self._search!r}", "warn")

    def ask_line(
        self, prompt: str, then: Callable[[str], None], start: str = "", live: Callable[[str], None] | None = None
    ) -> None:
        """Ask for a line of text on the last line; `then` gets it, nothing happens on esc."""
        from reach_tui.tui.screens.prompt import LineScreen

        def done(text: str | None) -> None:
            if text is not None:
                then(text)

        self.reach.push_screen(LineScreen(prompt, start, live), done)

    def do_palette(self) -> None:
        from reach_tui.tui.screens.prompt import PaletteScreen

        self.reach.push_screen(PaletteScreen(self.KIND), self._chosen)

    def _chosen(self, choice: str | None) -> None:
        if not choice:
            return
        if choice.startswith("do:"):
            self.perform(choice[3:])
        elif choice.isdecimal():
            self.go_to_number(int(choice))
        else:
            self.reach.open_by_name(choice, self)

    def go_to_number(self, number: int) -> None:
        """`:17`: row 17 of the pane."""
        self._move(lambda pane: pane.go(number - 1))

    def got_place(self, place: Place) -> None:
        """What a typed name turned out to mean."""
        from reach_tui.tui.going import open_place

        open_place(self.reach, place)

    # Taking things out

    def value_here(self) -> str:
        """What `y` copies."""
        return self.pane.text_here() if self.pane is not None else ""

    def json_here(self) -> Any:
        """What `Y` copies."""
        return self.value_here()

    def link_here(self) -> str:
        """What `L` copies."""
        return ""

    def do_copy(self) -> None:
        self._copy(self.value_here())

    def do_copy_json(self) -> None:
        self._copy(json.dumps(self.json_here(), ensure_ascii=False, indent=2, default=str))

    def do_copy_link(self) -> None:
        self._copy(self.link_here())

    def _copy(self, text: str) -> None:
        from reach_tui.tui.outside import copy

        self.say(copy(self.reach, text) if text else "nothing here to copy", "dim")

    def do_pager(self) -> None:
        from reach_tui.tui.outside import page

        if self.pane is not None:
            problem = page(self.reach, self.pager_text())
            if problem:
                self.say(problem, "warn")

    def pager_text(self) -> str:
        """What `e` shows in the pager."""
        return "\n".join(self.pane.texts()) if self.pane is not None else ""

    # Triage

    def do_undo(self) -> None:
        self.reach.undo(self)
