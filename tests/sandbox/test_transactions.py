"""Calls are transactions: all of their writes, as field-grain changes that fold, or none."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import StateDigest, fold
from reach_tui.sandbox.world import OpenWorld
from tests.sandbox.toy import TOY

STEPS = (
    "city", "line", "no place", "back", "untag", "size 1.0", "size 1", "drop", "again", "new", "grow new", "drop new",
)  # fmt: skip


def toy() -> OpenWorld:
    return TOY.open({}, None, "k")


def test_a_write_is_one_change_of_the_field_it_touched() -> None:
    world = toy()
    outcome = world.call("rename", {"box_id": "B1", "name": "uno"})
    assert [(c.pointer, c.old, c.new) for c in outcome.changes] == [("/boxes/B1/name", "one", "uno")]
    assert json.loads(outcome.text) == outcome.value == {"name": "uno"}
    assert outcome.ok
    assert outcome.error is None


def test_a_patch_of_an_object_changes_only_the_keys_it_names() -> None:
    outcome = toy().call("many_writes", {"plan": ["line"]})
    assert [(c.pointer, c.old, c.new) for c in outcome.changes] == [("/boxes/B1/place/line", ABSENT, "1 Main Street")]


def test_what_ends_as_it_began_is_no_change() -> None:
    assert toy().call("many_writes", {"plan": ["city", "no place", "back"]}).changes == ()
    assert toy().call("many_writes", {"plan": ["city", "back"]}).changes == ()
    assert [c.pointer for c in toy().call("many_writes", {"plan": ["new", "drop new"]}).changes] == [
        "/_world/seq/boxes"
    ]


def test_a_field_written_as_a_whole_is_one_change_whatever_was_written_inside_it() -> None:
    for plan in (["city", "no place", "line"], ["no place", "line", "city"]):
        pointers = [c.pointer for c in toy().call("many_writes", {"plan": plan}).changes]
        assert pointers == ["/boxes/B1/place"]


def test_a_record_made_in_the_call_is_one_insertion_however_often_it_was_patched() -> None:
    world = toy()
    outcome = world.call("many_writes", {"plan": ["new", "grow new", "grow new"]})
    inserted = [c for c in outcome.changes if c.pointer.startswith("/boxes/")]
    assert [c.old for c in inserted] == [ABSENT]
    assert inserted[0].new == {"name": "n", "size": 2, "place": None, "tags": ["big"]}


def test_a_call_sees_its_own_writes() -> None:
    seen = toy().call("many_writes", {"plan": ["drop", "new"]}).value
    assert seen["seen"] == sorted(["B1", *seen["made"]])


@pytest.mark.parametrize("how", ["error", "bug", "nan", "set", "field", "table"])
def test_a_call_that_fails_leaves_no_trace(how: str) -> None:
    world = toy()
    before = copy.deepcopy(world.state)
    outcome = world.call("breaks_midway", {"how": how})
    assert not outcome.ok
    assert outcome.changes == ()
    assert world.state == before
    assert outcome.fault is (how != "error")


def test_a_tools_own_bug_is_marked_as_its_fault_and_shows_the_agent_no_traceback() -> None:
    outcome = toy().call("breaks_midway", {"how": "bug"})
    assert outcome.fault
    assert "tool failure" in (outcome.error or "").lower()
    assert "Traceback" not in outcome.text
    assert "KeyError" not in outcome.text
    assert "KeyError" in outcome.detail


def test_the_business_saying_no_is_not_the_tools_fault() -> None:
    outcome = toy().call("rename", {"box_id": "B7", "name": "x"})
    assert (outcome.error, outcome.code, outcome.fault) == ("no box B7; make one first", "no_box", False)


@pytest.mark.parametrize("what", ["field", "inside", "list"])
def test_what_a_tool_reads_cannot_be_written_through(what: str) -> None:
    world = toy()
    before = copy.deepcopy(world.state)
    assert world.call("tampers", {"what": what}).fault
    assert world.state == before


@given(st.lists(st.lists(st.sampled_from(STEPS), max_size=8), max_size=6))
def test_changes_fold_back_to_the_state_and_its_digest(plans: list[list[str]]) -> None:
    world = toy()
    initial = copy.deepcopy(world.state)
    running = StateDigest(initial)
    changes: list[Any] = []
    for plan in plans:
        outcome = world.call("many_writes", {"plan": plan})
        changes += outcome.changes
        running.update(world.state, outcome.changes)
    folded = fold(initial, changes)
    assert folded == world.state
    assert StateDigest(folded).digest == running.digest == StateDigest(world.state).digest


def test_a_number_that_changes_only_its_spelling_is_a_change() -> None:
    world = toy()
    assert [c.pointer for c in world.call("many_writes", {"plan": ["size 1.0"]}).changes] == ["/boxes/B1/ratio"]
    assert world.call("many_writes", {"plan": ["size 1.0"]}).changes == ()
