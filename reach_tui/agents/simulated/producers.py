"""Reading tools that may bring what a parameter wants: by their nouns and by what of their own can be filled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.chunks import chunks
from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.fill_text import names_for
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.mentions import mentions, same_noun
from reach_tui.agents.simulated.parameters import ID, IDS, NAME, WORDS, Param
from reach_tui.agents.simulated.pools import answers, own
from reach_tui.agents.simulated.situation import Situation, mentioned, named_in, suits
from reach_tui.agents.simulated.steps import Act, Ask, Dead, Done, Hints
from reach_tui.agents.simulated.values import find_values

MOST_DEPTH = 3
FIT = 0.45
Attempt = Callable[[Situation, Tool, Goal, int], "Act | Ask | Dead | Done"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """An identifier looked for: `tool` and `param` that need it, for `goal`, `depth` producers deep."""

    tool: Tool
    param: Param
    goal: Goal
    hints: Hints
    depth: int

    @property
    def nouns(self) -> tuple[str, ...]:
        """What it names."""
        return self.param.noun


def entities_of(situation: Situation, goal: Goal) -> frozenset[str]:
    """Values of the goal's own words that name some record: ids, phones, known names."""
    text = " ".join(own(goal) + answers(situation, goal))
    return mentioned(text) | named_in(situation, text)


def produce(situation: Situation, wanted: Wanted, attempt: Attempt, listing: bool) -> Act | Ask | None:
    """A reading tool that may bring the id: by its nouns, by what of its own can be filled, at most three deep."""
    if wanted.depth >= MOST_DEPTH:
        return None
    asked: Ask | None = None
    for tool in _producers(situation, wanted, listing):
        situation.busy.append(tool.name)
        step = attempt(situation, tool, wanted.goal, wanted.depth + 1)
        situation.busy.pop()
        if isinstance(step, Act):
            return step
        if isinstance(step, Ask) and asked is None and wanted.depth == 0:
            asked = step
    return asked


def _producers(situation: Situation, wanted: Wanted, listing: bool) -> list[Tool]:
    text = wanted.goal.head + " " + wanted.goal.near
    spoken = set(concepts(wanted.goal.scope))
    entity = bool(entities_of(situation, wanted.goal))
    scored = []
    for place, tool in enumerate(situation.catalogue.tools):
        if not tool.reads or tool.name == wanted.tool.name or tool.name in situation.busy:
            continue
        if any(
            p.kind == ID and same_noun(p.noun, wanted.nouns) and not _can_state(situation, tool, p, text)
            for p in tool.required
        ):
            continue
        score = 0.0
        if tool.name in wanted.param.description:
            # The parameter's own description says where to look.
            score = 5.0
        elif same_noun(tool.nouns[:1], wanted.nouns):
            score = 3.0
        elif same_noun(tool.nouns, wanted.nouns):
            score = 1.5
        elif not (tool.required and all(_direct(situation, p, wanted.goal) for p in tool.required)):
            continue
        lists = (
            "list" in _words(tool)
            or "search" in _words(tool)
            or not any(p.kind == ID and same_noun(p.noun, tool.nouns[:1]) for p in tool.required)
        )
        score += (0.6 if lists else -0.3) if listing else 0.0
        ready = [p for p in tool.required if _direct(situation, p, wanted.goal)]
        if tool.required:
            score += 1.2 * len(ready) / len(tool.required)
        elif tool.params and not any(_direct(situation, p, wanted.goal) for p in tool.params):
            score -= 2.0
        else:
            score += 0.1 if not entity else -0.4
        score += 0.3 * len(spoken & set(tool.nouns)) / (1 + len(tool.nouns))
        scored.append((-score, place, tool))
    scored.sort(key=lambda row: row[:2])
    return [tool for _, _, tool in scored]


def _words(tool: Tool) -> set[str]:
    return {key[2:] for key, _ in (*tool.name_vec, *tool.desc_vec) if key.startswith("c:")}


def _can_state(situation: Situation, tool: Tool, param: Param, text: str) -> bool:
    return any(suits(situation, m, param.noun) >= FIT for m in mentions(text))


def _direct(situation: Situation, param: Param, goal: Goal) -> bool:
    """Whether a parameter can be filled straight from the goal's own words or turn."""
    turn = next((text for at, text in situation.view.users if at == goal.turn), "")
    for text in (*own(goal), *answers(situation, goal), goal.scope, turn):
        if param.kind in (ID, IDS):
            if any(suits(situation, m, param.noun) >= 0.7 for m in mentions(text)):
                return True
        elif any(v.kind == param.kind for v in find_values(text)) or (
            text in own(goal)
            and (
                (param.kind == WORDS and chunks(text))
                or (param.kind == NAME and names_for(param, (text,), frozenset()))
            )
        ):
            return True
    return False
