"""Chance without generators: every draw is a hash of a seed and what it is drawn for.

One more call elsewhere then shifts nothing, and two arms share their noise by (task, repeat, event).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

from reach_tui.core.canonical import canonical

Item = TypeVar("Item")


def draw(seed: str, *key: Any) -> float:
    """A number in [0, 1), the same for the same seed and key."""
    text = canonical([seed, *key]).encode("utf-8", "surrogatepass")
    # A float has 53 bits: the very largest of 2^56 numbers would round up to 1.
    return min(int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big") / 2**56, 1.0 - 2**-53)


def pick(items: Sequence[Item], seed: str, *key: Any) -> Item:
    """One of `items` (not empty), the same for the same seed and key."""
    return items[min(int(draw(seed, *key) * len(items)), len(items) - 1)]


def derive(seed: str, *key: Any) -> str:
    """A further seed, 16 hex digits, for what `key` names."""
    text = canonical([seed, *key]).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def trial_seed(base_seed: str, task_key: str, repeat: int) -> str:
    """The seed of a trial: never a function of the setup, so that arms share it."""
    return derive(base_seed, "trial", task_key, repeat)


def seed_number(seed: str) -> int:
    """The seed as a non-negative 31-bit integer, the form in which it travels to a model endpoint."""
    return int(derive(seed, "number"), 16) & 0x7FFFFFFF
