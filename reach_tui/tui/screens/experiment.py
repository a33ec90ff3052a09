"""Experiment: live, then the verdict; every task of both arms beneath, side by side on enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult

from reach_tui.core.run import Arm
from reach_tui.present import experiment as view
from reach_tui.present import reading as queries
from reach_tui.present.cells import Piece, Row
from reach_tui.present.experiment_text import experiment_json
from reach_tui.present.language import phrase
from reach_tui.tui.keys import Action
from reach_tui.tui.navigation import BranchPlace, ExperimentPlace, RunPlace, SideBySidePlace, TrialPlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.stopping import LIVE, ask_to_stop
from reach_tui.tui.widgets.virtual_list import VirtualList


class ExperimentScreen(ReachScreen):
    """One experiment: its verdict so far, and a row for each task."""

    KIND = "experiment"
    BINDINGS = bindings("experiment")
    CSS = """
    ExperimentScreen #verdict { height: 12fr; }
    ExperimentScreen #tasks { height: 9fr; }
    """

    def __init__(self, place: ExperimentPlace) -> None:
        super().__init__()
        self.uid, self.second = place.uid, place.second
        self.detail: queries.ExperimentDetail | None = None
        self.lines: list[tuple[Piece, ...]] = []
        self.by_task: dict[str, view.TaskRow] = {}
        self.all_tasks = True
        self.verdict = VirtualList((), lambda n: Row((self.lines[n],)), id="verdict", empty="loading")
        self.tasks = VirtualList((), self._task_row, id="tasks", gap=1)

    def body(self) -> ComposeResult:
        yield self.verdict
        yield self.tasks

    def on_mount(self) -> None:
        self.set_title(((phrase("experiment"), "title"),))
        self._ask()
        if self.second:
            self.say(
                phrase("started; b starts a second branch with the draft of {drafts}", drafts=", ".join(self.second)),
                "warn",
            )

    def _ask(self) -> None:
        self.ask("detail", queries.experiment_detail, self.uid, self.reach.store)

    def on_virtual_list_resized(self, message: VirtualList.Resized) -> None:
        if message.list is self.verdict:
            self._show()

    def store_changed(self) -> None:
        self._ask()

    def got_detail(self, detail: queries.ExperimentDetail) -> None:
        self.detail = detail
        self.reach.reader.lively |= any(run.status == "running" for run in detail.runs)
        self._show()

    def _show(self) -> None:
        detail = self.detail
        if detail is None:
            return
        self.set_title(*view.title(detail, self.title_room))
        self.draw_last_line()
        self.lines = view.lines(detail, max(40, self.verdict.cells - 2))
        self.verdict.heading = (("[1] ", "head"), (phrase("verdict") if detail.result.verdict else phrase("live"), ""))
        self.verdict.set_ids(range(len(self.lines)))
        self.verdict.redraw()
        rows = view.task_rows(detail)
        shown = rows if self.all_tasks else [row for row in rows if row.fate in ("fixed", "broken")]
        self.by_task = {row.key: row for row in shown}
        fixed, broken = (sum(row.fate == fate for row in rows) for fate in ("fixed", "broken"))
        self.tasks.heading = (
            ("[2] ", "head"),
            (phrase("tasks {n} of {all}", n=len(shown), all=len(rows)), ""),
            (phrase(", fixed {fixed}, broken {broken}", fixed=fixed, broken=broken), "head"),
        )
        self.tasks.columns = view.columns(detail)
        self.tasks.empty = "no task flipped"
        self.tasks.set_ids([row.key for row in shown])
        self.tasks.redraw()

    def _task_row(self, key: str) -> Row:
        return view.task_row(self.by_task[key], self.tasks.columns)

    def hints(self) -> Sequence[Action]:
        live = self.detail is not None and any(run.status in LIVE for run in self.detail.runs)
        return [action for action in super().hints() if live or action.id != "stop"]

    # Keys

    def do_open(self) -> None:
        if self.pane is self.verdict:
            word = self.verdict.text_here().partition(" ")[0]
            run = next((run for run in self.detail.runs if run.arm == word), None) if self.detail else None
            if run is not None:
                self.reach.go(RunPlace(run.id, run))
            else:
                self.tasks.focus(scroll_visible=False)
            return
        row = self.by_task.get(str(self.tasks.cursor))
        if row is None:
            return
        control, branch = self._telling(row, "control"), self._telling(row, "branch")
        if control is None or branch is None:
            self.say(phrase("this task has no trial in one of the arms yet"), "dim")
        else:
            self.ask("sides", queries.two_trials, control, branch)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        if message.list is self.tasks:
            self.do_open()

    def _telling(self, row: view.TaskRow, arm: Arm) -> int | None:
        """The trial of an arm that shows best what became of the task, of the same repeat where possible."""
        trials = row.trials.get(arm, ())
        if row.fate in ("fixed", "broken"):
            status = "passed" if (row.fate == "fixed") == (arm == "branch") else "failed"
            telling = next((trial for trial in trials if trial.grading.status == status), None)
            if telling is not None:
                return telling.id
        return trials[0].id if trials else None

    def got_sides(self, twins: queries.Twins) -> None:
        self.reach.go(SideBySidePlace(twins, ("control", "branch")))

    def do_next_view(self) -> None:
        self.all_tasks = not self.all_tasks
        self._show()

    def do_next_failing(self) -> None:
        self._failing(1)

    def do_prev_failing(self) -> None:
        self._failing(-1)

    def _failing(self, direction: int) -> None:
        """Failing trials of the branch arm: what is left to do."""
        failing = [
            trial
            for row in self.by_task.values()
            for trial in row.trials.get("branch", ())
            if trial.grading.status in ("failed", "partial")
        ]
        if not failing:
            self.say(phrase("no failing trial in the branch"), "good")
        else:
            chosen = failing[0 if direction > 0 else -1]
            self.reach.go(TrialPlace(chosen.id, chosen.start.run_id, trail=[trial.id for trial in failing]))

    def do_branch(self) -> None:
        if self.detail is not None and self.detail.row.parent_run_id is not None:
            self.reach.go(BranchPlace(self.detail.row.parent_run_id))

    def do_stop(self) -> None:
        if self.detail is not None:
            ask_to_stop(self, self.detail.runs)

    def link_here(self) -> str:
        return self.uid

    def json_here(self) -> Any:
        detail = self.detail
        return experiment_json(self.uid, detail.row.plan, detail.result) if detail is not None else None
