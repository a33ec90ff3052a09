"""What every screen is made of: title, panes, last line; the keys of *everywhere*; questions to the reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.keys import _character_to_key
from textual.screen import ModalScreen, Screen

from reach_tui.core.errors import ReachError
from reach_tui.present import opened
from reach_tui.present.cells import Piece
from reach_tui.present.language import phrase
from reach_tui.present.layout import width
from reach_tui.tui import external_programs, keys
from reach_tui.tui.navigation import (
    PAGES,
    HelpPlace,
    Host,
    LineQuestion,
    PagePlace,
    PaletteQuestion,
    place_of,
    read_page,
)
from reach_tui.tui.reader import Answer
from reach_tui.tui.widgets.text_lines import TextLines
from reach_tui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from reach_tui.store.rows import LabelRow
    from reach_tui.store.store import Store

Result = TypeVar("Result")
Written = TypeVar("Written")


def bindings(screen: str) -> list[BindingType]:
    """The bindings of a screen: every key of its actions, and the full-width characters that arrive in its place."""
    bound: list[BindingType] = []
    for action in keys.table(screen):
        for key in action.keys:
            for sent in (key, *keys.fullwidth(key)):
                name = _character_to_key(sent) if len(sent) == 1 else sent
                bound.append(Binding(name, f"perform('{action.id}')", phrase(action.label), show=False))
    return bound


def fitting_hints(shown: Sequence[keys.Action], cells: int) -> list[Piece]:
    """As many hints as fit in `cells`, the most wanted first; help, the last of them, always stays."""
    help = [action for action in shown if action.id == "help"]
    rest = [action for action in shown if action.id != "help"]
    sizes = {action.id: width(f"  {action.hint_key} {phrase(action.label)}") for action in shown}
    left = cells - sum(sizes[action.id] for action in help)
    kept = []
    for action in rest:
        if sizes[action.id] <= left:
            left -= sizes[action.id]
            kept.append(action)
    pieces: list[Piece] = []
    for action in (*kept, *help):
        pieces += [(" " if not pieces else "  ", ""), (action.hint_key, "key"), (" " + phrase(action.label), "dim")]
    return pieces


class Keyed:
    """Runs actions by id: `do_<id>` of the screen. Mixed into screens and modals."""

    KIND: ClassVar[str] = ""

    def action_perform(self, id: str) -> None:
        """Run an action of this screen's table: what every binding calls."""
        self.perform(id)

    def perform(self, id: str) -> None:
        """Run an action of this screen's table."""
        cast("Callable[[], None]", getattr(self, f"do_{id}"))()

    @property
    def reach(self) -> Host:
        """The app, as far as screens know it."""
        return cast("Host", self.app)  # type: ignore[attr-defined]

    def do_quit(self) -> None:
        self.reach.ask_to_quit()

    def do_suspend(self) -> None:
        self.app.action_suspend_process()  # type: ignore[attr-defined]


class Modal(Keyed, ModalScreen[Result], inherit_bindings=False):
    """A question over a screen, with a table of keys of its own."""

    AUTO_FOCUS = None

    def do_back(self) -> None:
        self.dismiss(None)


LEAST = (60, 15)
"""Columns and rows that a screen needs."""


