"""A message in sentences and clauses: the units within which a refusal, a promise or a name holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reach_tui.grading.identifiers import ids_in
from reach_tui.grading.tokens import normal

_SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|\.(?=\s|$)|$)", re.S)
_CLAUSE = re.compile(r"[，,](?!\d)|\s-\s|—|\s\b(?:but|however|although|though)\b|但是?|不过|可是|然而", re.IGNORECASE)
_ENDING_QUESTION = re.compile(r"[?？]\s*$")


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` as written, `normal` made comparable, `names` the ids it is about: its own, else those that its sentence
    has named before it (a clause that comes later may speak of something else).
    """

    text: str
    normal: str
    names: tuple[str, ...]


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a message, in order; those of questions are left out."""
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        if _ENDING_QUESTION.search(sentence):
            continue
        before: tuple[str, ...] = ()
        for piece in _CLAUSE.split(sentence):
            words = piece.strip(" \t\r\n。！!；;.*_#>`-")
            if words:
                before = ids_in(words) or before
                yield Clause(words, normal(words), before)
