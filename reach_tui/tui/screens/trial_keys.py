"""`t` and `a` on the trial that a screen shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reach_tui.present.language import phrase
from reach_tui.present.opened import Loaded
from reach_tui.store.trial_rows import StoredTrial
from reach_tui.tui.navigation import LabelChoice, LabelQuestion
from reach_tui.tui.screen import ReachScreen

if TYPE_CHECKING:
    from reach_tui.store.store import Store


class TrialKeys(ReachScreen):
    """The actions of *any trial*: labels and notes are anchored to the trial on screen and its step `n`."""

    loaded: Loaded | None
    n: int

    @property
    def trial(self) -> StoredTrial | None:
        """The trial on screen."""
        return self.loaded.trial if self.loaded is not None else None

    @property
    def trial_uid(self) -> str:
        return self.trial.row.start.uid if self.trial is not None else ""

    def do_label(self) -> None:
        if self.trial is not None:
            row = self.trial.row
            self.reach.put(LabelQuestion(self.n, row.grading.mode, row.grading.owner), self._labelled)

    def _labelled(self, choice: LabelChoice | None) -> None:
        if choice is None or (choice.mode is None and choice.owner is None):
            return
        kinds = [(k, v) for k, v in (("mode", choice.mode), ("owner", choice.owner)) if v]
        self._add(
            [*kinds, ("decisive_step", str(self.n))], f"labelled {', '.join(v for _, v in kinds)} at step {self.n}"
        )

    def do_note(self) -> None:
        if self.trial is not None:
            self.ask_line(phrase("note on step {n}:", n=self.n), self._noted)

    def _noted(self, text: str) -> None:
        if text.strip():
            self._add([("note", text.strip())], f"noted at step {self.n}")

    def _add(self, kinds: list[tuple[str, str]], news: str) -> None:
        uid, step, author, at = self.trial_uid, self.n, self.reach.author, self.reach.now()

        def added(_: None) -> None:
            self.say(phrase("{news}; u takes it back", news=news), "good")
            self.labels_changed()

        def add(store: Store) -> None:
            from reach_tui.actions.labels import add_labels  # only who writes pays for it

            add_labels(store, uid, kinds, author, step, at)

        self.write(add, added)
