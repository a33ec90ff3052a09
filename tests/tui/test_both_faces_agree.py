"""The same trials, runs and experiments on the command line and in the app: signs, numbers, words, step, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reach_tui.cli.main import reach as command
from reach_tui.present.signs import STATE, STEP, TRIAL, legend
from reach_tui.store import labels, runs, trials
from reach_tui.store.store import Store as OpenStore
from tests.tui.driving import Drive
from tests.tui.sample_store import NOW, SampleStore

Store = Callable[[str], Path]
RUN, OTHER, EXPERIMENT = "rbaseline001", "rmonday00001", "xrefund00001"


@pytest.fixture
def reach(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What a command prints, with the clock at the app's moment."""
    monkeypatch.setattr("time.time", lambda: NOW / 1000)

    def run(*arguments: object) -> str:
        done = CliRunner().invoke(command, [str(argument) for argument in arguments])
        assert done.exit_code == 0, done.output
        return done.output

    return run


def all_trials(path: Path, run: str = RUN) -> list[Any]:
    with OpenStore(path) as opened:
        return trials.trials_of(opened, runs.find_run(opened, run).id)


async def open_trial(app: Drive, link: str) -> None:
    await app.press(":", f"={link}", "enter")


def numbers_in(text: str) -> list[str]:
    """Shares, points and intervals, as written."""
    return re.findall(r"[<>]?\d+%|[+-]\d+\.\d(?: \[[^\]]*\])?", text)


