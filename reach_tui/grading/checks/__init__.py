"""The checks of a grading, one idea a file. Each is a function of the evidence that lists `CheckResult`s."""

from __future__ import annotations

from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import CheckKind, CheckResult, CheckVerdict


def check(
    kind: CheckKind,
    held: bool | None,
    why: str,
    *,
    decides: bool = True,
    path: str | None = None,
    expected: Any = None,
    actual: Any = None,
    step: int | None = None,
) -> CheckResult:
    """A result; `held` None means that it could not be decided. A failed check that does not count says so."""
    verdict: CheckVerdict = "skipped" if held is None else "pass" if held else "fail"
    if verdict == "fail" and not decides:
        why = f"{why}; does not count"
    return CheckResult(
        kind,
        decides,
        verdict,
        why,
        path,
        None if expected is ABSENT else expected,
        None if actual is ABSENT else actual,
        step,
    )
