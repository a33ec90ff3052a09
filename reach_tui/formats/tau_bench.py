"""tau-bench run files: a list of records with the conversation (`traj`), the task and the reward.

The format is described by its producer's code (sierra-research/tau-bench): `task_id` is an index, `trial` counts from
0, `reward` is 0 or 1. A null `reward_info` is a conversation that the step limit ended; an empty `traj` with
`info.error` is a trial that broke from outside. The actions of a task are one reference path and decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core.canonical import canonical
from reach_tui.core.grading import CheckResult
from reach_tui.core.text import storable
from reach_tui.core.trajectory import EndReason, Step, Trajectory
from reach_tui.formats.content import read_arguments
from reach_tui.formats.model import ImportedRun, ImportedTrial, Score, essence, task_body, trial_uid, with_attempts
from reach_tui.formats.observed import observe, start_of
from reach_tui.formats.source import Record, Unreadable, load_json
from reach_tui.formats.timeline import error_step, timeline
from reach_tui.formats.values import clean_key, count, first_text, full, items, mapping, number, short, text_of

FORMAT = "tau-bench"
STOP, TRANSFER = "###STOP###", "transfer_to_human_agents"
_DOMAINS = (("airline agent policy", "airline"), ("retail agent policy", "retail"))
_API_OUTPUT = "API output: "


def is_record(value: Any) -> bool:
    """Whether a value is one record of a run file."""
    return isinstance(value, Mapping) and isinstance(value.get("traj"), list)


def read_tau_bench(
    records: Sequence[Record], name: str, where: str, model: str | None = None
) -> tuple[tuple[ImportedRun, ...], list[Unreadable]]:
    """(the run, records that are none). The file names no model; `model` is what its name tells, for display only."""
    trials: list[ImportedTrial] = []
    problems: list[Unreadable] = []
    prompts: set[str] = set()
    domains: set[str] = set()
    for record in records:
        if not is_record(record.value):
            problems.append(record.problem(f"no record of a trial: {short(record.value)}"))
            continue
        prompt = _prompt(record.value["traj"])
        prompts.add(prompt)
        domains.add(next((domain for text, domain in _DOMAINS if text in prompt[:2000].lower()), ""))
        trials.append(_trial(record.value, where, record.line or None))
    if not trials:
        return (), problems
    run = ImportedRun(
        format=FORMAT,
        name=name,
        key="",
        agent="",
        model=model,
        trials=with_attempts(trials),
        domain=next(iter(domains)) if len(domains) == 1 else "",
        prompt=storable(next(iter(prompts))) if len(prompts) == 1 else "",
    )
    return (run,), problems


def _trial(record: Mapping[str, Any], where: str, line: int | None) -> ImportedTrial:
    info = mapping(record.get("info"))
    task = mapping(info.get("task"))
    key = first_text(record, ("task_id",)) or "unknown"
    trial = count(record.get("trial"))
    logged = record["traj"]
    course = timeline(_as_calls(logged), failed)
    steps = course.steps
    error = info.get("error")
    if error:
        steps = (
            *steps,
            error_step(steps, short(error, 2000), {k: info[k] for k in ("error", "traceback") if k in info}),
        )
    steps = observe(steps)
    score = score_of(record, steps)
    task_key = clean_key(key)
    return ImportedTrial(
        uid=trial_uid(FORMAT, None, key, trial, [essence(logged), error] if error else essence(logged)),
        task_key=task_key,
        repeat=0 if trial is None else trial + 1,
        given=trial is not None,
        task=task_body(
            task_key,
            storable(text_of(task.get("instruction") or "")),
            reference=list(_reference(task)),
            imported={"format": FORMAT, "task": dict(task)},
        ),
        trajectory=Trajectory(
            initial=start_of(steps), steps=steps, end_reason=_end(record, steps), end_text=short(error) if error else ""
        ),
        score=score,
        where=where,
        line=line,
        turns=course.turns,
    )


def failed(message: Mapping[str, Any], text: str) -> bool:
    """The format's rule for a call that failed: its text says so."""
    return text.startswith(("Error: ", "Error:", "Unknown action "))


def score_of(record: Mapping[str, Any], steps: Sequence[Step]) -> Score:
    """What a record came to: its reward decides, its parts say why, the reference actions only inform."""
    info = mapping(record.get("info"))
    reward = number(record.get("reward"))
    checks = (*_parts(mapping(info.get("reward_info")), reward), *_actions(mapping(info.get("task")), steps))
    if not record["traj"] and info.get("error"):
        return Score("infra_error", f"the trial broke: {short(info['error'])}", checks, reward, "infrastructure")
    if reward is None:
        return Score("unscored", "the log holds no reward", checks)
    if full(reward):
        return Score("passed", "reward 1", checks, reward)
    if _end(record, steps) == "step_limit":
        return Score("failed", f"reward {reward:g}: the step limit ended the conversation", checks, reward)
    missed = next((check.why for check in checks if check.decides and check.verdict == "fail"), None)
    return Score("failed", f"reward {reward:g}" + (f": {missed}" if missed else ""), checks, reward)


