"""What can be known of a state expression without a world: its operators, their operands, its patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reach_tui.core import pointer as pointers
from reach_tui.core.changes import WORLD
from reach_tui.suites.nodes import Entry, ListNode, MapNode, Mark, Node, ScalarNode, describe, short
from reach_tui.suites.patterns import pattern_trouble
from reach_tui.suites.problems import Problem
from reach_tui.suites.vocabulary import near_hint

COMPARABLE = ("$gt", "$gte", "$lt", "$lte")
OPERATORS = (
    "$in", *COMPARABLE, "$ne", "$regex", "$exists", "$absent", "$delta", "$any", "$all", "$unordered", "$pairs",
    "$approx",
)  # fmt: skip
_NOT_IN_CALLS = ("$delta",)
"""It counts from the initial state, which an argument does not have."""

Path = tuple[str | int, ...]


class Checker:
    """Collects what is wrong in the state parts of one file, and what is doubtful."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def _problem(self, mark: Mark, path: Path, message: str, actual: str, expected: str) -> None:
        field = pointers.join(map(str, path))
        self.problems.append(Problem(self.file, mark.line, mark.column, field, actual, expected, message))

    def initial_state(self, node: Node, path: Path) -> None:
        """Check data, in which `{$absent: true}` takes a record or field out."""
        self._reserved(node, path)
        self._data(node, path, may_remove=True)

    def data(self, node: Node, path: Path) -> None:
        """Check plain values, in which no operator may stand."""
        self._data(node, path, may_remove=False)

    def expected_state(self, node: Node, path: Path) -> None:
        """Check a state expression."""
        self._reserved(node, path)
        self._expression(node, path, ())

    def arguments(self, node: Node, path: Path) -> None:
        """Check argument patterns, a mapping of names to values or operators; a node of another kind is passed over."""
        if isinstance(node, MapNode):
            for name, entry in node.entries.items():
                self._expression(entry.node, (*path, name), _NOT_IN_CALLS)

    def pattern(self, node: Node, path: Path) -> None:
        """Check that a node is a scalar whose text can be read as a regular expression."""
        if not isinstance(node, ScalarNode) or node.value is None:
            self._problem(node.mark, path, f"expected a pattern, found {describe(node)}", describe(node), "a pattern")
            return
        if trouble := pattern_trouble(node.text):
            self._problem(node.mark, path, trouble, describe(node), "a regular expression")

    def _reserved(self, node: Node, path: Path) -> None:
        if isinstance(node, MapNode) and WORLD in node.entries:
            message = f"`{WORLD}` is the world's own table; set the clock with `now`"
            self._problem(node.entries[WORLD].mark, (*path, WORLD), message, WORLD, "tables of the sandbox")

    def _data(self, node: Node, path: Path, *, may_remove: bool) -> None:
        if isinstance(node, ListNode):
            for index, item in enumerate(node.items):
                self._data(item, (*path, index), may_remove=False)
        elif isinstance(node, MapNode):
            if may_remove and list(node.entries) == ["$absent"] and _value(node.entries["$absent"].node) is True:
                return
            for name, entry in node.entries.items():
                if name.startswith("$"):
                    message = f"`{short(name)}` is an operator; this is data"
                    hint = "; only {$absent: true} can stand here, to take something out" if may_remove else ""
                    self._problem(entry.mark, (*path, name), message + hint, short(name), "a plain value")
                else:
                    self._data(entry.node, (*path, name), may_remove=may_remove)
        else:
            self._doubt(node, path)

    def _doubt(self, node: ScalarNode, path: Path) -> None:
        """A fraction whose number does not give back the text that was typed, such as 1.10."""
        if node.plain and isinstance(node.value, float) and repr(node.value) != node.text:
            shown = short(node.text)
            message = f"{shown} is read as the number {node.value!r}; quote it if it is text"
            field = pointers.join(map(str, path))
            self.warnings.append(Problem(self.file, node.mark.line, node.mark.column, field, shown, "", message))

    def _expression(self, node: Node, path: Path, without: tuple[str, ...]) -> None:
        if isinstance(node, ScalarNode):
            self._doubt(node, path)
        elif isinstance(node, ListNode):
            for index, item in enumerate(node.items):
                self._expression(item, (*path, index), without)
        else:
            for name, entry in node.entries.items():
                if name.startswith("$"):
                    self._operator(name, entry, (*path, name), without)
                else:
                    self._expression(entry.node, (*path, name), without)

    def _operator(self, name: str, entry: Entry, path: Path, without: tuple[str, ...]) -> None:
        node = entry.node
        if name not in OPERATORS:
            message = f"unknown operator `{short(name)}`{near_hint(name, OPERATORS)}"
            self._problem(entry.mark, path, message, short(name), "one of " + " ".join(OPERATORS))
        elif name in without:
            self._problem(entry.mark, path, f"`{name}` has no meaning in an argument", name, "another operator")
        elif name in ("$any", "$all"):
            self._expression(node, path, without)
        elif name == "$regex":
            self.pattern(node, path)
        else:
            accepts, expected = _OPERANDS[name]
            if not accepts(node):
                message = f"`{name}` takes {expected}, found {describe(node)}"
                self._problem(node.mark, path, message, describe(node), expected)
            elif name == "$approx":
                self._data(node, path, may_remove=False)
            else:
                self._expression(node, path, without)


def _value(node: Node) -> object:
    return node.value if isinstance(node, ScalarNode) else None


def _is_number(node: Node) -> bool:
    return type(_value(node)) in (int, float)


def _is_ordered(node: Node) -> bool:
    value = _value(node)
    return _is_number(node) or (isinstance(value, str) and value != "")


def _is_flag(node: Node) -> bool:
    return isinstance(_value(node), bool)


def _is_delta(node: Node) -> bool:
    return _is_number(node) or (isinstance(node, MapNode) and bool(node.entries))


def _is_approx(node: Node) -> bool:
    if isinstance(node, ListNode):
        return len(node.items) == 2 and all(map(_is_number, node.items))
    if isinstance(node, MapNode):
        keys = set(node.entries)
        return "value" in keys and keys <= {"value", "abs", "rel"} and all(map(_is_number, _below(node)))
    return _is_number(node)


def _is_pairs(node: Node) -> bool:
    below = list(_below(node))
    lists = [child for child in below if isinstance(child, ListNode)]
    return len(lists) == len(below) >= 2 and len({len(child.items) for child in lists}) == 1


def _below(node: Node) -> Iterator[Node]:
    if isinstance(node, MapNode):
        yield from (entry.node for entry in node.entries.values())


def _is_list(node: Node) -> bool:
    return isinstance(node, ListNode)


def _is_anything(node: Node) -> bool:
    return True


_OPERANDS: dict[str, tuple[Callable[[Node], bool], str]] = {
    "$in": (_is_list, "a list of values"),
    "$ne": (_is_anything, "a value"),
    **dict.fromkeys(COMPARABLE, (_is_ordered, "a number or a text")),
    "$exists": (_is_flag, "true or false"),
    "$absent": (_is_flag, "true or false"),
    "$delta": (_is_delta, "a number, or an expression on the difference, such as {$gte: 1}"),
    "$unordered": (_is_list, "a list"),
    "$pairs": (_is_pairs, "two or more fields with lists of one length, such as {old: [A, B], new: [X, Y]}"),
    "$approx": (_is_approx, "a number, [number, tolerance], or {value: ..., abs: ..., rel: ...}"),
}
