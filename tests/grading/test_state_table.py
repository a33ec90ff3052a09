"""Expected, actual and claimed value of every path at every step."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change, fold
from reach_tui.core.equality import EXACT, same
from reach_tui.core.grading import Claim
from reach_tui.core.history import StateHistory
from reach_tui.core.task import Task
from reach_tui.grading import VIEWS, StateTable, grade, matches
from reach_tui.grading.state.expressions import PatternTrouble
from tests.grading.trial_builder import REFUND, SPECS, Log, task

SHIPPED = {
    "orders": {"A100": {"status": "shipped", "total": 5, "updated_at": "t0"}},
    "refunds": {"R0": {"order_id": "A900", "channel": "original"}},
    "shipments": {},
    "_world": {"seq": 1},
}
DRAWN = [
    (4, Change("/orders/A100/status", "shipped", "delivered")),
    (4, Change("/_world/seq", 1, 2)),
    (6, Change("/shipments/S9", ABSENT, {"order_id": "A100"})),
]
CLAIMS = [
    Claim(7, "退款申请已提交", "/orders/A100/status", "refund_review", False, "request_refund"),
    Claim(7, "退款申请已提交", "/refunds/*", "1 record", False, "request_refund"),
]


def lines(table: StateTable, step: int, view: str = "differing") -> list[str]:
    def shown(value: Any) -> str:
        return "-" if value is ABSENT else value if isinstance(value, str) else json.dumps(value)

    return [
        f"{row.status} {row.path} {shown(row.expected)} {shown(row.actual)} {shown(row.claimed)} {row.since_step}"
        for row in table.rows(step, view)
    ]


@pytest.fixture
def drawn() -> StateTable:
    return StateTable(task(state=REFUND), StateHistory(SHIPPED, DRAWN), CLAIMS)


def test_the_table_reads_as_it_is_drawn(drawn: StateTable) -> None:
    assert lines(drawn, 7) == [
        "wrong /orders/A100/status refund_review delivered refund_review 4",
        "missing /refunds/* 1 record 0 records 1 record 0",
        "unexpected /shipments/S9 - created - 6",
    ]
    assert drawn.counts(7) == (3, 5)


def test_before_the_write_a_row_is_not_yet_there(drawn: StateTable) -> None:
    assert lines(drawn, 0) == [
        "missing /orders/A100/status refund_review shipped - 0",
        "missing /refunds/* 1 record 0 records - 0",
    ]
    assert lines(drawn, 3) == lines(drawn, 0)


def test_a_claim_shows_from_the_step_at_which_it_was_made(drawn: StateTable) -> None:
    assert [row.claimed for row in drawn.rows(6)] == [ABSENT, ABSENT, ABSENT]
    assert [row.claimed for row in drawn.rows(7)] == ["refund_review", "1 record", ABSENT]


def test_a_later_claim_on_the_same_path_takes_the_place_of_an_earlier_one() -> None:
    claims = [Claim(9, "b", "/orders/A100/status", "closed"), Claim(7, "a", "/orders/A100/status", "refund_review")]
    table = StateTable(task(state=REFUND), StateHistory(SHIPPED, DRAWN), claims)
    assert [table.rows(step)[0].claimed for step in (6, 7, 8, 9)] == [
        ABSENT,
        "refund_review",
        "refund_review",
        "closed",
    ]


def test_the_hidden_table_of_the_world_is_never_shown(drawn: StateTable) -> None:
    for view in VIEWS:
        assert not any("_world" in row.path for step in range(8) for row in drawn.rows(step, view))


def test_what_a_step_changed_is_a_view_of_its_own(drawn: StateTable) -> None:
    assert [lines(drawn, step, "changed") for step in (3, 4, 6, 7)] == [
        [],
        ["wrong /orders/A100/status refund_review delivered - 4"],
        ["unexpected /shipments/S9 - created - 6"],
        [],
    ]


def test_all_rows_are_the_same_at_every_step_and_as_many_as_are_counted(drawn: StateTable) -> None:
    paths = [row.path for row in drawn.rows(7, "all")]
    assert paths == [
        "/orders/A100/status",
        "/refunds/*",
        "/orders/A100/total",
        "/orders/A100/updated_at",
        "/shipments/S9",
    ]
    for step in range(9):
        assert [row.path for row in drawn.rows(step, "all")] == paths
        assert drawn.counts(step).watched == len(paths)


def test_an_unknown_view_is_refused(drawn: StateTable) -> None:
    with pytest.raises(ValueError, match="there is no view 'most'"):
        drawn.rows(1, "most")


def test_right_once_and_lost_again_has_a_sign_of_its_own() -> None:
    changes = [
        (2, Change("/orders/A100/status", "shipped", "refund_review")),
        (5, Change("/orders/A100/status", "refund_review", "closed")),
        (8, Change("/orders/A100/status", "closed", "refund_review")),
    ]
    table = StateTable(task(state={"orders": {"A100": {"status": "refund_review"}}}), StateHistory(SHIPPED, changes))
    rows = [table.rows(step, "expected")[0] for step in (1, 2, 4, 5, 7, 8)]
    assert [(row.status, row.since_step) for row in rows] == [
        ("missing", 0),
        ("match", 2),
        ("match", 2),
        ("lost", 5),
        ("lost", 5),
        ("match", 8),
    ]


def test_a_value_taken_back_to_the_start_is_not_yet_there_again() -> None:
    changes = [
        (2, Change("/orders/A100/status", "shipped", "closed")),
        (3, Change("/orders/A100/status", "closed", "shipped")),
    ]
    table = StateTable(task(state={"orders": {"A100": {"status": "refund_review"}}}), StateHistory(SHIPPED, changes))
    assert [table.rows(step)[0].status for step in (1, 2, 3)] == ["missing", "wrong", "missing"]


def test_a_value_that_must_stay_is_right_until_it_is_lost() -> None:
    changes = [(2, Change("/orders/A100/total", 5, 6))]
    table = StateTable(task(state={"orders": {"A100": {"total": 5}}}), StateHistory(SHIPPED, changes))
    assert [table.rows(step, "expected")[0].status for step in (0, 2)] == ["match", "lost"]


def test_a_record_that_comes_close_is_wrong_and_the_note_says_where() -> None:
    made = {"order_id": "A100", "channel": "balance"}
    changes = [
        (2, Change("/refunds/R2", ABSENT, made)),
        (4, Change("/refunds/R2/channel", "balance", "original")),
        (6, Change("/refunds/R2/channel", "original", "cash")),
    ]
    table = StateTable(task(state={"refunds": REFUND["refunds"]}), StateHistory(SHIPPED, changes))
    rows = [table.rows(step, "expected")[0] for step in (1, 2, 4, 6)]
    assert [(row.status, row.actual, row.since_step) for row in rows] == [
        ("missing", "0 records", 0),
        ("wrong", "0 records", 2),
        ("match", "1 record", 4),
        ("lost", "0 records", 6),
    ]
    assert rows[1].note == '/refunds/R2/channel: expected "original", found "balance"'
    assert [row.path for row in table.rows(6)] == ["/refunds/*"]


def test_a_second_record_like_the_expected_one_is_unexpected() -> None:
    made = {"order_id": "A100", "channel": "original"}
    changes = [(2, Change("/refunds/R2", ABSENT, made)), (3, Change("/refunds/R3", ABSENT, made))]
    table = StateTable(task(state={"refunds": REFUND["refunds"]}), StateHistory(SHIPPED, changes))
    assert lines(table, 3) == ["unexpected /refunds/R3 - created - 3"]
    assert table.rows(3, "expected")[0].actual == "2 records"


def test_an_unexpected_change_shows_what_should_have_stayed() -> None:
    changes = [
        (2, Change("/orders/A100/total", 5, 6)),
        (3, Change("/orders/A100/total", 6, 7)),
        (4, Change("/refunds/R0", SHIPPED["refunds"]["R0"], ABSENT)),
        (5, Change("/orders/A100/note", ABSENT, "x")),
    ]
    table = StateTable(task(state=REFUND), StateHistory(SHIPPED, changes))
    assert lines(table, 5)[2:] == [
        "unexpected /orders/A100/total 5 7 - 3",
        "unexpected /orders/A100/note - x - 5",
        "unexpected /refunds/R0 kept deleted - 4",
    ]
    assert lines(table, 2)[2:] == ["unexpected /orders/A100/total 5 6 - 2"]


def test_a_change_that_is_allowed_differs_from_nothing() -> None:
    changes = [(2, Change("/orders/A100/updated_at", "t0", "t1"))]
    order_task = task(state={"orders": {"A100": {"total": 5}}}, allow_changes=["/orders/*/updated_at"])
    table = StateTable(order_task, StateHistory(SHIPPED, changes))
    assert lines(table, 2) == []
    assert lines(table, 2, "changed") == ["match /orders/A100/updated_at - t1 - 2"]
    assert table.rows(2, "changed")[0].note == "may change"


def test_a_log_without_expectations_shows_what_differs_from_the_start_and_judges_nothing() -> None:
    for unjudged_task in (None, Task.of({"id": "x", "request": "y"})):
        table = StateTable(unjudged_task, StateHistory(SHIPPED, DRAWN))
        assert not table.judged
        assert lines(table, 7) == ["match /orders/A100/status - delivered - 4", "match /shipments/S9 - created - 6"]
        assert {row.note.split(":")[0] for row in table.rows(7)} == {"not judged"}
        assert table.rows(7, "expected") == []
        assert table.counts(0).differing == 0


def test_a_query_expects_no_change_at_all() -> None:
    table = StateTable(task("query", must_include=["x"]), StateHistory(SHIPPED, DRAWN))
    assert table.judged
    assert lines(table, 7) == [
        "unexpected /orders/A100/status shipped delivered - 4",
        "unexpected /shipments/S9 - created - 6",
    ]


def test_the_outcome_that_the_end_comes_closest_to_is_shown_unless_one_is_asked_for() -> None:
    two_way_task = task(
        outcomes=[{"state": {"refunds": {"R0": {"channel": "x"}}}}, {"state": {"orders": {"A100": {"total": 6}}}}]
    )
    history = StateHistory(SHIPPED, [(2, Change("/orders/A100/total", 5, 6))])
    assert StateTable(two_way_task, history).outcome is two_way_task.outcomes[1]
    assert [
        row.path for row in StateTable(two_way_task, history, outcome=two_way_task.outcomes[0]).rows(2, "expected")
    ] == ["/refunds/R0/channel"]


def test_types_are_told_where_values_look_alike() -> None:
    history = StateHistory(SHIPPED, [(2, Change("/orders/A100/total", 5, "6"))])
    [row] = StateTable(task(state={"orders": {"A100": {"total": 6}}}), history).rows(2)
    assert row.note == 'expected 6 (number), found "6" (text)'


def test_an_operator_is_shown_as_it_stands_and_explained_in_the_note() -> None:
    delta_task = task(state={"orders": {"A100": {"total": {"$delta": -1}}}})
    [row] = StateTable(delta_task, StateHistory(SHIPPED, [(2, Change("/orders/A100/total", 5, 3))])).rows(2)
    assert (row.expected, row.actual, row.note) == ({"$delta": -1}, 3, "expected 5 at the start -1, found 3")


def test_a_pattern_without_end_is_looked_at_once_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def never_ends(pattern: str, text: str) -> bool:
        looked.append(text)
        raise PatternTrouble("it took more than was allowed")

    monkeypatch.setattr("reach_tui.grading.state.expressions.occurs", never_ends)
    changes = [(n, Change("/orders/A100/note", ABSENT, f"b{n}")) for n in range(1, 50)]
    pattern_task = task(state={"orders": {"A100": {"note": {"$regex": "x"}}}})
    table = StateTable(pattern_task, StateHistory(SHIPPED, changes))
    assert looked == ["b1", "b49"]
    [row] = [row for row in table.rows(30) if row.path == "/orders/A100/note"]
    assert (row.status, row.note) == ("wrong", "it took more than was allowed")


def test_a_pattern_that_could_not_be_decided_on_the_way_is_decided_by_the_end() -> None:
    changes = [(1, Change("/orders/A100/note", ABSENT, "a" * 60 + "b")), (2, Change("/orders/A100/note", "", "aa"))]
    pattern_task = task(state={"orders": {"A100": {"note": {"$regex": "^(a|a|aa)+$"}}}})
    table = StateTable(pattern_task, StateHistory(SHIPPED, changes))
    assert [table.rows(step, "expected")[0].status for step in (0, 1, 2)] == ["missing", "wrong", "match"]


def test_rows_of_a_grading_and_of_its_table_agree() -> None:
    log = Log().look().refund(channel="balance").cancel("A200").say("已为您提交订单 A100 的退款申请").end()
    refund_task = task(state=REFUND)
    grading = grade(refund_task, log, SPECS)
    table = StateTable(refund_task, log.history(), grading.claims)
    rows = table.rows(5)
    failing = [c for c in grading.checks if c.verdict == "fail" and c.kind.startswith("state_")]
    assert [row.path for row in rows] == [c.path for c in failing]
    kinds = {
        "wrong": "state_wrong",
        "lost": "state_wrong",
        "missing": "state_missing",
        "unexpected": "state_unexpected",
    }
    assert [kinds[row.status] for row in rows] == [c.kind for c in failing]
    assert [row.claimed for row in rows if row.path == "/refunds/*"] == ["1 record"]


# --- against the plain fold ---

KEYS = st.sampled_from(["a", "b", "c"])
LEAVES = st.sampled_from([None, True, 0, 1, "x", "y", ABSENT])
RECORDS = st.dictionaries(KEYS, st.sampled_from([None, True, 0, 1, "x"]), max_size=3)
STATES = st.fixed_dictionaries({"t": st.dictionaries(KEYS, RECORDS, max_size=3), "u": st.dictionaries(KEYS, RECORDS)})
POINTERS = st.one_of(
    st.tuples(st.sampled_from("tu"), KEYS, KEYS).map(pointers.join),
    st.tuples(st.sampled_from("tu"), KEYS, KEYS, KEYS).map(pointers.join),
)
RECORD_POINTERS = st.tuples(st.sampled_from("tuv"), KEYS).map(pointers.join)
CHANGES = st.lists(
    st.one_of(
        st.builds(Change, POINTERS, st.none(), LEAVES),
        st.builds(Change, RECORD_POINTERS, st.none(), RECORDS | st.just(ABSENT)),
    ),
    max_size=10,
)
EXPRESSIONS = st.dictionaries(
    st.sampled_from("tu"),
    st.dictionaries(KEYS, st.dictionaries(KEYS, st.sampled_from([1, "x", {"$ne": "x"}]), min_size=1), min_size=1)
    | st.fixed_dictionaries({"$any": RECORDS.filter(bool)})
    | st.fixed_dictionaries({"$all": RECORDS.filter(bool)}),
    min_size=1,
)


@given(STATES, CHANGES, EXPRESSIONS)
def test_every_row_is_what_a_plain_fold_says(state: dict[str, Any], changes: list[Change], expected: Any) -> None:
    numbered = list(enumerate(changes, 1))
    table = StateTable(task(state=expected), StateHistory(state, numbered))
    for step in range(len(changes) + 1):
        folded = fold(state, changes[:step])
        rows = table.rows(step, "expected")
        assert all(row.status == "match" for row in rows) is matches(expected, folded, state)
        for row in rows:
            if not row.path.endswith("/*"):
                assert same(row.actual, pointers.get(folded, row.path), EXACT)
        others = [row for row in table.rows(step) if row.status == "unexpected"]
        for row in others:
            assert not same(pointers.get(folded, row.path), pointers.get(state, row.path), EXACT)
        assert table.counts(step).differing == len(table.rows(step))
        paths = [row.path for row in table.rows(step, "all")]
        assert len(paths) == len(set(paths)) == table.counts(step).watched


@given(STATES, CHANGES)
def test_without_expectations_the_differing_rows_are_exactly_the_difference(
    state: dict[str, Any], changes: list[Change]
) -> None:
    table = StateTable(None, StateHistory(state, list(enumerate(changes, 1))))
    for step in range(len(changes) + 1):
        folded = fold(state, changes[:step])
        equal = all(same(folded.get(name, {}), state.get(name, {}), EXACT) for name in {*folded, *state})
        assert (table.rows(step) == []) is equal
