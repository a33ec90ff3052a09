"""What is wrong with a store, in words; looking changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reach_tui.core.canonical import digest_text
from reach_tui.core.changes import StateDigest, fold
from reach_tui.core.errors import ReachError
from reach_tui.core.redaction import MASK
from reach_tui.store.encode import loads
from reach_tui.store.replay import steps_of
from reach_tui.store.spill import pending_path, rejected_path
from reach_tui.store.store import Store
from reach_tui.store.texts import get_text, unpacked

ERROR, WARNING, INFO = "error", "warning", "info"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class StoreFinding:
    """One thing found. `level`: error (something is damaged or wrong), warning (someone should act), info."""

    level: str
    what: str
    where: str = ""
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.level}: {self.where}: {self.what}" if self.where else f"{self.level}: {self.what}"
        return f"{text} ({self.hint})" if self.hint else text


def check(path: str | Path, *, deep: bool = False) -> list[StoreFinding]:
    """Everything wrong with a store; no finding of level `error` means that it is sound.

    With `deep`, every text is hashed and every state folded again. UsageError where there is no store; a file that is
    torn, newer or another program's is a finding.
    """
    try:
        store = Store(path)
    except ReachError as error:
        if error.exit_code == 2:
            raise
        return [StoreFinding(ERROR, error.what, error.where, error.hint)]
    findings: list[StoreFinding] = []
    try:
        for look in (_integrity, _references, _totals, _slots, _orphans, *([_texts, _states] if deep else [])):
            findings.extend(look(store))
        findings.extend(_beside(store.path))
    except sqlite3.DatabaseError as error:
        findings.append(StoreFinding(ERROR, f"reading stopped: {error}", str(store.path), "restore a backup"))
    finally:
        store.close()
    return findings


def _integrity(store: Store) -> Iterator[StoreFinding]:
    for (line,) in store.db.execute(f"PRAGMA integrity_check({_SHOWN})").fetchall():
        if line != "ok":
            yield StoreFinding(ERROR, str(line), hint="restore a backup")


def _references(store: Store) -> Iterator[StoreFinding]:
    for table, rowid, parent, _ in store.db.execute("PRAGMA foreign_key_check").fetchmany(_SHOWN):
        yield StoreFinding(ERROR, f"refers to a row of {parent} that is not there", f"{table} {rowid}")
    rows = store.db.execute(
        "SELECT t.uid, x.turn FROM exchanges x JOIN trials t ON t.id = x.trial_id, json_each(x.messages) m"
        " WHERE NOT EXISTS (SELECT 1 FROM texts WHERE id = m.value) GROUP BY x.id LIMIT ?",
        (_SHOWN,),
    ).fetchall()
    for uid, turn in rows:
        yield StoreFinding(ERROR, f"a message of the request at turn {turn} is missing", f"trial {uid}")


def _totals(store: Store) -> Iterator[StoreFinding]:
    rows = store.db.execute(
        "SELECT r.uid, r.passed, r.partial, r.failed, coalesce(sum(t.status = 'passed'), 0),"
        " coalesce(sum(t.status = 'partial'), 0), coalesce(sum(t.status = 'failed'), 0)"
        " FROM runs r LEFT JOIN trials t ON t.run_id = r.id AND t.final = 1 GROUP BY r.id"
        " HAVING r.passed <> coalesce(sum(t.status = 'passed'), 0)"
        " OR r.partial <> coalesce(sum(t.status = 'partial'), 0)"
        " OR r.failed <> coalesce(sum(t.status = 'failed'), 0) ORDER BY r.id LIMIT ?",
        (_SHOWN,),
    ).fetchall()
    for uid, *counts in rows:
        recorded, have = "/".join(map(str, counts[:3])), "/".join(map(str, counts[3:]))
        yield StoreFinding(
            ERROR,
            f"passed/partial/failed are {recorded} in the run, {have} in its trials",
            f"run {uid}",
            "re-grade the run",
        )
    rows = store.db.execute(
        "SELECT uid, steps, (SELECT count(*) FROM steps WHERE trial_id = t.id) AS stored FROM trials t"
        " WHERE steps IS NOT NULL AND stored <> steps ORDER BY id LIMIT ?",
        (_SHOWN,),
    ).fetchall()
    for uid, expected, stored in rows:
        yield StoreFinding(ERROR, f"{stored} of {expected} steps are stored", f"trial {uid}")


def _slots(store: Store) -> Iterator[StoreFinding]:
    rows = store.db.execute(
        "SELECT r.uid, k.key, t.repeat, count(*) FROM trials t JOIN runs r ON r.id = t.run_id"
        " JOIN tasks k ON k.id = t.task_id WHERE t.final = 1 GROUP BY t.run_id, t.task_id, t.repeat"
        " HAVING count(*) > 1 LIMIT ?",
        (_SHOWN,),
    ).fetchall()
    for run, key, repeat, count in rows:
        yield StoreFinding(ERROR, f"{count} attempts speak for one slot", f"{run}/{key}#{repeat}")
    rows = store.db.execute(
        "SELECT t.uid FROM trials t WHERE t.final = 1 AND NOT EXISTS"
        " (SELECT 1 FROM gradings g WHERE g.trial_id = t.id AND g.current = 1) ORDER BY t.id LIMIT ?",
        (_SHOWN,),
    ).fetchall()
    for (uid,) in rows:
        yield StoreFinding(ERROR, "ended without a grading", f"trial {uid}", "re-grade the run")
    rows = store.db.execute(
        "SELECT r.uid, count(*) FROM trials t JOIN runs r ON r.id = t.run_id WHERE t.status = 'running'"
        " AND r.status NOT IN ('running', 'paused', 'queued') GROUP BY r.id LIMIT ?",
        (_SHOWN,),
    ).fetchall()
    for uid, count in rows:
        yield StoreFinding(
            WARNING, f"{count} trials are left running in a run that has ended", f"run {uid}", "resume the run"
        )


def _orphans(store: Store) -> Iterator[StoreFinding]:
    count, size = store.db.execute(
        f"SELECT count(*), coalesce(sum(size), 0) FROM texts WHERE id NOT IN ({REFERENCED})"
    ).fetchone()
    if count:
        yield StoreFinding(
            INFO, f"{count} texts ({size:,} bytes) are used by nothing", hint="`reach store vacuum` drops them"
        )
    (strays,) = store.db.execute(
        "SELECT count(*) FROM labels l WHERE NOT EXISTS (SELECT 1 FROM trials t WHERE t.uid = l.trial_uid)"
    ).fetchone()
    if strays:
        yield StoreFinding(INFO, f"{strays} labels wait for trials that are not in this store")


REFERENCED = (
    "SELECT text_id FROM suites WHERE text_id IS NOT NULL UNION SELECT text_id FROM setups"
    " UNION SELECT text_id FROM setup_parts WHERE text_id IS NOT NULL"
    " UNION SELECT plan_text_id FROM runs WHERE plan_text_id IS NOT NULL"
    " UNION SELECT initial_text_id FROM trials WHERE initial_text_id IS NOT NULL"
    " UNION SELECT text_id FROM steps WHERE text_id IS NOT NULL"
    " UNION SELECT tools_text_id FROM exchanges WHERE tools_text_id IS NOT NULL"
    " UNION SELECT response_text_id FROM exchanges WHERE response_text_id IS NOT NULL"
    " UNION SELECT m.value FROM exchanges, json_each(exchanges.messages) m"
)
"""The ids of all texts that anything refers to."""


def _beside(path: Path) -> Iterator[StoreFinding]:
    if pending_path(path).exists():
        yield StoreFinding(WARNING, "results wait to be stored", str(pending_path(path)), "the next run takes them in")
    if rejected_path(path).exists():
        yield StoreFinding(
            WARNING, "holds records that could not be stored", str(rejected_path(path)), "report it as a bug"
        )


def _texts(store: Store) -> Iterator[StoreFinding]:
    wrong = 0
    for text_id, name, codec, body in store.db.execute("SELECT id, digest, codec, body FROM texts"):
        try:
            sound = digest_text(unpacked(codec, body)) == name
        except Exception:
            sound = False
        if not sound:
            wrong += 1
            if wrong <= _SHOWN:
                yield StoreFinding(ERROR, "is not what its digest says", f"text {text_id}", "restore a backup")


def _states(store: Store) -> Iterator[StoreFinding]:
    """Every recorded world is folded again and compared with the digests that were recorded with it."""
    rows = store.db.execute(
        "SELECT id, uid, initial_text_id FROM trials WHERE state_kind = 'exact' AND initial_text_id IS NOT NULL"
    ).fetchall()
    for trial_id, uid, initial_id in rows:
        text = get_text(store.db, initial_id) or "{}"
        state = loads(text)
        running = StateDigest(state)
        for step in steps_of(store, trial_id):
            masked = any(MASK in str(change.new) for change in step.changes) or MASK in text
            state = fold(state, step.changes)
            running.update(state, step.changes)
            if masked:
                break  # the digests were made before secrets were taken out
            if step.state_digest is not None and step.state_digest != running.digest:
                yield StoreFinding(
                    ERROR, f"the state after step {step.n} is not the one that was recorded", f"trial {uid}"
                )
                break
