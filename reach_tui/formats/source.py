"""Bytes of a file to JSON values, within bounds, whatever the file turns out to be."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MIB = 1024 * 1024
_DECODER = json.JSONDecoder(strict=False)
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
_BINARIES = (
    (b"PK\x03\x04", "a zip archive"), (b"\x1f\x8b", "a gzip archive"), (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"SQLite format 3\x00", "an SQLite database"), (b"%PDF", "a PDF document"), (b"\x89PNG", "an image"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is read before it is refused: a file, a line of it, levels of JSON, files and depth of a folder."""

    file_bytes: int = 512 * MIB
    line_chars: int = 64 * MIB
    depth: int = 200
    files: int = 20_000
    folders: int = 12


DEFAULT_BOUNDS = Bounds()


class Unreadable(Exception):
    """Why something could not be read, in words for a person; `line` where one can be named."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value that may be a trajectory. `line` is the line it begins on and `position` its place in a list, both
    from 1 and 0 where there is none to name."""

    line: int
    value: Any
    position: int = 0

    def problem(self, reason: str) -> Unreadable:
        """An Unreadable with `reason`, the record's position in front where it has one, and its line where known."""
        return Unreadable(f"record {self.position}: {reason}" if self.position else reason, self.line or None)


def records_of(values: Iterable[Any]) -> list[Record]:
    """The values of a list as records."""
    return [Record(0, value, position) for position, value in enumerate(values, 1)]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as JSON. `lines` tells that each record is a line of its own, otherwise there is one whole value.

    `problems` are records that could not be read: the value then holds what stood before and after them.
    """

    lines: bool
    records: tuple[Record, ...]
    problems: tuple[Unreadable, ...] = ()


def read_bytes(path: Path, bounds: Bounds = DEFAULT_BOUNDS) -> bytes:
    """A regular file's bytes. Raises Unreadable for anything else, and for what is too big or may not be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("not a regular file")
        if status.st_size > bounds.file_bytes:
            raise Unreadable(f"{status.st_size / MIB:,.0f} MiB; files over {bounds.file_bytes // MIB} MiB are not read")
        with path.open("rb") as file:
            data = file.read(bounds.file_bytes + 1)
    except OSError as error:
        raise Unreadable(error.strerror or type(error).__name__) from None
    if len(data) > bounds.file_bytes:
        raise Unreadable(f"it grew over {bounds.file_bytes // MIB} MiB while it was read")
    return data


def decode(data: bytes) -> str:
    """The text in `data`: UTF-8 with or without a mark, UTF-16 or 32 with one; bytes that are neither become U+FFFD.

    Raises Unreadable where it is plainly no text.
    """
    for magic, what in _BINARIES:
        if data.startswith(magic):
            raise Unreadable(f"not a trajectory: {what}")
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    text = data.decode("utf-8-sig", "replace")
    head = text[:4096]
    if head and head.count("\ufffd") + head.count("\0") > len(head) // 3 and head.strip("\0"):
        raise Unreadable("not a trajectory: binary data")
    return text


