"""A line of text asked for at the foot of the screen, and the palette that runs any action by name."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from reach_tui.present.cells import Column, Row
from reach_tui.present.language import phrase
from reach_tui.tui import keys
from reach_tui.tui.navigation import LineQuestion, PaletteQuestion
from reach_tui.tui.screen import Modal
from reach_tui.tui.widgets.text_lines import TextLines
from reach_tui.tui.widgets.virtual_list import VirtualList


class LineScreen(Modal[str]):
    """One line at the foot; enter gives it, esc gives None."""

    CSS = """
    LineScreen { align: left bottom; }
    LineScreen Horizontal { height: 1; background: $panel; }
    LineScreen #ask { width: auto; min-width: 2; background: $panel; }
    LineScreen Input { width: 1fr; }
    """

    def __init__(self, asked: LineQuestion) -> None:
        super().__init__()
        self.prompt = TextLines(id="ask")
        self.prompt.show(((asked.prompt, "key"),))
        self.prompt.styles.width = len(asked.prompt) + 1
        self.input = Input(asked.start, select_on_focus=False, compact=True)
        self.live = asked.live
        self.was = asked.start

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

    def key_escape(self, event: events.Key) -> None:
        # A key that went on would reach the screen beneath, where esc leaves.
        event.stop()
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

    def __init__(self, asked: PaletteQuestion) -> None:
        super().__init__()
        self.actions = [a for a in keys.table(asked.of) if a.id not in ("palette", "down", "up", "left", "right")]
        self.by_id = {action.id: action for action in self.actions}
        self.list = VirtualList((Column("", 22), Column("", 8), Column("", 20, grow=1)), self._row)
        self.list.can_focus = False
        self.prompt = TextLines(id="ask")
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
        return Row((((phrase(action.label), "text"),), ((action.shown, "key"),), ((phrase(action.help), "dim"),)))

    def on_input_changed(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        # The source's words find an action too: its names are what documents in English speak of.
        texts = {a.id: f"{phrase(a.label)} {phrase(a.help)} {a.label} {a.help}".lower() for a in self.actions}
        self.list.set_ids([id for id, text in texts.items() if all(word in text for word in words)])
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

    def key_escape(self, event: events.Key) -> None:
        # A key that went on would reach the screen beneath, where esc leaves.
        event.stop()
        self.dismiss(None)
