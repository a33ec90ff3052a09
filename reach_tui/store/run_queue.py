"""What is queued to be run: suites, setups, and runs with their whole plan by value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reach_tui.core.agent import AgentFacts
from reach_tui.core.condition import Setup, model_name
from reach_tui.core.errors import UsageError
from reach_tui.core.ids import new_uid
from reach_tui.core.records import to_json
from reach_tui.core.run import Arm, RunOrigin, RunStatus, RunTotals
from reach_tui.core.task import Task, TaskFacts
from reach_tui.store.apply import write_totals_row
from reach_tui.store.base import bump, now_ms
from reach_tui.store.columns import Columns, as_is
from reach_tui.store.encode import json_text, loads, plain, plain_or_null, plan_text
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store, translated
from reach_tui.store.texts import get_text, put_text, split_body
from reach_tui.store.trial_columns import TOTALS


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run to be created, as `queued` (imports may say otherwise).

    `plan` is everything that executing it needs, by value (key names only, never keys). `setup` is stored if
    `setup_id` is None, with what the agent's kind stated (`facts`). `tasks` and `repeats` (the largest) describe the
    plan; None: counted from its trials. `uid` and `created_at` (ms UTC) are given where a store must come out the same.
    """

    name: str
    suite_id: int | None
    planned: int
    plan: Mapping[str, Any] = field(default_factory=dict)
    setup_id: int | None = None
    setup: Setup | None = None
    base_seed: str | None = None
    parent_uid: str | None = None
    experiment_id: int | None = None
    arm: Arm | None = None
    factor: str | None = None
    factor_part: str | None = None
    transform: Mapping[str, Any] | None = None
    start: Mapping[str, Any] | None = None
    origin: RunOrigin = "run"
    status: RunStatus = "queued"
    code: str | None = None
    exec: Mapping[str, Any] | None = None
    tasks: int | None = None
    repeats: int | None = None
    uid: str | None = None
    created_at: int | None = None
    facts: AgentFacts | None = None


_NEW_RUN = Columns(
    NewRun, without=("plan", "setup", "parent_uid", "facts"), encoders={"uid": as_is, "base_seed": as_is, "code": as_is}
)
_TASK = Columns(TaskFacts)


@translated
def add_suite(
    store: Store, name: str, digest: bytes, source: str | None, tasks: Sequence[Task]
) -> tuple[int, dict[str, int]]:
    """Store a suite and its tasks by content: (suite id, task ids by key). What is stored already is found again."""
    with store.transaction():
        row = store.db.execute("SELECT id FROM suites WHERE digest = ?", (digest,)).fetchone()
        if row is not None:
            suite_id = int(row[0])
        else:
            inline, text_id = (None, None) if source is None else split_body(store.db, plain(source))
            cursor = store.db.execute(
                "INSERT INTO suites(name, digest, source, text_id) VALUES(?, ?, ?, ?)",
                (plain(name), digest, inline, text_id),
            )
            suite_id = int(cursor.lastrowid or 0)
        return suite_id, {task.key: _add_task(store, suite_id, task) for task in tasks}


def _add_task(store: Store, suite_id: int, task: Task) -> int:
    key, stimulus, oracle, body = plain(task.key), task.stimulus, task.oracle, task.body
    row = store.db.execute(
        "SELECT id FROM tasks WHERE key = ? AND stimulus = ? AND oracle = ?", (key, stimulus, oracle)
    ).fetchone()
    if row is not None:
        return int(row[0])
    words = {name: _word(body.get(name)) for name in ("domain", "intent", "task_type", "difficulty", "priority")}
    facts = TaskFacts(key=task.key, kind=task.kind, weight=task.weight, **words)
    cursor = store.db.execute(
        _TASK.insert("tasks", "suite_id", "stimulus", "oracle", "risk", "body"),
        (suite_id, stimulus, oracle, plain_or_null(_word(body.get("risk"))), plan_text(body), *_TASK.encode(facts)),
    )
    task_id = int(cursor.lastrowid or 0)
    tags = body.get("tags") or {}
    rows = [
        (task_id, plain(str(tag)), plain(_word(value) or ""), "suite")
        for tag, values in tags.items()
        for value in (values if isinstance(values, (list, tuple)) else [values])
    ]
    store.db.executemany("INSERT OR IGNORE INTO task_tags(task_id, tag, value, origin) VALUES(?, ?, ?, ?)", rows)
    return task_id


