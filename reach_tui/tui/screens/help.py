"""Help: every key of the screen it was called from, read from the table of actions."""

from __future__ import annotations

from textual.app import ComposeResult

from reach_tui.present.cells import Column, Row
from reach_tui.present.language import phrase
from reach_tui.present.signs import legend
from reach_tui.tui import keys
from reach_tui.tui.navigation import HelpPlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.widgets.virtual_list import VirtualList


class HelpScreen(ReachScreen):
    """A list that can be searched; esc goes back."""

    KIND = "help"
    BINDINGS = bindings("help")

    def __init__(self, place: HelpPlace) -> None:
        super().__init__()
        self.of = place.of
        self.rows = _rows(place.of)
        self.list = VirtualList((Column("key", 14), Column("what it does", 30, grow=1)), self.rows.__getitem__)

    def body(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.set_title(((phrase("help"), "title"), (phrase("  keys of {of}", of=phrase(self.of)), "dim")))
        self.list.set_ids(range(len(self.rows)))


def _rows(screen: str) -> list[Row]:
    rows: list[Row] = []
    where = ""
    for action in keys.table(screen):
        if action.where != where:
            where = action.where
            rows += [*([Row(("",))] if rows else ()), Row((((phrase(keys.TABLE_NAMES[where]), "head"),),))]
        rows.append(Row((((action.shown, "key"),), ((phrase(action.help), "text"),))))
    for family, signs in legend():
        # In the second column: the first is as wide as a key, and these are sentences.
        rows += [Row(("",)), Row(("", ((phrase("signs: {family}", family=family), "head"),)))]
        rows += [Row(((sign.piece,), ((phrase(sign.meaning), "text"),))) for sign in signs]
    return rows
