"""Findings about a suite that loads: what will mislead, as far as that can be known without a world."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.canonical import canonical
from reach_tui.core.equality import same
from reach_tui.core.plugins import AGENTS, installed
from reach_tui.core.task import Task
from reach_tui.suites.entries import entry_decides, entry_texts
from reach_tui.suites.load import COVERAGE, LoadedSuite, deciding_gap, open_suite
from reach_tui.suites.nodes import MapNode, Node, ScalarNode, find, short, value_of
from reach_tui.suites.problems import Problem
from reach_tui.suites.vocabulary import near_hint
from reach_tui.suites.yaml_text import walk

PROBLEM, ADVICE = "problem", "advice"
_TELLING = 4
"""Characters from which a text that stands in the prompt is taken for more than chance."""
_LAYOUT = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One finding: the rule that it comes from, how grave it is ("problem" or "advice"), and where it is."""

    rule: str
    severity: str
    problem: Problem

    def __str__(self) -> str:
        return f"{self.problem} [{self.rule}]"

    def as_json(self) -> dict[str, str | int]:
        """All fields as plain JSON."""
        return {"rule": self.rule, "severity": self.severity, **self.problem.as_json()}


@dataclass(frozen=True, slots=True)
class _View:
    """A suite beside its document, and its tasks beside their places in it."""

    suite: LoadedSuite
    root: Node
    tasks_path: tuple[str | int, ...]

    def finding(
        self, rule: str, severity: str, index: int | None, below: Sequence[str | int], message: str, expected: str = ""
    ) -> LintFinding:
        path = (*self.tasks_path, *(() if index is None else (index,)), *below)
        mark, node = find(self.root, path, at_key=True)
        actual = short(node.text) if isinstance(node, ScalarNode) else ""
        field = pointers.join(map(str, path))
        problem = Problem(str(self.suite.path), mark.line, mark.column, field, actual, expected, message)
        return LintFinding(rule, severity, problem)

    def typed(self, index: int) -> Mapping[str, Any]:
        """A task as its author wrote it."""
        _, node = find(self.root, (*self.tasks_path, index))
        value = value_of(node)
        return value if isinstance(value, dict) else {}


Rule = Callable[[_View], Iterator[LintFinding]]


def lint_suite(path: str | Path) -> tuple[LintFinding, ...]:
    """All findings about the suite at `path`, in the file's order. SuiteProblems where it does not even load."""
    suite, document = open_suite(path)
    assert isinstance(document.root, MapNode), "a suite that loads is a mapping"
    view = _View(suite, document.root, ("task_suite", "tasks") if suite.layout == COVERAGE else ("tasks",))
    findings = [finding for rule in RULES for finding in rule(view)]
    known = {finding.problem.line for finding in findings if finding.rule == "no_deciding_check"}
    for warning in suite.warnings:
        if warning.line not in known:
            findings.append(LintFinding("doubtful_value", ADVICE, warning))
    return tuple(sorted(findings, key=lambda finding: (finding.problem.line, finding.problem.column, finding.rule)))


def _no_deciding_check(view: _View) -> Iterator[LintFinding]:
    for index, task in enumerate(view.suite.tasks):
        gap = deciding_gap(dict(task.body))
        if gap:
            yield view.finding("no_deciding_check", PROBLEM, index, ("id",), gap, "an expected state or outcome")


def _agent_not_installed(view: _View) -> Iterator[LintFinding]:
    kind, known = view.suite.agent.get("kind"), installed(AGENTS)
    if kind is not None and kind not in known:
        mark, _ = find(view.root, ("agent", "kind"), at_key=True)
        message = f"no agent of kind `{short(str(kind))}` is installed{near_hint(str(kind), known)}"
        problem = Problem(
            str(view.suite.path), mark.line, mark.column, "/agent/kind", str(kind), ", ".join(known), message
        )
        yield LintFinding("agent_not_installed", ADVICE, problem)


