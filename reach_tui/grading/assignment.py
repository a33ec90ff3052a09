"""Who goes with whom: the largest matching between wishes and candidates."""

from __future__ import annotations

from collections.abc import Sequence


def assign(choices: Sequence[Sequence[int]]) -> list[int | None]:
    """For each wish the index of a candidate of its own, or None; as many wishes as possible get one.

    `choices[i]` lists the candidates that suit wish i, best first. Augmenting paths: O(wishes x choices).
    """
    taken: dict[int, int] = {}

    def place(wish: int, tried: set[int]) -> bool:
        # A free candidate first: a long list of equal wishes then never moves anyone.
        for candidate in choices[wish]:
            if candidate not in taken:
                taken[candidate] = wish
                return True
        for candidate in choices[wish]:
            if candidate not in tried:
                tried.add(candidate)
                if place(taken[candidate], tried):
                    taken[candidate] = wish
                    return True
        return False

    for wish in range(len(choices)):
        place(wish, set())
    result: list[int | None] = [None] * len(choices)
    for candidate, wish in taken.items():
        result[wish] = candidate
    return result
