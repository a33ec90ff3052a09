"""A suite file becomes tasks: `load_suite`. What is wrong with a file is said all at once, each with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from reach_tui.core.canonical import digest
from reach_tui.core.errors import UsageError
from reach_tui.core.faults import DEFAULT_STATUS
from reach_tui.core.task import Task
from reach_tui.suites.entries import entry_decides
from reach_tui.suites.explain import problem_at, validate
from reach_tui.suites.expressions import Checker
from reach_tui.suites.models import CoverageFileModel, CoverageModel, StubReplyModel, SuiteModel
from reach_tui.suites.nodes import ListNode, MapNode, Node, ScalarNode, describe, short
from reach_tui.suites.normalise import coverage_bodies, full_bodies
from reach_tui.suites.problems import Problem, SuiteProblems, in_file_order
from reach_tui.suites.prompts import PromptError, read_prompt
from reach_tui.suites.vocabulary import ORDERS
from reach_tui.suites.yaml_source import MAX_BYTES
from reach_tui.suites.yaml_text import Document, read_yaml

__all__ = ["LoadedSuite", "Problem", "SuiteProblems", "load_suite", "open_suite", "parse_suite"]

FULL, COVERAGE = "full", "coverage"
NO_CHECK = "no deciding check: its trials will be unscored"

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class LoadedSuite:
    """A suite that can be run.

    `digest` (16 bytes) names the source together with the tasks made from it. `agent` holds `kind`, and where given
    `model`, `base_url`, `sampling`, `options`, `prompt_version`; empty where the suite names none. `tools` holds what
    the agent is told in place of the sandbox's texts: by tool, `description` and `parameters` (by name). `layout` is
    "full" or "coverage".
    """

    name: str
    path: Path
    source: str
    digest: bytes
    sandbox: str | None
    agent: dict[str, Any]
    prompt: str
    now: str | None
    tasks: tuple[Task, ...]
    layout: str
    warnings: tuple[Problem, ...]
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    context: Mapping[str, Any] | None = None
    faults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    stubs: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


def load_suite(path: str | Path) -> LoadedSuite:
    """The suite in the file at `path`. SuiteProblems with everything that is wrong in it; UsageError without a file."""
    return open_suite(path)[0]


def open_suite(path: str | Path) -> tuple[LoadedSuite, Document]:
    """Like `load_suite`, with the document, for those who want the places in it."""
    path = Path(path)
    data = read_file(path)
    document = read_yaml(data, str(path))
    return _suite(document, path), document


def parse_suite(data: bytes, path: str | Path) -> LoadedSuite:
    """The suite in `data` as if it stood in the file `path`, whose folder may hold its prompt. Raises SuiteProblems."""
    return _suite(read_yaml(data, str(path)), Path(path))


def read_file(path: Path) -> bytes:
    """The bytes of a file that a person named, no more than are needed to see that it is too large."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder, not a file")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"no file {path}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None


def without_anchors(root: MapNode) -> MapNode:
    """The top level without the `x-` keys, which hold anchors."""
    return MapNode({key: entry for key, entry in root.entries.items() if not key.startswith("x-")}, root.mark)


def _suite(document: Document, path: Path) -> LoadedSuite:
    problems = list(document.problems)
    root = document.root
    if root is None:
        raise SuiteProblems(problems)
    if not isinstance(root, MapNode):
        problems.append(problem_at(root, document.file, (), f"expected `suite` and `tasks`, found {describe(root)}"))
        raise SuiteProblems(problems)
    top = without_anchors(root)
    layout = COVERAGE if "task_suite" in top.entries else FULL
    checker = Checker(document.file)
    model_type: type[BaseModel] = CoverageFileModel if layout == COVERAGE else SuiteModel
    model, model_problems = validate(model_type, top, document.file)
    problems += model_problems
    problems += _same_twice(top, document.file, _tasks_path(layout))
    prompt = ""
    if layout == FULL:
        _check_states(top, checker)
        prompt, prompt_problems = _prompt(top, document.file, path.parent)
        problems += [*checker.problems, *prompt_problems]
    if problems:
        raise SuiteProblems(problems)
    bodies = full_bodies(model) if layout == FULL else coverage_bodies(model.task_suite)
    warnings = [*document.warnings, *checker.warnings, *_unchecked(bodies, top, document.file, _tasks_path(layout))]
    agent = _agent(model) if layout == FULL else _endpoint(model.task_suite)
    return LoadedSuite(
        name=model.suite if layout == FULL else model.task_suite.name,
        path=path,
        source=document.text,
        digest=digest({"source": document.text, "tasks": bodies}),
        sandbox=model.sandbox if layout == FULL else None,
        agent=agent,
        prompt=prompt,
        now=model.now if layout == FULL else None,
        tasks=tuple(Task.of(body) for body in bodies),
        layout=layout,
        warnings=in_file_order(warnings),
        tools=_tools(model) if layout == FULL else {},
        context=model.context if layout == FULL else None,
        faults=_faults(model) if layout == FULL else {},
        stubs=_stubs(model) if layout == FULL else {},
    )


def _tasks_path(layout: str) -> Path_:
    return ("tasks",) if layout == FULL else ("task_suite", "tasks")


def _agent(model: SuiteModel) -> dict[str, Any]:
    return model.agent.model_dump(exclude_none=True) if model.agent else {}


def _tools(model: SuiteModel) -> dict[str, Mapping[str, Any]]:
    return {name: texts.model_dump(exclude_none=True) for name, texts in (model.tools or {}).items()}


