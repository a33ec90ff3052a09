"""What can be known of a state expression before any world is there."""

from __future__ import annotations

import pytest

from reach_tui.grading import OPERATORS as GRADED
from reach_tui.suites.expressions import OPERATORS, Checker
from reach_tui.suites.nodes import Node
from reach_tui.suites.yaml_text import read_yaml


def node(text: str) -> Node:
    document = read_yaml(text.encode(), "f.yaml")
    assert document.root is not None, document.problems
    return document.root


def expression(text: str) -> list[str]:
    checker = Checker("f.yaml")
    checker.expected_state(node(text), ())
    return [str(problem) for problem in checker.problems]


def test_the_operators_are_those_that_the_grader_knows() -> None:
    assert set(OPERATORS) == set(GRADED)


@pytest.mark.parametrize(
    "text",
    [
        "{orders: {A100: {status: done}}}",
        "{a: {$in: [1, {$gt: 3}]}}",
        "{a: {$gt: 1, $gte: 1.5, $lt: 2026-01-01, $lte: -3}}",
        "{a: {$ne: null}, b: {$ne: {$in: [1, 2]}}}",
        "{a: {$regex: '^A\\d+$'}}",
        "{a: {$exists: true}, b: {$absent: true}}",
        "{a: {$delta: -1}, b: {$delta: {$gte: 1}}}",
        "{refunds: {$any: {order_id: A1}}, x: {$any: [{a: 1}, {a: 2}]}, y: {$all: {$gt: 0}}}",
        "{refunds: {$any: {order_id: A1}, R1: {$absent: true}}}",
        "{tags: {$unordered: [red, {$regex: b}]}}",
        "{$pairs: {old: [A, B], new: [X, Y]}}",
        "{a: {$approx: 3.5}, b: {$approx: [3, 0.1]}, c: {$approx: {value: 3, abs: 1, rel: 0.1}}}",
        "{}",
    ],
)
def test_expressions_that_the_grader_can_decide_are_accepted(text: str) -> None:
    assert expression(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{a: {$regx: x}}", "1:6: /a/$regx: unknown operator `$regx` (did you mean $regex?)"),
        ("{a: [{$eq: x}]}", "1:7: /a/0/$eq: unknown operator `$eq`"),
        ("{a: {$Any: {x: 1}}}", "1:6: /a/$Any: unknown operator `$Any` (did you mean $any?)"),
        ("{a: {$regex: '('}}", "1:14: /a/$regex: the pattern cannot be read: missing ) at position 1"),
        ("{a: {$regex: [x]}}", "1:14: /a/$regex: expected a pattern, found a list of 1"),
        ("{a: {$in: x}}", "1:11: /a/$in: `$in` takes a list of values, found the text 'x'"),
        ("{a: {$gt: true}}", "1:11: /a/$gt: `$gt` takes a number or a text, found the word true"),
        ("{a: {$exists: yes}}", "1:15: /a/$exists: `$exists` takes true or false, found the text 'yes'"),
        ("{a: {$delta: x}}", "1:14: /a/$delta: `$delta` takes a number, or an expression"),
        ("{a: {$unordered: {x: 1}}}", "1:18: /a/$unordered: `$unordered` takes a list"),
        ("{$pairs: {a: [1], b: [1, 2]}}", "1:10: /$pairs: `$pairs` takes two or more fields"),
        ("{a: {$approx: {vale: 3}}}", "1:15: /a/$approx: `$approx` takes a number"),
        ("{a: {$any: {b: {$unorderd: []}}}}", "1:17: /a/$any/b/$unorderd: unknown operator"),
        ("{_world: {now: x}}", "1:2: /_world: `_world` is the world's own table; set the clock with `now`"),
    ],
)
def test_what_the_grader_could_not_decide_is_refused_with_its_place(text: str, message: str) -> None:
    assert expression(text)[0].startswith("f.yaml:" + message)


def test_data_takes_no_operator_but_absent_in_an_initial_state() -> None:
    checker = Checker("f.yaml")
    checker.initial_state(
        node("{orders: {A: {$absent: true}, B: {note: {$absent: true}, x: {$in: [1]}}}, _world: {}}"), ()
    )
    checker.data(node("{a: {$absent: true}}"), ())
    assert [problem.field for problem in checker.problems] == ["/_world", "/orders/B/x/$in", "/a/$absent"]


def test_an_argument_cannot_be_held_against_the_initial_state() -> None:
    checker = Checker("f.yaml")
    checker.arguments(node("{n: {$delta: 1}, m: {$in: [1, {$delta: 2}]}, k: 3}"), ())
    assert [problem.field for problem in checker.problems] == ["/n/$delta", "/m/$in/1/$delta"]


def test_all_parts_of_a_task_that_hold_state_are_checked() -> None:
    from reach_tui.suites.load import SuiteProblems, parse_suite

    body = """\
suite: s
tasks:
  - id: a
    request: x
    initial_state: {a: {$x: 1}}
    expected_state: {a: {$x: 1}}
    outcomes: [{state: {a: {$x: 1}}}]
    milestones: [{name: m, state: {a: {$x: 1}}}, {name: n, called: {tool: t, args: {a: {$x: 1}}}}]
    forbidden: [{state: {a: {$x: 1}}}, {called: {tool: t, args: {a: {$x: 1}}}}]
    reference: [{t: {a: {$x: 1}}}, {tool: t, args: {a: {$x: 1}}}]
    constraints: [{arg: a, equals: {$x: 1}}]
    expected_tools: {any_order: [{t: {a: {$x: 1}}}]}
"""
    with pytest.raises(SuiteProblems) as caught:
        parse_suite(body.encode(), "s.yaml")
    assert [problem.field.removeprefix("/tasks/0/") for problem in caught.value.problems] == [
        "initial_state/a/$x",
        "expected_state/a/$x",
        "outcomes/0/state/a/$x",
        "milestones/0/state/a/$x",
        "milestones/1/called/args/a/$x",
        "forbidden/0/state/a/$x",
        "forbidden/1/called/args/a/$x",
        "reference/0/t/a/$x",
        "reference/1/args/a/$x",
        "constraints/0/equals/$x",
        "expected_tools/any_order/0/t/a/$x",
    ]
