"""Reads YAML safely and without changing what its author typed.

Built on the parser's events, not on its loader: nothing is constructed but text, JSON-style numbers, true, false and
null (`nodes.typed`), every value keeps its place, and nothing is accepted and then dropped.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from reach_tui.core import pointer as pointers
from reach_tui.suites.nodes import (
    START,
    Entry,
    ListNode,
    MapNode,
    Mark,
    Node,
    ScalarNode,
    describe,
    short,
    typed,
)
from reach_tui.suites.problems import Problem
from reach_tui.suites.yaml_source import BREAK, MAX_DEPTH, TAB_MESSAGE, Refused, decode, syntax_error, too_deep

MAX_NODES = 300_000
MAX_CHARACTERS = 16 * 1024 * 1024
"""Of all scalars together, with every use of an anchor counted: what an alias bomb runs into."""

_SHOWN_DEPTH = 20
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STANDARD = "tag:yaml.org,2002:"
_STANDARD_TAGS = {_STANDARD + "str": "scalar", _STANDARD + "seq": "list", _STANDARD + "map": "map"}
_LEADING_TAB = re.compile(r"^ *\t", re.MULTILINE)
_TRAILING_COMMENT = re.compile(r"[ \t]+#[^ \t#!-]")


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content as a tree (None where it could not be read), with what is wrong and what is doubtful in it."""

    file: str
    text: str
    root: Node | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def read_yaml(data: bytes, file: str) -> Document:
    """The one YAML document in `data`. Never raises for what the file holds: see `problems`."""
    reader = _Reader(file)
    text, root = "", None
    try:
        text = decode(data)
        root = reader.read(text)
    except Refused as refused:
        reader.problem(refused.mark, refused.message, refused.actual, refused.expected)
    return Document(file, text, root, tuple(reader.problems), tuple(reader.warnings))


@dataclass(slots=True)
class _Cost:
    """What a node holds, all uses of anchors counted."""

    nodes: int = 1
    characters: int = 0
    height: int = 1


