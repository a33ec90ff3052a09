"""Pictures of the app at places reached by keys, painted from the demo store: `python -m screenshots.shots FOLDER`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from reach_tui.core.errors import ReachError
from reach_tui.tui.app import ReachApp
from screenshots import paint

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


NOW_MS = 1_772_330_400_000 + 5 * 60_000
"""Five minutes after everything in the demo store happened: ages then read alike whenever the pictures are made."""
SHOTS = (
    Shot("runs-80", (), 80, 24),
    Shot("runs-120", (), 120, 40),
    Shot("run-80", ("G", "k", "enter"), 80, 24),
    Shot("trials-120", ("G", "k", "enter", "2"), 120, 40),
    Shot("replay-80", ("G", "k", "enter", "2", "/", "=RF-01", "enter", "f"), 80, 24),
    Shot("replay-120", ("G", "k", "enter", "2", "/", "=RF-01", "enter", "f"), 120, 40),
    Shot("label-80", ("G", "k", "enter", "f", "t"), 80, 24),
    Shot("branch-120", ("enter", "2", "f", "b"), 120, 40),
    Shot("experiment-80", ("j", "j", "enter"), 80, 24),
    Shot("experiment-120", ("j", "j", "enter"), 120, 40),
    Shot("help-80", ("?",), 80, 24),
)


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
            for typed in key[1:] if len(key) > 1 and key.startswith("=") else [key]:
                await pilot.press("space" if typed == " " else typed)
            await _rest(app, pilot)
        png, text = folder / f"{shot.name}.png", folder / f"{shot.name}.txt"
        paint.paint_screen(app, png, size=size)
        text.write_text(paint.as_text(app), encoding="utf-8")
    return png, text


async def _rest(app: ReachApp, pilot: Pilot[int]) -> None:
    calm, waited = 0, 0.0
    while calm < 3:
        await pilot.pause(0.02)
        waited += 0.02
        calm = calm + 1 if app.settled else 0
        if waited > PATIENCE:
            raise ReachError("the app does not come to rest", where=str(app.store))


def main(arguments: list[str]) -> None:
    """Paint all of `SHOTS` into the folder named by the first argument, else into `screenshots`."""
    folder = Path(arguments[0] if arguments else "screenshots")
    for path in take(Path("runs.db"), SHOTS, folder, now=lambda: NOW_MS):
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
