"""Keys from the one table: bindings with their full-width twins, hints that fit, and running an action by its id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key
from textual.screen import ModalScreen

from reach_tui.core.text import width
from reach_tui.present.cells import Piece
from reach_tui.tui import actions

if TYPE_CHECKING:
    from reach_tui.tui.app import ReachApp

Result = TypeVar("Result")


def bindings(screen: str) -> list[BindingType]:
    """The bindings of a screen: every key of its actions, and every full-width twin of a key."""
    found: list[BindingType] = []
    for action in actions.table(screen):
        for key in action.keys:
            for one in (key, *actions.twins(key)):
                name = _character_to_key(one) if len(one) == 1 else one
                found.append(Binding(name, f"perform('{action.id}')", action.label, show=False))
    return found


def fitting_hints(shown: Sequence[actions.Action], cells: int) -> list[Piece]:
    """As many hints as fit in `cells`, the most wanted first; help, the last of them, always stays."""
    help = [action for action in shown if action.id == "help"]
    rest = [action for action in shown if action.id != "help"]
    sizes = {action.id: width(f"  {action.hint_key} {action.label}") for action in shown}
    left = cells - sum(sizes[action.id] for action in help)
    kept = []
    for action in rest:
        if sizes[action.id] <= left:
            left -= sizes[action.id]
            kept.append(action)
    pieces: list[Piece] = []
    for action in (*kept, *help):
        pieces += [(" " if not pieces else "  ", ""), (action.hint_key, "key"), (" " + action.label, "dim")]
    return pieces


class Keyed:
    """Runs actions by id: `do_<id>` of the screen. Mixed into screens and modals."""

    KIND: ClassVar[str] = ""

    def action_perform(self, id: str) -> None:
        """What every binding calls."""
        self.perform(id)

    def perform(self, id: str) -> None:
        """Run an action of this screen's table."""
        cast("Callable[[], None]", getattr(self, f"do_{id}"))()

    @property
    def reach(self) -> ReachApp:
        """The app, by its own type."""
        return cast("ReachApp", self.app)  # type: ignore[attr-defined]

    def do_quit(self) -> None:
        self.reach.ask_to_quit()

    def do_suspend(self) -> None:
        self.reach.action_suspend_process()


class Modal(Keyed, ModalScreen[Result], inherit_bindings=False):
    """A question over a screen, with a table of keys of its own."""

    AUTO_FOCUS = None

    def do_back(self) -> None:
        self.dismiss(None)
