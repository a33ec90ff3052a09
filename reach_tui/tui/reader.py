"""The one thread that reads the store: queries in, frozen rows out, the newest question of a kind first answered."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.message_pump import MessagePump

from reach_tui.core.errors import ReachError

if TYPE_CHECKING:
    from reach_tui.store.store import Store

LIVELY, QUIET = 0.5, 1.0
"""Seconds between looks at the store: while something runs, and otherwise."""


class Answer(Message):
    """What a query gave: `value`, or `error` in words for a person."""

    def __init__(self, key: str, value: Any, error: str = "") -> None:
        super().__init__()
        self.key, self.value, self.error = key, value, error

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Answer) and message.key == self.key


class StoreChanged(Message):
    """Somebody wrote to the store."""

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, StoreChanged)


class StoreNote(Message):
    """What is to be said of the store as it was opened: a snapshot, a copy of the demo, not there yet."""

    def __init__(self, path: Path, note: str) -> None:
        super().__init__()
        self.path, self.note = path, note


@dataclass(slots=True)
class _Question:
    who: MessagePump
    key: str
    query: Callable[..., Any]
    args: tuple[Any, ...]


class Reader:
    """Owns the one store open for reading. `ask` never waits; the answer arrives as a message at the one who asked."""

    def __init__(self, path: Path, app: MessagePump) -> None:
        self.path = path
        self.lively = False
        self._app = app
        self._store: Store | None = None
        self._version: int | None = None
        self._failed = False
        self._questions: dict[tuple[int, str], _Question] = {}
        self._wake = threading.Condition()
        self._busy = False
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="reach-reader", daemon=True)

    def start(self) -> None:
        """Begin; the store is opened in the thread, not here."""
        self._thread.start()

    def stop(self) -> None:
        """End after the query under way; safe to call twice."""
        with self._wake:
            self._ended = True
            self._wake.notify()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=2)

    def ask(self, who: MessagePump, key: str, query: Callable[..., Any], *args: Any) -> None:
        """Run `query(store, *args)`. A question of the same key by the same asker that still waits is replaced."""
        with self._wake:
            self._questions[(id(who), key)] = _Question(who, key, query, args)
            self._wake.notify()

    def forget(self, who: MessagePump) -> None:
        """Drop what a closed screen still waits for."""
        with self._wake:
            for place in [place for place in self._questions if place[0] == id(who)]:
                del self._questions[place]

    def reopen(self, path: Path) -> None:
        """Read another file from now on: the copy that the first write made of a demo store."""
        with self._wake:
            if path != self.path:
                self.path = path
                self._close()
            self._wake.notify()

    @property
    def idle(self) -> bool:
        """Nothing is asked and nothing being answered (tests wait for this, not for time)."""
        with self._wake:
            return self._thread.ident is not None and not self._questions and not self._busy

    def _work(self) -> None:
        due = time.monotonic()
        while True:
            with self._wake:
                self._busy = False
                if not self._questions and not self._ended:
                    self._wake.wait(timeout=max(0.0, due - time.monotonic()))
                if self._ended:
                    self._close()
                    return
                place = next(iter(self._questions), None)
                question = self._questions.pop(place) if place is not None else None
                self._busy = True
            if question is not None:
                self._answer(question)
            if time.monotonic() >= due:
                self._look()
                due = time.monotonic() + (LIVELY if self.lively else QUIET)

    def _answer(self, question: _Question) -> None:
        try:
            value = question.query(self._open(), *question.args)
        except ReachError as error:
            question.who.post_message(Answer(question.key, None, str(error)))
        except Exception as error:  # a broken row must not end the thread that all screens live on
            question.who.post_message(Answer(question.key, None, f"could not read: {type(error).__name__}: {error}"))
        else:
            question.who.post_message(Answer(question.key, value))

    def _open(self) -> Store:
        if self._store is None:
            # Imported here: the first paint does not wait for it.
            from reach_tui.store.store import Store

            try:
                self._store = Store(self.path)
            except Exception:
                self._failed = True
                raise
            self._version = None
            self._app.post_message(StoreNote(self._store.path, self._store.note))
        return self._store

    def _look(self) -> None:
        try:
            version = self._open().data_version()
        except Exception:
            return
        if self._failed or (self._version is not None and version != self._version):
            # A store that could not be opened before has all to tell.
            self._app.post_message(StoreChanged())
        self._version, self._failed = version, False

    def _close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()
