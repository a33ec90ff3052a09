"""The example suite keeps its word: every reference reaches its outcome, doing nothing reaches none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.core import pointer as pointers
from reach_tui.core.task import AcceptableState
from reach_tui.core.trajectory import Step
from reach_tui.grading import expected_paths, grade
from reach_tui.grading.wording import Message, contains
from reach_tui.suites.factors import load_factors
from reach_tui.suites.load import load_suite
from tests.examples.replaying import GENERIC, SPECS, calls_of, changes_of, questions, steps_of, trajectory, words_of

SUITES = Path(__file__).parents[2] / "suites"
SUITE = load_suite(SUITES / "commerce-aftersales.yaml")
FACTORS = load_factors(SUITES / "factors" / "commerce.yaml")
TASKS = {task.key: task for task in SUITE.tasks}
MAIN = "track_shipment"
"""The confusable tool whose better description has something to repair."""


@pytest.mark.parametrize("key", TASKS)
def test_the_reference_reaches_its_outcome(key: str) -> None:
    task = TASKS[key]
    assert calls_of(task)
    for outcome in task.outcomes or (AcceptableState(),):
        grading = grade(task, trajectory(task, calls_of(task), questions(task), words_of(outcome)), SPECS)
        assert grading.status == "passed", (grading.why, [c for c in grading.checks if c.verdict == "fail"])
        assert grading.depth == grading.depth_of, grading.milestones


@pytest.mark.parametrize("key", TASKS)
def test_nobody_passes_by_doing_nothing(key: str) -> None:
    task = TASKS[key]
    for last in GENERIC:
        grading = grade(task, trajectory(task, [], [], last), SPECS)
        assert grading.status != "passed", last


@pytest.mark.parametrize("key", TASKS)
def test_nobody_passes_by_repeating_the_users_words(key: str) -> None:
    task = TASKS[key]
    echo = " ".join([task.request, *(turn.say for turn in task.turns)])
    assert grade(task, trajectory(task, [], questions(task), echo), SPECS).status != "passed"


@pytest.mark.parametrize("key", [key for key, task in TASKS.items() if task.kind != "action"])
def test_what_must_be_told_is_what_the_tools_answered(key: str) -> None:
    task = TASKS[key]
    _, steps = steps_of(task, calls_of(task), [], "")
    answered = Message.of(Step(1, 1, "agent", {"text": "\n".join(s.body["result"] for s in steps if s.kind == "call")}))
    told = [
        outcome for outcome in task.outcomes if all(contains(answered, str(entry)) for entry in outcome.must_include)
    ]
    assert any(outcome.must_include for outcome in told)


@pytest.mark.parametrize("key", [key for key, task in TASKS.items() if task.kind == "action"])
def test_an_action_does_not_pass_by_its_words_or_with_half_of_its_writes(key: str) -> None:
    task = TASKS[key]
    words = words_of(task.outcomes[0])
    writes = [call for call in calls_of(task) if SPECS[call["tool"]].writes]
    for missing in writes:
        calls = [call for call in calls_of(task) if call is not missing]
        if missing["tool"] in [call["tool"] for call in calls]:
            continue  # an attempt that is refused on the way to the one that counts
        assert grade(task, trajectory(task, calls, questions(task), words), SPECS).status != "passed"


@pytest.mark.parametrize("key", TASKS)
def test_a_write_that_nobody_asked_for_fails_the_task(key: str) -> None:
    task = TASKS[key]
    stray = {"tool": "open_ticket", "args": {"category": "other", "subject": "stray", "order_id": "SO-2026-0021"}}
    calls = [*calls_of(task), stray]
    assert grade(task, trajectory(task, calls, questions(task), words_of(task.outcomes[0])), SPECS).status != "passed"


@pytest.mark.parametrize("key", TASKS)
def test_what_the_task_names_exists_in_the_world(key: str) -> None:
    task = TASKS[key]
    named = {call["tool"] for call in calls_of(task)}
    named |= {condition["called"]["tool"] for condition in (*task.milestones, *task.forbidden) if "called" in condition}
    for names in (task.expected_tools or {}).values():
        named |= set(names) if isinstance(names, list) else set()
    assert named | set(task.allowed_tools or ()) <= set(SPECS)
    if task.allowed_tools is not None:
        assert {call["tool"] for call in calls_of(task)} <= set(task.allowed_tools)
    assert SANDBOX.check(task.initial_state, task.now) == ()


@pytest.mark.parametrize("key", TASKS)
def test_every_expected_path_is_reached_by_a_write_of_the_reference(key: str) -> None:
    task = TASKS[key]
    changed = [change.pointer for change in changes_of(steps_of(task, calls_of(task), [], "")[1])]
    for path in expected_paths(task):
        assert any(pointers.covers(path, pointer) or pointers.covers(pointer, path) for pointer in changed), path
    if task.kind != "action":
        assert changed == []


def test_the_suite_has_the_mix_it_promises() -> None:
    assert len(TASKS) >= 48
    assert SUITE.warnings == ()
    languages = Counter(task.body["tags"]["language"] for task in TASKS.values())
    assert set(languages) == {"zh", "en"}
    assert abs(languages["zh"] - languages["en"]) <= len(TASKS) // 10
    for key, values in {
        "kind": {"query", "action", "refuse"},
        "priority": {"P0", "P1", "P2", "P3"},
        "difficulty": {"single", "chain", "branching", "competing", "recovery"},
    }.items():
        assert {task.body[key] for task in TASKS.values()} == values
    cases = Counter(task.body["tags"].get("case") for task in TASKS.values())
    kinds = ("terse", "overloaded", "no-permission", "broken-tool", "conflicting-state")
    assert all(cases[kind] >= 2 for kind in kinds), cases
    assert {task.repeat for task in TASKS.values() if task.body["risk"] == "high"} == {5}
    assert len({task.weight for task in TASKS.values()}) > 5


def test_language_tags_tell_the_truth() -> None:
    for task in TASKS.values():
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in task.request)
        assert task.body["tags"]["language"] == ("zh" if chinese else "en"), task.key


def test_twins_name_each_other_and_want_the_same() -> None:
    twins = {task.key: task.body["tags"]["twin"] for task in TASKS.values() if "twin" in task.body["tags"]}
    assert len(twins) >= 8
    for key, other in twins.items():
        assert twins[other] == key
        first, second = TASKS[key], TASKS[other]
        assert [outcome.state for outcome in first.outcomes] == [outcome.state for outcome in second.outcomes]
        assert calls_of(first) == calls_of(second)
        assert first.body["tags"]["language"] != second.body["tags"]["language"]


def test_where_a_parcel_is_can_be_learned_from_no_other_tool() -> None:
    tasks = [task for task in TASKS.values() if task.body["tags"]["tool"] == MAIN]
    depending = 0
    for task in tasks:
        world = SANDBOX.open(task.initial_state, task.now, "t")
        orders = {call["args"]["order_id"] for call in calls_of(task) if call["tool"] == MAIN}
        others = [
            world.call(name, {"order_id": order}).text
            for order in orders
            for name in ("get_order", "get_order_status", "list_shipments")
        ]
        others += [
            world.call("search_orders", {"member_id": world.state["orders"][order]["member_id"]}).text
            for order in orders
        ]
        step = Step(1, 1, "agent", {"text": "\n".join(others)})
        told = any(
            outcome.must_include and all(contains(Message.of(step), str(word)) for word in outcome.must_include)
            for outcome in task.outcomes
        )
        depending += task.kind == "query" and not told
    assert depending >= 20


def shown(tool: str) -> str:
    """What the suite's setup tells agents of a tool."""
    texts: str = SUITE.tools.get(tool, {}).get("description") or SPECS[tool].view.description
    return texts


