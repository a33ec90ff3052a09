"""The app: one store, one reader thread, a stack of screens. First paint comes before the first query."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.filter import Monochrome, NoColor

from reach_tui.tui import theme
from reach_tui.tui.reader import Reader, StoreChanged, StoreNote
from reach_tui.tui.screen import ReachScreen
from reach_tui.tui.screens.runs import RunsScreen

if TYPE_CHECKING:
    from reach_tui.store.rows import RunRow

QUIT_SECONDS = 2.0


class ReachApp(App[int], inherit_bindings=False):
    """The app on a store. `now` gives milliseconds UTC (a test's own clock in tests); `author` signs labels."""

    CSS = theme.CSS
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    ESCAPE_TO_MINIMIZE = False
    TITLE = "reach"

    def __init__(
        self,
        store: Path,
        *,
        now: Callable[[], int] | None = None,
        author: str = "",
        plain: bool | None = None,
        start: str = "",
    ) -> None:
        super().__init__()
        self.store = store
        self.now = now or (lambda: int(time.time() * 1000))
        self.author = author or os.environ.get("REACH_AUTHOR") or os.environ.get("USER") or "me"
        self.note = ""
        self.start = start
        self.drafts: dict[tuple[str, str], Any] = {}
        self.reader = Reader(store, self)
        self._asked_to_quit = 0.0
        self.animation_level = "none"
        self._choose_colours(plain)

    def _choose_colours(self, plain: bool | None) -> None:
        few = self.console.color_system in (None, "standard", "windows")
        self.plain = (few or self.no_color) if plain is None else plain
        self.palette = theme.palette(self.plain)
        if self.plain:
            self.theme = "ansi-dark"
            # Textual chose its filter for the default theme, which would turn the terminal's own colours into greys.
            self._filters = [NoColor() if isinstance(one, Monochrome) else one for one in self._filters]
        else:
            self.register_theme(theme.QUIET)
            self.theme = theme.QUIET.name

    def get_default_screen(self) -> ReachScreen:
        """Runs is home."""
        return RunsScreen()

    def on_mount(self) -> None:
        # The reader's imports and its first query compete with the first paint for the interpreter; they come after.
        self.call_after_refresh(self._begin)
        # The shell wrote over the screen meanwhile; Textual itself repaints only what changes from here on.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))

    def _begin(self) -> None:
        self.reader.start()
        if self.start:
            screen = self.screen
            if isinstance(screen, ReachScreen):
                self.open_by_name(self.start, screen)

    def on_unmount(self) -> None:
        self.reader.stop()

    @property
    def settled(self) -> bool:
        """Nothing is asked, read or about to be: what is on screen will stay (tests wait for this, not for time)."""
        screens = [screen for screen in self.screen_stack if isinstance(screen, ReachScreen)]
        return self.reader.idle and not any(screen.waiting for screen in screens) and not len(self.workers)

    # The store

    def on_store_changed(self, _: StoreChanged) -> None:
        # Only what is in sight asks again now; the screens beneath do so when one comes back to them.
        seen = False
        for screen in reversed(self.screen_stack):
            if isinstance(screen, ReachScreen):
                if seen:
                    screen.stale = True
                else:
                    screen.store_changed()
                seen = True

    def on_store_note(self, message: StoreNote) -> None:
        self.store = message.path
        self.note = message.note
        for screen in self.screen_stack:
            if isinstance(screen, ReachScreen):
                screen.store_note()

    def wrote(self, path: Path, note: str = "") -> None:
        """The app itself wrote, perhaps to another file (the copy of a demo store): read there, and read anew."""
        self.post_message(StoreChanged())
        if path != self.store:
            self.store, self.note = path, note or f"working copy {path.name}"
            self.reader.reopen(path)

    def undo(self, screen: ReachScreen) -> None:
        """Undo this person's last label or note."""
        from reach_tui.tui.labelling import undo_last

        undo_last(self, screen)

    # Going places

    def open_by_name(self, name: str, screen: ReachScreen) -> None:
        """Open what `RUN`, `RUN/TASK#REPEAT@STEP` or an experiment's uid names, once `screen` has found it."""
        from reach_tui.tui.going import open_name

        open_name(self, name, screen)

    def open_run(self, run_id: int, row: RunRow | None = None) -> None:
        """Show a run; an arm of an experiment leads to the same screen as any run."""
        from reach_tui.tui.screens.run import RunScreen

        self.push_screen(RunScreen(run_id, row))

    def open_trial(self, trial_id: int, run_id: int, *, step: int | None = None, trail: Sequence[int] = ()) -> None:
        """Replay a trial, at its decisive step unless `step` says otherwise; `trail` is the list it comes from."""
        from reach_tui.tui.screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(trial_id, run_id, step=step, trail=trail))

    def open_experiment(self, uid: str) -> None:
        """Show an experiment."""
        from reach_tui.tui.screens.experiment import ExperimentScreen

        self.push_screen(ExperimentScreen(uid))

    def ask_to_quit(self, key: str = "ctrl+c") -> None:
        """The first press says so, the second within two seconds leaves."""
        now = time.monotonic()
        if now - self._asked_to_quit <= QUIT_SECONDS:
            self.exit(0)
            return
        self._asked_to_quit = now
        beneath = next((one for one in reversed(self.screen_stack) if isinstance(one, ReachScreen)), None)
        if beneath is not None:
            beneath.say(f"{key} again leaves; runs under way go on without the app", "warn")


def run_app(store_path: str | os.PathLike[str], *, mouse: bool = True, start: str = "", author: str = "") -> int:
    """Run the app on a store until the person leaves; the exit code. `start` opens a run or trial at once
    (`RUN`, `RUN/TASK#2@7`); `mouse=False` leaves the mouse to the terminal's own selection."""
    app = ReachApp(Path(store_path), start=start, author=author)
    code = app.run(mouse=mouse)
    return code if code is not None else app.return_code or 0
