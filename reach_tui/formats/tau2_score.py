"""What a simulation of tau2-bench came to, from its `reward_info` and the reason it ended.

The reward is the product of the components that `reward_basis` names, and only of those (its evaluator's code): the
checks of these decide, all others inform. Action checks compare with one reference path; unless ACTION is in the basis
an unmatched one is no failure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reach_tui.core.grading import CheckKind, CheckResult, CheckVerdict, Owner, TrialStatus
from reach_tui.core.trajectory import EndReason
from reach_tui.formats.model import Score
from reach_tui.formats.values import full, items, mapping, number, short, text_of

NOT_EVALUATED: Mapping[str, tuple[TrialStatus, Owner]] = {
    "user_error": ("simulator_error", "user"),
    "infrastructure_error": ("infra_error", "infrastructure"),
    "unexpected_error": ("infra_error", "infrastructure"),
    "context_window_exceeded": ("infra_error", "infrastructure"),
}
"""Ends that leave nothing to judge, with status and owner; the benchmark keeps them out of its rates, too."""
_AGENTS_FAULT = ("too_many_errors", "agent_error")
_ENDS: Mapping[str, EndReason] = {
    "user_stop": "answered", "agent_stop": "answered", "max_steps": "step_limit", "timeout": "time_limit",
    "context_window_exceeded": "token_limit", "user_error": "simulator_error",
    "infrastructure_error": "infra_error", "unexpected_error": "infra_error",
}  # fmt: skip
_COMPONENTS: Mapping[str, tuple[str, CheckKind, str]] = {
    "DB": ("db_check", "state", "the database"),
    "ENV_ASSERTION": ("env_assertions", "state", "the environment's assertions"),
    "ACTION": ("action_checks", "tools", "the reference actions"),
    "NL_ASSERTION": ("nl_assertions", "custom", "the assertions in words"),
    "COMMUNICATE": ("communicate_checks", "told", "what had to be communicated"),
}


def termination(simulation: Mapping[str, Any]) -> str:
    """The reason that a simulation gives for its end, in small letters; empty if none."""
    reason = simulation.get("termination_reason")
    return reason.lower().rsplit(".", 1)[-1] if isinstance(reason, str) else ""


def end_reason(reason: str) -> EndReason:
    """A termination reason as one of our end reasons."""
    return _ENDS.get(reason, "unknown")


def score_of(simulation: Mapping[str, Any]) -> Score:
    """Status, reason, checks, reward and owner of a simulation."""
    reason = termination(simulation)
    info = mapping(simulation.get("reward_info"))
    basis = _basis(info)
    checks = (*_checks(info, basis), *_review(simulation))
    reward = number(info.get("reward"))
    note = mapping(info.get("info")).get("note")
    if reason in NOT_EVALUATED:
        status, owner = NOT_EVALUATED[reason]
        return Score(status, f"the simulation ended by {reason}{_in_brackets(note)}", checks, reward, owner)
    parts = _product(info, basis)
    if reward is None and parts is None:
        return Score("unscored", f"the log holds no evaluation{_in_brackets(note)}", checks)
    value = parts if reward is None else reward
    assert value is not None
    differs = "" if reward is None or parts is None or full(reward) == full(parts) else f"; its parts give {parts:g}"
    if full(value):
        return Score("passed", f"reward 1 by {' and '.join(basis) or 'the log'}{differs}", checks, value)
    if reason in _AGENTS_FAULT:
        return Score("failed", f"reward {value:g}: ended by {reason}{_in_brackets(note)}", checks, value, "agent")
    if end_reason(reason) in ("step_limit", "time_limit"):
        return Score("failed", f"reward {value:g}: ended by {reason}{_in_brackets(note)}", checks, value)
    missed = [check.why for check in checks if check.decides and check.verdict == "fail"]
    why = (
        f": {missed[0]}" + (f" and {len(missed) - 1} more" if len(missed) > 1 else "") if missed else _in_brackets(note)
    )
    return Score("failed", f"reward {value:g}{why}{differs}", checks, value)


def _in_brackets(note: Any) -> str:
    return f" ({short(note)})" if note else ""


def _basis(info: Mapping[str, Any]) -> tuple[str, ...]:
    """The components that make the reward, as named; none where the evaluation did not run."""
    return tuple(
        dict.fromkeys(text_of(component).rsplit(".", 1)[-1].upper() for component in items(info.get("reward_basis")))
    )


def _breakdown(info: Mapping[str, Any]) -> dict[str, float]:
    rewards = {
        key.rsplit(".", 1)[-1].upper(): number(value) for key, value in mapping(info.get("reward_breakdown")).items()
    }
    return {key: value for key, value in rewards.items() if value is not None}


def _product(info: Mapping[str, Any], basis: Sequence[str]) -> float | None:
    """The product of the basis' components; None unless all of them are recorded."""
    parts = {**_from_database(info), **_breakdown(info)}
    return math.prod(parts[name] for name in basis) if basis and all(name in parts for name in basis) else None


