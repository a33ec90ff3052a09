"""Labels and notes of people: written together, and taken back together."""

from __future__ import annotations

from collections.abc import Sequence

from reach_tui.store import labels
from reach_tui.store.rows import LabelRow
from reach_tui.store.store import Store


def add_labels(store: Store, trial_uid: str, kinds: Sequence[tuple[str, str]], author: str, step: int, at: int) -> None:
    """Write labels or notes, each as (kind, value), on a step of a trial, all at the same ms UTC."""
    for kind, value in kinds:
        labels.add_label(store, trial_uid, kind, value, author, step=step, at=at)


def undo_last(store: Store, author: str, trial_uid: str) -> LabelRow | None:
    """Take back the last label or note of `author`, on a trial or (empty) wherever it was; that label, if any.

    What was saved with one key is taken back with one key.
    """
    undone = labels.undo_last(store, author, trial_uid=trial_uid or None)
    if undone is not None:
        together = [label for label in labels.labels_of(store, undone.trial_uid) if label.author == author]
        for _ in [label for label in together if label.at == undone.at]:
            labels.undo_last(store, author, trial_uid=undone.trial_uid)
    return undone