@dataclass(slots=True)
class _Frame:
    """A collection being read. `key` is the key whose value comes next."""

    kind: str
    mark: Mark
    anchor: str | None
    cost: _Cost
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    merges: list[tuple[Mark, Node]] = field(default_factory=list)
    key: tuple[str, Mark, bool] | None = None
    skip_value: bool = False


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.lines: list[str] = []
        self.anchors: dict[str, tuple[Node | None, _Cost, Mark]] = {}
        self.nodes = 0
        self.characters = 0
        self.scalar_lines: set[int] = set()
        self.tabs = False
        self.frames: list[_Frame] = []

    def problem(self, mark: Mark, message: str, actual: str = "", expected: str = "") -> None:
        self.problems.append(Problem(self.file, mark.line, mark.column, self.pointer(), actual, expected, message))

    def pointer(self) -> str:
        """The place that is being read."""
        if len(self.frames) > _SHOWN_DEPTH:
            return ""
        parts = [f.key[0] if f.key else str(len(f.items)) for f in self.frames if f.key or f.kind == "list"]
        return pointers.join(parts)

    def read(self, text: str) -> Node | None:
        self.lines = BREAK.split(text)
        self.tabs = bool(_LEADING_TAB.search(text))
        root: Node | None = None
        seen_document = False
        try:
            for event in yaml.parse(text, Loader=_LOADER):
                if isinstance(event, yaml.DocumentStartEvent):
                    if seen_document:
                        mark = _mark(event)
                        raise Refused(mark, "a second document begins here; a file holds one", "`---`", "one document")
                    seen_document = True
                    continue
                node = self.event(event)
                if node is not None:
                    root = node
        except yaml.YAMLError as error:
            raise syntax_error(error, self.lines) from None
        if root is None or (isinstance(root, ScalarNode) and root.value is None):
            raise Refused(START, "the file is empty", "nothing", "a mapping")
        self.check_tabs()
        return root

    def event(self, event: Any) -> Node | None:
        """Take one event; the root node when it is complete, else None."""
        if isinstance(event, yaml.ScalarEvent):
            return self.complete(self.scalar(event), _Cost(1, len(event.value)), event.anchor)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
            mark = _mark(event)
            if len(self.frames) >= MAX_DEPTH:
                raise too_deep(mark)
            self.tag(event.tag, kind, mark)
            self.charge(_Cost(), mark)
            self.anchor(event.anchor, mark)
            self.frames.append(_Frame(kind, mark, event.anchor, _Cost()))
            return None
        if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            frame = self.frames.pop()
            node: Node
            if frame.kind == "list":
                node = ListNode(tuple(frame.items), frame.mark)
            else:
                node = MapNode(self.merged(frame), frame.mark)
            return self.complete(node, frame.cost, frame.anchor, charged=True)
        if isinstance(event, yaml.AliasEvent):
            return self.complete(*self.alias(event), None)
        return None

    def scalar(self, event: Any) -> ScalarNode:
        mark = _mark(event)
        self.tag(event.tag, "scalar", mark)
        plain = bool(event.implicit[0]) and event.tag is None and not event.style
        text: str = event.value
        if not text.isascii() and _surrogate(text):
            raise Refused(mark, "an escape names half a character (a surrogate); write the character itself")
        if self.tabs:
            self.scalar_lines.update(range(event.start_mark.line + 1, event.end_mark.line + 1))
        value = typed(text) if plain else text
        if plain:
            self.doubt(event)
        return ScalarNode(text, plain, mark, value)

    def doubt(self, event: Any) -> None:
        """Warn where YAML itself drops what looks like the rest of a value: `order #A100`."""
        end = event.end_mark
        if end.line < len(self.lines) and _TRAILING_COMMENT.match(self.lines[end.line], end.column):
            rest = short(self.lines[end.line][end.column :].strip())
            message = f"'{rest}' after the value is a comment; quote the value if it belongs to it"
            mark = _mark(event)
            self.warnings.append(Problem(self.file, mark.line, mark.column, self.pointer(), rest, "", message))

    def tag(self, tag: str | None, kind: str, mark: Mark) -> None:
        if tag is None or tag == "!" or _STANDARD_TAGS.get(tag) == kind:
            return
        shown = "!!" + tag.removeprefix(_STANDARD) if tag.startswith(_STANDARD) else tag
        self.problem(mark, f"tags are not read here: {short(shown)}", short(shown), "a value without a tag")

    def anchor(self, name: str | None, mark: Mark) -> None:
        """An anchor begins. It has no node until that is finished, so that an alias inside itself is seen."""
        if name is None:
            return
        before = self.anchors.get(name)
        if before is not None:
            self.problem(
                mark,
                f"anchor &{short(name)} a second time (first in line {before[2].line})",
                f"&{short(name)}",
                "a name of its own",
            )
        self.anchors[name] = (None, _Cost(), mark)

    def alias(self, event: Any) -> tuple[Node, _Cost]:
        mark = _mark(event)
        name = event.anchor
        if name not in self.anchors:
            near = difflib.get_close_matches(name, self.anchors, 1)
            hint = f"; did you mean *{short(near[0])}?" if near else ""
            raise Refused(mark, f"no anchor &{short(name)} stands before this{hint}", f"*{short(name)}", "an anchor")
        node, cost, _ = self.anchors[name]
        if node is None:
            raise Refused(mark, f"*{short(name)} stands inside its own anchor", f"*{short(name)}", "an end")
        if len(self.frames) + cost.height > MAX_DEPTH:
            raise too_deep(mark)
        return node, cost

    def charge(self, cost: _Cost, mark: Mark) -> None:
        self.nodes += cost.nodes
        self.characters += cost.characters
        if self.nodes > MAX_NODES or self.characters > MAX_CHARACTERS:
            raise Refused(
                mark,
                f"the file unfolds to more than {MAX_NODES} values or {MAX_CHARACTERS} characters",
                "too many values",
                "a smaller file, or fewer uses of anchors",
            )

    def complete(self, node: Node, cost: _Cost, anchor: str | None, charged: bool = False) -> Node | None:
        """Put a finished node where it belongs."""
        if not charged:
            self.charge(cost, node.mark)
        if anchor is not None:
            if isinstance(node, ScalarNode):
                self.anchor(anchor, node.mark)
            self.anchors[anchor] = (node, cost, node.mark)
        if not self.frames:
            return node
        frame = self.frames[-1]
        frame.cost.nodes += cost.nodes
        frame.cost.characters += cost.characters
        frame.cost.height = max(frame.cost.height, cost.height + 1)
        if frame.kind == "list":
            frame.items.append(node)
        elif frame.key is None and not frame.skip_value:
            self.take_key(frame, node)
        else:
            self.take_value(frame, node)
        return None

    def take_key(self, frame: _Frame, node: Node) -> None:
        mark = node.mark
        if not isinstance(node, ScalarNode):
            self.problem(mark, f"a key must be text, not {describe(node)}", describe(node), "text")
            frame.skip_value = True
        elif node.plain and node.text == "":
            self.problem(mark, "a key is missing before `:`", "nothing", "a key")
            frame.skip_value = True
        else:
            frame.key = (node.text, mark, node.plain and node.text == "<<")

    def take_value(self, frame: _Frame, node: Node) -> None:
        if frame.skip_value or frame.key is None:
            frame.skip_value = False
            return
        name, mark, is_merge = frame.key
        if is_merge:
            if frame.merges:
                self.twice("<<", frame.merges[0][0], mark, "write one `<<: [*a, *b]`")
            frame.merges.append((mark, node))
        elif name in frame.entries:
            self.twice(name, frame.entries[name].mark, mark, "each key once")
        else:
            frame.entries[name] = Entry(name, mark, node)
        frame.key = None

    def twice(self, name: str, first: Mark, second: Mark, expected: str) -> None:
        shown = short(name)
        message = f"key `{shown}` twice: in line {first.line} and again in line {second.line}"
        self.problem(second, message, f"a second `{shown}`", expected)

    def merged(self, frame: _Frame) -> dict[str, Entry]:
        """The frame's own keys, then what `<<` brings and they do not have; of several merges the first wins."""
        entries = dict(frame.entries)
        for mark, node in frame.merges:
            for source in node.items if isinstance(node, ListNode) else (node,):
                if not isinstance(source, MapNode):
                    self.problem(mark, f"`<<` merges mappings, not {describe(source)}", describe(source), "a mapping")
                    continue
                for name, entry in source.entries.items():
                    entries.setdefault(name, Entry(name, entry.mark, entry.node, merged=True))
        return entries

    def check_tabs(self) -> None:
        """Tabs before the first word of a line, which the parser lets pass in some places."""
        if not self.tabs:
            return
        for number, line in enumerate(self.lines):
            if number not in self.scalar_lines and line.strip() and _LEADING_TAB.match(line):
                self.problem(Mark(number + 1, line.index("\t") + 1), TAB_MESSAGE, "a tab", "spaces")


def _mark(event: Any) -> Mark:
    return Mark(event.start_mark.line + 1, event.start_mark.column + 1)


def _surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def walk(node: Node, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    """Every node below (and with) `node`, with its path, in the file's order."""
    yield path, node
    if isinstance(node, ListNode):
        for index, item in enumerate(node.items):
            yield from walk(item, (*path, index))
    elif isinstance(node, MapNode):
        for name, entry in node.entries.items():
            yield from walk(entry.node, (*path, name))
