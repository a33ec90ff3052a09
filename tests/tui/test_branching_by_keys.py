"""A branch from the keyboard: filled in, planned in sight, one factor only, started, watched, judged."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from reach_tui.harness import launch
from reach_tui.present.difference import difference_lines
from reach_tui.store import control, experiments, runs
from reach_tui.store.store import Store as OpenStore
from tests.tui.driving import Drive
from tests.tui.sample_store import sample_store, with_experiment

Store = Callable[[str], Path]


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, str]]:
    """Experiments whose process would have been started."""
    started: list[tuple[Path, str]] = []
    monkeypatch.setattr(launch, "launch_experiment", lambda path, uid: started.append((path, uid)))
    return started


async def test_from_a_step_the_form_opens_on_the_tool_of_that_step(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f", "]", "b")
        assert "of < request_refund >" in app.text
        assert "Asks for a refund." in app.text
        assert "differs from its parent in nothing" in app.text
        app.matches("branch-80x24")


async def test_from_a_run_it_opens_on_the_tool_that_most_failures_decided_at(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("b")
        assert "of < open_ticket >" in app.text
        assert "tasks < failing >" in app.text


async def test_the_plan_is_in_sight_before_it_starts_and_its_arms_are_queued_after(
    drive: type[Drive], store: Store, launched: list[tuple[Path, str]]
) -> None:
    path = store("plain")
    async with drive(path) as app:
        await app.press("f", "f", "b", "= Read it back.")
        assert "3 tasks x5 | control on | placebo on" in app.text
        await app.press("ctrl+t")
        assert "{+ Read it back.+}" in app.text
        await app.press("ctrl+t", "ctrl+t")
        shown = app.screen.plan
        await app.press("ctrl+s", "ctrl+s")
        await app.until(lambda: "experiment" in app.lines[0])
        assert "description of open_ticket" in app.lines[0]
        assert [start[0] for start in launched] == [path]
        with OpenStore(path) as opened:
            row = experiments.experiment(opened, launched[0][1])
            assert [(run.arm, run.status) for run in experiments.runs_of(opened, row.id)] == [
                ("control", "queued"),
                ("branch", "queued"),
                ("placebo", "queued"),
            ]
            assert row.plan.factor.after == "Opens a ticket. Read it back."
            assert row.plan == shown, "what starts is the plan that was on screen, its seed and passing tasks too"
        await app.press("escape", "escape")
        assert "  open_ticket" in app.text


async def test_nothing_starts_while_nothing_is_changed(
    drive: type[Drive], store: Store, launched: list[tuple[Path, str]]
) -> None:
    async with drive(store("plain")) as app:
        await app.press("b", "ctrl+s")
        assert "not started" in app.lines[-1]
        assert not launched


async def test_a_second_factor_is_refused_in_words_and_kept_for_a_second_branch(
    drive: type[Drive], store: Store, launched: list[tuple[Path, str]]
) -> None:
    async with drive(store("plain")) as app:
        await app.press("b", "= More.", "shift+tab", "shift+tab", "=pp")
        assert "one factor a branch" in app.lines[-1]
        assert "You help customers after a sale." in app.text
        await app.press("tab", "= Be brief.", "ctrl+s")
        await app.until(lambda: "experiment" in app.lines[0])
        assert "b starts a second branch with the draft of /tools/open" in app.lines[-1]
        await app.press("b")
        assert "Opens a ticket. More." in app.text


async def test_drafts_outlive_the_form(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("b", "= kept", "escape", "b")
        assert "Opens a ticket. kept" in app.text


async def test_a_model_and_a_parameter_can_be_the_factor(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("b", "shift+tab", "shift+tab", "=m", "tab", "ctrl+u", "=careful-1")
        assert "/model" in app.text
        assert "3 tasks x5" in app.text
        await app.press("shift+tab", "left", "left")
        assert "of < open_ticket.channel >" in app.text


async def test_marked_tasks_are_what_is_tried(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("enter", "2", "j", "space", "space", "b", "= More.")
        assert "tasks < marked >" in app.text
        assert "2 tasks x5" in app.text


async def test_letters_typed_into_the_form_never_act(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("b", "=qfFbt?:/123 [/red]")
        assert app.screen.text.text == "Opens a ticket.qfFbt?:/123 [/red]"


async def test_an_experiment_is_watched_live_arm_by_arm(drive: type[Drive], store: Store) -> None:
    async with drive(store("live")) as app:
        await app.press(":", "=xrefund00001", "enter")
        assert "[1] live" in app.text
        assert re.search(r"\[#+\.+\] +12/30 trials", app.text)
        assert "no look taken yet" in app.text
        app.matches("experiment-live-80x24")


async def test_an_ended_experiment_says_its_verdict_its_flips_and_what_next(drive: type[Drive], store: Store) -> None:
    async with drive(store("ended")) as app:
        await app.press("j", "j", "enter")
        assert "CAUSE on these tasks   fixed 3  broke 0  of 3" in app.text
        assert "next     Keep the change" in app.text
        app.matches("experiment-ended-80x24")
        await app.press("z", "G")
        assert "manipulation check  both arms were sent what was planned" in app.text
        await app.press("z", "2", "v")
        assert "tasks 3 of 6, fixed 3, broken 0" in app.text
        await app.press("enter")
        assert "control" in app.lines[0]
        assert "failed" in app.lines[0]
        assert "passed" in app.lines[0]


async def test_an_arm_leads_to_its_run_and_its_run_back_to_the_experiment(drive: type[Drive], store: Store) -> None:
    async with drive(store("ended")) as app:
        await app.press("j", "j", "enter", "j", "j", "j", "enter")
        assert "branch request_refund  ended" in app.lines[0]
        await app.press("/", "=arm of", "enter", "enter")
        assert "experiment  description of request_refund" in app.lines[0]


async def test_stopping_asks_first_and_speaks_to_the_runs_through_the_store(drive: type[Drive], store: Store) -> None:
    path = store("live")
    async with drive(path) as app:
        await app.press(":", "=xrefund00001", "enter", "X")
        assert "Stop control request_refund" in app.text
        await app.press("n", "X", "y")
        await app.until(lambda: "asked to stop" in app.lines[-1])
        with OpenStore(path) as opened:
            arms = experiments.runs_of(opened, experiments.experiment(opened, "xrefund00001").id)
            # Nobody runs them any more, so there is nobody to tell: they are marked, nothing waits for a later runner.
            assert {run.status for run in arms} <= {"interrupted", "cancelled", "ended"}
            assert [control.commands_for(opened, run.id) for run in arms] == [[]] * 3


async def test_an_experiment_that_ends_while_watched_shows_its_verdict(drive: type[Drive], tmp_path: Path) -> None:
    made = sample_store(tmp_path / "runs.db")
    async with drive(made.path) as app:
        with_experiment(made)
        await app.until(lambda: "request_refund" in app.text)
        with OpenStore(made.path) as opened:
            assert len(runs.run_ids(opened)) == 5
        await app.press("j", "j", "enter")
        await app.until(lambda: "CAUSE" in app.text)


def test_a_difference_reads_without_colour() -> None:
    lines = ["".join(text for text, _ in line) for line in difference_lines("Reads an order.", "Reads one order.", 40)]
    assert lines == ["Reads [-an-]{+one+} order."]
    lines = ["".join(text for text, _ in line) for line in difference_lines("查询订单的状态", "查询物流的状态", 40)]
    assert lines == ["查询[-订单-]{+物流+}的状态"]