def _parts(reward_info: Mapping[str, Any], reward: float | None) -> list[CheckResult]:
    """The parts of a reward. Where a task has outputs, theirs stand in place of the database's, which is then told
    from the reward: said in full and yet no reward means that the database differed."""
    parts = mapping(reward_info.get("info"))
    database, outputs = number(parts.get("r_actions")), number(parts.get("r_outputs"))
    checks = []
    if database is not None:
        checks.append(_database(full(database)))
    elif outputs is not None and full(outputs) and reward is not None:
        checks.append(_database(full(reward)))
    elif outputs is not None:
        why = "whether the database came out right is not recorded where an output is missing"
        checks.append(CheckResult("state", True, "skipped", why))
    for text, stated in mapping(parts.get("outputs")).items():
        why = f"the agent {'said' if stated else 'never said'} {short(text)!r}"
        checks.append(CheckResult("text", True, "pass" if stated else "fail", why, expected=text))
    return checks


def _database(right: bool) -> CheckResult:
    why = "the database ended as the reference actions leave it"
    if not right:
        why = "the database did not end as the reference actions leave it"
    return CheckResult("state", True, "pass" if right else "fail", why)


def _actions(task: Mapping[str, Any], steps: Sequence[Step]) -> list[CheckResult]:
    """Whether each reference action was called with these arguments: one path among others, so it never decides."""
    checks = []
    for action in _reference(task):
        expected_args = canonical(action["args"])
        hit = next(
            (s for s in steps if _called(s, action["tool"]) and canonical(s.body.get("args")) == expected_args), None
        )
        why = f"reference action {action['tool']} {'was called' if hit else 'was not called with these arguments'}"
        if hit:
            args, step = hit.body.get("args"), hit.n
            checks.append(CheckResult("tools", False, "pass", why, expected=action, actual=args, step=step))
        else:
            checks.append(CheckResult("tools", False, "fail", why, expected=action))
    return checks


def _called(step: Step, tool: str) -> bool:
    return step.kind == "call" and step.tool == tool


def _reference(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"tool": text_of(action["name"]), "args": dict(mapping(action.get("kwargs")))}
        for action in items(task.get("actions"))
        if isinstance(action, Mapping) and action.get("name")
    ]


def _end(record: Mapping[str, Any], steps: Sequence[Step]) -> EndReason:
    info = mapping(record.get("info"))
    if info.get("error") and not record["traj"]:
        return "infra_error"
    if any(STOP in step.text for step in steps if step.kind == "user") or any(_called(s, TRANSFER) for s in steps):
        return "answered"
    if "reward_info" in info and info["reward_info"] is None and record["traj"]:
        return "step_limit"
    return "unknown"


def _prompt(traj: Sequence[Any]) -> str:
    first = mapping(traj[0]) if traj else {}
    return text_of(first.get("content") or "") if first.get("role") == "system" else ""


def _as_calls(messages: Sequence[Any]) -> list[Any]:
    """Messages of the text strategies (`react`, `act`), whose actions are JSON behind `Action:`, as calls and results.

    Those of the tool-calling strategy, and whatever is laid out otherwise, stay as they are.
    """
    if any(mapping(message).get("tool_calls") for message in messages):
        return list(messages)
    made: list[Any] = []
    waiting = False
    for message in messages:
        text = mapping(message).get("content")
        action = _action(text) if mapping(message).get("role") == "assistant" and isinstance(text, str) else None
        if action is not None and isinstance(text, str):
            name, arguments, thought = action
            waiting = name != "respond"
            if waiting:
                call = {"function": {"name": name, "arguments": arguments}}
                made.append({"role": "assistant", "content": thought or None, "tool_calls": [call], "logged": message})
            else:
                words = text_of(mapping(arguments).get("content") or "")
                made.append({"role": "assistant", "content": words, "reasoning": thought, "logged": message})
        elif waiting and isinstance(text, str) and text.startswith(_API_OUTPUT):
            made.append({"role": "tool", "content": text[len(_API_OUTPUT) :], "logged": message})
            waiting = False
        else:
            made.append(message)
    return made


def _action(text: str) -> tuple[str, Any, str] | None:
    """(tool, arguments, the thought before) of a message of a text strategy, or None."""
    before, mark, after = text.rpartition("Action:")
    if not mark:
        return None
    try:
        value = load_json(after.strip())
    except Unreadable:
        return None
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        return None
    thought = before.strip().removeprefix("Thought:").strip()
    return value["name"], read_arguments(value.get("arguments")) or value.get("arguments"), thought
