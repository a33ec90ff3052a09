"""The timeline of a trial: a list where there is room, one line of marks where there is not."""

from __future__ import annotations

from textual import events
from textual.strip import Strip

from reach_tui.core.trajectory import REPLAYED, Step
from reach_tui.present.cells import Column, Piece, Row
from reach_tui.present.language import phrase
from reach_tui.present.layout import width as cells_of
from reach_tui.present.signs import SPEAKER, STEP, StepMark
from reach_tui.present.step_marks import StepMarks, written
from reach_tui.present.steps import summary
from reach_tui.tui.widgets.virtual_list import VirtualList

COLUMNS = (Column("step", 5, right=True), Column("", 1), Column("what", 16, grow=1), Column("at", 7, right=True))


class Timeline(VirtualList):
    """Steps by number. `set_steps` gives it what to draw; `as_strip` folds it into a line."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(COLUMNS, self._step_row, id=id)
        self.as_strip = True
        self.styles.overflow_y = "hidden"
        self._steps: tuple[Step, ...] = ()
        self._moments: StepMarks | None = None
        self._observed = False
        self._first = 1
        self._shown: list[tuple[int, int, int]] = []

    def set_steps(self, steps: tuple[Step, ...], moments: StepMarks, observed: bool = False) -> None:
        """Show these steps; the cursor stays at its step. `observed`: changes are what results showed, not writes."""
        self._steps, self._moments, self._observed = steps, moments, observed
        self.set_ids(range(1, len(steps) + 1))
        self.redraw()

    def fold(self, as_strip: bool) -> None:
        """Show the steps as a line of marks (True) or as a list."""
        if as_strip != self.as_strip:
            self.as_strip = as_strip
            self.styles.overflow_y = "hidden" if as_strip else "auto"
            self.redraw()

    def go(self, place: int) -> None:
        super().go(place)
        if self.as_strip:
            self.refresh()

    def _time(self, step: Step) -> str:
        return f"+{step.at_ms / 1000:.1f} s" if step.at_ms is not None else ""

    def _step_row(self, n: int) -> Row | None:
        if not 1 <= n <= len(self._steps) or self._moments is None:
            return None
        step = self._steps[n - 1]
        sign, role = self._moments.sign(n)
        pieces: list[Piece] = []
        if n in self._moments.milestones:
            pieces.append((f"{STEP['milestone'].sign} ", STEP["milestone"].role))
        if changed := len(written(step)):
            pieces.append((f"{STEP['write'].sign}{changed} ", STEP["write"].role))
        if step.flags & REPLAYED:
            pieces.append((phrase("replayed "), "faint"))
        failed = n in self._moments.failed
        pieces.append((summary(step), "bad" if failed else SPEAKER[step.kind].role))
        if step.kind == "call" and step.tool:
            name, rest = step.tool, pieces.pop()[0][len(step.tool) :]
            pieces += [(name, "bad" if failed else "text"), (rest, "dim")]
        at = f"{step.at_ms / 1000:.1f}" if step.at_ms is not None else ""
        return Row((((str(n), "dim"),), (SPEAKER[step.kind].piece,), tuple(pieces), ((at, "faint"),)), sign, role)

    def render_line(self, y: int) -> Strip:
        if not self.as_strip:
            return super().render_line(y)
        if y or self.cells < 1:
            return Strip.blank(self.cells, self._style("", ""))
        return self._strip(self._strip_pieces(self.cells), "")

    def _mark(self, n: int) -> Piece:
        assert self._moments is not None
        sign, role = self._moments.sign(n)
        return (sign, role) if sign != " " else STEP["write"].piece if written(self._steps[n - 1]) else (" ", "")

    def _legend(self) -> list[Piece]:
        """The signs of the line, the least needed last: where it is narrow they go first."""
        seen = phrase("state seen")
        words: tuple[tuple[StepMark, str], ...] = (
            ("decisive", phrase("decisive")), ("parting", phrase("parts")), ("error", phrase("error")),
            ("write", seen if self._observed else phrase("write")),
        )  # fmt: skip
        signs: list[Piece] = [(f"{STEP[mark].sign} {word}  ", STEP[mark].role) for mark, word in words]
        return [*signs, (phrase("[] cursor "), "dim")]

    def _strip_pieces(self, cells: int) -> list[Piece]:
        if not self._steps:
            return [(phrase(" no steps yet"), "dim")]
        here = int(str(self.cursor))
        time = f" {self._time(self._steps[here - 1])} "
        room = cells - cells_of(time) - 3
        fits = max(1, (room - 2) // 2)
        if len(self._steps) <= fits:
            self._first = 1
        elif not self._first + 1 < here < self._first + fits - 2:
            self._first = max(1, min(here - fits // 2, len(self._steps) - fits + 1))
        last = min(len(self._steps), self._first + fits - 1)
        pieces: list[Piece] = [("<" if self._first > 1 else " ", "dim")]
        x = 1
        self._shown = []
        for n in range(self._first, last + 1):
            step = self._steps[n - 1]
            letter, letter_role = SPEAKER[step.kind].piece
            mark = self._mark(n)
            if n == here:
                body: list[Piece] = [
                    ("[" + letter, "lit"),
                    *(((mark[0], "lit"),) if mark[0] != " " else ()),
                    ("]", "lit"),
                ]
            else:
                body = [(letter, letter_role), mark]
            size = sum(len(text) for text, _ in body)
            self._shown.append((x, x + size, n))
            x += size
            pieces += body
        pieces.append((">" if last < len(self._steps) else " ", "dim"))
        x += 1
        legend = self._legend()
        while legend and x + 2 + sum(cells_of(t) for t, _ in legend) > cells - cells_of(time):
            legend.pop()
        pieces.append(("  ", ""))
        pieces += legend
        x += 2 + sum(cells_of(t) for t, _ in legend)
        return [*pieces, (" " * max(0, cells - x - cells_of(time)), ""), (time, "dim")]

    def on_click(self, event: events.Click) -> None:
        # Textual runs the base class's handler too, unless told not to.
        if self.as_strip:
            event.prevent_default()
            for first, end, n in self._shown:
                if first <= event.x < end:
                    self.go(n - 1)
