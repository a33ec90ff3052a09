"""An experiment's verdict in words, with all that it stands on, and what to do next."""

from __future__ import annotations

from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.condition import model_name
from reach_tui.core.context import strategy_text
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult, Factor
from reach_tui.core.run import ARMS
from reach_tui.core.verdicts import ManipulationStatus, Scope
from reach_tui.present.language import phrase, plural, word
from reach_tui.present.numbers import count, in_points, money, p_value, points_interval, share
from reach_tui.present.reasons import sentence, sentences

_SCOPES: dict[Scope, str] = {
    "this_step": "this step, given this history", "these_tasks": "these tasks", "tasks_like_these": "tasks like these",
}  # fmt: skip
_CHECKS: dict[ManipulationStatus, str] = {
    "seen": "both arms were sent what was planned", "failed": "failed", "not_observable": "not observable",
}  # fmt: skip


def scope_words(scope: Scope) -> str:
    """What a verdict speaks of."""
    return phrase(_SCOPES[scope])


def factor_words(factor: Factor) -> str:
    """A factor for people: `description of track_shipment`, `prompt`, `model hasty-1 -> careful-1`."""
    if factor.kind == "tool_description":
        return phrase("description of {tool}", tool=factor.tool)
    if factor.kind == "parameter_description":
        return phrase(
            "description of {parameter} in {tool}", parameter=pointers.split(factor.part)[3], tool=factor.tool
        )
    if factor.kind == "model":
        return phrase("model {before} -> {after}", before=_model(factor.before), after=_model(factor.after))
    if factor.kind == "faults":
        (_, name) = pointers.split(factor.part)
        return phrase("fault {name} taken away", name=name)
    if factor.kind == "context":
        return phrase(
            "context {before} -> {after}", before=strategy_text(factor.before), after=strategy_text(factor.after)
        )
    return word(factor.kind)


def _model(value: Any) -> str:
    return model_name(value) or str(value)


def chosen_words(plan: ExperimentPlan) -> str:
    """How the tasks of an experiment were chosen."""
    return sentences(plan.chosen.how, ", ")


def verdict_sentence(plan: ExperimentPlan, result: ExperimentResult) -> str:
    """The verdict of a result with every number and its denominator; before the first analysis, its status."""
    if not result.interim and result.flips is None:
        status = word(result.status)
        return phrase("{factor}: {status}, no look taken yet.", factor=factor_words(plan.factor), status=status)
    return " ".join(part for part in _parts(plan, result) if part)


def _parts(plan: ExperimentPlan, result: ExperimentResult) -> list[str]:
    opening = phrase(
        "Factor: {factor} (only difference: {part}). {tasks} tasks x {done} of {repeats} repeats in control and "
        "branch, interleaved, fresh noise; chosen: {how}.",
        factor=factor_words(plan.factor),
        part=plan.factor.part,
        tasks=len(plan.chosen.tasks),
        done=result.repeats_done,
        repeats=plan.repeats,
        how=chosen_words(plan),
    )
    if result.effect is None:
        return [opening, phrase("No task has a counted trial in both arms: nothing can be said yet.")]
    return [
        opening, _effect(plan, result), _placebo(plan, result), _passing(result), _check(result), _cost(result),
        _verdict(result),
    ]  # fmt: skip


def _effect(plan: ExperimentPlan, result: ExperimentResult) -> str:
    effect, flips, control, branch = result.effect, result.flips, result.arms["control"], result.arms["branch"]
    assert effect is not None
    assert flips is not None
    counts = ""
    if result.repeats_done == 1:
        counts = f" ({control.passed}/{control.trials} and {branch.passed}/{branch.trials})"
    holm = phrase(", Holm over {n}", n=plan.rules.factors) if plan.rules.factors > 1 else ""
    return phrase(
        "Control passed {control}, branch {branch}{counts}. Effect {effect} {interval}, 95 %; fixed {fixed} tasks, "
        "broke {broken}, {moved} of {n} moved; exact {p}{holm}.",
        control=share(result.control_rate),
        branch=share(result.branch_rate),
        counts=counts,
        effect=in_points(effect.estimate),
        interval=points_interval(effect.low, effect.high),
        fixed=len(flips.fixed),
        broken=len(flips.broken),
        moved=effect.informative,
        n=effect.n,
        p=p_value(result.p),
        holm=holm,
    )


def _placebo(plan: ExperimentPlan, result: ExperimentResult) -> str:
    placebo = result.placebo
    if placebo is None:
        return ""
    if placebo.effect is not None:
        return phrase(
            "Against a neutral edit of {part}: {effect}, {p}.",
            part=plan.placebo.part,
            effect=in_points(placebo.effect.estimate),
            p=p_value(placebo.effect.p),
        )
    if placebo.missing and result.status == "ended":
        return phrase("A placebo arm would have been needed to name an effect; none ran.")
    return ""


