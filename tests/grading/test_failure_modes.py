"""Why a trial failed, whose fault it was, and the step that decided it."""

from __future__ import annotations

from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.grading import MODE_FAMILIES, OWNERS, Grading
from reach_tui.core.trajectory import FAULT, Trajectory
from reach_tui.grading import grade
from tests.grading.trial_builder import REFUND, SPECS, Log, task

REFERENCE = [
    {"tool": "get_order", "args": {"order_id": "A100"}},
    {"tool": "request_refund", "args": {"order_id": "A100", "channel": "original"}},
]


def graded(log: Trajectory, kind: str = "action", **more: Any) -> Grading:
    grading = grade(task(kind, **{"state": REFUND, **more}), log, SPECS)
    assert grading.mode is None or grading.mode.split(":")[0] in MODE_FAMILIES
    assert grading.owner is None or grading.owner in OWNERS
    return grading


def blamed(log: Trajectory, kind: str = "action", **more: Any) -> tuple[str | None, str | None, int | None]:
    grading = graded(log, kind, **more)
    return grading.mode, grading.owner, grading.step


def test_a_pass_has_no_failure_and_no_parting() -> None:
    grading = graded(Log().look().refund().say("好").end())
    assert (grading.mode, grading.owner, grading.step, grading.parting) == (None, None, None, None)


# --- others' fault ---


def test_a_tool_that_a_fault_broke_for_good_is_blamed_before_the_agent() -> None:
    log = Log().look().call("request_refund", {"order_id": "A100"}, error="503", flags=FAULT).say("退款已提交").end()
    assert blamed(log) == ("other:tool_fault", "tool", 3)


def test_a_fault_that_passed_is_nobodys_excuse() -> None:
    log = Log().call("get_order", {"order_id": "A100"}, error="503", flags=FAULT).look().say("退款已提交").end()
    assert blamed(log)[1] == "agent"


def test_a_tool_that_says_no_after_its_fault_works_and_the_agent_owns_what_follows() -> None:
    down = Log().call("request_refund", {"order_id": "a100"}, error="503", flags=FAULT)
    log = down.call("request_refund", {"order_id": "a100"}, error="no such order").say("办不了").end()
    mode, owner, _ = blamed(log)
    assert (mode == "other:tool_fault", owner) == (False, "agent")


def test_a_fault_of_one_tool_does_not_excuse_saying_that_another_had_done_its_work() -> None:
    log = Log().call("get_order", {"order_id": "A100"}, error="503", flags=FAULT).say("退款已提交").end()
    assert blamed(log)[:2] == ("hallucination:false_completion", "agent")
    honest = Log().call("get_order", {"order_id": "A100"}, error="503", flags=FAULT).say("现在查不到").end()
    assert blamed(honest)[:2] == ("other:tool_fault", "tool")


def test_a_user_who_left_is_blamed() -> None:
    assert blamed(Log().look().say("要退款吗？").end("user_left")) == ("other:user_left", "user", 3)


def test_what_the_user_changed_with_their_own_tools_is_theirs() -> None:
    log = Log().call("toggle", {}, "{}", Change("/orders/A200/status", "paid", "x"), requestor="user").refund().say("k")
    assert blamed(log.end()) == ("other:user_action", "user", 2)


def test_an_undecided_check_beside_failed_ones_is_the_graders() -> None:
    log = Log().look().say("a" * 60 + "b").end()
    assert blamed(log, must_include=[{"$regex": "^(a|a|aa)+$"}])[1] == "grader"


# --- the first write that did harm ---


def test_a_wrong_tool_by_the_reference() -> None:
    assert blamed(Log().look().cancel().say("好").end(), reference=REFERENCE) == ("tool:wrong_tool", "agent", 3)


def test_a_wrong_tool_by_the_expected_tools_or_milestones() -> None:
    log = Log().look().cancel().say("好").end()
    assert blamed(log, expected_tools={"set": ["request_refund"]})[0] == "tool:wrong_tool"
    assert blamed(log, milestones=[{"name": "m", "called": {"tool": "request_refund"}}])[0] == "tool:wrong_tool"


def test_a_wrong_tool_by_the_tables_that_are_expected() -> None:
    log = Log().write("open_ticket", "/tickets/T1", ABSENT, {"subject": "x"}).say("好").end()
    assert blamed(log) == ("tool:wrong_tool", "agent", 2)


def test_a_wrong_value_and_a_wrong_record_by_the_reference() -> None:
    value = Log().look().refund(channel="balance").say("好").end()
    assert blamed(value, reference=REFERENCE) == ("argument:wrong_value", "agent", 3)
    record = Log(request="A100 还是 A200").refund("A200").say("好").end()
    assert blamed(record, reference=REFERENCE) == ("argument:wrong_record", "agent", 2)


