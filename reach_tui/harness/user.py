"""The scripted user of a task."""

from __future__ import annotations

from collections.abc import Sequence

from reach_tui.core.task import ScriptedTurn


class ScriptedUser:
    """Answers the agent from a task's turns, each used once.

    A turn with `when_asked` is said when the agent's message contains that text (letter case aside); among those
    without, the first unused one is said next. With nothing fitting left, the conversation is over.
    """

    def __init__(self, turns: Sequence[ScriptedTurn]) -> None:
        self._left = list(turns)

    def answer(self, message: str) -> str | None:
        """The user's next words, or None."""
        heard = message.casefold()
        for turn in self._left:
            if turn.when_asked is not None and turn.when_asked.casefold() in heard:
                self._left.remove(turn)
                return turn.say
        for turn in self._left:
            if turn.when_asked is None:
                self._left.remove(turn)
                return turn.say
        return None
