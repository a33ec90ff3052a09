"""Two trajectories side by side: which step stands beside which, and where they first part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reach_tui.core.canonical import canonical
from reach_tui.core.trajectory import Step

_LONG = 4000
"""Steps beyond which only the common beginning is aligned: matching costs the square of the length."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of the alignment: step numbers, None where a side has no counterpart; `same` if both do the same."""

    left: int | None
    right: int | None
    same: bool


def key_of(step: Step) -> tuple[str, str, str]:
    """What makes two steps the same: kind, tool and arguments of a call; who spoke and what they said otherwise."""
    if step.kind == "call":
        return step.kind, step.tool or "", canonical(step.body.get("args"))
    return step.kind, "", " ".join(step.text.split())


def align(left: Sequence[Step], right: Sequence[Step]) -> list[Pair]:
    """Rows that pair the steps of two trajectories in order. Where both do something else, they stand side by side."""
    a, b = [key_of(step) for step in left], [key_of(step) for step in right]
    if len(a) + len(b) > _LONG:
        begin = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        blocks = [("equal", 0, begin, 0, begin), ("replace", begin, len(a), begin, len(b))]
    else:
        blocks = [tuple(code) for code in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()]  # type: ignore[misc]
    rows: list[Pair] = []
    for what, a_from, a_to, b_from, b_to in blocks:
        for k in range(max(a_to - a_from, b_to - b_from)):
            left_n = a_from + k + 1 if a_from + k < a_to else None
            right_n = b_from + k + 1 if b_from + k < b_to else None
            rows.append(Pair(left_n, right_n, what == "equal"))
    return rows


def first_divergence(pairs: Sequence[Pair], left: Sequence[Step], right: Sequence[Step]) -> int | None:
    """The place of the first row in which the two differ in what they did or in what a call gave; None if in none."""
    for place, pair in enumerate(pairs):
        if not pair.same or unlike_results(pair, left, right):
            return place
    return None


def unlike_results(pair: Pair, left: Sequence[Step], right: Sequence[Step]) -> bool:
    """Whether both made the same call and got something else."""
    if pair.left is None or pair.right is None:
        return False
    left_step, right_step = left[pair.left - 1], right[pair.right - 1]
    return (
        left_step.kind == "call"
        and right_step.kind == "call"
        and (left_step.ok != right_step.ok or left_step.text != right_step.text)
    )
