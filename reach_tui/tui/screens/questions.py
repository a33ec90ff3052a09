"""Questions that wait for a yes or a no."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from reach_tui.present.cells import Row
from reach_tui.present.layout import wrap
from reach_tui.tui import actions
from reach_tui.tui.screens.keys import Modal, bindings, fitting_hints
from reach_tui.tui.widgets.one_line import OneLine
from reach_tui.tui.widgets.virtual_list import VirtualList


class ConfirmScreen(Modal[bool]):
    """A question in words, at the foot of the screen; long ones scroll. True for yes."""

    KIND = "question"
    BINDINGS = bindings("question")
    CSS = """
    ConfirmScreen { align: left bottom; }
    ConfirmScreen Vertical { height: auto; max-height: 100%; background: $panel; padding: 0 0 0 0; }
    ConfirmScreen VirtualList { background: $panel; scrollbar-background: $panel; max-height: 12; }
    ConfirmScreen OneLine { background: $panel; }
    """

    def __init__(self, question: str, details: Sequence[str] = ()) -> None:
        super().__init__()
        self.question, self.details = question, details
        self.lines: list[Row] = []
        self.list = VirtualList((), lambda n: self.lines[n])
        self.foot = OneLine()

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.list
            yield self.foot

    def on_mount(self) -> None:
        self.list.focus()
        self._lay()

    def on_resize(self) -> None:
        self._lay()

    def _lay(self) -> None:
        cells = max(10, self.app.size.width - 3)
        self.lines = [Row((((line, "warn"),),)) for line in wrap(self.question, cells)]
        self.lines += [Row((((line, "text"),),)) for detail in self.details for line in wrap(detail, cells)]
        self.list.styles.height = min(len(self.lines), max(1, self.app.size.height - 3))
        self.list.set_ids(range(len(self.lines)))
        self.foot.show(fitting_hints(actions.hints(self.KIND), self.app.size.width))

    def do_yes(self) -> None:
        self.dismiss(True)

    def do_no(self) -> None:
        self.dismiss(False)
