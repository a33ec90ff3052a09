"""Keeps a lease alive and listens: heartbeats, commands from elsewhere, signals of the system."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Literal

from reach_tui.core.ids import new_uid
from reach_tui.store import control, leases, processes
from reach_tui.store.leases import BEAT_SECONDS
from reach_tui.store.store import Store

POLL_SECONDS = 1.0
Stop = Literal["cancelled", "paused"]
VERBS: Mapping[str, Stop] = {"cancel": "cancelled", "pause": "paused"}
"""A command's verb, and what it makes `RunControl.stop_asked`."""


class RunControl:
    """One runner's voice in the store. `stop_asked` is None while the work shall go on, else what it shall become."""

    def __init__(self, path: Path) -> None:
        self.runner_uid = new_uid("k")
        process = processes.this_process()
        self.process = (process.host, process.pid, process.started)
        self.stop_asked: Stop | None = None
        self._path = path
        self._runs: list[int] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._on_cancel: tuple[asyncio.AbstractEventLoop, Callable[[], Any]] | None = None
        self._handlers: dict[int, Any] = {}

    def hold(self, run_id: int) -> None:
        """Listen for a further run's commands too."""
        with self._lock:
            if run_id not in self._runs:
                self._runs.append(run_id)

    def start(self, run_ids: Sequence[int]) -> None:
        """Begin to beat and to listen. SIGTERM and SIGINT cancel, where this is the main thread."""
        for run_id in run_ids:
            self.hold(run_id)
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._handlers[number] = signal.signal(number, self._signalled)
        self._thread = threading.Thread(target=self._run, name="run-control", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and give signals back. Doing so twice is no error."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    def watch(self, loop: asyncio.AbstractEventLoop, on_cancel: Callable[[], Any]) -> Callable[[], None]:
        """Call `on_cancel` in `loop` when the work is cancelled; the returned function ends that."""
        self._on_cancel = (loop, on_cancel)

        def unwatch() -> None:
            self._on_cancel = None

        return unwatch

    def ask(self, stop: Stop) -> None:
        """Make the work stop: "cancelled" at once, "paused" after the trials in flight. A pause can become a cancel."""
        if self.stop_asked == "cancelled":
            return
        self.stop_asked = stop
        watcher = self._on_cancel
        if stop == "cancelled" and watcher is not None:
            loop, on_cancel = watcher
            loop.call_soon_threadsafe(on_cancel)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if self.stop_asked == "cancelled":
            # Asked twice: whoever sent it wants an end now, not an orderly one.
            handler = self._handlers.get(number, signal.SIG_DFL)
            signal.signal(number, handler if callable(handler) else signal.SIG_DFL)
            signal.raise_signal(number)
        self.ask("cancelled")

    def _run(self) -> None:
        since_beat = BEAT_SECONDS
        with Store(self._path, write=True) as store:
            while not self._stop.wait(POLL_SECONDS):
                since_beat += POLL_SECONDS
                try:
                    if since_beat >= BEAT_SECONDS:
                        since_beat = 0.0
                        if not leases.beat(store, self.runner_uid):
                            # Somebody took the lease over, thinking us dead; two must not write one run.
                            self.ask("cancelled")
                    self._listen(store)
                except Exception:
                    # A store that is locked for long answers the next time; the lease bears several missed beats.
                    continue

    def _listen(self, store: Store) -> None:
        with self._lock:
            runs = tuple(self._runs)
        for run_id in runs:
            for command in control.commands_for(store, run_id):
                stop = VERBS.get(command.verb)
                if stop is not None:
                    self.ask(stop)
                control.done_command(store, command.id)
