"""Three lists: what is missing, what is wrong, what changed that nobody asked for."""

from __future__ import annotations

from typing import Any

import pytest

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.grading import Grading
from reach_tui.core.trajectory import Trajectory
from reach_tui.grading import grade
from tests.grading.trial_builder import INITIAL, REFUND, SPECS, Log, task


def failing(grading: Grading) -> list[tuple[str, str | None]]:
    return [(check.kind, check.path) for check in grading.checks if check.verdict == "fail" and check.decides]


def graded(log: Trajectory, **more: Any) -> Grading:
    return grade(task(**more), log, SPECS)


def test_the_expected_changes_and_nothing_else_pass() -> None:
    grading = graded(Log().look().refund().say("退款申请已提交").end(), state=REFUND)
    assert grading.status == "passed"
    assert failing(grading) == []
    assert grading.why == "2 expected values are there and nothing else changed; 1 further check holds"


def test_a_change_that_never_came_is_missing() -> None:
    grading = graded(Log().look().say("好的").end(), state=REFUND)
    assert failing(grading) == [
        ("state_missing", "/orders/A100/status"),
        ("state_missing", "/refunds/*"),
        ("write", None),
    ]
    [missing, *_] = [check for check in grading.checks if check.kind == "state_missing"]
    assert (missing.expected, missing.actual, missing.step) == ("refund_review", "delivered", 0)


def test_a_value_changed_to_another_than_expected_is_wrong() -> None:
    grading = graded(Log().cancel().say("done").end(), state={"orders": {"A100": {"status": "refund_review"}}})
    assert failing(grading) == [("state_wrong", "/orders/A100/status")]
    [wrong] = [check for check in grading.checks if check.kind == "state_wrong"]
    assert (wrong.actual, wrong.step) == ("cancelled", 2)


def test_a_change_that_nobody_asked_for_is_unexpected() -> None:
    grading = graded(Log().refund().cancel("A200").say("done").end(), state=REFUND)
    assert failing(grading) == [("state_unexpected", "/orders/A200/status")]
    assert "on a record that the task does not name" in grading.why


def test_another_field_of_an_expected_record_is_unexpected_unless_allowed() -> None:
    log = Log().refund().write("request_refund", "/orders/A100/updated_at", "t0", "t1").say("done").end()
    assert failing(graded(log, state=REFUND)) == [("state_unexpected", "/orders/A100/updated_at")]
    assert graded(log, state=REFUND, allow_changes=["/orders/*/updated_at"]).status == "passed"
    assert graded(log, state=REFUND, allow_changes=["/orders/A100"]).status == "passed"
    assert graded(log, state=REFUND, allow_changes=["/orders/*/total"]).status == "failed"


def test_a_change_that_was_taken_back_is_no_change() -> None:
    log = (
        Log()
        .refund()
        .write("update_order_address", "/orders/A200/address/city", "北京", "天津")
        .write("update_order_address", "/orders/A200/address/city", "天津", "北京")
        .write("open_ticket", "/tickets/T1", ABSENT, {"subject": "x"})
        .write("open_ticket", "/tickets/T1", {"subject": "x"}, ABSENT)
        .say("done")
        .end()
    )
    assert graded(log, state=REFUND).status == "passed"


def test_what_was_right_and_is_right_no_longer_is_wrong() -> None:
    log = Log().refund().write("cancel_order", "/orders/A100/status", "refund_review", "cancelled").say("done").end()
    grading = graded(log, state=REFUND)
    assert failing(grading) == [("state_wrong", "/orders/A100/status")]
    assert "was right and was lost again at step 3" in grading.why


def test_a_value_that_must_stay_and_did_not_is_wrong() -> None:
    state = {**REFUND, "stock": {"CUP-1": {"available": 5}}}
    log = Log().refund().write("cancel_order", "/stock/CUP-1/available", 5, 6).say("done").end()
    assert failing(graded(log, state=state)) == [("state_wrong", "/stock/CUP-1/available")]


def test_a_delta_is_counted_from_the_state_at_the_start() -> None:
    state = {"stock": {"CUP-1": {"available": {"$delta": -2}}}}
    assert (
        graded(Log().write("cancel_order", "/stock/CUP-1/available", 5, 3).say("x").end(), state=state).status
        == "passed"
    )
    grading = graded(Log().write("cancel_order", "/stock/CUP-1/available", 5, 4).say("x").end(), state=state)
    assert failing(grading) == [("state_wrong", "/stock/CUP-1/available")]
    assert "expected 5 at the start -2, found 4" in grading.why