def _word(value: Any) -> str | None:
    """A value as the text by which people filter; its type stays in the task's body."""
    return value if value is None or isinstance(value, str) else json_text(value)


@translated
def task_ids(store: Store, run_id: int) -> dict[str, int]:
    """Ids by key of the tasks that have trials in a run."""
    rows = store.db.execute(
        "SELECT DISTINCT k.key, k.id FROM trials t JOIN tasks k ON k.id = t.task_id WHERE t.run_id = ?", (run_id,)
    ).fetchall()
    return {str(key): int(task_id) for key, task_id in rows}


@translated
def add_setup(store: Store, setup: Setup, facts: AgentFacts | None = None, name: str | None = None) -> int:
    """Store a setup whole and in parts, by content, with the evidence that its agent's kind gives for each; its id."""
    with store.transaction():
        digest = setup.digest
        row = store.db.execute("SELECT id FROM setups WHERE digest = ?", (digest,)).fetchone()
        if row is not None:
            return int(row[0])
        model, evidence = model_name(setup.model), facts.evidence if facts is not None else {}
        cursor = store.db.execute(
            "INSERT INTO setups(digest, agent_kind, model, name, text_id) VALUES(?, ?, ?, ?, ?)",
            (
                digest,
                plain(setup.agent),
                plain_or_null(_word(model)),
                plain_or_null(name),
                put_text(store.db, json_text(setup.as_json())),
            ),
        )
        setup_id = int(cursor.lastrowid or 0)
        store.db.executemany(
            "INSERT OR IGNORE INTO setup_parts(setup_id, part, factor, evidence, digest, text_id)"
            " VALUES(?, ?, ?, ?, ?, ?)",
            [
                (
                    setup_id,
                    plain(part.name),
                    part.factor,
                    evidence.get(part.factor, "declared"),
                    part.digest,
                    put_text(store.db, json_text(part.value)),
                )
                for part in setup.parts()
            ],
        )
        return setup_id


@translated
def create_run(store: Store, new: NewRun) -> RunRow:
    """Create a run with its plan. A given uid that is stored already names the run that is there, unchanged.

    UsageError where the parent is not in the store.
    """
    with store.transaction():
        uid = new.uid or new_uid("r")
        stored = None if new.uid is None else run_by_uid(store, new.uid)
        if stored is not None:
            return stored
        (run_id,) = store.db.execute("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchone()
        parent_id, root_id, tree = None, run_id, f"{run_id:010d}"
        if new.parent_uid is not None:
            row = store.db.execute("SELECT id, root_id, tree FROM runs WHERE uid = ?", (new.parent_uid,)).fetchone()
            if row is None:
                raise UsageError(f"no run {new.parent_uid!r} in this store to branch from", hint="see `reach runs`")
            parent_id, root_id, tree = row[0], row[1], f"{row[2]}/{tree}"
        setup_id = new.setup_id
        if setup_id is None and new.setup is not None:
            setup_id = add_setup(store, new.setup, new.facts)
        made = replace(
            new, uid=uid, setup_id=setup_id, created_at=now_ms() if new.created_at is None else new.created_at
        )
        store.db.execute(
            _NEW_RUN.insert("runs", "id", "parent_id", "root_id", "tree", "plan_text_id", "rev", "agent_facts"),
            (
                run_id,
                parent_id,
                root_id,
                tree,
                put_text(store.db, plan_text(dict(new.plan))),
                bump(store.db),
                None if new.facts is None else json_text(to_json(new.facts)),
                *_NEW_RUN.encode(made),
            ),
        )
        created = run_by_uid(store, uid)
        assert created is not None
        return created


@translated
def load_plan(store: Store, run_uid: str) -> dict[str, Any]:
    """The plan of a run, by value as it was created. UsageError where there is no such run."""
    row = store.db.execute("SELECT plan_text_id FROM runs WHERE uid = ?", (run_uid,)).fetchone()
    if row is None:
        raise UsageError(f"no run {run_uid!r} in this store", hint="see `reach runs`")
    plan = loads(get_text(store.db, row[0]))
    return plan if isinstance(plan, dict) else {}


@translated
def write_totals(store: Store, run_id: int, totals: RunTotals) -> None:
    """Set a run's totals anew, as after a re-grading or where a side file brought trials late."""
    with store.transaction():
        write_totals_row(store.db, run_id, TOTALS.encode(totals), bump(store.db))
