"""Ungrounded argument: a record named in a call that nobody had mentioned and no result had shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reach_tui.core.canonical import canonical
from reach_tui.core.grading import Deviation
from reach_tui.grading.evidence import Evidence, args_of, result_of, strings_in
from reach_tui.grading.identifiers import looks_like_id

DETECTOR = "ungrounded_argument"
_JOINTS = re.compile(r"[\s\-_#]+")


def ungrounded_arguments(evidence: Evidence) -> Iterator[Deviation]:
    """One deviation for each id-shaped value on its first use, where it stands in no earlier words of the user, no
    earlier result and nowhere in the tool's own definition.

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
                yield Deviation(DETECTOR, step.n, words, step.tool)
        if step.kind in ("user", "call"):
            shown.append(result_of(step) if step.kind == "call" else step.text)


def _stands_in(name: str, texts: Sequence[str]) -> bool:
    if any(name in text for text in texts):
        return True
    plain = _plain(name)
    return any(plain in _plain(text) for text in texts)


def _plain(text: str) -> str:
    return _JOINTS.sub("", text.casefold())
