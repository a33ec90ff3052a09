"""A result in words: the verdict with all that it stands on, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCOPE_WORDS = {
    "this_step": "this step, given this history", "these_tasks": "these tasks", "tasks_like_these": "tasks like these",
}  # fmt: skip
VERDICT_WORDS = {
    "cause": "cause", "harmful": "harmful", "not_a_cause": "not a cause", "partial": "partial",
    "inconclusive": "inconclusive",
}  # fmt: skip
_CHECKS = {
    "seen": "both arms were sent what was planned", "failed": "failed", "not_observable": "not observable",
}  # fmt: skip


def points(share: float) -> str:
    """A difference of shares: `+8.3 points`."""
    return f"{100 * share:+.1f} points"


def percent(share: float | None) -> str:
    """A share: `58 %`; `-` where there is none."""
    return "-" if share is None else f"{100 * share:.0f} %"


def p_value(p: float | None) -> str:
    """A p value, two digits and never a bare 0."""
    if p is None:
        return "no p"
    return "p = 1.0" if p >= 1 else f"p < {1e-6:g}" if p < 1e-6 else f"p = {p:.2g}"


def sentence(body: Mapping[str, Any]) -> str:
    """The verdict sentence of an assembled result, every number with its denominator."""
    return " ".join(part for part in _parts(body) if part)


def _parts(body: Mapping[str, Any]) -> list[str]:
    factor, tasks = body["factor"], body["tasks"]
    found, ended = body["effect"], body["status"] == "ended"
    opening = (
        f"Factor: {factor['words']} (only difference: {factor['part']}). {len(tasks['tasks'])} tasks x {body['waves']} "
        f"of {body['repeats']} repeats in control and branch, interleaved, fresh noise; chosen: {tasks['how']}."
    )
    if found is None:
        return [opening, "No task has a counted trial in both arms: nothing can be said yet."]
    return [opening, _effect(body), _placebo(body), _passing(body), _check(body), _cost(body), _verdict(body, ended)]


def _effect(body: Mapping[str, Any]) -> str:
    found, flips, arms = body["effect"], body["flips"], body["arms"]
    control, branch = arms["control"], arms["branch"]
    counts = ""
    if body["waves"] == 1:
        counts = f" ({control['passed']}/{control['trials']} and {branch['passed']}/{branch['trials']})"
    factors = body["rules"]["factors"]
    holm = f", Holm over {factors}" if factors > 1 else ""
    return (
        f"Control passed {percent(body['control_rate'])}, branch {percent(body['branch_rate'])}{counts}. "
        f"Effect {points(found['estimate'])} [{points(found['low'])} to {points(found['high'])}, 95 %]; "
        f"fixed {len(flips['fixed'])} tasks, broke {len(flips['broken'])}, {body['informative']} of {body['n']} moved; "
        f"exact {p_value(found['p'])}{holm}."
    )


def _placebo(body: Mapping[str, Any]) -> str:
    placebo = body["placebo"]
    against = placebo["effect"]
    if against is not None:
        return f"Against a neutral edit of {placebo['part']}: {points(against['estimate'])}, {p_value(against['p'])}."
    if placebo["missing"] and body["status"] == "ended":
        return "A placebo arm would have been needed to name an effect; none ran."
    return ""


def _passing(body: Mapping[str, Any]) -> str:
    found = body["passing"]
    if found is None:
        return ""
    noticed = found["would_have_noticed"]
    limit = "would have noticed no breakage (too few)"
    if noticed is not None:
        limit = f"would have noticed a breakage of {percent(noticed)} of them with 80 % chance"
    harm = " This is harm." if found["harm"] else ""
    return (
        f"Passing tasks tried: {found['tasks']}, change {points(found['change'])} [{points(found['low'])} to "
        f"{points(found['high'])}], broke {len(found['flips']['broken'])}; {limit}.{harm}"
    )


def _check(body: Mapping[str, Any]) -> str:
    check = body["manipulation_check"]
    why = f" ({check['why']})" if check["why"] else ""
    return f"Manipulation check: {_CHECKS[check['status']]}{why}."


def _cost(body: Mapping[str, Any]) -> str:
    said = []
    for arm, spent in body["cost_per_pass"].items():
        tokens, cost = spent["tokens_per_pass"], spent["cost_per_pass"]
        if not spent["passes"]:
            said.append(f"{arm} no pass")
        else:
            price = f"{cost:.4g}" if cost is not None else "price unknown"
            said.append(f"{arm} {'tokens unknown' if tokens is None else f'{tokens:,.0f} tokens'}, {price}")
    return f"Cost per pass: {'; '.join(said)}."


def _verdict(body: Mapping[str, Any], ended: bool) -> str:
    if not ended:
        return "No verdict yet."
    said = "; ".join(
        f"{VERDICT_WORDS[one['word']]} on {SCOPE_WORDS[one['scope']]} ({one['why']})" for one in body["verdicts"]
    )
    needed = body["tasks_needed"]
    more = ""
    if needed is not None:
        more = f" It would take {needed['to_show']} such tasks to show it, {needed['to_exclude']} to exclude it."
    if body["reproduced"]:
        more += f" Reproduced without noise: {len(body['reproduced'])} tasks flipped."
    return f"Verdict: {said}.{more}"


def next_step(body: Mapping[str, Any]) -> str:
    """What to do next, as one sentence."""
    word, passing = body["verdict"], body["passing"]
    if word == "cause":
        broken = [*body["flips"]["broken"], *(passing["flips"]["broken"] if passing else [])]
        if broken:
            return f"Look at what it broke first ({', '.join(broken[:3])}), then run the whole suite with the change."
        return "Keep the change and run the whole suite with it."
    if word == "harmful":
        return "Leave this part as it was."
    if word == "partial":
        return "Open the branch's trials where they stop now, and branch again from there."
    if word == "not_a_cause":
        return "Try another factor: this one changes less than matters."
    if body["manipulation_check"]["status"] == "failed":
        return "Find out why the changed part did not reach the agent; nothing else here means anything before."
    if any("not counted" in reason for reason in body["reasons"]):
        return "Get the trials that did not count to run, then repeat the experiment."
    if body["placebo"]["missing"]:
        return "Repeat it with a placebo arm (--placebo on)."
    if body["stop"] == "no_sign_of_help" or (body["effect"] and body["effect"]["estimate"] <= 0):
        return "Try another factor: there was no sign of help."
    needed = body["tasks_needed"]
    if needed is not None and body["n"] < needed["to_show"]:
        return f"Try it on more failing tasks: about {needed['to_show']} would do."
    return "Repeat it with more repeats."
