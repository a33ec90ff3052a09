"""Subjects: handed the reference, they fail by their weaknesses alone, on anybody's suite, and know no world."""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from reach_tui.agents.kind import AgentChoice
from reach_tui.contrib.subjects import SIMULATED
from reach_tui.contrib.subjects.traits import SUBJECTS
from reach_tui.core.condition import Setup
from reach_tui.core.draws import trial_seed
from reach_tui.core.errors import UsageError
from reach_tui.core.task import Task
from reach_tui.harness.clock import FixedClock
from reach_tui.harness.start import setup_for
from reach_tui.harness.trial import EndedTrial, InitialStates, TrialContext, run_trial
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.suites.factors import load_factors
from reach_tui.suites.load import load_suite

ROOT = Path(__file__).parents[2]
SUITE = load_suite(ROOT / "suites" / "commerce-aftersales.yaml")
FACTORS = {variant.name: variant for variant in load_factors(ROOT / "suites" / "factors" / "commerce.yaml")}
FAMILY = find_sandbox("commerce")
WRITES = {spec.name for spec in FAMILY.specs() if spec.writes}


class Silence:
    """Keeps nothing."""

    def step(self, *_: object) -> None: ...
    def exchange(self, *_: object) -> None: ...


def setup(model: str, **options: Any) -> Setup:
    return setup_for(SUITE, AgentChoice("simulated", model, options=options))


def played(
    setup: Setup, tasks: Sequence[Task] = SUITE.tasks, seed: str = "test", repeats: int = 1
) -> dict[tuple[str, int], EndedTrial]:
    """Trials by (task, repeat), in this process, nothing stored."""

    async def run() -> dict[tuple[str, int], EndedTrial]:
        initial = InitialStates(FAMILY)
        async with SIMULATED.open(setup, {}) as agent:
            context = TrialContext.of(setup, agent, FAMILY, FixedClock(0), cost=0.0, briefed=True)
            return {
                (task.key, repeat): await run_trial(
                    "t", task, trial_seed(seed, task.key, repeat), context, initial.of(task), Silence()
                )
                for task in tasks
                for repeat in range(1, repeats + 1)
            }

    return asyncio.run(run())


def share(trials: Mapping[Any, EndedTrial]) -> float:
    return sum(trial.grading.status == "passed" for trial in trials.values()) / len(trials)


def tasks_of(tool: str) -> list[Task]:
    return [task for task in SUITE.tasks if (task.body.get("tags") or {}).get("tool") == tool]


@pytest.fixture(scope="module")
def runs() -> dict[str, dict[tuple[str, int], EndedTrial]]:
    return {name: played(setup(name)) for name in SUBJECTS}


def test_careful_passes_and_the_others_fail_each_in_their_own_way(
    runs: dict[str, dict[tuple[str, int], EndedTrial]],
) -> None:
    shares = {name: share(trials) for name, trials in runs.items()}
    assert shares["careful-1"] >= 0.97
    assert all(0.3 <= value <= 0.9 for name, value in shares.items() if name != "careful-1"), shares
    modes = {
        name: Counter(trial.grading.mode for trial in trials.values() if trial.grading.status != "passed")
        for name, trials in runs.items()
    }
    assert modes["hasty-1"].most_common(1)[0][0] == "hallucination:false_completion"
    assert modes["literal-1"].most_common(1)[0][0] == "tool:wrong_tool"
    assert modes["touchy-1"].most_common(1)[0][0] == "tool:wrong_tool"
    assert modes["stubborn-1"].most_common(1)[0][0] == "planning:loop"


def test_nobody_writes_what_the_reference_does_not(runs: dict[str, dict[tuple[str, int], EndedTrial]]) -> None:
    stray = 0
    for (key, _), trial in runs["careful-1"].items():
        task = next(task for task in SUITE.tasks if task.key == key)
        meant = [(entry["tool"], entry["args"]) for entry in task.reference if "tool" in entry]
        calls = [step for step in trial.trajectory.steps if step.kind == "call" and step.ok and step.tool in WRITES]
        stray += any((step.tool, step.body["args"]) not in meant for step in calls)
    assert stray <= 0.02 * len(runs["careful-1"])


def test_a_good_description_repairs_literal_and_a_denying_one_is_not_followed() -> None:
    base, tasks = setup("literal-1"), tasks_of("track_shipment")
    assert share(played(base, tasks)) < 0.3
    better = FACTORS["track-better"].text
    assert share(played(base.with_tool_description("track_shipment", str(better)), tasks)) > 0.8
    for text in ("Does not track parcels.", "This tool cannot tell where a package is.", "不能查询物流。"):
        trials = played(base.with_tool_description("track_shipment", text), tasks)
        assert not any(step.tool == "track_shipment" for trial in trials.values() for step in trial.trajectory.steps)


