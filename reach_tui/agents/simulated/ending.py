"""Before the answer: what was written is read back, and set right where it differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.agents.simulated.attempt import attempt
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.fill import fill
from reach_tui.agents.simulated.mentions import same_noun
from reach_tui.agents.simulated.merging import clause_mark
from reach_tui.agents.simulated.parameters import ID
from reach_tui.agents.simulated.report import DONE, Report
from reach_tui.agents.simulated.situation import Call, Situation, mark_of
from reach_tui.agents.simulated.steps import Act, Filled, Hints


def check_back(situation: Situation, reports: Sequence[Report]) -> Act | None:
    """The next look at something written, or the repair of what turned out different; None when all is settled."""
    for report in reports:
        tool = report.tool
        if report.state != DONE or tool is None or tool.reads or report.goal.asks:
            continue
        if situation.chance("check", clause_mark(report.goal)) >= situation.traits.check:
            continue
        for call in report.calls:
            look = _look(situation, tool, call)
            if isinstance(look, Act):
                return look
            if look is not None:
                repair = _repair(situation, report, tool, call, look)
                if repair is not None:
                    return repair
    return None


def _look(situation: Situation, tool: Tool, call: Call) -> Act | Call | None:
    """A reading of the record written: the call to make, or the one made since; None if no tool can."""
    ids = [(p, call.args[p.name]) for p in tool.params if p.kind == ID and isinstance(call.args.get(p.name), str)]
    made = [r.key for r in call.reading.records[:1] if r.key]
    best: tuple[float, Tool, str] | None = None
    for reader in situation.catalogue.tools:
        needed = reader.required
        if not reader.reads or len(needed) != 1 or needed[0].kind != ID:
            continue
        value = next((v for p, v in ids if same_noun(p.noun, needed[0].noun)), None)
        score = 1.0
        if value is None and made and same_noun(tool.nouns[:1], needed[0].noun):
            value = made[0]
        if value is None:
            continue
        score += 2.0 * same_noun(reader.nouns[:1], tool.nouns[:1]) + same_noun(reader.nouns[:1], needed[0].noun)
        if best is None or score > best[0]:
            best = (score, reader, str(value))
    if best is None:
        return None
    _, reader, value = best
    args = {reader.required[0].name: value}
    mark = mark_of(reader.name, args)
    since = [c for c in situation.calls if c.mark == mark and c.at > call.at]
    if since:
        return since[-1]
    return Act(reader.name, args)


def _repair(situation: Situation, report: Report, tool: Tool, call: Call, look: Call) -> Act | None:
    """The call once more with the arguments meant, if a field read back differs from them and they were slipped."""
    if not look.ok or not look.reading.records:
        return None
    situation.until = call.at
    meant = fill(situation, tool, report.goal, Hints(), 0, attempt)
    situation.until = None
    if not isinstance(meant, Filled):
        return None
    for args in meant.args:
        if args == dict(call.args) or set(args) != set(call.args):
            continue
        if _differs(args, call.args, look.reading.records[0].fields):
            mark = mark_of(tool.name, args)
            if all(c.mark != mark for c in situation.calls):
                return Act(tool.name, args)
    return None


def _differs(meant: Mapping[str, Any], given: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    return any(meant[name] != given[name] and name in fields and fields[name] != meant[name] for name in meant)
