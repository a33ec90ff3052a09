"""Run: one run in tabs. Overview says how it went, Trials holds every trial, grouped by task or one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult

from reach_tui.present import overview
from reach_tui.present import reading as queries
from reach_tui.present import trials as trial_row
from reach_tui.present.agents import stand_in
from reach_tui.present.cells import Piece, Row
from reach_tui.present.groups import TaskGroup, by_task, matches
from reach_tui.present.language import phrase, word
from reach_tui.present.numbers import share
from reach_tui.present.run_text import run_json
from reach_tui.present.trial_text import trial_json
from reach_tui.store.trial_rows import TrialRow
from reach_tui.tui.navigation import BranchPlace, ExperimentPlace, RunPlace, TrialPlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.widgets.text_lines import TextLines
from reach_tui.tui.widgets.virtual_list import VirtualList

OVERVIEW, TRIALS = 1, 2
TABS = ((OVERVIEW, "Overview"), (TRIALS, "Trials"))
VIEWS = ("tasks", "trials")


class RunScreen(ReachScreen):
    """One run. Rows of tasks are `t<task id>`, rows of trials their ids."""

    KIND = "run"
    BINDINGS = bindings("run")

    def __init__(self, place: RunPlace) -> None:
        super().__init__()
        self.run_id, self.row = place.run_id, place.row
        self.detail: queries.RunDetail | None = None
        self.tab, self.view, self.order, self.reverse, self.filter = OVERVIEW, "tasks", "suite", False, ""
        self.lines: list[overview.OverviewLine] = []
        self.groups: dict[str, TaskGroup] = {}
        self.by_id: dict[int, TrialRow] = {}
        self.tabs = TextLines(id="tabs")
        self.overview = VirtualList((), self._line, id="overview", empty="loading")
        self.trials = VirtualList(trial_row.TASKS_NARROW, self._trial, id="trials", classes="hidden", gap=1)

    def body(self) -> ComposeResult:
        yield self.tabs
        yield self.overview
        yield self.trials

    def on_mount(self) -> None:
        self._title()
        self.ask("detail", queries.run_detail, self.run_id)

    def on_resize(self, event: events.Resize) -> None:
        self.trials.columns = trial_row.columns(self.view, event.size.width)

    def on_virtual_list_resized(self, message: VirtualList.Resized) -> None:
        if message.list is self.overview:
            self._draw_overview()

    def _title(self) -> None:
        run = self.row
        if run is None:
            self.set_title(((phrase("run"), "title"),))
            return
        left: list[Piece] = [
            (run.name or run.uid, "title"),
            (f"  {run.status}", "accent" if run.status == "running" else "dim"),
        ]
        left += (
            [(phrase("  {share} majority", share=share(run.totals.reach_majority)), "text")]
            if run.totals.reach_majority is not None
            else []
        )
        if run.factor:
            left.append((phrase("  {factor} changed", factor=word(run.factor)), "warn"))
        if self.detail is not None and self.detail.parent is not None:
            left.append((phrase("  of {name}", name=self.detail.parent.name), "dim"))
        right: list[Piece] = [(f" {run.model or run.agent_kind or ''}", "dim")]
        label = stand_in(run.agent_label, run.measures)
        right += [(f" {label}", "warn")] if label else []
        self.set_title(left, right)

    def _draw_tabs(self) -> None:
        pieces: list[Piece] = [(" ", "")]
        for number, name in TABS:
            pieces += [(f" {number} {name} ", "lit" if number == self.tab else "dim"), (" ", "")]
        words = []
        if self.tab == TRIALS:
            count = len(self.trials.ids)
            words = [f"{count} {self.view if count != 1 else self.view[:-1]}"]
            words += [f"filter {self.filter}"] if self.filter else []
            words += (
                [f"by {self.order}{' reversed' if self.reverse else ''}"]
                if self.order != "suite" or self.reverse
                else []
            )
            words += [f"{len(self.trials.marks)} marked"] if self.trials.marks else []
        self.tabs.show(pieces, (("  ".join(words) + " ", "dim"),))

    # Data

    def got_detail(self, detail: queries.RunDetail | None) -> None:
        if detail is None:
            self.say(phrase("this run is not in the store any more"), "bad")
            return
        self.detail, self.row = detail, detail.item.row
        self.reach.reader.lively |= self.row.status == "running"
        self.by_id = {trial.id: trial for trial in detail.trials}
        self._title()
        self._draw_overview()
        self._arrange()

    def store_changed(self) -> None:
        self.ask("detail", queries.run_detail, self.run_id)

    def labels_changed(self) -> None:
        self.store_changed()

    def _draw_overview(self) -> None:
        if self.detail is not None:
            self.lines = overview.lines(self.detail, max(40, self.overview.cells - 1))
            self.overview.set_ids(range(len(self.lines)))
            self.overview.redraw()

    def _arrange(self) -> None:
        if self.detail is None:
            return
        words = self.filter.split()
        shown = [trial for trial in self.detail.trials if matches(trial, words)]
        groups = by_task(shown)
        if words:
            # A task that matches shows all its repeats: a strip of some of them would mislead.
            matching = {group.task_id for group in groups}
            groups = by_task(trial for trial in self.detail.trials if trial.start.task_id in matching)
        groups.sort(key=trial_row.TASK_ORDERS[self.order])
        if self.reverse:
            groups.reverse()
        self.groups = {f"t{group.task_id}": group for group in groups}
        ids: Sequence[Any] = list(self.groups)
        if self.view == "trials":
            places = {group.task_id: n for n, group in enumerate(groups)}
            rows = [trial for trial in shown if trial.start.task_id in places]
            ids = [t.id for t in sorted(rows, key=lambda t: (places[t.start.task_id], t.start.repeat, t.start.attempt))]
        self.trials.columns = trial_row.columns(self.view, self.size.width)
        self.trials.empty = "no trial matches this filter" if words else "no trials yet"
        self.trials.set_ids(ids)
        self.trials.redraw()
        self._draw_tabs()

    def _line(self, n: int) -> Row:
        return Row((self.lines[n].pieces,)) if n < len(self.lines) else Row(("",))

    def _trial(self, id: Any) -> Row | None:
        if isinstance(id, str):
            return trial_row.task_row(self.groups[id], self.trials.columns) if id in self.groups else None
        return trial_row.trial_row(self.by_id[id], self.trials.columns) if id in self.by_id else None

    # Tabs

    def show_tab(self, tab: int) -> None:
        """Show a tab and give it the focus."""
        self.tab = tab
        pane = self.overview if tab == OVERVIEW else self.trials
        self.overview.set_class(tab != OVERVIEW, "hidden")
        self.trials.set_class(tab != TRIALS, "hidden")
        pane.focus(scroll_visible=False)
        self._draw_tabs()

    def focus_pane(self, number: int) -> None:
        self.show_tab(number)

    def do_next_pane(self) -> None:
        self.show_tab(TRIALS if self.tab == OVERVIEW else OVERVIEW)

    def do_prev_pane(self) -> None:
        self.do_next_pane()

    def do_zoom(self) -> None:
        self.say(phrase("a tab has the whole screen already"), "dim")

    # Keys

    def do_open(self) -> None:
        if self.tab == OVERVIEW:
            at = self.overview.cursor
            filter = self.lines[at].filter if isinstance(at, int) and at < len(self.lines) else ""
            if filter.startswith(overview.EXPERIMENT):
                self.reach.go(ExperimentPlace(filter.removeprefix(overview.EXPERIMENT)))
                return
            if filter:
                self.filter = self._search = filter
                self._arrange()
            self.show_tab(TRIALS)
            return
        trials = self._trials_here()
        if trials:
            first = next((t for t in trials if t.grading.status in ("failed", "partial")), trials[0])
            self.reach.go(TrialPlace(first.id, self.run_id, trail=self._trail()))

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.do_open()

    def _trials_here(self) -> Sequence[TrialRow]:
        id = self.trials.cursor
        if isinstance(id, str):
            return self.groups[id].trials
        return [self.by_id[id]] if isinstance(id, int) and id in self.by_id else []

    def _trail(self) -> list[int]:
        """All trials in the order of the list: what J and K walk."""
        trail: list[int] = []
        for id in self.trials.ids:
            trail += (
                [t.id for t in self.groups[id].trials] if isinstance(id, str) else [id] if isinstance(id, int) else []
            )
        return trail

    def do_next_view(self) -> None:
        self.view = VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)]
        self.show_tab(TRIALS)
        self._arrange()

    def find(self, text: str) -> None:
        if self.tab == OVERVIEW:
            super().find(text)
        else:
            self.filter = self._search = text.strip()
            self._arrange()

    def do_back(self) -> None:
        if self.tab == TRIALS and self.filter:
            self.filter = self._search = ""
            self._arrange()
        else:
            super().do_back()

    def do_sort(self) -> None:
        orders = list(trial_row.TASK_ORDERS)
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.show_tab(TRIALS)
        self._arrange()

    def do_sort_reverse(self) -> None:
        self.reverse = not self.reverse
        self._arrange()

    def do_mark(self) -> None:
        if self.tab == TRIALS:
            self.trials.mark()
            self._draw_tabs()

    def do_branch(self) -> None:
        marked = [id for id in self.trials.ids if id in self.trials.marks]
        keys = [self.groups[id].key if isinstance(id, str) else self.by_id[id].task.key for id in marked]  # type: ignore[index]
        self.reach.go(BranchPlace(self.run_id, tasks=tuple(dict.fromkeys(keys))))

    def do_next_failing(self) -> None:
        self._failing(1)

    def do_prev_failing(self) -> None:
        self._failing(-1)

    def _failing(self, direction: int) -> None:
        """Open the nearest failing trial from the cursor on, in the order of the list."""
        trail = self._trail()
        failing = [id for id in trail if self.by_id[id].grading.status in ("failed", "partial")]
        if not failing:
            self.say(phrase("no failing trial here"), "good")
            return
        here = [trail.index(trial.id) for trial in self._trials_here()] if self.tab == TRIALS else []
        start = min(here) if here else 0
        after = [id for id in failing if trail.index(id) >= start]
        chosen = (after or failing)[0] if direction > 0 else ([id for id in failing if id not in after] or failing)[-1]
        self.reach.go(TrialPlace(chosen, self.run_id, trail=failing))

    def link_here(self) -> str:
        trials = self._trials_here() if self.tab == TRIALS else []
        return trials[0].link if trials else self.row.uid if self.row else ""

    def json_here(self) -> Any:
        trials = self._trials_here() if self.tab == TRIALS else []
        return [trial_json(trial) for trial in trials] if trials else run_json(self.row) if self.row else None
