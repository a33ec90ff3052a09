"""One small value explained against another: where they differ, short enough to read, and bounded."""

from __future__ import annotations

from typing import Any

import pytest

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.history import StateHistory
from reach_tui.core.task import Task
from reach_tui.grading.state.table import StateTable
from reach_tui.present.explained import MOST, Place, place_lines, places, places_json, places_short_of, row_lines
from reach_tui.present.layout import width


def texts(lines: list[Any]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def test_every_place_is_named_in_order_with_both_its_values() -> None:
    before = {"a/b": {"x": [1, {"y": 2}]}, "gone": 1, "same": (1, 2)}
    after = {"a/b": {"x": [1, {"y": 3}, 4]}, "new": None, "same": [1.0, 2]}
    assert places(before, after) == (
        Place("/a~1b/x/1/y", 2, 3),
        Place("/a~1b/x/2", ABSENT, 4),
        Place("/gone", 1, ABSENT),
        Place("/new", ABSENT, None),
    )


@pytest.mark.parametrize(("before", "after"), [(True, 1), ("1", 1), (None, 0), ({}, []), (0.1, 0.1 + 1e-12)])
def test_values_that_json_tells_apart_are_told_apart(before: Any, after: Any) -> None:
    assert places({"a": before}, {"a": after}) == (Place("/a", before, after),)


def test_what_a_side_lacks_altogether_is_one_place() -> None:
    assert places(ABSENT, {"a": 1}) == (Place("", ABSENT, {"a": 1}),)
    assert places(ABSENT, ABSENT) == ()


def test_an_expectation_says_nothing_of_fields_that_it_does_not_name_and_operators_speak_in_words() -> None:
    expected = {"n": {"$gt": 3}, "way": {"$in": ["air", "sea"]}, "gone": {"$absent": True}, "rows": [{"x": 1}]}
    actual = {"n": 4, "way": "road", "rows": [{"x": 2, "y": 1}, 5], "more": 0}
    assert places_short_of(expected, actual) == (
        Place("/rows/0/x", 1, 2),
        Place("/rows/1", ABSENT, 5),
        Place("/way", 'one of ["air","sea"]', "road"),
    )
    assert places_short_of({"n": {"$delta": 2}}, {"n": 5}, {"n": 3}) == ()
    assert places_short_of({"n": 0.1}, {"n": 0.1 + 1e-12}) == ()


def test_large_values_are_not_explained() -> None:
    assert places("x" * (MOST - 2), "y") is not None
    assert places("y", "x" * MOST) is None
    assert places({"a": "退" * (MOST // 3)}, {}) is None
    assert texts(place_lines("TR-01 ", None, 80)) == ["TR-01: too large to explain"]
    assert places_json(None) is None


def test_lines_are_as_wide_as_may_be_and_begin_where_texts_begin_to_differ() -> None:
    long = "退款 status\n" * 40
    differing = places({"text": long + "old", "t": 1}, {"text": long + "new", "t": 2})
    lines = texts(place_lines("/orders/A100", differing, 60))
    assert lines[0] == "/orders/A100/t: 1 -> 2"
    assert lines[1].endswith(": …s⏎退款 status⏎old -> …s⏎退款 status⏎new")
    assert all(width(line) <= 60 for line in lines)
    many = places(list(range(30)), list(range(1, 61, 2)))
    assert many is not None
    assert texts(place_lines("x", many, 60))[-1] == f"x: {len(many) - 12} more"


def test_a_row_is_explained_by_the_record_that_comes_closest_and_only_where_its_columns_do_not_say_it() -> None:
    task = Task.of({
        "id": "t", "request": "r", "outcomes": [{"state": {
            "refunds": {"$any": {"order_id": "A1", "items": ["a"], "amount": {"$lt": 9}}}, "orders": {"A1": {"n": 2}},
        }}],
    })  # fmt: skip
    made = {"order_id": "A1", "items": ["a", "b"], "amount": 12, "note": "x"}
    history = StateHistory({"refunds": {}, "orders": {"A1": {"n": 1}}}, [(3, Change("/refunds/R1", ABSENT, made))])
    table = StateTable(task, history)
    rows = {row.path: row for row in table.rows(3)}
    assert texts(row_lines(table, rows["/refunds/*"], 3, 80)) == [
        "expected -> actual, field by field",
        "/refunds/R1/amount: < 9 -> 12",
        "/refunds/R1/items/1: - -> b",
    ]
    assert row_lines(table, rows["/orders/A1/n"], 3, 80) == []
    assert row_lines(table, table.rows(0)[0], 0, 80) == []


def test_a_text_that_goes_on_where_the_other_ends_is_shown_from_there() -> None:
    short, long = (
        "Carrier records. 承运商记录。",
        "Carrier records. 承运商记录。 Track a parcel: where it is and when it comes.",
    )
    (line,) = place_lines("", places(short, long), 70)
    before, after = line[1][0], line[3][0]
    assert before != after
    assert "Track a parcel" in after
