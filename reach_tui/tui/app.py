"""The app: one store, one reader thread, a stack of screens. First paint comes before the first query."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from textual.app import App
from textual.filter import Monochrome, NoColor
from textual.screen import Screen

from reach_tui.present.language import phrase
from reach_tui.tui import navigation as to
from reach_tui.tui import theme
from reach_tui.tui.navigation import Host, Place, Question
from reach_tui.tui.reader import Reader, StoreChanged, StoreNote
from reach_tui.tui.screen import ReachScreen
from reach_tui.tui.screens.runs import RunsScreen

QUIT_SECONDS = 2.0

SCREEN_CLASSES: Mapping[type[Place | Question], str] = {
    to.RunPlace: "run.RunScreen",
    to.TrialPlace: "replay.ReplayScreen",
    to.ExperimentPlace: "experiment.ExperimentScreen",
    to.BranchPlace: "branch.BranchScreen",
    to.ComparePlace: "compare.CompareScreen",
    to.SideBySidePlace: "side_by_side.SideBySideScreen",
    to.HelpPlace: "help.HelpScreen",
    to.LineQuestion: "prompt.LineScreen",
    to.PaletteQuestion: "prompt.PaletteScreen",
    to.YesNoQuestion: "questions.ConfirmScreen",
    to.LabelQuestion: "label_bar.LabelBar",
}
"""The screen of each place and question, by file and class in `screens/`.

By name, so that each is imported when it first opens.
"""


def screen_of(place: Place | Question) -> Screen[Any]:
    """A new screen for a place or a question."""
    name = to.PAGES[place.word] if isinstance(place, to.PagePlace) else SCREEN_CLASSES[type(place)]
    kind: Callable[[Place | Question], Screen[Any]] = to.screen_class(name)
    return kind(place)


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
            self._filters = [NoColor() if isinstance(kind, Monochrome) else kind for kind in self._filters]
        else:
            self.register_theme(theme.QUIET)
            self.theme = theme.QUIET.name

    def get_default_screen(self) -> ReachScreen:
        """The first screen: the list of runs."""
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
                screen.go_to_name(self.start)

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

    # Going places

    def go(self, place: Place, *, instead: bool = False) -> None:
        """Open a place over the screen, or instead of it."""
        (self.switch_screen if instead else self.push_screen)(screen_of(place))

    def put(self, question: Question, then: Callable[[Any], None]) -> None:
        """Put a question to the person; `then` gets the answer."""
        self.push_screen(screen_of(question), then)

    def ask_to_quit(self, key: str = "ctrl+c") -> None:
        """The first press says so, the second within two seconds leaves."""
        now = time.monotonic()
        if now - self._asked_to_quit <= QUIT_SECONDS:
            self.exit(0)
            return
        self._asked_to_quit = now
        beneath = next((screen for screen in reversed(self.screen_stack) if isinstance(screen, ReachScreen)), None)
        if beneath is not None:
            beneath.say(phrase("{key} again leaves; runs under way go on without the app", key=key), "warn")


def run_app(store_path: str | os.PathLike[str], *, mouse: bool = True, start: str = "", author: str = "") -> int:
    """Run the app on a store until the person leaves; the exit code. `start` opens a run or trial at once
    (`RUN`, `RUN/TASK#2@7`); `mouse=False` leaves the mouse to the terminal's own selection."""
    app = ReachApp(Path(store_path), start=start, author=author)
    code = app.run(mouse=mouse)
    return code if code is not None else app.return_code or 0


_HOST: type[Host] = ReachApp
"""So that mypy holds the app to what screens ask of it."""
