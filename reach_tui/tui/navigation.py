"""Where screens lead and what they ask of the app. They name places and questions; the app alone knows the screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from reach_tui.present import opened
from reach_tui.present import reading as queries
from reach_tui.tui.reader import Reader

if TYPE_CHECKING:
    from reach_tui.store.rows import RunRow
    from reach_tui.store.store import Store

# Named tuples: as many frozen dataclasses take 11 ms to define, 2 % of the time to the first paint.


class RunPlace(NamedTuple):
    """A run; `row` is what the title shows until the run is read."""

    run_id: int
    row: RunRow | None = None


class TrialPlace(NamedTuple):
    """A trial at `step`, else at the step it opens at by itself. `trail`: the list it comes from, for next and back."""

    trial_id: int
    run_id: int
    step: int | None = None
    trail: Sequence[int] = ()


class ExperimentPlace(NamedTuple):
    """An experiment. `second` names parts that have drafts of their own: second branches to start."""

    uid: str
    second: Sequence[str] = ()


class BranchPlace(NamedTuple):
    """The form that branches a run; `tool` and `tasks` (keys) are what it was opened from."""

    run_id: int
    tool: str = ""
    tasks: Sequence[str] = ()


class ComparePlace(NamedTuple):
    """Runs side by side, by uid, each against the first."""

    uids: Sequence[str]


class SideBySidePlace(NamedTuple):
    """Two trials of one task; `names` says what they are: ("this", "passing"), ("control", "branch")."""

    twins: queries.Twins
    names: tuple[str, str]


class HelpPlace(NamedTuple):
    """The keys of a screen, by its kind."""

    of: str


class PagePlace(NamedTuple):
    """A page by the word that opens it, and what was read for it."""

    word: str
    page: Any


Place = RunPlace | TrialPlace | ExperimentPlace | BranchPlace | ComparePlace | SideBySidePlace | HelpPlace | PagePlace

PAGES: Mapping[str, str] = {
    "sandbox": "page.SandboxScreen",
}  # fmt: skip
"""Pages by the word that opens them (`:sandbox commerce`): the file and class in `screens/`, imported when first asked
for. A page is a `page.PageScreen`."""


def screen_class(name: str) -> Any:
    """The class of `file.Class` in `screens/`."""
    file, kind = name.split(".")
    return getattr(import_module(f"reach_tui.tui.screens.{file}"), kind)


def read_page(store: Store, word: str, words: str, here: str) -> PagePlace:
    """What a page shows, in the reader's thread; see `page.PageScreen.read`."""
    return PagePlace(word, screen_class(PAGES[word]).read(store, words, here))


class LineQuestion(NamedTuple):
    """A line of text, `start` to begin with; `live` hears every change. The answer is the text, None on esc."""

    prompt: str
    start: str = ""
    live: Callable[[str], None] | None = None


class PaletteQuestion(NamedTuple):
    """What to do on a screen of this kind: `do:<action id>`, a number to go to, a name to open, or None on esc."""

    of: str


class YesNoQuestion(NamedTuple):
    """A yes (True) or a no (False); `details` are further lines."""

    question: str
    details: Sequence[str] = ()


class LabelQuestion(NamedTuple):
    """Mode and owner of a failure at `step`, with the automatic ones beside; a `LabelChoice`, or None on esc."""

    step: int
    mode: str | None
    owner: str | None


class LabelChoice(NamedTuple):
    """A person's label; None is left as it is."""

    mode: str | None = None
    owner: str | None = None


Question = LineQuestion | PaletteQuestion | YesNoQuestion | LabelQuestion


class Host(Protocol):
    """What screens ask of the app they are in.

    `now` gives ms UTC; `author` signs labels; `note` is what is to be said of the store as it was opened; `drafts` are
    texts of the branch form by (run uid, part).
    """

    store: Path
    author: str
    note: str
    drafts: dict[tuple[str, str], Any]
    reader: Reader
    now: Callable[[], int]

    def go(self, place: Place, *, instead: bool = False) -> None:
        """Open a place over the screen, or instead of it."""

    def put(self, question: Question, then: Callable[[Any], None]) -> None:
        """Put a question to the person; `then` gets the answer."""

    def wrote(self, path: Path, note: str = "") -> None:
        """The app itself wrote, perhaps to another file (the copy of a demo store): read there, and read anew."""

    def ask_to_quit(self, key: str = "ctrl+c") -> None:
        """Leave at the second press within two seconds; the first says so."""


def place_of(named: opened.Place) -> Place:
    """Where a name leads that the store has found."""
    if named.kind == "trial":
        return TrialPlace(named.id, named.run_id, named.step)
    return RunPlace(named.id) if named.kind == "run" else ExperimentPlace(named.uid)
