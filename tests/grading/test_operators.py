"""Each operator of state expressions: what it takes, what it refuses, what it says."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.grading import OPERATORS, explain, matches

NOTHING = ABSENT

CASES: list[tuple[Any, Any, bool]] = [
    ({"$in": [1, 2]}, 2, True),
    ({"$in": [1, 2]}, "2", False),
    ({"$in": []}, 1, False),
    ({"$in": [{"$gt": 5}, None]}, 6, True),
    ({"$in": "abc"}, "a", False),
    ({"$ne": "x"}, "y", True),
    ({"$ne": "x"}, "x", False),
    ({"$ne": "x"}, NOTHING, False),
    ({"$ne": None}, 0, True),
    ({"$ne": None}, None, False),
    ({"$gt": 3}, 4, True),
    ({"$gt": 3}, 3, False),
    ({"$gt": 3}, "4", False),
    ({"$gt": 0}, True, False),
    ({"$gte": 0.3}, 0.1 + 0.2, True),
    ({"$gte": 0.30000000000000004}, 0.3, True),
    ({"$lte": 3}, 3.0, True),
    ({"$lt": 3}, NOTHING, False),
    ({"$lt": "2026-03-02"}, "2026-03-01T10:00:00", True),
    ({"$gt": 1, "$lt": 3}, 2, True),
    ({"$gt": 1, "$lt": 3}, 3, False),
    ({"$regex": "^A\\d+$"}, "A100", True),
    ({"$regex": "^A\\d+$"}, "B100", False),
    ({"$regex": "1"}, 1, False),
    ({"$regex": "退款"}, "已退款", True),
    ({"$exists": True}, None, True),
    ({"$exists": True}, NOTHING, False),
    ({"$exists": False}, NOTHING, True),
    ({"$absent": True}, NOTHING, True),
    ({"$absent": True}, None, False),
    ({"$absent": False}, 1, True),
    ({"$any": {"a": 1}}, {"R1": {"a": 2}, "R2": {"a": 1}}, True),
    ({"$any": {"a": 1}}, [{"a": 2}, {"a": 1}], True),
    ({"$any": {"a": 1}}, {}, False),
    ({"$any": {"a": 1}}, NOTHING, False),
    ({"$any": {"a": 1}}, "a", False),
    ({"$any": [{"a": 1}, {"a": 1}]}, [{"a": 1}], False),
    ({"$any": [{"a": 1}, {"a": 1}]}, [{"a": 1}, {"a": 1, "b": 2}], True),
    ({"$any": [{"a": 1}, {"b": 2}]}, [{"a": 1, "b": 2}], False),
    ({"$any": [{"a": 1}, {"b": 2}]}, [{"a": 1, "b": 2}, {"a": 1}], True),
    ({"$any": [1, 2]}, [[1, 2], [3]], True),
    ({"$all": {"ok": True}}, [{"ok": True}, {"ok": True}], True),
    ({"$all": {"ok": True}}, {"a": {"ok": True}, "b": {"ok": False}}, False),
    ({"$all": {"ok": True}}, [], True),
    ({"$all": {"ok": True}}, NOTHING, False),
    ({"$all": {"$gt": 0}}, [1, 2], True),
    ({"$approx": 100}, 100.05, True),
    ({"$approx": 100}, 101, False),
    ({"$approx": [100, 2]}, 101, True),
    ({"$approx": [100, 2]}, 103, False),
    ({"$approx": {"value": 100, "rel": 0.1}}, 109, True),
    ({"$approx": {"value": 100, "abs": 0.5}}, 101, False),
    ({"$approx": 1}, True, False),
    ({"$approx": 100}, "100", False),
    ({"status": "x", "$exists": True}, {"status": "x"}, True),
    ({"$nonsense": 1}, 1, False),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "actual", "held"), CASES)
def test_an_operator_holds_or_not_and_is_explained_where_not(expected: Any, actual: Any, held: bool) -> None:
    assert matches(expected, actual) is held
    assert (explain(expected, actual) == ()) is held
    assert matches({"k": [expected]}, {"k": [actual]} if actual is not NOTHING else {"k": []}) is (
        held and actual is not NOTHING
    )


@pytest.mark.parametrize(
    ("delta", "initial", "actual", "held"),
    [
        (-1, 5, 4, True),
        (-1, 5, 5, False),
        (0, 5, 5, True),
        (-1, NOTHING, 4, False),
        (-1, 5, NOTHING, False),
        (-1, "5", 4, False),
        (0.1, 0.2, 0.3, True),
        ({"$gte": 1}, 5, 7, True),
        ({"$gte": 1}, 5, 5, False),
        (1, True, 2, False),
    ],
)
def test_a_delta_counts_from_the_initial_number(delta: Any, initial: Any, actual: Any, held: bool) -> None:
    assert matches({"$delta": delta}, actual, initial) is held
    expected, before, after = {"stock": {"n": {"$delta": delta}}}, {"stock": {"n": initial}}, {"stock": {"n": actual}}
    if NOTHING not in (initial, actual):
        assert matches(expected, after, before) is held
    assert (explain({"$delta": delta}, actual, initial) == ()) is held


def test_a_delta_says_what_it_counted_from() -> None:
    assert explain({"$delta": -1}, 5, 5)[0].why == "expected 5 at the start -1, found 5"
    assert "at the start there was nothing" in explain({"$delta": -1}, 5)[0].why


def test_a_pattern_that_never_ends_is_cut_off_and_is_the_patterns_trouble() -> None:
    begun = time.monotonic()
    [mismatch] = explain({"$regex": "^(a|a|aa)+$"}, "a" * 60 + "b")
    assert mismatch.trouble
    assert "took more than" in mismatch.why
    assert not matches({"$regex": "^(a|a|aa)+$"}, "a" * 60 + "b")
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("pattern", ["(", "a{999999999999}", "x" * 3000, 5, None])
def test_a_pattern_that_cannot_be_read_is_the_patterns_trouble(pattern: Any) -> None:
    assert not matches({"$regex": pattern}, "a")
    assert explain({"$regex": pattern}, "a")[0].trouble


def test_an_unknown_operator_is_trouble_and_named() -> None:
    [mismatch] = explain({"a": {"$nonsense": 1}}, {"a": 1})
    assert mismatch.trouble
    assert mismatch.why == "there is no operator $nonsense"


@pytest.mark.parametrize(
    ("expected", "actual", "words"),
    [
        ({"$in": ["a", "b"]}, "c", 'expected one of ["a","b"], found "c"'),
        ({"$gt": 5}, "6", 'expected > 5, found "6" (text)'),
        ({"$ne": "x"}, "x", 'expected anything but "x", found "x"'),
        ({"$absent": True}, 1, "expected absent, found 1"),
        ({"$exists": True}, ABSENT, "expected present, found nothing"),
        ({"$any": {"a": 1}}, {"R1": {"a": 2}}, 'expected an element like {"a":1}, found none among 1'),
        ({"$all": {"a": 1}}, ABSENT, 'expected all elements like {"a":1}, found nothing'),
    ],
)
def test_an_operator_is_explained_in_words(expected: Any, actual: Any, words: str) -> None:
    assert explain(expected, actual)[0].why == words


def test_all_names_the_element_that_is_not() -> None:
    [mismatch] = explain({"orders": {"$all": {"ok": True}}}, {"orders": {"A1": {"ok": True}, "A2": {"ok": False}}})
    assert mismatch.pointer == "/orders/A2/ok"


def test_an_expression_nested_beyond_all_reason_does_not_match_and_does_not_raise() -> None:
    expected: Any = 1
    actual: Any = 1
    for _ in range(5000):
        expected, actual = {"a": expected}, {"a": actual}
    assert not matches({"$all": expected}, [actual])
    assert explain(expected, actual)[0].trouble


OPERANDS = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*OPERATORS, "a", "b", "$what"]), inner, max_size=3)
    ),
    max_leaves=10,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)


@given(OPERANDS, VALUES | st.just(ABSENT), VALUES | st.just(ABSENT))
def test_no_expression_raises_and_explain_agrees_with_matches(expected: Any, actual: Any, initial: Any) -> None:
    assert matches(expected, actual, initial) is (explain(expected, actual, initial) == ())
