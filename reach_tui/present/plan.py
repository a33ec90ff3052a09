"""The plan of an experiment: what it will do and what it could find, in a few lines, as text and as JSON."""

from __future__ import annotations

from typing import Any

from reach_tui.core.experiment import ExperimentPlan, Stratum
from reach_tui.core.records import to_json
from reach_tui.core.verdicts import PlaceboStart
from reach_tui.counterfactual.interim import analyses
from reach_tui.present.agents import stand_in
from reach_tui.present.cells import Piece
from reach_tui.present.language import phrase, plural
from reach_tui.present.layout import width
from reach_tui.present.numbers import count, money, share, size_in_points
from reach_tui.present.reasons import sentence, sentences
from reach_tui.present.verdict import chosen_words, factor_words

_PLACEBO: dict[PlaceboStart, str] = {
    "from_start": "placebo on", "when_needed": "placebo auto", "never": "placebo off",
}  # fmt: skip

Part = tuple[Piece, ...]


def plan_text(plan: ExperimentPlan) -> str:
    """What an experiment will do and what it could find, for the command line."""
    label = stand_in(plan.agent, plan.measures)
    lines = [
        *([phrase("agent: {label}, whose numbers speak of no model", label=label)] if label else []),
        phrase("factor: {factor} (only difference: {part})", factor=factor_words(plan.factor), part=plan.factor.part),
        _joined(_size(plan)),
        phrase("chosen: {how}", how=chosen_words(plan)),
        phrase("can find with 80 % chance: {what}", what=_joined(_power(plan), "; ")),
    ]
    return "\n".join([*lines, *(phrase("warning: {what}", what=sentence(warning)) for warning in plan.warnings)])


def _joined(parts: list[Part], between: str = " | ") -> str:
    return between.join("".join(text for text, _ in part) for part in parts)


def plan_lines(plan: ExperimentPlan, cells: int) -> list[list[Piece]]:
    """`12 tasks x5 | control on | placebo auto (+60) | +20 passing | at most 320 trials | these tasks: ...` in lines of
    `cells` columns, broken between parts."""
    lines: list[list[Piece]] = [[]]
    used = 0
    for part in [*_size(plan), *_power(plan)]:
        size = sum(width(text) for text, _ in part)
        if lines[-1] and used + size + 3 > cells:
            lines.append([])
            used = 0
        if lines[-1]:
            lines[-1].append((" | ", "faint"))
            used += 3
        lines[-1] += part
        used += size
    return lines


def _size(plan: ExperimentPlan) -> list[Part]:
    """What it will run."""
    estimate = plan.estimate
    trials = phrase("at most {n} trials", n=plan.trials)
    if estimate.calls is not None:
        trials += phrase(", {n} calls", n=count(estimate.calls))
    if estimate.cost:
        trials += f" ~ {money(estimate.cost)}"
    passing = phrase("+{n} passing", n=len(plan.passing.tasks)) if plan.passing else phrase("no passing tasks")
    placebo = phrase(_PLACEBO[plan.placebo.when])
    if plan.placebo.when == "when_needed":
        placebo += f" (+{plan.placebo_trials})"
    tasks = plural(len(plan.chosen.tasks), "{n} task x{repeats}", "{n} tasks x{repeats}", repeats=plan.repeats)
    return [
        ((tasks, "strong"),), ((phrase("control on"), "text"),), ((placebo, "text"),),
        ((passing, "text"),), ((trials, "strong"),),
    ]  # fmt: skip


def _power(plan: ExperimentPlan) -> list[Part]:
    """The smallest effects that it can find, by scope."""
    smallest = plan.smallest
    parts: list[Part] = [((phrase("like these: "), "dim"), (_least(smallest.tasks_like_these), "text"))]
    if smallest.these_tasks is not None:
        parts.insert(0, ((phrase("these tasks: "), "dim"), (_least(smallest.these_tasks), "text")))
    if smallest.breakage is not None:
        told = phrase(">= {share} of the passing", share=share(smallest.breakage))
        parts.append(((phrase("breakage: "), "dim"), (told, "text")))
    return parts


def _least(effect: float | None) -> str:
    # An effect to be found has no sign: either way would do.
    if effect is None:
        return phrase("nothing can be found")
    return phrase(">= {points} points", points=size_in_points(effect))


def plan_json(plan: ExperimentPlan) -> dict[str, Any]:
    """A plan as `reach branch --dry-run --json` prints it."""
    return {
        "parent": plan.parent_uid, "parent_name": plan.parent_name, "suite": plan.suite, "agent": plan.agent,
        "factor": factor_json(plan), "chosen": stratum_json(plan.chosen),
        "passing": None if plan.passing is None else stratum_json(plan.passing), "all_failed": plan.all_failed,
        "repeats": plan.repeats, "base_seed": plan.base_seed, "placebo": to_json(plan.placebo),
        "rules": to_json(plan.rules), "trials": plan.trials, "placebo_trials": plan.placebo_trials,
        "estimate": to_json(plan.estimate), "smallest": to_json(plan.smallest),
        "warnings": [sentence(warning) for warning in plan.warnings], "concurrency": plan.concurrency,
        "looks": [
            {"wave": look.repeats_done, "level": look.level, "last": look.last} for look in analyses(plan)
        ],
    }  # fmt: skip


def about_json(uid: str, plan: ExperimentPlan) -> dict[str, Any]:
    """What a result's JSON says of its plan."""
    return {
        "experiment": uid, "parent": {"run": plan.parent_uid, "name": plan.parent_name}, "suite": plan.suite,
        "agent": plan.agent, "factor": factor_json(plan), "tasks": stratum_json(plan.chosen),
        "repeats": plan.repeats, "rules": to_json(plan.rules), "trials_planned": plan.trials,
        "smallest_effects": to_json(plan.smallest), "warnings": [sentence(warning) for warning in plan.warnings],
    }  # fmt: skip


def factor_json(plan: ExperimentPlan) -> dict[str, Any]:
    """The factor, with its words."""
    # A value that is not there (a fault taken away) is null here as everywhere in JSON.
    return {"before": None, "after": None, **to_json(plan.factor), "words": factor_words(plan.factor)}


def stratum_json(stratum: Stratum) -> dict[str, Any]:
    """The tasks of a stratum and how they were chosen, in words."""
    return {
        "name": stratum.name, "how": sentences(stratum.how, ", "), "tasks": list(stratum.tasks), "of": stratum.of,
    }  # fmt: skip
