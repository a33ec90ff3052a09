"""tau2-bench results, both storage forms: one JSON object, or a folder of `results.json` and `simulations/*.json`.

The format is described by its producer's code (sierra-research/tau2-bench): `trial` counts from 0, times are local
without an offset (read as UTC), a tool message names its call by `id`, users may call tools of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core.canonical import digest
from reach_tui.core.text import storable
from reach_tui.core.trajectory import Trajectory
from reach_tui.formats.model import ImportedRun, ImportedTrial, essence, task_body, trial_uid, with_attempts
from reach_tui.formats.observed import observe, start_of
from reach_tui.formats.source import Record, Unreadable
from reach_tui.formats.tau2_score import end_reason, score_of, termination
from reach_tui.formats.tau2_ticks import flatten
from reach_tui.formats.timeline import error_step, timeline
from reach_tui.formats.values import (
    clean_key,
    count,
    first_text,
    instant,
    items,
    mapping,
    milliseconds,
    number,
    read_tools,
    short,
    text_of,
)

FORMAT = "tau2-bench"
_SETTINGS = (
    "git_commit",
    "max_steps",
    "max_errors",
    "seed",
    "speech_complexity",
    "audio_native_config",
    "retrieval_config",
)
_OUT_OF_SCOPE = "###OUT-OF-SCOPE###"


def is_results(value: Any) -> bool:
    """Whether a value is a results file that holds its simulations."""
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("simulations"), list)
        and (isinstance(value.get("info"), Mapping) or isinstance(value.get("tasks"), list))
    )


def is_metadata(value: Any) -> bool:
    """Whether a value is the results file of the folder form, whose simulations are files of their own."""
    info = mapping(mapping(value).get("info"))
    return "simulations" not in mapping(value) and "environment_info" in info and "agent_info" in info


def is_simulation(value: Any) -> bool:
    """Whether a value is one simulation."""
    simulation = mapping(value)
    held = isinstance(simulation.get("messages"), list) or isinstance(simulation.get("ticks"), list)
    return held and "task_id" in simulation and ("termination_reason" in simulation or "reward_info" in simulation)


def read_tau2(
    results: Mapping[str, Any], simulations: Sequence[tuple[str, Record]], name: str
) -> tuple[tuple[ImportedRun, ...], list[tuple[str, Unreadable]]]:
    """(the run, what is no simulation), both with the file each simulation came from.

    `results` is the results file (empty where there is none), `simulations` are (file, record).
    """
    info = mapping(results.get("info"))
    environment, agent = mapping(info.get("environment_info")), mapping(info.get("agent_info"))
    model = first_text(agent, ("llm",))
    domain = first_text(environment, ("domain_name",)) or ""
    tasks = {text_of(task["id"]): task for task in items(results.get("tasks")) if "id" in mapping(task)}
    trials, problems, prompts = [], [], []
    for where, record in simulations:
        if not isinstance(record.value, Mapping) or not is_simulation(record.value):
            problems.append((where, record.problem(f"no simulation: {short(record.value)}")))
            continue
        prompts.append(text_of(record.value.get("policy") or environment.get("policy") or ""))
        trials.append(_trial(record.value, tasks, info, model, domain, where))
    if not trials:
        return (), problems
    run = ImportedRun(
        format=FORMAT,
        name=name,
        key=_run_key(results),
        agent=first_text(agent, ("implementation",)) or "",
        model=model,
        domain=domain,
        trials=with_attempts(trials),
        prompt=storable(prompts[0]) if len(set(prompts)) == 1 else "",
        tools=_tools(environment.get("tool_defs")),
        options=mapping(agent.get("llm_args")),
        environment=_environment(info, domain),
        created_at=instant(results.get("timestamp")),
    )
    return (run,), problems


def _run_key(results: Mapping[str, Any]) -> str:
    """The run's identity: when and under which settings it was made. Empty where the file does not tell both."""
    info, timestamp = mapping(results.get("info")), results.get("timestamp")
    return digest([info, timestamp]).hex() if info and timestamp else ""


def _environment(info: Mapping[str, Any], domain: str) -> dict[str, Any]:
    user = mapping(info.get("user_info"))
    settings = {key: info[key] for key in _SETTINGS if info.get(key) is not None}
    around = {key: user[key] for key in ("implementation", "llm", "llm_args", "persona_config") if user.get(key)}
    return {"name": FORMAT, "domain": domain, **settings, **({"user": around} if around else {})}