def _passing(result: ExperimentResult) -> str:
    passing = result.passing
    if passing is None:
        return ""
    limit = phrase("would have noticed no breakage (too few)")
    if passing.would_have_noticed is not None:
        noticed = share(passing.would_have_noticed)
        limit = phrase("would have noticed a breakage of {share} of them with 80 % chance", share=noticed)
    effect = passing.effect
    return phrase(
        "Passing tasks tried: {n}, change {change} {interval}, broke {broken}; {limit}.{harm}",
        n=effect.n,
        change=in_points(effect.estimate),
        interval=points_interval(effect.low, effect.high),
        broken=len(passing.flips.broken),
        limit=limit,
        harm=phrase(" This is harm.") if passing.harm else "",
    )


def check_words(result: ExperimentResult) -> str:
    """What the manipulation check saw; empty where none was made."""
    check = result.manipulation
    if check is None:
        return ""
    why = f" ({sentence(check.reason)})" if check.reason else ""
    return phrase(_CHECKS[check.status]) + why


def _check(result: ExperimentResult) -> str:
    return phrase("Manipulation check: {check}.", check=check_words(result)) if result.manipulation else ""


def _cost(result: ExperimentResult) -> str:
    spent = []
    for name in ARMS:
        if name not in result.arms:
            continue
        spending = result.arms[name].spending
        if not spending.passes:
            spent.append(phrase("{arm} no pass", arm=word(name)))
            continue
        tokens, cost = spending.tokens_per_pass, spending.cost_per_pass
        told = phrase("tokens unknown") if tokens is None else phrase("{n} tokens", n=count(tokens))
        price = phrase("price unknown") if cost is None else money(cost)
        spent.append(f"{word(name)} {told}, {price}")
    return phrase("Cost per pass: {spent}.", spent="; ".join(spent))


def _verdict(result: ExperimentResult) -> str:
    if result.status != "ended":
        return phrase("No verdict yet.")
    verdicts = "; ".join(
        phrase(
            "{word} on {scope} ({why})",
            word=word(verdict.word),
            scope=scope_words(verdict.scope),
            why=sentences(verdict.reasons),
        )
        for verdict in result.verdicts
    )
    more = ""
    if result.tasks_needed is not None:
        more = phrase(
            " It would take {show} such tasks to show it, {exclude} to exclude it.",
            show=result.tasks_needed.to_show,
            exclude=result.tasks_needed.to_exclude,
        )
    if result.reproduced:
        more += phrase(" Reproduced without noise: {n} tasks flipped.", n=len(result.reproduced))
    return phrase("Verdict: {verdicts}.{more}", verdicts=verdicts, more=more)


def next_step(result: ExperimentResult) -> str | None:
    """What to do next, as one sentence; None before the end."""
    verdict = result.verdict
    if verdict is None:
        return None
    if verdict.word == "cause":
        return _after_a_cause(result)
    if verdict.word == "harmful":
        return phrase("Leave this part as it was.")
    if verdict.word == "partial":
        return phrase("Open the branch's trials where they stop now, and branch again from there.")
    if verdict.word == "not_a_cause":
        return phrase("Try another factor: this one changes less than matters.")
    return _after_inconclusive(result)


def _after_a_cause(result: ExperimentResult) -> str:
    broken = [*(result.flips.broken if result.flips else ()), *(result.passing.flips.broken if result.passing else ())]
    if broken:
        return phrase(
            "Look at what it broke first ({tasks}), then run the whole suite with the change.",
            tasks=", ".join(broken[:3]),
        )
    return phrase("Keep the change and run the whole suite with it.")


def _after_inconclusive(result: ExperimentResult) -> str:
    if result.manipulation is not None and result.manipulation.status == "failed":
        return phrase(
            "Find out why what was changed did not differ between the arms; nothing else here means anything before."
        )
    if any(reason.code == "too_much_not_counted" for reason in result.reasons):
        return phrase("Get the trials that did not count to run, then repeat the experiment.")
    if result.placebo is not None and result.placebo.missing:
        return phrase("Repeat it with a placebo arm (--placebo on).")
    effect, needed = result.effect, result.tasks_needed
    if result.stop == "no_sign_of_help" or (effect is not None and effect.estimate <= 0):
        return phrase("Try another factor: there was no sign of help.")
    if needed is not None and effect is not None and effect.n < needed.to_show:
        return plural(
            needed.to_show, "Try it on one more failing task.", "Try it on more failing tasks: about {n} would do."
        )
    return phrase("Repeat it with more repeats.")
