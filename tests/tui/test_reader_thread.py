"""The reading thread: questions coalesce, errors come back in words, another's writes are noticed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from reach_tui.core.errors import UsageError
from reach_tui.tui import reader as reading
from reach_tui.tui.reader import Answer, Reader, StoreChanged, StoreNote
from tests.tui.sample_store import SampleStore, sample_store

Store = Callable[[str], Path]


class Asker(App[None]):
    """Hears answers."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.heard: list[Any] = []
        self.reader = Reader(path, self)

    def on_answer(self, message: Answer) -> None:
        self.heard.append((message.key, message.value, message.error))

    def on_store_changed(self, _: StoreChanged) -> None:
        self.heard.append("changed")

    def on_store_note(self, message: StoreNote) -> None:
        self.heard.append(("note", message.note))

    async def rest(self) -> None:
        for _ in range(2000):
            await asyncio.sleep(0.005)
            if self.reader.idle and not self.message_queue_size:
                return

    def answers(self) -> list[Any]:
        return [event for event in self.heard if event != "changed" and event[0] != "note"]


async def test_the_newest_question_of_a_kind_is_the_one_that_is_answered(store: Store) -> None:
    app = Asker(store("plain"))
    async with app.run_test():
        gate = threading.Event()
        app.reader.ask(app, "slow", lambda store: gate.wait(10))
        app.reader.start()
        for n in range(50):
            app.reader.ask(app, "page", lambda store, n: n, n)
        app.reader.ask(app, "other", lambda store: "other")
        gate.set()
        await app.rest()
        assert app.answers() == [("slow", True, ""), ("page", 49, ""), ("other", "other", "")]
        app.reader.stop()


async def test_errors_come_back_in_words_and_the_thread_goes_on(store: Store) -> None:
    app = Asker(store("plain"))

    def wrong(store: Any) -> None:
        raise UsageError("no such run", hint="try another")

    def broken(store: Any) -> None:
        raise KeyError("x")

    async with app.run_test():
        app.reader.start()
        for key, query in (("a", wrong), ("b", broken), ("c", lambda store: 3)):
            app.reader.ask(app, key, query)
        await app.rest()
        assert app.answers() == [
            ("a", None, "no such run (try another)"),
            ("b", None, "could not read: KeyError: 'x'"),
            ("c", 3, ""),
        ]
        app.reader.stop()
        app.reader.stop()


async def test_what_somebody_else_writes_is_noticed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "QUIET", 0.02)
    made: SampleStore = sample_store(tmp_path / "runs.db")
    app = Asker(made.path)
    async with app.run_test():
        app.reader.start()
        app.reader.ask(app, "x", lambda store: 1)
        await app.rest()
        assert "changed" not in app.heard
        made.run("later", "rlater000001")
        while "changed" not in app.heard:
            await asyncio.sleep(0.01)
        app.reader.stop()


async def test_a_closed_screen_is_answered_no_more(store: Store) -> None:
    app = Asker(store("plain"))
    async with app.run_test():
        gate = threading.Event()
        app.reader.ask(app, "slow", lambda store: gate.wait(10))
        app.reader.start()
        while app.reader._questions:
            await asyncio.sleep(0.005)
        app.reader.ask(app, "gone", lambda store: 1)
        app.reader.forget(app)
        gate.set()
        await app.rest()
        assert [key for key, _, _ in app.answers()] == ["slow"]
        app.reader.stop()
