"""Records in words: what was asked for first, the rest briefly; lists counted, picked from, summed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.agents.simulated.choose import Candidate, meant_by_words
from reach_tui.agents.simulated.coverage import attributes
from reach_tui.agents.simulated.cues import HIGH, cues
from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.judge import keeps, key_concepts, number_field, order_by
from reach_tui.agents.simulated.lexicon import FIELD, ROLE, THING
from reach_tui.agents.simulated.situation import Call, Fact, Situation
from reach_tui.agents.simulated.wording import label, thing, value_text

MOST_FIELDS = 18
MOST_ROWS = 12
_SUM = re.compile(
    r"花了多少|花费|消费了|\bspen[dt]\b|一共|总共|合计|总计|加起来|总额|总金额|\btotal\b|\baltogether\b|\bin all\b|"
    r"\bsum\b|\bcombined\b|\boverall\b",
    re.IGNORECASE,
)


def fields_text(situation: Situation, fields: Mapping[str, Any], wanted: Sequence[str], most: int = MOST_FIELDS) -> str:
    """`name: value` pairs, those asked for first."""
    names = list(fields)
    names.sort(key=lambda name: (not set(wanted) & key_concepts(name), list(fields).index(name)))
    zh = situation.chinese
    parts = [f"{label(name, zh)}: {value_text(name, fields[name], zh, situation.minor)}" for name in names[:most]]
    return ("，" if zh else ", ").join(parts)


def calls_text(situation: Situation, goal: Goal, calls: Sequence[Call]) -> str:
    """What the calls of a question brought, as an answer to it."""
    lines = []
    rows: list[Fact] = []
    for call in calls:
        facts = [
            f for f in situation.facts if f.at == call.at and f.tool == call.name and f.record in call.reading.records
        ]
        if not facts:
            lines.append(_bare(situation, call))
            continue
        rows.extend(
            f for f in facts if f.record.parent == -1 or (f.record.listed and facts[f.record.parent].record.key is None)
        )
        lines.append(facts_text(situation, goal, facts))
    single = [f for f in rows if not f.record.listed]
    tops = single if len(single) == len(calls) or len(rows) != len(calls) else rows
    if len(calls) > 1 and len(tops) > 1:
        best = _best(situation, goal, [f.record.fields for f in tops])
        if best:
            lines.insert(0, best)
    return "\n".join(line for line in lines if line)


def _bare(situation: Situation, call: Call) -> str:
    value = call.reading.value
    if call.reading.empty:
        tool = situation.tool(call.name)
        noun = thing(tool.nouns[0], situation.chinese) if tool and tool.nouns else ""
        return (
            f"没有找到相关的{noun}记录（0 条）。"
            if situation.chinese
            else f"No {noun or 'matching'} records were found (0)."
        )
    if isinstance(value, (str, int, float, bool)):
        return str(value)[:1500]
    if isinstance(value, list):
        return ("、" if situation.chinese else ", ").join(str(one) for one in value[:40])
    return ""


def facts_text(situation: Situation, goal: Goal, facts: Sequence[Fact]) -> str:
    """Records of one result: a list as rows with their number, a single one as its fields, its parts behind it."""
    wanted = (*attributes(goal.head), *(c for c in concepts(goal.head) if ROLE[c] in (FIELD, THING)))
    lists = [f for f in facts if f.record.listed and (f.record.parent == -1 or facts[0].record.key is None)]
    single = [f for f in facts if not f.record.listed]
    out = []
    if lists and (not single or single[0].record.key is None):
        extra = fields_text(situation, single[0].record.fields, wanted) if single and facts[0] is single[0] else ""
        out.append(_list_text(situation, goal, lists, wanted))
        if extra:
            out.append(extra)
        return "\n".join(out)
    for fact in facts[:MOST_ROWS]:
        text = fields_text(situation, fact.record.fields, wanted)
        if fact.record.parent != -1 and fact.record.nouns:
            text = f"{thing(fact.record.nouns[0], situation.chinese)}: {text}"
        key = fact.record.key
        if key and key not in text:
            text = f"{key}: {text}"
        out.append(text)
    return ("；" if situation.chinese else "; ").join(out)


def _list_text(situation: Situation, goal: Goal, rows: Sequence[Fact], wanted: Sequence[str]) -> str:
    zh = situation.chinese
    cue = cues(goal.head + " " + goal.near)
    found = [
        Candidate(
            f.record.key or str(n),
            dict(f.record.fields),
            " ".join(str(v) for v in f.record.fields.values()).lower(),
            True,
        )
        for n, f in enumerate(rows)
    ]
    meant = meant_by_words(found, goal.head)
    fitting = [one for one in meant if keeps(one.fields, cue, situation.now, situation.minor) is not False]
    narrowed = bool(fitting) and len(fitting) < len(found)
    shown = fitting or found
    head = (f"共 {len(found)} 条" if zh else f"{len(found)} found") + (
        f"，符合的有 {len(fitting)} 条" if narrowed and zh else f", {len(fitting)} of them match" if narrowed else ""
    )
    if not fitting and (cue.states or cue.bounds or cue.stock is not None):
        head += "，没有符合条件的" if zh else ", none of them matches"
    lines = [head + ("：" if zh else ":")]
    best = _best(situation, goal, [one.fields for one in shown])
    if best:
        lines.insert(0, best)
    if _SUM.search(goal.head):
        sums = [
            found_number
            for one in shown
            if (found_number := number_field(one.fields, ("amount", "total", "price"), "money"))
        ]
        if sums:
            total = sum(number for _, number in sums)
            text = value_text(sums[0][0], int(total) if float(total).is_integer() else total, zh, situation.minor)
            lines.insert(0, f"合计: {text}" if zh else f"Total: {text}")
    ordered = [*shown, *(one for one in found if one not in shown)]
    for one in ordered[:MOST_ROWS]:
        text = fields_text(situation, one.fields, wanted, 10)
        lines.append("- " + (text if one.key in text or one.key.isdigit() else f"{one.key}: {text}"))
    return "\n".join(lines)


def _best(situation: Situation, goal: Goal, rows: Sequence[Mapping[str, Any]]) -> str:
    """The row that a superlative means, said first."""
    cue = cues(goal.head + " " + goal.near)
    if not cue.best or len(rows) < 2:
        return ""
    order = order_by(rows, cue.best)
    if not order:
        return ""
    text = fields_text(situation, rows[order[0]], (cue.best[0],), 8)
    which = (
        ("最高" if cue.best[1] == HIGH else "最低")
        if cue.best[0] != "date"
        else ("最近" if cue.best[1] == HIGH else "最早")
    )
    return (
        f"{which}的是：{text}" if situation.chinese else f"The {'top' if cue.best[1] == HIGH else 'first'} one: {text}"
    )


def picked_text(situation: Situation, goal: Goal, facts: Sequence[Fact]) -> str:
    """An answer out of records seen before."""
    wanted = attributes(goal.head)
    best = _best(
        situation, goal, [f.record.fields for f in facts if f.record.listed] or [f.record.fields for f in facts]
    )
    if best:
        return best
    told = [f.at for f in facts if any(set(wanted) & key_concepts(key) for key in f.record.fields)]
    group = [f for f in facts if told and f.at == told[0]]
    if sum(f.record.listed for f in group) > 1:
        return facts_text(situation, goal, group)
    rows = [f for f in facts if any(set(wanted) & key_concepts(key) for key in f.record.fields)] or list(facts)
    latest: dict[str, Fact] = {f.record.key or str(n): f for n, f in enumerate(rows)}
    return ("；" if situation.chinese else "; ").join(
        fields_text(situation, f.record.fields, wanted) for f in list(latest.values())[:MOST_ROWS]
    )
