"""Errors that a person can act on: what is wrong, where, and what to do."""

from __future__ import annotations


class ReachError(Exception):
    """Something could not be done. The command line prints it without a traceback and exits with `exit_code`."""

    exit_code = 3

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.hint})" if self.hint else text


class UsageError(ReachError):
    """The request itself is wrong: an unknown run, a bad option, two factors at once."""

    exit_code = 2
