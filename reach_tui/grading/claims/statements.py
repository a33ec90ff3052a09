"""Said but not done: what the agent says it has done, against the writes that succeeded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core.grading import Claim
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import Step
from reach_tui.grading.claims.clauses import Clause, by_speaker, clauses, done_at, is_promise, phrase_at, said_as_done
from reach_tui.grading.claims.lexicon import ACT, THING, Concept, any_form, concepts_of
from reach_tui.grading.claims.rows import rows_claimed, values_stated
from reach_tui.grading.evidence import Evidence, args_of, result_of, strings_in, succeeded, writes
from reach_tui.grading.identifiers import ids_in, shape
from reach_tui.grading.state.expectations import Expected
from reach_tui.grading.wording import normal

# A status as systems write it; what people write (the text of a ticket) proves nothing.
_CODE = re.compile(r"[a-z]+(?:_[a-z]+)*")


@dataclass(frozen=True, slots=True)
class _Statement:
    """One clause that says that the work of one of `tools` is done, the likeliest first."""

    step: Step
    clause: Clause
    tools: tuple[ToolSpec, ...]


def claims_of(evidence: Evidence, rows: Sequence[Expected]) -> tuple[Claim, ...]:
    """Every claim of the agent's messages, in order. A statement that speaks of several rows is a claim on each."""
    writing = [spec for spec in evidence.specs.values() if spec.writes]
    claims: list[Claim] = []
    for message in evidence.messages:
        for clause in clauses(message.text):
            statement = _statement(message.step, clause, writing)
            if statement is not None:
                claims.extend(_claims(statement, evidence, rows))
            elif rows:
                claims.extend(values_stated(message.step, clause, evidence, rows))
    return tuple({(claim.step, claim.span, claim.pointer, claim.tool): claim for claim in claims}.values())


def _statement(step: Step, clause: Clause, writing: Sequence[ToolSpec]) -> _Statement | None:
    if not writing or not said_as_done(clause.normal):
        return None
    own = [(spec, phrase_at(spec.claims, clause.normal)) for spec in writing]
    # A phrase that a tool declares is surer than words made of its name.
    if all(at is None for _, at in own):
        own = [(spec, done_at(spec.name, clause.normal)) for spec in writing]
    tools = [spec for spec, at in own if at is not None and not is_promise(clause.normal[:at])]
    # 已提交订单 A100 的退款申请 is about the refund: an act says more than a thing that is made.
    tools.sort(key=lambda spec: -sum(concept.kind == ACT for concept in concepts_of(spec.name)))
    return _Statement(step, clause, tuple(tools)) if tools else None


def _claims(statement: _Statement, evidence: Evidence, rows: Sequence[Expected]) -> Iterator[Claim]:
    for tool, about, supported in _judged(statement, statement.clause.names, evidence):
        targets = rows_claimed(tool, about, rows, evidence)
        for pointer, value in targets:
            yield Claim(statement.step.n, statement.clause.text, pointer, value, supported, tool.name)
        if not targets:
            yield Claim(statement.step.n, statement.clause.text, supported=supported, tool=tool.name)


def _judged(
    statement: _Statement, names: tuple[str, ...], evidence: Evidence
) -> Iterator[tuple[ToolSpec, tuple[str, ...], bool | None]]:
    """(tool, names it is about, supported) for the clause, or for each record that it lists."""
    done = [step for step in evidence.writes if step.n <= statement.step.n or step.turn == statement.step.turn]
    tools = {spec.name for spec in statement.tools}
    own = [step for step in done if step.tool in tools]
    named = _of_its_kind(names, statement.tools[0], evidence)
    if len(named) > 1:
        for name in named:
            yield _supported(statement, (name,), [step for step in own if _touches(step, name)], done, evidence)
    else:
        kept = [step for step in own if not named or _touches(step, named[0])]
        yield _supported(statement, named, kept, done, evidence)


