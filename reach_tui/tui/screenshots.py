"""The pictures in `screenshots/`, painted from the demo store: `python -m reach_tui.tui.screenshots FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from reach_tui.tui.shots import Shot, take

NOW_MS = 1_772_330_400_000 + 5 * 60_000
"""Five minutes after everything in the demo store happened: ages then read alike whenever the pictures are made."""
SHOTS = (
    Shot("runs-80", (), 80, 24),
    Shot("runs-120", (), 120, 40),
    Shot("run-80", ("G", "k", "enter"), 80, 24),
    Shot("trials-120", ("G", "k", "enter", "2"), 120, 40),
    Shot("replay-80", ("G", "k", "enter", "2", "/", "=RF-03", "enter", "f"), 80, 24),
    Shot("replay-120", ("G", "k", "enter", "2", "/", "=RF-03", "enter", "f"), 120, 40),
    Shot("label-80", ("G", "k", "enter", "f", "t"), 80, 24),
    Shot("branch-120", ("enter", "2", "f", "b"), 120, 40),
    Shot("experiment-80", ("j", "j", "enter"), 80, 24),
    Shot("experiment-120", ("j", "j", "enter"), 120, 40),
    Shot("help-80", ("?",), 80, 24),
)


def main(arguments: list[str]) -> None:
    """Paint them all into the named folder."""
    folder = Path(arguments[0] if arguments else "screenshots")
    for path in take(Path("runs.db"), SHOTS, folder, now=lambda: NOW_MS):
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
