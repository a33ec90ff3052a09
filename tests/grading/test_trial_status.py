"""Passed, partial, failed, and what is not counted."""

from __future__ import annotations

from typing import Any

import pytest

from reach_tui.core.changes import Change
from reach_tui.core.grading import TRIAL_STATUSES, Grading
from reach_tui.core.trajectory import Trajectory
from reach_tui.grading import GRADER_VERSION, grade
from tests.grading.trial_builder import REFUND, SPECS, Log, task


def graded(log: Trajectory, **more: Any) -> Grading:
    return grade(task(**more), log, SPECS)


# --- checks that do not count (case O-STA-3) ---

STATE = {"orders": {"A100": {"status": "refund_review"}}}
READ = [{"called": {"tool": "read_record"}}]


def test_a_failed_check_that_does_not_count_leaves_a_pass_and_says_so() -> None:
    log = Log().refund().say("金额 42").end()
    grading = graded(
        log,
        state=REFUND,
        expected_tools={"set": ["read_record"], "gate": False},
        must_include=[{"text": "42", "decides": False}],
    )
    assert grading.status == "passed"
    assert "1 check failed, does not count" in grading.why
    [row] = [check for check in grading.checks if check.verdict == "fail"]
    assert not row.decides
    assert row.why == "not called: read_record; does not count"
    assert [check.decides for check in grading.checks if check.kind == "text"] == [False]


def test_the_same_check_fails_the_trial_where_it_counts_and_is_the_reason() -> None:
    log = Log().refund().say("金额 42").end()
    grading = graded(log, state=REFUND, expected_tools={"set": ["read_record"], "gate": True}, must_include=["42"])
    assert grading.status == "failed"
    assert grading.why == "not called: read_record"


def test_without_any_deciding_check_a_trial_is_unscored_and_not_a_pass() -> None:
    grading = graded(Log().refund().say("42").end())
    assert grading.status == "unscored"
    assert "no deciding check" in grading.why
    uncounted = graded(Log().refund().say("42").end(), expected_tools={"set": ["read_record"], "gate": False})
    assert uncounted.status == "unscored"


def test_passed_with_a_failed_check_finds_exactly_the_first() -> None:
    log = Log().refund().say("金额 42").end()
    tools = {"set": ["read_record"]}
    all_three = [
        graded(log, state=REFUND, expected_tools=tools),
        graded(log, state=REFUND, expected_tools={**tools, "gate": True}),
        graded(log),
    ]
    passed_with_failure = [
        grading
        for grading in all_three
        if grading.status == "passed" and any(c.verdict == "fail" for c in grading.checks)
    ]
    assert passed_with_failure == all_three[:1]


# --- statuses ---


def test_some_but_not_all_expected_changes_without_collateral_are_partial() -> None:
    log = Log().call("request_refund", {}, "{}", Change("/orders/A100/status", "delivered", "refund_review"))
    grading = graded(log.say("x").end(), state=REFUND)
    assert grading.status == "partial"
    assert grading.why.startswith("1 of 2 expected values are there, nothing else changed; /refunds/*")


def test_collateral_damage_makes_a_partial_one_fail() -> None:
    log = Log().call(
        "request_refund",
        {},
        "{}",
        Change("/orders/A100/status", "delivered", "refund_review"),
        Change("/orders/A200/status", "paid", "cancelled"),
    )
    assert graded(log.say("x").end(), state=REFUND).status == "failed"


def test_a_value_that_was_right_from_the_start_is_no_part_of_the_work() -> None:
    state = {"orders": {"A200": {"status": "paid"}}, "refunds": {"$any": {"order_id": "A100"}}}
    assert graded(Log().look().say("x").end(), state=state).status == "failed"


def test_something_forbidden_makes_a_partial_one_fail() -> None:
    log = Log().call("request_refund", {}, "{}", Change("/orders/A100/status", "delivered", "refund_review"))
    grading = graded(log.say("x").end(), state=REFUND, forbidden=[{"called": {"tool": "request_refund"}}])
    assert grading.status == "failed"


def test_missing_words_after_the_right_state_are_a_failure() -> None:
    grading = graded(Log().refund().say("好的").end(), state=REFUND, must_include=["退款"])
    assert grading.status == "failed"
    assert grading.why == 'no message of the agent holds "退款"'


@pytest.mark.parametrize(
    ("reason", "status", "owner"),
    [
        ("infra_error", "infra_error", "infrastructure"),
        ("simulator_error", "simulator_error", "user"),
        ("cancelled", "cancelled", None),
        ("interrupted", "interrupted", None),
    ],
)
def test_a_trial_that_others_broke_is_not_counted_whatever_its_state(
    reason: str, status: str, owner: str | None
) -> None:
    grading = graded(Log().refund().broke("connection lost").end(reason, "connection lost"), state=REFUND)
    assert (grading.status, grading.owner, grading.mode, grading.parting) == (status, owner, None, None)
    assert grading.why == "connection lost"
    assert grading.step == (3 if owner else None)


