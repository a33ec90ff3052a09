"""`reach run` and `reach stop`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from reach_tui.actions import runs
from reach_tui.actions.runs import StartedRun
from reach_tui.agents.kind import AgentChoice
from reach_tui.cli.files import read_text
from reach_tui.cli.options import json_option, note, print_json, say, store_option
from reach_tui.cli.progress import RunProgress
from reach_tui.core.errors import UsageError
from reach_tui.harness.start import RunChoice
from reach_tui.present.language import phrase
from reach_tui.present.run_text import run_json, run_summary


@click.command("run")
@click.argument("suite", required=False, type=click.Path(path_type=Path))
@click.option("--agent", metavar="KIND", help="The kind of agent (see `reach doctor`); else what the suite says.")
@click.option("--model", help="The model; else what the suite says.")
@click.option("--base-url", help="An OpenAI-compatible endpoint, up to and with /v1.")
@click.option("--key-env", metavar="NAME", help="The environment variable that holds the endpoint's key.")
@click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, help="An option of the agent's kind; JSON or text."
)
@click.option("--temperature", type=float, help="Sent to the endpoint as it is.")
@click.option("--only", metavar="EXPR", help="Only these tasks: RF-*, domain=after-sales and priority<=P1, …")
@click.option("--repeat", type=int, help="Trials of each task; else as the suite says (3, at high risk 5).")
@click.option("--concurrency", type=click.IntRange(1, 256), default=16, show_default=True, help="Trials at a time.")
@click.option("--seed", help="The base seed, for a run that can be repeated; else a fresh one.")
@click.option("--prompt-file", type=click.Path(path_type=Path), help="The system prompt, in place of the suite's.")
@click.option("--name", help="What the run is called in lists; else the suite's name.")
@click.option("--trust", is_flag=True, help="Let the suite itself say which endpoint is asked.")
@click.option("--detach", is_flag=True, help="Do not wait for the end.")
@click.option("--resume", metavar="RUN", help="Go on with a run that was paused, cancelled or interrupted.")
@click.option("--plan", hidden=True, help="Execute this queued run in this process.")
@store_option
@json_option
def run_command(
    suite: Path | None, plan: str | None, resume: str | None, store: Path, as_json: bool, **choices: object
) -> int:
    """Run a suite against an agent, every task in a fresh world, and wait for the end.

    Ctrl-C cancels the run; trials that ended are kept. Exit code 3 where it did not come to its end.
    """
    if plan is not None:
        runs.execute_here(store, plan)
        return 0
    if resume is not None:
        return _wait(runs.resume(store, resume), as_json)
    if suite is None:
        raise UsageError("which suite?", hint="reach run suites/commerce-aftersales.yaml")
    return _new(store, suite, as_json, **choices)  # type: ignore[arg-type]


def _new(
    store: Path,
    suite: Path,
    as_json: bool,
    *,
    agent: str | None,
    model: str | None,
    base_url: str | None,
    key_env: str | None,
    options: Sequence[str],
    temperature: float | None,
    only: str | None,
    repeat: int | None,
    concurrency: int,
    seed: str | None,
    prompt_file: Path | None,
    name: str | None,
    trust: bool,
    detach: bool,
) -> int:

    sampling = {} if temperature is None else {"temperature": temperature}
    chosen = AgentChoice(agent, model, base_url, key_env, sampling, dict(map(_option, options)))
    loaded = runs.load(suite, chosen, trusted=trust)
    for warning in loaded.warnings:
        note(phrase("warning: {warning}", warning=warning))
    choice = RunChoice(
        name=name,
        repeat=repeat,
        concurrency=concurrency,
        seed=seed,
        prompt=None if prompt_file is None else read_text(prompt_file, whole=True),
    )
    started = runs.start(store, loaded, chosen, choice, only)
    row = started.row
    if not detach:
        return _wait(started, as_json)
    if as_json:
        print_json({"run": row.uid, "status": row.status, "store": str(started.store)})
    else:
        say(
            phrase(
                "run {uid} is started, {planned} trials: watch it with `reach`, end it with `reach stop`",
                uid=row.uid,
                planned=row.planned,
            )
        )
    return 0


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise UsageError(f"--option {text!r} is no NAME=VALUE", hint="for example --option haste=1")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _wait(started: StartedRun, as_json: bool) -> int:
    with RunProgress(sys.stderr) as progress:
        row = runs.wait(started, progress.show)
    if as_json:
        print_json({**run_json(row), "store": str(started.store)})
    else:
        say(run_summary(row))
        say(phrase("stored in {store}; look at it with: reach --store {store}", store=started.store))
    return 0 if runs.came_to_its_end(row) else 3


@click.command("stop")
@click.argument("run")
@click.option("--pause", is_flag=True, help="Let the trials in flight end, and leave the rest for --resume.")
@store_option
@json_option
def stop_command(run: str, pause: bool, store: Path, as_json: bool) -> int:
    """Cancel a run, or an experiment's arm with all its siblings, from anywhere. What has ended is kept."""
    row, asked = runs.stop(store, run, "pause" if pause else "cancel")
    told = f"already {row.status}" if not asked else "asked to pause" if pause else "asked to stop"
    print_json({"run": row.uid, "status": row.status, "said": told}) if as_json else say(
        phrase("run {uid}: {told}", uid=row.uid, told=told)
    )
    return 0
