"""Chat messages in the OpenAI form: the common denominator of home-made harnesses.

Read: a list of messages; an object with `messages`; a list or JSON lines of those; JSON lines of single messages (one
conversation a file); pairs of request and response, of which a growing conversation logged call by call becomes one
trajectory; items of the Responses API. The form holds no outcome, so every trajectory is `unscored`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core.canonical import canonical, digest
from reach_tui.core.grading import CheckResult
from reach_tui.core.ids import content_uid
from reach_tui.core.text import storable
from reach_tui.core.tools import ToolView
from reach_tui.core.trajectory import EndReason, Step, Trajectory
from reach_tui.formats.content import read_message
from reach_tui.formats.conversations import SESSION_KEYS, TRIAL_KEYS, Conversation, read_conversations
from reach_tui.formats.model import ImportedRun, ImportedTrial, Score, essence, task_body, trial_uid, with_attempts
from reach_tui.formats.observed import observe, start_of
from reach_tui.formats.source import Record, Unreadable, load_json
from reach_tui.formats.timeline import PROMPT_ROLES, error_step, timeline
from reach_tui.formats.values import (
    clean_key,
    count,
    first_text,
    instant,
    mapping,
    milliseconds,
    number,
    read_tools,
    short,
)

FORMAT = "openai-chat"
_RUN_KEYS = ("run", "run_name", "run_id", "experiment")
_AGENT_KEYS = ("agent", "agent_name")
_DOMAIN_KEYS = ("domain", "env", "environment")
_TIME_KEYS = ("started_at", "start_time", "timestamp", "created_at", "created")
_SCORE_KEYS = ("reward", "score", "passed", "success", "correct", "is_correct", "outcome")


def read_chat(
    records: Sequence[Record], name: str, where: str, gaps: Sequence[int] = ()
) -> tuple[tuple[ImportedRun, ...], list[Unreadable]]:
    """(runs, records that are none) of the records of one file. `name` is what a run without a name is called.

    `gaps` are lines that could not be read.
    """
    conversations, problems = read_conversations(records, gaps)
    return _runs(conversations, name, where), problems


def _runs(conversations: Sequence[Conversation], name: str, where: str) -> tuple[ImportedRun, ...]:
    groups: dict[tuple[str, str, str, str], list[Conversation]] = {}
    for conversation in conversations:
        about = {**mapping(conversation.about.get("metadata")), **conversation.about}
        label, agent = first_text(about, _RUN_KEYS) or "", first_text(about, _AGENT_KEYS) or ""
        groups.setdefault((label, conversation.model or "", agent, first_text(about, _DOMAIN_KEYS) or ""), []).append(
            conversation
        )
    copies: dict[bytes, int] = {}
    return tuple(
        _run(group, storable(label or name), model or None, agent, domain, where, copies)
        for (label, model, agent, domain), group in groups.items()
    )


def _run(
    conversations: Sequence[Conversation],
    name: str,
    model: str | None,
    agent: str,
    domain: str,
    where: str,
    copies: dict[bytes, int],
) -> ImportedRun:
    prompts = {_prompt(conversation.messages) for conversation in conversations}
    trials = [_trial(conversation, model, where, copies) for conversation in conversations]
    tools: dict[str, ToolView] = {}
    for conversation in conversations:
        for tool in read_tools(conversation.tools):
            tools.setdefault(tool.name, tool)
    started = [trial.started_at for trial in trials if trial.started_at is not None]
    return ImportedRun(
        format=FORMAT,
        name=name,
        key="",
        agent=agent,
        model=model,
        domain=domain,
        trials=with_attempts(trials),
        prompt=next(iter(prompts)) if len(prompts) == 1 else "",
        tools=tuple(tools.values()),
        created_at=min(started, default=None),
    )


def _trial(conversation: Conversation, model: str | None, where: str, copies: dict[bytes, int]) -> ImportedTrial:
    about = {**mapping(conversation.about.get("metadata")), **conversation.about}
    course = timeline(conversation.messages, stated_error)
    steps = course.steps
    request = next((step.text for step in steps if step.kind == "user" and step.text), "")
    # The id of a single request is none of the conversation that it is a part of.
    named = first_text(about, SESSION_KEYS if conversation.asked else (*SESSION_KEYS, "custom_id", "id"))
    key = named or content_uid("chat-", request or canonical(conversation.messages[:1]))
    trial = next((index for index in (count(about.get(key)) for key in TRIAL_KEYS) if index is not None), None)
    # Equal conversations without an index are separate tries; `copies` counts them over the whole file.
    said_here = essence(conversation.messages)
    identity = digest([key, model, said_here])
    copy = copies.get(identity, 0) if trial is None else 0
    copies[identity] = copies.get(identity, 0) + 1
    if conversation.error:
        steps = (
            *steps,
            error_step(steps, f"the log tells of an error: {short(conversation.error)}", conversation.error),
        )
    uid = trial_uid(FORMAT, model, key, trial, said_here, copy)
    steps = observe(steps)
    task_key = clean_key(key)
    return ImportedTrial(
        uid=uid,
        task_key=task_key,
        repeat=trial or 0,
        given=trial is not None,
        task=task_body(task_key, storable(request), domain=first_text(about, _DOMAIN_KEYS)),
        trajectory=Trajectory(
            initial=start_of(steps),
            steps=steps,
            end_reason=_end_reason(steps, conversation.error),
            end_text="",
            tools=tuple(t.name for t in read_tools(conversation.tools)),
        ),
        score=_score(about, conversation.error),
        where=where,
        line=conversation.line or None,
        turns=course.turns,
        tokens_in=conversation.tokens_in if conversation.tokens_in is not None else course.tokens_in,
        tokens_out=conversation.tokens_out if conversation.tokens_out is not None else course.tokens_out,
        cost=number(about.get("cost")),
        model_ms=course.model_ms,
        duration_ms=milliseconds(about.get("duration")),
        started_at=next((at for key in _TIME_KEYS if (at := instant(about.get(key))) is not None), None),
        seed=first_text(about, ("seed",)),
    )


def _score(about: Mapping[str, Any], error: Any) -> Score:
    """Never a verdict: chat messages have no outcome. What a record carries of a score is shown and decides nothing."""
    scores = [(key, about[key]) for key in _SCORE_KEYS if about.get(key) is not None]
    checks = tuple(
        CheckResult("custom", False, "skipped", f"the record's own {key!r}: {short(value)}", actual=value)
        for key, value in scores
    )
    if error:
        return Score("infra_error", f"the log tells of an error: {short(error)}", checks, owner="infrastructure")
    carried = f"; its {', '.join(repr(key) for key, _ in scores)} is shown and decides nothing" if scores else ""
    return Score("unscored", f"a log of chat messages has no outcome{carried}", checks)


def _end_reason(steps: Sequence[Step], error: Any) -> EndReason:
    if error:
        return "infra_error"
    return (
        "answered"
        if steps and steps[-1].kind in ("agent", "user") and any(s.kind == "agent" for s in steps)
        else "unknown"
    )


def stated_error(message: Mapping[str, Any], text: str) -> bool:
    """Whether a result says that its call failed. The form has no flag; these are the customs that are about."""
    if message.get("is_error") is True or message.get("error") is True:
        return True
    if text.startswith(("Error:", "Error ", "error:", "Unknown action ")):
        return True
    if text.startswith("{") and '"error"' in text:
        try:
            return bool(load_json(text).get("error"))
        except Unreadable:
            return False
    return False


def _prompt(messages: Sequence[Any]) -> str:
    """The instructions at the head of a conversation."""
    texts = []
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role") not in PROMPT_ROLES:
            break
        texts.append(read_message(message).text)
    return storable("\n\n".join(texts))