class TestRecordsByPattern:
    """`$any` over a table."""

    def test_the_new_record_that_matches_is_expected_and_a_second_one_is_not(self) -> None:
        log = Log().refund().refund(refund_id="R3").say("done").end()
        assert failing(graded(log, state=REFUND)) == [("state_unexpected", "/refunds/R3")]

    def test_two_records_may_be_asked_for(self) -> None:
        wish = {"order_id": "A100", "channel": "original"}
        state = {**REFUND, "refunds": {"$any": [wish, wish]}}
        assert graded(Log().refund().refund(refund_id="R3").say("x").end(), state=state).status == "passed"
        assert failing(graded(Log().refund().say("x").end(), state=state)) == [("state_missing", "/refunds/*")]

    def test_a_record_that_was_there_at_the_start_counts_and_excuses_no_new_one(self) -> None:
        state = {"refunds": {"$any": {"order_id": "A900"}}, "orders": {"A100": {"status": "refund_review"}}}
        assert failing(graded(Log().refund().say("x").end(), state=state)) == [("state_unexpected", "/refunds/R2")]

    def test_a_new_record_about_the_right_thing_with_a_wrong_field_is_wrong_and_the_field_is_named(self) -> None:
        grading = graded(Log().refund(channel="balance").say("x").end(), state=REFUND)
        assert failing(grading) == [("state_wrong", "/refunds/*")]
        assert '/refunds/R2/channel: expected "original", found "balance"' in grading.why

    def test_a_new_record_about_something_else_is_unexpected_and_the_right_one_missing(self) -> None:
        grading = graded(Log().refund("A200").say("x").end(), state=REFUND)
        assert ("state_missing", "/refunds/*") in failing(grading)
        assert ("state_unexpected", "/refunds/R2") in failing(grading)
        assert ("state_unexpected", "/orders/A200/status") in failing(grading)

    def test_a_record_changed_into_a_match_excuses_only_the_fields_that_are_named(self) -> None:
        state = {"orders": {"$any": {"total": 129, "status": "closed"}}}
        log = Log().write("cancel_order", "/orders/A100/status", "delivered", "closed")
        assert graded(log.say("x").end(), state=state).status == "passed"
        log = Log().write("cancel_order", "/orders/A100/status", "delivered", "closed")
        log.write("cancel_order", "/orders/A100/address/city", "上海", "杭州")
        assert failing(graded(log.say("x").end(), state=state)) == [("state_unexpected", "/orders/A100/address/city")]

    def test_a_record_that_names_nothing_right_or_too_little_is_not_the_one_that_was_meant(self) -> None:
        state = {"tickets": {"$any": {"category": "late", "priority": "high", "language": "zh"}}}
        two_right = (
            Log().write("open_ticket", "/tickets/T1", ABSENT, {"category": "late", "priority": "high"}).say("x").end()
        )
        assert failing(graded(two_right, state=state)) == [("state_wrong", "/tickets/*")]
        one_right = (
            Log().write("open_ticket", "/tickets/T1", ABSENT, {"category": "late", "priority": "low"}).say("x").end()
        )
        assert failing(graded(one_right, state=state)) == [
            ("state_missing", "/tickets/*"),
            ("state_unexpected", "/tickets/T1"),
        ]

    def test_a_record_about_the_right_thing_with_other_parts_of_it_is_wrong(self) -> None:
        state = {"refunds": {"$any": {"order_id": "A100", "item_ids": ["A100-1"]}}}
        log = Log().write("request_refund", "/refunds/R2", ABSENT, {"order_id": "A100", "item_ids": ["A100-2"]})
        assert failing(graded(log.say("x").end(), state=state)) == [("state_wrong", "/refunds/*")]

    def test_a_record_made_in_the_trial_is_meant_before_one_that_was_changed(self) -> None:
        state = {"refunds": {"$any": {"channel": "balance"}}}
        log = Log().write("request_refund", "/refunds/R1/channel", "original", "balance")
        log.write("request_refund", "/refunds/R2", ABSENT, {"order_id": "A100", "channel": "balance"})
        assert failing(graded(log.say("x").end(), state=state)) == [("state_unexpected", "/refunds/R1/channel")]

    def test_every_record_may_be_asked_for(self) -> None:
        state = {"orders": {"$all": {"status": "closed"}}}
        log = Log().write("cancel_order", "/orders/A100/status", "delivered", "closed")
        assert failing(graded(log.say("x").end(), state=state)) == [("state_wrong", "/orders/*")]
        log = Log().write("cancel_order", "/orders/A100/status", "delivered", "closed")
        log.write("cancel_order", "/orders/A200/status", "paid", "closed")
        assert graded(log.say("x").end(), state=state).status == "passed"


