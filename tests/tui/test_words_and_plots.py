"""Numbers, wrapped text and small plots: few cells, and always the cells they promise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.core.trajectory import Step
from reach_tui.present import layout, numbers, plots, values
from reach_tui.present.alignment import align, first_divergence
from reach_tui.present.difference import difference_lines
from reach_tui.present.layout import width
from reach_tui.present.step_marks import following

anything = st.text(st.characters(exclude_categories=()), max_size=200)
wide = st.text(st.sampled_from("ab 退款京タ한👩\u200d💻⚠️e\u0301\n\t"), max_size=120)


@pytest.mark.parametrize(
    ("ago", "shown"),
    [(0, "0s"), (59, "59s"), (60, "1m"), (7200, "2h"), (90_000, "1d"), (86_400 * 20, "2w"), (86_400 * 900, "2y")],
)
def test_an_age_takes_four_cells(ago: int, shown: str) -> None:
    assert numbers.age(0, ago * 1000) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(None, "-"), (320, "320 ms"), (4100, "4.1 s"), (125_000, "2m 05s"), (4_320_000, "1h 12m")],
)
def test_a_duration_is_as_exact_as_a_person_needs(ms: int | None, shown: str) -> None:
    assert numbers.duration(ms) == shown


def test_an_effect_is_in_points_with_its_interval() -> None:
    assert numbers.effect(0.268, 0.09, 0.451) == "+26.8 [+9.0, +45.1]"
    assert numbers.effect(-0.0001, None, None) == "0.0"
    assert numbers.effect(None, None, None) == "-"


@pytest.mark.parametrize(
    ("value", "shown"),
    [("paid", "paid"), ("12", '"12"'), (12, "12"), ("true", '"true"'), (True, "true"), (None, "null"), ("", '""'),
     ("-", '"-"'), (ABSENT, "-"), ("1e3", '"1e3"'), ([1, "二"], '[1, "二"]'), (" a", '" a"')],
)  # fmt: skip
def test_text_is_quoted_only_where_it_could_be_taken_for_something_else(value: object, shown: str) -> None:
    assert values.shown(value) == shown


@given(wide | anything, st.integers(2, 60))
def test_wrapped_lines_fit_and_hold_no_control_characters(text: str, cells: int) -> None:
    lines = layout.wrap(text, cells)
    assert all(width(line) <= cells for line in lines)
    assert not [c for line in lines for c in line if ord(c) < 32 or 127 <= ord(c) < 160]


@given(wide, st.integers(2, 60))
def test_wrapping_loses_nothing_but_the_space_it_breaks_at(text: str, cells: int) -> None:
    lines = layout.wrap(text, cells)
    assert "".join(c for c in "".join(lines) if c in "退款京タ한ab") == "".join(c for c in text if c in "退款京タ한ab")


def test_every_character_that_is_measured_the_short_way_takes_its_cells() -> None:
    simple = [c for n in range(0x20, 0x10000) if layout._SIMPLE.fullmatch(c := chr(n))]
    assert [c for c in simple if width(c) != (1 if c.isascii() else 2)] == []


def test_a_megabyte_without_a_space_is_wrapped_too() -> None:
    assert len(layout.wrap("x" * 1_000_000, 80)) == 12_500
    assert len(layout.wrap("退" * 400_000, 80)) == 10_000


@given(wide, wide, st.integers(10, 60))
def test_a_difference_fits_its_columns(before: str, after: str, cells: int) -> None:
    for line in difference_lines(before, after, cells):
        assert sum(width(text) for text, _ in line) <= max(cells, 10) or len(line) == 1


@given(st.integers(0, 500), st.integers(0, 500), st.integers(3, 40))
def test_a_progress_bar_is_full_only_when_all_is_done(done: int, planned: int, cells: int) -> None:
    bar = plots.progress(done, planned, cells)
    assert len(bar) == cells
    assert (bar[1:-1] == "#" * (cells - 2)) == (planned > 0 and done >= planned)


@given(st.lists(st.none() | st.floats(0, 1), max_size=30), st.integers(1, 6))
def test_columns_are_as_tall_as_their_values(values: list[float | None], height: int) -> None:
    lines = plots.columns(values, height)
    assert len(lines) == height
    assert all(len(line) == len(values) for line in lines)
    for n, value in enumerate(values):
        column = "".join(line[n] for line in lines)
        assert ("?" in column) == (value is None)
        if value is not None:
            assert column.strip()


unit = st.floats(-1, 1, allow_nan=False)


@given(unit, unit, unit, st.integers(5, 80))
def test_a_band_shows_zero_bounds_and_estimate_in_their_order(a: float, b: float, c: float, cells: int) -> None:
    low, estimate, high = sorted((a, b, c))
    text = "".join(piece for piece, _ in plots.band(low, estimate, high, cells, 1.0))
    assert len(text) == max(9, cells | 1)
    assert text.count("o") == 1
    roles = {role for piece, role in plots.band(low, estimate, high, cells, 1.0) if "=" in piece}
    assert roles <= {"good" if low > 0 else "bad" if high < 0 else "warn"}


def test_a_band_without_values_is_the_bare_axis() -> None:
    assert plots.band(None, None, None, 11, 1.0) == [(".....", "faint"), ("|", "dim"), (".....", "faint")]


@given(st.sets(st.integers(1, 50)), st.integers(0, 51))
def test_the_next_stop_is_the_nearest_on_that_side(stops: set[int], here: int) -> None:
    places = sorted(stops)
    assert following(places, here, 1) == min((n for n in places if n > here), default=None)
    assert following(places, here, -1) == max((n for n in places if n < here), default=None)


def _steps(*parts: str) -> list[Step]:
    steps = []
    for n, part in enumerate(parts, 1):
        kind, _, rest = part.partition(":")
        if kind == "t":
            tool, _, result = rest.partition("=")
            steps.append(Step(n, n, "call", {"args": {}, "result": result}, tool=tool, ok=True))
        else:
            steps.append(Step(n, n, "user" if kind == "u" else "agent", {"text": rest}))
    return steps


def test_alike_steps_stand_beside_each_other_and_unlike_ones_too() -> None:
    left, right = _steps("u:hi", "t:get", "t:cancel", "a:done"), _steps("u:hi", "t:get", "t:refund", "t:get", "a:done")
    rows = align(left, right)
    assert [(row.left, row.right, row.same) for row in rows] == [
        (1, 1, True),
        (2, 2, True),
        (3, 3, False),
        (None, 4, False),
        (4, 5, True),
    ]
    assert first_divergence(rows, left, right) == 2


def test_the_same_call_with_another_result_is_a_divergence() -> None:
    left, right = _steps("u:hi", "t:get=paid", "a:x"), _steps("u:hi", "t:get=shipped", "a:x")
    assert first_divergence(align(left, right), left, right) == 1
    assert first_divergence(align(left, left), left, left) is None


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_an_alignment_holds_every_step_of_both_once_and_in_order(first: list[str], other: list[str]) -> None:
    left, right = _steps(*(f"a:{x}" for x in first)), _steps(*(f"a:{x}" for x in other))
    rows = align(left, right)
    assert [row.left for row in rows if row.left] == list(range(1, len(left) + 1))
    assert [row.right for row in rows if row.right] == list(range(1, len(right) + 1))


def test_very_long_trajectories_are_aligned_by_their_common_beginning() -> None:
    left = _steps(*(f"a:{n}" for n in range(3000)))
    rows = align(left, [*left[:2000], *_steps("a:other")])
    assert first_divergence(rows, left, left) == 2000
