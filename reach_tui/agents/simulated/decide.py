"""One decision of a simulated model: a pure function of messages, tools and options."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.agents.simulated.answer import act_of, answer, question, small_talk, what_of
from reach_tui.agents.simulated.catalogue import understand
from reach_tui.agents.simulated.dates import find_now
from reach_tui.agents.simulated.directives import moved, obeyed, read_prompt
from reach_tui.agents.simulated.ending import check_back
from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.goals import Goal, Wishes, wishes
from reach_tui.agents.simulated.merging import merge_goals
from reach_tui.agents.simulated.models import traits_of
from reach_tui.agents.simulated.mood import act_keys
from reach_tui.agents.simulated.plan import acts_offered, tool_for
from reach_tui.agents.simulated.pursue import Confirm, Course, look_ahead, pursue
from reach_tui.agents.simulated.report import Report
from reach_tui.agents.simulated.situation import Situation, facts_of, read_calls
from reach_tui.agents.simulated.steps import Act, Ask
from reach_tui.agents.simulated.view import View, look
from reach_tui.agents.simulated.wording import act_word
from reach_tui.core.draws import draw

MOST_ASKS = 3
"""After so many questions of the same kind the model gives up and says what it lacks."""


def decide(messages: Sequence[Any], tools: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The assistant message that follows `messages` (OpenAI chat messages), given `tools` (OpenAI function dicts).

    `options`: "model" (a name of MODELS), "seed" (integer; all chance comes from it), optionally "traits" (a mapping
    of overrides by field of `Traits`) and "phrases" ("test" for the family of phrases kept for the test split).
    Never raises for what messages and tools hold; nothing but the arguments has any influence.
    """
    situation = _situation(messages, tools, options)
    step = _next(situation)
    if isinstance(step, Act):
        return _call(situation.view, step)
    if isinstance(step, str):
        return {"role": "assistant", "content": step}
    family = 2 if options.get("phrases") == "test" else int(draw(situation.seed, "phrase") * 2)
    return {"role": "assistant", "content": answer(situation, step, family)}


def _situation(messages: Sequence[Any], tools: Sequence[Any], options: Mapping[str, Any]) -> Situation:
    seed = str(options.get("seed", 0))
    traits = traits_of(options)
    view = look(messages if isinstance(messages, Sequence) and not isinstance(messages, str) else (), traits.memory)
    directives = read_prompt(view.system)
    traits = moved(traits, directives)
    catalogue = understand(
        tools if isinstance(tools, Sequence) and not isinstance(tools, str) else (),
        traits.name_weight,
        traits.desc_weight,
    )
    calls = read_calls(view, catalogue)
    wanted = wishes(view.users, view.own, acts_offered(catalogue))
    spoken = " ".join(text for _, text in view.users) or view.system
    return Situation(
        view=view,
        catalogue=catalogue,
        traits=traits,
        seed=seed,
        chinese=bool(re.search(r"[\u4e00-\u9fff]", view.users[-1][1] if view.users else spoken))
        or _mostly_chinese(spoken),
        now=find_now(view.system),
        wishes=wanted,
        directives=obeyed(directives, traits, seed),
        calls=calls,
        facts=facts_of(calls),
        minor=catalogue.minor
        or bool(re.search(r"minor unit|\bcents\b|以分为单位|单位[是为：:]?\s*分", view.system, re.IGNORECASE)),
    )


def _mostly_chinese(text: str) -> bool:
    chinese = len(re.findall(r"[\u4e00-\u9fff]", text))
    return chinese > len(re.findall(r"[A-Za-z]{2,}", text))


def _next(situation: Situation) -> Act | str | list[Report]:
    """The next call, the next words to the user, or the reports for the answer."""
    goals = merge_goals(situation)
    if not goals:
        goals = _unspoken(situation)
    if not goals:
        return small_talk(situation)
    situation.wishes = Wishes(goals, situation.wishes.forbidden, situation.wishes.facts)
    course = Course(goals)
    for place, goal in enumerate(goals):
        step = pursue(situation, course, goal)
        if isinstance(step, Report):
            course.reports.append(step)
            if step.tool and not step.tool.reads and not goal.asks:
                situation.coming.append(step.tool.nouns[:1])
            continue
        if isinstance(step, Confirm):
            return _confirmation(situation, goal, step)
        if isinstance(step, Ask):
            return _ask(situation, step)
        tool = situation.tool(step.tool)
        if tool and not tool.reads:
            ranked = tool_for(situation, goal)
            situation.coming.append(ranked.tool.nouns[:1] if ranked else ())
            early = look_ahead(situation, course, goals[place + 1 :])
            if early is not None and not _asked_too_often(situation, early):
                return _ask(situation, early)
        return step
    back = check_back(situation, course.reports)
    return back if back is not None else course.reports


def _unspoken(situation: Situation) -> tuple[Goal, ...]:
    """A turn that orders and asks nothing but names a record (订单 A100): a wish to see it, if a tool comes close."""
    if not situation.view.users:
        return ()
    at, text = situation.view.users[-1]
    acts = act_keys(text)
    if "unwanted" in concepts(text) and not acts and not re.search(r"[?？]", text):
        acts = ("cancel",) if "cancel" in situation.catalogue.acts else ("return",)
    if not concepts(text):
        return ()
    goal = Goal(at, 0, (0, len(text)), not acts, text, text, "", "", acts, (), (), False)
    ranked = tool_for(situation, goal)
    if ranked is None or ranked.score < 0.25:
        return ()
    return (goal,)


def _ask(situation: Situation, ask: Ask) -> str:
    if _asked_too_often(situation, ask):
        return (
            "抱歉，缺少必要的信息，我无法继续办理。没有做任何更改。"
            if situation.chinese
            else "Sorry, without that information I cannot go on. Nothing was changed."
        )
    return question(situation, ask)


def _asked_too_often(situation: Situation, ask: Ask) -> bool:
    names = [param.name for param in ask.params]
    return sum(1 for _, text in situation.view.own if any(name in text for name in names)) >= MOST_ASKS


def _confirmation(situation: Situation, goal: Goal, step: Confirm) -> str:
    act = act_of(goal, step.tool)
    what = what_of(situation, goal, step.tool, [step.args.args])
    detail = json.dumps(dict(step.args.args), ensure_ascii=False)
    if situation.chinese:
        return f"请确认：要{act_word(act, True) if act else '办理'}{what}吗？（{detail}）确认后我再执行。"
    return f"Please confirm: shall I {act_word(act, False) if act else 'go ahead with'} {what}? ({detail})"


def _call(view: View, act: Act) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{view.length}",
                "type": "function",
                "function": {"name": act.tool, "arguments": json.dumps(dict(act.args), ensure_ascii=False)},
            }
        ],
    }
