"""Side by side: two trials of one task, aligned, the first divergence lit, and the states of both at that point."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import StateRow
from reach_tui.core.trajectory import Step
from reach_tui.grading import VIEWS
from reach_tui.present.alignment import Pair, align, first_divergence, unlike_results
from reach_tui.present.cells import Cell, Column, Piece, Row
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import wrap
from reach_tui.present.signs import PAIR, SPEAKER, STATE, STEP, TRIAL
from reach_tui.present.step_marks import written
from reach_tui.present.steps import block, summary
from reach_tui.present.values import shown
from reach_tui.tui.navigation import SideBySidePlace, TrialPlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.widgets.virtual_list import VirtualList


class SideBySideScreen(ReachScreen):
    """Steps in pairs, the two at the cursor in full, the states after them row by row."""

    KIND = "twins"
    BINDINGS = bindings("twins")
    CSS = """
    SideBySideScreen #pairs { height: 9fr; }
    SideBySideScreen #both { height: 5fr; }
    SideBySideScreen #states { height: 8fr; }
    """

    def __init__(self, place: SideBySidePlace) -> None:
        super().__init__()
        self.names = place.names
        self.sides = (place.twins.left, place.twins.right)
        self.steps = tuple(side.trial.trajectory.steps for side in self.sides)
        self.rows = align(*self.steps)
        self.divergence = first_divergence(self.rows, *self.steps)
        self.view = "differing"
        self.lines: list[tuple[Piece, ...]] = []
        self.states: dict[str, tuple[StateRow | None, StateRow | None]] = {}
        self.pairs = VirtualList((), self._pair, id="pairs")
        self.both = VirtualList((), lambda n: Row((self.lines[n],)), id="both")
        self.table = VirtualList((), self._state, id="states")

    def body(self) -> ComposeResult:
        with Container():
            yield self.pairs
            yield self.both
            yield self.table

    def on_mount(self) -> None:
        left, right = (side.trial.row for side in self.sides)
        title: list[Piece] = [(f"{left.task.key}  ", "title")]
        for name, row in zip(self.names, (left, right), strict=True):
            run = f"{row.run_uid} " if left.start.run_id != right.start.run_id else ""
            title += [(f"{name} ", "dim"), (f"{run}#{row.start.repeat} ", "text")]
            title += [(word(row.grading.status), TRIAL[row.grading.status].role), ("   ", "")]
        self.set_title(title)
        self.pairs.set_ids(range(len(self.rows)))
        at = self.divergence if self.divergence is not None else len(self.rows) - 1
        self.pairs.go(at)
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        half = max(20, (event.size.width - 12) // 2)
        self.pairs.columns = (
            Column("", 4, right=True), Column(self.names[0], half - 4, grow=1), Column("", 1),
            Column("", 4, right=True), Column(self.names[1], half - 4, grow=1),
        )  # fmt: skip
        self.table.columns = (
            Column("path", 20, grow=2, middle=True), Column("expected", 13, grow=1), Column(self.names[0], 13, grow=1),
            Column(self.names[1], 13, grow=1),
        )  # fmt: skip

    def on_virtual_list_resized(self, message: VirtualList.Resized) -> None:
        if message.list is self.both:
            self._show()

    def _pair(self, place: int) -> Row:
        pair = self.rows[place]
        lit = place == self.divergence
        middle = PAIR["parting"].piece if lit else PAIR["unlike"].piece if not pair.same else (" ", "")
        if pair.same and not lit and unlike_results(pair, *self.steps):
            middle = PAIR["other_result"].piece
        cells: list[Cell] = []
        for n, steps in zip((pair.left, pair.right), self.steps, strict=True):
            cells += self._side(n, steps, pair, lit)
        return Row((*cells[:2], (middle,), *cells[2:]), *(STEP["parting"].piece if lit else (" ", "")))

    def _side(self, n: int | None, steps: Sequence[Step], pair: Pair, lit: bool) -> list[Cell]:
        if n is None:
            return ["", (("", ""),)]
        step = steps[n - 1]
        role = "bad" if lit else "dim" if pair.same else "text"
        sign = STEP["error"] if step.ok is False else STEP["write"] if written(step) else None
        mark: Piece = (f" {sign.sign} ", sign.role) if sign else (" ", "")
        return [((str(n), "dim"),), (SPEAKER[step.kind].piece, mark, (summary(step), role))]

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        if message.list is self.pairs:
            self._show()

    def _here(self) -> tuple[int, int]:
        """The step of each side at the cursor: its own in that row, else the last before it."""
        left, right = 0, 0
        for pair in self.rows[: self.pairs.rows.at + 1]:
            left, right = pair.left or left, pair.right or right
        return left, right

    def _show(self) -> None:
        here = self._here()
        where = "the first divergence" if self.pairs.rows.at == self.divergence else "here"
        if self.divergence is None:
            where = "no divergence"
        self.pairs.heading = (("[1] ", "head"), (phrase("steps side by side"), ""), (f", {self._same()}", "head"))
        self.both.heading = (
            ("[2] ", "head"),
            (phrase("{where}: step {left} and step {right}", where=where, left=here[0], right=here[1]), ""),
        )
        self._show_both(here)
        self._show_states(here)

    def _same(self) -> str:
        if self.divergence is None:
            return "the same all along"
        return f"the same for {self.divergence} step{'' if self.divergence == 1 else 's'}, then apart"

    def _show_both(self, here: tuple[int, int]) -> None:
        cells = max(20, self.both.cells - 1)
        self.lines = []
        for name, n, steps in zip(self.names, here, self.steps, strict=True):
            if 1 <= n <= len(steps):
                step = steps[n - 1]
                self.lines += block(name, summary(step), cells, 2)
                if step.kind == "call" and step.text:
                    self.lines += block("", f"-> {step.text}", cells, 2, "bad" if step.ok is False else "dim")
        self.both.set_ids(range(len(self.lines)))
        self.both.redraw()

    def _show_states(self, here: tuple[int, int]) -> None:
        by_path: dict[str, list[StateRow | None]] = {}
        for side, (loaded, n) in enumerate(zip(self.sides, here, strict=True)):
            for row in loaded.table.rows(n, "all") if loaded.table is not None else ():
                by_path.setdefault(row.path, [None, None])[side] = row
        rows = {path: (pair[0], pair[1]) for path, pair in by_path.items()}
        if self.view != "all":
            rows = {path: pair for path, pair in rows.items() if _actual(pair[0]) != _actual(pair[1])}
        self.states = rows
        self.table.heading = (
            ("[3] ", "head"),
            (phrase("state: all {n}" if self.view == "all" else "state: unlike {n}", n=len(rows)), ""),
            (phrase(" of {n}, at step {left} and step {right}", n=len(by_path), left=here[0], right=here[1]), "head"),
        )
        self.table.empty = "both states are alike here"
        self.table.set_ids(list(rows))
        self.table.redraw()

    def _state(self, path: str) -> Row:
        left, right = self.states[path]
        expected = next((shown(row.expected) for row in (left, right) if row and row.expected is not ABSENT), "-")
        cells: list[Cell] = [((path, "text"),), ((expected, "text"),)]
        for row in (left, right):
            sign, role = STATE[row.status].piece if row else (" ", "dim")
            cells.append(((f"{sign} ", role), (_actual(row), role)))
        return Row(tuple(cells))

    # Keys

    def do_next_view(self) -> None:
        self.view = VIEWS[0] if self.view == "all" else "all"
        self._show()

    def do_open(self) -> None:
        row = self.sides[0].trial.row
        self.reach.go(TrialPlace(row.id, row.start.run_id, self._here()[0] or None))

    def go_to_number(self, number: int) -> None:
        place = next((p for p, pair in enumerate(self.rows) if pair.left == number), None)
        if place is not None:
            self.pairs.go(place)

    def link_here(self) -> str:
        return f"{self.sides[0].trial.row.link}@{self._here()[0]}"

    def pager_text(self) -> str:
        return "\n".join(line for text in (self.pane.texts() if self.pane else []) for line in wrap(text, 200))


def _actual(row: StateRow | None) -> str:
    return shown(row.actual) if row is not None else "-"
