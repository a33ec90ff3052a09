"""What a suite that loads can still be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from reach_tui.suites.lint import ADVICE, PROBLEM, LintFinding, lint_suite
from reach_tui.suites.problems import SuiteProblems

GOOD = "weight: 1, expected_state: {t: {r: {s: done}}}"


def lint(tmp_path: Path, *tasks: str, top: str = "") -> list[LintFinding]:
    lines = [
        f"  - {{id: t{n}, {'' if 'request' in body else f'request: r{n}, '}{body}}}" for n, body in enumerate(tasks)
    ]
    path = tmp_path / "s.yaml"
    path.write_text(f"suite: s\n{top}tasks:\n" + "\n".join(lines) + "\n", "utf-8")
    return list(lint_suite(path))


def rules(findings: list[LintFinding]) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity) for finding in findings]


def test_a_sound_suite_has_no_findings(tmp_path: Path) -> None:
    assert lint(tmp_path, GOOD, GOOD) == []


@pytest.mark.parametrize(
    ("body", "rule", "severity", "field"),
    [
        ("weight: 1", "no_deciding_check", PROBLEM, "/tasks/0/id"),
        ("weight: 1, kind: action, must_include: [x]", "no_deciding_check", PROBLEM, "/tasks/0/id"),
        ("expected_state: {t: {r: 1}}", "weights_missing", ADVICE, "/tasks"),
        (f"{GOOD}, allowed_tools: [a], milestones: [{{name: m, called: b}}]", "tool_not_allowed", PROBLEM,
         "/tasks/0/milestones/0"),
        (f"{GOOD}, allowed_tools: [a], reference: [a, b]", "tool_not_allowed", PROBLEM, "/tasks/0/reference/1"),
        (f"{GOOD}, allowed_tools: [a], expected_tools: [{{b: {{}}}}]", "tool_not_allowed", PROBLEM,
         "/tasks/0/expected_tools"),
        (f"{GOOD}, allowed_tools: [a], forbidden: [{{called: b}}]", "tool_not_allowed", ADVICE, "/tasks/0/forbidden/0"),
        (f"{GOOD}, allowed_tools: [a], constraints: [{{arg: x, tool: b, equals: 1}}]", "tool_not_allowed", ADVICE,
         "/tasks/0/constraints/0"),
        (f"{GOOD}, kind: refuse", "refusal_with_changes", PROBLEM, "/tasks/0/kind"),
        (f"{GOOD}, kind: query", "query_expects_state", ADVICE, "/tasks/0/kind"),
        (f"{GOOD}, initial_state: {{t: {{r: {{s: done, n: 1}}}}}}", "nothing_to_do", PROBLEM, "/tasks/0/id"),
        (f"{GOOD}, difficulty: competing", "single_outcome", ADVICE, "/tasks/0/id"),
        ("weight: 1, request: Where is A1?, must_include: [a1]", "echo_passes", PROBLEM, "/tasks/0/id"),
        ("weight: 1, request: Is it red?, must_include: [[red, blue], {text: z, decides: false}]", "echo_passes",
         PROBLEM, "/tasks/0/id"),
        ("weight: 1, expected_state: {t: {r: {paid: yes, n: 'no'}}}", "ambiguous_word", ADVICE,
         "/tasks/0/expected_state/t/r/paid"),
        ("weight: 1, expected_state: {t: {r: {v: 1.10}}}", "doubtful_value", ADVICE, "/tasks/0/expected_state/t/r/v"),
    ],
)  # fmt: skip
def test_a_task_that_misleads_is_found(tmp_path: Path, body: str, rule: str, severity: str, field: str) -> None:
    findings = lint(tmp_path, body)
    assert rules(findings) == [(rule, severity)]
    assert findings[0].problem.field == field
    assert findings[0].problem.line in (2, 3)
    assert str(findings[0]).endswith(f"[{rule}]")
    assert findings[0].as_json()["rule"] == rule


@pytest.mark.parametrize(
    "body",
    [
        "weight: 1, kind: refuse, expected_state: {t: {r: 1}}, initial_state: {t: {r: 1, s: 2}}",
        f"{GOOD}, allowed_tools: [a], milestones: [{{name: m, called: {{tool: b, ok: false}}}}]",
        "weight: 1, request: Where is A1?, must_include: [a1, Changsha]",
        "weight: 1, request: Where is A1?, must_include: [a1], expected_tools: {set: [t], gate: true}",
        "weight: 1, expected_state: {t: {r: {n: {$delta: 0}}}}, initial_state: {t: {r: {n: 1}}}",
        f"{GOOD}, initial_state: {{t: {{r: {{s: 'Yes'}}}}}}",
    ],
)
def test_what_only_looks_like_it_is_let_pass(tmp_path: Path, body: str) -> None:
    assert lint(tmp_path, body) == []


def test_the_same_request_from_the_same_start_is_found_whatever_its_punctuation(tmp_path: Path) -> None:
    start = "initial_state: {t: {r: {n: 1}}}"
    findings = lint(
        tmp_path,
        f"{GOOD}, request: Refund order A1",
        f"{GOOD}, request: 'refund, order Ａ1!'",
        f"{GOOD}, request: Refund order A1, {start}",
        f"{GOOD}, request: Refund order A2",
    )
    assert rules(findings) == [("duplicate_request", PROBLEM)]
    assert findings[0].problem.field == "/tasks/1/request"
    assert "as task `t0`" in findings[0].problem.message


def test_some_weights_missing_name_the_tasks_that_lack_them(tmp_path: Path) -> None:
    findings = lint(tmp_path, GOOD, GOOD.replace("weight: 1, ", ""), GOOD)
    assert rules(findings) == [("weights_missing", ADVICE)]
    assert findings[0].problem.field == "/tasks/1/id"


def test_answers_that_stand_in_the_prompt_are_found(tmp_path: Path) -> None:
    top = "prompt: |\n  Order A1009 is in Changsha. Refunds take 7 days. Orders become refunded. Gift cards.\n"
    findings = lint(
        tmp_path,
        "weight: 1, expected_state: {orders: {A1009: {status: done}}}",
        "weight: 1, must_include: [Changsha]",
        "weight: 1, expected_state: {orders: {A2: {status: refunded}}}",
        "weight: 1, must_include: [card]",
        "weight: 1, kind: refuse, must_include: [7 days]",
        "weight: 1, must_include: [Changsha, x], request: to Changsha",
        top=top,
    )
    assert [(finding.rule, finding.severity, finding.problem.field) for finding in findings] == [
        ("expected_in_prompt", PROBLEM, "/tasks/0/id"),
        ("expected_in_prompt", ADVICE, "/tasks/1/id"),
    ]


def test_the_coverage_layout_is_linted_too(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        "task_suite:\n  name: c\n  tasks:\n    - {id: a, prompt: 缺货表格呢, weight: 1,\n"
        "       success_criteria: {must_include_slots: [缺货]}}\n    - {id: b, prompt: 缺货 表格呢？, weight: 1}\n",
        "utf-8",
    )
    assert [(finding.rule, finding.problem.field) for finding in lint_suite(path)] == [
        ("echo_passes", "/task_suite/tasks/0/id"),
        ("no_deciding_check", "/task_suite/tasks/1/id"),
        ("duplicate_request", "/task_suite/tasks/1/prompt"),
    ]


def test_a_suite_that_does_not_load_is_not_linted(tmp_path: Path) -> None:
    with pytest.raises(SuiteProblems):
        lint(tmp_path, "weight: none")


def test_an_agent_that_is_not_installed_is_told_where_it_is_named(tmp_path: Path) -> None:
    (finding,) = lint(tmp_path, GOOD, top="agent: {kind: refrence}\n")
    assert (finding.rule, finding.severity, finding.problem.field) == ("agent_not_installed", ADVICE, "/agent/kind")
    assert "no agent of kind `refrence` is installed (did you mean reference?)" in str(finding)
    assert lint(tmp_path, GOOD, top="agent: {kind: reference}\n") == []