@pytest.mark.parametrize("reason", ["step_limit", "time_limit", "token_limit", "cost_limit", "loop", "user_left"])
def test_a_limit_leaves_the_outcome_to_the_state_and_is_told(reason: str) -> None:
    passed = graded(Log().refund().end(reason), state=REFUND)
    failed = graded(Log().look().end(reason), state=REFUND)
    assert (passed.status, failed.status) == ("passed", "failed")
    assert passed.why != graded(Log().refund().end(), state=REFUND).why
    assert passed.why.rsplit("; ", 1)[1] == failed.why.rsplit("; ", 1)[1]


def test_a_log_without_any_state_is_unscored_where_a_state_is_expected() -> None:
    grading = grade(task(state=REFUND), Log(initial=None).say("done").end("unknown"), {})
    assert grading.status == "unscored"
    assert "no state is known" in grading.why


def test_a_text_judged_task_is_decided_by_words_and_tools_alone() -> None:
    log = Log(initial=None).call("get_sales_data", {}, "{}", ok=None).say("华东区完成率 80%").end()
    fields = {"kind": "query", "judge": "text", "must_include": ["华东区", "八成"]}
    assert graded(log, **fields, expected_tools={"set": ["get_sales_data"], "gate": True}).status == "passed"
    assert graded(log, **fields, expected_tools={"set": ["get_region"], "gate": True}).status == "failed"


# --- query, action, refuse ---


def test_an_action_cannot_pass_without_its_write() -> None:
    grading = graded(Log().look().say("订单金额 129").end(), must_include=["129"])
    assert grading.status == "failed"
    assert grading.why == "no write was carried out"
    already = graded(Log().look().say("好").end(), state={"orders": {"A100": {"status": "delivered"}}})
    assert already.status == "failed"


def test_an_action_whose_write_failed_has_none() -> None:
    log = Log().call("request_refund", {"order_id": "A100"}, error="past the window").say("好").end()
    grading = graded(log, must_include=["好"])
    assert grading.why == "no write was carried out; request_refund was tried and failed"


def test_a_query_that_changes_something_fails() -> None:
    assert graded(Log().look().say("已签收").end(), kind="query", must_include=["签收"]).status == "passed"
    assert graded(Log().cancel().say("已签收").end(), kind="query", must_include=["签收"]).status == "failed"


def test_a_query_with_nothing_but_an_unchanged_state_declared_is_decided_by_it() -> None:
    outcomes: list[dict[str, Any]] = [{"state": {}}]
    assert graded(Log().look().say("x").end(), kind="query", outcomes=outcomes).status == "passed"
    assert graded(Log().cancel().say("x").end(), kind="query", outcomes=outcomes).status == "failed"


@pytest.mark.parametrize("words", ["抱歉，超过了退货期限，无法退款", "Sorry, this order cannot be refunded."])
def test_a_refusal_passes_with_nothing_changed_and_the_user_told_why(words: str) -> None:
    assert graded(Log().look().say(words).end(), kind="refuse").status == "passed"


def test_a_refusal_fails_without_a_word_with_a_wrong_word_or_with_a_change() -> None:
    assert graded(Log().look().end(), kind="refuse").status == "failed"
    assert graded(Log().look().say("已为您退款").end(), kind="refuse").status == "failed"
    assert graded(Log().refund().say("抱歉，无法退款").end(), kind="refuse").status == "failed"
    declared = graded(Log().look().say("抱歉，无法退款").end(), kind="refuse", must_include=["七天"])
    assert declared.status == "failed"
    assert declared.why == 'no message of the agent holds "七天"'


def test_a_refusal_may_expect_a_ticket() -> None:
    state = {"tickets": {"$any": {"subject": "late"}}}
    log = Log().write("open_ticket", "/tickets/T1", {}, {"subject": "late"}).say("抱歉，无法退款，已登记工单").end()
    assert graded(log, kind="refuse", state=state).status == "passed"


def test_confirm_makes_reading_a_write_back_a_check() -> None:
    unread = graded(Log().look().refund().say("x").end(), state=REFUND, confirm=True)
    assert unread.status == "failed"
    assert unread.why == "request_refund (step 3) was never read back"
    assert graded(Log().refund().look().say("x").end(), state=REFUND, confirm=True).status == "passed"
    by_table = Log().refund().call("list_refunds", {}, {"refunds": [{"refund_id": "R2"}]}).say("x").end()
    assert graded(by_table, state=REFUND, confirm=True).status == "passed"
    elsewhere = Log().refund().look("A200").say("x").end()
    assert graded(elsewhere, state=REFUND, confirm=True).status == "failed"


# --- forbidden, constraints, tools ---


