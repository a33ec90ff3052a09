"""YAML in: what was typed stays as typed, everything has its place, nothing is dropped without a word."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from reach_tui.suites import yaml_text
from reach_tui.suites.nodes import Mark, find, value_of
from reach_tui.suites.yaml_source import MAX_BYTES
from reach_tui.suites.yaml_text import read_yaml, walk


@pytest.fixture(params=["with libyaml", "pure Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs on both parsers: libyaml is not there on every machine."""
    if request.param == "pure Python":
        monkeypatch.setattr(yaml_text, "_LOADER", yaml.SafeLoader)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")
    return str(request.param)


def value(text: str) -> Any:
    document = read_yaml(text.encode(), "f.yaml")
    assert document.problems == ()
    assert document.root is not None
    return value_of(document.root)


def problems(text: str | bytes) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return [str(problem) for problem in read_yaml(data, "f.yaml").problems]


@pytest.mark.parametrize(
    "typed",
    [
        "0123", "00", "0o17", "0x1F", "0b11", "1e3", "1.5e3", "1_000", "+5", ".5", "5.", "-0", "12:30", "190:20:30",
        "no", "NO", "No", "yes", "Yes", "on", "off", "y", "n", "True", "TRUE", "False", "Null", "NULL", ".inf", ".nan",
        "-.INF", "NaN", "Infinity", "2024-05-01", "2024-05-01T10:00:00Z", "2001-12-14 21:59:43.10", "=", "1.2.3",
        "٣", "１２", "--", "-x", "1 2", "0.0.0", "007", "9" * 4001,
    ],
)  # fmt: skip
def test_what_is_no_json_number_stays_the_text_as_typed(typed: str) -> None:
    assert value(f"a: {typed}\nb: [{typed}]\n") == {"a": typed, "b": [typed]}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("3", 3), ("0", 0), ("-7", -7), ("12345678901234567890123", 12345678901234567890123), ("9.5", 9.5),
        ("-0.25", -0.25), ("0.1", 0.1), ("true", True), ("false", False), ("null", None), ("~", None), ("", None),
    ],
)  # fmt: skip
def test_plain_json_scalars_are_typed(typed: str, expected: object) -> None:
    scalar = value(f"a: {typed}")["a"]
    assert scalar == expected
    assert type(scalar) is type(expected)


@pytest.mark.parametrize("typed", ["3", "9.5", "true", "null", "~", "", "0123"])
def test_quoted_and_block_scalars_are_always_text(typed: str) -> None:
    assert value(f"a: '{typed}'\nb: \"{typed}\"\n") == {"a": typed, "b": typed}
    if typed:
        assert value(f"a: |-\n  {typed}\nb: >-\n  {typed}\nc: !!str {typed}\n") == {"a": typed, "b": typed, "c": typed}


def test_what_is_read_survives_json_unchanged() -> None:
    data = value("a: [0123, 1e3, 12:30, no, 2024-05-01, 3, 9.5, true, null]\nb: {1: x, true: y, ~: z, 1.50: w}\n")
    assert json.loads(json.dumps(data)) == data
    assert data["b"] == {"1": "x", "true": "y", "~": "z", "1.50": "w"}


def test_a_key_twice_is_refused_with_both_lines_wherever_it_stands() -> None:
    text = "a: 1\nb:\n  - {c: 1, d: 2, c: 3}\n  - e: 1\n    'e': 2\na: 2\n1: x\n'1': y\n"
    assert problems(text) == [
        "f.yaml:3:18: /b/0/c: key `c` twice: in line 3 and again in line 3",
        "f.yaml:5:5: /b/1/e: key `e` twice: in line 4 and again in line 5",
        "f.yaml:6:1: /a: key `a` twice: in line 1 and again in line 6",
        "f.yaml:8:1: /1: key `1` twice: in line 7 and again in line 8",
    ]


def test_own_keys_go_over_merged_ones_and_the_first_merge_wins() -> None:
    text = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {<<: [*x, *y], c: 3}\nw: {c: 4, <<: *y}\n'<<': plain\n"
    data = value(text)
    assert data["z"] == {"a": 1, "b": 1, "c": 3}
    assert data["w"] == {"c": 4, "b": 2}
    assert data["<<"] == "plain"


def test_a_merge_of_something_else_and_a_second_merge_are_refused() -> None:
    assert problems("a: &a [1]\nb: {<<: *a}\nc: {<<: {d: 1}, <<: {e: 1}}\n") == [
        "f.yaml:2:5: /b: `<<` merges mappings, not the number 1",
        "f.yaml:3:17: /c/<<: key `<<` twice: in line 3 and again in line 3",
    ]


def test_two_uses_of_an_anchor_share_nothing() -> None:
    data = value("a: &a {list: [1], map: {k: v}}\nb: *a\nc: {<<: *a}\n")
    data["b"]["list"].append(2)
    data["c"]["map"]["k"] = "w"
    assert data["a"] == {"list": [1], "map": {"k": "v"}}
    assert data["b"]["map"] == {"k": "v"}


