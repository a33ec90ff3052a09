"""Replay: timeline, step and state of one trial on screen together, at every size."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from reach_tui.core.grading import StateRow
from reach_tui.core.trajectory import Step
from reach_tui.grading import VIEWS
from reach_tui.present import opened
from reach_tui.present import reading as queries
from reach_tui.present import replay as replay_view
from reach_tui.present import state as state_view
from reach_tui.present import steps as step_view
from reach_tui.present.cells import Line, Row, plain
from reach_tui.present.explained import row_lines
from reach_tui.present.language import phrase
from reach_tui.present.step_marks import StepMarks, marks_of
from reach_tui.present.trial_text import replay_json
from reach_tui.present.values import shown
from reach_tui.store.replay import RawExchange
from reach_tui.tui.navigation import BranchPlace, SideBySidePlace, TrialPlace
from reach_tui.tui.screen import bindings
from reach_tui.tui.screens.stepping import Stepping
from reach_tui.tui.screens.timeline import Timeline
from reach_tui.tui.widgets.text_lines import TextLines
from reach_tui.tui.widgets.virtual_list import VirtualList

WIDE = 120


class ReplayScreen(Stepping):
    """One trial, at one step; J and K walk the list it was opened from."""

    KIND = "replay"
    BINDINGS = bindings("replay")
    CSS = """
    ReplayScreen #deck { layout: vertical; height: 1fr; }
    ReplayScreen #panes { layout: vertical; height: 1fr; width: 1fr; }
    ReplayScreen Timeline { height: 1; }
    ReplayScreen #step { height: 9fr; }
    ReplayScreen #state { height: 11fr; }
    ReplayScreen.-wide #deck { layout: horizontal; }
    ReplayScreen.-wide Timeline { height: 1fr; width: 46; }
    ReplayScreen.-huge Timeline { width: 64; }
    ReplayScreen.-wide #step { height: 1fr; }
    ReplayScreen.-wide #state { height: 1fr; }
    """

    def __init__(self, place: TrialPlace) -> None:
        super().__init__()
        self.trial_id, self.run_id, self.trail = place.trial_id, place.run_id, tuple(place.trail)
        self.loaded: opened.Loaded | None = None
        self.moments: StepMarks | None = None
        self.n = 0
        self.asked_step = place.step
        self.view = "differing"
        self.order, self.reverse = "table", False
        self.folded, self.raw = True, False
        self.exchanges: dict[int, RawExchange | None] = {}
        self.explained: tuple[StateRow, int] | None = None
        self.lines: list[Line] = []
        self.rows: list[StateRow] = []
        self.by_path: dict[str, StateRow] = {}
        self.timeline = Timeline(id="timeline")
        self.step = VirtualList((), self._line, id="step", empty="loading")
        self.state = VirtualList(state_view.COLUMNS, self._state_row, id="state")
        self.milestones = TextLines(id="milestones")

    def body(self) -> ComposeResult:
        with Container(id="deck"):
            yield self.timeline
            with Container(id="panes"):
                yield self.step
                yield self.state
        yield self.milestones

    def on_mount(self) -> None:
        self.set_title(((phrase("loading"), "dim"),))
        self.ask("loaded", opened.load, self.trial_id)

    def on_resize(self, event: events.Resize) -> None:
        wide = event.size.width >= WIDE
        self.set_class(wide, "-wide")
        self.set_class(event.size.width >= 180, "-huge")
        self.timeline.fold(not wide)

    def on_virtual_list_resized(self, message: VirtualList.Resized) -> None:
        if message.list is not self.timeline:
            self._show()

    def do_zoom(self) -> None:
        super().do_zoom()
        self.timeline.fold(self.size.width < WIDE and self.zoomed is not self.timeline)

    # Loading

    def show_trial(self, trial_id: int) -> None:
        """Show another trial in place of this one."""
        self.trial_id, self.asked_step, self.n = trial_id, None, 0
        self.explained = None
        self.exchanges.clear()
        self.ask("loaded", opened.load, trial_id)

    def got_loaded(self, loaded: opened.Loaded) -> None:
        self.loaded = loaded
        self.run_id = loaded.trial.row.start.run_id
        self.reach.reader.lively |= loaded.trial.row.grading.status == "running"
        self.moments = marks_of(loaded.trial)
        steps = loaded.trial.trajectory.steps
        self.timeline.set_steps(steps, self.moments, loaded.trial.row.start.state_kind == "observed")
        if not self.n:
            self.n = min(max(1, self.asked_step or self.moments.opening), max(1, len(steps)))
        self.timeline.go(self.n - 1)
        self._show()

    def store_changed(self) -> None:
        if self.loaded is not None and self.loaded.trial.row.grading.status == "running":
            self.exchanges.clear()
            self.ask("loaded", opened.load, self.trial_id)

    def labels_changed(self) -> None:
        self.ask("loaded", opened.load, self.trial_id)

    # Showing a step

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        if message.list is self.timeline and isinstance(message.id, int) and message.id != self.n:
            self.n = message.id
            self._show()
        elif message.list is self.state:
            self._head_state()

    def _show(self) -> None:
        if self.loaded is None or self.moments is None:
            return
        trial = self.loaded.trial
        self.set_title(*replay_view.title(trial, self.n, self.moments, self.title_room))
        step = self._step_here()
        self.step.heading = step_view.heading(step, len(trial.trajectory.steps), 2)
        self._show_lines(step)
        self._show_state()
        self.milestones.show(state_view.milestone_strip(trial.grading.milestones if trial.grading else (), self.n))

    def _show_lines(self, step: Step | None) -> None:
        if self.loaded is None or self.moments is None:
            return
        cells = max(20, self.step.cells - 1)
        if self.raw and step is not None:
            self.lines = self._raw_lines(step)
        else:
            fold = max(2, (self.step.size.height - 3) // 2) if self.folded else None
            self.lines = step_view.step_lines(self.loaded.trial, self.n, self.moments, cells, fold)
            self.lines = [*self._explanation(cells), *self.lines]
        self.step.set_ids(range(len(self.lines)))
        self.step.redraw()

    def _explanation(self, cells: int) -> list[Line]:
        """The state row that was opened, above the step that made it so and nowhere else."""
        table = self.loaded.table if self.loaded is not None else None
        if table is None or self.explained is None or self.explained[1] != self.n:
            return []
        return row_lines(table, self.explained[0], self.n, cells)

    def _raw_lines(self, step: Step) -> list[Line]:
        if step.turn not in self.exchanges:
            self.ask(
                "exchange",
                lambda store, id, turn: (turn, opened.raw_exchange(store, id, turn)),
                self.trial_id,
                step.turn,
            )
            return [((phrase("reading what the model was sent"), "dim"),)]
        return replay_view.raw_lines(self.exchanges[step.turn], step, max(20, self.step.cells - 2))

    def got_exchange(self, answer: tuple[int, RawExchange | None]) -> None:
        turn, exchange = answer
        self.exchanges[turn] = exchange
        self._show_lines(self._step_here())

    def _show_state(self) -> None:
        assert self.loaded is not None
        table = self.loaded.table
        rows = table.rows(self.n, self.view) if table is not None else []
        self.rows = state_view.sort_rows(rows, self.order, self.reverse)
        self.state.empty = replay_view.empty_state(self.loaded, self.view)
        self.state.columns = state_view.columns(self.state.cells)
        self.state.set_ids([row.path for row in self.rows])
        self.by_path = {row.path: row for row in self.rows}
        self.state.redraw()
        self._head_state()

    def _head_state(self) -> None:
        if self.loaded is None:
            return
        here = self.by_path.get(str(self.state.cursor))
        note = here.note if here is not None and self.state.cells < state_view.WITH_NOTES else ""
        self.state.heading = replay_view.state_heading(self.loaded, self.view, len(self.rows), self.order, self.n, note)

    def _step_here(self) -> Step | None:
        steps = self.loaded.trial.trajectory.steps if self.loaded else ()
        return steps[self.n - 1] if 1 <= self.n <= len(steps) else None

    def _line(self, n: int) -> Row:
        return Row((self.lines[n],)) if n < len(self.lines) else Row(("",))

    def _state_row(self, path: str) -> Row:
        return state_view.state_row(self.by_path[path], self.n)

    # Keys

    def do_open(self) -> None:
        if self.pane is self.state and self.state.cursor is not None:
            row = self.by_path[str(self.state.cursor)]
            self.explained = (row, row.since_step or self.n)
            self._show_lines(self._step_here())
            self.go_step(row.since_step or None, "so from the start: no step changed it")
        elif self.pane is self.step:
            self._refold()
        else:
            self.step.focus(scroll_visible=False)

    def _refold(self) -> None:
        self.folded = not self.folded
        self._show_lines(self._step_here())

    def do_next_view(self) -> None:
        if self.pane is self.step:
            self._refold()
        elif self.loaded is not None:
            self.view = VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)]
            self._show_state()

    def do_raw(self) -> None:
        self.raw = not self.raw
        self._show_lines(self._step_here())
        if self.raw:
            self.step.focus(scroll_visible=False)

    def do_sort(self) -> None:
        orders = state_view.ORDERS
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self._show_state()

    def do_sort_reverse(self) -> None:
        self.reverse = not self.reverse
        self._show_state()

    def do_trial_next(self) -> None:
        self._along(1)

    def do_trial_prev(self) -> None:
        self._along(-1)

    def _along(self, direction: int) -> None:
        place = self.trail.index(self.trial_id) + direction if self.trial_id in self.trail else -1
        if 0 <= place < len(self.trail):
            self.show_trial(self.trail[place])
        else:
            self.say(
                phrase("no further trial in the list") if self.trail else phrase("opened alone, not from a list"), "dim"
            )

    def do_next_failing(self) -> None:
        self.ask("failing_next", queries.failing, self.run_id)

    def do_prev_failing(self) -> None:
        self.ask("failing_prev", queries.failing, self.run_id)

    def got_failing_next(self, ids: tuple[int, ...]) -> None:
        self._failing(ids, 1)

    def got_failing_prev(self, ids: tuple[int, ...]) -> None:
        self._failing(ids, -1)

    def _failing(self, by_mode: tuple[int, ...], direction: int) -> None:
        """Go along the list that the trial was opened from; one that was opened alone goes by failure mode."""
        if not by_mode:
            self.say(phrase("no failing trial in this run"), "good")
            return
        failing = frozenset(by_mode)
        ids = [id for id in self.trail if id in failing] or list(by_mode)
        if self.trial_id in ids:
            place = ids.index(self.trial_id) + direction
        elif self.trial_id in self.trail:
            before = sum(id in failing for id in self.trail[: self.trail.index(self.trial_id)])
            place = before if direction > 0 else before - 1
        else:
            place = 0 if direction > 0 else len(ids) - 1
        if not 0 <= place < len(ids):
            self.say(
                phrase("that was the last failing trial")
                if direction > 0
                else phrase("that was the first failing trial"),
                "dim",
            )
        else:
            self.show_trial(ids[place])
            self.say(phrase("failing {place} of {n}", place=place + 1, n=len(ids)), "dim")

    def do_twin(self) -> None:
        if self.loaded is not None:
            row = self.loaded.trial.row
            self.ask("twin", queries.passing_twin, row.id, row.start.run_id, row.start.task_id)

    def got_twin(self, twins: queries.Twins | None) -> None:
        if twins is None:
            self.say(phrase("no passing repeat of this task yet"), "warn")
        else:
            self.reach.go(SideBySidePlace(twins, ("this", "passing")))

    def do_branch(self) -> None:
        step = self._step_here()
        self.reach.go(BranchPlace(self.run_id, tool=step.tool if step and step.tool else ""))

    # Taking things out

    def value_here(self) -> str:
        if self.pane is self.state and self.state.cursor is not None:
            return shown(self.by_path[str(self.state.cursor)].actual)
        step = self._step_here()
        return plain(Row((self.lines[self.step.rows.at],))) if self.pane is self.step else step.text if step else ""

    def json_here(self) -> Any:
        return replay_json(self.loaded, self.n, self.view) if self.loaded is not None else None

    def link_here(self) -> str:
        return f"{self.loaded.trial.row.link}@{self.n}" if self.loaded else ""
