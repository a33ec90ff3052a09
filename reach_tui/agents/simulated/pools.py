"""The texts in which a goal's values are looked for, nearest first."""

from __future__ import annotations

from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.situation import Situation


def own(goal: Goal) -> tuple[str, ...]:
    """The goal's own words: instruction, what is told beside it."""
    return tuple(text for text in (goal.head, goal.near) if text)


def answers(situation: Situation, goal: Goal) -> tuple[str, ...]:
    """What the user told after the goal, latest first."""
    return tuple(text for at, text in reversed(situation.wishes.facts) if at > goal.turn)


def conditions(goal: Goal) -> tuple[str, ...]:
    """The words of its conditions."""
    return tuple(cond.text for cond, _ in goal.conds)


def around(situation: Situation, goal: Goal) -> tuple[str, ...]:
    """Other words of the conversation: of the same turn nearest first, earlier turns, summaries."""
    turn = next((text for at, text in situation.view.users if at == goal.turn), "")
    siblings = [g for g in situation.wishes.goals if g.turn == goal.turn and g.number != goal.number]
    siblings.sort(key=lambda g: (g.number > goal.number, abs(g.number - goal.number)))
    same = [part for g in siblings for part in (g.scope,)]
    earlier = [text for at, text in reversed(situation.view.users) if at < goal.turn]
    summaries = [text for _, text in reversed(situation.view.summaries)]
    return tuple(dict.fromkeys([*same, turn, *earlier, *summaries]))


def pools(situation: Situation, goal: Goal) -> tuple[str, ...]:
    """All texts, nearest first, each once."""
    texts = (*own(goal), goal.text, *answers(situation, goal), *conditions(goal), *around(situation, goal))
    return tuple(dict.fromkeys(text for text in texts if text))
