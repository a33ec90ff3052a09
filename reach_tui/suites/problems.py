"""What is wrong with a file, at which line and column, all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reach_tui.core.errors import UsageError
from reach_tui.core.text import one_line
from reach_tui.suites.nodes import short


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding in a file. `line` and `column` count from 1; `field` is a JSON Pointer into the file's content.

    `found` and `expected` say in words what stands there and what should; `message` is the whole in one sentence.
    """

    file: str
    line: int
    column: int
    field: str
    found: str
    expected: str
    message: str

    def __str__(self) -> str:
        place = f"{short(self.field, 200)}: " if self.field else ""
        return one_line(f"{self.file}:{self.line}:{self.column}: {place}{self.message}")

    def as_json(self) -> dict[str, str | int]:
        """All fields as plain JSON."""
        return {
            "file": self.file, "line": self.line, "column": self.column, "field": self.field,
            "found": self.found, "expected": self.expected, "message": self.message,
        }  # fmt: skip


class SuiteProblems(UsageError):
    """A file that cannot be used, with every problem in it. As text: one problem a line, in the file's order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = in_file_order(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def in_file_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sorted by position, each once."""
    unique = dict.fromkeys(problems)
    return tuple(sorted(unique, key=lambda problem: (problem.line, problem.column, problem.field, problem.message)))
