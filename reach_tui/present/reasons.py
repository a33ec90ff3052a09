"""Reasons in words: for every code its sentence, made from the reason's values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from reach_tui.core.reasons import Reason, ReasonCode
from reach_tui.present.language import phrase, plural, word
from reach_tui.present.numbers import in_points, p_value, share, size_in_points

_NAMED = 5
"""So many parts are named, the rest counted."""


def sentence(reason: Reason) -> str:
    """A reason in words, without a full stop. One whose values are not all there is named by its code."""
    try:
        return _SENTENCES[reason.code](reason.values)
    except (KeyError, TypeError, ValueError):
        return word(reason.code)


def sentences(reasons: Iterable[Reason], between: str = "; ") -> str:
    """Several reasons in a row."""
    return between.join(sentence(reason) for reason in reasons)


def _fixed(text: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda values: phrase(text, **values)


def _wide(values: Mapping[str, Any]) -> str:
    if not values["narrow"]:
        other = phrase("with fewer than {n} repeats no verdict is possible at all", n=values["fewest_repeats"])
    else:
        other = plural(
            values["tasks"], "a verdict can speak of this task only", "a verdict can speak of these tasks only"
        )
    return phrase(
        "no verdict on tasks like these is possible: {tasks}, and at least {needed} must move; {other}",
        tasks=plural(values["tasks"], "{n} task", "{n} tasks"),
        needed=values["needed"],
        other=other,
    )


def _parts(values: Mapping[str, Any]) -> str:
    parts = values["parts"]
    named = ", ".join(parts[:_NAMED]) + (", …" if len(parts) > _NAMED else "")
    return phrase("differs in {n} parts: no cause can be named ({parts})", n=len(parts), parts=named)


_SENTENCES: Mapping[ReasonCode, Callable[[Mapping[str, Any]], str]] = {
    # of a verdict
    "nothing_compared": _fixed("no task has a counted trial in both arms"),
    "arms_differ": lambda v: phrase(
        "the arms differ in more than the factor: {parts}", parts=", ".join(v["parts"])
    ),
    "manipulation_failed": _fixed(
        "the manipulation check failed: what was changed was not seen to differ between the arms"
    ),
    "too_much_not_counted": lambda v: phrase(
        "too much is not counted: {share} of the trials in {arm}, {limit} is the limit",
        share=share(v["share"]), arm=word(v["arm"]), limit=share(v["limit"]),
    ),
    "copies": _fixed("repeats are copies (no noise was seen): each task counts once"),
    "no_wide_verdict": _fixed(
        "no verdict on tasks like these: {moved} of {tasks} tasks moved, and at least {needed} must"
    ),
    "too_few_moved": _fixed("{moved} tasks moved, at least {needed} must"),
    "within_margin": lambda v: phrase(
        "the 90 % interval lies within {margin} points of zero", margin=size_in_points(v["margin"])
    ),
    "not_told_apart": _fixed("not told apart from rerun noise"),
    "no_sign_of_help": _fixed("stopped early: no sign of help"),
    "effect_shown": lambda v: phrase(
        "exact {p}, {points}", p=p_value(v["p"]), points=in_points(v["estimate"])
    ),
    "placebo_missing": _fixed(
        "an effect against the control alone: any edit might have had it, and no placebo ran"
    ),
    "beats_placebo": lambda v: phrase(
        "exact {p} against control, {p_placebo} against placebo", p=p_value(v["p"]), p_placebo=p_value(v["p_placebo"])
    ),
    "no_better_than_placebo": lambda v: phrase(
        "better than the control but not than the placebo (exact {p})", p=p_value(v["p_placebo"])
    ),
    "no_worse_than_placebo": lambda v: phrase(
        "worse than the control but not than the placebo (exact {p})", p=p_value(v["p_placebo"])
    ),
    "milestones_like_placebo": _fixed("more milestones than the control but not than the placebo"),
    "milestones_only": _fixed("more milestones are reached, completion is not"),
    # of a manipulation check
    "request_differs": lambda v: phrase(
        {
            "tools": "{trial} in {arm} was sent other tools than planned",
            "prompt": "{trial} in {arm} was sent another prompt than planned",
            "model": "{trial} in {arm} was sent another model than planned",
        }[v["part"]],
        trial=v["trial"], arm=word(v["arm"]),
    ),
    "no_request_kept": _fixed("no request of an arm is kept"),
    "fault_never_fired": lambda v: phrase(
        "fault {fault} befell no call in {arm}", fault=v["fault"], arm=word(v["arm"])
    ),
    "context_never_cut": _fixed("{strategies}: no conversation was long enough for anything to be left out"),
    # of a plan
    "no_wide_verdict_possible": _wide,
    "too_few_for_power": _fixed(
        "{tasks} tasks x {repeats} are too few to find even a full repair with 80 % power"
    ),
    "tool_not_offered": _fixed("{tool} is offered to {seen_by} of the {tasks} tasks; the others cannot move"),
    "fault_elsewhere": _fixed("fault {tool} can befall {seen_by} of the {tasks} tasks; the others cannot move"),
    "chosen_by_one_trial": _fixed(
        "each task was chosen by one failed trial: some will pass by chance, the control shows how many"
    ),
    "no_placebo_planned": _fixed("without a placebo arm no effect of this edit can be told from that of any edit"),
    "text_leaks": _fixed("the new text holds an expected value: {leak}"),
    "parent_unfinished": lambda v: phrase(
        "{run} is {status}: the tasks were chosen from what has ended so far", run=v["run"], status=word(v["status"])
    ),
    # of a selection of tasks
    "selected": lambda v: str(v["expression"]),
    "marked": _fixed("marked"),
    "failing": _fixed("failing in {run}"),
    "all_failing": _fixed("all failing in {run}"),
    "passing": _fixed("passing in {run}"),
    # of a comparison
    "nothing_shared": _fixed("no task is shared: there is nothing to compare"),
    "setup_unknown": _fixed("the setup of one of them is unknown: no cause can be named"),
    "no_difference": _fixed("they differ in nothing: what changed is noise"),
    "several_parts": _parts,
    "one_part": _fixed("differs in one part, {part}; only an experiment with a control can name a cause"),
    "same_experiment": _fixed("arms of one experiment: its verdict is in `reach show {experiment}`"),
    "all_had_failed": _fixed(
        "all shared tasks had failed: without an unchanged rerun up to all {gained} may be noise"
    ),
    "as_written": lambda v: str(v["text"]),
}  # fmt: skip
