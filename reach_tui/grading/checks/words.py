"""What the agent must have said: required text (`must_include`) and facts to be told (`told`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reach_tui.core.grading import CheckKind, CheckResult
from reach_tui.core.task import AcceptableState
from reach_tui.grading.checks.make import check
from reach_tui.grading.evidence import Evidence
from reach_tui.grading.patterns import PatternTrouble
from reach_tui.grading.wording import entry_decides, entry_in_words, where_said


def word_checks(outcome: AcceptableState, evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each entry of `must_include` and `told`, in any message of the agent."""
    yield from _entries("text", outcome.must_include, evidence)
    yield from _entries("told", outcome.told, evidence)


def _entries(kind: CheckKind, entries: Sequence[Any], evidence: Evidence) -> Iterator[CheckResult]:
    verb = "told" if kind == "told" else "said"
    for entry in entries:
        words, decides = entry_in_words(entry), entry_decides(entry)
        try:
            step = where_said(entry, evidence.messages, evidence.value_at)
        except PatternTrouble as trouble:
            yield check(kind, None, str(trouble), decides=decides, expected=entry)
            continue
        if step is None:
            why = f"the user was never told {words}" if kind == "told" else f"no message of the agent holds {words}"
            yield check(kind, False, why, decides=decides, expected=entry)
        else:
            yield check(kind, True, f"{verb}: {words}", decides=decides, expected=entry, step=step.n)
