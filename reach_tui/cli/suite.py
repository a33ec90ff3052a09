"""`reach suite`: lint, schema, new."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from reach_tui.cli.options import json_option, print_json, say
from reach_tui.core.errors import UsageError
from reach_tui.present.language import phrase
from reach_tui.suites.lint import lint_suite
from reach_tui.suites.load import load_suite
from reach_tui.suites.new import SCHEMA_FILE, new_suite
from reach_tui.suites.problems import SuiteProblems
from reach_tui.suites.schema import json_schema


@click.group("suite")
def suite_command() -> None:
    """Check suite files and make new ones."""


@suite_command.command("lint")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def lint(paths: tuple[Path, ...], as_json: bool) -> int:
    """Say everything that is wrong with suite files, and what should be looked at. Exit code 1 for a problem."""
    files, wrong = [], False
    for path in paths:
        try:
            suite = load_suite(path)
        except SuiteProblems as error:
            wrong = True
            files.append({"file": str(path), "ok": False, "problems": [asdict(problem) for problem in error.problems]})
            if not as_json:
                for problem in error.problems:
                    say(str(problem))
            continue
        findings = lint_suite(path)
        wrong = wrong or any(finding.severity == "problem" for finding in findings)
        files.append(
            {"file": str(path), "ok": True, "tasks": len(suite.tasks), "findings": [asdict(each) for each in findings]}
        )
        if not as_json:
            for finding in findings:
                say(str(finding))
            say(phrase("{path}: {n} tasks, {findings} findings", path=path, n=len(suite.tasks), findings=len(findings)))
    if as_json:
        print_json({"files": files, "ok": not wrong})
    return 1 if wrong else 0


@suite_command.command("schema")
def schema() -> None:
    """Print the JSON Schema of suite files, for editors."""
    print_json(json_schema())


@suite_command.command("new")
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def new(path: Path, as_json: bool) -> None:
    """Write a small suite to start from, with its schema beside it."""
    if path.exists():
        raise UsageError("there is such a file already", where=str(path), hint="name another")
    beside = path.with_name(SCHEMA_FILE)
    try:
        path.write_text(new_suite(path.stem), "utf-8")
        beside.write_text(json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise UsageError(error.strerror or str(error), where=str(path)) from None
    made = [str(path), str(beside)]
    print_json({"files": made}) if as_json else say(phrase("wrote ") + " and ".join(made))