async def test_every_trial_opens_at_the_same_step_and_gives_the_same_json(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("plain")
    async with drive(path, 120, 40) as app:
        for row in all_trials(path):
            shown = json.loads(reach("show", row.link, "--store", path, "--json"))
            await open_trial(app, row.link)
            assert app.screen.n == shown["at_step"], row.link
            assert json.loads(json.dumps(app.screen.json_here())) == shown, row.link
            await app.press("escape")


@pytest.mark.parametrize("name", ["xmas", "tour", "rush"])
async def test_a_runs_name_may_begin_as_uids_of_other_things_do(
    drive: type[Drive], tmp_path: Path, reach: Callable[..., str], name: str
) -> None:
    made = SampleStore(tmp_path / "runs.db")
    made.fill(made.run(name, "rnamed000001"), {"AS-001": "x"})
    assert json.loads(reach("show", name, "--store", made.path, "--json"))["run"] == "rnamed000001"
    async with drive(made.path) as app:
        await app.press(":", f"={name}", "enter")
        assert name in app.lines[0]


async def test_a_persons_step_opens_a_trial_on_both_faces(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("plain")
    trial = next(row for row in all_trials(path) if row.grading.status == "failed" and row.grading.decisive_step)
    with OpenStore(path, write=True) as opened:
        labels.add_label(opened, trial.start.uid, "decisive_step", "2", "me", step=2, at=NOW)
    async with drive(path) as app:
        await open_trial(app, trial.link)
        assert f"step 2/{trial.end.steps} decisive" in app.lines[0]
        assert app.screen.n == 2
    assert json.loads(reach("show", trial.link, "--store", path, "--json"))["at_step"] == 2
    assert re.search(r"^>   2 \*", reach("show", trial.link, "--store", path), re.MULTILINE)


async def test_the_state_and_the_steps_carry_the_same_signs(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("plain")
    trial = next(row for row in all_trials(path) if row.grading.status == "failed" and row.grading.decisive_step)
    text = reach("show", trial.link, "--store", path, "--view", "all")
    async with drive(path, 200, 50) as app:
        await open_trial(app, trial.link)
        await app.press("v", "v", "v")
        for row in app.screen.rows:
            sign = STATE[row.status].sign
            assert re.search(rf"^ {re.escape(sign)} {re.escape(row.path[:8])}", text, re.MULTILINE), row
            assert any(re.search(re.escape(sign + row.path[:8]), line) for line in app.lines), row
        for n in range(1, trial.end.steps + 1):
            sign = app.screen.moments.sign(n)[0]
            assert re.search(rf"^[> ]{n:4d} {re.escape(sign)}", text, re.MULTILINE), (n, sign)


async def test_a_run_has_the_same_strips_and_shares(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("plain")
    listed = reach("runs", "--store", path)
    shown = reach("show", RUN, "--store", path)
    async with drive(path, 80, 24) as app:
        for row in (line.split() for line in listed.splitlines()[1:]):
            name, majority, age = row[1], row[5], row[-1]
            line = next(line for line in app.lines[2:7] if f" {name} " in line[:30])
            assert majority in line.split()
            assert line.split()[-1] == age
        await app.press(":", f"={RUN}", "enter")
        reach_lines = [numbers_in(line) for line in shown.splitlines() if re.match(r"mean|at least|majority", line)]
        overview = [numbers_in(line) for line in app.lines if re.match(r" *(mean|at least|by major)", line)]
        assert overview == reach_lines
        await app.press("2")
        for task in {row.task.key for row in all_trials(path)}:
            strip = next(line for line in shown.splitlines() if line.startswith(task)).split()[1]
            assert strip in next(line for line in app.lines if f" {task} " in line).split()


async def test_an_experiment_has_the_same_verdict_effect_and_metrics(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("ended")
    text = reach("show", EXPERIMENT, "--store", path)
    async with drive(path, 120, 40) as app:
        await app.press(":", f"={EXPERIMENT}", "enter")
        assert json.loads(json.dumps(app.screen.json_here())) == json.loads(
            reach("show", EXPERIMENT, "--store", path, "--json")
        )
        effect = next(line for line in text.splitlines() if line.startswith("effect "))
        band = next(line for line in app.lines if " effect " in line)
        points, p = re.search(r"([+-].*) points, (p .*?),", effect).groups()
        assert points in band
        assert p in band
        head = text.splitlines()[0]
        verdict, scope = re.search(r", ([a-z ]+) \((.*)\)", head).groups()
        assert f"{verdict.upper()} on {scope}" in app.text
        metrics = {line[:22].strip(): numbers_in(line) for line in text.splitlines() if line.startswith("pass rate")}
        await app.press("z")
        await app.press("G")
        shown = {line[1:22].strip(): numbers_in(line) for line in app.lines if line.startswith(" pass rate")}
        assert shown == metrics


async def test_a_comparison_has_the_same_numbers_words_and_json(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("plain")
    text = reach("compare", RUN, OTHER, "--store", path)
    async with drive(path, 120, 40) as app:
        await app.press("space", "j", "space", "c")
        assert json.loads(json.dumps(app.screen.json_here())) == json.loads(
            reach("compare", RUN, OTHER, "--store", path, "--json")
        )
        change = re.search(r"B minus A (.*?) points", text).group(1)
        assert change in app.text
        for note in json.loads(reach("compare", RUN, OTHER, "--store", path, "--json"))["pairs"][0]["notes"]:
            assert note.split(":")[0] in " ".join(app.text.split())


async def test_the_help_lists_every_sign_of_the_table(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain"), 120, 200) as app:
        await app.press("?")
        for _, signs in legend():
            for sign in signs:
                assert re.search(rf"^ *{re.escape(sign.sign)} +{re.escape(sign.meaning)}", app.text, re.MULTILINE), sign


def test_a_sign_means_one_thing() -> None:
    meanings: dict[str, set[str]] = {}
    for _, signs in legend():
        for sign in signs:
            meanings.setdefault(sign.sign, set()).add(sign.meaning)
    assert {sign: words for sign, words in meanings.items() if len(words) > 1} == {}
    assert len({TRIAL["failed"].sign, STEP["error"].sign, STATE["wrong"].sign}) == 3


async def test_what_is_copied_of_runs_and_trials_is_what_the_command_line_prints(
    drive: type[Drive], store: Store, reach: Callable[..., str]
) -> None:
    path = store("plain")
    listed = {row["run"]: row for row in json.loads(reach("runs", "--store", path, "--json"))["runs"]}
    async with drive(path) as app:
        run = app.screen.link_here()
        assert json.loads(json.dumps(app.screen.json_here())) == listed[run]
        await app.press(":", f"={RUN}", "enter")
        assert json.loads(json.dumps(app.screen.json_here())) == listed[RUN]
        await app.press("2", "v")
        (copied,) = json.loads(json.dumps(app.screen.json_here()))
        whole = json.loads(reach("show", RUN, "--store", path, "--json"))
        assert copied in whole["trials"]


async def test_the_step_stays_in_the_title_beside_where_writes_go(drive: type[Drive], store: Store) -> None:
    path = store("plain")
    trial = next(row for row in all_trials(path) if row.grading.status == "failed" and row.grading.decisive_step)
    async with drive(path, 80, 24) as app:
        app.app.note = "demo copy runs-local.db"
        await open_trial(app, trial.link)
        assert "demo copy runs-local.db" in app.lines[0]
        assert f"step {app.screen.n}/{trial.end.steps}" in app.lines[0]
