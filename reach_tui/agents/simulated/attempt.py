"""One tool towards one goal: fill it, make the calls still open, and act on what errors say."""

from __future__ import annotations

from dataclasses import replace

from reach_tui.agents.simulated import errors
from reach_tui.agents.simulated import parameters as kinds
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.fill import fill
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.situation import Call, Situation, mark_of
from reach_tui.agents.simulated.slips import slip
from reach_tui.agents.simulated.steps import Act, Ask, Dead, Done, Filled, Hints

PATIENCE = 3
"""How often a passing error (timeout, busy) is tried again by a model that reads it."""


def attempt(situation: Situation, tool: Tool, goal: Goal, depth: int = 0) -> Act | Ask | Dead | Done:
    """The next call of `tool` for `goal`, or what has come of all of them."""
    mine = [
        c
        for c in situation.calls
        if c.name == tool.name and (tool.reads or c.at > goal.turn) and id(c) not in situation.spent
    ]
    failed = [c for c in mine if not c.ok and c.at > goal.turn]
    hints = Hints()
    for call in failed:
        reads_error = situation.chance("repair", tool.name, call.mark) < situation.traits.repair
        tries = sum(1 for c in failed if c.mark == call.mark)
        if any(c.ok and c.mark == call.mark for c in mine):
            continue
        kind = errors.kind_of(call.reading.error or "")
        limit = PATIENCE if reads_error and kind == errors.PASSING else 0 if reads_error else situation.traits.stubborn
        if tries <= limit and call.mark == failed[-1].mark:
            return Act(tool.name, call.args)
        if reads_error:
            hints = _learn(hints, kind, tool, call)
    for call in mine:
        if (
            tool.reads
            and call.ok
            and call.reading.empty
            and situation.chance("repair", tool.name, call.mark) < situation.traits.repair
        ):
            hints = _learn_empty(hints, tool, call)
    filled = fill(situation, tool, goal, hints, depth, attempt)
    if not isinstance(filled, Filled):
        return _blocked(filled, failed, mine, tool)
    return _make(situation, tool, goal, filled, hints, mine, failed)


def _make(
    situation: Situation, tool: Tool, goal: Goal, filled: Filled, hints: Hints, mine: list[Call], failed: list[Call]
) -> Act | Ask | Dead | Done:
    first = min((c.at for c in mine if c.at > goal.turn), default=None)
    ok: list[Call] = []
    bad: list[Call] = []
    for args in filled.args:
        emitted = args if hints.clean else slip(situation, tool, args, first)
        mark = mark_of(tool.name, emitted)
        done = next((c for c in mine if c.ok and c.mark == mark), None)
        broken = next((c for c in reversed(failed) if c.mark == mark), None)
        if done is not None:
            ok.append(done)
        elif broken is not None:
            bad.append(broken)
        else:
            return Act(tool.name, emitted)
    return Done(tuple(ok), tuple(bad))


def _blocked(step: Act | Ask | Dead, failed: list[Call], mine: list[Call], tool: Tool) -> Act | Ask | Dead | Done:
    """Nothing (more) to fill it with: what was refused before stands as the result."""
    if isinstance(step, Act):
        return step
    good = tuple(c for c in mine if c.ok)
    if isinstance(step, Ask) and failed and not step.options:
        last = failed[-1]
        asked_for = {p.name for p in step.params}
        missing = errors.kind_of(last.reading.error or "") == errors.ARGUMENT and errors.is_missing(
            last.reading.error or "", ""
        )
        if not missing or not asked_for & set(errors.blamed(last.reading.error or "", tool, last.args)):
            return Done((), (last,))
    if isinstance(step, Ask) and good and tool.reads and all(c.reading.empty for c in good):
        return Done(good)
    if isinstance(step, Dead) and failed and step.why != "later":
        return Done((), (failed[-1],))
    return step


def _learn(hints: Hints, kind: str, tool: Tool, call: Call) -> Hints:
    error = call.reading.error or ""
    if kind not in (errors.ARGUMENT, errors.MISSING):
        return hints
    named = errors.blamed(error, tool, call.args)
    if kind == errors.MISSING and not any(name in call.args for name in named):
        ids = [
            p.name
            for p in tool.params
            if p.kind in (kinds.ID, kinds.PHONE, kinds.NAME, kinds.WORDS) and p.name in call.args
        ]
        named = tuple(ids[:1])
    avoid = set(hints.avoid)
    needed = set(hints.needed)
    for name in named:
        if name in call.args:
            avoid.add((name, str(call.args[name])))
        else:
            needed.add(name)
    return replace(hints, avoid=frozenset(avoid), needed=frozenset(needed), clean=True)


def _learn_empty(hints: Hints, tool: Tool, call: Call) -> Hints:
    optional = [p.name for p in tool.params if not p.required and p.name in call.args]
    if optional:
        return replace(hints, bare=True)
    words = [p.name for p in tool.params if p.kind in (kinds.WORDS, kinds.NAME) and p.name in call.args]
    if len(words) == 1:
        return replace(hints, avoid=hints.avoid | {(words[0], str(call.args[words[0]]))})
    return hints