def test_a_wrong_value_and_a_wrong_record_by_the_state_alone() -> None:
    log = (
        Log()
        .call(
            "update_order_address",
            {"order_id": "A100", "city": "天津"},
            "{}",
            Change("/orders/A100/address/city", "上海", "天津"),
        )
        .say("好")
        .end()
    )
    state = {"orders": {"A100": {"address": {"city": "杭州"}}}}
    assert blamed(log, state=state) == ("argument:wrong_value", "agent", 2)
    record = Log(request="A100 还是 A200").refund("A200").say("好").end()
    assert blamed(record) == ("argument:wrong_record", "agent", 2)


def test_an_id_out_of_nowhere_in_the_write() -> None:
    log = Log(request="退款").refund("A200").say("好").end()
    assert blamed(log, reference=REFERENCE) == ("argument:ungrounded", "agent", 2)


def test_the_same_write_twice_is_drift() -> None:
    log = Log().refund()
    log.call(
        "request_refund",
        {"order_id": "A100", "channel": "original"},
        "{}",
        Change("/refunds/R3", ABSENT, {"order_id": "A100", "channel": "original"}),
    )
    assert blamed(log.say("好").end(), reference=REFERENCE) == ("drift:repeated_write", "agent", 3)


def test_a_write_in_a_query_and_in_a_refusal() -> None:
    log = Log().look().refund().say("抱歉，无法退款").end()
    assert blamed(log, "query", state={}, must_include=["退款"]) == ("tool:write_in_query", "agent", 3)
    assert blamed(log, "refuse", state={}) == ("planning:policy_misjudged", "agent", 3)


def test_a_forbidden_call_a_broken_constraint_and_a_write_before_asking() -> None:
    log = (
        Log().refund().cancel("A200").write("cancel_order", "/orders/A200/status", "cancelled", "paid").say("好").end()
    )
    assert blamed(log, forbidden=[{"called": {"tool": "cancel_order"}}]) == ("tool:forbidden", "agent", 3)
    balance = Log().look().refund(channel="balance").say("好").end()
    assert blamed(balance, constraints=[{"arg": "channel", "equals": "original"}])[0] == "argument:constraint"
    early = Log().refund().say("退货原因是什么？").end()
    assert blamed(early, asked=["reason"]) == ("planning:never_asked", "agent", 2)


def test_the_first_harmful_write_decides_and_the_state_parts_there() -> None:
    log = Log().cancel("A200").look().refund(channel="balance").say("退款已提交").end()
    grading = graded(log, reference=REFERENCE)
    assert (grading.mode, grading.step, grading.parting) == ("tool:wrong_tool", 2, 2)


def test_harm_that_was_undone_is_no_harm() -> None:
    log = Log().cancel("A200").write("cancel_order", "/orders/A200/status", "cancelled", "paid")
    grading = graded(log.refund(channel="balance").say("好").end(), reference=REFERENCE)
    assert (grading.mode, grading.step, grading.parting) == ("argument:wrong_value", 4, 4)


def test_harm_that_was_undone_and_done_again_parts_the_second_time() -> None:
    log = Log().cancel("A200").write("cancel_order", "/orders/A200/status", "cancelled", "paid")
    log.write("cancel_order", "/orders/A200/status", "paid", "closed", order_id="A200")
    assert graded(log.refund().say("好").end(), reference=REFERENCE).parting == 4


# --- said, not done ---


def test_a_claim_without_its_write_is_a_hallucination_at_the_claim() -> None:
    grading = graded(Log().look().say("退款申请已提交").end())
    assert (grading.mode, grading.step, grading.parting) == ("hallucination:false_completion", 3, 3)


def test_a_write_that_failed_and_is_claimed_is_a_hallucination_too() -> None:
    log = Log().call("request_refund", {"order_id": "A100"}, error="past the window").say("退款申请已提交").end()
    assert blamed(log) == ("hallucination:false_completion", "agent", 3)


# --- left out ---


def test_a_write_that_was_refused_for_its_arguments_and_left() -> None:
    missing = Log().call("request_refund", {}, error="order_id is missing").say("稍后再试").end()
    assert blamed(missing) == ("argument:rejected", "agent", 2)
    unknown = Log().call("request_refund", {"order_id": "A100", "orderNo": 1}, error="no").say("稍后再试").end()
    assert blamed(unknown)[0] == "argument:rejected"
    wrong_type = Log().call("request_refund", {"order_id": 100}, error="no").say("稍后再试").end()
    assert blamed(wrong_type)[0] == "argument:rejected"
    enum = Log().call("request_refund", {"order_id": "A100", "channel": "cash"}, error="no").say("稍后再试").end()
    assert blamed(enum)[0] == "argument:rejected"
    unreadable = Log().call("request_refund", [1], error="no object").say("稍后再试").end()
    assert blamed(unreadable)[0] == "argument:rejected"


