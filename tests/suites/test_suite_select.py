"""The `--only` expression."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.core.errors import UsageError
from reach_tui.core.task import Task
from reach_tui.suites.select import select


def task(key: str, **body: Any) -> Task:
    return Task.of({"id": key, "request": "x", "kind": "query", "weight": 1.0, "tags": {}, **body})


TASKS = (
    task("AS-010", domain="after-sales", kind="action", priority="P0", weight=8.0, tags={"cluster": "refund"}),
    task("AS-011", domain="after-sales", kind="refuse", priority="P1", risk="high", tags={"cluster": "refund-late"}),
    task("AS-020", domain="after-sales", priority="P2", risk="low", difficulty="chain", intent="退款"),
    task("TR-1", domain="logistics", priority="P3", risk="normal", weight=2.5, tags={"language": "zh"}),
    task("a, b (c)", domain="no domain", priority="P2"),
    task("[/]", priority="P2"),
)


def chosen(expression: str) -> list[str]:
    return [picked.key for picked in select(TASKS, expression)]


@pytest.mark.parametrize(
    ("expression", "keys"),
    [
        ("AS-010", ["AS-010"]),
        ("AS-01*", ["AS-010", "AS-011"]),
        ("AS-01?, TR-1", ["AS-010", "AS-011", "TR-1"]),
        ("AS-0[2-9]*", ["AS-020"]),
        ('"a, b (c)"', ["a, b (c)"]),
        ("[/]", ["[/]"]),
        ("id=TR-1", ["TR-1"]),
        ("domain=after-sales", ["AS-010", "AS-011", "AS-020"]),
        ("domain=after*", ["AS-010", "AS-011", "AS-020"]),
        ('domain="no domain"', ["a, b (c)"]),
        ("domain==logistics", ["TR-1"]),
        ("domain != after-sales", ["TR-1", "a, b (c)", "[/]"]),
        ("intent=退款", ["AS-020"]),
        ("priority<=P1", ["AS-010", "AS-011"]),
        ("priority > P2", ["TR-1"]),
        ("risk>=normal", ["AS-011", "TR-1"]),
        ("weight>1", ["AS-010", "TR-1"]),
        ("weight=2.5", ["TR-1"]),
        ("weight!=1", ["AS-010", "TR-1"]),
        ("tag.cluster=refund", ["AS-010"]),
        ("tag.cluster=refund*", ["AS-010", "AS-011"]),
        ("tag.cluster!=refund", ["AS-011", "AS-020", "TR-1", "a, b (c)", "[/]"]),
        ("kind!=query", ["AS-010", "AS-011"]),
        ("domain=after-sales and not kind=query", ["AS-010", "AS-011"]),
        ("not (AS-* or TR-*) and not [/]", ["a, b (c)"]),
        ("TR-1 or domain=after-sales and priority=P0", ["AS-010", "TR-1"]),
        ("(TR-1, domain=after-sales) and priority=P0", ["AS-010"]),
        ("not not TR-1", ["TR-1"]),
        ("  TR-1  ", ["TR-1"]),
    ],
)
def test_an_expression_means_these_tasks(expression: str, keys: list[str]) -> None:
    assert chosen(expression) == keys


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("AS-012", ["no task id `AS-012`", "did you mean AS-0", "known: "]),
        ("XX-*", ["no task id `XX-*`"]),
        ("domain=sales", ["no domain `sales`", "after-sales", "logistics"]),
        ("domian=logistics", ["unknown field `domian` (did you mean domain?)", "tag.cluster"]),
        ("tag.clustr=refund", ["no task has the tag `tag.clustr` (did you mean tag.cluster?)", "tag.language"]),
        ("priority=P7", ["no priority `P7`", "P0, P1, P2, P3"]),
        ("kind!=qery", ["no kind `qery` (did you mean query?)"]),
        ("kind<query", ["`kind` has no order", "priority"]),
        ("tag.cluster<x", ["a tag has = and !="]),
        ("weight>heavy", ["compared with a number"]),
        ("risk=high and weight=8", ["no task is meant"]),
        ("", ["something is missing"]),
        ("TR-1 AS-010", ["`and`, `or` or a comma is missing"]),
        ("TR-1 and", ["something is missing at the end"]),
        ("TR-1,", ["something is missing at the end"]),
        ("and TR-1", ["a task id or a field is missing"]),
        ("domain=", ["a value is missing after `=`"]),
        ("=x", ["a task id or a field is missing"]),
        ("(TR-1", ["a closing parenthesis is missing"]),
        ("TR-1)", ["left over"]),
        ('"TR-1', ["a quote is not closed"]),
        ("(" * 200 + "TR-1" + ")" * 200, ["nested more than 50 deep"]),
        ("not " * 200 + "TR-1", ["nested more than 50 deep"]),
        ("x" * 20_000, ["longer than"]),
    ],
)
def test_what_cannot_be_meant_is_an_error_that_names_what_is_known(expression: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        select(TASKS, expression)
    for word in words:
        assert word in str(caught.value)


@settings(derandomize=True)
@given(st.text(alphabet=st.sampled_from('AS-01 TRdomain=<>!,()"*[]? andornot.tag\n退'), max_size=40))
def test_any_text_selects_tasks_in_their_order_or_is_a_usage_error(expression: str) -> None:
    try:
        selection = select(TASKS, expression)
    except UsageError:
        return
    assert selection
    assert list(selection) == [known for known in TASKS if known in selection]
