"""Branch: one changed factor, everything filled in, the plan in sight before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.timer import Timer
from textual.widgets import Input, TextArea

from reach_tui.core.experiment import ExperimentPlan
from reach_tui.core.verdicts import PlaceboMode
from reach_tui.present import reading as queries
from reach_tui.present.agents import stand_in
from reach_tui.present.cells import Piece, Row
from reach_tui.present.language import phrase
from reach_tui.present.layout import wrap
from reach_tui.present.plan import plan_lines
from reach_tui.present.reasons import sentence
from reach_tui.tui.launching import start_branch
from reach_tui.tui.navigation import BranchPlace, ExperimentPlace
from reach_tui.tui.screen import bindings
from reach_tui.tui.screens.branch_texts import CONTEXT, FAULT, KINDS, MODEL, BranchTexts
from reach_tui.tui.widgets.choice import Choice
from reach_tui.tui.widgets.text_lines import TextLines
from reach_tui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from reach_tui.counterfactual.plan import BranchRequest

REST_SECONDS = 0.25


class BranchScreen(BranchTexts):
    """A form; its texts are drafts, kept by run and part."""

    KIND = "branch"
    BINDINGS = bindings("branch")
    CSS = """
    BranchScreen .row { height: 1; }
    BranchScreen .row TextLines { width: auto; }
    BranchScreen .row Input { width: 6; margin: 0 1 0 0; background: $surface; }
    BranchScreen #only, BranchScreen #model, BranchScreen #what { width: 1fr; }
    BranchScreen #texts { layout: horizontal; height: 1fr; }
    BranchScreen TextArea { border: none; padding: 0 1; height: 1fr; width: 1fr; background: $background; }
    BranchScreen TextArea:focus { border: none; background: $surface; }
    BranchScreen #other { width: 1fr; }
    BranchScreen #start { width: 10; }
    BranchScreen #plan { height: 2; }
    BranchScreen #warnings { height: auto; max-height: 4; }
    """

    def __init__(self, place: BranchPlace) -> None:
        super().__init__()
        self.run_id, self.asked_tool, self.marked = place.run_id, place.tool, tuple(place.tasks)
        self.base: queries.BranchBase | None = None
        self.plan: ExperimentPlan | None = None
        self.launching = False
        self.asked_for: BranchRequest | None = None
        self.planned_for: BranchRequest | None = None
        self.view, self.part, self.edited_of_part = "edited", "", ""
        self.starting = False
        self.timer: Timer | None = None
        self.lines: list[tuple[Piece, ...]] = []
        self.kind = Choice("change", KINDS, id="kind")
        self.what = Choice("of", ("-",), id="what")
        self.text = TextArea("", id="edit", soft_wrap=True, tab_behavior="focus", show_line_numbers=False)
        self.text_head = TextLines(id="head")
        self.other = VirtualList((), lambda n: Row((self.lines[n],)), id="other", classes="hidden")
        self.model = Input("", id="model", compact=True)
        which = (*(("marked",) if self.marked else ()), "failing", "all tried", "by expression")
        self.which = Choice("tasks", which, id="which")
        self.only = Input("", id="only", compact=True)
        self.repeat = Input("", id="repeat", type="integer", compact=True)
        self.passing = Input("", id="passing", type="integer", compact=True)
        self.placebo = Choice("placebo", ("auto", "on", "off"), id="placebo")
        self.start_button = Choice("", ("start",), id="start")
        self.plan_line = TextLines(id="plan")
        self.warning_lines: list[tuple[Piece, ...]] = []
        self.warnings = VirtualList((), lambda n: Row((self.warning_lines[n],)), id="warnings")

    @property
    def panes(self) -> Sequence[VirtualList]:
        return (self.other,)

    @property
    def waiting(self) -> bool:
        return self.timer is not None

    def body(self) -> ComposeResult:
        with Horizontal(classes="row"):
            yield self.kind
            yield self.what
            yield self.model
        yield self.text_head
        with Container(id="texts"):
            yield self.text
            yield self.other
        with Horizontal(classes="row"):
            yield self.which
            yield self.only
        with Horizontal(classes="row"):
            yield from self._labelled("repeats", self.repeat)
            yield from self._labelled("passing", self.passing)
            yield self.placebo
            yield self.start_button
        yield self.plan_line
        yield self.warnings

    def _labelled(self, label: str, field: Input) -> ComposeResult:
        line = TextLines()
        line.show(((f" {label}", "head"),))
        line.styles.width = len(label) + 2
        yield line
        yield field

    def on_mount(self) -> None:
        self.repeat.placeholder = self.passing.placeholder = "auto"
        self.warnings.can_focus = False
        self.set_title(((phrase("branch"), "title"), (phrase("  reading the run"), "dim")))
        self.plan_line.show((("  ", ""),))
        self._fields()
        self.ask("base", queries.branch_base, self.run_id)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._show_texts)
        self.call_after_refresh(self._draw_plan)

    # What it starts from

    def got_base(self, base: queries.BranchBase) -> None:
        self.base = base
        run = base.row
        label = stand_in(run.agent_label, run.measures)
        self.set_title(
            ((phrase("branch of "), "dim"), (run.name or run.uid, "title"), (phrase("  one factor changed"), "dim")),
            ((f" {run.model or ''}", "dim"), (f" {label}" if label else "", "warn")),
        )
        if not self.marked and not base.failing:
            self.which.index = self.which.options.index("all tried")
        if base.setup.faults:
            self.kind.offer([*KINDS, FAULT])
        self._offer()
        self.text.focus()

    def failed(self, key: str, error: str) -> None:
        self.plan = None
        self.plan_line.styles.height = 2
        first, *more = wrap(error, max(20, self.size.width - 2))
        role = "bad" if key == "base" else "warn"
        self.plan_line.show_lines([([(" ", ""), (line, role)], ()) for line in (first, *more[:1])])
        self.warning_lines = []
        self.warnings.set_ids(())
        if key == "base":
            self.set_title(((phrase("branch"), "title"), (phrase("  not possible"), "bad")))

    # Changes

    def on_choice_changed(self, message: Choice.Changed) -> None:
        if message.choice in (self.kind, self.what) and self.base is not None:
            if message.choice is self.kind:
                self._offer()
            else:
                self._load_text()
            others = self._changed_elsewhere()
            if others:
                self.say(
                    phrase(
                        "one factor a branch: the draft of {others} is kept for a second branch",
                        others=", ".join(others),
                    ),
                    "warn",
                )
        else:
            self._fields()
            self.replan()

    def on_text_area_changed(self, _: TextArea.Changed) -> None:
        self._edited()

    def on_input_changed(self, message: Input.Changed) -> None:
        # The others say which tasks and how often: no text of a part.
        self._edited() if message.input is self.model else self.replan()

    def _edited(self) -> None:
        if self.base is not None and self.part == self._part():
            self.edited_of_part = self.edited()
            self._keep_draft()
            self._show_texts()
            self.replan()

    def replan(self) -> None:
        if self.timer is not None:
            self.timer.stop()
        self.timer = self.set_timer(REST_SECONDS, self._ask_plan)

    def _ask_plan(self) -> None:
        self.timer = None
        if self.base is not None:
            self.asked_for = self.request()
            self.ask("plan", queries.branch_plan, self.asked_for)

    def request(self) -> BranchRequest:
        """What the form asks for."""
        from reach_tui.counterfactual.edits import (  # loaded by now: the reader read the run with it
            Context,
            Edit,
            FaultOff,
            Model,
            PartEdit,
        )
        from reach_tui.counterfactual.plan import BranchRequest

        assert self.base is not None
        edit: Edit = PartEdit(self._part(), self.edited())
        if self.kind.value == MODEL:
            edit = Model(self.edited())
        elif self.kind.value == CONTEXT:
            edit = Context(self.edited().strip())
        elif self.kind.value == FAULT:
            edit = FaultOff(self.what.value)
        which = self.which.value
        only = self.only.value.strip() if which == "by expression" else "*" if which == "all tried" else None
        return BranchRequest(
            parent=self.base.row.uid,
            edits=[edit],
            failing=which == "failing",
            only=only or None,
            keys=self.marked if which == "marked" else None,
            repeat=_number(self.repeat.value),
            passing=_number(self.passing.value),
            placebo=cast(PlaceboMode, self.placebo.value),
        )

    def got_plan(self, plan: ExperimentPlan) -> None:
        self.plan, self.planned_for = plan, self.asked_for
        self._draw_plan()
        cells = max(20, self.size.width - 4)
        warnings = (line for warning in plan.warnings for line in wrap(f"! {sentence(warning)}", cells))
        self.warning_lines = [((line, "warn"),) for line in warnings]
        self.warnings.set_ids(range(len(self.warning_lines)))
        self.warnings.styles.height = min(4, len(self.warning_lines))
        self.warnings.redraw()
        if self.starting:
            self.starting = False
            self._start(plan)

    def _draw_plan(self) -> None:
        if self.plan is not None:
            lines = plan_lines(self.plan, max(20, self.size.width - 2))
            self.plan_line.styles.height = len(lines)
            self.plan_line.show_lines([([(" ", ""), *line], ()) for line in lines])

    # Fields and starting

    def do_next_field(self) -> None:
        self.focus_next()

    def do_prev_field(self) -> None:
        self.focus_previous()

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter" and self.focused is self.start_button:
            event.stop()
            self.do_start()

    def do_start(self) -> None:
        if self.base is None:
            self.say(phrase("nothing to start: this run cannot be branched"), "warn")
        elif self.launching:
            return
        elif self.plan is not None and self.planned_for == self.request():
            # What starts is what is on screen: planned again, it would draw a seed and passing tasks of its own.
            self._start(self.plan)
        elif not self.starting:
            self.starting = True
            self.say(phrase("planning"), "dim")
            self._ask_plan()

    def on_answer(self, answer: Any) -> None:
        if answer.key == "plan" and answer.error and self.starting:
            self.starting = False
            self.say(phrase("not started"), "bad")
        super().on_answer(answer)

    def _start(self, plan: ExperimentPlan) -> None:
        self.launching = True
        start_branch(self, plan, self.started, self._refused)

    def _refused(self, why: str) -> None:
        self.launching = False
        self.say(why, "bad")

    def started(self, uid: str) -> None:
        """The experiment is stored and its process runs."""
        assert self.base is not None
        self.reach.drafts.pop((self.base.row.uid, self.part), None)
        self.reach.go(ExperimentPlace(uid, second=tuple(self._changed_elsewhere())), instead=True)


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None
