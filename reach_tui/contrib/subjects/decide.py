"""One decision: the course is run again over all that was heard, and what it does next is the message."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reach_tui import Brief, messages_of_summary
from reach_tui.contrib.subjects.choose import Chooser, digest_of, read_tools
from reach_tui.contrib.subjects.course import Call, Course
from reach_tui.contrib.subjects.heard import listen
from reach_tui.contrib.subjects.traits import SUBJECTS, moved_by


def decide(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], options: Mapping[str, Any], brief: Brief
) -> dict[str, Any]:
    """The next assistant message in the chat-completions form, the same for equal arguments in any process.

    `tools` in the function form, as the setup shows them. `options` hold `model` (a name in SUBJECTS), `seed`, and
    traits by name that are laid over the subject's. KeyError for an unknown subject, ValueError for unknown traits.
    """
    told = messages_of_summary(messages)
    conversation = listen(messages if told is None else told)
    overrides = {name: value for name, value in options.items() if name not in ("model", "seed")}
    traits = moved_by(conversation.prompt, SUBJECTS[str(options["model"])].override(overrides))
    if told is not None:
        traits = replace(traits, memory=None)  # All that happened stands in front of it.
    shown = read_tools(tools)
    touched = digest_of(conversation.prompt, shown) if traits.touch else ""
    chooser = Chooser(shown, traits, int(options.get("seed") or 0), brief.purposes, touched)
    course = Course(conversation, chooser, _in_short(brief)).run()
    act = next(course)
    for event in conversation.events:
        act = course.send(event)
    if not isinstance(act, Call):
        return {"role": "assistant", "content": act.text}
    arguments = json.dumps(act.args, ensure_ascii=False, sort_keys=True)
    call_id = f"call_{conversation.decisions + 1}"
    call = {"id": call_id, "type": "function", "function": {"name": act.tool, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _in_short(brief: Brief) -> Brief:
    """The brief with its reference as suites write it: `{tool: args}` and `{ask: words}`."""
    short = ({"ask": entry["ask"]} if "ask" in entry else {entry["tool"]: entry["args"]} for entry in brief.reference)
    return replace(brief, reference=tuple(short))
