"""A store of version 1, whose experiments hold sentences, shows the same after it was migrated."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from reach_tui.present.experiment_text import experiment_json
from reach_tui.present.run_text import gap_words
from reach_tui.store import experiments, runs
from reach_tui.store.store import Store
from tests.store.store_samples import Shop, experiment_plan

WHY = "exact p 0.00049, 92.3 points"
PLAN = {
    "parent": "r1", "parent_name": "base", "suite": "s", "agent": "simulated",
    "factor": {"kind": "prompt", "part": "/prompt", "before": "a", "after": "b", "words": "prompt"},
    "chosen": {"name": "chosen", "how": "failing in base", "tasks": ["T1", "T2"], "of": 2}, "passing": None,
    "all_failed": True, "repeats": 3, "base_seed": "s",
    "placebo": {"part": "/prompt", "text": "n", "when": "never"},
    "rules": {"alpha": 0.05, "margin": 0.1, "factors": 1, "max_uncounted": 0.1, "harm_asked": False},
    "trials": 12, "placebo_trials": 6,
    "estimate": {"trials": 12, "turns": None, "calls": 3, "tokens": None, "cost": None, "cost_from": 0},
    "smallest": {"tasks_like_these": 0.5, "these_tasks": None, "breakage": None},
    "warnings": ["each task was chosen by one failed trial"], "concurrency": 1,
    "looks": [{"wave": 3, "level": 0.05, "last": True}],
}  # fmt: skip
ARM = {
    "run": "r2", "name": "control", "status": "ended", "model": "m", "planned": 6, "done": 6, "tasks": 2, "trials": 6,
    "passed": 1, "not_counted": 0, "rate": 0.25, "reached": 0, "calls": 4, "tokens": None, "cost": None,
    "unknown_cost": 6,
}  # fmt: skip
SPENT = {"trials": 6, "passes": 1, "calls": 4.0, "tokens": None, "cost": None, "tokens_per_pass": None,
         "cost_per_pass": None}  # fmt: skip
RESULT = {
    "experiment": "x1", "status": "ended", "stop": "effect", "waves": 1, "arms": {"control": ARM, "branch": ARM},
    "effect": {"estimate": 0.92, "low": 0.67, "high": 0.97, "p": 0.00049}, "n": 2, "informative": 2, "needed": 6,
    "flips": {"fixed": ["T1"], "broken": [], "rose": [], "fell": [], "unchanged": ["T2"]},
    "verdicts": [{"word": "cause", "scope": "tasks_like_these", "p": 0.00049, "why": WHY}],
    "verdict": "cause", "scope": "tasks_like_these", "why": WHY, "reasons": ["repeats are copies"],
    "placebo": {"part": "/prompt", "when": "never", "needed": False, "ran": False, "missing": False, "effect": None},
    "milestones": None, "suite_gain": None, "tasks_needed": None, "reproduced": None,
    "passing": {"tasks": 4, "of": 9, "change": 0.0, "low": -0.1, "high": 0.1, "p": 1.0, "harm": False,
                "flips": {"fixed": [], "broken": [], "rose": [], "fell": [], "unchanged": []},
                "would_have_noticed": None},
    "manipulation_check": {"status": "failed", "checked": {}, "carried": {}, "why": "another prompt"},
    "cost_per_pass": {"control": SPENT, "branch": SPENT},
    "metrics": [{"name": "pass rate", "tasks": 2, "control": 0.0, "branch": 0.92, "placebo": None, "change": 0.92,
                 "low": 0.67, "high": 0.97, "p": 0.00049}],
    "per_task": [{"task": "T1", "stratum": "chosen", "fate": "fixed", "control": [0, 1], "branch": [1, 1]}],
    "looks": [{"wave": 1, "level": 0.0005, "estimate": 0.92, "p": 0.00049, "said": "go on"},
              {"wave": 2, "level": 0.014, "estimate": 0.92, "p": 0.00049, "said": "effect"}],
    "control_rate": 0.0, "branch_rate": 0.92, "sentence": "Factor: prompt ...", "next": "Keep the change.",
}  # fmt: skip
LOWER = "weighted is lower: frequent tasks are the weak ones"


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """A store as version 1 wrote it: an ended experiment, one that has not begun, and a run with a gap."""
    shop = Shop(tmp_path / "runs.db")
    shop.stored()
    with Store(shop.path, write=True) as store:
        for uid in ("x1", "x2"):
            experiments.create_experiment(
                store, uid=uid, base_seed="s", primary_metric="pass", plan=experiment_plan(), created_at=5
            )
    with sqlite3.connect(shop.path) as db:
        db.execute("UPDATE experiments SET plan = ?", (json.dumps(PLAN),))
        db.execute(
            "UPDATE experiments SET result = ?, verdict = 'cause', stats_version = '1' WHERE uid = 'x1'",
            (json.dumps(RESULT),),
        )
        db.execute(
            "UPDATE runs SET summary = json_set(summary, '$.gap', json(?))",
            (json.dumps({"difference": -0.1, "low": -0.2, "high": -0.01, "reading": LOWER}),),
        )
        db.execute("ALTER TABLE runs DROP COLUMN agent_facts")
        db.execute("ALTER TABLE trials DROP COLUMN faults")
        db.execute("PRAGMA user_version = 1")
    db.close()
    return shop.path


def test_a_result_with_sentences_says_the_same_after_the_migration(first_version: Path) -> None:
    with Store(first_version) as store:
        row = experiments.experiment(store, "x1")
        assert row.result is not None
        shown = experiment_json(row.uid, row.plan, row.result)
        (run, *_) = runs.runs_by_ids(store, runs.run_ids(store))
    for key in ("status", "stop", "waves", "arms", "effect", "n", "informative", "needed", "flips", "verdict", "scope",
                "why", "reasons", "passing", "manipulation_check", "cost_per_pass", "metrics", "per_task",
                "looks", "control_rate", "branch_rate"):  # fmt: skip
        assert shown[key] == RESULT[key], key
    assert shown["warnings"] == PLAN["warnings"]
    assert shown["tasks"] == PLAN["chosen"]
    assert WHY in shown["sentence"]
    gap = run.totals.summary["gap"]
    assert gap is not None
    assert gap_words(gap["reading"]) == LOWER
    assert (run.agent_kind, run.agent_label, run.measures) == ("simulated", "simulated", "suite")
    assert list(first_version.parent.glob("*.v1-backup")), "the store was kept as it was beside it"


def test_an_experiment_that_has_not_begun_keeps_its_plan(first_version: Path) -> None:
    with Store(first_version) as store:
        row = experiments.experiment(store, "x2")
    assert row.result is None
    assert (row.plan.parent_uid, row.plan.repeats, row.plan.trials) == ("r1", 3, 12)


def test_a_result_that_no_release_can_read_is_named_by_its_version_and_breaks_nothing(first_version: Path) -> None:
    with Store(first_version, write=True) as store:
        store.db.execute("UPDATE experiments SET result = '{\"status\": 7}', stats_version = '99' WHERE uid = 'x1'")
    with Store(first_version) as store:
        row = experiments.experiment(store, "x1")
    assert (row.result, row.unread_result) == (None, "99")