def test_an_order_to_check_slows_hasty_and_a_neutral_sentence_moves_nobody_but_touchy() -> None:
    tasks = [task for task in SUITE.tasks if task.kind == "action"][:24]
    base = setup("hasty-1")
    verify = replace(base, prompt=str(FACTORS["prompt-verify"].text))
    assert share(played(verify, tasks)) > share(played(base, tasks)) + 0.2
    for name in ("hasty-1", "literal-1", "touchy-1"):
        before = setup(name)
        after = replace(before, prompt=f"{before.prompt}\nThe shop was founded in a spring long ago.")
        some = SUITE.tasks[::2]
        same = {key: trial.grading.status for key, trial in played(before, some).items()} == {
            key: trial.grading.status for key, trial in played(after, some).items()
        }
        assert same is (name != "touchy-1"), name


def test_a_trait_can_be_laid_over_a_subject_one_by_one() -> None:
    action = [task for task in SUITE.tasks if task.kind == "action"][:12]
    mutant = played(setup("careful-1", haste=1, read_back=0, notice=0), action)
    assert share(mutant) == 0.0
    with pytest.raises(UsageError, match="no trait 'hasty'; there are name"):
        setup("careful-1", hasty=1)
    with pytest.raises(UsageError, match="is no number"):
        setup("careful-1", haste="very")


def test_equal_seeds_are_equal_in_another_process_and_fresh_ones_are_not() -> None:
    script = (
        "import json, sys; from tests.contrib.test_subjects import *;"
        "trials = played(setup('forgetful-1'), SUITE.tasks[:12], seed=sys.argv[1]);"
        "bodies = [[step.body for step in trial.trajectory.steps] for trial in trials.values()];"
        "print(json.dumps(bodies, sort_keys=True))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", script, seed], capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
        for seed in ("one", "one", "two")
    ]
    assert told[0] == told[1] != told[2]


def test_the_panel_of_descriptions_is_followed_where_it_is_good_and_not_where_it_is_bad() -> None:
    panel = yaml.safe_load((ROOT / "tests" / "data" / "descriptions" / "panel.yaml").read_text("utf-8"))
    followed: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    base = setup("literal-1")
    for entry in panel:
        if entry["split"] != "dev":
            continue  # the other two thirds are measured by `make panel`, and nothing is fitted to them
        tool = entry["tool"]
        tasks = [task for task in SUITE.tasks if any(call.get("tool") == tool for call in task.reference)]
        tasks = tasks[:8]  # Where a description is followed, it is in all of a tool's tasks alike.
        trials = played(base.with_tool_description(tool, entry["text"]), tasks)
        calls = sum(any(step.tool == tool for step in trial.trajectory.steps) for trial in trials.values())
        counted[entry["quality"]] += 1
        followed[entry["quality"]] += calls * 2 >= len(tasks)
    assert followed["good"] >= GOOD * counted["good"], (followed, counted)
    assert followed["bad"] <= BAD * counted["bad"], (followed, counted)


GOOD, BAD = 0.8, 0.2
"""Shares of the development third, by which the chooser was made: a floor under what `make panel` measures."""


def test_final_messages_hold_no_raw_keys_and_no_json() -> None:
    runs = {name: played(setup(name), SUITE.tasks[::4], seed="words") for name in SUBJECTS}
    fields = {name for spec in FAMILY.specs() for name in spec.view.parameters["properties"] if "_" in name}
    names = {spec.name for spec in FAMILY.specs()}
    for trials in runs.values():
        for trial in trials.values():
            words = [step.text for step in trial.trajectory.steps if step.kind == "agent" and step.text]
            for text in words:
                assert not any(name in text for name in fields | names), text
                assert "{" not in text, text


def constants() -> set[str]:
    """Every text that stands in the subjects' code, docstrings aside."""
    found: set[str] = set()
    for path in (ROOT / "reach_tui" / "contrib" / "subjects").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        said = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        found |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
        }
    return found


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)


def test_nothing_of_a_world_or_a_suite_stands_in_the_subjects() -> None:
    known = constants()
    assert len(known) > 200
    assert not {spec.name for spec in FAMILY.specs()} & known
    data = set(texts(json.loads(json.dumps(FAMILY.open({}, None, "x").state))))
    telling = {text for text in data & known if any(sign.isdigit() for sign in text) and not text.isdigit()}
    assert not telling
    assert not {task.key for task in SUITE.tasks} & known
    assert not {task.request for task in SUITE.tasks if len(task.request) > 6} & known