def _of_its_kind(names: tuple[str, ...], tool: ToolSpec, evidence: Evidence) -> tuple[str, ...]:
    """The names that can be records of the tool's table: there, or shaped like those that are. Others (a phone number,
    a related record) do not tell which record the claim is about. Without a state every name can."""
    table = evidence.history.initial.get(tool.entity or "")
    if not names or not evidence.history.initial:
        return names[:1]
    if not isinstance(table, dict):
        return ()
    if all(name in table for name in names):
        return names
    shapes = {shape(str(key)) for key in table}
    return tuple(name for name in names if name in table or shape(name) in shapes)


def _supported(
    statement: _Statement, about: tuple[str, ...], own: Sequence[Step], done: Sequence[Step], evidence: Evidence
) -> tuple[ToolSpec, tuple[str, ...], bool | None]:
    if own:
        tool = evidence.specs.get(own[-1].tool or "", statement.tools[0])
        return tool, about, True
    tool = statement.tools[0]
    if any(_brought_about(step, tool, about) for step in done):
        return tool, about, True
    if not by_speaker(statement.clause.normal) and _as_found(statement, tool, about, evidence):
        return tool, about, None
    return tool, about, False


def _brought_about(step: Step, tool: ToolSpec, about: tuple[str, ...]) -> bool:
    """Whether another tool's write did it on the side: a cancellation that pays the money back."""
    acts = [concept for concept in concepts_of(tool.name) if concept.kind == ACT]
    if not acts or (about and not any(_touches(step, name) for name in about)):
        return False
    codes = [text for change in step.changes for text in strings_in(change.new) if _CODE.fullmatch(text)]
    return _speak_of([*codes, step.tool or "", *_codes(_parsed(result_of(step)))], acts)


def _as_found(statement: _Statement, tool: ToolSpec, about: tuple[str, ...], evidence: Evidence) -> bool:
    """Whether the clause may only say how things stood: a record that was there, a status that a result has shown."""
    concepts = concepts_of(tool.name)
    acts = [concept for concept in concepts if concept.kind == ACT]
    if acts:
        return any(
            _shows(step, acts) and _is_about(step, about)
            for step in evidence.calls
            if step.n <= statement.step.n and succeeded(step) and not writes(step, evidence.specs)
        )
    things = [concept for concept in concepts if concept.kind == THING]
    tables = [name for name in evidence.history.initial if set(things) & set(concepts_of(str(name)))]
    records = [evidence.history.initial[name] for name in tables]
    return any(isinstance(table, dict) and name in table for table in records for name in statement.clause.names)


def _is_about(step: Step, about: tuple[str, ...]) -> bool:
    seen = [result_of(step), *strings_in(args_of(step))]
    return not about or any(name in text for name in about for text in seen)


def _shows(step: Step, acts: Sequence[Concept]) -> bool:
    text = result_of(step)
    value = _parsed(text)
    return _speak_of([text] if value is None else _codes(value), acts)


def _speak_of(words: Iterable[str], acts: Sequence[Concept]) -> bool:
    text = normal(" ".join(words)).replace("_", " ")
    return all(any_form(act).search(text) is not None for act in acts)


def _codes(value: Any) -> Iterator[str]:
    """The status words of a result: short codes among its values, and the keys under which there is something."""
    if isinstance(value, dict):
        for key, item in value.items():
            if (isinstance(item, (dict, list)) and item) or str(key).endswith("_id") or str(key).endswith("ed"):
                yield str(key)
            yield from _codes(item)
    elif isinstance(value, list):
        for item in value:
            yield from _codes(item)
    elif isinstance(value, str) and _CODE.fullmatch(value):
        yield value


def _parsed(text: str) -> Any:
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _touches(step: Step, name: str) -> bool:
    """Whether a write is about a record: its name in the arguments, the changed places, new values or the result."""
    folded = name.casefold()
    if any(text.casefold() == folded for text in strings_in(args_of(step))):
        return True
    if any(f"/{folded}/" in f"{change.pointer.casefold()}/" for change in step.changes):
        return True
    if any(text.casefold() == folded for change in step.changes for text in strings_in(change.new)):
        return True
    return folded in (token.casefold() for token in ids_in(result_of(step)))
