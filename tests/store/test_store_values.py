"""What goes into a store comes out equal, types included; secrets do not go in."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical, digest
from reach_tui.core.changes import Change
from reach_tui.core.equality import EXACT, same
from reach_tui.core.grading import CheckResult
from reach_tui.core.redaction import MASK, may_hold_secret, redact, redact_text
from reach_tui.core.trajectory import Step, StepKind
from reach_tui.core.trial import TrialStart
from reach_tui.store import encode, encoded, replay, run_queue, trials
from reach_tui.store.gradings import add_grading, current_grading
from reach_tui.store.store import Store
from reach_tui.store.texts import COMPRESS_FROM, INLINE_BYTES
from reach_tui.store.writer import Writer
from tests.store.store_samples import INITIAL, SETUP, Shop, count, exchange, grading, steps, task, totals

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None, categories=None), max_size=20)
    | st.sampled_from(
        ["", "007", "7e2", "1", "null", "\x00", "\ud83d", "a\x00b", "退款", "\u2028", "[/red]", "\x1b[31m"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def test_a_trial_comes_back_as_it_went_in(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    went = steps(
        {"args": {"id": "A1"}, "raw": "{}", "result": "delivered"}, {"args": None, "raw": "oops", "error": "no"}
    )
    verdict = grading("failed", mode="argument", owner="agent", step=2, parting=3)
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        for step in went:
            writer.step("t1", step)
        writer.end_trial(*shop.end(grading=verdict, end_reason="step_limit", end_text="40 actions", steps=4))
    stored = replay.load_trial(shop.reading(), 1)
    assert stored.trajectory.steps == went
    assert stored.trajectory.initial == INITIAL
    assert (stored.trajectory.end_reason, stored.trajectory.end_text) == ("step_limit", "40 actions")
    assert stored.trajectory.tools == ("get_order", "refund")
    assert stored.grading == verdict
    assert stored.setup == SETUP
    assert stored.setup.digest == SETUP.digest
    assert stored.task == task("T1", domain="shop", tags={"capability": "refund"})
    row = stored.row
    head = row.grading
    assert (head.status, head.mode, head.owner, head.decisive_step, head.depth, head.depth_of) == (
        "failed",
        "argument",
        "agent",
        2,
        1,
        2,
    )
    assert row.link == "rrun1/T1#1"
    assert row.grading.why == "it failed"


@pytest.mark.parametrize("order", [1, -1])
def test_no_column_remembers_the_type_of_the_first_value(tmp_path: Path, order: int) -> None:
    scores: list[Any] = [1, 0.5, "partial", True, None, ABSENT, "1", 1.0, [], {}][::order]
    codes: list[Any] = [7, "007", "7e2", "", 7.0, "0x7", True][::order]
    path = tmp_path / "runs.db"
    with Store(path, write=True) as store:
        bodies = [task(f"T{n}", tags={"code": code}) for n, code in enumerate(codes)]
        suite_id, tasks = run_queue.add_suite(store, "s", b"1" * 16, None, bodies)
        run = run_queue.create_run(store, run_queue.NewRun("r", suite_id, 1))
    checks = tuple(CheckResult("custom", True, "pass", "", expected=score, actual=score) for score in scores)
    shop = Shop(tmp_path / "other.db")
    with Writer(path) as writer:
        for n, task_id in enumerate(tasks.values()):
            writer.start_trial(TrialStart(f"t{n}", run.id, task_id, 1, 1, None, "none", 0), None)
            writer.end_trial(*shop.end(f"t{n}", steps=0, grading=grading(checks=checks)))
    store = Store(path)
    for n, code in enumerate(codes):
        stored = replay.load_trial(store, n + 1)
        kept = stored.task.body["tags"]["code"]
        assert (type(kept), kept) == (type(code), code)
        assert stored.grading is not None
        for check, score in zip(stored.grading.checks, scores, strict=True):
            assert (type(check.expected), check.expected) == (type(score), score)
            assert (type(check.actual), check.actual) == (type(score), score)
    tags = {row[0] for row in store.db.execute("SELECT value FROM task_tags WHERE typeof(value) = 'text'")}
    assert tags == {"7", "007", "7e2", "", "7.0", "0x7", "true"}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies=st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=4), min_size=1, max_size=4), values=JSON)
def test_any_json_body_and_any_changed_value_survive(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[dict[str, Any]], values: Any
) -> None:
    shop = Shop(tmp_path_factory.mktemp("any") / "runs.db")
    went = [
        Step(n, 1, "call", body, f"t\x00{n}", "c", True, changes=(Change(f"/a/b~1{n}", ABSENT, values),))
        for n, body in enumerate(bodies, 1)
    ]
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        for step in went:
            writer.step("t1", step)
        writer.end_trial(*shop.end(steps=len(went)))
    came = replay.load_trial(shop.reading(), 1).trajectory.steps
    # What JSON itself makes of two lone halves of a pair, and of 1.0, is not the store's to keep apart.
    plain = json.loads(json.dumps([redact(dict(step.body)) for step in went]))
    assert [canonical(step.body) for step in came] == [canonical(body) for body in plain]
    for step, sent in zip(came, went, strict=True):
        assert step.tool == sent.tool
        (change,) = step.changes
        assert change.old is ABSENT
        assert same(change.new, json.loads(json.dumps(redact(values))), EXACT)


@given(value=JSON)
def test_the_first_look_for_secrets_never_overlooks_one(value: Any) -> None:
    text = canonical(value)
    if not may_hold_secret(text):
        assert canonical(redact(value)) == text
        assert redact_text(text) == text


@given(value=st.dictionaries(st.text(max_size=6), JSON, min_size=1, max_size=5))
def test_a_request_put_together_from_its_parts_is_its_canonical_text(value: dict[str, Any]) -> None:
    request = {**value, "messages": [value, {"a": 1}], "tools": [value]}
    assert encoded.request_text(
        request, [canonical(message) for message in request["messages"]], canonical([value])
    ) == canonical(request)


def test_absent_and_null_are_two_things(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    changes = (Change("/a/1", ABSENT, None), Change("/a/1", None, ABSENT), Change("/a/2/x", ABSENT, {"y": None}))
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        writer.step("t1", Step(1, 1, "call", {}, changes=changes))
        writer.end_trial(*shop.end(steps=1))
    came = replay.load_trial(shop.reading(), 1).trajectory.steps[0].changes
    assert [(change.old is ABSENT, change.new is ABSENT) for change in came] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    assert came == changes


@pytest.mark.parametrize("size", [INLINE_BYTES // 4, INLINE_BYTES // 2, COMPRESS_FROM])
@pytest.mark.parametrize("compress", [True, False])
def test_long_bodies_go_to_texts_once_and_come_back(tmp_path: Path, size: int, compress: bool) -> None:
    shop = Shop(tmp_path / "runs.db")
    body = {"args": {}, "raw": "{}", "result": "返" * size}
    with Writer(shop.path, compress=compress) as writer:
        shop.put(writer, "t1", body=body)
        shop.put(writer, "t2", repeat=2, body=body)
    store = shop.reading()
    for trial_id in (1, 2):
        assert replay.load_trial(store, trial_id).trajectory.steps[1].body == body
    rows = store.db.execute(
        "SELECT x.codec, x.size, count(*) FROM steps p JOIN texts x ON x.id = p.text_id GROUP BY x.id"
    ).fetchall()
    if 3 * size < INLINE_BYTES:
        assert rows == []
    else:
        codec = "zlib" if compress and size >= COMPRESS_FROM else "raw"
        assert rows == [(codec, len(canonical(body).encode()), 2)]


def test_the_request_can_be_put_together_again_and_proves_itself(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    sent = exchange(2, "hello", "订单 \ud83d", "hello")
    proof = digest(sent.request())
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        writer.exchange("t1", exchange(1, "hello"))
        writer.exchange("t1", exchange(2, "hello", attempt=1, status=503, error="busy"))
        writer.exchange("t1", exchange(2, "hello", "订单 \ud83d", "hello", attempt=2, request_digest=proof))
        writer.exchange("t1", exchange(3, "hello", request_digest=b"x" * 16))
    store = shop.reading()
    raw = replay.raw_exchange(store, 1, 2)
    assert raw is not None
    assert (raw.exchange.attempt, raw.proof) == (2, "verified")
    assert raw.request == sent.request()
    assert raw.exchange.response == {"choices": [{"index": 0}]}
    first = replay.raw_exchange(store, 1, 2, attempt=1)
    assert first is not None
    assert (first.exchange.status, first.exchange.error) == (503, "busy")
    wrong = replay.raw_exchange(store, 1, 3)
    assert wrong is not None
    assert wrong.proof == "differs"
    assert replay.raw_exchange(store, 1, 9) is None
    assert [(logged.turn, logged.attempt) for logged in replay.exchanges_of(store, 1)] == [
        (1, 1),
        (2, 1),
        (2, 2),
        (3, 1),
    ]
    hello = canonical({"role": "user", "content": "hello"})
    assert store.db.execute("SELECT count(*) FROM texts WHERE body = ?", (hello,)).fetchone() == (1,)


def test_messages_are_stored_once_however_many_requests_carry_them(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    messages = [f"message {n} " + "x" * 500 for n in range(30)]
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        for turn in range(1, 31):
            writer.exchange("t1", exchange(turn, *messages[:turn]))
    store = shop.reading()
    (size,) = store.db.execute("SELECT sum(size) FROM texts WHERE body LIKE '%message %'").fetchone()
    assert size < 30 * 600
    last = replay.raw_exchange(store, 1, 30)
    assert last is not None
    assert (len(last.exchange.messages), last.proof) == (30, "verified")


def test_a_message_changed_after_it_was_handed_over_does_not_change_what_is_stored(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    body: dict[str, Any] = {"text": "as said"}
    with Writer(shop.path, every_ms=5000) as writer:
        writer.start_trial(*shop.start())
        writer.step("t1", Step(1, 0, "user", body))
        body["text"] = "changed"
    assert replay.load_trial(shop.reading(), 1).trajectory.steps[0].body == {"text": "as said"}


KEY = "sk-" + "a1B2c3D4" * 4
TOKEN = "Bearer " + "z9" * 20


def test_secrets_are_in_no_file_of_a_store(tmp_path: Path) -> None:
    setup = type(SETUP)(**{**{f: getattr(SETUP, f) for f in SETUP.__slots__}, "prompt": f"use {KEY}"})
    shop = Shop(tmp_path / "runs.db", setup=setup, plan={"api_key": "hunter2-plan", "note": TOKEN})
    holding = sqlite3.connect(shop.path, isolation_level=None)
    record = {"password": "hunter2-state", "note": KEY}
    with Writer(shop.path, busy_ms=20) as writer:
        writer.start_trial(shop.start()[0], {"members": {"M": record}})
        body = {"args": {"secret": "hunter2-args", "x": KEY}, "raw": KEY, "result": TOKEN}
        change = Change("/members/M/password", "hunter2-state", "hunter2-new")
        writer.step("t1", Step(1, 1, "call", body, "tool", changes=(change, Change("/members/M", record, record))))
        writer.step("t1", Step(2, 1, "agent", {"text": ("x " * 55) + KEY}))
        writer.exchange("t1", exchange(1, f"my key is {KEY}", TOKEN, error=TOKEN))
        writer.flush()
        holding.execute("BEGIN IMMEDIATE")
        writer.end_trial(*shop.end(steps=2, end_text=KEY, grading=grading(why=f"because {TOKEN}")))
        assert writer.close() == 1
    holding.execute("ROLLBACK")
    holding.close()
    everything = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in (KEY, TOKEN, "hunter2"):
        assert secret.encode() not in everything, secret
    assert MASK.encode() in everything
    store = Store(shop.path, write=True)
    stored = replay.load_trial(store, 1)
    assert stored.trajectory.steps[0].body["args"] == {"secret": MASK, "x": MASK}
    assert stored.trajectory.history().state_at(1) == {"members": {"M": {"password": MASK, "note": MASK}}}
    assert MASK[:4] in replay.timeline(store, 1)[1].preview
    raw = replay.raw_exchange(store, 1, 1)
    assert raw is not None
    assert raw.proof == "masked"


@pytest.mark.parametrize(
    ("kind", "body", "preview"),
    [
        ("user", {"text": "first\n\tline  two"}, "first line two"),
        ("agent", {"text": "", "reasoning": "think"}, "think"),
        ("agent", {"text": "", "parts": ["[image_url]"]}, "[image_url]"),
        ("call", {"args": {"id": "A1"}, "raw": "", "result": "ok"}, '{"id":"A1"} -> ok'),
        ("call", {"args": None, "raw": "{broken", "error": "not JSON"}, "{broken -> not JSON"),
        ("call", {"args": {"a": "x" * 300}, "raw": "", "error": "y" * 300}, '{"a":"' + "x" * 54 + " -> " + "y" * 56),
        ("notice", {}, ""),
    ],
)
def test_the_preview_is_one_line_of_first_words(kind: StepKind, body: dict[str, Any], preview: str) -> None:
    assert encoded.step_op("t", Step(1, 1, kind, body)).preview == preview


def test_numbers_that_no_column_holds_are_cut_not_lost(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    with Writer(shop.path) as writer:
        writer.start_trial(*shop.start())
        writer.step("t1", Step(1, 1, "agent", {"text": "x"}, tokens=10**30))
        writer.end_trial(*shop.end(steps=1, cost=float("inf"), tokens_in=-(10**30)))
        assert writer.flush()
        assert writer.note == ""
    row = trials.find_trial(shop.reading(), "t1")
    assert (row.end.cost, row.end.tokens_in) == (None, -(2**63))
    assert encode.whole(float("nan")) is None
    assert encode.real(10**400) is None


def test_a_re_grading_becomes_current_and_the_old_one_stays(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "runs.db")
    shop.stored(grading=grading("failed", mode="tool"))
    store = Store(shop.path, write=True)
    newer = grading("passed", version="g2", checks=())
    add_grading(store, 1, newer, at=9000)
    assert current_grading(store, 1) == newer
    assert trials.find_trial(store, "t1").grading.status == "passed"
    assert count(store, "gradings") == 2
    add_grading(store, 1, grading("partial", version="g2"), at=9001)
    assert count(store, "gradings") == 2
    assert current_grading(store, 1) == grading("partial", version="g2")
    run_queue.write_totals(store, shop.run.id, totals(passed=0, partial=1))
    assert store.db.execute("SELECT passed, partial FROM runs").fetchone() == (0, 1)


@given(st.lists(JSON, max_size=3))
def test_operations_survive_a_line_of_a_side_file(values: list[Any]) -> None:
    step = Step(1, 1, "call", {"v": values}, "tool", changes=(Change("/a", ABSENT, values),), state_digest=b"\x00\xff")
    end = Shop.end(None, grading=grading(checks=(CheckResult("state", True, "fail", "", expected=values),)))  # type: ignore[arg-type]
    start = encoded.start_op(TrialStart("t", 1, 1, 1, 1, None, "none", None), {"v": values})
    for op in (
        start,
        encoded.step_op("t", step),
        encoded.exchange_op("t", exchange(1, "a", response=values)),
        encoded.end_op(*end),
    ):
        again = encoded.from_line(encoded.as_line(op))
        assert again == op
        assert type(again) is type(op)


@pytest.mark.parametrize("line", ["", "{}", "[]", '["step", 1]', '["nothing"]', '["end", {"hex": "zz"}]', "null", "7"])
def test_a_line_that_is_no_operation_is_a_value_error(line: str) -> None:
    with pytest.raises(ValueError):
        encoded.from_line(line)