def test_a_write_that_was_refused_for_what_it_asked_and_left() -> None:
    log = Log().look().call("request_refund", {"order_id": "A100"}, error="past the window").say("稍后再试").end()
    assert blamed(log) == ("drift:abandoned_error", "agent", 3)
    grading = graded(log)
    assert grading.parting == 4


def test_a_wrong_tool_that_was_refused() -> None:
    log = Log().look().call("cancel_order", {"order_id": "A100"}, error="delivered").say("稍后再试").end()
    assert blamed(log, reference=REFERENCE) == ("tool:wrong_tool", "agent", 3)
    unknown = Log().call("make_refund", {}, error="there is no tool").say("稍后再试").end()
    assert blamed(unknown, reference=REFERENCE)[0] in ("tool:wrong_tool", "planning:gave_up")


def test_a_write_that_was_never_tried() -> None:
    assert blamed(Log().look().say("好的").end()) == ("planning:gave_up", "agent", 3)
    assert blamed(Log().say("好的").end()) == ("planning:nothing_tried", "agent", 2)
    assert blamed(Log().end()) == ("planning:nothing_tried", "agent", 1)


def test_what_was_never_asked_for() -> None:
    log = Log().refund().say("好").end()
    assert blamed(log, asked=["reason"]) == ("planning:never_asked", "agent", 3)


def test_a_limit_that_ended_it() -> None:
    assert blamed(Log().look().look("A200").end("step_limit")) == ("planning:ran_out_of_steps", "agent", 3)
    assert blamed(Log().look().look().look().look().end("loop")) == ("planning:loop", "agent", 2)
    assert blamed(Log().look().end("time_limit"))[0] == "other:time_limit"


# --- said too little ---

LOOKED = [{"tool": "get_order", "args": {"order_id": "A100"}}]


def query(log: Trajectory) -> tuple[str | None, str | None, int | None]:
    return blamed(log, "query", state={}, must_include=["129"], reference=LOOKED)


def test_an_answer_without_the_fact_though_it_was_looked_up() -> None:
    assert query(Log().look().say("已签收").end()) == ("other:not_told", "agent", 3)


def test_an_answer_from_the_wrong_record_or_the_wrong_tool_or_from_nothing() -> None:
    assert query(Log().look("A200").say("80").end()) == ("argument:wrong_record", "agent", 2)
    assert query(Log().call("list_refunds").say("80").end()) == ("tool:wrong_tool", "agent", 2)
    assert query(Log().say("80").end()) == ("planning:not_looked_up", "agent", 2)


def test_a_look_at_another_record_beside_the_right_one_is_no_fault() -> None:
    assert query(Log().look("A200").look().say("80").end()) == ("other:not_told", "agent", 4)


def test_a_look_that_failed_and_was_left() -> None:
    log = Log().call("get_order", {"order_id": "A100"}, error="down").say("80").end()
    assert query(log) == ("drift:abandoned_error", "agent", 2)


def test_a_look_at_the_wrong_record_that_failed() -> None:
    log = Log().call("get_order", {"order_id": "M100"}, error="there is no such order").say("80").end()
    assert query(log) == ("argument:wrong_record", "agent", 2)


def test_a_refusal_that_the_tool_gave_and_the_user_was_not_told_enough_of() -> None:
    reference = [{"tool": "request_refund", "args": {"order_id": "A100"}}]
    log = Log().call("request_refund", {"order_id": "A100"}, error="past 7 days").say("抱歉，无法退款").end()
    assert blamed(log, "refuse", state={}, must_include=["7 days"], reference=reference) == (
        "other:not_told",
        "agent",
        3,
    )


def test_a_broken_tool_is_no_fault_where_another_one_would_have_helped() -> None:
    reference = [*LOOKED, {"tool": "list_refunds"}]
    log = Log().call("get_order", {"order_id": "A100"}, error="down").say("查不到").end()
    blame = blamed(log, "query", state={}, must_include=["129"], reference=reference)
    assert blame == ("planning:not_looked_up", "agent", 3)


def test_a_refusal_that_does_not_refuse() -> None:
    log = Log().look().say("好的").end()
    assert blamed(log, "refuse", state={}) == ("planning:policy_misjudged", "agent", 3)


def test_what_no_rule_can_state_is_unclassified() -> None:
    log = (
        Log()
        .look()
        .call(
            "request_refund",
            {"order_id": "A100", "channel": "original"},
            "{}",
            Change("/orders/A100/status", "delivered", "refund_review"),
        )
        .say("好")
        .end()
    )
    state = {"orders": {"A100": {"status": "closed"}}}
    grading = graded(log, state=state, reference=REFERENCE)
    assert (grading.mode, grading.owner, grading.step) == ("unclassified", "agent", 3)
