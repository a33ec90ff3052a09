"""Branch: one changed factor, everything filled in, the plan in sight before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.timer import Timer
from textual.widgets import Input, TextArea

from reach_tui.core import pointer as pointers
from reach_tui.core.text import width
from reach_tui.tui import queries
from reach_tui.tui.screens.base import ReachScreen, bindings
from reach_tui.tui.views.difference import difference_lines
from reach_tui.tui.views.plan_view import plan_lines
from reach_tui.tui.widgets.cells import Piece, Row
from reach_tui.tui.widgets.choice import Choice
from reach_tui.tui.widgets.one_line import OneLine
from reach_tui.tui.widgets.virtual_list import VirtualList
from reach_tui.tui.words import wrap

if TYPE_CHECKING:
    from reach_tui.counterfactual.plan import BranchRequest, ExperimentPlan

TOOL, PARAMETER, PROMPT, MODEL = "tool description", "parameter description", "prompt", "model"
KINDS = (TOOL, PARAMETER, PROMPT, MODEL)
VIEWS = ("edited", "difference", "original")
BESIDE = 140
REST_SECONDS = 0.25


class BranchScreen(ReachScreen):
    """A form. `tool` and `tasks` say what it was opened from; texts are drafts, kept by run and part."""

    KIND = "branch"
    BINDINGS = bindings("branch")
    CSS = """
    BranchScreen .row { height: 1; }
    BranchScreen .row OneLine { width: auto; }
    BranchScreen .row Input { width: 12; margin: 0 1 0 0; background: $surface; }
    BranchScreen #only { width: 1fr; }
    BranchScreen #texts { layout: horizontal; height: 1fr; }
    BranchScreen TextArea { border: none; padding: 0 1; height: 1fr; width: 1fr; background: $background; }
    BranchScreen TextArea:focus { border: none; background: $surface; }
    BranchScreen #other { width: 1fr; }
    BranchScreen #start { width: 12; }
    BranchScreen #plan { height: 2; }
    BranchScreen #warnings { height: auto; max-height: 4; }
    """

    def __init__(self, run_id: int, *, tool: str = "", tasks: Sequence[str] = (), seen_in: str = "") -> None:
        super().__init__()
        self.run_id, self.wanted_tool, self.marked, self.seen_in = run_id, tool, tuple(tasks), seen_in
        self.base: queries.BranchBase | None = None
        self.plan: ExperimentPlan | None = None
        self.view, self.part, self.edited_of_part = "edited", "", ""
        self.starting = False
        self.timer: Timer | None = None
        self.lines: list[tuple[Piece, ...]] = []
        self.kind = Choice("change", KINDS, id="kind")
        self.what = Choice("of", ("-",), id="what")
        self.text = TextArea("", id="edit", soft_wrap=True, tab_behavior="focus", show_line_numbers=False)
        self.text_head = OneLine(id="head")
        self.other = VirtualList((), lambda n: Row((self.lines[n],)), id="other", classes="hidden")
        self.model = Input("", id="model", compact=True)
        which = (*(("marked",) if tasks else ()), "failing", "all tried", "by expression")
        self.which = Choice("tasks", which, id="which")
        self.only = Input("", id="only", compact=True)
        self.repeat = Input("", id="repeat", type="integer", compact=True)
        self.passing = Input("", id="passing", type="integer", compact=True)
        self.placebo = Choice("placebo", ("auto", "on", "off"), id="placebo")
        self.start_button = Choice("", ("start",), id="start")
        self.plan_line = OneLine(id="plan")
        self.warning_lines: list[tuple[Piece, ...]] = []
        self.warnings = VirtualList((), lambda n: Row((self.warning_lines[n],)), id="warnings")

    @property
    def panes(self) -> Sequence[VirtualList]:
        return (self.other,)

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
        line = OneLine()
        line.show(((f" {label}", "head"),))
        line.styles.width = len(label) + 2
        yield line
        yield field

    def on_mount(self) -> None:
        self.repeat.placeholder = self.passing.placeholder = "auto"
        self.warnings.can_focus = False
        self.set_title((("branch", "title"), ("  reading the run", "dim")))
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
        self.set_title((("branch of ", "dim"), (run.name or run.uid, "title"), ("  one factor changed", "dim")),
                       ((f" {run.model or ''}", "dim"),))  # fmt: skip
        if not self.marked and not base.failing:
            self.which.index = self.which.options.index("all tried")
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
            self.set_title((("branch", "title"), ("  not possible", "bad")))

    def _offer(self) -> None:
        """The things of the chosen kind, the likeliest first chosen."""
        assert self.base is not None
        tools = self.base.setup.tools
        names = [tool.name for tool in tools]
        likely = next((name for name in (self.wanted_tool, self.base.tool) if name in names), names[0] if names else "")
        if self.kind.value == TOOL:
            self.what.offer(names, names.index(likely) if likely else 0)
        elif self.kind.value == PARAMETER:
            pairs = [f"{tool.name}.{name}" for tool in tools for name in tool.parameters.get("properties", {})]
            first = next((n for n, pair in enumerate(pairs) if pair.startswith(likely + ".")), 0)
            self.what.offer(pairs or ["-"], first)
        else:
            self.what.offer(["-"])
        self._fields()
        self._load_text()

    def _fields(self) -> None:
        kind = self.kind.value
        self.what.display = kind in (TOOL, PARAMETER)
        self.model.display = kind == MODEL
        self.text.display = kind != MODEL and (self.view == "edited" or self.size.width >= BESIDE)
        self.only.display = self.which.value == "by expression"

    def _part(self) -> str:
        """The name of the part that the form changes."""
        if self.kind.value == TOOL:
            return pointers.join(("tools", self.what.value, "description"))
        if self.kind.value == PARAMETER:
            tool, _, name = self.what.value.partition(".")
            return pointers.join(("tools", tool, "parameters", name, "description"))
        return "/prompt" if self.kind.value == PROMPT else "/model"

    def original(self) -> str:
        """The text as the run had it."""
        assert self.base is not None
        setup = self.base.setup
        if self.kind.value == MODEL:
            return str(setup.model.get("id") or "")
        return next((str(part.value) for part in setup.parts() if part.name == self._part()), "")

    def edited(self) -> str:
        """The text as it stands in the form."""
        return self.model.value if self.kind.value == MODEL else self.text.text

    # Drafts

    def _keep_draft(self) -> None:
        if self.base is not None and self.part:
            self.reach.drafts[(self.base.row.uid, self.part)] = self.edited_of_part

    def _load_text(self) -> None:
        assert self.base is not None
        self.part = self._part()
        text = self.reach.drafts.get((self.base.row.uid, self.part), self.original())
        self.edited_of_part = text
        if self.kind.value == MODEL:
            self.model.value = text
        else:
            self.text.load_text(text)
            self.text.move_cursor(self.text.document.end)
        self._show_texts()
        self._replan()

    def _changed_elsewhere(self) -> list[str]:
        """Other parts that have a draft which differs from the run: each a branch of its own."""
        assert self.base is not None
        parts = {part.name: part.value for part in self.base.setup.parts()}
        found = []
        for (uid, part), text in self.reach.drafts.items():
            before = parts.get(part)
            before = before.get("id") if isinstance(before, dict) else before
            if uid == self.base.row.uid and part != self.part and text != before:
                found.append(part)
        return found

    # Changes

    def on_choice_changed(self, message: Choice.Changed) -> None:
        if message.choice in (self.kind, self.what) and self.base is not None:
            if message.choice is self.kind:
                self._offer()
            else:
                self._load_text()
            others = self._changed_elsewhere()
            if others:
                self.say(f"one factor a branch: the draft of {', '.join(others)} is kept for a second branch", "warn")
        else:
            self._fields()
            self._replan()

    def on_text_area_changed(self, _: TextArea.Changed) -> None:
        self._edited()

    def on_input_changed(self, _: Input.Changed) -> None:
        self._edited()

    def _edited(self) -> None:
        if self.base is not None and self.part == self._part():
            self.edited_of_part = self.edited()
            self._keep_draft()
            self._show_texts()
            self._replan()

    def _replan(self) -> None:
        if self.timer is not None:
            self.timer.stop()
        self.timer = self.set_timer(REST_SECONDS, self._ask_plan)

    def _ask_plan(self) -> None:
        self.timer = None
        if self.base is not None:
            self.ask("plan", queries.branch_plan, self.request())

    def request(self) -> BranchRequest:
        """What the form asks for."""
        from reach_tui.counterfactual.edits import Model, Part
        from reach_tui.counterfactual.plan import BranchRequest

        assert self.base is not None
        edit = Model(self.edited()) if self.kind.value == MODEL else Part(self._part(), self.edited())
        which = self.which.value
        only = self.only.value.strip() if which == "by expression" else "*" if which == "all tried" else None
        return BranchRequest(
            parent=self.base.row.uid, edits=[edit], failing=which == "failing", only=only or None,
            keys=self.marked if which == "marked" else None, repeat=_number(self.repeat.value),
            passing=_number(self.passing.value), placebo=self.placebo.value,
        )  # fmt: skip

    def got_plan(self, plan: ExperimentPlan) -> None:
        self.plan = plan
        self._draw_plan()
        cells = max(20, self.size.width - 4)
        self.warning_lines = [((line, "warn"),) for one in plan.warnings for line in wrap(f"! {one}", cells)]
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

    # Texts

    def do_texts(self) -> None:
        wide = self.size.width >= BESIDE
        order = ("difference", "original") if wide else VIEWS
        self.view = order[(order.index(self.view) + 1) % len(order)] if self.view in order else order[0]
        self._show_texts()
        if self.view == "edited" and not wide:
            self.text.focus()
        elif not wide:
            self.other.focus()

    def _show_texts(self) -> None:
        if self.base is None:
            return
        wide = self.size.width >= BESIDE
        view = "difference" if wide and self.view == "edited" else self.view
        self._fields()
        self.other.set_class(view == "edited", "hidden")
        cells = max(20, (self.size.width // 2 if wide else self.size.width) - 4)
        before, after = self.original(), self.edited()
        if view == "difference":
            self.lines = difference_lines(before, after, cells)
        else:
            self.lines = [((line, "dim"),) for line in wrap(before, cells)]
        self.other.set_ids(range(len(self.lines)))
        self.other.redraw()
        name = "edited | " + view if wide else view
        changed = "unchanged" if before == after else f"{len(after) - len(before):+d} characters"
        head: list[Piece] = [(f"-{name} ", "focus"), (f"{self.part}  {changed} ", "dim")]
        used = sum(width(text) for text, _ in head)
        self.text_head.show([*head, ("-" * max(0, self.size.width - used), "faint")])

    def do_editor(self) -> None:
        from reach_tui.tui.outside import edit

        if self.base is None or self.kind.value == MODEL:
            return
        text, problem = edit(self.reach, self.text.text)
        if problem:
            self.say(problem, "warn")
        else:
            self.text.load_text(text.rstrip("\n") if not self.original().endswith("\n") else text)

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
            self.say("nothing to start: this run cannot be branched", "warn")
        elif not self.starting:
            self.starting = True
            self.say("planning", "dim")
            self._ask_plan()

    def on_answer(self, answer: Any) -> None:
        if answer.key == "plan" and answer.error and self.starting:
            self.starting = False
            self.say("not started", "bad")
        super().on_answer(answer)

    def _start(self, plan: ExperimentPlan) -> None:
        from reach_tui.tui.launching import start_branch

        start_branch(self, plan)

    def started(self, uid: str) -> None:
        """The experiment is stored and its process runs."""
        assert self.base is not None
        self.reach.drafts.pop((self.base.row.uid, self.part), None)
        left = self._changed_elsewhere()
        from reach_tui.tui.screens.experiment import ExperimentScreen

        self.reach.switch_screen(ExperimentScreen(uid, second=tuple(left)))


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None
