"""The `--only` expression: which tasks of a suite are meant.

    expression := conjunction { ("," | "or") conjunction }
    conjunction := term { "and" term }
    term := "not" term | "(" expression ")" | FIELD OPERATOR VALUE | ID
    OPERATOR := = != < <= > >=

An ID or a VALUE after = and != may hold the wildcards * ? and [..]; quotes ("...") take away every special meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from reach_tui.core.errors import UsageError
from reach_tui.core.task import Task
from reach_tui.suites.nodes import short
from reach_tui.suites.vocabulary import DIFFICULTIES, KINDS, LEVELS, PRIORITIES, RISKS, near_hint

MAX_LENGTH = 10_000
MAX_DEPTH = 50
VOCABULARY = {
    "kind": KINDS, "priority": PRIORITIES, "difficulty": DIFFICULTIES, "risk": RISKS, "level": LEVELS,
}  # fmt: skip
NUMBERS = ("weight", "repeat")
ORDERED = ("priority", "risk", *NUMBERS)
FIELDS = ("id", "domain", "intent", "task_type", "sandbox", "judge", *VOCABULARY, *NUMBERS)

Test = Callable[[Task], bool]

_TOKEN = re.compile(
    r'\s*(?:(?P<mark>[(),])|(?P<operator><=|>=|!=|==?|<|>)|(?P<word>(?:"[^"]*"|[^\s(),=<>!"]|!(?!=))+))'
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b), "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b), ">=": lambda a, b: bool(a >= b),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    raw: str
    at: int

    @property
    def text(self) -> str:
        return self.raw.replace('"', "")

    @property
    def quoted(self) -> bool:
        return '"' in self.raw

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and not self.quoted and self.raw in words


def select(tasks: Iterable[Task], expression: str) -> tuple[Task, ...]:
    """The tasks that `expression` means, in their order.

    UsageError where it cannot be read, names an unknown field, id or value (the known ones are named), or means none.
    """
    tasks = tuple(tasks)
    test = _Parser(tasks, expression).parse()
    chosen = tuple(task for task in tasks if test(task))
    if not chosen:
        raise UsageError(f"no task is meant by `{short(expression, 80)}`", hint=f"the suite has {len(tasks)} tasks")
    return chosen


class _Parser:
    def __init__(self, tasks: Sequence[Task], expression: str) -> None:
        self.tasks = tasks
        self.expression = expression
        self.tokens = self._split(expression)
        self.next = 0
        self.depth = 0

    def _split(self, text: str) -> list[_Token]:
        if len(text) > MAX_LENGTH:
            raise UsageError(f"the expression is longer than {MAX_LENGTH} characters")
        tokens, at = [], 0
        end = len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._error("a quote is not closed" if '"' in text[at:] else "cannot be read", at)
            kind = str(match.lastgroup)
            tokens.append(_Token(kind, match.group(kind), match.start(kind)))
            at = match.end()
        return tokens

    def _error(self, what: str, at: int | None = None) -> UsageError:
        place = "" if at is None else f" at `{short(self.expression[at:].strip(), 30)}`"
        return UsageError(
            f"{what}{place} in `{short(self.expression, 80)}`",
            hint='examples: "AS-01*", "domain=after-sales and priority<=P1", "tag.cluster=refund, not kind=query"',
        )

    def _peek(self) -> _Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def _take(self) -> _Token | None:
        token = self._peek()
        self.next += token is not None
        return token

    def _has(self, mark: str = "", *words: str) -> bool:
        token = self._peek()
        return token is not None and ((token.kind == "mark" and token.raw == mark) or token.is_word(*words))

    def parse(self) -> Test:
        test = self._expression()
        rest = self._peek()
        if rest is not None:
            joined = "`and`, `or` or a comma is missing" if rest.kind == "word" else "there is something left over"
            raise self._error(joined, rest.at)
        return test

    def _expression(self) -> Test:
        tests = [self._conjunction()]
        while self._has(",", "or"):
            self._take()
            tests.append(self._conjunction())
        return tests[0] if len(tests) == 1 else lambda task: any(test(task) for test in tests)

    def _conjunction(self) -> Test:
        tests = [self._term()]
        while self._has("", "and"):
            self._take()
            tests.append(self._term())
        return tests[0] if len(tests) == 1 else lambda task: all(test(task) for test in tests)

    def _term(self) -> Test:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} deep")
        try:
            return self._read_term()
        finally:
            self.depth -= 1

    def _read_term(self) -> Test:
        token = self._take()
        if token is None:
            raise self._error("something is missing at the end")
        if token.is_word("not"):
            inner = self._term()
            return lambda task: not inner(task)
        if token.kind == "mark" and token.raw == "(":
            inner = self._expression()
            if not self._has(")"):
                raise self._error("a closing parenthesis is missing", token.at)
            self._take()
            return inner
        if token.kind != "word" or token.is_word("and", "or"):
            raise self._error("a task id or a field is missing", token.at)
        operator = self._peek()
        if operator is None or operator.kind != "operator":
            return self._id(token)
        self._take()
        value = self._take()
        if value is None or value.kind != "word":
            raise self._error(f"a value is missing after `{operator.raw}`", operator.at)
        return self._comparison(token, operator.raw, value)

    def _id(self, token: _Token) -> Test:
        return self._known_value("id", "task id", "=", token, lambda task: task.key)

    def _comparison(self, field: _Token, operator: str, value: _Token) -> Test:
        name = field.text
        if name.startswith("tag."):
            return self._tag(name, operator, value)
        if name not in FIELDS:
            known = (*FIELDS, *self._tag_names())
            message = f"unknown field `{short(name)}`{near_hint(name, known)}"
            raise UsageError(message, where="--only", hint=f"known: {', '.join(known)}")
        if operator in _COMPARE:
            return self._ordered(name, operator, value)
        if name in NUMBERS:
            number = self._number(name, value)
            equal = operator != "!="
            return lambda task: (_field(task, name) == number) is equal
        return self._known_value(name, name, operator, value, lambda task: _field(task, name))

    def _tag_names(self) -> list[str]:
        return sorted({f"tag.{name}" for task in self.tasks for name in task.body.get("tags") or {}})

    def _tag(self, name: str, operator: str, value: _Token) -> Test:
        known = self._tag_names()
        if name not in known:
            hint = f"tags in this suite: {', '.join(known)}" if known else "no task of this suite has tags"
            raise UsageError(f"no task has the tag `{short(name)}`{near_hint(name, known)}", where="--only", hint=hint)
        if operator in _COMPARE:
            raise self._error(f"`{operator}` needs a field with an order: {', '.join(ORDERED)}; a tag has = and !=")
        key = name.removeprefix("tag.")
        return self._known_value(name, name, operator, value, lambda task: (task.body.get("tags") or {}).get(key))

    def _ordered(self, name: str, operator: str, value: _Token) -> Test:
        compare = _COMPARE[operator]
        if name in NUMBERS:
            number = self._number(name, value)
            return lambda task: compare(_field(task, name), number)
        if name not in ORDERED:
            raise self._error(f"`{name}` has no order; {operator} works with {', '.join(ORDERED)}")
        ranks = {word: rank for rank, word in enumerate(VOCABULARY[name])}
        if value.text not in ranks:
            self._unknown(name, value.text, VOCABULARY[name])
        bound = ranks[value.text]
        return lambda task: compare(ranks[_field(task, name)], bound) if _field(task, name) in ranks else False

    def _number(self, name: str, value: _Token) -> float:
        try:
            return float(value.text)
        except ValueError:
            raise self._error(f"`{name}` is compared with a number, not `{short(value.text)}`", value.at) from None

    def _known_value(
        self, field: str, what: str, operator: str, value: _Token, read: Callable[[Task], str | None]
    ) -> Test:
        """Equal to, or not equal to, a value that means something in this suite."""
        text = value.text
        there = {field_value for task in self.tasks if (field_value := read(task)) is not None}
        if value.quoted or text in there or not set("*?[") & set(text):
            hits = there & {text}
        else:
            hits = {candidate for candidate in there if fnmatchcase(candidate, text)}
        vocabulary = VOCABULARY.get(field)
        meant = bool(hits) or (text in vocabulary if vocabulary else operator == "!=")
        if not meant:
            self._unknown(what, text, vocabulary or sorted(there))
        equal = operator != "!="
        return lambda task: (read(task) in hits) is equal

    def _unknown(self, what: str, text: str, known: Sequence[str]) -> None:
        shown = ", ".join(short(name) for name in known[:20]) + (
            f", … ({len(known)} in all)" if len(known) > 20 else ""
        )
        hint = f"known: {shown}" if known else f"no task of this suite has a {what}"
        raise UsageError(f"no {what} `{short(text)}`{near_hint(text, known)}", where="--only", hint=hint)


def _field(task: Task, name: str) -> Any:
    if name == "id":
        return task.key
    if name in ("weight", "repeat", "kind"):
        return getattr(task, name)
    return task.body.get(name)