def _faults(model: SuiteModel) -> dict[str, Mapping[str, Any]]:
    """Faults by name, without what is the default: said or not, it is the same fault."""
    defaults = {"status": DEFAULT_STATUS, "chance": 1.0}
    return {
        name: {key: value for key, value in fault.model_dump(exclude_none=True).items() if value != defaults.get(key)}
        for name, fault in (model.faults or {}).items()
    }


def _stubs(model: SuiteModel) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Stubs by tool; a reply is kept as its JSON text, for the order of its keys is its author's."""
    return {tool: [_stub_reply(entry) for entry in entries] for tool, entries in (model.stubs or {}).items()}


def _stub_reply(entry: StubReplyModel) -> dict[str, Any]:
    args = {"args": entry.args} if entry.args else {}
    if entry.error is not None:
        return {**args, "error": entry.error}
    return {**args, "reply": json.dumps(entry.reply, ensure_ascii=False)}


def _endpoint(model: CoverageModel) -> dict[str, Any]:
    """The agent of the coverage layout: a black box at an address."""
    agent = {"kind": "endpoint"} if model.base_url else {}
    given = {"base_url": model.base_url, "prompt_version": model.agent_prompt_version}
    return {**agent, **{key: value for key, value in given.items() if value}}


def _prompt(top: MapNode, file: str, folder: Path) -> tuple[str, list[Problem]]:
    entry = top.entries.get("prompt")
    if entry is None or not isinstance(entry.node, ScalarNode) or entry.node.value is None:
        return "", []
    try:
        return read_prompt(entry.node.text, folder), []
    except PromptError as error:
        return "", [problem_at(top, file, ("prompt",), str(error), "a text, or a file in this folder")]


def _below(node: Node | None, path: Path_) -> Iterator[tuple[Path_, MapNode]]:
    """The mappings in the list `node`, with their paths."""
    if isinstance(node, ListNode):
        for index, item in enumerate(node.items):
            if isinstance(item, MapNode):
                yield (*path, index), item


def _get(node: Node | None, *names: str) -> Node | None:
    for name in names:
        node = node.entries[name].node if isinstance(node, MapNode) and name in node.entries else None
    return node


def _same_twice(top: MapNode, file: str, tasks: Path_) -> list[Problem]:
    """Task ids, and names of a task's milestones, that stand there more than once."""
    problems = repeated(_get(top, *map(str, tasks)), tasks, file, top, "id", "task id")
    for path, task in _below(_get(top, *map(str, tasks)), tasks):
        problems += repeated(_get(task, "milestones"), (*path, "milestones"), file, top, "name", "milestone")
    return problems


def repeated(node: Node | None, path: Path_, file: str, top: MapNode, key: str, what: str) -> list[Problem]:
    first: dict[str, int] = {}
    problems = []
    for here, item in _below(node, path):
        name = _get(item, key)
        if not isinstance(name, ScalarNode):
            continue
        line = item.entries[key].mark.line
        if name.text in first:
            message = f"{what} `{short(name.text)}` twice: in line {first[name.text]} and again in line {line}"
            problems.append(problem_at(top, file, (*here, key), message, f"a {key} of its own"))
        else:
            first[name.text] = line
    return problems


def _check_states(top: MapNode, checker: Checker) -> None:
    for path, task in _below(_get(top, "tasks"), ("tasks",)):
        for key, check in (("initial_state", checker.initial_state), ("expected_state", checker.expected_state)):
            node = _get(task, key)
            if node is not None:
                check(node, (*path, key))
        for key in ("outcomes", "milestones", "forbidden"):
            for here, item in _below(_get(task, key), (*path, key)):
                if (node := _get(item, "state")) is not None:
                    checker.expected_state(node, (*here, "state"))
                if (node := _get(item, "called", "args")) is not None:
                    checker.arguments(node, (*here, "called", "args"))
        for order in ORDERS:
            for here, item in _below(_get(task, "expected_tools", order), (*path, "expected_tools", order)):
                for name, entry in item.entries.items():
                    if name not in ("tool", "ok"):
                        checker.arguments(entry.node, (*here, name))
        for here, item in _below(_get(task, "reference"), (*path, "reference")):
            for name, entry in item.entries.items():
                if name != "tool":
                    checker.data(entry.node, (*here, name))
        for here, item in _below(_get(task, "constraints"), (*path, "constraints")):
            for name in ("equals", "ne", "in", "not_in"):
                if (node := _get(item, name)) is not None:
                    checker.data(node, (*here, name))
            if (node := _get(item, "regex")) is not None:
                checker.pattern(node, (*here, "regex"))


def _unchecked(bodies: list[dict[str, Any]], top: MapNode, file: str, tasks: Path_) -> list[Problem]:
    """Warnings for tasks whose result nothing would decide."""
    warnings = []
    for index, body in enumerate(bodies):
        message = deciding_gap(body)
        if message:
            place = (*tasks, index, "id")
            warnings.append(problem_at(top, file, place, f"task `{short(body['id'])}`: {message}", "a deciding check"))
    return warnings


def deciding_gap(body: dict[str, Any]) -> str | None:
    """What is missing for a verdict on this task, or None."""
    outcomes = body["outcomes"]
    state = any(outcome["state"] for outcome in outcomes)
    words = any(
        entry_decides(entry) for outcome in outcomes for key in ("must_include", "told") for entry in outcome[key]
    )
    asked = any(outcome["asked"] for outcome in outcomes)
    guards = body["forbidden"] or body["constraints"] or body["confirm"] or (body["expected_tools"] or {}).get("gate")
    if body["kind"] == "refuse":
        return None
    # A query with an outcome at least demands that nothing changes.
    if not (state or words or asked or guards or (body["kind"] == "query" and outcomes)):
        return NO_CHECK
    if body["kind"] == "action" and not state:
        return "an action without an expected state: no check can say that the right thing was done"
    return None
