"""Each detector where it should speak and where it should not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.grading import Deviation
from reach_tui.core.trajectory import CHANGED, FAULT, LATE, Step, Trajectory
from reach_tui.grading import grade
from tests.grading.trial_builder import REFUND, SPECS, Log, spec, task


def cited(log: Trajectory, detector: str, kind: str = "action", **more: object) -> list[Deviation]:
    graded_task = task(kind, **{"state": REFUND, **more})  # type: ignore[arg-type]
    return [deviation for deviation in grade(graded_task, log, SPECS).deviations if deviation.detector == detector]


class TestLoop:
    """More than three equal calls with equal results and no state change between."""

    def test_the_fourth_equal_call_makes_a_loop_and_it_is_cited_from_first_to_last(self) -> None:
        log = Log().look().look().look().look().look().say("x").end()
        [loop] = cited(log, "loop")
        assert (loop.step, loop.last_step, loop.tool) == (2, 6, "get_order")
        assert "5 times" in loop.evidence

    def test_three_equal_calls_are_borne(self) -> None:
        assert cited(Log().look().look().look().say("x").end(), "loop") == []
        assert cited(Log().look().look().look().look("A200").say("x").end(), "loop") == []

    def test_a_change_of_state_between_ends_the_count(self) -> None:
        log = Log().look().look().refund().look().look().say("x").end()
        assert cited(log, "loop") == []

    def test_other_arguments_or_other_results_are_other_calls(self) -> None:
        log = Log().look().look().look("A200").look("A200").say("x").end()
        assert cited(log, "loop") == []
        log = Log()
        for n in range(5):
            log.call("get_order", {"order_id": "A100"}, {"n": n})
        assert cited(log.say("x").end(), "loop") == []

    def test_a_cycle_of_two_calls_is_a_loop_of_both(self) -> None:
        log = Log()
        for _ in range(4):
            log.look().look("A200")
        assert [(deviation.step, deviation.last_step) for deviation in cited(log.say("x").end(), "loop")] == [
            (2, 8),
            (3, 9),
        ]

    def test_a_polling_tool_is_exempt(self) -> None:
        log = Log()
        for _ in range(6):
            log.call("wait_for_order", {"order_id": "A100"}, {"status": "paid"})
        assert cited(log.say("x").end(), "loop") == []

    def test_the_tasks_own_limit_is_the_one_that_counts(self) -> None:
        log = Log().look().look().say("x").end()
        assert len(cited(log, "loop", limits={"loop": 1})) == 1

    def test_equal_arguments_in_another_order_are_equal(self) -> None:
        log = Log()
        for args in ({"a": 1, "b": 2}, {"b": 2, "a": 1}) * 2:
            log.call("get_order", args, "{}")
        assert len(cited(log.say("x").end(), "loop")) == 1


class TestBlindRetry:
    """A call that has just failed, made again unchanged."""

    def fail(self, log: Log, times: int, flags: int = 0, tool: str = "cancel_order") -> Log:
        for n in range(times):
            log.call(tool, {"order_id": "A100"}, error=f"no ({n})", flags=flags)
        return log

    def test_the_third_equal_failing_call_in_a_row_is_a_blind_retry(self) -> None:
        [retry] = cited(self.fail(Log(), 3).say("x").end(), "blind_retry")
        assert (retry.step, retry.last_step) == (2, 4)

    def test_one_repetition_may_be_a_slip(self) -> None:
        assert cited(self.fail(Log(), 2).say("x").end(), "blind_retry") == []

    def test_another_call_between_shows_that_something_was_tried(self) -> None:
        log = self.fail(self.fail(Log(), 2).look(), 2).say("x").end()
        assert cited(log, "blind_retry") == []

    @pytest.mark.parametrize("flags", [FAULT, LATE])
    def test_what_a_fault_or_the_clock_broke_may_be_tried_again(self, flags: int) -> None:
        assert cited(self.fail(Log(), 5, flags).say("x").end(), "blind_retry") == []

    def test_a_polling_tool_may_be_tried_again(self) -> None:
        assert cited(self.fail(Log(), 5, tool="wait_for_order").say("x").end(), "blind_retry") == []


class TestUngroundedArgument:
    """A record named in a call that nobody had mentioned and no result had shown."""

    def test_an_id_out_of_nowhere_is_cited_once(self) -> None:
        log = Log().look("A777").look("A777").say("x").end()
        [deviation] = cited(log, "ungrounded_argument")
        assert (deviation.step, deviation.tool) == (2, "get_order")
        assert "'A777'" in deviation.evidence

    def test_an_id_of_the_user_of_a_result_or_of_the_tools_definition_is_grounded(self) -> None:
        log = Log().look("A100").call("get_order", {"order_id": "A100"}, {"shipment": "SF-10"})
        log.call("track", {"tracking_no": "SF10"}, "{}").user("还有 A300").look("a300").say("x")
        assert cited(log.end(), "ungrounded_argument") == []
        specs = {"get_order": spec("get_order", "read", parameters={"properties": {"id": {"enum": ["A777"]}}})}
        grading = grade(task(state=REFUND), Log().look("A777").say("x").end(), specs)
        assert [deviation for deviation in grading.deviations if deviation.detector == "ungrounded_argument"] == []

    def test_amounts_dates_and_free_text_are_not_looked_at(self) -> None:
        args = {"amount": 77, "date": "2026-03-01", "text": "please hurry", "reason": "changed_mind", "time": "10:30"}
        assert cited(Log().call("open_ticket", args).say("x").end(), "ungrounded_argument") == []

    def test_an_id_in_a_list_or_in_an_object_is_looked_at(self) -> None:
        log = Log().call("open_ticket", {"items": [{"id": "B900"}]}).say("x").end()
        assert len(cited(log, "ungrounded_argument")) == 1

    def test_the_agents_own_words_ground_nothing(self) -> None:
        log = Log().say("我看看 A777").look("A777").say("x").end()
        assert len(cited(log, "ungrounded_argument")) == 1


class TestAbandonedError:
    """A write failed, and no write succeeded afterwards."""

    def test_a_write_that_failed_and_was_left_is_cited(self) -> None:
        log = Log().look().call("request_refund", {"order_id": "A100"}, error="past the window").say("x").end()
        [deviation] = cited(log, "abandoned_error")
        assert (deviation.step, deviation.tool) == (3, "request_refund")
        assert "past the window" in deviation.evidence

    def test_a_write_that_succeeded_afterwards_makes_up_for_it(self) -> None:
        log = Log().call("request_refund", {}, error="order_id is missing").refund().say("x").end()
        assert cited(log, "abandoned_error") == []

    def test_in_a_query_or_a_refusal_leaving_it_alone_is_right(self) -> None:
        log = Log().call("request_refund", {"order_id": "A100"}, error="no").say("抱歉，无法退款").end()
        assert cited(log, "abandoned_error", "refuse", state={}) == []
        assert cited(log, "abandoned_error", "query", state={}) == []

    def test_a_read_that_failed_is_none(self) -> None:
        assert cited(Log().call("get_order", {}, error="no").say("x").end(), "abandoned_error") == []


class TestUnconfirmedWrite:
    """A write that was never read back."""

    def test_it_is_cited_once_for_all_writes(self) -> None:
        log = Log().look().refund().cancel("A200").say("x").end()
        [deviation] = cited(log, "unconfirmed_write")
        assert (deviation.step, deviation.last_step) == (3, 4)
        assert deviation.evidence == "2 writes never read back: request_refund, cancel_order"

    def test_reading_the_record_or_what_the_write_made_confirms_it(self) -> None:
        assert cited(Log().refund().look().say("x").end(), "unconfirmed_write") == []
        log = Log().refund().call("list_refunds", {"order": "A100"}, "{}").say("x").end()
        assert cited(log, "unconfirmed_write") == []

    def test_reading_something_else_or_failing_to_read_does_not(self) -> None:
        assert cited(Log().look().refund().look("A200").say("x").end(), "unconfirmed_write") != []
        log = Log().refund().call("get_order", {"order_id": "A100"}, error="down").say("x").end()
        assert cited(log, "unconfirmed_write") != []

    def test_what_a_foreign_log_shows_of_the_state_is_no_write(self) -> None:
        seen = Step(
            2, 1, "call", {"args": {}, "result": "{}"}, "lookup", ok=True, changes=(Change("/t/1/a", ABSENT, 1),)
        )
        grading = grade(task(), Trajectory({"t": {"1": {}}}, (seen,), "unknown"), {})
        assert grading.deviations == ()
        wrote = replace(seen, flags=CHANGED)
        assert len(grade(task(), Trajectory({"t": {"1": {}}}, (wrote,), "unknown"), {}).deviations) == 1

    def test_it_derails_nothing(self) -> None:
        grading = grade(task(state=REFUND), Log().refund().say("x").end(), SPECS)
        assert (grading.status, grading.mode) == ("passed", None)


class TestFalseClaim:
    """The agent says that something is done, and no successful write bears it out."""

    def test_each_statement_is_cited_once_however_many_rows_it_speaks_of(self) -> None:
        log = Log().say("退款申请已提交").say("退款申请已提交，请放心").end()
        assert [deviation.step for deviation in cited(log, "false_claim")] == [2, 3]

    def test_a_true_statement_is_not(self) -> None:
        assert cited(Log().refund().say("退款申请已提交").end(), "false_claim") == []

    def test_a_wrong_value_alone_is_no_claim_of_a_deed(self) -> None:
        assert cited(Log().say("A100 is refund_review").end(), "false_claim") == []
