"""Help: every key of the screen it was called from, read from the table of actions."""

from __future__ import annotations

from textual.app import ComposeResult

from reach_tui.present.cells import Column, Row
from reach_tui.present.language import phrase
from reach_tui.present.signs import legend
from reach_tui.tui import actions
from reach_tui.tui.screens.everywhere import ReachScreen, bindings
from reach_tui.tui.widgets.virtual_list import VirtualList


class HelpScreen(ReachScreen):
    """A list that can be searched; esc goes back."""

    KIND = "help"
    BINDINGS = bindings("help")

    def __init__(self, of: str) -> None:
        super().__init__()
        self.of = of
        self.rows = _rows(of)
        self.list = VirtualList((Column("key", 14), Column("what it does", 30, grow=1)), self.rows.__getitem__)

    def body(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.set_title((("help", "title"), (f"  keys of {self.of}", "dim")))
        self.list.set_ids(range(len(self.rows)))


def _rows(screen: str) -> list[Row]:
    rows: list[Row] = []
    where = ""
    for action in actions.table(screen):
        if action.where != where:
            where = action.where
            rows += [*([Row(("",))] if rows else ()), Row((((actions.TABLE_NAMES[where], "head"),),))]
        keys = action.shown
        rows.append(Row((((keys, "key"),), ((action.help, "text"),))))
    for family, signs in legend():
        rows += [Row(("",)), Row((((phrase("signs: {family}", family=family), "head"),),))]
        rows += [Row(((sign.piece,), ((phrase(sign.meaning), "text"),))) for sign in signs]
    return rows
