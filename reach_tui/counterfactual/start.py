"""From a plan to queued runs: one for each arm, nested under the parent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reach_tui.agents.kind import KINDS
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import ExperimentPlan
from reach_tui.core.ids import content_uid, new_uid
from reach_tui.core.run import Arm
from reach_tui.counterfactual.plan import PRIMARY_METRIC, plan_of, setups
from reach_tui.harness.code import code_of
from reach_tui.harness.plan import PlannedTask, refuse_secrets
from reach_tui.store.experiments import ExperimentRow, create_experiment
from reach_tui.store.rows import RunRow
from reach_tui.store.run_queue import NewRun, create_run, task_ids
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store


def start_experiment(path: Path, plan: ExperimentPlan, *, uid: str | None = None, now_ms: int | None = None) -> str:
    """Store the experiment and queue its arms; its uid. `conduct` then runs it, here or in a process of its own.

    `uid` and `now_ms` (ms UTC) fix what is else fresh, for stores that must come out the same. The placebo arm is
    queued only where it runs from the start.
    """
    with Store(path, write=True) as store, store.transaction():
        parent = _parent(store, plan)
        row = create_experiment(
            store,
            base_seed=plan.base_seed,
            primary_metric=PRIMARY_METRIC,
            plan=plan,
            parent_run_id=parent.id,
            uid=uid or new_uid("x"),
            created_at=now_ms,
        )
        add_arm(store, row, plan, "control", now_ms=now_ms)
        add_arm(store, row, plan, "branch", now_ms=now_ms)
        if plan.placebo.when == "from_start":
            add_arm(store, row, plan, "placebo", now_ms=now_ms)
        return row.uid


def add_arm(
    store: Store, experiment: ExperimentRow, plan: ExperimentPlan, arm: Arm, *, now_ms: int | None = None
) -> RunRow:
    """Queue one arm's run. An arm that is there already is found again.

    Every arm has the parent's plan but for its setup, its tasks and repeats, and the experiment's own base seed.
    """
    parent = _parent(store, plan)
    whole = plan_of(store, parent)
    strata = (plan.chosen,) if arm == "placebo" else plan.strata
    task_keys = {key for stratum in strata for key in stratum.tasks}
    tasks = tuple(PlannedTask(planned.task, plan.repeats) for planned in whole.tasks if planned.task.key in task_keys)
    own = replace(
        whole,
        setup=setups(plan, whole.setup)[arm],
        tasks=tasks,
        base_seed=plan.base_seed,
        concurrency=plan.concurrency,
        fixed_now_ms=now_ms,
        code=code_of(whole.setup),
        facts=KINDS.find(whole.setup.agent).facts(whole.setup),
        task_ids=_task_ids(store, parent, whole.task_ids, [planned.task.key for planned in tasks]),
    )
    refuse_secrets(own)
    return create_run(
        store,
        NewRun(
            name=f"{arm} {plan.factor.about}",
            suite_id=parent.suite_id,
            planned=own.planned,
            plan=own.as_json(),
            setup=own.setup,
            facts=own.facts,
            base_seed=own.base_seed,
            parent_uid=parent.uid,
            experiment_id=experiment.id,
            arm=arm,
            origin="branch",
            exec={"concurrency": own.concurrency},
            factor=None if arm == "control" else plan.factor.kind if arm == "branch" else "placebo",
            factor_part=None if arm == "control" else plan.factor.part if arm == "branch" else plan.placebo.part,
            tasks=len(tasks),
            repeats=plan.repeats,
            uid=content_uid("r", experiment.uid, arm),
            created_at=now_ms,
            code=str(own.setup.sandbox.get("digest") or ""),
        ),
    )


def _parent(store: Store, plan: ExperimentPlan) -> RunRow:
    parent = run_by_uid(store, plan.parent_uid)
    if parent is None:
        raise UsageError(f"the run {plan.parent_uid} that this plan branches from is not in this store")
    return parent


def _task_ids(store: Store, parent: RunRow, known: object, keys: Sequence[str]) -> dict[str, int]:
    stored = dict(known) if isinstance(known, dict) else {}
    if not all(key in stored for key in keys):
        stored.update(task_ids(store, parent.id))
    return {key: stored[key] for key in keys}
