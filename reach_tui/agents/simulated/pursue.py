"""Goal after goal: conditions, tool, arguments; the first thing still to do is the next action."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reach_tui.agents.simulated.attempt import attempt
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.conditions import Cond
from reach_tui.agents.simulated.coverage import covered, follow_up, picks_from
from reach_tui.agents.simulated.directives import ANY, bans
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.mentions import same_noun
from reach_tui.agents.simulated.merging import clause_mark
from reach_tui.agents.simulated.parameters import ID, IDS
from reach_tui.agents.simulated.plan import ranked_for, shows_named, tool_for
from reach_tui.agents.simulated.report import (
    DONE,
    FORBIDDEN,
    FORGOTTEN,
    IMPOSSIBLE,
    NONE_FITS,
    PICKED,
    REFUSED,
    SKIPPED,
    UNKNOWN,
    UNMET,
    UNSUPPORTED,
    Report,
)  # fmt: skip
from reach_tui.agents.simulated.situation import Call, Situation, linked, mark_of, mentioned
from reach_tui.agents.simulated.steps import Act, Ask, Dead, Done
from reach_tui.agents.simulated.truth import truth

_LEFT_TO_TOOL = re.compile(
    r"期|天(?:之|以)?内|允许|符合|规定|还来得及|\b(?:within|window|eligible|allowed|policy|still|days?)\b",
    re.IGNORECASE,
)
_MOVES = re.compile("把|将(?!来|要)")


@dataclass(slots=True)
class Course:
    """How far the goals have come in this decision: reports of those behind, verdicts on conditions."""

    goals: tuple[Goal, ...]
    reports: list[Report] = field(default_factory=list)
    verdicts: dict[Cond, bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Confirm:
    """Ask the user's leave before a write, as the prompt orders."""

    tool: Tool
    args: Act


def pursue(situation: Situation, course: Course, goal: Goal) -> Report | Act | Ask | Confirm:
    """The next action for one goal, or its report if nothing is left to do."""
    if _forgotten(situation, course, goal):
        return Report(goal, FORGOTTEN)
    ranked = tool_for(situation, goal)
    verdict = _conditions(situation, course, goal)
    if not isinstance(verdict, bool):
        return Report(goal, UNKNOWN) if verdict is None else verdict
    if not verdict:
        return Report(goal, UNMET)
    if goal.asks:
        return _query(situation, course, goal)
    if ranked is None or (ranked.tool.reads and not goal.acts and _MOVES.search(goal.head)):
        return Report(goal, UNSUPPORTED)
    return _action(situation, goal, ranked.tool)


def _forgotten(situation: Situation, course: Course, goal: Goal) -> bool:
    """Outside memory, and a later goal was already worked on: then this one was too."""
    if not situation.view.cut:
        return False
    place = course.goals.index(goal)
    mine = tool_for(situation, goal)
    names = {mine.tool.name} if mine else set()
    called = [c for c in situation.calls if c.at > goal.turn]
    if any(c.name in names for c in called):
        return False
    for later in course.goals[place + 1 :]:
        other = tool_for(situation, later)
        if other and not later.asks and other.tool.name not in names and any(c.name == other.tool.name for c in called):
            return True
    return False


def _conditions(situation: Situation, course: Course, goal: Goal) -> bool | Act | Ask | None:
    for cond, wanted in goal.conds:
        if cond not in course.verdicts:
            if situation.chance("assume", cond.text) < situation.traits.haste and not goal.asks:
                course.verdicts[cond] = wanted
                continue
            situation.until = _first_write(situation, course, cond)
            found = truth(situation, cond, goal, course.reports)
            situation.until = None
            if isinstance(found, (Act, Ask)):
                return found
            course.verdicts[cond] = found
        verdict = course.verdicts[cond]
        if verdict is None and wanted and _LEFT_TO_TOOL.search(cond.text):
            continue
        if verdict is None:
            return None if wanted else True
        if verdict is not wanted:
            return False
    return True


def _first_write(situation: Situation, course: Course, cond: Cond) -> int | None:
    """Where the first write of the goals under a condition was made: what came after says nothing about it."""
    names = set()
    turn = 0
    for goal in course.goals:
        if any(one == cond for one, _ in goal.conds) and not goal.asks and (ranked := tool_for(situation, goal)):
            names.add(ranked.tool.name)
            turn = goal.turn
    return min(
        (c.at for c in situation.calls if c.name in names and c.at > turn and id(c) not in situation.spent),
        default=None,
    )