def _duplicate_request(view: _View) -> Iterator[LintFinding]:
    seen: dict[str, Task] = {}
    for index, task in enumerate(view.suite.tasks):
        words = _LAYOUT.sub("", unicodedata.normalize("NFKC", task.request).casefold()) or task.request
        key = canonical([words, task.initial_state, task.body.get("turns"), task.now])
        if key in seen:
            message = f"the same request from the same start as task `{short(seen[key].key)}`: it counts twice"
            below = ("prompt",) if view.suite.layout == COVERAGE else ("request",)
            yield view.finding("duplicate_request", PROBLEM, index, below, message, "a case of its own")
        else:
            seen[key] = task


def _weights(view: _View) -> Iterator[LintFinding]:
    weighted = ["weight" in view.typed(index) for index in range(len(view.suite.tasks))]
    if not any(weighted):
        yield view.finding(
            "weights_missing", ADVICE, None, (), "no task has a weight: weighted and unweighted reach will be equal"
        )
    elif not all(weighted):
        for index, has in enumerate(weighted):
            if not has:
                message = "no weight, beside tasks that have one: it counts as 1"
                yield view.finding("weights_missing", ADVICE, index, ("id",), message, "a weight")


def _tools_not_allowed(view: _View) -> Iterator[LintFinding]:
    for index, task in enumerate(view.suite.tasks):
        if task.allowed_tools is None:
            continue
        for below, tool, severity, words in _tools_named(task.body):
            if tool not in task.allowed_tools:
                message = f"`{short(tool)}` is not among the allowed tools: {words}"
                yield view.finding("tool_not_allowed", severity, index, below, message, "an allowed tool")


def _tools_named(body: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str, str, str]]:
    for number, milestone in enumerate(body["milestones"]):
        if "called" in milestone and milestone["called"].get("ok") is not False:
            yield ("milestones", number), milestone["called"]["tool"], PROBLEM, "this milestone cannot be reached"
    for number, entry in enumerate(body["reference"]):
        if "tool" in entry:
            yield ("reference", number), entry["tool"], PROBLEM, "the reference cannot be followed"
    expected = body["expected_tools"] or {}
    for tool in (tool for key, tools in expected.items() if key != "gate" for tool in tools):
        name = tool["tool"] if isinstance(tool, dict) else tool
        yield ("expected_tools",), name, PROBLEM, "the check cannot hold"
    for number, condition in enumerate(body["forbidden"]):
        if "called" in condition:
            yield ("forbidden", number), condition["called"]["tool"], ADVICE, "it can be tried but never succeed"
    for number, constraint in enumerate(body["constraints"]):
        if constraint.get("tool"):
            yield ("constraints", number), constraint["tool"], ADVICE, "this constraint never applies"


def _refusal_with_changes(view: _View) -> Iterator[LintFinding]:
    for index, task in enumerate(view.suite.tasks):
        if task.kind != "refuse":
            continue
        for outcome in task.outcomes:
            if outcome.state and not _holds_at_start(outcome.state, task.initial_state):
                message = "a refusal changes nothing, but a state is expected that does not stand in initial_state"
                yield view.finding("refusal_with_changes", PROBLEM, index, ("kind",), message, "no expected change")
                break


def _passes_untouched(view: _View) -> Iterator[LintFinding]:
    """An action whose expected state is its initial state. What the sandbox's data adds is not known here."""
    for index, task in enumerate(view.suite.tasks):
        if task.kind != "action":
            continue
        for outcome in task.outcomes:
            if outcome.state and _holds_at_start(outcome.state, task.initial_state):
                message = "the expected state is the initial state: nothing needs to be done for it"
                yield view.finding(
                    "nothing_to_do", PROBLEM, index, ("id",), message, "a state that the task brings about"
                )
                break


def _holds_at_start(expected: Any, initial: Any) -> bool:
    """Whether the literals of an expression all stand in the initial state; operators are not decided here."""
    if isinstance(expected, dict) and expected:
        return isinstance(initial, dict) and all(
            not key.startswith("$") and key in initial and _holds_at_start(value, initial[key])
            for key, value in expected.items()
        )
    return same(expected, initial)


def _one_outcome(view: _View) -> Iterator[LintFinding]:
    for index, task in enumerate(view.suite.tasks):
        if task.body.get("difficulty") == "competing" and len(task.outcomes) == 1:
            message = "competing constraints, but a single acceptable outcome: is there no other right answer?"
            yield view.finding("single_outcome", ADVICE, index, ("id",), message, "outcomes, or certainty")


