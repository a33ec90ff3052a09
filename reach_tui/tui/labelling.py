"""What a person writes on a trial: labels and notes, and taking the last of them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def add(db: Any, trial_uid: str, kinds: Sequence[tuple[str, str]], author: str, step: int, at: int) -> None:
    """Write labels or notes, each as (kind, value), on a step of a trial, all at the same ms UTC."""
    from reach_tui.store import labels

    for kind, value in kinds:
        labels.add_label(db, trial_uid, kind, value, author, step=step, at=at)


def undo_last(db: Any, author: str, trial_uid: str) -> Any:
    """Take back the last label or note of `author`, on a trial or (empty) wherever it was; that label, or None."""
    from reach_tui.store import labels

    undone = labels.undo_last(db, author, trial_uid=trial_uid or None)
    if undone is not None:
        # What was saved with one key is taken back with one key.
        together = [label for label in labels.labels_of(db, undone.trial_uid) if label.author == author]
        for _ in [label for label in together if label.at == undone.at]:
            labels.undo_last(db, author, trial_uid=undone.trial_uid)
    return undone