def test_a_record_that_must_go_is_missing_until_it_has_gone() -> None:
    state = {"orders": {"A200": {"$absent": True}}}
    gone = Change("/orders/A200", INITIAL["orders"]["A200"], ABSENT)
    assert graded(Log().call("cancel_order", {}, "{}", gone).say("x").end(), state=state).status == "passed"
    assert failing(graded(Log().refund().say("x").end(), state=state))[0] == ("state_missing", "/orders/A200")


def test_a_deleted_record_is_unexpected_even_where_a_field_of_it_is_expected_to_be_absent() -> None:
    state = {"orders": {"A200": {"note": {"$absent": True}}}}
    gone = Change("/orders/A200", INITIAL["orders"]["A200"], ABSENT)
    grading = graded(Log().call("cancel_order", {}, "{}", gone).say("x").end(), state=state)
    assert failing(grading) == [("state_unexpected", "/orders/A200")]


def test_a_record_made_under_an_expected_name_is_expected_whole() -> None:
    state = {"tickets": {"T1": {"subject": "late"}}}
    log = Log().write("open_ticket", "/tickets/T1", ABSENT, {"subject": "late", "at": "t1"}).say("x").end()
    assert graded(log, state=state).status == "passed"


def test_a_nested_field_that_is_not_named_is_unexpected() -> None:
    state = {"orders": {"A100": {"address": {"city": "杭州"}}}}
    log = (
        Log()
        .call(
            "update_order_address",
            {},
            "{}",
            Change("/orders/A100/address", INITIAL["orders"]["A100"]["address"], {"city": "杭州", "zip": "310000"}),
        )
        .say("x")
        .end()
    )
    assert failing(graded(log, state=state)) == [("state_unexpected", "/orders/A100/address/zip")]


def test_the_hidden_table_of_the_world_is_no_change() -> None:
    log = Log().look().call("get_order", {}, "{}", Change("/_world/now", "t0", "t1")).say("A100 已签收").end()
    assert graded(log, kind="query", must_include=["签收"]).status == "passed"


def test_the_acceptable_outcome_that_was_reached_decides() -> None:
    outcomes = [
        {"name": "refunded", "state": REFUND},
        {"name": "told", "state": {}, "told": ["超过"]},
    ]
    assert graded(Log().refund().say("已提交").end(), outcomes=outcomes).status == "passed"
    refused = graded(Log().look().say("抱歉，订单已超过退货期限").end(), outcomes=outcomes)
    assert refused.status == "passed"
    assert "outcome 'told'" in refused.why
    neither = graded(Log().cancel("A200").say("好的").end(), outcomes=outcomes)
    assert ("state_unexpected", "/orders/A200/status") in failing(neither)


def test_the_closest_outcome_explains_a_failure() -> None:
    outcomes = [
        {"state": {"orders": {"A100": {"status": "closed"}, "A200": {"status": "closed"}}}},
        {"state": REFUND},
    ]
    log = Log().refund(channel="balance").say("x").end()
    assert failing(graded(log, outcomes=outcomes)) == [("state_wrong", "/refunds/*")]


def test_a_run_away_trial_is_listed_up_to_a_limit_and_counted() -> None:
    log = Log()
    for n in range(130):
        log.write("open_ticket", f"/tickets/T{n}", ABSENT, {"n": n})
    grading = graded(log.say("x").end(), state=REFUND)
    unexpected = [check for check in grading.checks if check.kind == "state_unexpected"]
    assert len(unexpected) == 101
    assert unexpected[-1].why.startswith("30 further changes")


@pytest.mark.parametrize("pattern", ["^(a|a|aa)+$", "("])
def test_a_check_that_cannot_be_decided_is_the_graders_and_not_the_agents(pattern: str) -> None:
    state = {"orders": {"A100": {"status": {"$regex": pattern}}}}
    log = Log().write("cancel_order", "/orders/A100/status", "delivered", "a" * 60 + "b").say("x").end()
    grading = graded(log, state=state)
    assert (grading.status, grading.owner, grading.mode) == ("grader_error", "grader", None)
    assert "pattern" in grading.why
    assert [check.verdict for check in grading.checks if check.path == "/orders/A100/status"] == ["skipped"]


def test_checks_hold_only_json() -> None:
    state = {"orders": {"A100": {"note": "x", "gone": {"$absent": True}}}}
    for check in graded(Log().cancel("A200").say("x").end(), state=state).checks:
        assert ABSENT not in (check.expected, check.actual)
