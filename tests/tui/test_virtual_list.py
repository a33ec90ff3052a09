"""The list: a cursor that holds an id, pages that arrive late, rows of any width."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from reach_tui.present.cells import Column, Row, column_widths, fit_pieces, light_up, pieces_of, safe
from reach_tui.present.layout import width
from reach_tui.tui.widgets.selection import Selection
from reach_tui.tui.widgets.virtual_list import VirtualList
from screenshots import paint

COLUMNS = (Column("name", 10, grow=1), Column("n", 5, right=True))


class OneList(App[None]):
    """An app that is one list."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, **more: Any) -> None:
        super().__init__()
        self.absent: set[Any] = set()
        self.messages: list[Any] = []
        columns = more.pop("columns", COLUMNS)
        self.list = VirtualList(columns, self.row, **more)
        self.texts: dict[Any, str] = {}

    def row(self, id: Any) -> Row | None:
        if id in self.absent:
            return None
        text = self.texts.get(id, str(id))
        return Row((text, str(len(text))) if self.list.columns else (text,))

    def compose(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.list.focus()

    def on_virtual_list_lost(self, message: VirtualList.Lost) -> None:
        self.messages.append(message)

    def on_virtual_list_wanted(self, message: VirtualList.Wanted) -> None:
        self.messages.append(message)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.messages.append(message)

    @property
    def lines(self) -> list[str]:
        return paint.as_text(self).rstrip("\n").split("\n")


async def test_the_cursor_stays_on_its_row_while_the_list_moves_under_it() -> None:
    app = OneList()
    async with app.run_test(size=(40, 10)) as pilot:
        ids = [f"task {n}" for n in range(50)]
        app.list.set_ids(ids)
        app.list.go_to("task 20")
        await pilot.pause()
        line = next(n for n, text in enumerate(app.lines) if "task 20 " in text)
        chance = random.Random(5)
        for turn in range(500):
            chance.shuffle(ids)
            shown = [id for id in ids if id == "task 20" or chance.random() > 0.2] + [f"new {turn}"]
            app.list.set_ids(shown)
            assert app.list.cursor == "task 20"
        await pilot.pause()
        assert any("task 20 " in text for text in app.lines)
        app.list.set_ids([f"task {n}" for n in range(50)])
        await pilot.pause()
        assert line in range(len(app.lines))


async def test_rows_added_above_do_not_push_the_cursor_along_the_screen() -> None:
    app = OneList()
    async with app.run_test(size=(40, 10)) as pilot:
        app.list.set_ids(list(range(100)))
        app.list.go(50)
        await pilot.pause()
        before = next(n for n, text in enumerate(app.lines) if text.split()[:1] == ["50"])
        app.list.set_ids([*range(1000, 1010), *range(100)])
        await pilot.pause()
        assert next(n for n, text in enumerate(app.lines) if text.split()[:1] == ["50"]) == before


async def test_a_row_that_leaves_hands_the_cursor_to_its_neighbour_and_says_so() -> None:
    app = OneList()
    async with app.run_test(size=(40, 10)) as pilot:
        app.list.set_ids(["a", "b", "c", "d"])
        app.list.go_to("b")
        app.list.set_ids(["a", "c", "d"])
        await pilot.pause()
        assert app.list.cursor == "c"
        assert [(message.lost, message.id) for message in app.messages] == [("b", "c")]
        app.list.set_ids(["a"])
        assert app.list.cursor == "a"
        app.list.set_ids([])
        assert app.list.cursor is None


async def test_rows_that_are_not_here_yet_are_dots_and_are_asked_for_by_page() -> None:
    app = OneList()
    async with app.run_test(size=(40, 8)) as pilot:
        app.absent = set(range(1000))
        app.list.set_ids(range(1000))
        await pilot.pause()
        assert app.lines[1].strip().startswith("…")
        asked = app.messages[0].ids
        assert 7 <= len(asked) <= 30
        app.absent.clear()
        app.list.redraw(list(asked))
        await pilot.pause()
        assert app.lines[1].split()[:2] == ["0", "1"]


async def test_only_what_is_seen_is_drawn_however_long_the_list() -> None:
    app = OneList()
    async with app.run_test(size=(40, 12)) as pilot:
        drawn: list[Any] = []
        draw = app.list.draw

        def counted(id: Any) -> Row | None:
            drawn.append(id)
            return draw(id)

        app.list.draw = counted
        app.list.set_ids(range(100_000))
        await pilot.pause()
        drawn.clear()
        app.list.move(1)
        await pilot.pause()
        assert len(drawn) <= 2
        app.list.go(99_999)
        await pilot.pause()
        assert len(drawn) <= 30


async def test_long_lines_scroll_sideways_and_no_further_than_their_end() -> None:
    app = OneList(columns=())
    async with app.run_test(size=(20, 5)) as pilot:
        app.texts = {0: "abcdefghijklmnopqrstuvwxyz0123456789", 1: "short"}
        app.list.set_ids([0, 1])
        await pilot.pause()
        app.list.sideways(8)
        await pilot.pause()
        assert app.lines[0].strip().startswith("ijkl")
        app.list.sideways(80)
        await pilot.pause()
        assert app.lines[0].rstrip().endswith("789")
        app.list.sideways(-200)
        await pilot.pause()
        assert app.lines[0].strip().startswith("abc")


async def test_search_comes_round_and_lights_what_it_found() -> None:
    app = OneList()
    async with app.run_test(size=(40, 10)) as pilot:
        app.texts = {1: "東京タワー", 2: "Kyoto", 3: "tokyo 東京"}
        app.list.set_ids(range(5))
        assert app.list.search("京", 1)
        assert app.list.cursor == 1
        assert app.list.search("京", 1)
        assert app.list.cursor == 3
        assert app.list.search("京", 1)
        assert app.list.cursor == 1
        assert app.list.search("KYOTO", -1)
        assert app.list.cursor == 2
        assert not app.list.search("osaka", 1)
        await pilot.pause()


async def test_marks_belong_to_ids_and_the_mouse_moves_and_opens() -> None:
    app = OneList()
    async with app.run_test(size=(40, 10)) as pilot:
        app.list.set_ids(["a", "b", "c"])
        app.list.mark()
        assert app.list.marks == {"a"}
        app.list.set_ids(["c", "b", "a"])
        await pilot.pause()
        assert app.lines[3].startswith("#")
        await pilot.click(VirtualList, offset=(5, 1))
        assert app.list.cursor == "c"
        await pilot.click(VirtualList, offset=(5, 1))
        await pilot.pause()
        assert [message.id for message in app.messages if isinstance(message, VirtualList.Opened)] == ["c"]


WIDE = ["東京タワー", "返品不可", "주문 취소", "⚠️", "👩‍💻", "🇳🇱", "e\u0301", "a\u200bb", "plain", "\u0301x", "\ufe0f"]


async def test_wide_characters_keep_every_column_in_its_place() -> None:
    columns = (Column("key", 7), Column("value", 7), Column("end", 3))
    app = OneList(columns=columns)
    async with app.run_test(size=(40, 20)) as pilot:
        app.list.draw = lambda n: Row((WIDE[n], WIDE[-1 - n], "|"))
        app.list.set_ids(range(len(WIDE)))
        await pilot.pause()
        for line in app.lines[1 : 1 + len(WIDE)]:
            assert width(line[: line.index("|")]) == 2 + 7 + 1 + 7 + 1
        assert "東京タ…" in app.lines[1] or "東京…" in app.lines[1]


text = st.text(st.characters(exclude_categories=()), max_size=40) | st.sampled_from(WIDE)


@given(st.lists(st.tuples(text, st.just("dim")), min_size=1, max_size=4), st.integers(0, 30), st.booleans())
def test_any_pieces_fill_exactly_their_cells(pieces: list[tuple[str, str]], cells: int, right: bool) -> None:
    fitted = fit_pieces(pieces_of(tuple(pieces)), cells, right=right)
    assert sum(width(piece) for piece, _ in fitted) == cells


@given(text)
def test_no_control_character_is_left_in_a_safe_text(raw: str) -> None:
    assert not [c for c in safe(raw) if ord(c) < 32 or 127 <= ord(c) < 160]


@given(text, text)
def test_lighting_up_changes_roles_only(raw: str, needle: str) -> None:
    assert "".join(t for t, _ in light_up([(raw, "text")], needle)) == raw


@pytest.mark.parametrize("available", [0, 10, 30, 31, 200])
def test_columns_fill_what_there_is_and_never_shrink_below_their_own(available: int) -> None:
    columns = (Column("a", 5, grow=2), Column("b", 7), Column("c", 3, grow=1))
    widths = column_widths(columns, available)
    assert all(w >= c.width for w, c in zip(widths, columns, strict=True))
    assert sum(widths) + 2 == max(available, 17)


@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=8), st.integers(0, 9))
def test_a_selection_points_into_its_list_whatever_happens(lists: list[list[int]], start: int) -> None:
    rows = Selection()
    for ids in lists:
        kept = rows.cursor
        lost = rows.replace(ids)
        assert rows.cursor in ids if ids else rows.cursor is None
        if kept in ids:
            assert rows.cursor == kept
            assert lost is None
        rows.put(start)
