"""`reach branch`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from reach_tui.actions import branches
from reach_tui.actions.branches import StartedExperiment
from reach_tui.cli.files import read_text
from reach_tui.cli.options import json_option, note, print_json, say, store_option
from reach_tui.cli.progress import Progress
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import ExperimentResult, Rules
from reach_tui.core.verdicts import PlaceboMode
from reach_tui.counterfactual.edits import (
    Context,
    Edit,
    FaultOff,
    Model,
    ParameterDescription,
    PartEdit,
    Prompt,
    ToolDescription,
)
from reach_tui.counterfactual.plan import BranchRequest
from reach_tui.present.experiment_text import experiment_json, experiment_text
from reach_tui.present.language import phrase
from reach_tui.present.numbers import in_points
from reach_tui.present.plan import plan_json, plan_text
from reach_tui.present.reasons import sentence
from reach_tui.suites.factors import load_factors


@click.command("branch")
@click.argument("run", required=False)
@click.option("--failing", is_flag=True, help="The tasks that RUN failed (without --only: the default).")
@click.option("--only", metavar="EXPR", help="These tasks: RF-*, domain=after-sales and priority<=P1, …")
@click.option("--tool", multiple=True, metavar="NAME", help="The tool whose description changes.")
@click.option("--description-file", multiple=True, type=click.Path(path_type=Path), help="That tool's new description.")
@click.option("--parameter", metavar="NAME", help="With --tool: change this parameter's description, not the tool's.")
@click.option("--prompt-file", type=click.Path(path_type=Path), help="The new system prompt.")
@click.option("--model", help="The new model.")
@click.option("--context", metavar="STRATEGY", help="How much of the conversation is sent: full, summary, window:N.")
@click.option("--fault-off", multiple=True, metavar="NAME", help="Take this fault of the setup away.")
@click.option("--factor", metavar="FILE#NAME", help="A named variant of a factor library.")
@click.option("--repeat", type=int, help="Trials of each task in each arm; else 3, or 5 with fewer than 20 tasks.")
@click.option("--seed", help="The experiment's own seed; else a fresh one.")
@click.option(
    "--placebo",
    type=click.Choice(["auto", "on", "off"]),
    default="auto",
    show_default=True,
    help="An arm with a neutral edit of the same length; auto: where any edit may change the outcome.",
)
@click.option(
    "--passing", type=click.IntRange(0), help="Passing tasks to try too; else as many as failing, at least 20."
)
@click.option("--margin", type=float, help="The smallest effect of interest, as a share; fixed before the run (0.10).")
@click.option("--concurrency", type=click.IntRange(1, 256), help="Trials at a time; else as the run had it.")
@click.option("--key-env", metavar="NAME", help="Let the run's endpoint be sent the key in this variable.")
@click.option("--dry-run", is_flag=True, help="Print the plan and start nothing.")
@click.option("--detach", is_flag=True, help="Do not wait for the end.")
@click.option("--resume", metavar="EXPERIMENT", help="Go on with an experiment that was interrupted or cancelled.")
@click.option("--conduct", hidden=True, help="Execute this experiment in this process.")
@store_option
@json_option
def branch_command(
    run: str | None,
    store: Path,
    as_json: bool,
    conduct: str | None,
    resume: str | None,
    dry_run: bool,
    detach: bool,
    **asked: Any,
) -> int:
    """Re-run tasks of RUN with exactly one factor changed, beside a control arm, and say whether it is the cause.

    Give one of: --tool NAME --description-file F, --prompt-file F, --model M, --context S, --fault-off NAME, --factor
    FILE#NAME. Two factors at once are refused.
    """
    if conduct is not None:
        branches.conduct_here(store, conduct)
        return 0
    if resume is not None:
        return _wait(branches.resume(store, resume), as_json)
    if run is None:
        raise UsageError(
            "which run shall be branched?", hint="reach branch RUN --failing --tool NAME --description-file F"
        )
    key_env = asked.pop("key_env")
    plan = branches.plan(store, _request(run, **asked), key_env)
    if dry_run:
        print_json(plan_json(plan)) if as_json else say(plan_text(plan))
        return 0
    if not as_json:
        say(plan_text(plan))
    for warning in plan.warnings if as_json else ():
        note(phrase("warning: {what}", what=sentence(warning)))
    started = branches.start(store, plan)
    if not detach:
        return _wait(started, as_json)
    if as_json:
        print_json({"experiment": started.uid, "status": "queued", "store": str(started.store)})
    else:
        uid = started.uid
        say(
            phrase(
                "experiment {uid} is started; watch it with `reach`, look at it with `reach show {uid}`",
                uid=uid,
            )
        )
    return 0


def _request(
    run: str,
    *,
    failing: bool,
    only: str | None,
    repeat: int | None,
    seed: str | None,
    placebo: PlaceboMode,
    passing: int | None,
    margin: float | None,
    concurrency: int | None,
    **factor: Any,
) -> BranchRequest:
    return BranchRequest(
        parent=run,
        edits=_edits(**factor),
        failing=failing,
        only=only,
        repeat=repeat,
        seed=seed,
        placebo=placebo,
        passing=passing,
        rules=Rules() if margin is None else Rules(margin=margin),
        concurrency=concurrency,
    )


def _edits(
    *,
    tool: Sequence[str],
    description_file: Sequence[Path],
    parameter: str | None,
    prompt_file: Path | None,
    model: str | None,
    factor: str | None,
    context: str | None,
    fault_off: Sequence[str],
) -> list[Edit]:

    if len(tool) != len(description_file):
        raise UsageError(
            f"{len(tool)} --tool and {len(description_file)} --description-file",
            hint="they come in pairs: the tool, and the file with its new description",
        )
    if parameter and not tool:
        raise UsageError("--parameter needs the --tool that it belongs to")
    edits: list[Edit] = []
    for name, file in zip(tool, description_file, strict=True):
        text = read_text(file)
        edits.append(ParameterDescription(name, parameter, text) if parameter else ToolDescription(name, text))
    if prompt_file is not None:
        edits.append(Prompt(read_text(prompt_file, whole=True)))
    if model is not None:
        edits.append(Model({"id": model}))
    if context is not None:
        edits.append(Context(context))
    edits += map(FaultOff, fault_off)
    if factor is not None:
        edits.append(_from_library(factor))
    if not edits:
        raise UsageError(
            "no factor to change",
            hint="give one of --tool with --description-file, --prompt-file, --model, --context, --fault-off, --factor",
        )
    return edits


def _from_library(reference: str) -> Edit:
    file, mark, name = reference.partition("#")
    variants = {entry.name: entry for entry in load_factors(file)}
    if not mark or name not in variants:
        raise UsageError(f"no variant {name!r} in {file}", hint="it has " + ", ".join(sorted(variants)))
    variant = variants[name]
    if variant.needs_trust:
        raise UsageError(
            f"variant {name} names an endpoint, and libraries are not trusted by themselves",
            where=file,
            hint="name the model yourself with --model",
        )
    return Model(variant.value) if variant.value is not None else PartEdit(variant.part, variant.text)


def _wait(started: StartedExperiment, as_json: bool) -> int:
    uid, store = started.uid, started.store

    def draw(done: int, planned: int, result: ExperimentResult | None) -> None:
        seen = result.effect if result is not None else None
        progress.update(f"branch {uid}", done, planned, f"effect {in_points(seen.estimate)}" if seen else "")

    with Progress(sys.stderr) as progress:
        plan, result = branches.wait(started, draw)
    if as_json:
        print_json({**experiment_json(uid, plan, result), "store": str(store)})
    else:
        say()
        say(experiment_text(uid, plan, result))
        say(
            phrase(
                "stored in {store}; look at it again with: reach show {uid} --store {store}",
                store=store,
                uid=uid,
            )
        )
    return 0 if result.status in ("ended", "paused") else 3