class ReachScreen(Keyed, Screen[None], inherit_bindings=False):
    """A screen with the actions of *everywhere*. Subclasses compose `body()` and add `do_<id>` for each action of their
    own table."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        self.title_line = TextLines(id="title", classes="edge")
        self.last_line = TextLines(id="last", classes="edge")
        self.small_line = TextLines(id="small")
        self._news: tuple[str, str] | None = None
        self._search = ""
        self.zoomed: VirtualList | None = None
        self.stale = False

    def body(self) -> ComposeResult:
        """The widgets between title and last line."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield self.title_line
        yield from self.body()
        yield self.last_line
        yield self.small_line

    @property
    def panes(self) -> Sequence[VirtualList]:
        """The panes that `tab` and numbers go round, in order."""
        return tuple(self.query(VirtualList))

    @property
    def pane(self) -> VirtualList | None:
        """The pane in focus, else the first."""
        if isinstance(self.focused, VirtualList):
            return self.focused
        return next((pane for pane in self.panes if pane.display), None)

    @property
    def waiting(self) -> bool:
        """Whether the screen is about to do something by itself (a read that waits for the cursor to rest)."""
        return False

    # The reader

    def ask(self, key: str, query: Callable[..., Any], *args: Any) -> None:
        """Ask the reader; `got_<key>` receives the value."""
        self.reach.reader.ask(self, key, query, *args)

    def on_answer(self, answer: Answer) -> None:
        if answer.error:
            self.failed(answer.key, answer.error)
        else:
            getattr(self, f"got_{answer.key}")(answer.value)

    def failed(self, key: str, error: str) -> None:
        """Say that the question `key` could not be answered, and why."""
        self.say(error, "bad")

    def store_changed(self) -> None:
        """Somebody wrote to the store while this screen was up (or beneath another)."""

    def on_screen_resume(self) -> None:
        if self.stale:
            self.stale = False
            self.store_changed()

    def store_note(self) -> None:
        """The store was opened; its note may have changed."""

    def labels_changed(self) -> None:
        """This person wrote or took back a label: the store will say so too, at its next look."""

    def on_unmount(self) -> None:
        self.reach.reader.forget(self)

    # Title, hints, news

    def set_title(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """The first line; the store's note, if any, stands at its right."""
        note = self.reach.note
        ends: list[Piece] = [*right, *(((f" {note} ", "warn"),) if note else ())]
        if note and sum(width(text) for text, _ in (*left, *ends)) + 2 > self.size.width:
            # What a screen says of itself at the right gives way to where its writes go.
            ends = [(f" {note} ", "warn")]
        self.title_line.show([(" ", ""), *left], [*ends, (" ", "")])

    @property
    def title_room(self) -> int:
        """Cells that a title may take beside the store's note."""
        note = self.reach.note
        return self.size.width - (width(note) + 2 if note else 0)

    def say(self, text: str, role: str = "text") -> None:
        """News on the last line, until the next key."""
        self._news = (text, role)
        self.draw_last_line()

    def hints(self) -> Sequence[keys.Action]:
        """The actions the last line names."""
        return keys.hints(self.KIND)

    def draw_last_line(self) -> None:
        """News if there are any, else the hints that fit."""
        if self._news:
            self.last_line.show([(" ", ""), self._news])
        else:
            self.last_line.show(fitting_hints(self.hints(), self.size.width))

    def perform(self, id: str) -> None:
        if self._news:
            self._news = None
            self.draw_last_line()
        super().perform(id)

    def on_resize(self, event: events.Resize) -> None:
        small = event.size.width < LEAST[0] or event.size.height < LEAST[1]
        self.set_class(small, "-small")
        self.small_line.show(
            (
                (
                    phrase(
                        "{width}x{height}: needs {width_needed}x{height_needed}",
                        width=event.size.width,
                        height=event.size.height,
                        width_needed=LEAST[0],
                        height_needed=LEAST[1],
                    ),
                    "warn",
                ),
            )
        )
        self.draw_last_line()

    def on_mount(self) -> None:
        self.draw_last_line()
        panes = self.panes
        if panes:
            panes[0].focus(scroll_visible=False)

    # Moving

    def do_down(self) -> None:
        self._move(lambda pane: pane.move(1))

    def do_up(self) -> None:
        self._move(lambda pane: pane.move(-1))

    def do_top(self) -> None:
        self._move(lambda pane: pane.go(0))

    def do_bottom(self) -> None:
        self._move(lambda pane: pane.go(len(pane.ids) - 1))

    def do_page_down(self) -> None:
        self._move(lambda pane: pane.page(1))

    def do_page_up(self) -> None:
        self._move(lambda pane: pane.page(-1))

    def do_right(self) -> None:
        self._move(lambda pane: pane.sideways(8))

    def do_left(self) -> None:
        self._move(lambda pane: pane.sideways(-8))

    def _move(self, how: Callable[[VirtualList], None]) -> None:
        if self.pane is not None:
            how(self.pane)

    def do_next_pane(self) -> None:
        self._turn(1)

    def do_prev_pane(self) -> None:
        self._turn(-1)

    def _turn(self, step: int) -> None:
        shown = [pane for pane in self.panes if pane.display]
        if shown:
            here = shown.index(self.pane) if self.pane in shown else 0
            shown[(here + step) % len(shown)].focus(scroll_visible=False)

    def focus_pane(self, number: int) -> None:
        """Focus pane `number` (from 1), leaving zoom."""
        panes = self.panes
        if number <= len(panes):
            if self.zoomed is not None:
                self.do_zoom()
            panes[number - 1].focus(scroll_visible=False)

    def do_pane_1(self) -> None:
        self.focus_pane(1)

    def do_pane_2(self) -> None:
        self.focus_pane(2)

    def do_pane_3(self) -> None:
        self.focus_pane(3)

    def do_back(self) -> None:
        if self.zoomed is not None:
            self.do_zoom()
        else:
            self.app.pop_screen()

    def do_zoom(self) -> None:
        self.zoomed = None if self.zoomed is not None else self.pane
        self.set_class(self.zoomed is not None, "-zoomed")
        for pane in self.panes:
            pane.set_class(pane is self.zoomed, "-zoom")
        for box in self.query(Container):
            # A box with nothing left to show would still take its share.
            box.set_class(self.zoomed is not None and self.zoomed not in box.walk_children(), "hidden")

    def do_help(self) -> None:
        self.reach.go(HelpPlace(self.KIND))

    # Finding

    def do_find(self) -> None:
        self.ask_line("/", self.find, self._search, live=self.find_live)

    def find_live(self, text: str) -> None:
        """The search text while it is typed."""

    def find(self, text: str) -> None:
        """Search (or filter) for `text`; empty ends it."""
        self._search = text
        pane = self.pane
        if pane is None:
            return
        if not text:
            pane.needle = ""
        elif not pane.search(text, 1):
            self.say(phrase("nothing holds {text}", text=repr(text)), "warn")

    def do_find_next(self) -> None:
        self._again(1)

    def do_find_prev(self) -> None:
        self._again(-1)

    def _again(self, step: int) -> None:
        if not self._search:
            self.say(phrase("nothing searched yet: / searches"), "dim")
        elif self.pane is not None and not self.pane.search(self._search, step):
            self.say(phrase("nothing holds {search}", search=repr(self._search)), "warn")

    def ask_line(
        self, prompt: str, then: Callable[[str], None], start: str = "", live: Callable[[str], None] | None = None
    ) -> None:
        """Ask for a line of text on the last line; `then` gets it, nothing happens on esc."""

        def done(text: str | None) -> None:
            if text is not None:
                then(text)

        self.reach.put(LineQuestion(prompt, start, live), done)

    def do_palette(self) -> None:
        self.reach.put(PaletteQuestion(self.KIND), self._chosen)

    def _chosen(self, choice: str | None) -> None:
        if not choice:
            return
        if choice.startswith("do:"):
            self.perform(choice[3:])
        elif choice.isdecimal():
            self.go_to_number(int(choice))
        else:
            self.go_to_name(choice)

    def go_to_number(self, number: int) -> None:
        """`:17`: row 17 of the pane."""
        self._move(lambda pane: pane.go(number - 1))

    def go_to_name(self, name: str) -> None:
        """Open what `RUN`, `RUN/TASK#REPEAT@STEP` or an experiment's uid names, once the store has found it.

        The word of a page opens it: `sandbox NAME [TABLE [ID]]` shows what a world holds.
        """
        word, _, words = name.partition(" ")
        if word in PAGES:
            self.ask("named_page", read_page, word, words.strip(), self.link_here())
        else:
            self.ask("place", opened.find, name)

    def got_named_page(self, place: PagePlace) -> None:
        """Show a page."""
        self.reach.go(place)

    def got_place(self, named: opened.Place) -> None:
        """Go to the place that a typed name turned out to mean."""
        self.reach.go(place_of(named))

    # Taking things out

    def value_here(self) -> str:
        """The text that `y` copies; empty where there is none."""
        return self.pane.text_here() if self.pane is not None else ""

    def json_here(self) -> Any:
        """The JSON value that `Y` copies."""
        return self.value_here()

    def link_here(self) -> str:
        """The link that `L` copies; empty where there is none."""
        return ""

    def do_copy(self) -> None:
        self._copy(self.value_here())

    def do_copy_json(self) -> None:
        self._copy(json.dumps(self.json_here(), ensure_ascii=False, indent=2))

    def do_copy_link(self) -> None:
        self._copy(self.link_here())

    def _copy(self, text: str) -> None:
        self.say(external_programs.copy(self.app, text) if text else phrase("nothing here to copy"), "dim")

    def do_pager(self) -> None:
        if self.pane is not None:
            problem = external_programs.page(self.app, self.pager_text())
            if problem:
                self.say(problem, "warn")

    def pager_text(self) -> str:
        """The text that `e` shows in the pager."""
        return "\n".join(self.pane.texts()) if self.pane is not None else ""

    # Writing

    def write(self, change: Callable[[Store], Written], then: Callable[[Written], None]) -> None:
        """Run `change(store)` on a store open for writing in a thread of its own, then `then(result)` on the screen."""
        app, host, path = self.app, self.reach, self.reach.store

        def work() -> None:
            # Only who writes pays for what writing takes.
            from reach_tui.store.store import Store

            try:
                with Store(path, write=True) as store:
                    result = change(store)
            except ReachError as error:
                app.call_from_thread(self.say, str(error), "bad")
            else:
                app.call_from_thread(host.wrote, store.path, store.note)
                app.call_from_thread(then, result)

        self.run_worker(work, thread=True, exclusive=False)

    @property
    def trial_uid(self) -> str:
        """The uid of the trial on screen, to which labels are anchored; empty where there is none."""
        return ""

    def do_undo(self) -> None:
        author, trial_uid = self.reach.author, self.trial_uid

        def undo(store: Store) -> LabelRow | None:
            from reach_tui.actions.labels import undo_last  # only who writes pays for it

            return undo_last(store, author, trial_uid)

        self.write(undo, self._undone)

    def _undone(self, undone: LabelRow | None) -> None:
        if undone is None:
            self.say(phrase("nothing to undo"), "dim")
        else:
            what = f"note {undone.value}" if undone.kind == "note" else f"label at step {undone.step}"
            self.say(phrase("taken back: {what}", what=what), "good")
            self.labels_changed()