def _tools(definitions: Any) -> Any:
    listed = list(definitions.values()) if isinstance(definitions, Mapping) else items(definitions)
    return read_tools(listed)


def _trial(
    simulation: Mapping[str, Any],
    tasks: Mapping[str, Any],
    info: Mapping[str, Any],
    model: str | None,
    domain: str,
    where: str,
) -> ImportedTrial:
    key = text_of(simulation["task_id"])
    trial = count(simulation.get("trial"))
    logged = simulation.get("messages")
    ticks = items(simulation.get("ticks"))
    if not isinstance(logged, list):
        native = mapping(info.get("audio_native_config"))
        logged = flatten(ticks, number(native.get("tick_duration_seconds")))
    began = instant(simulation.get("start_time"))
    course = timeline(_unpacked(logged), failed, began)
    score = score_of(simulation)
    steps = course.steps
    reason = termination(simulation)
    if score.status in ("infra_error", "simulator_error"):
        steps = (*steps, error_step(steps, score.why))
    steps = observe(steps)
    last = next((step.text for step in reversed(steps) if step.kind == "user"), "")
    request = next((step.text for step in steps if step.kind == "user" and step.text), "")
    ended = end_reason(reason)
    task_key = clean_key(key)
    usage = mapping(simulation.get("agent_usage"))
    return ImportedTrial(
        uid=trial_uid(FORMAT, model, key, trial, [simulation.get("id"), essence(logged)]),
        task_key=task_key,
        repeat=0 if trial is None else trial + 1,
        given=trial is not None,
        task=_task(task_key, mapping(tasks.get(key)), domain, request),
        trajectory=Trajectory(
            initial=start_of(steps),
            steps=steps,
            end_reason="user_left" if _OUT_OF_SCOPE in last else ended,
            end_text=storable(reason),
        ),
        score=score,
        where=where,
        turns=course.turns,
        tokens_in=course.tokens_in if course.tokens_in is not None else count(usage.get("input_tokens")),
        tokens_out=course.tokens_out if course.tokens_out is not None else count(usage.get("output_tokens")),
        cost=number(simulation.get("agent_cost")),
        model_ms=course.model_ms,
        duration_ms=milliseconds(simulation.get("duration")),
        started_at=began,
        seed=first_text(simulation, ("seed",)),
    )


def failed(message: Mapping[str, Any], text: str) -> bool:
    """The format's rule for a call that failed: the tool message says so."""
    return message.get("error") is True


def _unpacked(messages: Sequence[Any]) -> list[Any]:
    """Messages, where one that packs several tool messages is those."""
    unpacked: list[Any] = []
    for message in messages:
        packed = mapping(message).get("tool_messages")
        if isinstance(packed, list) and packed:
            unpacked.extend({**result, "role": "tool"} if isinstance(result, Mapping) else result for result in packed)
        else:
            unpacked.append(message)
    return unpacked


def _task(key: str, task: Mapping[str, Any], domain: str, request: str) -> dict[str, Any]:
    """The task's body. What the user simulator was told is the request; where the log does not hold the task, the
    user's first words are."""
    criteria = mapping(task.get("evaluation_criteria"))
    told = _instructions(mapping(task.get("user_scenario")).get("instructions")) or text_of(task.get("ticket") or "")
    known = {name: value for name, value in task.items() if name != "id" and value not in (None, [], {})}
    return task_body(
        key,
        storable(told or request),
        domain=domain or None,
        reference=_reference(criteria),
        imported={"format": FORMAT, "task": known},
    )


def _instructions(value: Any) -> str:
    if isinstance(value, Mapping):
        order = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
        return "\n\n".join(text_of(value[name]).strip() for name in order if value.get(name))
    return text_of(value) if value else ""


def _reference(criteria: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = []
    for action in items(criteria.get("actions")):
        entry = mapping(action)
        if entry.get("name"):
            by = {"requestor": "user"} if entry.get("requestor") == "user" else {}
            calls.append({"tool": text_of(entry["name"]), "args": dict(mapping(entry.get("arguments"))), **by})
    return calls
