"""The tour as text: a run, a failing trial, its cause, and a sham that is none."""

from __future__ import annotations

from pathlib import Path

from reach_tui.actions.demo import Tour
from reach_tui.cli.options import say
from reach_tui.present.experiment_text import experiment_text
from reach_tui.present.language import phrase
from reach_tui.present.opened import load
from reach_tui.present.plan import plan_text
from reach_tui.present.run_text import run_summary
from reach_tui.present.step_marks import marks_of
from reach_tui.present.trial_text import replay_text
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store


def tell(store: Path) -> None:
    """Take the tour on a store and tell it step by step."""
    tour = Tour(store)
    say(
        phrase(
            "1. The suite {name}, {n} tasks, against hasty-1 (simulated: it knows the answers, and skips steps).\n",
            name=tour.suite.name,
            n=len(tour.suite.tasks),
        )
    )
    hasty = tour.run("hasty-1")
    say(run_summary(hasty))
    say(phrase("\n2. One trial that fell short. The state says what happened; the agent says something else.\n"))
    _say_trial(tour, hasty)
    say(phrase("\n3. literal-1 (simulated) believes what descriptions say, and one of them says next to nothing.\n"))
    literal = tour.run("literal-1")
    say(run_summary(literal))
    say(phrase("\n4. Is that description the cause? Its tasks again, only it rewritten, beside a control arm.\n"))
    only = {"only": "tag.tool=track_shipment"}
    plan = tour.plan(literal, "track-better", **only)
    say(plan_text(plan) + "\n")
    uid, result = tour.branch(plan, "track-better")
    say(experiment_text(uid, plan, result))
    say(
        phrase(
            "\n5. The same tasks with two sentences about nothing added to it instead: a sham, which must not be a "
            "cause.\n"
        )
    )
    plan = tour.plan(literal, "track-sham", **only)
    uid, result = tour.branch(plan, "track-sham")
    say(experiment_text(uid, plan, result))
    say(phrase("\nEverything is stored in {store}. See it: reach --store {store}", store=store))


def _say_trial(tour: Tour, run: RunRow) -> None:
    trial = tour.telling_trial(run)
    if trial is None:
        say(phrase("no trial of run {uid} fell short", uid=run.uid))
        return
    with Store(tour.store) as opened:
        loaded = load(opened, trial)
    say(replay_text(loaded, marks_of(loaded.trial).opening, "differing"))