def test_an_anchor_twice_an_unknown_alias_and_an_alias_in_itself_are_refused() -> None:
    assert problems("a: &k 1\nb: &k 2\n") == ["f.yaml:2:4: /b: anchor &k a second time (first in line 1)"]
    assert problems("a: &base 1\nb: *bse\n") == [
        "f.yaml:2:4: /b: no anchor &bse stands before this; did you mean *base?"
    ]
    assert problems("a: &a [1, [*a]]\n") == ["f.yaml:1:12: /a/1/0: *a stands inside its own anchor"]


def test_alias_bombs_are_refused_before_they_unfold() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    [message] = problems("\n".join(lines))
    assert "unfolds to more than" in message
    long = "x" * 100_000
    [message] = problems(f"a: &a {long}\nb: [{', '.join(['*a'] * 1000)}]\n")
    assert "unfolds to more than" in message


def test_nesting_has_an_end_also_by_way_of_aliases() -> None:
    assert problems("[" * 70 + "]" * 70) == ["f.yaml:1:65: nested more than 64 deep"]
    assert problems("[" * 3000)[0].endswith("nested more than 64 deep")
    lines = ["a0: &a0 [x]", *(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 70))]
    assert problems("\n".join(lines))[0].endswith("nested more than 64 deep")


def test_large_files_and_other_encodings_are_refused_by_name() -> None:
    assert problems(b"a: " + b"x" * MAX_BYTES) == ["f.yaml:1:1: the file is larger than 4 MiB"]
    assert problems("a: é\n".encode("utf-16")) == ["f.yaml:1:1: the file is UTF-16; save it as UTF-8"]
    assert problems("a: 1\nb: é\n".encode("latin-1")) == ["f.yaml:2:4: not UTF-8 (byte 0xe9); save the file as UTF-8"]
    assert value("\ufeffa: 1") == {"a": 1}


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"])
def test_control_characters_are_refused_with_the_escape_to_write(character: str) -> None:
    [message] = problems(f"a: 1\nb: x{character}y\n")
    assert message.startswith(f"f.yaml:2:5: control character U+{ord(character):04X}; write it as an escape")
    assert value(f'a: "x\\u{ord(character):04x}y"') == {"a": f"x{character}y"}


@pytest.mark.parametrize(
    "text", ["a:\n\tb: 1\n", "{a: 1,\n\tb: 2}\n", "a: 1\n\tb: 2\n", "- \tid: 1\n", "a:\n  - b\n \t- c\n"]
)
def test_tabs_in_the_indentation_are_refused_as_tabs(text: str) -> None:
    [message] = problems(text)
    assert message.endswith("a tab; YAML is indented with spaces")


def test_tabs_inside_of_text_are_text() -> None:
    assert value('a: "x\ty"\nb: |\n  x\ty\n  \tz\n# \tcomment\n') == {"a": "x\ty", "b": "x\ty\n\tz\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: the file is empty"),
        ("# only a comment\n", "1:1: the file is empty"),
        ("---\na: 1\n---\nb: 2\n", "3:1: a second document begins here; a file holds one"),
        ("a: @b", "1:4: /a: a value cannot begin with `@`; quote it"),
        ("a: `b`", "1:4: /a: a value cannot begin with ```; quote it"),
        ("a: !!python/object:os.system x", "1:4: /a: tags are not read here: !!python/object:os.system"),
        ("a: !env HOME", "1:4: /a: tags are not read here: !env"),
        ("a: !!int 3", "1:4: /a: tags are not read here: !!int"),
        ("? [x]\n: 1\n", "1:3: a key must be text, not a list of 1"),
        ("?\n: 1", "1:2: a key is missing before `:`"),
        ('a: "\\ud83d"', "1:"),
    ],
)
def test_what_a_suite_cannot_use_is_refused_in_words(text: str, expected: str) -> None:
    assert problems(text)[0].startswith("f.yaml:" + expected)


def test_syntax_errors_name_the_place_and_what_to_do() -> None:
    [message] = problems("a: 1\nb: c: d\n")
    assert message.startswith("f.yaml:2:5: ")
    assert "quote a text that holds `: `" in message
    [message] = problems("a: [1,\nb: 2\nc: 3\n")
    assert "begun in line 1" in message


def test_a_comment_that_looks_like_the_rest_of_a_value_is_pointed_out() -> None:
    document = read_yaml(b"a: order #A100\nb: high  # five repeats\nc: 'x' #y\nd: [p, q] #z\n", "f.yaml")
    assert [str(warning) for warning in document.warnings] == [
        "f.yaml:1:4: /a: '#A100' after the value is a comment; quote the value if it belongs to it"
    ]


def test_every_value_has_its_line_and_column_in_characters() -> None:
    document = read_yaml("退款:\n  - {单: A, k: [x, 值]}\n".encode(), "f.yaml")
    assert document.root is not None
    places = {"/".join(map(str, path)): node.mark for path, node in walk(document.root)}
    assert places["退款/0/单"] == Mark(2, 9)
    assert places["退款/0/k/1"] == Mark(2, 19)
    assert find(document.root, ("退款", 0, "k"), at_key=True)[0] == Mark(2, 12)
