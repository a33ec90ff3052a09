"""The text of a YAML file, and its syntax errors in words: what can be refused before any value is read."""

from __future__ import annotations

import codecs
import re

import yaml

from reach_tui.suites.nodes import START, Mark, short

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 64
BREAK = re.compile(r"\r\n|\r|\n")
TAB_MESSAGE = "a tab; YAML is indented with spaces"

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "UTF-32"), (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"),
)  # fmt: skip


class Refused(Exception):
    """Reading cannot go on: where, why, what was found and what was expected."""

    def __init__(self, mark: Mark, message: str, actual: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.mark = mark
        self.message = message
        self.actual = actual
        self.expected = expected


def decode(data: bytes) -> str:
    """The text in `data`, without a byte order mark. Refused where it is too large, not UTF-8, or holds controls."""
    if len(data) > MAX_BYTES:
        limit = f"{MAX_BYTES // (1024 * 1024)} MiB"
        raise Refused(START, f"the file is larger than {limit}", "a larger file", f"at most {limit}")
    for start, name in _ENCODINGS:
        if data.startswith(start):
            raise Refused(START, f"the file is {name}; save it as UTF-8", name, "UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{data[error.start]:02x}"
        mark = _mark_at(data[: error.start].decode("utf-8"), error.start)
        raise Refused(mark, f"not UTF-8 ({byte}); save the file as UTF-8", byte, "UTF-8") from None
    text = text.removeprefix("\ufeff")
    bad = _FORBIDDEN.search(text)
    if bad:
        number = ord(bad.group())
        hint = f'write it as an escape in double quotes: "\\u{number:04x}"'
        raise Refused(
            _mark_at(text, bad.start()), f"control character U+{number:04X}; {hint}", f"U+{number:04X}", "text"
        )
    return text


def _mark_at(text: str, offset: int) -> Mark:
    before = BREAK.split(text[:offset])
    return Mark(len(before), len(before[-1]) + 1)


def syntax_error(error: yaml.YAMLError, lines: list[str]) -> Refused:
    """The parser's error in words that say what to do; `lines` are the file's."""
    mark, context = START, ""
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    if isinstance(error, yaml.MarkedYAMLError):
        at = error.problem_mark or error.context_mark
        if at is not None:
            mark = Mark(at.line + 1, at.column + 1)
        if error.context and error.context_mark is not None and error.context_mark.line != mark.line - 1:
            context = f" ({error.context}, begun in line {error.context_mark.line + 1})"
    line = lines[mark.line - 1] if mark.line <= len(lines) else ""
    here = line[mark.column - 1 : mark.column]
    if here == "\t" or " tab " in problem:
        return Refused(mark, TAB_MESSAGE, "a tab", "spaces")
    if "cannot start any token" in problem and here:
        return Refused(mark, f"a value cannot begin with `{short(here)}`; quote it", f"`{short(here)}`", "a value")
    if "nesting depth" in problem:
        return too_deep(mark)
    hint = ""
    if "mapping values are not allowed" in problem:
        hint = "; quote a text that holds `: `, or check the indentation"
    return Refused(mark, f"not valid YAML: {short(problem, 200)}{hint}{context}", short(line.strip()), "YAML")


def too_deep(mark: Mark) -> Refused:
    """The error for a value at `mark` that is nested deeper than MAX_DEPTH."""
    return Refused(mark, f"nested more than {MAX_DEPTH} deep", "deeper nesting", f"at most {MAX_DEPTH} levels")
