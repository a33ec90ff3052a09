"""`reach run` and `reach stop`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from reach_tui.cli.options import json_option, note, print_json, say, store_option
from reach_tui.core.errors import UsageError


@click.command("run")
@click.argument("suite", required=False, type=click.Path(path_type=Path))
@click.option("--agent", type=click.Choice(["simulated", "chat"]), help="The kind of agent; else what the suite says.")
@click.option("--model", help="The model; else what the suite says.")
@click.option("--base-url", help="An OpenAI-compatible endpoint, up to and with /v1.")
@click.option("--key-env", metavar="NAME", help="The environment variable that holds the endpoint's key.")
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
    suite: Path | None, plan: str | None, resume: str | None, store: Path, as_json: bool, **said: object
) -> int:
    """Run a suite against an agent, every task in a fresh world, and wait for the end.

    Ctrl-C cancels the run; trials that ended are kept. Exit code 3 where it did not come to its end.
    """
    if plan is not None:
        return _execute(store, plan)
    if resume is not None:
        return _wait(store, _to_resume(store, resume), as_json)
    if suite is None:
        raise UsageError("which suite?", hint="reach run suites/commerce-aftersales.yaml")
    return _new(store, suite, as_json, **said)  # type: ignore[arg-type]


def _new(
    store: Path, suite: Path, as_json: bool, *, agent: str | None, model: str | None, base_url: str | None,
    key_env: str | None, temperature: float | None, only: str | None, repeat: int | None, concurrency: int,
    seed: str | None, prompt_file: Path | None, name: str | None, trust: bool, detach: bool,
) -> int:  # fmt: skip
    from reach_tui.agents.make import host_of
    from reach_tui.cli.files import read_text
    from reach_tui.core.config import trust as remember
    from reach_tui.harness.launch import launch_run
    from reach_tui.harness.start import AgentChoice, RunChoice, create, plan_run
    from reach_tui.suites.load import load_suite
    from reach_tui.suites.select import select

    loaded = load_suite(suite)
    for warning in loaded.warnings:
        note(f"warning: {warning}")
    if loaded.needs_trust and not (base_url or trust or agent == "simulated"):
        raise UsageError(
            f"this suite names the endpoint {loaded.agent.get('base_url')}, and suites are not trusted by themselves",
            where=str(suite),
            hint="give --base-url yourself, or say --trust",
        )
    if key_env and base_url:
        remember(host_of(base_url), key_env)
    tasks = loaded.tasks if only is None else select(loaded.tasks, only)
    sampling = {} if temperature is None else {"temperature": temperature}
    choice = RunChoice(
        name=name, repeat=repeat, concurrency=concurrency, seed=seed,
        prompt=None if prompt_file is None else read_text(prompt_file, whole=True),
    )  # fmt: skip
    plan = plan_run(loaded, tasks, AgentChoice(agent, model, base_url, key_env, sampling), choice)
    row = create(
        store, plan, name=name or loaded.name, suite_digest=loaded.digest, suite_source=loaded.source, choice=choice
    )
    if detach:
        launch_run(store, row.uid)
        if as_json:
            print_json({"run": row.uid, "status": row.status, "store": str(store)})
        else:
            say(f"run {row.uid} is started, {row.planned} trials: watch it with `reach`, end it with `reach stop`")
        return 0
    return _wait(store, row.uid, as_json)


def _wait(store: Path, run_uid: str, as_json: bool) -> int:
    from reach_tui.cli.progress import RunProgress
    from reach_tui.harness.launch import launch_run
    from reach_tui.harness.watch import wait_for_run
    from reach_tui.present.run_text import run_json, run_summary

    process = launch_run(store, run_uid)
    with RunProgress(sys.stderr) as progress:
        row = wait_for_run(store, run_uid, process, progress.show)
    if as_json:
        print_json({**run_json(row), "store": str(store)})
    else:
        say(run_summary(row))
        say(f"stored in {store}; look at it with: reach --store {store}")
    return 0 if row.status in ("ended", "paused") else 3


def _execute(store: Path, run_uid: str) -> int:
    from reach_tui.harness.execute import Execution
    from reach_tui.harness.launch import tidy
    from reach_tui.harness.watch import was_cancelled

    if was_cancelled(store, run_uid):
        return 0
    with Execution(store, [run_uid]) as execution:
        execution.run()
        execution.finish()
    tidy(store, run_uid)
    return 0


def _to_resume(store: Path, reference: str) -> str:
    from reach_tui.harness.watch import make_ready
    from reach_tui.store.runs import find_run
    from reach_tui.store.store import Store

    with Store(store) as opened:
        row = find_run(opened, reference)
    if row.experiment_uid is not None:
        raise UsageError(
            f"run {row.uid} is an arm of experiment {row.experiment_uid}",
            hint=f"go on with the whole experiment: reach branch --resume {row.experiment_uid}",
        )
    if row.origin == "import":
        raise UsageError(f"run {row.uid} was imported; there is nothing to go on with")
    if row.status == "ended":
        raise UsageError(f"run {row.uid} has ended; there is nothing left to run", hint=f"see reach show {row.uid}")
    make_ready(store, [row.uid])
    return row.uid


@click.command("stop")
@click.argument("run")
@click.option("--pause", is_flag=True, help="Let the trials in flight end, and leave the rest for --resume.")
@store_option
@json_option
def stop_command(run: str, pause: bool, store: Path, as_json: bool) -> int:
    """Cancel a run, or an experiment's arm with all its siblings, from anywhere. What has ended is kept."""
    from reach_tui.harness.watch import ENDED, ask
    from reach_tui.store.runs import find_run
    from reach_tui.store.store import Store

    with Store(store) as opened:
        row = find_run(opened, run)
    if row.status not in ENDED:
        row = ask(store, row.uid, "pause" if pause else "cancel")
        word = "asked to pause" if pause else "asked to stop"
    else:
        word = f"already {row.status}"
    print_json({"run": row.uid, "status": row.status, "said": word}) if as_json else say(f"run {row.uid}: {word}")
    return 0
