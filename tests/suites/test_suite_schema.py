"""What editors get: a JSON Schema made from the models, and a first suite to start from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.core.errors import UsageError
from reach_tui.core.trajectory import Step, Trajectory
from reach_tui.grading import grade
from reach_tui.suites.load import parse_suite
from reach_tui.suites.new import new_suite
from reach_tui.suites.nodes import value_of
from reach_tui.suites.schema import factor_schema, json_schema
from reach_tui.suites.yaml_text import read_yaml

REPO = Path(__file__).parents[2]
SAMPLE = REPO.parent / "shared" / "samples" / "reach-formats" / "suite-coverage.yaml"
VALIDATOR = Draft7Validator(json_schema())


def content(text: str) -> Any:
    document = read_yaml(text.encode(), "f.yaml")
    assert document.root is not None
    return value_of(document.root)


def faults(text: str) -> list[str]:
    return [error.json_path for error in VALIDATOR.iter_errors(content(text))]


def test_the_schemas_are_schemas_and_plain_json() -> None:
    for schema in (json_schema(), factor_schema()):
        Draft7Validator.check_schema(schema)
        assert json.loads(json.dumps(schema)) == schema
        assert "x-expression" not in json.dumps(schema)


def test_every_key_is_described() -> None:
    schema = json_schema()
    for name, model in schema["$defs"].items():
        for variant in model.get("anyOf", [model]):
            for key, field in variant.get("properties", {}).items():
                assert "description" in field, f"{name}.{key}"


def test_what_loads_is_valid_for_the_editor(tmp_path: Path) -> None:
    for path in [*sorted((REPO / "suites").glob("*.yaml")), *([SAMPLE] if SAMPLE.exists() else [])]:
        assert faults(path.read_text("utf-8")) == []
    library = Draft7Validator(factor_schema())
    for path in sorted((REPO / "suites" / "factors").glob("*.yaml")):
        assert list(library.iter_errors(content(path.read_text("utf-8")))) == []
    assert faults(new_suite("s")) == []


@pytest.mark.parametrize(
    "task",
    [
        "{id: a}", "{id: a, request: x, expcted_state: {}}", "{id: a, request: x, kind: acton}",
        "{id: a, request: x, weight: -1}", "{id: a, request: x, expected_state: {t: {$regx: x}}}",
        "{id: a, request: x, expected_state: {t: [{$anny: x}]}}", "{id: a, request: x, allow_changes: [t]}",
        "{id: a, request: x, milestones: [{name: m, called: {tool: t, arg: {}}}]}",
    ],
)  # fmt: skip
def test_what_does_not_load_is_marked_in_the_editor(task: str) -> None:
    assert faults(f"suite: s\ntasks: [{task}]\n")


@pytest.mark.parametrize(
    "task",
    [
        "{id: 12, request: x, x: 1}", "{id: a, request: x, expected_tools: [a, {b: {c: 1}}]}",
        "{id: a, request: x, expected_tools: {set: [a], gate: true}}", "{id: a, request: x, reference: [a, {b: }]}",
        "{id: a, request: x, forbidden: [{called: t}]}", "{id: a, request: x, must_include: [1, [a, b], {$regex: x}]}",
        "{id: a, request: x, expected_state: {t: {r: {n: {$in: [1, {$gt: 2}]}}}}, now: }",
    ],
)  # fmt: skip
def test_short_forms_are_fine_in_the_editor(task: str) -> None:
    assert faults(f"suite: s\nx-anchor: [1]\ntasks: [{task.replace(', x: 1', '')}]\n") == []


def test_a_new_suite_names_its_schema_first_and_loads_without_a_warning() -> None:
    text = new_suite("my-suite", "../suite.schema.json")
    assert text.splitlines()[0] == "# yaml-language-server: $schema=../suite.schema.json"
    suite = parse_suite(text.encode(), "my-suite.yaml")
    assert (suite.name, suite.warnings) == ("my-suite", ())
    assert [task.kind for task in suite.tasks] == ["query", "action", "refuse"]


@pytest.mark.parametrize("name", ["a: b", "0123", "true", "x #y", "退款", 'q"q', "- a", "a\\b", "{x}"])
def test_a_suites_name_arrives_as_given(name: str) -> None:
    assert parse_suite(new_suite(name).encode(), "s.yaml").name == name


@pytest.mark.parametrize("name", ["", " a", "a\nb", "\x1b", "x" * 300])
def test_a_name_that_cannot_be_one_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        new_suite(name)


def test_the_tasks_of_a_new_suite_pass_by_their_references_and_not_without() -> None:
    specs = {spec.name: spec for spec in SANDBOX.specs()}
    for task in parse_suite(new_suite("s").encode(), "s.yaml").tasks:
        words = "; ".join(entry[0] for entry in task.outcomes[0].must_include) or "Done."
        for calls, last, passes in ((task.reference, words, True), ((), "Done.", False)):
            world = SANDBOX.open(task.initial_state, task.now, "t")
            initial = {table: dict(rows) for table, rows in world.state.items()}
            steps = [Step(n=1, turn=0, kind="user", body={"text": task.request})]
            for call in calls:
                done = world.call(call["tool"], call["args"])
                body = {"args": call["args"], "raw": "", "result": done.text}
                steps.append(
                    Step(
                        n=len(steps) + 1,
                        turn=1,
                        kind="call",
                        body=body,
                        tool=call["tool"],
                        ok=done.ok,
                        changes=done.changes,
                    )
                )
            steps.append(Step(n=len(steps) + 1, turn=2, kind="agent", body={"text": last}))
            grading = grade(task, Trajectory(initial, tuple(steps), "answered", tools=tuple(specs)), specs)
            assert (grading.status == "passed") is passes, (task.key, grading.why)
