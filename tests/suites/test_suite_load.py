"""A suite file becomes tasks, or a list of everything that is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.core.task import Limits
from reach_tui.grading import matches
from reach_tui.suites.load import LoadedSuite, SuiteProblems, load_suite, parse_suite
from reach_tui.suites.normalise import merged_state

SAMPLE = Path(__file__).parents[3] / "shared" / "samples" / "reach-formats" / "suite-coverage.yaml"
EXAMPLES = Path(__file__).parents[2] / "suites"

FULL = """\
suite: returns
sandbox: commerce
agent: {kind: simulated, model: hasty-1}
prompt: You help customers.
now: 2026-03-01T10:00:00+08:00
defaults: {repeat: 4, limits: {steps: 30, tool_seconds: 10}}
tasks:
  - id: T-1
    domain: after-sales
    intent: refund
    task_type: chain
    kind: action
    level: chain
    priority: P0
    difficulty: chain
    risk: high
    weight: 8
    tags: {cluster: refund-delivered, year: 2026}
    request: 我要退货，订单 A100
    turns:
      - {when_asked: 会员, say: M10086}
      - {say: 12345}
    now: 2026-03-02T10:00:00+08:00
    initial_state: {orders: {A100: {status: delivered, total: 9.5}, A101: {$absent: true}}}
    allowed_tools: [get_order, request_refund]
    expected_state:
      orders: {A100: {status: refund_review}}
      refunds: {$any: {order_id: A100, amount: {$gte: 1, $lte: 10}}}
    allow_changes: [/tickets/*]
    must_include: [退款, 42, [a, b], {$regex: '\\d+'}, {state: /orders/A100/total, decides: false}]
    told: [{$in: [x, y]}]
    asked: [order_id, [member, phone]]
    confirm: true
    expected_tools: [get_order, {request_refund: {order_id: A100}}]
    milestones:
      - {name: looked up, called: {tool: get_order, args: {order_id: {$in: [A100, A101]}}, ok: true}}
      - {name: recorded, state: {refunds: {$any: {order_id: A100}}}}
      - {name: said so, said: 退款}
    forbidden: [{called: cancel_order}, {name: lost, state: {orders: {A100: {$absent: true}}}}]
    constraints: [{arg: channel, equals: original}, {arg: n, tool: t, in: [1, 2]}, {arg: m, lt: 5}, {arg: x, equals: }]
    reference: [get_order, {request_refund: {order_id: A100}}, {tool: note, args: {text: hi}}, {close: }]
    perturbations: [paraphrase]
    quality: {rubric: kind words}
    limits: {steps: 12, tokens: 1000}
  - id: T-2
    request: Where is it?
    must_include: [here]
"""


def problems(text: str, folder: Path = Path("nowhere")) -> list[str]:
    with pytest.raises(SuiteProblems) as caught:
        parse_suite(text.encode(), folder / "s.yaml")
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return [str(problem).removeprefix(f"{folder / 's.yaml'}:") for problem in caught.value.problems]


def load(text: str, folder: Path = Path("nowhere")) -> LoadedSuite:
    return parse_suite(text.encode(), folder / "s.yaml")


def tasks(*bodies: str) -> str:
    """A suite of tasks given as flow mappings without id and request."""
    lines = [f"  - {{id: t{n}, request: r{n}{', ' if body else ''}{body}}}" for n, body in enumerate(bodies)]
    return "suite: s\ntasks:\n" + "\n".join(lines) + "\n"


def test_every_key_of_the_full_layout_arrives_in_the_body_of_its_task() -> None:
    body = load(FULL).tasks[0].body
    assert body == {
        "id": "T-1",
        "domain": "after-sales",
        "intent": "refund",
        "task_type": "chain",
        "kind": "action",
        "level": "chain",
        "priority": "P0",
        "difficulty": "chain",
        "risk": "high",
        "weight": 8.0,
        "repeat": 5,
        "tags": {"cluster": "refund-delivered", "year": "2026"},
        "request": "我要退货，订单 A100",
        "turns": [{"say": "M10086", "when_asked": "会员"}, {"say": "12345"}],
        "now": "2026-03-02T10:00:00+08:00",
        "initial_state": {"orders": {"A100": {"status": "delivered", "total": 9.5}, "A101": {"$absent": True}}},
        "allowed_tools": ["get_order", "request_refund"],
        "outcomes": [
            {
                "name": "",
                "state": {
                    "orders": {"A100": {"status": "refund_review"}},
                    "refunds": {"$any": {"order_id": "A100", "amount": {"$gte": 1, "$lte": 10}}},
                },
                "must_include": [
                    "退款",
                    "42",
                    ["a", "b"],
                    {"$regex": r"\d+"},
                    {"state": "/orders/A100/total", "decides": False},
                ],
                "told": [{"$in": ["x", "y"]}],
                "asked": ["order_id", ["member", "phone"]],
            }
        ],
        "allow_changes": ["/tickets/*"],
        "confirm": True,
        "expected_tools": {
            "in_order": ["get_order", {"tool": "request_refund", "args": {"order_id": "A100"}}],
            "gate": False,
        },
        "milestones": [
            {
                "name": "looked up",
                "called": {"tool": "get_order", "args": {"order_id": {"$in": ["A100", "A101"]}}, "ok": True},
            },
            {"name": "recorded", "state": {"refunds": {"$any": {"order_id": "A100"}}}},
            {"name": "said so", "said": "退款"},
        ],
        "forbidden": [
            {"called": {"tool": "cancel_order"}},
            {"name": "lost", "state": {"orders": {"A100": {"$absent": True}}}},
        ],
        "constraints": [
            {"arg": "channel", "equals": "original"},
            {"arg": "n", "tool": "t", "in": [1, 2]},
            {"arg": "m", "lt": 5},
            {"arg": "x", "equals": None},
        ],
        "reference": [
            {"tool": "get_order", "args": {}},
            {"tool": "request_refund", "args": {"order_id": "A100"}},
            {"tool": "note", "args": {"text": "hi"}},
            {"tool": "close", "args": {}},
        ],
        "perturbations": ["paraphrase"],
        "quality": {"rubric": "kind words", "scale": 5},
        "limits": {**Limits().as_json(), "steps": 12, "tool_seconds": 10.0, "tokens": 1000},
        "sandbox": "commerce",
        "judge": "state",
    }


def test_what_a_task_does_not_say_has_its_default() -> None:
    suite = load(FULL)
    body = suite.tasks[1].body
    assert body.keys() == suite.tasks[0].body.keys()
    assert (body["kind"], body["priority"], body["risk"], body["weight"]) == ("query", "P2", "normal", 1.0)
    assert (body["repeat"], body["now"], body["allowed_tools"]) == (4, "2026-03-01T10:00:00+08:00", None)
    assert body["limits"]["steps"] == 30
    assert body["outcomes"] == [{"name": "", "state": {}, "must_include": ["here"], "told": [], "asked": []}]


def test_a_suite_says_what_it_is() -> None:
    suite = load(FULL)
    assert (suite.name, suite.layout, suite.sandbox, suite.prompt) == (
        "returns",
        "full",
        "commerce",
        "You help customers.",
    )
    assert suite.agent == {"kind": "simulated", "model": "hasty-1"}
    assert (suite.warnings, suite.source) == ((), FULL)
    assert len(suite.digest) == 16
    assert load(FULL).digest == suite.digest != load(FULL.replace("hi}", "ho}")).digest


@pytest.mark.parametrize(
    ("risk", "own", "default", "repeat"),
    [
        ("normal", None, None, 3),
        ("high", None, None, 5),
        ("high", 2, None, 2),
        ("low", None, 7, 7),
        ("high", None, 7, 7),
    ],
)
def test_repeats_are_three_five_at_high_risk_or_what_is_said(
    risk: str, own: int | None, default: int | None, repeat: int
) -> None:
    text = tasks(f"must_include: [x], risk: {risk}" + (f", repeat: {own}" if own else ""))
    if default:
        text = text.replace("tasks:", f"defaults: {{repeat: {default}}}\ntasks:")
    assert load(text).tasks[0].repeat == repeat


def test_what_a_task_expects_holds_in_each_of_its_outcomes() -> None:
    [task] = load(
        tasks(
            "expected_state: {orders: {A: {status: done, note: x}}}, must_include: [ok], outcomes: "
            "[{name: one, state: {orders: {A: {note: y}, B: {n: 1}}}, must_include: [ok, fine]}, {told: [why]}]"
        )
    ).tasks
    assert [dict(outcome.state) for outcome in task.outcomes] == [
        {"orders": {"A": {"status": "done", "note": "y"}, "B": {"n": 1}}},
        {"orders": {"A": {"status": "done", "note": "x"}}},
    ]
    assert [(outcome.name, outcome.must_include, outcome.told) for outcome in task.outcomes] == [
        ("one", ("ok", "fine"), ()),
        ("", ("ok",), ("why",)),
    ]


def test_merged_expectations_keep_literals_and_operands_whole() -> None:
    assert merged_state({"a": {"b": 1}}, {"a": {}}) == {"a": {}}
    assert merged_state({"a": {"$any": {"x": 1}}}, {"a": {"$any": {"y": 1}}}) == {"a": {"$any": {"y": 1}}}
    assert merged_state({"a": {"$gt": 1}}, {"a": {"$lt": 3}}) == {"a": {"$gt": 1, "$lt": 3}}
    assert merged_state({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}


def test_text_that_looks_like_a_number_stays_text_where_a_field_is_textual() -> None:
    [task] = load(
        "suite: 12\ntasks:\n  - {id: 0123, request: 007, domain: 1.50, tags: {code: 12:30}, turns: [{say: 10}],\n"
        "     must_include: [1e3, 80%, 3, true], allowed_tools: [12, no], asked: [1]}\n"
    ).tasks
    assert (task.key, task.request, task.body["domain"], task.body["tags"]) == (
        "0123",
        "007",
        "1.50",
        {"code": "12:30"},
    )
    assert task.outcomes[0].must_include == ("1e3", "80%", "3", "true")
    assert task.allowed_tools == ("12", "no")
    assert (task.turns[0].say, task.outcomes[0].asked) == ("10", ("1",))


# --- O-SUI-1: the same key or the same id twice


TWICE = """\
suite: twice
x-base: &base {stock: 5, open: true}
tasks:
  - id: a
    request: "one"
    expected_state: {stock: 4}
    expected_state: {stock: 3}
  - id: b
    initial_state: {<<: *base, stock: 9}
    expected_state: {stock: 8}
    request: "two"
  - id: b
    request: "other"
    expcted_state: {stock: 1}
"""


def test_a_key_twice_an_id_twice_and_an_unknown_key_are_reported_in_one_go() -> None:
    assert problems(TWICE) == [
        "7:5: /tasks/0/expected_state: key `expected_state` twice: in line 6 and again in line 7",
        "12:9: /tasks/2/id: task id `b` twice: in line 8 and again in line 12",
        "14:5: /tasks/2/expcted_state: unknown key `expcted_state` (did you mean expected_state?)",
    ]


def test_a_merge_with_a_key_of_its_own_is_no_error() -> None:
    good = TWICE.replace("    expected_state: {stock: 3}\n", "").replace("- id: b\n    request", "- id: c\n    request")
    suite = load(good.replace("expcted", "expected"))
    assert suite.tasks[1].initial_state == {"stock": 9, "open": True}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("milestones: [{name: m, said: x}, {name: m, said: y}]", "milestone `m` twice: in line 3 and again in line 3"),
        ("initial_state: {orders: {A: 1, A: 2}}", "key `A` twice: in line 3 and again in line 3"),
        ("initial_state: {orders: {12: 1, '12': 2}}", "key `12` twice: in line 3 and again in line 3"),
        ("tags: {a: 1, a: 2}", "key `a` twice: in line 3 and again in line 3"),
    ],
)
def test_nothing_that_stands_there_twice_is_taken_once(body: str, message: str) -> None:
    assert any(message in problem for problem in problems(tasks(body)))


# --- O-SUI-2: values that YAML quietly changes


def test_values_that_yaml_would_change_stay_as_typed() -> None:
    state = (
        "{order: 0123, country: no, due: 2024-05-01, at: 2024-05-01T10:00:00Z, paid: yes, qty: 3, ok: true, price: 9.5}"
    )
    [task] = load(tasks(f"initial_state: {{t: {{r: {state}}}}}, expected_state: {{t: {{r: {state}}}}}")).tasks
    expected: dict[str, Any] = {
        "order": "0123", "country": "no", "due": "2024-05-01", "at": "2024-05-01T10:00:00Z", "paid": "yes",
        "qty": 3, "ok": True, "price": 9.5,
    }  # fmt: skip
    assert task.initial_state == {"t": {"r": expected}}
    assert task.initial_state["t"]["r"]["ok"] is True
    assert json.loads(json.dumps(task.body)) == task.body
    state_of = task.outcomes[0].state
    assert matches(state_of, {"t": {"r": expected}})
    assert not matches(state_of, {"t": {"r": {**expected, "order": 83}}})
    assert not matches(state_of, {"t": {"r": {**expected, "country": False}}})


def test_a_number_that_does_not_give_its_text_back_is_pointed_out_in_data_only() -> None:
    suite = load(tasks("domain: 1.10, initial_state: {t: {version: 1.10, n: 9.5}}, must_include: [1.10]"))
    [warning] = suite.warnings
    assert str(warning).endswith(
        "/tasks/0/initial_state/t/version: 1.10 is read as the number 1.1; quote it if it is text"
    )
    assert (warning.line, warning.found) == (3, "1.10")


# --- all problems at once


def test_every_problem_of_a_file_is_reported_at_once_in_its_order() -> None:
    text = """\
suite:
sandbx: commerce
agent: {kind: [x]}
now: 2026-02-30T10:00:00+08:00
defaults: {limits: {steps: 0}}
tasks:
  - id: "a\\nb"
    request: ''
    kind: acton
    weight: heavy
    repeat: 2.5
    confirm: yes
    allowed_tools: get_order
    expected_state: [1]
    milestones: [{said: x}, {name: n}, {name: o, said: x, called: y}]
    constraints: [{arg: x}, {arg: y, regex: '('}]
    expected_tools: {in_ordr: [a]}
    quality: {rubric: r, scale: 11}
    perturbations: [parafrase]
    limits: {step: 3}
  - {request: x}
  - text
"""
    messages = problems(text)
    assert messages == [
        "1:7: /suite: expected text, found nothing",
        "2:1: /sandbx: unknown key `sandbx` (did you mean sandbox?)",
        "3:15: /agent/kind: expected text, found a list of 1",
        "4:6: /now: there is no such date or time",
        "5:28: /defaults/limits/steps: expected a whole number from 1 to 1000000, found the number 0",
        "7:9: /tasks/0/id: a name is one line without spaces around it",
        "8:14: /tasks/0/request: the text is empty",
        "9:11: /tasks/0/kind: 'acton' is not one of query, action, refuse (did you mean action?)",
        "10:13: /tasks/0/weight: expected a number, found the text 'heavy'",
        "11:13: /tasks/0/repeat: expected a whole number from 1 to 1000, found the number 2.5",
        "12:14: /tasks/0/confirm: expected true or false, found the text 'yes'",
        "13:20: /tasks/0/allowed_tools: expected a list, found the text 'get_order'; write [a, b]",
        "14:21: /tasks/0/expected_state: expected a mapping, found a list of 1",
        "15:18: /tasks/0/milestones/0/name: `name` is missing: What has been reached",
        "15:29: /tasks/0/milestones/1: a condition has one of called, state, said; here stand none of them",
        "15:40: /tasks/0/milestones/2: a condition has one of called, state, said; here stand called and said",
        "16:19: /tasks/0/constraints/0: a constraint has one comparison; here stand none",
        "16:45: /tasks/0/constraints/1/regex: the pattern cannot be read: missing ) at position 1",
        "17:22: /tasks/0/expected_tools/in_ordr: unknown key `in_ordr` (did you mean in_order?)",
        "18:33: /tasks/0/quality/scale: expected a whole number from 2 to 10, found the number 11",
        "19:21: /tasks/0/perturbations/0: 'parafrase' is not one of paraphrase, information_order, noise_sentence, "
        "field_order, date_format (did you mean paraphrase?)",
        "20:14: /tasks/0/limits/step: unknown key `step` (did you mean steps?)",
        "21:5: /tasks/1/id: `id` is missing: The task's name, unique in the suite",
        "22:5: /tasks/2: expected a mapping, found the text 'text'",
    ]


def test_a_problem_says_what_was_found_and_what_was_expected() -> None:
    with pytest.raises(SuiteProblems) as caught:
        load(tasks("weight: '8'"))
    [problem] = caught.value.problems
    assert (problem.line, problem.column, problem.field) == (3, 35, "/tasks/0/weight")
    assert (problem.found, problem.expected) == ("the text '8'", "a number, such as 3 or 0.5, without quotes")
    assert problem.as_json()["file"] == str(Path("nowhere/s.yaml"))
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("key", ["asks", "check"])
def test_keys_that_this_version_cannot_honour_are_refused_not_ignored(key: str) -> None:
    assert problems(tasks(f"{key}: x")) == [f"3:27: /tasks/0/{key}: `{key}` is not supported yet in this version"]


@pytest.mark.parametrize("key", ["api_key", "key_env", "headers"])
def test_keys_and_headers_have_no_place_in_a_suite(key: str) -> None:
    [message] = problems(f"agent: {{kind: chat, {key}: x}}\n" + tasks("must_include: [x]"))
    assert "are the user's own configuration" in message


def test_words_from_elsewhere_lead_to_the_right_key() -> None:
    messages = problems("suite: s\ntasks:\n  - {id: a, prompt: x}\n")
    assert messages[1] == "3:13: /tasks/0/prompt: unknown key `prompt` (did you mean request?)"


def test_an_unknown_key_at_the_top_tells_where_anchors_stand() -> None:
    [message] = problems("base: &b {x: 1}\n" + tasks("must_include: [x]"))
    assert message == "1:1: /base: unknown key `base` (anchors stand under keys that begin with x-)"


@pytest.mark.parametrize("text", ["- a\n", "text", "3"])
def test_a_file_that_is_no_mapping_is_refused(text: str) -> None:
    assert "expected `suite` and `tasks`" in problems(text)[0]


def test_a_long_text_is_cut_and_made_harmless_where_it_is_quoted() -> None:
    [message] = problems(tasks('kind: "\\e[31m' + "x" * 500 + '"'))
    assert "\x1b" not in message
    assert len(message) < 200


# --- the agent and its prompt


def test_the_agent_that_a_suite_names_is_kept_as_it_is_written() -> None:
    suite = load(
        "agent: {kind: chat, model: m, base_url: http://localhost:1/v1/, sampling: {temperature: 0}}\n"
        + tasks("must_include: [x]")
    )
    assert suite.agent == {
        "kind": "chat",
        "model": "m",
        "base_url": "http://localhost:1/v1",
        "sampling": {"temperature": 0},
    }


@pytest.mark.parametrize("address", ["ftp://x", "localhost:80", "http://", "http://u:p@x", "http://x:99999"])
def test_addresses_that_cannot_be_spoken_to_are_refused(address: str) -> None:
    assert "/agent/base_url: " in problems(f'agent: {{kind: chat, base_url: "{address}"}}\n' + tasks("asked: [x]"))[0]


def test_a_prompt_is_a_text_or_a_file_in_the_folder_of_the_suite(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "a.md").write_bytes("\ufeff你好\r\nHello\n".encode())
    good = tasks("must_include: [x]")
    assert load("prompt: prompts/a.md\n" + good, tmp_path).prompt == "你好\nHello\n"
    assert load("prompt: |\n  see prompts/a.md\n" + good, tmp_path).prompt == "see prompts/a.md\n"
    assert load("prompt: Be kind.\n" + good, tmp_path).prompt == "Be kind."
    assert load(good, tmp_path).prompt == ""


def test_a_prompt_file_outside_of_the_folder_is_never_read(tmp_path: Path) -> None:
    inside = tmp_path / "suites"
    inside.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (inside / "link.md").symlink_to(tmp_path / "secret.md")
    (inside / "bad.md").write_bytes(b"\xff")
    (inside / "folder.md").mkdir()
    for name, why in {
        "../secret.md": "outside", "link.md": "outside", str(tmp_path / "secret.md"): "relative",
        "a\\..\\b.md": "relative", "none.md": "no prompt file", "folder.md": "no prompt file", "bad.md": "UTF-8",
    }.items():  # fmt: skip
        [message] = problems(f"prompt: {name}\n" + tasks("must_include: [x]"), inside)
        assert message.startswith("1:9: /prompt: ")
        assert why in message


# --- no deciding check (O-STA-3)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "no deciding check"),
        ("milestones: [{name: m, said: x}], expected_tools: [a]", "no deciding check"),
        ("must_include: [{text: x, decides: false}], kind: action", "no deciding check"),
        ("kind: action, must_include: [x]", "an action without an expected state"),
        ("kind: action, forbidden: [{said: x}]", "an action without an expected state"),
    ],
)
def test_loading_warns_where_no_check_decides(body: str, words: str) -> None:
    [warning] = load(tasks(body)).warnings
    assert words in warning.message
    assert (warning.line, warning.field) == (3, "/tasks/0/id")


@pytest.mark.parametrize(
    "body",
    [
        "kind: refuse", "expected_state: {t: {r: 1}}", "must_include: [x]", "asked: [x]", "told: [x]",
        "expected_tools: {set: [a], gate: true}", "forbidden: [{called: x}]", "constraints: [{arg: a, equals: 1}]",
        "outcomes: [{state: {a: {b: 1}}}]",
    ],
)  # fmt: skip
def test_a_task_with_a_deciding_check_gives_no_warning(body: str) -> None:
    assert load(tasks(body)).warnings == ()


# --- the coverage layout


COVERAGE = """\
task_suite:
  name: ops
  base_url: http://localhost:8920
  agent_prompt_version: 1.40
  tasks:
    - id: OPS-1
      domain: sales
      intent: query
      task_type: cross_source
      prompt: 完成率是多少
      weight: 8
      success_criteria:
        must_include_slots: [华东区, 80%]
        expected_tool_sequence: [b, a, b]
      repeat: 5
    - {id: OPS-2, prompt: 那个表格呢, success_criteria: {must_include_slots: [缺货], expected_tool_sequence: []}}
"""


def test_the_coverage_layout_loads_into_the_same_body_judged_by_text() -> None:
    suite = load(COVERAGE)
    assert (suite.layout, suite.name, suite.sandbox) == ("coverage", "ops", None)
    assert suite.agent == {"kind": "endpoint", "base_url": "http://localhost:8920", "prompt_version": "1.40"}
    first, second = (task.body for task in suite.tasks)
    assert first.keys() == load(FULL).tasks[0].body.keys()
    assert (first["judge"], first["request"], first["weight"], first["repeat"]) == ("text", "完成率是多少", 8.0, 5)
    assert first["outcomes"][0]["must_include"] == ["华东区", "80%"]
    assert first["expected_tools"] == {"set": ["b", "a"], "gate": True}
    assert (second["expected_tools"], second["repeat"]) == (None, 3)
    assert suite.warnings == ()


def test_the_coverage_layout_is_validated_as_strictly() -> None:
    text = COVERAGE.replace("must_include_slots: [华", "must_include_slot: [华").replace("OPS-2", "OPS-1")
    assert problems(text) == [
        "13:9: /task_suite/tasks/0/success_criteria/must_include_slot: unknown key `must_include_slot` "
        "(did you mean must_include_slots?)",
        "16:12: /task_suite/tasks/1/id: task id `OPS-1` twice: in line 6 and again in line 16",
    ]


@pytest.mark.skipif(not SAMPLE.exists(), reason="the samples are not beside this checkout")
def test_the_sample_of_the_coverage_layout_loads_as_it_stands() -> None:
    suite = load_suite(SAMPLE)
    assert [task.key for task in suite.tasks] == ["OPS-1024", "OPS-1025", "OPS-1026"]
    assert [task.repeat for task in suite.tasks] == [3, 5, 3]
    assert {task.body["judge"] for task in suite.tasks} == {"text"}


# --- files


def test_a_file_that_is_not_there_or_no_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file"):
        load_suite(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match="is a folder"):
        load_suite(tmp_path)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_the_suites_that_ship_load_without_a_warning(path: Path) -> None:
    assert load_suite(path).warnings == ()
