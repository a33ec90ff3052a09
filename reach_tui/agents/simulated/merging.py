"""Orders that only say more of the one before (退款，退到余额) become part of it."""

from __future__ import annotations

from dataclasses import replace

from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.fill_values import choice_for
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.mentions import mentions
from reach_tui.agents.simulated.parameters import ENUM
from reach_tui.agents.simulated.plan import tool_for
from reach_tui.agents.simulated.situation import Situation
from reach_tui.core.canonical import digest_text


def clause_mark(goal: Goal) -> str:
    """What names a goal in draws: its own words."""
    return digest_text(goal.text).hex()


def merge_goals(situation: Situation) -> tuple[Goal, ...]:
    """Orders that only say more of the one before (退款，退到余额) become part of it."""
    out: list[Goal] = []
    for goal in situation.wishes.goals:
        if out and _money_for_return(out[-1], goal):
            last = out[-1]
            near = " ".join(p for p in (last.near, goal.near) if p)
            out[-1] = replace(
                last, head=f"{last.head} {goal.head}", text=f"{last.text} {goal.text}", near=near,
                said=(*last.said, *goal.said), acts=tuple(dict.fromkeys(("refund", *last.acts, *goal.acts))),
            )  # fmt: skip
        elif out and _elaborates(situation, out[-1], goal):
            last = out[-1]
            near = " ".join(p for p in (last.near, goal.text, goal.near) if p)
            out[-1] = replace(
                last, near=near, said=(*last.said, *goal.said), acts=tuple(dict.fromkeys((*last.acts, *goal.acts)))
            )
        else:
            out.append(goal)
    return tuple(_refunded(goal) for goal in out)


def _money_for_return(last: Goal, goal: Goal) -> bool:
    """Whether two orders are one: goods go back, and the money for them comes back (return it; refund me)."""
    together = goal.turn == last.turn and goal.conds == last.conds and not (goal.asks or last.asks)
    return together and last.acts[:1] == ("return",) and "refund" in goal.acts and not mentions(goal.head)


def _refunded(goal: Goal) -> Goal:
    """A return beside which the money is spoken of (退掉, ... 钱原路退回) is a refund."""
    if goal.acts == ("return",) and "refund" in concepts(goal.near):
        return replace(goal, acts=("refund", "return"))
    return goal


def _elaborates(situation: Situation, last: Goal, goal: Goal) -> bool:
    if goal.asks or last.asks or goal.fresh or goal.turn != last.turn or goal.conds != last.conds:
        return False
    own_ids = {m.text for m in mentions(goal.head)}
    if (
        own_ids
        and {m.text for m in mentions(last.head + " " + last.near)}
        and not own_ids <= {m.text for m in mentions(last.scope)}
    ):
        return False
    before, after = tool_for(situation, last), tool_for(situation, goal)
    if before is None:
        return False
    if after is not None and after.tool.name == before.tool.name:
        return True
    if after is None or not after.fits:
        return any(choice_for(p, (goal.head,)) is not None for p in before.tool.params if p.kind == ENUM)
    return False
