"""The side file: what a writer could not store before it had to leave, for the next writer to take in.

`<store>.pending` holds JSON lines; a line {"store": uid, "process": ...} says for which store the following ones are
and who left them. What cannot be stored ends in `<store>.rejected`, with the reason: nothing is thrown away silently.
That is so for lines of older releases too, whose values stood by position.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from reach_tui.store.apply import POISON, Applier, apply_one_by_one
from reach_tui.store.base import meta, path_of, transaction
from reach_tui.store.encoded import EndOp, Op, StartOp, as_line, from_line, uids
from reach_tui.store.processes import Process, is_gone, lease_on, this_process

try:
    import fcntl
except ImportError:  # Windows: two programs leaving at the same moment may then mix their lines, which are rejected
    fcntl = None  # type: ignore[assignment]


def pending_path(store: str | Path) -> Path:
    """Where the side file of a store is."""
    return Path(f"{store}.pending")


def rejected_path(store: str | Path) -> Path:
    """Where the records are that could not be stored."""
    return Path(f"{store}.rejected")


@contextmanager
def _locked(path: Path, *, create: bool) -> Iterator[IO[bytes] | None]:
    """The file, opened for reading and appending and locked against other programs; None where there is none."""
    while True:
        try:
            file = open(path, "a+b" if create else "r+b")  # noqa: SIM115 - closed below, after the caller's work
        except FileNotFoundError:
            yield None
            return
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            same = os.stat(path).st_ino == os.fstat(file.fileno()).st_ino
        except FileNotFoundError:
            same = False
        if same or fcntl is None:
            break
        file.close()  # the one who held the lock removed the file: look again
    with file:
        yield file


def put_aside(store: str | Path, store_uid: str, ops: Sequence[Op]) -> None:
    """Append operations to the side file and bring them to the disk."""
    if ops:
        me = this_process()
        header = {"store": store_uid, "process": [me.host, me.pid, me.started]}
        _append(pending_path(store), [json.dumps(header), *map(as_line, ops)])


def put_rejected(store: str | Path, rejected: Sequence[tuple[Op, str]]) -> None:
    """Append operations that no retry would help, each with its reason."""
    if rejected:
        _append(rejected_path(store), _with_reasons([(as_line(op), why) for op, why in rejected]))


def _with_reasons(lines: Sequence[tuple[str, str]]) -> list[str]:
    return [text for line, why in lines for text in (json.dumps({"why": why}), line)]


def _append(path: Path, lines: Sequence[str]) -> None:
    with _locked(path, create=True) as file:
        assert file is not None
        end = file.seek(0, os.SEEK_END)
        torn = False
        if end:
            file.seek(end - 1)
            torn = file.read(1) != b"\n"
        file.write(b"\n" * torn + "".join(line + "\n" for line in lines).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())


def take_in(db: sqlite3.Connection, *, compress: bool = True) -> tuple[int, int]:
    """Store what the side file of `db` holds and remove it: (records taken in, records rejected).

    sqlite3.Error passes through, and leaves the file as it was.
    """
    store = path_of(db)
    path = pending_path(store)
    if not store or not path.exists():
        return 0, 0
    with _locked(path, create=False) as file:
        if file is None:
            return 0, 0
        waiting, kept, torn = _read(file, meta(db, "store_uid") or "")
        taken = 0
        rejected: list[tuple[Op, str]] = []
        for process, ops in waiting:
            with transaction(db):
                ours, overtaken = _not_overtaken(db, process, ops)
                refused = _apply(db, ours, compress)
            taken += len(ours) - len(refused)
            rejected += [*((op, "its trial is being run again") for op in overtaken), *refused]
        put_rejected(store, rejected)
        if torn:
            _append(rejected_path(store), _with_reasons(torn))
        if kept:
            file.seek(0)
            file.truncate()
            file.write("".join(line + "\n" for line in kept).encode("ascii"))
        else:
            path.unlink(missing_ok=True)
    return taken, len(rejected) + len(torn)


def _apply(db: sqlite3.Connection, ops: Sequence[Op], compress: bool) -> list[tuple[Op, str]]:
    applier = Applier(db, compress=compress)
    db.execute("SAVEPOINT whole")
    try:
        applier.apply(ops)
        return []
    except POISON:
        db.execute("ROLLBACK TO whole")
        applier.forget()
        return apply_one_by_one(db, applier, ops)
    finally:
        db.execute("RELEASE whole")


def _not_overtaken(db: sqlite3.Connection, process: Process | None, ops: Sequence[Op]) -> tuple[list[Op], list[Op]]:
    """What may be stored, and what would mix into trials that another living runner is doing again.

    Of a run that such a runner holds, only trials are taken that are here from beginning to end and not stored yet.
    """
    begun = {op.uid: op.start.run_id for op in ops if isinstance(op, StartOp)}
    ended = {op.uid for op in ops if isinstance(op, EndOp)}
    barred: set[str] = set()
    for uid in uids(ops):
        row = db.execute("SELECT run_id FROM trials WHERE uid = ?", (uid,)).fetchone()
        run_id = row[0] if row is not None else begun.get(uid)
        lease = None if run_id is None else lease_on(db, run_id)
        if lease is None or is_gone(lease) or process == Process(lease.host or "", lease.pid or 0, lease.pid_started):
            continue
        if row is not None or uid not in ended:
            barred.add(uid)
    return [op for op in ops if op.uid not in barred], [op for op in ops if op.uid in barred]


def _read(
    file: IO[bytes], store_uid: str
) -> tuple[list[tuple[Process | None, list[Op]]], list[str], list[tuple[str, str]]]:
    """Operations for this store by the process that left them, lines for other stores, lines that cannot be read (and
    why)."""
    ours: list[tuple[Process | None, list[Op]]] = [(None, [])]
    kept: list[str] = []
    torn: list[tuple[str, str]] = []
    current = store_uid
    file.seek(0)
    for raw in file.read().split(b"\n"):
        line = raw.decode("ascii", "backslashreplace")
        if not line.strip():
            continue
        if line.startswith('{"store"'):
            try:
                header = json.loads(line)
                current = str(header["store"])
                ours.append((Process(*header["process"]) if "process" in header else None, []))
            except (ValueError, TypeError, KeyError):
                torn.append((line, "no header of a side file"))
                continue
            if current != store_uid:
                kept.append(line)
        elif current != store_uid:
            kept.append(line)
        else:
            try:
                ours[-1][1].append(from_line(line))
            except ValueError as error:
                torn.append((line, str(error)))
    return ours, kept, torn


def try_take_in(db: sqlite3.Connection) -> str:
    """`take_in` for openers: a note where something was taken in or has to wait, never an error."""
    try:
        taken, rejected = take_in(db)
    except (sqlite3.Error, OSError) as error:
        return f"results in {pending_path(path_of(db)).name} wait to be stored ({error})"
    if rejected:
        return f"{rejected} records of an earlier run could not be stored: see {rejected_path(path_of(db)).name}"
    return f"{taken} records of an earlier run were stored now" if taken else ""
