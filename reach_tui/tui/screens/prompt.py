"""A line of text asked for at the foot of the screen, and the palette that runs any action by name."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from reach_tui.present.cells import Column, Row
from reach_tui.tui import actions
from reach_tui.tui.screens.keys import Modal
from reach_tui.tui.widgets.one_line import OneLine
from reach_tui.tui.widgets.virtual_list import VirtualList


class LineScreen(Modal[str]):
    """One line at the foot; enter gives it, esc gives None. `live` hears every change."""

    CSS = """
    LineScreen { align: left bottom; }
    LineScreen Horizontal { height: 1; background: $panel; }
    LineScreen #ask { width: auto; min-width: 2; background: $panel; }
    LineScreen Input { width: 1fr; }
    """

    def __init__(self, ask: str, start: str = "", live: Callable[[str], None] | None = None) -> None:
        super().__init__()
        self.prompt = OneLine(id="ask")
        self.prompt.show(((ask, "key"),))
        self.prompt.styles.width = len(ask) + 1
        self.input = Input(start, select_on_focus=False, compact=True)
        self.live = live
        self.was = start

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self.prompt
            yield self.input

    def on_mount(self) -> None:
        self.input.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.live is not None and event.value != self.was:
            self.was = event.value
            self.live(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def key_escape(self) -> None:
        self.dismiss(None)


class PaletteScreen(Modal[str]):
    """Type a word to find an action, a number to go to, or the name of a run or trial to open."""

    CSS = """
    PaletteScreen { align: left bottom; }
    PaletteScreen Vertical { height: auto; max-height: 14; background: $panel; }
    PaletteScreen VirtualList { height: 9; background: $panel; scrollbar-background: $panel; }
    PaletteScreen Horizontal { height: 1; }
    PaletteScreen #ask { width: 2; background: $panel; }
    PaletteScreen Input { width: 1fr; }
    """

    def __init__(self, screen: str) -> None:
        super().__init__()
        self.actions = [a for a in actions.table(screen) if a.id not in ("palette", "down", "up", "left", "right")]
        self.by_id = {action.id: action for action in self.actions}
        self.list = VirtualList((Column("", 22), Column("", 8), Column("", 20, grow=1)), self._row)
        self.list.can_focus = False
        self.prompt = OneLine(id="ask")
        self.prompt.show(((":", "key"),))
        self.input = Input(select_on_focus=False, compact=True)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.list
            with Horizontal():
                yield self.prompt
                yield self.input

    def on_mount(self) -> None:
        self.list.set_ids([action.id for action in self.actions])
        self.input.focus()

    def _row(self, id: str) -> Row:
        action = self.by_id[id]
        return Row((((action.label, "text"),), ((action.shown, "key"),), ((action.help, "dim"),)))

    def on_input_changed(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        found = [a.id for a in self.actions if all(word in f"{a.label} {a.help}".lower() for word in words)]
        self.list.set_ids(found)
        self.list.go(0)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("down", "up"):
            self.list.move(1 if event.key == "down" else -1)
            event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if text.isdecimal() or not self.list.ids:
            self.dismiss(text or None)
        else:
            self.dismiss(f"do:{self.list.cursor}")

    def key_escape(self) -> None:
        self.dismiss(None)
