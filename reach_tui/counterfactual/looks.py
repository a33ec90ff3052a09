"""When an experiment may stop: a few looks with levels of their own, spent so that all of them keep alpha."""

from __future__ import annotations

from dataclasses import dataclass

SHARES = (0.01, 0.28, 0.9)
"""The levels of three looks as shares of alpha: 0.0005, 0.014 and 0.045 at alpha 0.05."""


@dataclass(frozen=True, slots=True)
class Look:
    """A look after `wave` repeats of all tasks, at which the exact test is judged at `level`."""

    wave: int
    level: float
    last: bool


def looks(repeats: int, alpha: float = 0.05, factors: int = 1) -> tuple[Look, ...]:
    """The looks of an experiment with that many repeats: three from 3 repeats on (after 1, 2, 3; of 5 after 2, 3, 5).

    Below 3 repeats there is one, at the end, at alpha. Each level is divided by the number of factors confirmed.
    """
    if repeats < 3:
        return (Look(repeats, alpha / factors, True),)
    waves = (round(repeats / 3), round(2 * repeats / 3), repeats)
    return tuple(
        Look(wave, share * alpha / factors, wave == repeats) for wave, share in zip(waves, SHARES, strict=True)
    )


def stops(look: Look, *, decided: bool, estimate: float | None, harm_asked: bool = False) -> str | None:
    """Why to stop at this look ("complete", "effect", "no_sign_of_help"), or None to go on.

    `decided`: the rule, at this look's level, says *cause* or *harmful*. Without a sign of help so far it is not worth
    going on, unless harm is what was asked after.
    """
    if look.last:
        return "complete"
    if decided:
        return "effect"
    if estimate is not None and estimate <= 0 and not harm_asked:
        return "no_sign_of_help"
    return None
