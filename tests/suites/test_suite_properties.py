"""Wild input: what is text stays the text that was typed, and nothing ends in anything but a suite or its problems."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reach_tui.core.task import Task
from reach_tui.core.text import one_line
from reach_tui.suites.load import LoadedSuite, SuiteProblems, parse_suite
from reach_tui.suites.nodes import value_of
from reach_tui.suites.yaml_text import read_yaml

PATH = Path("nowhere") / "s.yaml"
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
TOKEN = st.text(alphabet="0123456789.+-_:eExXoObtrufalsn~NYyTF", min_size=1, max_size=9)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([0.5, -9.25, 1234.125]) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "id", "request", "kind", "weight", "repeat", "risk", "tags", "turns", "now", "initial_state", "allowed_tools",
        "expected_state", "outcomes", "allow_changes", "must_include", "told", "asked", "expected_tools", "milestones",
        "forbidden", "constraints", "reference", "perturbations", "quality", "limits", "confirm", "level", "stubs",
        "called", "state", "said", "tool", "args", "$any", "$in", "$regex", "name", "gate", "in_order", "arg", "equals",
    ]
)  # fmt: skip
SUITE_LIKE = st.recursive(
    JSON, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
SMALL = settings(max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

SEED = """\
suite: s
x-base: &base {stock: 5, open: true}
prompt: |
  Be kind.
tasks:
  - id: a
    request: "订单 A100"
    initial_state: {t: {<<: *base, n: 0123}}
    expected_state: {t: {$any: {n: {$gte: 1}}}}
    milestones: [{name: m, called: {tool: x}}]
    must_include: [x, [y, z]]
"""


def read(text: str) -> Any:
    document = read_yaml(text.encode(), "f.yaml")
    assert document.root is not None, document.problems
    assert document.problems == ()
    return value_of(document.root)


def quoted(text: str) -> str:
    """A double-quoted scalar; what a file may not hold as it is stands as an escape."""
    escaped = json.dumps(text, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda match: f"\\u{ord(match.group()):04x}", escaped)


def flow(data: Any) -> str:
    """A JSON value as YAML, all texts quoted; numbers without exponent, which would be text."""
    if isinstance(data, str):
        return quoted(data)
    if isinstance(data, list):
        return "[" + ", ".join(map(flow, data)) + "]"
    if isinstance(data, dict):
        return "{" + ", ".join(f"? {quoted(key)} : {flow(item)}" for key, item in data.items()) + "}"
    return json.dumps(data)


def check(problems: SuiteProblems) -> None:
    assert problems.problems
    for problem in problems.problems:
        assert problem.line >= 1
        assert problem.column >= 1
        assert problem.message
        assert one_line(str(problem)) == str(problem)
        assert len(str(problem)) < 1500


def outcome(data: bytes) -> LoadedSuite | SuiteProblems:
    try:
        suite = parse_suite(data, PATH)
    except SuiteProblems as problems:
        check(problems)
        return problems
    for task in suite.tasks:
        assert json.loads(json.dumps(task.body)) == task.body
        assert Task.of(dict(task.body)) == task
        assert len(task.stimulus) == len(task.oracle) == 16
    return suite


@given(TEXT)
@SMALL
def test_any_quoted_text_comes_back_as_typed(text: str) -> None:
    assert read(f"{{a: {quoted(text)}, b: [{quoted(text)}], c: {{? {quoted(text)} : 1}}}}") == {
        "a": text,
        "b": [text],
        "c": {text: 1},
    }


@given(TOKEN)
@SMALL
def test_a_plain_token_is_its_text_or_a_number_that_says_the_same(token: str) -> None:
    document = read_yaml(f"a: {token}\n".encode(), "f.yaml")
    if document.root is None or document.problems:
        return  # a token that is YAML syntax, such as `-:`
    read_value = value_of(document.root)["a"]
    if isinstance(read_value, bool) or read_value is None:
        assert token in ("true", "false", "null", "~")
    elif isinstance(read_value, int):
        assert str(read_value) == token
    elif isinstance(read_value, float):
        assert json.loads(token) == read_value
        assert "e" not in token.casefold()
    else:
        assert read_value == token or isinstance(read_value, dict)


@given(TOKEN)
@SMALL
def test_a_textual_field_keeps_a_token_as_typed(token: str) -> None:
    loaded = outcome(f"suite: s\ntasks:\n  - id: {token}\n    request: x\n    must_include: [x]\n".encode())
    if isinstance(loaded, LoadedSuite):
        assert loaded.tasks[0].key == token


@given(JSON)
@SMALL
def test_any_json_data_of_a_task_comes_back_equal(data: Any) -> None:
    body = "{t: " + flow(data) + "}"
    loaded = outcome(f"suite: s\ntasks: [{{id: a, request: x, initial_state: {body}, must_include: [x]}}]\n".encode())
    if isinstance(loaded, SuiteProblems):
        assert all("$" in problem.field for problem in loaded.problems), loaded
    else:
        assert loaded.tasks[0].initial_state == {"t": data}


@given(st.binary(max_size=200))
@SMALL
def test_any_bytes_are_a_suite_or_problems(data: bytes) -> None:
    outcome(data)


@given(st.data())
@settings(max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_a_suite_with_a_piece_replaced_is_a_suite_or_problems(data: st.DataObject) -> None:
    raw = SEED.encode()
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 12)))
    piece = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"\t", b"*base", b"&base ", b"- ", b"{", b"}", b": ", b"\n"])
    )
    outcome(raw[:start] + piece + raw[end:])


@given(SUITE_LIKE, SUITE_LIKE)
@settings(max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_any_content_is_a_suite_or_problems(top: Any, task: Any) -> None:
    body = {"id": "a", "request": "x", **task} if isinstance(task, dict) else task
    suite = {"suite": "s", "tasks": [body], **({"x-top": top} if top else {})}
    outcome(yaml.safe_dump(suite, allow_unicode=True).encode("utf-8", "backslashreplace"))
    outcome(yaml.safe_dump(top, allow_unicode=True).encode("utf-8", "backslashreplace"))
