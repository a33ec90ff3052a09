"""Driving the app headless: press keys, wait until it rests, read the screen."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.keys import _character_to_key

from reach_tui.tui.app import ReachApp
from screenshots import paint
from tests.tui.sample_store import NOW

SNAPSHOTS = Path(__file__).parent / "snapshots"


class Drive:
    """`async with Drive(store, 80, 24) as app: await app.press("j", "enter"); app.text`."""

    def __init__(self, store: Path, width: int = 80, height: int = 24, **more: Any) -> None:
        self.app = ReachApp(store, now=lambda: NOW, author="me", plain=more.pop("plain", False), **more)
        self._context = self.app.run_test(size=(width, height), notifications=True)

    async def __aenter__(self) -> Drive:
        self.pilot = await self._context.__aenter__()
        await self.rest()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._context.__aexit__(kind, error, trace)

    @property
    def screen(self) -> Any:
        """The screen on top."""
        return self.app.screen

    @property
    def text(self) -> str:
        """The composed screen."""
        return paint.as_text(self.app)

    @property
    def lines(self) -> list[str]:
        """The composed screen, line by line."""
        return self.text.rstrip("\n").split("\n")

    async def rest(self) -> None:
        """Until nothing is asked, read, painted or about to be."""
        calm = 0
        for _ in range(8000):
            await asyncio.sleep(0.001)
            calm = calm + 1 if self.app.settled and self._quiet() else 0
            if calm > 3:
                return
        raise AssertionError("the app does not come to rest")

    def _quiet(self) -> bool:
        """No message waits anywhere, and nothing is left to paint."""
        screen = self.app.screen
        pumps = [self.app, *self.app.screen_stack, *screen.walk_children()]
        unpainted = screen._dirty_widgets or screen._layout_required or screen._repaint_required or screen._callbacks
        return not unpainted and all(pump.message_queue_size == 0 for pump in pumps)

    async def press(self, *keys: str) -> Drive:
        """Keys by Textual's names or as characters; one that begins with `=` is typed letter by letter."""
        for key in keys:
            for stroke in key[1:] if len(key) > 1 and key.startswith("=") else [key]:
                await self.send(stroke)
            await self.rest()
        return self

    async def send(self, key: str) -> None:
        """One key, without waiting for what it does."""
        name = _character_to_key(key) if len(key) == 1 else key
        character = key if len(key) == 1 else " " if key == "space" else None
        driver = self.app._driver
        assert driver is not None
        event = events.Key(name, character)
        event.set_sender(self.app)
        driver.send_message(event)
        await asyncio.sleep(0)

    async def until(self, seen: Any, tries: int = 2000) -> None:
        """Until `seen()` is true: for what somebody else writes to the store."""
        for _ in range(tries):
            await asyncio.sleep(0.005)
            if seen():
                return
        raise AssertionError(f"never seen:\n{self.text}")

    async def resize(self, width: int, height: int) -> None:
        """Another terminal size."""
        driver = self.app._driver
        assert isinstance(driver, HeadlessDriver)
        driver._size = (width, height)
        size = Size(width, height)
        self.app.post_message(events.Resize(size, size))
        # Textual lets resizes gather for a moment before it lays out.
        await self.until(lambda: self.screen.size == size and self.screen._compositor.size == size)
        await self.rest()

    def matches(self, name: str) -> None:
        """Compare the screen with the stored one; `REACH_SNAPSHOTS=write` stores it."""
        path = SNAPSHOTS / f"{name}.txt"
        if os.environ.get("REACH_SNAPSHOTS") == "write":
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.text, encoding="utf-8")
        assert self.text == path.read_text(encoding="utf-8"), f"\n{self.text}"