def _query(situation: Situation, course: Course, goal: Goal) -> Report | Act | Ask:
    picked = picks_from(situation, goal, course.reports)
    if picked:
        return Report(goal, PICKED, facts=picked)
    ranked = tool_for(situation, goal)
    asked = ranked is not None and any(
        c.name == ranked.tool.name and c.at > goal.turn and c.ok for c in situation.calls
    )
    known = () if asked else covered(situation, goal, course.reports)
    if known:
        return Report(goal, PICKED, facts=known)
    if ranked is None:
        return Report(goal, UNSUPPORTED)
    step = attempt(situation, ranked.tool, goal)
    if isinstance(step, Act):
        return step
    if isinstance(step, Ask) or (isinstance(step, Done) and step.ok and all(c.reading.empty for c in step.ok)):
        other = shows_named(situation, goal, ranked.tool)
        shown = attempt(situation, other, goal) if other is not None else None
        if isinstance(shown, Act):
            return shown
        if isinstance(shown, Done) and shown.ok and other is not None:
            return Report(goal, DONE, other, calls=shown.ok)
    if isinstance(step, Ask):
        return step
    if isinstance(step, Dead):
        return Report(goal, NONE_FITS if step.why == "none" else IMPOSSIBLE, ranked.tool, facts=_near(situation, goal))
    calls: tuple[Call, ...] = step.ok
    if situation.chance("useful", clause_mark(goal)) < situation.traits.check:
        more = follow_up(situation, goal, ranked.tool, step, ranked_for(situation, goal))
        if isinstance(more, Act):
            return more
        calls = (*calls, *more)
    if not calls:
        return Report(goal, REFUSED, ranked.tool, failed=step.failed, facts=_near(situation, goal))
    return Report(goal, DONE, ranked.tool, calls=calls, failed=step.failed)


def _near(situation: Situation, goal: Goal) -> tuple:  # type: ignore[type-arg]
    start = mentioned(goal.scope)
    return linked(situation, start)[1] if start else ()


def _action(situation: Situation, goal: Goal, tool: Tool) -> Report | Act | Ask | Confirm:
    if not tool.reads and bans(situation.directives.forbidden, tool.acts, tool.nouns):
        return Report(goal, FORBIDDEN, tool)
    if not tool.reads and situation.chance("haste", clause_mark(goal)) < situation.traits.haste:
        return Report(goal, SKIPPED, tool)
    situation.until = _own_first(situation, goal, tool)
    step = attempt(situation, tool, goal)
    situation.until = None
    if isinstance(step, Act) and step.tool == tool.name and not tool.reads:
        before = _look_first(situation, goal, tool, step)
        if before is not None:
            return before
        if situation.directives.ask and not _agreed(situation, goal):
            return Confirm(tool, step)
    if isinstance(step, (Act, Ask)):
        return step
    if isinstance(step, Dead):
        return Report(goal, NONE_FITS if step.why == "none" else IMPOSSIBLE, tool, facts=_near(situation, goal))
    for call in (*step.ok, *step.failed):
        situation.spent.add(id(call))
    if not step.ok:
        return Report(goal, REFUSED, tool, failed=step.failed, facts=_near(situation, goal))
    return Report(goal, DONE, tool, calls=step.ok, failed=step.failed)


def _own_first(situation: Situation, goal: Goal, tool: Tool) -> int | None:
    return min(
        (
            c.at
            for c in situation.calls
            if c.name == tool.name and c.at > goal.turn and c.ok and id(c) not in situation.spent
        ),
        default=None,
    )


def _look_first(situation: Situation, goal: Goal, tool: Tool, step: Act) -> Act | None:
    """A look at the record that the prompt demands before this write, if it was not taken yet."""
    for nouns, acts in situation.directives.first:
        if acts != (ANY,) and not set(acts) & set(tool.acts):
            continue
        for reader in situation.catalogue.tools:
            needed = reader.required
            if not reader.reads or len(needed) != 1 or needed[0].kind != ID or not same_noun(reader.nouns[:1], nouns):
                continue
            value = next(
                (
                    v
                    for k, v in step.args.items()
                    if (p := tool.param(k)) and p.kind == ID and same_noun(p.noun, needed[0].noun)
                ),
                None,
            )
            if value is None:
                continue
            args = {needed[0].name: value}
            mark = mark_of(reader.name, args)
            if any(c.mark == mark for c in situation.calls):
                break
            return Act(reader.name, args)
    return None


def _agreed(situation: Situation, goal: Goal) -> bool:
    """Whether the model asked and the user said yes since the goal was set."""
    asked = [
        at
        for at, text in situation.view.own
        if at > goal.turn and re.search(r"确认|confirm|go ahead|可以吗|shall i", text, re.IGNORECASE)
    ]
    if not asked:
        return False
    replies = [text for at, text in situation.view.users if at > asked[0]]
    return any(not re.match(r"^\W*(?:no\b|不|别|don)", text, re.IGNORECASE) for text in replies)


def look_ahead(situation: Situation, course: Course, rest: Sequence[Goal]) -> Ask | None:
    """What later goals will have to ask for: better asked before anything is written."""
    for goal in rest:
        if goal.asks or goal.conds:
            continue
        ranked = tool_for(situation, goal)
        if ranked is None or ranked.tool.reads:
            continue
        step = attempt(situation, ranked.tool, goal)
        if (
            isinstance(step, Ask)
            and not step.options
            and any(
                p.kind not in (ID, IDS) or not same_noun(p.noun, coming)
                for p in step.params
                for coming in situation.coming or [()]
            )
        ):
            return step
    return None
