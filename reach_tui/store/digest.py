"""The digest of what a store holds: the same for equal content, whatever the ids, the file's layout, SQLite's version.

Rows are hashed in the order of their natural keys, with natural keys in place of ids. Left out is what is measured or
kept for working (durations, when trials and runs started and ended, when they were graded, revisions, the executing
host, leases, commands, cache, search): it differs between two equal runs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from reach_tui.core.canonical import canonical
from reach_tui.store.store import Store, translated

_TRIAL = "(SELECT uid FROM trials WHERE id = {0})"
_RUN = "(SELECT uid FROM runs WHERE id = {0})"
_SETUP = "(SELECT digest FROM setups WHERE id = {0})"
_TEXT = "(SELECT digest FROM texts WHERE id = {0})"

CONTENT: Mapping[str, str] = {
    "suites": f"SELECT digest, name, source, {_TEXT.format('text_id')} FROM suites ORDER BY digest",
    "tasks": "SELECT k.key, k.stimulus, k.oracle, s.digest, k.domain, k.intent, k.task_type, k.kind, k.difficulty,"
    " k.priority, k.risk, k.weight, k.body FROM tasks k JOIN suites s ON s.id = k.suite_id"
    " ORDER BY k.key, k.stimulus, k.oracle",
    "task_tags": "SELECT k.key, k.stimulus, k.oracle, g.tag, g.value, g.origin FROM task_tags g"
    " JOIN tasks k ON k.id = g.task_id ORDER BY k.key, k.stimulus, k.oracle, g.tag, g.value",
    "setups": f"SELECT digest, agent_kind, model, name, {_TEXT.format('text_id')} FROM setups ORDER BY digest",
    "setup_parts": f"SELECT s.digest, p.part, p.factor, p.evidence, p.digest, {_TEXT.format('p.text_id')}"
    " FROM setup_parts p JOIN setups s ON s.id = p.setup_id ORDER BY s.digest, p.part",
    "experiments": f"SELECT uid, {_RUN.format('parent_run_id')}, base_seed, primary_metric, plan, verdict, result,"
    " stats_version, created_at FROM experiments ORDER BY uid",
    "runs": f"SELECT r.uid, r.name, {_RUN.format('r.parent_id')}, {_RUN.format('r.root_id')}, e.uid, r.arm,"
    f" (SELECT digest FROM suites WHERE id = r.suite_id), {_SETUP.format('r.setup_id')}, r.factor, r.factor_part,"
    " r.transform, r.start, r.origin, r.status, r.base_seed, r.code, r.created_at, r.tasks, r.repeats, r.planned,"
    " r.done, r.passed, r.partial, r.failed, r.not_counted, r.reach_once, r.reach_majority, r.reach_mean,"
    " r.reach_weighted, r.tokens, r.cost, r.unknown_cost, r.summary, r.agent_facts,"
    f" {_TEXT.format('r.plan_text_id')} FROM runs r"
    " LEFT JOIN experiments e ON e.id = r.experiment_id ORDER BY r.uid",
    "trials": f"SELECT t.uid, {_RUN.format('t.run_id')}, k.key, k.stimulus, k.oracle, t.repeat, t.attempt, t.final,"
    " t.seed, t.status, t.end_reason, t.end_text, t.mode, t.owner, t.decisive_step, t.depth, t.depth_of, t.steps,"
    " t.turns, t.calls, t.tokens_in, t.tokens_out, t.cost, t.failed_requests, t.state_kind,"
    f" {_TEXT.format('t.initial_text_id')}, t.final_digest, {_TRIAL.format('t.cached_from')},"
    f" {_TRIAL.format('t.forked_from')}, t.fork_step FROM trials t JOIN tasks k ON k.id = t.task_id ORDER BY t.uid",
    "steps": "SELECT t.uid, p.n, p.turn, p.kind, p.tool, p.call_id, p.ok, p.flags, p.tokens, p.preview, p.body,"
    f" {_TEXT.format('p.text_id')}, p.state_digest FROM steps p JOIN trials t ON t.id = p.trial_id ORDER BY t.uid, p.n",
    "changes": "SELECT t.uid, c.n, c.seq, c.pointer, c.old, c.new, c.source FROM changes c"
    " JOIN trials t ON t.id = c.trial_id ORDER BY t.uid, c.n, c.seq",
    "exchanges": "SELECT t.uid, x.turn, x.who, x.attempt, x.model, x.options, x.messages,"
    f" {_TEXT.format('x.tools_text_id')}, {_TEXT.format('x.response_text_id')}, x.request_digest, x.status, x.error,"
    " x.finish, x.tokens_in, x.tokens_out FROM exchanges x JOIN trials t ON t.id = x.trial_id"
    " ORDER BY t.uid, x.turn, x.who, x.attempt",
    "gradings": "SELECT t.uid, g.version, g.oracle, g.status, g.mode, g.owner, g.step, g.parting, g.depth, g.depth_of,"
    " g.why, g.current FROM gradings g JOIN trials t ON t.id = g.trial_id ORDER BY t.uid, g.version, g.oracle",
    **{
        table: f"SELECT t.uid, g.version, g.oracle, c.ord, {columns} FROM {table} c"
        " JOIN gradings g ON g.id = c.grading_id JOIN trials t ON t.id = g.trial_id"
        " ORDER BY t.uid, g.version, g.oracle, c.ord"
        for table, columns in {
            "checks": "c.kind, c.decides, c.path, c.verdict, c.expected, c.actual, c.step, c.why",
            "milestones": "c.name, c.verdict, c.step, c.expected, c.actual",
            "deviations": "c.detector, c.tool, c.step, c.last_step, c.evidence",
            "claims": "c.step, c.pointer, c.value, c.span, c.supported, c.tool",
        }.items()
    },
    "labels": "SELECT uid, trial_uid, step, step_digest, kind, value, author, at, reason, replaces FROM labels"
    " ORDER BY uid",
    "baselines": f"SELECT name, {_RUN.format('run_id')} FROM baselines ORDER BY name",
    "quarantine": "SELECT task_key, since, reason, until FROM quarantine ORDER BY task_key, since",
}
"""By table: its content as a query over natural keys. Texts stand for themselves by their digests."""

_MESSAGES = 6
"""The column of `exchanges` that lists ids of texts."""


@translated
def content_digest(store: Store) -> str:
    """32 hex digits of everything a store holds, in the sense of this module."""
    texts = dict(store.db.execute("SELECT id, digest FROM texts").fetchall())
    total = hashlib.blake2b(digest_size=16)
    for table, query in CONTENT.items():
        total.update(f"{table}\n".encode())
        cursor = store.db.execute(query)
        change = _with_messages(texts) if table == "exchanges" else list
        for row in cursor:
            total.update(canonical([_plain(value) for value in change(row)]).encode("utf-8", "surrogatepass") + b"\n")
    return total.hexdigest()


def _with_messages(texts: Mapping[int, bytes]) -> Callable[[tuple[Any, ...]], list[Any]]:
    def change(row: tuple[Any, ...]) -> list[Any]:
        values = list(row)
        values[_MESSAGES] = [texts.get(text_id, b"").hex() for text_id in json.loads(values[_MESSAGES])]
        return values

    return change


def _plain(value: Any) -> Any:
    return {"hex": value.hex()} if isinstance(value, bytes) else value
