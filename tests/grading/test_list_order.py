"""Order that does not matter, and pairs that do (case O-STA-2 and its kind)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.changes import Change
from reach_tui.grading import StateTable, explain, grade, matches
from tests.grading.trial_builder import INITIAL, Log, task

PAIRS = {"$pairs": {"item_ids": ["A", "B"], "new_item_ids": ["X", "Y"]}}


def test_lists_that_belong_together_may_be_reordered_together() -> None:
    assert matches(PAIRS, {"item_ids": ["B", "A"], "new_item_ids": ["Y", "X"]})


def test_a_broken_pair_is_a_difference_and_is_named() -> None:
    actual = {"item_ids": ["A", "B"], "new_item_ids": ["Y", "X"]}
    assert not matches(PAIRS, actual)
    [mismatch] = explain(PAIRS, actual)
    assert "A -> X is A -> Y" in mismatch.why
    assert "B -> Y is B -> X" in mismatch.why


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        ({"item_ids": ["A"], "new_item_ids": ["X"]}, "B -> Y is not there"),
        ({"item_ids": ["A", "B", "C"], "new_item_ids": ["X", "Y", "Z"]}, "1 more than expected"),
        ({"item_ids": ["A", "B"], "new_item_ids": ["X"]}, "lists of one length"),
        ({"item_ids": ["A", "B"]}, "lists of one length"),
        ("nothing of the kind", "lists of one length"),
    ],
)
def test_pairs_that_are_missing_or_too_many_are_told(actual: Any, words: str) -> None:
    assert not matches(PAIRS, actual)
    assert words in explain(PAIRS, actual)[0].why


def test_equal_pairs_are_counted_and_not_only_found() -> None:
    twice = {"$pairs": {"a": [1, 1], "b": [2, 2]}}
    assert matches(twice, {"a": [1, 1], "b": [2, 2]})
    assert not matches(twice, {"a": [1, 3], "b": [2, 4]})


def test_tags_are_equal_in_any_order_only_where_that_is_declared() -> None:
    assert matches({"$unordered": ["red", "blue"]}, ["blue", "red"])
    assert not matches(["red", "blue"], ["blue", "red"])
    [mismatch] = explain({"tags": ["red", "blue"]}, {"tags": ["blue", "red"]})
    assert mismatch.pointer == "/tags"
    assert "only the order differs" in mismatch.why


def test_an_unordered_list_says_what_is_missing_and_what_is_extra() -> None:
    [mismatch] = explain({"$unordered": ["red", "blue"]}, ["red", "green"])
    assert mismatch.why == 'the list (order ignored) differs: missing "blue"; extra "green"'


def test_an_unordered_list_counts_equal_elements() -> None:
    assert not matches({"$unordered": [1, 1, 2]}, [1, 2, 2])
    assert not matches({"$unordered": [1, 1]}, [1])


def test_elements_of_an_unordered_list_may_be_expressions_that_overlap() -> None:
    # The first wish alone would take the element that only the second one can have.
    assert matches({"$unordered": [{"$gt": 0}, 5]}, [5, 7])
    assert matches({"$unordered": [{"$gt": 0}, 5]}, [7, 5])
    assert not matches({"$unordered": [{"$gt": 6}, {"$gt": 6}]}, [5, 7])


@given(st.lists(st.integers() | st.text(max_size=3) | st.booleans(), max_size=8), st.randoms(use_true_random=False))
def test_any_reordering_matches_an_unordered_list(items: list[Any], chance: random.Random) -> None:
    shuffled = list(items)
    chance.shuffle(shuffled)
    assert matches({"$unordered": items}, shuffled)
    assert not matches({"$unordered": items}, [*shuffled, "one more"])


def test_the_state_table_says_that_order_is_ignored_on_that_row() -> None:
    tagged_task = task(state={"orders": {"A100": {"tags": {"$unordered": ["red", "blue"]}, **PAIRS}}})
    log = (
        Log()
        .call(
            "update_order_address",
            {"order_id": "A100"},
            "{}",
            Change("/orders/A100/tags", INITIAL["orders"]["A100"].get("tags"), ["blue", "red"]),
            Change("/orders/A100/item_ids", None, ["A", "B"]),
            Change("/orders/A100/new_item_ids", None, ["Y", "X"]),
        )
        .end()
    )
    rows = {row.path: row for row in StateTable(tagged_task, log.history()).rows(2, "expected")}
    assert rows["/orders/A100/tags"].note == "order ignored"
    assert rows["/orders/A100/tags"].status == "match"
    assert rows["/orders/A100/tags"].expected == ["red", "blue"]
    assert "order ignored" in rows["/orders/A100/item_ids"].note
    assert rows["/orders/A100/item_ids"].status == "match"
    assert rows["/orders/A100/new_item_ids"].status == "wrong"
    assert "A -> X is A -> Y" in rows["/orders/A100/new_item_ids"].note
    grading = grade(tagged_task, log, {})
    assert [c.path for c in grading.checks if c.kind == "state_wrong"] == ["/orders/A100/new_item_ids"]
