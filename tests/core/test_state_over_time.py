"""One rule of how a change applies, one index over steps, one equality: held against each other on wild states."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.changes import WORLD, Change, StateDigest, difference, fold
from reach_tui.core.equality import EXACT, same
from reach_tui.core.history import StateHistory
from reach_tui.grading import StateTable

KEYS = st.sampled_from(["a", "b", "c/d", "~", "0", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.5, 1.0, -0.0]) | st.text("xy", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
TABLE_NAMES = st.sampled_from(["t", "u", "a", WORLD])
TABLES = st.dictionaries(KEYS, st.dictionaries(KEYS, JSON, max_size=3) | JSON, max_size=3)
STATES = st.dictionaries(TABLE_NAMES, TABLES | JSON, max_size=3)
PLACES = st.tuples(TABLE_NAMES, st.lists(KEYS, max_size=3)).map(lambda place: (place[0], *place[1]))
POINTERS = PLACES.map(pointers.join) | st.sampled_from(["", "t", "orders/A100"])
CHANGES = st.lists(st.builds(Change, POINTERS, st.none(), JSON | TABLES | st.just(ABSENT)), max_size=8)


def visible(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name != WORLD}


@given(STATES, CHANGES)
def test_the_history_at_any_step_is_the_fold_up_to_it(state: dict[str, Any], changes: list[Change]) -> None:
    before = copy.deepcopy((state, changes))
    history = StateHistory(state, enumerate(changes, 1))
    folded = fold(state, ())
    for step in range(len(changes) + 1):
        folded = fold(folded, changes[step - 1 : step] if step else ())
        assert same(folded, fold(state, changes[:step]), EXACT)
        assert same(history.state_at(step), visible(folded), EXACT)
        for place in [change.parts for change in changes if change.parts]:
            if place[0] != WORLD:
                assert same(history.value(place, step), pointers.get_parts(folded, place), EXACT)
                assert history.is_table(place[0], step) is isinstance(folded.get(place[0]), dict)
    assert same([*before[0].items()], [*state.items()], EXACT)
    assert before[1] == changes


@given(STATES, CHANGES, PLACES)
def test_a_value_moves_only_at_the_steps_that_its_history_names(
    state: dict[str, Any], changes: list[Change], place: tuple[str, ...]
) -> None:
    if place[0] == WORLD:
        return
    history = StateHistory(state, enumerate(changes, 1))
    moved = dict(history.values(place))
    assert list(moved) == sorted(moved)
    value = history.value(place, 0)
    for step in range(1, len(changes) + 1):
        value = moved.get(step, value)
        assert same(history.value(place, step), value, EXACT)
        assert history.since(place, step) <= step
        if not same(history.value(place, step), history.value(place, step - 1), EXACT):
            assert history.since(place, step) == step


@given(STATES, CHANGES)
def test_the_state_table_shows_what_the_fold_says(state: dict[str, Any], changes: list[Change]) -> None:
    table = StateTable(None, StateHistory(state, enumerate(changes, 1)))
    for step in range(len(changes) + 1):
        folded = fold(state, changes[:step])
        rows = [row for row in table.rows(step, "all") if row.actual not in ("created", "deleted", "as at the start")]
        for row in rows:
            assert same(row.actual, pointers.get(folded, row.path), EXACT)
        # An empty table is as good as none: a table's rows are its records.
        now, then = ({k: v for k, v in visible(snapshot).items() if v != {}} for snapshot in (folded, state))
        assert (table.rows(step) == []) is same(now, then, EXACT)


@given(STATES, CHANGES)
def test_a_digest_kept_up_to_date_is_the_digest_of_the_fold(state: dict[str, Any], changes: list[Change]) -> None:
    tables = {name: value for name, value in state.items() if isinstance(value, dict)}
    inner = [change for change in changes if len(change.parts) > 1]
    digest, folded = StateDigest(tables), fold(tables, ())
    for change in inner:
        folded = fold(folded, [change])
        assert digest.update(folded, [change]) == StateDigest(folded).digest


@given(st.dictionaries(TABLE_NAMES, TABLES.filter(bool)), st.dictionaries(TABLE_NAMES, TABLES.filter(bool)))
def test_the_difference_of_two_states_leads_from_one_to_the_other(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    changes = difference(before, after)
    assert same(fold(before, changes), after, EXACT)
    assert (changes == ()) is same(before, after, EXACT)
    assert all(not same(change.old, change.new, EXACT) for change in changes)


def test_a_record_is_inserted_and_deleted_as_a_whole_and_changed_by_field() -> None:
    before = {"orders": {"A1": {"n": 1, "to": {"city": "x"}}, "A2": {"n": 1}}}
    after = {"orders": {"A1": {"n": 2, "to": {}}, "A3": {"n": 1}}, "refunds": {"R1": {"n": 1}}}
    assert difference(before, after) == (
        Change("/orders/A1/n", 1, 2),
        Change("/orders/A1/to", {"city": "x"}, {}),
        Change("/orders/A2", {"n": 1}, ABSENT),
        Change("/orders/A3", ABSENT, {"n": 1}),
        Change("/refunds/R1", ABSENT, {"n": 1}),
    )


@given(JSON, JSON)
def test_equal_texts_are_equal_values_and_exact_equality_is_the_stricter_one(left: Any, right: Any) -> None:
    assert same(left, json.loads(json.dumps(left)), EXACT)
    assert same(left, right, EXACT) is same(right, left, EXACT)
    assert (canonical(left) == canonical(right)) <= same(left, right, EXACT) <= same(left, right)


@pytest.mark.parametrize(
    ("left", "right", "expected", "exact"),
    [
        (0.1 + 0.2, 0.3, True, False),
        ([{"a": 0.1 + 0.2}], [{"a": 0.3}], True, False),
        (1, 1.0, True, True),
        (0.0, -0.0, True, True),
        ([1], (1,), True, True),
        (1, True, False, False),
        ({"a": None}, {}, False, False),
        (None, ABSENT, False, False),
        (float("nan"), float("nan"), False, False),
        (10**400, 1.5, False, False),
    ],
)
def test_a_state_is_compared_exactly_and_an_expectation_within_a_billionth(
    left: Any, right: Any, expected: bool, exact: bool
) -> None:
    assert same(left, right) is same(right, left) is expected
    assert same(left, right, EXACT) is same(right, left, EXACT) is exact
