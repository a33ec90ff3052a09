"""What older versions of a store held otherwise: JSON in, JSON of the next version out. Keys only, no records.

The records of today may change again; what a step makes must stay what its version was.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from reach_tui.store.encode import json_text

Body = Mapping[str, Any]

_GAPS = {
    "no clear gap: frequent tasks do about as well as rare ones": "no_clear_gap",
    "weighted is lower: frequent tasks are the weak ones": "weighted_lower",
    "weighted is higher: the long tail is the weak part": "weighted_higher",
}


def results_without_sentences(db: sqlite3.Connection) -> None:
    """Version 1 to 2: plans and results of experiments become records, whose sentences are made when they are shown.

    A sentence that was stored is kept as it is, as a reason `as_written`.
    """
    for id, plan, result in db.execute("SELECT id, plan, result FROM experiments").fetchall():
        db.execute(
            "UPDATE experiments SET plan = ?, result = ?, stats_version = CASE WHEN result IS NULL THEN stats_version"
            " ELSE '2' END WHERE id = ?",
            (
                json_text(_plan(json.loads(plan))),
                None if result is None else json_text(_result(json.loads(result))),
                id,
            ),
        )
    for reading, code in _GAPS.items():
        db.execute(
            "UPDATE runs SET summary = json_set(summary, '$.gap.reading', ?) WHERE summary ->> '$.gap.reading' = ?",
            (code, reading),
        )


_KINDS = {
    "simulated": {"label": "simulated", "measures": "suite", "fork": "history", "cost_per_trial": 0.0},
    "chat": {"label": "chat", "measures": "model", "fork": "history"},
    "imported": {"label": "imported", "measures": "agent", "fork": "none"},
}
"""What version 2 knew of an agent by its kind alone."""


def facts_of_agents(db: sqlite3.Connection) -> None:
    """Version 2 to 3: a run holds what its agent's kind states, so that it is read where the kind is not installed."""
    db.execute("ALTER TABLE runs ADD COLUMN agent_facts TEXT")
    for kind, facts in _KINDS.items():
        db.execute(
            "UPDATE runs SET agent_facts = ? WHERE setup_id IN (SELECT id FROM setups WHERE agent_kind = ?)",
            (json_text(facts), kind),
        )


def _plan(body: Body) -> Body:
    if "parent" not in body:
        return body
    factor = {key: body["factor"][key] for key in ("kind", "part", "before", "after")}
    kept = ("parent_name", "suite", "agent", "all_failed", "repeats", "base_seed", "placebo", "rules", "trials",
            "placebo_trials", "estimate", "smallest", "concurrency")  # fmt: skip
    passing = body["passing"]
    return {
        "parent_uid": body["parent"], "factor": factor, "chosen": _stratum(body["chosen"]),
        "passing": None if passing is None else _stratum(passing),
        "warnings": [_as_written(text) for text in body["warnings"]], **{key: body[key] for key in kept},
    }  # fmt: skip


def _stratum(body: Body) -> Body:
    return {**body, "how": [_as_written(body["how"])]}


def _as_written(text: str) -> Body:
    return {"code": "as_written", "values": {"text": text}}


def _result(body: Body) -> Body:
    spending = body.get("cost_per_pass") or {}
    effect, placebo, passing = body.get("effect"), body.get("placebo") or {}, body.get("passing")
    counts = {"n": body.get("n", 0), "informative": body.get("informative", 0)}
    check = body.get("manipulation_check")
    kept = ("status", "stop", "needed", "flips", "milestones", "suite_gain", "tasks_needed", "reproduced", "metrics",
            "control_rate", "branch_rate")  # fmt: skip
    return {
        **{key: body[key] for key in kept if key in body},
        "repeats_done": body.get("waves", 0),
        "arms": {name: {**arm, "spending": spending[name]} for name, arm in body["arms"].items() if name in spending},
        "effect": None if effect is None else {**effect, **counts},
        "p": None if effect is None else effect["p"],
        "verdicts": [
            {
                "word": verdict["word"], "scope": verdict["scope"], "p": verdict["p"],
                "reasons": [_as_written(verdict["why"])],
            }
            for verdict in body.get("verdicts", ())
        ],
        "reasons": [_as_written(text) for text in body.get("reasons", ())],
        "placebo": {key: placebo.get(key) for key in ("needed", "ran", "missing", "effect")} if placebo else None,
        "passing": None if passing is None else {
            "effect": {
                "estimate": passing["change"], "low": passing["low"], "high": passing["high"], "p": passing["p"],
                "n": passing["tasks"],
            },
            **{key: passing[key] for key in ("of", "harm", "flips", "would_have_noticed")},
        },
        "manipulation": None if check is None else {
            "status": check["status"], "checked": check["checked"], "carried": check["carried"],
            "reason": _as_written(check["why"]) if check["why"] else None,
        },
        "per_task": [
            {
                "task": task_fate["task"], "stratum": task_fate["stratum"], "fate": task_fate["fate"],
                "passes": {arm: task_fate[arm] for arm in ("control", "branch", "placebo") if arm in task_fate},
            }
            for task_fate in body.get("per_task", ())
        ],
        "interim": [
            {
                "repeats_done": look["wave"], "level": look["level"], "estimate": look["estimate"], "p": look["p"],
                "stop": None if look["said"] == "go on" else look["said"],
            }
            for look in body.get("looks", ())
        ],
    }  # fmt: skip
