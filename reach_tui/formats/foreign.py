"""What a file is that is read by none of the readers, so that a person is told more than "unknown"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.formats.values import items, mapping, names_of, short

_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use")


def anthropic_blocks(messages: Any) -> bool:
    """Whether messages hold content blocks of the Anthropic form, which are read by no reader of chat messages."""
    return any(
        mapping(block).get("type") in ("tool_use", "tool_result")
        for message in items(messages)
        for block in items(mapping(message).get("content"))
    )


def describe(value: Any) -> str:
    """In words, what a JSON value is, as far as its shape tells."""
    if isinstance(value, list):
        if not value:
            return "an empty list: 0 trajectories"
        inner = _known(value[0]) if isinstance(value[0], Mapping) else None
        return f"a list of {len(value)}: {inner or _shape(value[0])}"
    return (_known(value) if isinstance(value, Mapping) else None) or _shape(value)


def describe_lines(values: Sequence[Any]) -> str:
    """In words, what the values of JSON lines are: the first that is known, else the first."""
    objects = [value for value in values if isinstance(value, (Mapping, list))] or list(values[:1])
    named = (name for value in objects if isinstance(value, Mapping) and (name := _known(value)))
    return next(named, None) or (describe(objects[0]) if objects else "nothing")


def _shape(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"an object with {names_of(value)}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"just {short(value, 60)}"


def _known(value: Mapping[str, Any]) -> str | None:
    """The name of a format that is known and not read, by the keys that mark it."""
    has = value.__contains__
    if anthropic_blocks(value.get("messages")) or mapping(value.get("message")).get("type") == "message":
        if has("sessionId"):
            return "a Claude Code session"
        return "Anthropic messages (blocks tool_use and tool_result)"
    if has("sessionId") and has("type") and (has("uuid") or has("leafUuid")):
        return "a Claude Code session"
    if isinstance(value.get("schema_version"), str) and has("steps"):
        return "an ATIF trajectory"
    if has("eval") and (has("samples") or has("plan")):
        return "an Inspect AI log"
    if has("resourceSpans") or has("batches") or (has("data") and "spans" in mapping((items(value["data"]) or [0])[0])):
        return "OpenTelemetry spans"
    if has("trace_id") and has("run_type"):
        return "LangSmith runs"
    if has("span_id") or (has("context") and "span_id" in mapping(value.get("context"))) or has("spanId"):
        return "OpenTelemetry spans"
    if has("observations") or has("traceId"):
        return "a Langfuse trace"
    if has("run_type") or (has("post") and has("patch")):
        return "LangSmith runs"
    if has("mistake_step") or has("mistake_agent"):
        return "a Who&When record"
    if has("trajectory_format"):
        return "a mini-SWE-agent trajectory"
    if has("trajectory") and (has("info") or has("environment")):
        return "a SWE-agent trajectory"
    if has("instance_id") and has("history"):
        return "an OpenHands evaluation"
    if (has("action") or has("observation")) and has("source"):
        return "OpenHands events"
    if has("history") and has("info"):
        return "a SWE-agent history"
    if has("payload") and has("timestamp") and has("type"):
        return "a Codex rollout"
    if has("milestones") and has("task_id"):
        return "a trace of milestones"
    if has("evaluation_criteria") or has("user_scenario"):
        return "tasks of tau2-bench, not results"
    return None
