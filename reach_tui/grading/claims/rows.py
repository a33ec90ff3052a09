"""Which expected rows a claim speaks of, and which value it thereby gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.equality import is_number
from reach_tui.core.grading import Claim
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import Step
from reach_tui.grading.claims.clauses import Clause, is_denied, is_promise
from reach_tui.grading.claims.lexicon import Concept, concepts_of
from reach_tui.grading.evidence import Evidence, strings_in
from reach_tui.grading.state.expectations import ALL, ANY, VALUE, Expected
from reach_tui.grading.state.expressions import is_operator
from reach_tui.grading.wording import holds_text, normal

SHORTEST_WORD = 6
"""Cells from which a stated value counts as a status word; shorter ones stand in too many sentences."""


def rows_claimed(
    tool: ToolSpec, about: Sequence[str], rows: Sequence[Expected], evidence: Evidence
) -> list[tuple[str, Any]]:
    """(pointer, claimed value) of every expected row that a claim of the tool's work, on these names, speaks of.

    Rows about those records come first; among them only those that share an idea with the tool's name, if any does.
    Without names, the rows of the tool's table or idea.
    """
    names = {name.casefold() for name in about}
    ideas = set(concepts_of(tool.name))
    near = [row for row in rows if _is_about(row, names)] if names else [row for row in rows if row.parts]
    shared = [row for row in near if ideas & _ideas(row)]
    if not shared:
        shared = [row for row in near if row.parts and row.parts[0] == tool.entity]
    claimed = [(row.path, claimed_value(row, evidence)) for row in shared]
    return [(path, value) for path, value in claimed if value is not ABSENT]


def claimed_value(row: Expected, evidence: Evidence) -> Any:
    """The value a row has if the work is done; ABSENT where the expression does not say."""
    if row.form in (ANY, ALL):
        return row.shown
    expression = row.expression
    if row.record is not None or not (isinstance(expression, dict) and any(map(is_operator, expression))):
        return row.shown
    initial = pointers.get_parts(evidence.history.initial, row.parts)
    delta = expression.get("$delta")
    if is_number(delta) and is_number(initial):
        return initial + delta
    if len(expression) == 1 and "$unordered" in expression:
        return row.shown
    return expression


def values_stated(step: Step, clause: Clause, evidence: Evidence, rows: Sequence[Expected]) -> Iterator[Claim]:
    """Plain statements of a field: a record's name with a value that its expected row has, had or should have."""
    names = {name.casefold() for name in clause.names}
    if not names:
        return
    for row in rows:
        if row.form != VALUE or row.record is not None or len(row.parts) < 3 or row.parts[1].casefold() not in names:
            continue
        actual = evidence.history.value(row.parts, step.n)
        initial = pointers.get_parts(evidence.history.initial, row.parts)
        stated = [value for value in (row.shown, actual, initial) if _is_word(value) and _states(clause, value)]
        if stated:
            value = stated[0]
            yield Claim(step.n, clause.text, row.path, value, value == actual)


def _states(clause: Clause, value: str) -> bool:
    text = clause.normal.replace("_", " ")
    word = normal(value).replace("_", " ")
    return holds_text(text, word) and not is_denied(text) and not is_promise(text[: text.find(word)])


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and sum(1 if c.isascii() else 2 for c in value) >= SHORTEST_WORD


def _is_about(row: Expected, names: set[str]) -> bool:
    if len(row.parts) > 1 and row.parts[1].casefold() in names:
        return True
    if any(part.casefold().startswith(f"{name}-") for part in row.parts[1:2] for name in names):
        return True
    return any(text.casefold() in names for text in strings_in(row.expression))


def _ideas(row: Expected) -> set[Concept]:
    # A field's own name says more than its table's: the address of an order, not the order.
    named = row.parts[2:] or row.parts[:1]
    words = [*named, *(text for text in strings_in(row.expression) if len(text) < 40)]
    return {concept for word in words for concept in concepts_of(word)}
