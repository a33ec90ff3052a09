"""Which writes were looked at again: a later successful read of what they wrote."""

from __future__ import annotations

from reach_tui.core import pointer as pointers
from reach_tui.core.trajectory import Step
from reach_tui.grading.evidence import Evidence, args_of, result_of, strings_in, succeeded, writes


def unread_writes(evidence: Evidence) -> tuple[Step, ...]:
    """The writes after which no successful read named a record that they changed or were about."""
    reads = [step for step in evidence.calls if succeeded(step) and not writes(step, evidence.specs)]
    return tuple(write for write in evidence.writes if not any(_reads(read, write, evidence) for read in reads))


def _reads(read: Step, write: Step, evidence: Evidence) -> bool:
    if read.n < write.n:
        return False
    names = _names(write, evidence)
    asked = {text.casefold() for text in strings_in(args_of(read))}
    if names & asked:
        return True
    spec, written = evidence.spec(read), evidence.spec(write)
    same_table = spec is not None and written is not None and spec.entity is not None and spec.entity == written.entity
    tables = {parts[0] for change in write.changes if (parts := _parts(change.pointer))}
    if same_table or (spec is not None and spec.entity in tables):
        text = result_of(read).casefold()
        return any(name in text for name in names)
    return False


def _names(write: Step, evidence: Evidence) -> set[str]:
    """The records that a write changed, and the one it was about, in lower case."""
    names = {parts[1].casefold() for change in write.changes if len(parts := _parts(change.pointer)) > 1}
    spec = evidence.spec(write)
    about = args_of(write).get(spec.entity_arg) if spec is not None and spec.entity_arg else None
    if isinstance(about, str) and about:
        names.add(about.casefold())
    return names


def _parts(pointer: str) -> tuple[str, ...]:
    return pointers.split(pointer) if pointer.startswith("/") else ()
