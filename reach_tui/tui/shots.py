"""Pictures of the app at places reached by keys: how screenshots are made, never by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from reach_tui.core.errors import ReachError
from reach_tui.tui import picture
from reach_tui.tui.app import ReachApp

PATIENCE = 60.0
"""Seconds after which a screen that does not come to rest is given up."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: its file's name without ending, the keys pressed before it is taken, the terminal's size.

    Keys are Textual's names or characters; one that begins with `=` and is longer is typed letter by letter.
    """

    name: str
    keys: Sequence[str] = ()
    width: int = 80
    height: int = 24


def take(
    store: Path, shots: Sequence[Shot], folder: Path, *, now: Callable[[], int] | None = None, size: int = 16
) -> list[Path]:
    """Take every shot on a store and write NAME.png and NAME.txt into `folder`; the files written.

    `now` fixes the clock by which ages are told. ReachError where a screen does not come to rest, or Pillow or a font
    is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for shot in shots:
        written += asyncio.run(_take(store, shot, folder, now, size))
    return written


async def _take(store: Path, shot: Shot, folder: Path, now: Callable[[], int] | None, size: int) -> tuple[Path, Path]:
    app = ReachApp(store, now=now, author="reach", plain=False)
    async with app.run_test(size=(shot.width, shot.height)) as pilot:
        await _rest(app, pilot)
        for key in shot.keys:
            for one in key[1:] if len(key) > 1 and key.startswith("=") else [key]:
                await pilot.press("space" if one == " " else one)
            await _rest(app, pilot)
        png, text = folder / f"{shot.name}.png", folder / f"{shot.name}.txt"
        picture.paint(app, png, size=size)
        text.write_text(picture.as_text(app), encoding="utf-8")
    return png, text


async def _rest(app: ReachApp, pilot: Pilot[int]) -> None:
    calm, waited = 0, 0.0
    while calm < 3:
        await pilot.pause(0.02)
        waited += 0.02
        calm = calm + 1 if app.settled else 0
        if waited > PATIENCE:
            raise ReachError("the app does not come to rest", where=str(app.store))
