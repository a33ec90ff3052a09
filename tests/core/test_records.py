"""Records become JSON and come back as they were; what does not fit is refused with its place."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import CheckResult, Claim, Deviation, Grading, MilestoneResult
from reach_tui.core.records import RecordError, from_json, to_json


@dataclass(frozen=True, slots=True)
class Leaf:
    word: Literal["a", "b"]
    number: float
    maybe: int | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    name: str
    leaves: tuple[Leaf, ...]
    pair: tuple[int, str]
    blob: bytes
    by_name: Mapping[str, Leaf]
    names: frozenset[str]
    below: Tree | None = None
    free: Any = None
    sure: bool = False
    with_default: Leaf = field(default_factory=lambda: Leaf("a", 1.0))


LEAVES = st.builds(
    Leaf, st.sampled_from(["a", "b"]), st.floats(allow_nan=False, allow_infinity=False), st.none() | st.integers()
)
TREES = st.recursive(
    st.none(),
    lambda below: st.builds(
        Tree,
        st.text(),
        st.lists(LEAVES, max_size=3).map(tuple),
        st.tuples(st.integers(), st.text()),
        st.binary(),
        st.dictionaries(st.text(), LEAVES, max_size=3),
        st.frozensets(st.text(), max_size=3),
        below,
        st.none() | st.integers() | st.text() | st.lists(st.booleans()),
        st.booleans(),
        LEAVES,
    ),
    max_leaves=4,
)


@given(TREES)
def test_a_record_comes_back_from_its_json_as_it_was(tree: Tree | None) -> None:
    if tree is not None:
        assert from_json(Tree, json.loads(json.dumps(to_json(tree)))) == tree


def test_a_grading_with_all_its_evidence_comes_back() -> None:
    grading = Grading(
        "1",
        b"\x00\xff",
        "failed",
        "why",
        "tool:wrong_tool",
        "agent",
        3,
        2,
        1,
        2,
        (CheckResult("state_wrong", True, "fail", "no", "/a", {"x": [1]}, None, 3),),
        (MilestoneResult("found", "missed"),),
        (Deviation("loop", 2, "again"),),
        (Claim(3, "done", supported=False),),
    )
    assert from_json(Grading, to_json(grading)) == grading


def test_keys_that_a_newer_program_wrote_pass() -> None:
    assert from_json(Leaf, {"word": "a", "number": 1, "later": {}}) == Leaf("a", 1)


def test_a_field_that_an_older_program_did_not_know_takes_its_default() -> None:
    assert from_json(Leaf, {"word": "b", "number": 2.5}).maybe is None


def test_an_absent_value_is_left_out_because_null_is_a_value() -> None:
    @dataclass(frozen=True)
    class Holder:
        value: Any = ABSENT

    assert to_json(Holder()) == {}
    assert to_json(Holder(None)) == {"value": None}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ([], "the whole value"),
        ({"number": 1}, "/word"),
        ({"word": "c", "number": 1}, "/word"),
        ({"word": "a", "number": True}, "/number"),
        ({"word": "a", "number": "1"}, "/number"),
        ({"word": "a", "number": 1, "maybe": 1.5}, "/maybe"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(body: Any, where: str) -> None:
    with pytest.raises(RecordError, match=f"^{where}: "):
        from_json(Leaf, body)


KEYS = st.sampled_from([*Tree.__annotations__, "word", "number"])
WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda below: st.lists(below) | st.dictionaries(KEYS, below),
    max_leaves=20,
)


@given(WILD)
def test_wild_json_is_a_record_or_a_record_error(body: Any) -> None:
    with contextlib.suppress(RecordError):
        assert isinstance(from_json(Tree, body), Tree)
