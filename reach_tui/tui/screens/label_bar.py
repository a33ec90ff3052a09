"""The label bar: mode by number, owner by letter, enter saves with the step on screen."""

from __future__ import annotations

from textual.app import ComposeResult

from reach_tui.present.cells import Piece
from reach_tui.present.language import phrase
from reach_tui.present.layout import fit, width
from reach_tui.tui import keys
from reach_tui.tui.navigation import LabelChoice, LabelQuestion
from reach_tui.tui.screen import Modal, bindings
from reach_tui.tui.widgets.text_lines import TextLines


class LabelBar(Modal[LabelChoice]):
    """Three lines at the foot; the screen above stays in sight."""

    KIND = "label bar"
    BINDINGS = bindings("label bar")
    CSS = """
    LabelBar { align: left bottom; }
    LabelBar TextLines { height: 3; background: $panel; }
    """

    def __init__(self, asked: LabelQuestion) -> None:
        super().__init__()
        self.asked = asked
        self.mode: str | None = None
        self.owner: str | None = None
        self.line = TextLines()

    def compose(self) -> ComposeResult:
        yield self.line

    def on_mount(self) -> None:
        self._draw()

    def perform(self, id: str) -> None:
        kind, _, name = id.partition("_")
        if kind == "mode":
            self.mode = None if self.mode == name else name
        elif kind == "owner":
            self.owner = None if self.owner == name else name
        else:
            super().perform(id)
            return
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        lines: list[list[Piece]] = []
        for kind, chosen in (("mode", self.mode), ("owner", self.owner)):
            lines.append([(f" {fit(phrase(kind), 6)}", "head")])
            for action in keys.table(self.KIND):
                of, _, name = action.id.partition("_")
                if of == kind:
                    pair: list[Piece] = [
                        (action.shown, "key"),
                        (" ", ""),
                        (phrase(action.label), "lit" if chosen == name else "text"),
                    ]
                    if _width([*lines[-1], *pair]) > self.app.size.width - 1:
                        lines.append([(" " * 7, "")])
                    lines[-1] += [*pair, (" ", "")]
        auto = ", ".join(word for word in (self.asked.mode, self.asked.owner) if word)
        foot: list[Piece] = [
            (phrase(" enter"), "key"),
            (phrase(" save at step {step}  ", step=self.asked.step), "text"),
            (phrase("esc"), "key"),
            (phrase(" leave"), "text"),
        ]
        right: list[Piece] = [(phrase("automatic: {auto} ", auto=auto), "dim")] if auto else []
        self.line.styles.height = len(lines) + 1
        self.line.show_lines([*((line, ()) for line in lines), (foot, right)])

    def do_save(self) -> None:
        self.dismiss(LabelChoice(self.mode, self.owner))


def _width(pieces: list[Piece]) -> int:
    return sum(width(text) for text, _ in pieces)
