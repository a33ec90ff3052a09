"""Moving along a trial: by step, by what is worth stopping at, by what a search finds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import StateRow
from reach_tui.present import opened
from reach_tui.present.cells import Line, Row, plain
from reach_tui.present.language import phrase
from reach_tui.present.replay import find_step
from reach_tui.present.step_marks import StepMarks, following
from reach_tui.present.values import shown
from reach_tui.tui.screens.timeline import Timeline
from reach_tui.tui.screens.trial_keys import TrialKeys
from reach_tui.tui.widgets.virtual_list import VirtualList


class Stepping(TrialKeys):
    """The motions of Replay. The timeline's cursor is the step; everything else follows it."""

    loaded: opened.Loaded | None
    moments: StepMarks | None
    n: int
    timeline: Timeline
    step: VirtualList
    state: VirtualList
    lines: list[Line]
    by_path: dict[str, StateRow]

    def go_step(self, n: int | None, nothing: str = "") -> None:
        """To step `n`; None says `nothing`."""
        if self.loaded is None:
            return
        if n is None:
            self.say(nothing, "dim")
            return
        self.timeline.go(n - 1)

    def do_step_next(self) -> None:
        self.timeline.move(1)

    def do_step_prev(self) -> None:
        self.timeline.move(-1)

    def do_first_step(self) -> None:
        self.timeline.go(0)

    def do_last_step(self) -> None:
        self.timeline.go(len(self.timeline.ids) - 1)

    def _to(self, places: Sequence[int], direction: int, what: str) -> None:
        more = "more " if places else ""
        self.go_step(following(sorted(places), self.n, direction), f"no {more}{what} this way")

    def do_divergence_next(self) -> None:
        self._to(self.moments.divergences if self.moments else (), 1, "divergence")

    def do_divergence_prev(self) -> None:
        self._to(self.moments.divergences if self.moments else (), -1, "divergence")

    def do_write_next(self) -> None:
        self._to(self.moments.writes if self.moments else (), 1, "writes")

    def do_write_prev(self) -> None:
        self._to(self.moments.writes if self.moments else (), -1, "writes")

    def do_deviation_next(self) -> None:
        self._to(tuple(self.moments.deviations) if self.moments else (), 1, "deviations")

    def do_deviation_prev(self) -> None:
        self._to(tuple(self.moments.deviations) if self.moments else (), -1, "deviations")

    def do_milestone_next(self) -> None:
        self._to(tuple(self.moments.milestones) if self.moments else (), 1, "milestones")

    def do_milestone_prev(self) -> None:
        self._to(tuple(self.moments.milestones) if self.moments else (), -1, "milestones")

    def go_to_number(self, number: int) -> None:
        self.go_step(max(1, min(number, len(self.timeline.ids))))

    # Searching goes over all steps, not over the lines on screen

    def find(self, text: str) -> None:
        self._search = text
        for pane in (self.timeline, self.step, self.state):
            pane.needle = text
        if text:
            self._again(1)

    def _again(self, step: int) -> None:
        if not self._search or self.loaded is None:
            self.say(phrase("nothing searched yet: / searches"), "dim")
            return
        hit = find_step(self.loaded.trial.trajectory.steps, self._search, self.n, step)
        self.go_step(hit, f"no step holds {self._search!r}")
        if hit == self.n:
            self.say(phrase("only this step holds {search}", search=repr(self._search)), "dim")

    def do_find_value(self) -> None:
        text = self._word_here()
        if not text:
            self.say(phrase("no value under the cursor"), "dim")
            return
        self.find(text)

    def _word_here(self) -> str:
        if self.pane is self.state and self.state.cursor is not None:
            row = self.by_path[str(self.state.cursor)]
            texts = [it for it in (row.actual, row.expected, row.claimed) if it is not ABSENT]
            return next((shown(it) for it in texts if len(shown(it)) > 1), "")
        text = plain(Row((self.lines[self.step.rows.at],))) if self.lines else ""
        quoted = re.findall(r'"([^"]{2,})"', text)
        named = re.findall(r"[A-Za-z]+[-_]?\d[\w-]*", text)
        return str((quoted or named or [text.strip()])[-1])