def _from_database(info: Mapping[str, Any]) -> dict[str, float]:
    """The database's component where only its check is recorded: the breakdown of some files leaves it out."""
    value = number(mapping(info.get("db_check")).get("db_reward"))
    return {} if value is None else {"DB": value}


def _checks(info: Mapping[str, Any], basis: Sequence[str]) -> Iterator[CheckResult]:
    parts = {**_from_database(info), **_breakdown(info)}
    for name in dict.fromkeys((*basis, *_COMPONENTS)):
        decides = name in basis
        key, kind, what = _COMPONENTS.get(name, ("", "custom", name))
        results = list(_component(name, info.get(key), kind, decides))
        yield from results
        if results or not decides:
            continue
        value, note = parts.get(name), mapping(info.get("info")).get(_NOTES.get(name, ""))
        remark = mapping(note).get("note") or mapping(info.get("info")).get("note")
        if value is None:
            yield CheckResult(kind, True, "skipped", f"{what}: not recorded{_in_brackets(remark)}")
        else:
            verdict: CheckVerdict = "pass" if full(value) else "fail"
            yield CheckResult(kind, True, verdict, f"{what}: {value:g}{_in_brackets(remark)}", actual=value)


_NOTES = {"DB": "env", "ENV_ASSERTION": "env", "ACTION": "action", "NL_ASSERTION": "nl", "COMMUNICATE": "communicate"}


def _component(name: str, recorded: Any, kind: CheckKind, decides: bool) -> Iterator[CheckResult]:
    if name == "DB":
        check = mapping(recorded)
        if "db_match" in check:
            right = check["db_match"] is True
            why = "the database ended as expected" if right else "the database did not end as expected"
            yield CheckResult("state", decides, "pass" if right else "fail", why)
        return
    for item in items(recorded):
        entry = mapping(item)
        if name == "ENV_ASSERTION":
            yield _assertion(entry, decides)
        elif name == "ACTION":
            yield _action(entry, decides)
        else:
            statement = text_of(entry.get("info") or entry.get("nl_assertion") or "")
            held = entry.get("met") is True
            reason = f": {short(entry['justification'], 400)}" if entry.get("justification") else ""
            what = f"{short(statement)!r} {'holds' if held else 'does not hold'}{reason}"
            yield CheckResult(kind, decides, "pass" if held else "fail", what, expected=statement)


def _assertion(entry: Mapping[str, Any], decides: bool) -> CheckResult:
    asserted = mapping(entry.get("env_assertion"))
    held = entry.get("met") is True
    call = f"{text_of(asserted.get('func_name') or 'assertion')}({_arguments(asserted.get('arguments'))})"
    assert_value = asserted.get("assert_value", True)
    side = text_of(asserted.get("env_type") or "")
    why = f"{side + ': ' if side else ''}{call} is {'' if held else 'not '}{text_of(assert_value)}"
    return CheckResult("state", decides, "pass" if held else "fail", why, expected=dict(asserted) or None)


def _action(entry: Mapping[str, Any], decides: bool) -> CheckResult:
    action = mapping(entry.get("action"))
    matched = entry.get("action_match") is True
    name = text_of(action.get("name") or "an action")
    kind = f" ({text_of(entry['tool_type'])})" if entry.get("tool_type") else ""
    why = f"reference action {name}{kind} {'was called' if matched else 'was not called with these arguments'}"
    expected = {"tool": name, "args": action.get("arguments")}
    return CheckResult("tools", decides, "pass" if matched else "fail", why, expected=expected)


def _arguments(value: Any) -> str:
    return ", ".join(f"{name}={short(text_of(item), 60)}" for name, item in mapping(value).items())


def _review(simulation: Mapping[str, Any]) -> Iterator[CheckResult]:
    """A language model's review of the conversation, where the log has one: shown, and decides nothing."""
    for key in ("review", "user_only_review"):
        review = mapping(simulation.get(key))
        if review.get("summary"):
            has_errors = review.get("has_errors") is True or review.get("user_error") is True
            why = f"{key.replace('_', ' ')} by a model: {short(review['summary'], 400)}"
            yield CheckResult("custom", False, "fail" if has_errors else "pass", why)
