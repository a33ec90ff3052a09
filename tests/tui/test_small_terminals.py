"""Small terminals: every screen and dialog at every size, resized while open, down to one cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reach_tui.tui.navigation import YesNoQuestion
from tests.tui.driving import Drive

Store = Callable[[str], Path]
PLACES = {
    "runs": [], "overview": ["enter"], "trials": ["enter", "2"], "replay": ["f", "f"], "twins": ["f", "f", "="],
    "branch": ["f", "f", "b", "= x"], "experiment": ["j", "j", "enter"], "help": ["f", "?"], "label bar": ["f", "t"],
    "note": ["f", "a", "=a note"], "search": ["/", "=m"], "palette": [":", "=w"], "compare": ["space", "space", "c"],
}  # fmt: skip
SIZES = [(200, 60), (60, 15), (59, 14), (40, 12), (3, 20), (1, 1)]


@pytest.mark.parametrize("place", sorted(PLACES))
async def test_no_size_breaks_a_screen_and_all_come_back(drive: type[Drive], store: Store, place: str) -> None:
    async with drive(store("ended")) as app:
        await app.press(*PLACES[place])
        before = app.text
        screen = app.screen
        for size in SIZES:
            await app.resize(*size)
            assert len(app.lines) <= size[1]
            assert app.screen is screen
        for _ in range(3):
            await app.press("x")
        await app.resize(80, 24)
        if place not in ("branch", "note", "search", "palette"):
            assert app.text == before


async def test_under_60x15_one_line_says_what_it_needs(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain"), 40, 12) as app:
        assert app.text.strip() == "40x12: needs 60x15"
        await app.resize(80, 24)
        assert "baseline" in app.text


async def test_a_resize_keeps_cursor_step_and_zoom(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f", "[", "3", "j")
        cursor = app.screen.state.cursor
        for size in [(130, 40), (60, 15), (200, 60), (80, 24)]:
            await app.resize(*size)
            assert app.screen.n == 4
            assert app.screen.state.cursor == cursor
            assert "step 4/7" in app.lines[0]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_every_field_of_the_branch_form_is_on_screen_when_in_focus(
    drive: type[Drive], store: Store, size: tuple[int, int]
) -> None:
    async with drive(store("plain"), *size) as app:
        await app.press("f", "f", "b", "= x")
        seen = []
        for _ in range(9):
            focused = app.screen.focused
            region = focused.region
            assert app.app.size.region.contains_region(region), focused
            assert region.height >= 1
            seen.append(focused.id)
            await app.press("tab")
        assert {"kind", "what", "edit", "which", "repeat", "passing", "placebo", "start"} <= set(seen)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
async def test_a_long_question_scrolls_and_keeps_its_answers_on_screen(
    drive: type[Drive], store: Store, size: tuple[int, int]
) -> None:
    async with drive(store("plain"), *size) as app:
        answers: list[bool | None] = []
        details = [f"line {n} of an error" for n in range(40)]
        app.app.put(YesNoQuestion("Stop " + "AS-" * 40 + "?", details), answers.append)
        await app.rest()
        assert "y yes" in app.lines[-1]
        await app.resize(60, 20)
        assert "y yes" in app.lines[-1]
        await app.press("y")
        assert answers == [True]


async def test_a_task_id_of_120_characters_is_cut_with_a_mark(drive: type[Drive], store: Store, tmp_path: Path) -> None:
    from tests.tui.sample_store import SampleStore, make_task

    made = SampleStore(tmp_path / "long.db", tasks=1)
    task = make_task(1, id="long-" * 24)
    made.tasks = {task.key: task}
    made.add_task(task, "long")
    made.fill(made.run("long", "rlong0000001", repeats=1), {task.key: "x"})
    async with drive(made.path) as app:
        await app.press("f")
        assert "…" in app.lines[0]
        assert "step 5/7 decisive" in app.lines[0]
        await app.press("escape", "enter", "2")
        assert "…" in app.lines[3]