def test_something_forbidden_fails_the_trial_even_when_it_was_only_tried() -> None:
    forbidden = [{"called": {"tool": "cancel_order"}}]
    tried = Log().call("cancel_order", {"order_id": "A100"}, error="no").refund().say("x").end()
    grading = graded(tried, state=REFUND, forbidden=forbidden)
    assert grading.status == "failed"
    assert grading.why == "forbidden: cancel_order called, at step 2"
    assert graded(tried, state=REFUND, forbidden=[{"called": {"tool": "cancel_order", "ok": True}}]).status == "passed"
    with_args = [{"called": {"tool": "cancel_order", "args": {"order_id": {"$ne": "A100"}}}}]
    assert graded(tried, state=REFUND, forbidden=with_args).status == "passed"


def test_a_forbidden_state_counts_when_the_trial_brought_it_about_even_for_a_while() -> None:
    forbidden = [{"name": "cancelled", "state": {"orders": {"A200": {"status": "cancelled"}}}}]
    log = Log().cancel("A200").write("cancel_order", "/orders/A200/status", "cancelled", "paid").refund().say("x").end()
    grading = graded(log, state=REFUND, forbidden=forbidden)
    assert grading.why == "forbidden: cancelled, at step 2"
    from_the_start = [{"state": {"orders": {"A200": {"status": "paid"}}}}]
    assert graded(Log().refund().say("x").end(), state=REFUND, forbidden=from_the_start).status == "passed"


def test_forbidden_words_fail_the_trial() -> None:
    forbidden = [{"said": "内部价"}]
    assert graded(Log().refund().say("内部价 80").end(), state=REFUND, forbidden=forbidden).status == "failed"
    assert graded(Log().refund().say("价格 80").end(), state=REFUND, forbidden=forbidden).status == "passed"


@pytest.mark.parametrize(
    ("constraint", "held"),
    [
        ({"arg": "channel", "equals": "balance"}, True),
        ({"arg": "channel", "equals": "original"}, False),
        ({"arg": "channel", "in": ["balance", "original"]}, True),
        ({"arg": "channel", "not_in": ["balance"]}, False),
        ({"arg": "channel", "ne": "original"}, True),
        ({"arg": "channel", "regex": "^bal"}, True),
        ({"arg": "channel", "tool": "cancel_order", "equals": "original"}, True),
        ({"arg": "channel", "tool": "request_refund", "equals": "original"}, False),
        ({"arg": "amount", "lte": 100}, True),
        ({"arg": "/channel", "equals": "balance"}, True),
    ],
)
def test_a_constraint_holds_for_every_write_that_gives_the_argument(constraint: dict[str, Any], held: bool) -> None:
    state = {"orders": {"A100": {"status": "refund_review"}}, "refunds": {"$any": {"order_id": "A100"}}}
    log = Log().refund(channel="balance").say("x").end()
    assert (graded(log, state=state, constraints=[constraint]).status == "passed") is held


def test_a_constraint_is_not_broken_by_a_read_or_by_a_call_that_failed() -> None:
    constraint = [{"arg": "order_id", "equals": "A100"}]
    log = Log().look("A200").call("cancel_order", {"order_id": "A200"}, error="no").refund().say("x").end()
    assert graded(log, state=REFUND, constraints=constraint).status == "passed"


@pytest.mark.parametrize(
    ("tools", "held"),
    [
        ({"in_order": ["get_order", "request_refund"]}, True),
        ({"in_order": ["request_refund", "get_order"]}, False),
        ({"any_order": ["request_refund", "get_order"]}, True),
        ({"any_order": ["get_order", "get_order"]}, False),
        ({"set": ["get_order", "get_order"]}, True),
        ({"set": []}, True),
        ({"set": ["cancel_order"]}, False),
        ({"in_order": [{"get_order": {"order_id": "A100"}}]}, True),
        ({"in_order": [{"tool": "get_order", "args": {"order_id": "A200"}}]}, False),
    ],
)
def test_expected_tools_are_a_check_of_order_count_or_presence(tools: dict[str, Any], held: bool) -> None:
    log = Log().look().call("list_refunds").refund().say("x").end()
    gated = graded(log, state=REFUND, expected_tools={**tools, "gate": True})
    assert (gated.status == "passed") is held
    assert graded(log, state=REFUND, expected_tools=tools).status == "passed"


def test_tools_called_in_another_order_are_told_apart_from_tools_not_called() -> None:
    log = Log().look().refund().say("x").end()
    grading = graded(log, state=REFUND, expected_tools={"in_order": ["request_refund", "get_order"], "gate": True})
    assert "in another order" in grading.why


# --- the grading itself ---


def test_a_grading_carries_its_version_and_the_oracle_it_was_made_by() -> None:
    refund_task = task(state=REFUND)
    grading = grade(refund_task, Log().refund().say("x").end(), SPECS)
    assert (grading.version, grading.oracle) == (GRADER_VERSION, refund_task.oracle)
    assert grading.status in TRIAL_STATUSES
    assert grade(refund_task, Log().refund().say("x").end(), SPECS) == grading


def test_the_users_own_calls_are_not_the_agents() -> None:
    log = Log().call("request_refund", {"order_id": "A100"}, "{}", requestor="user").say("x").end()
    assert graded(log, must_include=["x"]).why == "no write was carried out"
