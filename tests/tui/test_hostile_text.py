"""Text from outside: brackets that look like markup, escape codes, characters of two columns; on every screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reach_tui.core.grading import Claim
from reach_tui.core.task import Task
from reach_tui.metrics.tally import RunTally
from reach_tui.present.layout import width
from reach_tui.store.writer import Writer
from screenshots import paint
from tests.tui.driving import Drive
from tests.tui.sample_store import SETUP, SampleStore, Script, make_task

MARKUP = ("[/]", "[/usr/share]", "[job: /q?ref=zz-41-]", "a [/red] b", "[link=https://example.org]z[/link]",
          "span (2 6] then [q + 3", '{"ok": [true, false]}')  # fmt: skip
ESCAPES = (
    "\x1b[31mred \x1b[0m", "\x1b[2J", "\x1b[10;10H", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "10%\r20%\r100%",
    "bell \x07", "tab\there", "back\x08\x08", "c1 \x80\x9b31m\x9f",
)  # fmt: skip
WIDE = ("東京タワー", "返品不可", "주문 취소", "⚠️", "👩‍💻", "🇳🇱", "e\u0301", "a\u200bb", "\u202ereversed")
EVERYTHING = (*MARKUP, "  ".join(ESCAPES), "  ".join(WIDE))


def hostile(text: str) -> Script:
    """A trial in which `text` is everywhere it can be."""
    script = Script(text).say(f"said {text}")
    script.call("get_order", {"order_id": text, text: [text]}, {"note": text, "lines": [text] * 3})
    script.call(text, {"x": text}, error=f"error {text}")
    return script.say(text)


@pytest.fixture
def bad_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store whose every text is hostile."""
    made = SampleStore(tmp_path / "runs.db", tasks=1)
    made.tasks.clear()
    texts = EVERYTHING
    for n, text in enumerate(texts):
        task = make_task(n, id=f"{text} {n}", domain=text, request=text, task_type=text, priority="P0")
        made.tasks[task.key] = task
    made.add_task(made.tasks[f"{texts[0]} 0"], MARKUP[0])
    setup = SETUP.with_tool_description("open_ticket", "[/red] \x1b[2J " + MARKUP[5])
    run = made.run(f"{MARKUP[3]} {ESCAPES[0]}", "rhostile0001", repeats=1, setup=setup)
    tally = RunTally()
    scripts: Iterator[str] = iter(texts)
    monkeypatch.setattr("tests.tui.sample_store.claiming", lambda _: hostile(next(scripts)))
    with Writer(made.path, every_ms=1) as writer:
        for key in made.tasks:
            made.put(writer, run, key, 1, "x", tally)
    made.status(run, "ended")
    return made.path


def checked(app: Drive) -> str:
    """The screen as text, once nothing is wrong with it."""
    assert visible_problem(app) == []
    return app.text


def visible_problem(app: Drive) -> list[str]:
    """Control characters among what is drawn, and lines that are not as wide as the screen."""
    problems = []
    for line in paint.screen_lines(app.app):
        text = "".join(segment.text for segment in line)
        problems += [repr(text)] if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text) else []
        if sum(width(segment.text) for segment in line) != app.app.size.width:
            problems.append(f"{sum(width(segment.text) for segment in line)} cells: {text!r}")
    return problems


@pytest.mark.parametrize("size", [(80, 24), (130, 40)])
async def test_nothing_of_it_is_markup_or_acts_on_any_screen(
    drive: type[Drive], bad_store: Path, size: tuple[int, int]
) -> None:
    async with drive(bad_store, *size) as app:
        journeys = (
            ["enter", "2", "v", "G", "1", "G", "/", "=[/red]", "enter", "escape"], ["b", "ctrl+t", "ctrl+t", "escape"],
            [":", "=[/red]", "enter"], ["/", "=[/", "enter", "escape"],
        )  # fmt: skip
        for journey in journeys:
            for key in journey:
                await app.press(key)
                assert visible_problem(app) == []
        while len(app.app.screen_stack) > 1:
            await app.press("escape")
        await app.press("f")
        shown = ""
        for _ in EVERYTHING:
            for key in ("0", "]", "]", "$", "r", "r", "f") if size == (80, 24) else ("$", "f"):
                await app.press(key)
                shown += checked(app)
        for text in MARKUP if size == (80, 24) else ():
            assert f"said {text}" in shown
        assert "␛[31mred" in shown
        assert "100%" in shown
        await app.press("2", "y", "a", "=[/] note", "enter", "t", "1", "enter")
        assert visible_problem(app) == []


async def test_markup_in_claims_and_news_is_shown_as_it_is(drive: type[Drive], bad_store: Path) -> None:
    assert Claim(1, "[/red]").span == "[/red]"
    async with drive(bad_store) as app:
        for text in MARKUP:
            app.screen.say(text)
            await app.rest()
            assert app.lines[-1].strip() == text
            app.screen.set_title(((text, "title"),))
            await app.rest()
            assert app.lines[0].strip().startswith(text)


async def test_a_state_table_of_wide_values_keeps_its_columns(drive: type[Drive], tmp_path: Path) -> None:
    made = SampleStore(tmp_path / "runs.db", tasks=1)
    state = {"orders": {"A100": {f"{text} {n}": text for n, text in enumerate(WIDE)}}}
    task = Task.of({**make_task(1).body, "id": "wide", "outcomes": [{"state": state}]})
    made.tasks = {"wide": task}
    made.add_task(task, "wide")
    run = made.run("wide", "rwide0000001", repeats=1)
    made.fill(run, {"wide": "o"})
    async with drive(made.path) as app:
        await app.press("f", "3", "z")
        rows = [line for line in app.lines if "/orders" in line]
        assert len(rows) == len(WIDE)
        head = next(line for line in app.lines if "expected" in line and "claimed" in line)
        for line in rows:
            # "-" stands in the column of `claimed` on every row, at the same cell.
            at = line.rindex("-")
            assert width(line[:at]) == width(head[: head.index("claimed")])
        await app.press("/", "=京", "enter")


def test_the_bytes_that_reach_the_terminal_hold_none_of_it(bad_store: Path, tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    environment = {**os.environ, "TERM": "xterm-256color", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    code = f"import sys; from reach_tui.tui.app import run_app; sys.exit(run_app({str(bad_store)!r}))"
    child = pexpect.spawn(sys.executable, ["-c", code], dimensions=(24, 80), env=environment, timeout=20)
    heard = b""

    def until(mark: bytes) -> None:
        nonlocal heard
        child.expect_exact(mark)
        heard += child.before + child.after

    until(b"trials  cost")
    child.send("f")
    until(b"step")
    for key in "]]]$fr0]]]fff":
        child.send(key)
        until(b"\x1b[")
    child.send("\x03")
    until(b"again leaves")
    child.send("\x03")
    child.expect(pexpect.EOF)
    heard += child.before
    child.close()
    assert child.exitstatus == 0
    for code_of_data in (b"\x1b[31mred", b"\x1b]0;title", b"\x1b]52;c;aGk=", b"\x1b[10;10H\x1b", b"\x9b31m"):
        assert code_of_data not in heard
    assert heard.rstrip().endswith(b"\x1b[?1006l") or b"\x1b[?25h" in heard
    assert b"Traceback" not in heard
