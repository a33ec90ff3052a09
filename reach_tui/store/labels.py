"""People's labels: rows are only ever added, an undo is a row that replaces another with nothing."""

from __future__ import annotations

from reach_tui.core.canonical import digest
from reach_tui.core.errors import UsageError
from reach_tui.core.ids import new_uid
from reach_tui.store.base import bump, now_ms
from reach_tui.store.columns import Columns
from reach_tui.store.encode import loads, plain, plain_or_null
from reach_tui.store.rows import LabelRow
from reach_tui.store.store import Store, translated
from reach_tui.store.texts import get_text

KINDS = ("mode", "owner", "decisive_step", "quality", "note", "mark")
SINGLE = ("mode", "owner", "decisive_step", "quality")
"""Kinds of which an author has one standing label a trial: a new one replaces it. Notes and marks add up."""

_LABEL = Columns(LabelRow)


@translated
def add_label(
    store: Store,
    trial_uid: str,
    kind: str,
    value: str,
    author: str,
    *,
    step: int | None = None,
    reason: str | None = None,
    at: int | None = None,
    uid: str | None = None,
) -> LabelRow:
    """Label a trial, or one of its steps. A uid that is stored already is found again.

    UsageError for an unknown kind or an empty value.
    """
    if kind not in KINDS:
        raise UsageError(f"no label of kind {kind!r}", hint=f"kinds are {', '.join(KINDS)}")
    if not value:
        raise UsageError("a label needs a value", hint="to take one back, undo it")
    with store.transaction():
        if uid is not None:
            row = store.db.execute(f"SELECT {_LABEL.select} FROM labels WHERE uid = ?", (uid,)).fetchone()
            if row is not None:
                return _LABEL.decode(row)
        replaces = None
        if kind in SINGLE:
            mine = [row for row in labels_of(store, trial_uid) if row.kind == kind and row.author == plain(author)]
            replaces = mine[-1].uid if mine else None
        label = LabelRow(
            uid or new_uid("l"),
            trial_uid,
            step,
            kind,
            plain(value),
            plain(author),
            now_ms() if at is None else at,
            plain_or_null(reason),
            replaces,
        )
        _insert(store, label)
        return label


def _insert(store: Store, label: LabelRow) -> None:
    store.db.execute(
        _LABEL.insert("labels", "step_digest"),
        (_step_digest(store, label.trial_uid, label.step), *_LABEL.encode(label)),
    )
    # Lists show whether a trial is labelled: they learn of it like of any other change.
    rev = bump(store.db)
    store.db.execute("UPDATE trials SET rev = ? WHERE uid = ?", (rev, label.trial_uid))
    store.db.execute(
        "UPDATE runs SET rev = ? WHERE id = (SELECT run_id FROM trials WHERE uid = ?)", (rev, label.trial_uid)
    )


def _step_digest(store: Store, trial_uid: str, step: int | None) -> bytes | None:
    """What the label was put on, so that it finds its step again in a copy of the trial."""
    if step is None:
        return None
    row = store.db.execute(
        "SELECT p.kind, p.tool, p.body, p.text_id FROM steps p JOIN trials t ON t.id = p.trial_id"
        " WHERE t.uid = ? AND p.n = ?",
        (trial_uid, step),
    ).fetchone()
    if row is None:
        return None
    kind, tool, body, text_id = row
    return digest([kind, tool, loads(body if body is not None else get_text(store.db, text_id))])


@translated
def labels_of(store: Store, trial_uid: str, *, history: bool = False) -> list[LabelRow]:
    """The labels that stand on a trial, oldest first; with `history` all that were ever set, undoings included."""
    rows = store.db.execute(
        f"SELECT {_LABEL.select} FROM labels WHERE trial_uid = ? ORDER BY id", (trial_uid,)
    ).fetchall()
    labels = [_LABEL.decode(row) for row in rows]
    return labels if history else _standing(labels)


def _standing(labels: list[LabelRow]) -> list[LabelRow]:
    undone = {label.replaces for label in labels if label.value == ""}
    live = [label for label in labels if label.value != "" and label.uid not in undone]
    replaced = {label.replaces for label in live}
    return [label for label in live if label.uid not in replaced]


@translated
def undo_last(store: Store, author: str, *, trial_uid: str | None = None, at: int | None = None) -> LabelRow | None:
    """Take back the author's latest standing label (on one trial, if named); that label, or None if there is none.

    A label that it had replaced stands again.
    """
    with store.transaction():
        trial = "" if trial_uid is None else " AND trial_uid = ?"
        values = (plain(author),) if trial_uid is None else (plain(author), trial_uid)
        last = store.db.execute(
            f"SELECT {_LABEL.select} FROM labels AS l WHERE author = ?{trial} AND value <> '' AND NOT EXISTS"
            " (SELECT 1 FROM labels AS u WHERE u.trial_uid = l.trial_uid AND u.replaces = l.uid AND u.value = '')"
            " ORDER BY id DESC LIMIT 1",
            values,
        ).fetchone()
        if last is None:
            return None
        label = _LABEL.decode(last)
        _insert(
            store,
            LabelRow(
                new_uid("l"),
                label.trial_uid,
                label.step,
                label.kind,
                "",
                label.author,
                now_ms() if at is None else at,
                None,
                label.uid,
            ),
        )
        return label
