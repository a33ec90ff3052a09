"""One policy of comparison, the same verdict wherever the pair stands (case O-STA-1 and its kind)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.grading import explain, matches

PLACES = {
    "at the top": lambda value: value,
    "in a list": lambda value: [value],
    "under a key": lambda value: {"a": value},
    "nested": lambda value: {"a": [{"b": [value]}]},
}

PAIRS = [
    (1, 1.0, True),
    (1, True, False),
    (0, False, False),
    (1, "1", False),
    (True, "true", False),
    (0.1 + 0.2, 0.3, True),
    (20, 21, False),
    (20, 20.0000000001, True),
    (20, 20.00001, False),
    (10**15, 10**15 + 1, False),
    (float(10**15), 10**15 + 1, False),
    (1e-9, 2e-9, False),
    (1e-300, 2e-300, False),
    (0.0, -0.0, True),
    (0, -0.0, True),
    (0, 1e-12, False),
    (10**400, 1.5, False),
    (10**400, 10**400, True),
    ("", None, False),
    (0, None, False),
    (False, None, False),
    ([], None, False),
    ([], {}, False),
    ({}, {}, True),
    ({}, None, False),
    ("a", "a", True),
    ("a", "A", False),
    ("é", "e\u0301", False),
    (None, None, True),
    (float("nan"), float("nan"), False),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("left", "right", "same"), PAIRS)
def test_a_pair_is_the_same_or_different_in_every_place(place: str, left: Any, right: Any, same: bool) -> None:
    put = PLACES[place]
    assert matches(put(left), put(right)) is same
    assert matches(put(right), put(left)) is same


@pytest.mark.parametrize(("left", "right", "same"), PAIRS)
def test_a_pair_is_the_same_or_different_where_order_does_not_matter(left: Any, right: Any, same: bool) -> None:
    assert matches({"$unordered": [left, "x"]}, ["x", right]) is same
    assert matches({"$any": left}, [right]) is same
    assert matches({"$all": left}, [right, right]) is same
    assert matches({"$in": ["x", left]}, right) is same
    assert matches({"$ne": left}, right) is not same


def test_null_is_not_the_absence_of_a_key_unless_declared() -> None:
    assert not matches({"a": None}, {})
    assert not matches({"a": {"$absent": True}}, {"a": None})
    assert matches({"a": {"$in": [None, {"$absent": True}]}}, {})
    assert matches({"a": {"$in": [None, {"$absent": True}]}}, {"a": None})
    assert matches({"$absent": True}, ABSENT)
    assert not matches(None, ABSENT)


def test_a_mapping_asks_for_its_keys_and_leaves_others_free() -> None:
    assert matches({"a": 1}, {"a": 1, "b": 2})
    assert matches([{"a": 1}], [{"a": 1, "b": 2}])
    assert not matches({"a": 1, "b": 2}, {"a": 1})
    assert not matches({}, {"a": 1})


def test_a_key_that_a_suite_wrote_as_a_number_finds_the_text_that_json_has() -> None:
    assert matches({1: {2: "x"}}, {"1": {"2": "x"}})


def test_a_difference_of_type_is_named() -> None:
    assert [mismatch.why for mismatch in explain({"n": 1}, {"n": "1"})] == ['expected 1 (number), found "1" (text)']
    assert [mismatch.why for mismatch in explain(True, 1)] == ["expected true (boolean), found 1 (number)"]
    assert [mismatch.why for mismatch in explain("", None)] == ['expected "" (text), found null']
    assert [mismatch.why for mismatch in explain({"a": None}, {})] == ["expected null, found nothing"]
    assert [mismatch.why for mismatch in explain({"a": {"b": 1}}, {"a": "x"})] == [
        'expected {"b":1} (record), found "x" (text)'
    ]


def test_every_mismatch_is_listed_with_its_pointer() -> None:
    mismatches = explain(
        {"orders": {"A/1": {"status": "x", "n": 1, "ok": True}}}, {"orders": {"A/1": {"n": 2, "ok": True}}}
    )
    assert [(mismatch.pointer, mismatch.expected, mismatch.actual) for mismatch in mismatches] == [
        ("/orders/A~11/status", "x", ABSENT),
        ("/orders/A~11/n", 1, 2),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_every_json_value_matches_itself(value: Any) -> None:
    assert matches(value, value)
    assert explain(value, value) == ()


@given(JSON, JSON)
def test_explain_finds_something_exactly_where_matches_fails(left: Any, right: Any) -> None:
    assert matches(left, right) is (explain(left, right) == ())
