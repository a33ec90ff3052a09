"""Derailing events. A detector is a function of the evidence that yields `Deviation`s, with the steps that show them.

To add one of ours: such a function, its name in `DETECTORS`, a positive and a negative test; packages of others bring
theirs by entry point. False claims are found from the
claims of a trial, not from its evidence alone.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from reach_tui.core import plugins
from reach_tui.core.canonical import canonical
from reach_tui.core.code import code_digest
from reach_tui.core.grading import Claim, Deviation
from reach_tui.core.plugins import Registry
from reach_tui.core.trajectory import FAULT, LATE, Step
from reach_tui.grading.evidence import Evidence, args_of, result_of, strings_in, succeeded, writes
from reach_tui.grading.identifiers import looks_like_id

Detector = Callable[[Evidence], Iterator[Deviation]]

LOOP, BLIND_RETRY, UNGROUNDED, ABANDONED = "loop", "blind_retry", "ungrounded_argument", "abandoned_error"
UNCONFIRMED, FALSE_CLAIM = "unconfirmed_write", "false_claim"

FLAGGED_FROM = 3
"""Equal failing calls in a row: the second may be a slip, from the third on nothing was learned from the error."""
_JOINTS = re.compile(r"[\s\-_#]+")


def deviations_of(evidence: Evidence, claims: Sequence[Claim]) -> tuple[Deviation, ...]:
    """Every deviation of a trial, by step."""
    deviations = [deviation for detector in DETECTORS for deviation in detector(evidence)]
    for name, detector in INSTALLED.usable():
        try:
            deviations.extend(detector(evidence))
        except Exception:
            # A stranger's detector that breaks finds nothing; the grading is made without it.
            print(f"reach: the detector {name} broke on task {evidence.task.key}", file=sys.stderr)
            traceback.print_exc(file=sys.stderr)
    deviations.extend(false_claims(claims))
    return tuple(sorted(deviations, key=lambda deviation: deviation.step))


def loops(evidence: Evidence) -> Iterator[Deviation]:
    """Equal calls with equal results, more of them than the task's `limits.loop`, with no state change between.

    One deviation a loop, from its first call to its last. Other calls may come between: a cycle is a loop too. The
    guard of a running trial has the same rule; polling tools are exempt.
    """
    max_equal_calls = evidence.task.limits.loop
    if max(Counter(step.tool for step in evidence.calls).values(), default=0) <= max_equal_calls:
        return
    calls: dict[tuple[str, str, str], list[Step]] = {}
    for step in evidence.trajectory.steps:
        if step.changes:
            yield from _loops_among(calls, max_equal_calls)
            calls = {}
        elif step.kind == "call" and step.body.get("requestor") != "user":
            spec = evidence.spec(step)
            if spec is None or not spec.polling:
                calls.setdefault((step.tool or "", _arguments(step), result_of(step)), []).append(step)
    yield from _loops_among(calls, max_equal_calls)


def _loops_among(calls: dict[tuple[str, str, str], list[Step]], max_equal_calls: int) -> Iterator[Deviation]:
    for steps in calls.values():
        if len(steps) > max_equal_calls:
            tool = steps[0].tool
            words = f"{tool} called {len(steps)} times with equal arguments and results, nothing changed between"
            yield Deviation(LOOP, steps[0].n, words, tool, steps[-1].n)


def _arguments(step: Step) -> str:
    args = step.body.get("args")
    return canonical(args if args is not None else step.body.get("raw"))


def blind_retries(evidence: Evidence) -> Iterator[Deviation]:
    """A call that has just failed, made again unchanged: one deviation an episode of FLAGGED_FROM or more in a row.

    Calls that an injected fault or the clock broke may be tried again, and so may polling tools.
    """
    for failing_call, group in groupby(evidence.calls, key=lambda step: _failing_call(step, evidence)):
        steps = list(group)
        if len(steps) >= FLAGGED_FROM and failing_call is not None:
            tool = steps[0].tool
            words = f"{tool} tried {len(steps)} times unchanged after its own error: {result_of(steps[0])[:200]}"
            yield Deviation(BLIND_RETRY, steps[0].n, words, tool, steps[-1].n)


def _failing_call(step: Step, evidence: Evidence) -> tuple[str, str] | None:
    spec = evidence.spec(step)
    if succeeded(step) or step.flags & (FAULT | LATE) or (spec is not None and spec.polling):
        return None
    return step.tool or "", _arguments(step)


def ungrounded_arguments(evidence: Evidence) -> Iterator[Deviation]:
    """A record named in a call that nobody had mentioned and no result had shown: one deviation for each id-shaped
    value on its first use, where it stands in no earlier words of the user, no earlier result and nowhere in the tool's
    own definition.

    Only ids are looked at: amounts and dates may be worked out, free text may be composed. Spelling with or without
    hyphens, spaces and letter case is one. An id that is part of what was shown counts as shown.
    """
    shown: list[str] = []
    flagged: set[str] = set()
    for step in evidence.trajectory.steps:
        if step.kind == "call" and step.body.get("requestor") != "user":
            for text in strings_in(args_of(step)):
                if not looks_like_id(text) or text in flagged or _stands_in(text, shown):
                    continue
                spec = evidence.spec(step)
                if spec is not None and _stands_in(text, [spec.view.description, canonical(spec.view.parameters)]):
                    continue
                flagged.add(text)
                words = f"{step.tool} was given {text!r}, which no user turn and no earlier result had shown"
                yield Deviation(UNGROUNDED, step.n, words, step.tool)
        if step.kind in ("user", "call"):
            shown.append(result_of(step) if step.kind == "call" else step.text)


def _stands_in(name: str, texts: Sequence[str]) -> bool:
    if any(name in text for text in texts):
        return True
    plain = _without_joints(name)
    return any(plain in _without_joints(text) for text in texts)


def _without_joints(text: str) -> str:
    return _JOINTS.sub("", text.casefold())


def abandoned_errors(evidence: Evidence) -> Iterator[Deviation]:
    """At most one deviation: the last failed write after which no write succeeded, where the task is an action.

    In a query or a refusal, leaving a failed write alone is what should happen.
    """
    step = last_failed_write(evidence)
    if step is not None and evidence.task.kind == "action":
        words = f"{step.tool} failed and no write succeeded after it: {result_of(step)[:200]}"
        yield Deviation(ABANDONED, step.n, words, step.tool)


def last_failed_write(evidence: Evidence) -> Step | None:
    """The last failed call of a writing tool that no successful write followed."""
    last_success = evidence.writes[-1].n if evidence.writes else 0
    failed = [step for step in evidence.calls if not succeeded(step) and writes(step, evidence.specs)]
    return failed[-1] if failed and failed[-1].n > last_success else None


def unconfirmed_writes(evidence: Evidence) -> Iterator[Deviation]:
    """One deviation a trial, at the first write that was not read back. It is about the process and derails nothing."""
    unread = unread_writes(evidence)
    if unread:
        names = ", ".join(dict.fromkeys(str(step.tool) for step in unread))
        words = f"{names} never read back" if len(unread) == 1 else f"{len(unread)} writes never read back: {names}"
        yield Deviation(UNCONFIRMED, unread[0].n, words, unread[0].tool, unread[-1].n)


def unread_writes(evidence: Evidence) -> tuple[Step, ...]:
    """The writes after which no successful read named a record that they changed or were about."""
    reads = [step for step in evidence.calls if succeeded(step) and not writes(step, evidence.specs)]
    return tuple(write for write in evidence.writes if not any(_reads_back(read, write, evidence) for read in reads))


def _reads_back(read: Step, write: Step, evidence: Evidence) -> bool:
    if read.n < write.n:
        return False
    names = _records_of(write, evidence)
    if names & {text.casefold() for text in strings_in(args_of(read))}:
        return True
    spec, written = evidence.spec(read), evidence.spec(write)
    same_table = spec is not None and written is not None and spec.entity is not None and spec.entity == written.entity
    tables = {change.parts[0] for change in write.changes if change.parts}
    if same_table or (spec is not None and spec.entity in tables):
        text = result_of(read).casefold()
        return any(name in text for name in names)
    return False


def _records_of(write: Step, evidence: Evidence) -> set[str]:
    """The records that a write changed, and the one it was about, in lower case."""
    names = {change.parts[1].casefold() for change in write.changes if len(change.parts) > 1}
    spec = evidence.spec(write)
    about = args_of(write).get(spec.entity_arg) if spec is not None and spec.entity_arg else None
    if isinstance(about, str) and about:
        names.add(about.casefold())
    return names


def false_claims(claims: Sequence[Claim]) -> Iterator[Deviation]:
    """One deviation for each statement that claims a tool's work and that no successful write supports."""
    seen = set()
    for claim in claims:
        if claim.supported is False and claim.tool is not None and (claim.step, claim.span, claim.tool) not in seen:
            seen.add((claim.step, claim.span, claim.tool))
            words = f"said {claim.span!r}, and no {claim.tool} had succeeded"
            yield Deviation(FALSE_CLAIM, claim.step, words, claim.tool)


DETECTORS: tuple[Detector, ...] = (
    loops, blind_retries, ungrounded_arguments, abandoned_errors, unconfirmed_writes,
)  # fmt: skip

INSTALLED: Registry[Detector] = Registry(
    plugins.DETECTORS, "detector", lambda loaded: "" if callable(loaded) else f"{type(loaded).__name__} is no function"
)
"""Those that packages of others bring; they run beside ours."""


@lru_cache(maxsize=1)
def installed_version() -> str:
    """What the installed detectors add to the grader's version: their names and the digests of their code, or nothing.

    Gradings by other detectors are not compared with each other as if they were alike.
    """
    known = [(name, code_digest(detector.__module__)[:8]) for name, detector in INSTALLED.usable()]
    return "".join(f"+{name}@{digest}" for name, digest in known)