def load_json(text: str, bounds: Bounds = DEFAULT_BOUNDS) -> Any:
    """One JSON value. Bare NaN and infinities, control characters in strings and lone surrogates pass.

    Raises Unreadable with the line of the mistake, or where it is nested too deep.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not whole JSON: {error.msg} at column {error.colno}", error.lineno) from None
    except RecursionError:
        raise Unreadable(f"JSON nested deeper than {bounds.depth} levels") from None
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None
    check_depth(value, bounds.depth)
    return value


def check_depth(value: Any, limit: int) -> None:
    """Raise Unreadable where `value` is nested deeper than `limit`, without recursion."""
    level: list[Any] = [value]
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            raise Unreadable(f"JSON nested deeper than {limit} levels")
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(child for child in item.values() if isinstance(child, (dict, list)))
            elif isinstance(item, list):
                below.extend(child for child in item if isinstance(child, (dict, list)))
        level = below


def parse(text: str, bounds: Bounds = DEFAULT_BOUNDS) -> Parsed:
    """A file's text as one JSON value, as JSON lines, or as what can be saved of a torn JSON value.

    Raises Unreadable where nothing of it is JSON.
    """
    body = text.rstrip("\0 \t\r\n")
    if not body.strip("\0 \t\r\n"):
        raise Unreadable("the file is empty: 0 trajectories")
    try:
        return Parsed(False, (Record(0, load_json(body, bounds)),))
    except Unreadable as error:
        failure = error
    start = body.lstrip("\0 \t\r\n")
    if start[0] not in "[{" and "\n" not in start:
        raise Unreadable("not a trajectory: no JSON") from None
    lines = _read_lines(text, bounds)
    if lines is not None:
        return lines
    if start[0] not in "[{":
        raise Unreadable(f"not a trajectory: no JSON, it begins {' '.join(start[:40].split())!r}") from None
    saved = _save_torn(body, bounds)
    if saved is None:
        raise failure
    return saved


def _read_lines(text: str, bounds: Bounds) -> Parsed | None:
    """`text` as JSON lines, or None where it is not laid out so: then no line is an object or a list by itself."""
    records: list[Record] = []
    problems: list[Unreadable] = []
    whole = False
    for number, line in _numbered(text):
        # Lines of a printed JSON document are indented or lone brackets; a line of JSONL is neither.
        if line[0] in " \t" or line.strip() in ("[", "{", "]", "}", "],", "},"):
            if not records:
                return None
            line = line.strip()
        if len(line) > bounds.line_chars:
            problems.append(Unreadable(f"a line of more than {bounds.line_chars:,} characters", number))
            continue
        try:
            value = load_json(line, bounds)
        except Unreadable as error:
            problems.append(Unreadable(f"{error.reason}; the line may be cut off", number))
            continue
        whole = whole or isinstance(value, (dict, list))
        records.append(Record(number, value))
    return Parsed(True, tuple(records), tuple(problems)) if whole else None


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """(line number, line) of every line with something in it. Only a newline ends a line: U+2028 may be in a string."""
    for number, line in enumerate(text.split("\n"), 1):
        kept = line.strip("\0\r").rstrip()
        if kept.strip():
            yield number, kept


def _save_torn(text: str, bounds: Bounds) -> Parsed | None:
    """What can be saved of one broken JSON value: the whole items of the list that broke, and all before it."""
    at = _skip(text, 0)
    try:
        if text[at] == "[":
            items, problems = _whole_items(text, at, bounds)
            return Parsed(False, (Record(0, items),), tuple(problems)) if items else None
        saved: dict[str, Any] = {}
        at = _skip(text, at + 1)
        while at < len(text) and text[at] == '"':
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, at, ":")
            try:
                saved[key], at = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                if text[at : at + 1] != "[":
                    return None
                saved[key], problems = _whole_items(text, at, bounds)
                check_depth(saved, bounds.depth)
                return Parsed(False, (Record(0, saved),), tuple(problems)) if saved[key] else None
            at = _skip(text, at, ",")
    except (ValueError, IndexError, RecursionError, Unreadable):
        return None
    return None


def _whole_items(text: str, at: int, bounds: Bounds) -> tuple[list[Any], list[Unreadable]]:
    """The items of the list at `at` that parse. Behind a broken one, reading goes on at the next of its indentation."""
    items: list[Any] = []
    problems: list[Unreadable] = []
    first = _skip(text, at + 1)
    indent = text[text.rfind("\n", 0, first) : first] if "\n" in text[at:first] else None
    at = first
    while at < len(text) and text[at] != "]":
        try:
            value, at = _DECODER.raw_decode(text, at)
            check_depth(value, bounds.depth)
            items.append(value)
        except (ValueError, RecursionError, Unreadable) as error:
            line = text.count("\n", 0, at) + 1
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            problems.append(Unreadable(f"a record that is not whole JSON ({reason}); the file may be cut off", line))
            next_at = text.find(indent + "{", at + 1) if indent else -1
            if next_at < 0 or not indent:
                return items, problems
            at = next_at + len(indent)
            continue
        at = _skip(text, at, ",")
    if not problems:
        reason = "what follows the list is not JSON" if at < len(text) else "the list does not end: the file is cut off"
        problems.append(Unreadable(reason, text.count("\n", 0, min(at, len(text))) + 1))
    return items, problems


def _skip(text: str, at: int, also: str = "") -> int:
    while at < len(text) and text[at] in " \t\r\n" + also:
        at += 1
    return at