def _query_that_changes(view: _View) -> Iterator[LintFinding]:
    for index, task in enumerate(view.suite.tasks):
        if task.kind == "query" and any(
            outcome.state and not _holds_at_start(outcome.state, task.initial_state) for outcome in task.outcomes
        ):
            message = "a query that expects a state: an action is graded by its write, a query is not"
            yield view.finding("query_expects_state", ADVICE, index, ("kind",), message, "kind: action")


def _echo(view: _View) -> Iterator[LintFinding]:
    """The words that decide all stand in the request: an agent that repeats it passes."""
    for index, task in enumerate(view.suite.tasks):
        gate = bool((task.expected_tools or {}).get("gate"))
        if gate or not task.outcomes or task.kind == "refuse":
            continue
        request = task.request.casefold()
        for outcome in task.outcomes:
            deciding = [entry for entry in (*outcome.must_include, *outcome.told) if entry_decides(entry)]
            if not deciding or outcome.state or outcome.asked:
                continue
            if all(any(text.casefold() in request for text in entry_texts(entry)) for entry in deciding):
                message = "all that must be said stands in the request: repeating it would pass"
                yield view.finding("echo_passes", PROBLEM, index, ("id",), message, "a fact that has to be found out")
                break


def _expected_in_prompt(view: _View) -> Iterator[LintFinding]:
    """Contamination: what a task expects can be read in the agent's prompt."""
    prompt = view.suite.prompt.casefold()
    if not prompt:
        return
    for index, task in enumerate(view.suite.tasks):
        for severity, texts in ((PROBLEM, _telling_values(task)), (ADVICE, _telling_words(task))):
            leaked = next((text for text in texts if _stands(text.casefold(), prompt)), None)
            if leaked is not None:
                message = f"what this task expects stands in the prompt: `{short(leaked)}`"
                yield view.finding("expected_in_prompt", severity, index, ("id",), message, "a prompt without answers")
                break


def _stands(text: str, prompt: str) -> bool:
    """Whether the text stands in the prompt, as words of its own where it is in Latin letters."""
    edge = r"(?<![a-z0-9])", r"(?![a-z0-9])"
    start, end = (boundary if text[at].isascii() else "" for boundary, at in zip(edge, (0, -1), strict=True))
    return re.search(start + re.escape(text) + end, prompt) is not None


def _telling_words(task: Task) -> Iterator[str]:
    """What must be said, but for refusals, which quote the policy, and for what the user says first."""
    if task.kind != "refuse":
        for outcome in task.outcomes:
            for entry in (*outcome.must_include, *outcome.told):
                for text in entry_texts(entry):
                    if len(text) >= _TELLING and text.casefold() not in task.request.casefold():
                        yield text


def _telling_values(task: Task) -> Iterator[str]:
    """Texts and keys of the expected state that hold a digit: plain words (`refunded`) are any policy's vocabulary."""
    for outcome in task.outcomes:
        for parts, value in pointers.leaves(outcome.state):
            for text in (*parts, value):
                if isinstance(text, str) and len(text) >= _TELLING and any(c.isdigit() for c in text):
                    yield text


def _words_others_type(view: _View) -> Iterator[LintFinding]:
    """`yes`, `True`, `Null` in data: text here, something else to other readers of YAML."""
    for path, node in walk(view.root):
        if isinstance(node, ScalarNode) and node.looks_typed and _in_data(path):
            message = f"`{node.text}` is text here: quote it, or write true, false or null"
            field = pointers.join(map(str, path))
            place = node.mark
            problem = Problem(
                str(view.suite.path), place.line, place.column, field, node.text, "a quoted text", message
            )
            yield LintFinding("ambiguous_word", ADVICE, problem)


def _in_data(path: tuple[str | int, ...]) -> bool:
    return bool({"initial_state", "expected_state", "state", "args"} & set(path))


RULES: tuple[Rule, ...] = (
    _agent_not_installed,
    _no_deciding_check, _duplicate_request, _weights, _tools_not_allowed, _refusal_with_changes, _passes_untouched,
    _one_outcome, _query_that_changes, _echo, _expected_in_prompt, _words_others_type,
)  # fmt: skip
