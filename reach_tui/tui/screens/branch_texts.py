"""The texts of the branch form: which part is edited, its original, its draft, their difference."""

from __future__ import annotations

from textual.widgets import Input, TextArea

from reach_tui.core import pointer as pointers
from reach_tui.core.context import strategy_text
from reach_tui.present import reading as queries
from reach_tui.present.cells import Piece
from reach_tui.present.difference import difference_lines
from reach_tui.present.language import phrase
from reach_tui.present.layout import width, wrap
from reach_tui.present.values import shown
from reach_tui.tui.external_programs import edit
from reach_tui.tui.screen import ReachScreen
from reach_tui.tui.widgets.choice import Choice
from reach_tui.tui.widgets.text_lines import TextLines
from reach_tui.tui.widgets.virtual_list import VirtualList

TOOL, PARAMETER, PROMPT, MODEL = "tool description", "parameter description", "prompt", "model"
CONTEXT, FAULT = "context", "fault off"
KINDS = (TOOL, PARAMETER, PROMPT, MODEL, CONTEXT)
ONE_LINE = (MODEL, CONTEXT)
"""Kinds whose value is typed into one line."""
STRATEGIES = (
    "full: all that was said and done so far is sent at every turn.",
    "window:N: the prompt, the request, and the latest N messages.",
    "summary: the prompt, and one message with the request and a line for each thing that happened since.",
)
VIEWS = ("edited", "difference", "original")
BESIDE = 140
"""Columns from which original or difference stand beside the editor."""


class BranchTexts(ReachScreen):
    """One part at a time: its text as the run had it, and as it stands in the form. Drafts are kept by run and part."""

    base: queries.BranchBase | None
    asked_tool: str
    view: str
    part: str
    edited_of_part: str
    lines: list[tuple[Piece, ...]]
    kind: Choice
    what: Choice
    which: Choice
    text: TextArea
    text_head: TextLines
    other: VirtualList
    model: Input
    only: Input

    def replan(self) -> None:
        """The request changed: plan anew."""

    def _offer(self) -> None:
        """The things of the chosen kind, the likeliest first chosen."""
        assert self.base is not None
        tools = self.base.setup.tools
        names = [tool.name for tool in tools]
        likely = next((name for name in (self.asked_tool, self.base.tool) if name in names), names[0] if names else "")
        if self.kind.value == TOOL:
            self.what.offer(names, names.index(likely) if likely else 0)
        elif self.kind.value == PARAMETER:
            pairs = [f"{tool.name}.{name}" for tool in tools for name in tool.parameters.get("properties", {})]
            first = next((n for n, pair in enumerate(pairs) if pair.startswith(likely + ".")), 0)
            self.what.offer(pairs or ["-"], first)
        elif self.kind.value == FAULT:
            self.what.offer(list(self.base.setup.faults))
        else:
            self.what.offer(["-"])
        self._fields()
        self._load_text()

    def _fields(self) -> None:
        kind = self.kind.value
        self.what.display = kind in (TOOL, PARAMETER, FAULT)
        self.model.display = kind in ONE_LINE
        typed = kind not in (*ONE_LINE, FAULT)
        self.text.display = typed and (self.view == "edited" or self.size.width >= BESIDE)
        self.only.display = self.which.value == "by expression"

    def _part(self) -> str:
        """The name of the part that the form changes."""
        if self.kind.value == TOOL:
            return pointers.join(("tools", self.what.value, "description"))
        if self.kind.value == PARAMETER:
            tool, _, name = self.what.value.partition(".")
            return pointers.join(("tools", tool, "parameters", name, "description"))
        if self.kind.value == FAULT:
            return pointers.join(("faults", self.what.value))
        return {PROMPT: "/prompt", MODEL: "/model", CONTEXT: "/context"}[self.kind.value]

    def original(self) -> str:
        """The text as the run had it."""
        assert self.base is not None
        setup = self.base.setup
        if self.kind.value == MODEL:
            return str(setup.model.get("id") or "")
        if self.kind.value == CONTEXT:
            return strategy_text(setup.context)
        if self.kind.value == FAULT:
            return "\n".join(f"{name}: {shown(value)}" for name, value in setup.faults[self.what.value].items())
        return next((str(part.value) for part in setup.parts() if part.name == self._part()), "")

    def edited(self) -> str:
        """The text as it stands in the form."""
        if self.kind.value == FAULT:
            return ""
        return self.model.value if self.kind.value in ONE_LINE else self.text.text

    # Drafts

    def _keep_draft(self) -> None:
        if self.base is not None and self.part:
            self.reach.drafts[(self.base.row.uid, self.part)] = self.edited_of_part

    def _load_text(self) -> None:
        assert self.base is not None
        self.part = self._part()
        text = self.reach.drafts.get((self.base.row.uid, self.part), self.original())
        self.edited_of_part = text
        if self.kind.value in ONE_LINE:
            self.model.value = text
        elif self.kind.value != FAULT:
            self.text.load_text(text)
            self.text.move_cursor(self.text.document.end)
        self._show_texts()
        self.replan()

    def _changed_elsewhere(self) -> list[str]:
        """Other parts that have a draft which differs from the run: each a branch of its own."""
        assert self.base is not None
        setup = self.base.setup
        parts = {part.name: part.value for part in setup.parts()}
        parts |= {"/model": setup.model.get("id"), "/context": strategy_text(setup.context)}
        changed = []
        for (uid, part), text in self.reach.drafts.items():
            before = parts.get(part)
            if uid == self.base.row.uid and part != self.part and text != before:
                changed.append(part)
        return changed

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
        view = "difference" if (wide and self.view == "edited") or self.kind.value == FAULT else self.view
        if self.kind.value == CONTEXT:
            view = "original"
        self._fields()
        self.other.set_class(view == "edited", "hidden")
        cells = max(20, (self.size.width // 2 if wide else self.size.width) - 4)
        before, after = self.original(), self.edited()
        if view == "difference":
            self.lines = difference_lines(before, after, cells)
        elif self.kind.value == CONTEXT:
            self.lines = [((line, "dim"),) for words in STRATEGIES for line in wrap(phrase(words), cells)]
        else:
            self.lines = [((line, "dim"),) for line in wrap(before, cells)]
        self.other.set_ids(range(len(self.lines)))
        self.other.redraw()
        name = "edited | " + view if wide else view
        grown = f"{len(after) - len(before):+d}"
        changed = phrase("unchanged") if before == after else phrase("{n} characters", n=grown)
        if self.kind.value == FAULT:
            changed = phrase("taken away")
        elif self.kind.value in ONE_LINE and before != after:
            changed = f"{before} -> {after}"
        if self.kind.value == CONTEXT:
            name = phrase("strategies")
        head: list[Piece] = [(f"-{name} ", "focus"), (f"{self.part}  {changed} ", "dim")]
        used = sum(width(text) for text, _ in head)
        self.text_head.show([*head, ("-" * max(0, self.size.width - used), "faint")])

    def do_editor(self) -> None:
        if self.base is None or self.kind.value in (*ONE_LINE, FAULT):
            return
        text, problem = edit(self.app, self.text.text)
        if problem:
            self.say(problem, "warn")
        else:
            self.text.load_text(text.rstrip("\n") if not self.original().endswith("\n") else text)
