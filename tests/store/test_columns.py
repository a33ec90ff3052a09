"""Columns made of a record's fields: their names and their order, values in, records out."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, Literal

import pytest

from reach_tui.core.absent import ABSENT
from reach_tui.store.columns import Columns, as_is


@dataclass(frozen=True, slots=True)
class Size:
    """A record within a record."""

    wide: int
    high: float | None


@dataclass(frozen=True, slots=True)
class Thing:
    """A field of every kind that a column can hold."""

    name: str
    colour: Literal["red", "blue"] | None
    heavy: bool
    soft: bool | None
    facts: Mapping[str, Any]
    value: Any
    size: Size | None
    parts: tuple[str, ...] = ()
    late: int | None = None


THING = Columns(Thing, without=("parts",))
FULL = Thing("a", "red", True, False, {"k": [1]}, None, Size(2, 0.5), ("x",), 7)


def test_names_follow_the_fields_and_a_record_within_stands_for_its_own() -> None:
    assert THING.names == ("name", "colour", "heavy", "soft", "facts", "value", "wide", "high", "late")
    assert THING.insert("things", "id", tail="RETURNING id").startswith("INSERT INTO things(id, name, colour, heavy,")
    assert THING.assignments.split(", ")[6] == "wide = ?"


def test_a_record_comes_back_from_the_table_as_it_went_in() -> None:
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE TABLE things({', '.join(THING.names)})")
    db.execute(THING.insert("things"), THING.encode(FULL))
    row = db.execute(f"SELECT {THING.select} FROM things").fetchone()
    thing = THING.decode(row, parts=("x",))
    assert thing == FULL
    assert type(thing) is Thing
    with pytest.raises(FrozenInstanceError):
        thing.name = "b"  # type: ignore[misc]
    db.execute("UPDATE things SET wide = NULL, value = NULL, soft = NULL, facts = NULL")
    thing = THING.decode(db.execute(f"SELECT {THING.select} FROM things").fetchone())
    assert (thing.size, thing.value, thing.soft, thing.facts, thing.parts) == (None, ABSENT, None, {}, ())
    db.close()


def test_a_select_finds_records_under_their_alias_and_fields_where_it_is_told() -> None:
    joined = Columns(Thing, without=("parts", "value"), places={"": "t", "size": "s", "size.high": "coalesce(s.h, 1)"})
    assert joined.select == "t.name, t.colour, t.heavy, t.soft, t.facts, s.wide, coalesce(s.h, 1), t.late"


def test_texts_are_redacted_unless_they_are_this_programs_own() -> None:
    key = "sk-" + "a1B2" * 8
    thing = Thing(key, None, False, None, {}, ABSENT, Size(10**30, float("inf")))
    values = dict(zip(THING.names, THING.encode(thing), strict=True))
    assert key not in values["name"]
    assert (values["value"], values["wide"], values["high"]) == (None, 2**63 - 1, None)
    assert Columns(Thing, without=("parts",), encoders={"name": as_is}).encode(thing)[0] == key


def test_values_by_name_take_the_order_of_the_columns_and_defaults_for_what_is_missing() -> None:
    values = dict(zip(THING.names, THING.encode(FULL), strict=True))
    del values["late"]
    assert THING.of_mapping(dict(reversed(values.items()))) == (*THING.encode(FULL)[:-1], None)
    del values["name"]
    with pytest.raises(KeyError):
        THING.of_mapping(values)


def test_a_field_that_no_column_can_hold_is_named() -> None:
    with pytest.raises(TypeError, match="parts"):
        Columns(Thing).encode(FULL)
