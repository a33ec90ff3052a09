"""Labels and notes, written by a short-lived writer so that the reading thread never waits for a lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reach_tui.core.errors import ReachError
from reach_tui.tui.screens.everywhere import ReachScreen

if TYPE_CHECKING:
    from reach_tui.present.reading import Loaded
    from reach_tui.store.rows import StoredTrial
    from reach_tui.store.store import Store
    from reach_tui.tui.app import ReachApp


@dataclass(frozen=True, slots=True)
class Choice:
    """What a label bar was left with; None is left as it is."""

    mode: str | None = None
    owner: str | None = None


def in_writer(screen: ReachScreen, write: Callable[[Store], Any], then: Callable[[Any], None]) -> None:
    """Run `write(store)` on a store open for writing in a thread of its own, then `then(result)` on the screen."""
    app = screen.reach
    path = app.store

    def work() -> None:
        from reach_tui.store.store import Store

        try:
            with Store(path, write=True) as store:
                result = write(store)
        except ReachError as error:
            app.call_from_thread(screen.say, str(error), "bad")
        else:
            app.call_from_thread(app.wrote, store.path, store.note)
            app.call_from_thread(then, result)

    screen.run_worker(work, thread=True, exclusive=False)


def undo_last(app: ReachApp, screen: ReachScreen) -> None:
    """Take back the last label or note of this person: on the trial at hand if there is one, else wherever it was."""
    from reach_tui.store import labels

    trial_uid = getattr(screen, "trial_uid", "") or None

    def write(store: Store) -> Any:
        undone = labels.undo_last(store, app.author, trial_uid=trial_uid)
        if undone is not None:
            # What was saved with one key is taken back with one key.
            together = (one for one in labels.labels_of(store, undone.trial_uid) if one.author == app.author)
            for _ in [one for one in together if one.at == undone.at]:
                labels.undo_last(store, app.author, trial_uid=undone.trial_uid)
        return undone

    def said(undone: Any) -> None:
        if undone is None:
            screen.say("nothing to undo", "dim")
        else:
            what = f"note {undone.value}" if undone.kind == "note" else f"label at step {undone.step}"
            screen.say(f"taken back: {what}", "good")
            screen.labels_changed()

    in_writer(screen, write, said)


class TrialKeys(ReachScreen):
    """`t`, `a` and `u` on the trial that a screen shows."""

    loaded: Loaded | None
    n: int

    @property
    def trial(self) -> StoredTrial | None:
        """The trial on screen."""
        return self.loaded.trial if self.loaded is not None else None

    @property
    def trial_uid(self) -> str:
        """The uid that labels are anchored to."""
        return self.trial.row.uid if self.trial is not None else ""

    def do_label(self) -> None:
        from reach_tui.tui.screens.label_bar import LabelBar

        if self.trial is not None:
            row = self.trial.row
            self.reach.push_screen(LabelBar(self.n, row.mode, row.owner), self._labelled)

    def _labelled(self, choice: Choice | None) -> None:
        if choice is None or (choice.mode is None and choice.owner is None):
            return
        kinds = [(k, v) for k, v in (("mode", choice.mode), ("owner", choice.owner)) if v]
        self._write(
            [*kinds, ("decisive_step", str(self.n))], f"labelled {', '.join(v for _, v in kinds)} at step {self.n}"
        )

    def do_note(self) -> None:
        if self.trial is not None:
            self.ask_line(f"note on step {self.n}:", self._noted)

    def _noted(self, text: str) -> None:
        if text.strip():
            self._write([("note", text.strip())], f"noted at step {self.n}")

    def _write(self, kinds: list[tuple[str, str]], said: str) -> None:
        from reach_tui.store import labels

        uid, step, author = self.trial_uid, self.n, self.reach.author

        at = self.reach.now()

        def write(store: Store) -> Any:
            return [labels.add_label(store, uid, kind, value, author, step=step, at=at) for kind, value in kinds]

        def then(_: Any) -> None:
            self.say(f"{said}; u takes it back", "good")
            self.labels_changed()

        in_writer(self, write, then)