def test_the_weak_descriptions_are_the_ones_that_the_library_repairs() -> None:
    better = {
        variant.target for variant in FACTORS if variant.kind == "tool_description" and variant.effect == "better"
    }
    assert {"track_shipment", "request_refund", "update_order_address"} <= better
    for name in ("track_shipment", "request_refund", "update_order_address"):
        turning = [task for task in TASKS.values() if task.body["tags"]["tool"] == name]
        assert len(turning) >= (14 if name == MAIN else 4)
        assert len(shown(name)) < 40
        assert len(SPECS[name].view.description) > 100, "the sandbox's own text is a good one"


def test_the_library_has_better_worse_and_sham_variants_of_parts_that_exist() -> None:
    assert {variant.effect for variant in FACTORS} == {"better", "worse", "sham"}
    assert {"prompt", "tool_description", "parameter_description"} <= {variant.kind for variant in FACTORS}
    for variant in FACTORS:
        if variant.kind == "tool_description":
            assert variant.text != shown(variant.target)
        if variant.kind == "parameter_description":
            _, tool, _, parameter, _ = pointers.split(variant.target)
            assert variant.text != SPECS[tool].view.parameters["properties"][parameter]["description"]
        if variant.effect == "sham":
            shipped = SUITE.prompt if variant.kind == "prompt" else shown(variant.target)
            assert (variant.text or "").startswith(shipped.rstrip())


def test_texts_that_also_stand_in_files_are_the_same_there() -> None:
    files = {
        "track-better": "track-shipment-better.md",
        "refund-better": "request-refund-better.md",
        "address-better": "update-order-address-better.md",
        "status-honest": "get-order-status-honest.md",
        "ticket-honest": "open-ticket-honest.md",
    }
    by_name = {variant.name: variant for variant in FACTORS}
    for name, file in files.items():
        assert by_name[name].text == (SUITES / "factors" / file).read_text("utf-8").rstrip("\n")


def test_no_variant_gives_an_answer_away() -> None:
    for variant in FACTORS:
        step = Step(1, 1, "agent", {"text": variant.text or ""})
        for task in TASKS.values():
            ids = [value for call in calls_of(task) for value in (call.get("args") or {}).values()]
            for value in (value for value in ids if isinstance(value, str) and any(c.isdigit() for c in value)):
                assert not contains(Message.of(step), value), (variant.name, value)
