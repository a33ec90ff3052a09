"""The second example suite keeps its word: every reference reaches its outcome, and nobody gets there by talking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.core import pointer as pointers
from reach_tui.core.task import AcceptableState, Task
from reach_tui.grading import expected_paths, grade
from reach_tui.suites.entries import entry_texts
from reach_tui.suites.lint import PROBLEM, lint_suite
from reach_tui.suites.load import load_suite
from tests.examples.replaying import GENERIC, SPECS, calls_of, changes_of, questions, steps_of, trajectory, words_of

SUITES = Path(__file__).parents[2] / "suites"
FILE = SUITES / "commerce-fresh.yaml"
SUITE = load_suite(FILE)
FIRST = load_suite(SUITES / "commerce-aftersales.yaml")
TASKS = {task.key: task for task in SUITE.tasks}
TELLING = [key for key, task in TASKS.items() if task.kind != "action"]
ACTIONS = [key for key, task in TASKS.items() if task.kind == "action"]
STRAY = {"tool": "open_ticket", "args": {"category": "other", "subject": "stray", "order_id": "SO-2026-0021"}}


def passes(task: Task, calls: Sequence[dict[str, Any]], last: str) -> bool:
    """Whether an agent passes that asks what has to be asked, makes `calls` and says `last`."""
    return grade(task, trajectory(task, calls, questions(task), last), SPECS).status == "passed"


def results_of(task: Task, calls: Sequence[dict[str, Any]]) -> str:
    """What the tools answer to `calls`."""
    return "\n".join(step.body["result"] for step in steps_of(task, calls, [], "")[1] if step.kind == "call")


@pytest.mark.parametrize("key", TASKS)
def test_the_reference_reaches_every_outcome(key: str) -> None:
    task = TASKS[key]
    assert calls_of(task)
    for outcome in task.outcomes or (AcceptableState(),):
        grading = grade(task, trajectory(task, calls_of(task), questions(task), words_of(outcome)), SPECS)
        assert grading.status == "passed", (grading.why, [check for check in grading.checks if check.verdict == "fail"])
        assert grading.depth == grading.depth_of, grading.milestones


@pytest.mark.parametrize("key", TASKS)
def test_nobody_passes_with_an_empty_or_generic_answer(key: str) -> None:
    task = TASKS[key]
    for last in GENERIC:
        assert not passes(task, [], last), last
    reads = [call for call in calls_of(task) if not SPECS[call["tool"]].writes]
    for last in GENERIC:
        assert not passes(task, reads, last), last


@pytest.mark.parametrize("key", TASKS)
def test_nobody_passes_by_repeating_the_users_words(key: str) -> None:
    task = TASKS[key]
    assert not passes(task, [], " ".join([task.request, *(turn.say for turn in task.turns)]))


@pytest.mark.parametrize("key", TELLING)
def test_relaying_what_the_tools_answered_passes(key: str) -> None:
    task = TASKS[key]
    assert any(outcome.must_include for outcome in task.outcomes)
    assert passes(task, calls_of(task), results_of(task, calls_of(task)))


@pytest.mark.parametrize("key", TELLING)
def test_the_question_is_not_answered_by_the_status_of_the_order(key: str) -> None:
    task = TASKS[key]
    orders = {call["args"]["order_id"] for call in calls_of(task) if "order_id" in call["args"]}
    looked_up = [{"tool": "get_order_status", "args": {"order_id": order}} for order in sorted(orders)]
    # Where a cancellation comes too late, the status is the reason.
    assert passes(task, looked_up, results_of(task, looked_up)) == (key == "F-31")


@pytest.mark.parametrize("key", TELLING)
def test_of_several_wordings_each_will_do(key: str) -> None:
    task = TASKS[key]
    for outcome in task.outcomes:
        entries = [*outcome.must_include, *outcome.told]
        for place, entry in enumerate(entries):
            for text in entry_texts(entry):
                others = [entry_texts(other)[0] for at, other in enumerate(entries) if at != place]
                assert passes(task, calls_of(task), "; ".join([text, *others])), text


@pytest.mark.parametrize("key", ACTIONS)
def test_an_action_does_not_pass_without_its_write(key: str) -> None:
    task = TASKS[key]
    writes = [call for call in calls_of(task) if SPECS[call["tool"]].writes]
    assert len(writes) == 1
    rest = [call for call in calls_of(task) if call is not writes[0]]
    assert not passes(task, rest, words_of(task.outcomes[0]))


@pytest.mark.parametrize("key", TASKS)
def test_a_write_that_nobody_asked_for_fails_the_task(key: str) -> None:
    task = TASKS[key]
    assert not passes(task, [*calls_of(task), STRAY], words_of(task.outcomes[0]))


@pytest.mark.parametrize("key", TASKS)
def test_what_the_task_names_exists_in_the_world(key: str) -> None:
    task = TASKS[key]
    named = {call["tool"] for call in calls_of(task)}
    named |= {condition["called"]["tool"] for condition in (*task.milestones, *task.forbidden) if "called" in condition}
    for names in (task.expected_tools or {}).values():
        named |= set(names) if isinstance(names, list) else set()
    assert named <= set(SPECS)
    assert SANDBOX.check(task.initial_state, task.now) == ()


@pytest.mark.parametrize("key", TASKS)
def test_every_expected_path_is_reached_by_a_write_of_the_reference(key: str) -> None:
    task = TASKS[key]
    changed = [change.pointer for change in changes_of(steps_of(task, calls_of(task), [], "")[1])]
    for path in expected_paths(task):
        assert any(pointers.covers(path, pointer) or pointers.covers(pointer, path) for pointer in changed), path
    assert (changed != []) == (task.kind == "action")


@pytest.mark.parametrize("key", [key for key, task in TASKS.items() if task.kind == "refuse"])
def test_what_is_refused_is_refused_by_the_tool(key: str) -> None:
    task = TASKS[key]
    calls = [step for step in steps_of(task, calls_of(task), [], "")[1] if step.kind == "call"]
    assert SPECS[calls[-1].tool or ""].writes
    assert [step.ok for step in calls] == [True] * (len(calls) - 1) + [False]


def test_the_suite_has_the_mix_it_promises() -> None:
    assert list(TASKS) == [f"F-{number:02d}" for number in range(1, 37)]
    assert Counter(task.kind for task in SUITE.tasks) == {"query": 14, "action": 14, "refuse": 8}
    assert Counter(task.body["tags"]["language"] for task in SUITE.tasks) == {"zh": 18, "en": 18}
    assert {task.body["difficulty"] for task in SUITE.tasks} == {"single", "chain", "branching", "competing"}
    assert {task.repeat for task in SUITE.tasks} == {1}
    assert len({request_tool(task) for task in SUITE.tasks}) >= 12
    assert SUITE.warnings == ()
    assert [finding for finding in lint_suite(FILE) if finding.severity == PROBLEM] == []


def request_tool(task: Task) -> str:
    """The one tool that a task turns on."""
    tool: str = task.body["tags"]["tool"]
    assert tool in {call["tool"] for call in calls_of(task)}
    return tool


def test_language_tags_tell_the_truth() -> None:
    for task in SUITE.tasks:
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in task.request)
        assert task.body["tags"]["language"] == ("zh" if chinese else "en"), task.key


def test_it_stands_beside_the_first_suite_and_repeats_none_of_it() -> None:
    assert SUITE.prompt == FIRST.prompt
    assert {task.now for task in SUITE.tasks} == {task.now for task in FIRST.tasks}
    assert not {task.request for task in SUITE.tasks} & {task.request for task in FIRST.tasks}
    # Nor does it ask for what the first one asks in other words: no reference is the same from the same start.
    first = [(task.initial_state, calls_of(task)) for task in FIRST.tasks]
    assert [task.key for task in SUITE.tasks if (task.initial_state, calls_of(task)) in first] == []
