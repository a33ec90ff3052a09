"""The last message: each goal by a phrase, with values from what was seen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.agents.simulated import report as states
from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.describe import calls_text, facts_text, fields_text, picked_text
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.lexicon import GENERIC_ACTS
from reach_tui.agents.simulated.mentions import mentions
from reach_tui.agents.simulated.parameters import ID, IDS
from reach_tui.agents.simulated.report import Report
from reach_tui.agents.simulated.situation import Fact, Situation, linked, mentioned, named_in
from reach_tui.agents.simulated.steps import Ask
from reach_tui.agents.simulated.wording import act_word, ask_label, claim, refusal, thing

_GREETING = re.compile(r"你好|您好|hello|\bhi\b|\bhey\b|早上好|下午好", re.IGNORECASE)
_THANKS = re.compile(r"谢|thank|辛苦|cheers", re.IGNORECASE)


def answer(situation: Situation, reports: Sequence[Report], family: int) -> str:
    """What the model tells the user at the end."""
    lines = []
    for report in reports:
        text = _one(situation, report, family)
        if text and text not in lines:
            lines.append(text)
    return "\n".join(lines) or small_talk(situation)


def small_talk(situation: Situation) -> str:
    """A reply where nothing was wanted."""
    last = situation.view.users[-1][1] if situation.view.users else ""
    if _THANKS.search(last):
        return (
            "不客气！还有需要可以随时告诉我。"
            if situation.chinese
            else "You are welcome! Let me know if there is anything else."
        )
    if _GREETING.search(last):
        return "您好！请问有什么可以帮您？" if situation.chinese else "Hello! How can I help you?"
    return "请问您需要我做什么？" if situation.chinese else "What would you like me to do?"


def act_of(goal: Goal, tool: Tool | None) -> str | None:
    """The act to speak of: one the goal and the tool share, else the tool's, else the goal's."""
    acts = tool.acts if tool else ()
    shared = [act for act in goal.acts if act in acts]
    shared.sort(key=lambda act: act in GENERIC_ACTS)
    if shared:
        return shared[0]
    if tool and set(goal.acts) & tool.enum_acts:
        return next(act for act in goal.acts if act in tool.enum_acts)
    return acts[0] if acts else goal.acts[0] if goal.acts else None


def what_of(situation: Situation, goal: Goal, tool: Tool | None, args: Sequence[Mapping[str, Any]]) -> str:
    """The record an act was done on, by its noun and id."""
    zh = situation.chinese
    named: list[str] = []
    for row in args:
        for name, value in row.items():
            param = tool.param(name) if tool else None
            if param and param.kind in (ID, IDS) and param.noun:
                noun = thing(param.noun[0], zh)
                values = value if isinstance(value, list) else [value]
                named.extend(f"{noun} {one}" for one in values)
    if not named:
        found = mentions(goal.head + " " + goal.near)
        noun = thing(tool.nouns[0], zh) if tool and tool.nouns else ""
        named = [f"{thing(m.nouns[0], zh) if m.nouns else noun} {m.text}".strip() for m in found[:3]] or [
            noun or ("您的请求" if zh else "your request")
        ]
    return ("、" if zh else ", ").join(dict.fromkeys(named))


def _one(situation: Situation, report: Report, family: int) -> str:
    goal, tool, zh = report.goal, report.tool, situation.chinese
    if (
        report.state in (states.DONE, states.SKIPPED, states.REFUSED, states.UNSUPPORTED, states.FORBIDDEN)
        and not goal.asks
    ):
        return _action(situation, report, family)
    if report.state == states.DONE:
        return calls_text(situation, goal, report.calls) + _failures(situation, report)
    if report.state == states.PICKED:
        return picked_text(situation, goal, report.facts)
    if report.state == states.REFUSED:
        why = "; ".join(dict.fromkeys(c.reading.error or "" for c in report.failed))
        lead = f"抱歉，无法查到：{why}" if zh else f"Sorry, I could not find that: {why}"
        return "\n".join(part for part in (lead, _known(situation, goal, report.facts)) if part)
    if report.state == states.UNMET:
        return _unmet(situation, goal, tool)
    if report.state == states.UNKNOWN:
        return (
            f"无法确认条件是否成立：{goal.conds[0][0].text}。没有做任何更改。"
            if zh
            else f"I could not tell whether this holds: {goal.conds[0][0].text}. Nothing was changed."
        )
    if report.state in (states.NONE_FITS, states.IMPOSSIBLE):
        return _none(situation, report)
    if report.state == states.FORGOTTEN:
        return _forgotten(situation, report, family)
    return "抱歉，我没有可以查询这件事的工具。" if zh else "Sorry, I have no tool that can look this up."


def _action(situation: Situation, report: Report, family: int) -> str:
    goal, tool, zh = report.goal, report.tool, situation.chinese
    act = act_of(goal, tool)
    args = [call.args for call in (*report.calls, *report.failed)]
    if report.state == states.SKIPPED:
        return claim(act, what_of(situation, goal, tool, ()), zh, family) + _skipped_values(situation, goal)
    if report.state == states.UNSUPPORTED:
        why = "我没有相应的工具或权限" if zh else "I have no tool or permission for that"
        act = goal.acts[0] if goal.acts else None
        return refusal(act, what_of(situation, goal, None, ()), why, zh)
    if report.state == states.FORBIDDEN:
        return refusal(
            act, what_of(situation, goal, tool, ()), "按规定不允许" if zh else "I am not allowed to do that", zh
        )
    lines = []
    if report.calls:
        lines.append(claim(act, what_of(situation, goal, tool, [c.args for c in report.calls]), zh, family))
        lines.extend(_details(situation, report))
    if report.failed:
        why = "; ".join(dict.fromkeys(c.reading.error or "" for c in report.failed))
        lines.append(
            refusal(
                act,
                what_of(situation, goal, tool, args if not report.calls else [c.args for c in report.failed]),
                why,
                zh,
            )
        )
        known = _known(situation, goal, report.facts)
        if known and not report.calls:
            lines.append(known)
    return " ".join(lines)


def _details(situation: Situation, report: Report) -> list[str]:
    out = []
    for call in report.calls:
        fields = {**{k: v for k, v in call.args.items() if not isinstance(v, (dict, list))}}
        for record in call.reading.records[:6]:
            fields.update({k: v for k, v in record.fields.items() if k not in fields or k == "status"})
        if fields:
            out.append(
                f"（{fields_text(situation, fields, (), 14)}）"
                if situation.chinese
                else f"({fields_text(situation, fields, (), 14)})"
            )
    return out


def _skipped_values(situation: Situation, goal: Goal) -> str:
    """What a hasty model adds to a claim it has not earned: values from what it saw, or made up."""
    facts = [f for f in situation.facts if f.record.key and f.record.key in mentioned(goal.scope)]
    if facts:
        return ""
    if situation.chance("invent", goal.text) < situation.traits.invent:
        number = int(situation.chance("invented", goal.text) * 9000) + 1000
        return f"受理编号 {number}。" if situation.chinese else f" Reference {number}."
    return ""


def _known(situation: Situation, goal: Goal, facts: Sequence[Fact]) -> str:
    """What was seen of the records spoken of, where something else could not be done."""
    start = mentioned(goal.scope) | named_in(situation, goal.scope)
    own = [f for f in facts if f.record.key in start] or [f for f in facts if f.record.parent == -1]
    if not own:
        return ""
    text = facts_text(situation, goal, own[-1:])
    return f"目前的记录：{text}" if situation.chinese else f"What I see now: {text}"


def _failures(situation: Situation, report: Report) -> str:
    if not report.failed:
        return ""
    why = "; ".join(dict.fromkeys(c.reading.error or "" for c in report.failed))
    return f"\n另有查询失败：{why}" if situation.chinese else f"\nSome look-ups failed: {why}"


def _unmet(situation: Situation, goal: Goal, tool: Tool | None) -> str:
    cond, wanted = goal.conds[0]
    zh = situation.chinese
    act = act_of(goal, tool)
    start = mentioned(cond.text) | mentioned(goal.scope) | named_in(situation, cond.text)
    facts = linked(situation, start)[1] if start else ()
    direct = [f for f in facts if f.record.key in start] or list(facts)
    seen = facts_text(situation, goal, direct[:1]) if direct else ""
    if goal.asks:
        return ""
    done = act_word(act, zh) if act else ("处理" if zh else "act")
    if zh:
        head = f"条件“{cond.text}”{'不成立' if wanted else '成立'}，所以没有{done}"
        return head + (f"（{seen}）。" if seen else "。")
    head = f'Since "{cond.text}" {"does not hold" if wanted else "holds"}, I did not {done}'
    return head + (f" ({seen})." if seen else ".")


def _none(situation: Situation, report: Report) -> str:
    zh = situation.chinese
    tool = report.tool
    noun = thing(tool.nouns[0], zh) if tool and tool.nouns else ""
    act = act_of(report.goal, tool) if not report.goal.asks else None
    known = _known(situation, report.goal, report.facts)
    if zh:
        lead = f"没有符合条件的{noun}" if report.state == states.NONE_FITS else f"目前没有对应的{noun}记录"
        lead += f"，无法{act_word(act, True)}。没有做任何更改。" if act else "。"
    else:
        lead = (
            f"There is no {noun} that fits"
            if report.state == states.NONE_FITS
            else f"There is no {noun} on record for this yet"
        )
        lead += f", so I cannot {act_word(act, False)}. Nothing was changed." if act else "."
    return "\n".join(part for part in (lead, known) if part)


def _forgotten(situation: Situation, report: Report, family: int) -> str:
    goal = report.goal
    if situation.chance("invent", goal.text) < situation.traits.invent and not goal.asks:
        return claim(goal.acts[0] if goal.acts else None, what_of(situation, goal, None, ()), situation.chinese, family)
    return (
        "之前的部分已经处理过，细节我已记不清。"
        if situation.chinese
        else "The earlier part was dealt with; I no longer have its details at hand."
    )


def question(situation: Situation, ask: Ask) -> str:
    """What the model asks the user."""
    zh = situation.chinese
    if ask.options:
        noun = thing(ask.params[0].noun[0], zh) if ask.params[0].noun else ""
        rows = []
        for key in ask.options[:10]:
            fields: dict[str, Any] = {}
            for fact in situation.facts:
                if fact.record.key == key:
                    fields.update(fact.record.fields)
            rows.append(f"- {key}: {fields_text(situation, fields, (), 6)}")
        head = (
            f"找到多个{noun}，请问是哪一个？请提供{ask_label(ask.params[0], zh)}："
            if zh
            else f"There are several: which {noun} do you mean? Please give me {ask_label(ask.params[0], zh)}:"
        )
        return "\n".join([head, *rows])
    labels = [ask_label(param, zh) for param in ask.params]
    text = "请提供" + "、".join(labels) if zh else "Could you give me " + " and ".join(labels)
    if ask.also:
        more = [ask_label(param, zh) for param in ask.also[:2]]
        text += "，或者" + "、".join(more) if zh else ", or " + " or ".join(more)
    return text + ("？" if zh else "?")
