"""Every key of the app in one table: bindings, footer, help, palette and the docs' key page are read from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

EVERYWHERE, RUNS, RUN, TRIAL, REPLAY = "everywhere", "runs", "run", "trial", "replay"
BRANCH, EXPERIMENT, LABEL_BAR, QUESTION = "branch", "experiment", "label bar", "question"

TABLE_NAMES = {
    EVERYWHERE: "Everywhere", RUNS: "Runs", RUN: "Run", TRIAL: "Any trial", REPLAY: "Replay", BRANCH: "Branch form",
    EXPERIMENT: "Experiment", LABEL_BAR: "Label bar", QUESTION: "Questions",
}  # fmt: skip

MODAL = (BRANCH, LABEL_BAR, QUESTION)
"""Tables of their own: while one of these is open, no other table's letters act."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a key does. `keys` are the characters as printed on the keyboard, or Textual's names for others.

    `pair` is the id of the way back, for motions that have one.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    where: str
    pair: str = ""

    @property
    def shown(self) -> str:
        """The key as footer and help show it."""
        return " ".join(_SHOWN.get(key, key) for key in self.keys)

    @property
    def hint_key(self) -> str:
        """The key as the last line shows it: the first, and its way back beside it where both are one character."""
        back = next((a for a in ACTIONS if a.id == self.pair and a.where == self.where), None)
        mine = _SHOWN.get(self.keys[0], self.keys[0])
        other = back.keys[0] if back else ""
        return f"{other}{mine}" if back and other in "[{" else mine


_SHOWN = {
    "escape": "esc", "ctrl+d": "^d", "ctrl+u": "^u", "ctrl+c": "^c", "ctrl+z": "^z", "ctrl+s": "^s", "ctrl+o": "^o",
    "ctrl+t": "^t", "shift+tab": "s-tab", "pagedown": "pgdn", "pageup": "pgup",
}  # fmt: skip


def _everywhere() -> Iterable[Action]:
    def at(id: str, keys: str, label: str, help: str, pair: str = "") -> Action:
        return Action(id, tuple(keys.split()), label, help, EVERYWHERE, pair)

    yield at("down", "j down", "down", "next row", pair="up")
    yield at("up", "k up", "up", "previous row", pair="down")
    yield at("top", "g home", "top", "first row", pair="bottom")
    yield at("bottom", "G end", "bottom", "last row", pair="top")
    yield at("page_down", "ctrl+d pagedown", "page down", "half a page down", pair="page_up")
    yield at("page_up", "ctrl+u pageup", "page up", "half a page up", pair="page_down")
    yield at("right", "right", "right", "scroll sideways to the right", pair="left")
    yield at("left", "left", "left", "scroll sideways to the left", pair="right")
    yield at("next_pane", "tab", "next pane", "next pane", pair="prev_pane")
    yield at("prev_pane", "shift+tab", "previous pane", "previous pane", pair="next_pane")
    for n in range(1, 7):
        yield at(f"pane_{n}", str(n), f"pane {n}", f"pane or tab {n}")
    yield at("open", "enter", "open", "open or follow what is under the cursor")
    yield at("back", "escape q", "back", "back to where you came from")
    yield at("find", "/", "find", "filter a list, search a trajectory")
    yield at("find_next", "n", "next match", "next match", pair="find_prev")
    yield at("find_prev", "N", "previous match", "previous match", pair="find_next")
    yield at("find_value", "*", "search value", "search the value under the cursor")
    yield at(
        "palette",
        ":",
        "go to",
        "any action by name; :17 goes to row or step 17; a run or trial opens; :sandbox NAME shows a world",
    )
    yield at("help", "?", "help", "all keys of this screen")
    yield at("copy", "y", "copy", "copy the value under the cursor")
    yield at("copy_json", "Y", "copy JSON", "copy the row under the cursor as JSON")
    yield at("copy_link", "L", "copy link", "copy the name by which the command line knows it")
    yield at("pager", "e", "pager", "read the pane in your pager")
    yield at("zoom", "z", "zoom", "give the pane the whole screen, and back")
    yield at("next_view", "v", "view", "next view of the pane")
    yield at("raw", "r", "raw", "what the model was really sent, and back")
    yield at("sort", "s", "sort", "sort by the next column")
    yield at("sort_reverse", "S", "reverse", "reverse the order")
    yield at("mark", "space", "mark", "mark or unmark a row")
    yield at("compare", "c", "compare", "compare marked runs")
    yield at("undo", "u", "undo", "undo your last label or note")
    yield at("next_failing", "f", "failing", "next failing trial, at its decisive step", pair="prev_failing")
    yield at("prev_failing", "F", "previous failing", "previous failing trial", pair="next_failing")
    yield at("branch", "b", "branch", "start a branch with one changed factor")
    yield at("suspend", "ctrl+z", "suspend", "suspend to the shell")
    yield at("quit", "ctrl+c", "quit", "twice: leave; runs go on")


def _screens() -> Iterable[Action]:
    def at(
        where: str, id: str, keys: str, label: str, help: str, pair: str = ""
    ) -> Action:  # the order of a person's reading: where, what, how
        return Action(id, tuple(keys.split()), label, help, where, pair)

    yield at(RUNS, "stop", "X", "stop", "stop the run (asks first)")
    yield at(EXPERIMENT, "stop", "X", "stop", "stop the experiment's runs (asks first)")

    yield at(TRIAL, "label", "t", "label", "label the failure: mode, owner, this step")
    yield at(TRIAL, "note", "a", "note", "write a note on this step")

    yield at(REPLAY, "step_next", "] l", "step", "next step", "step_prev")
    yield at(REPLAY, "step_prev", "[ h", "previous step", "previous step", pair="step_next")
    yield at(REPLAY, "divergence_next", "}", "parts", "next divergence: parting or decisive step", "divergence_prev")
    yield at(REPLAY, "divergence_prev", "{", "previous divergence", "previous divergence", pair="divergence_next")
    yield at(REPLAY, "write_next", "w", "write", "next step that changed the world", "write_prev")
    yield at(REPLAY, "write_prev", "W", "previous write", "previous step that changed the world", pair="write_next")
    yield at(REPLAY, "deviation_next", "d", "deviation", "next deviation", pair="deviation_prev")
    yield at(REPLAY, "deviation_prev", "D", "previous deviation", "previous deviation", pair="deviation_next")
    yield at(REPLAY, "milestone_next", "m", "milestone", "next milestone reached", pair="milestone_prev")
    yield at(REPLAY, "milestone_prev", "M", "previous milestone", "previous milestone", pair="milestone_next")
    yield at(REPLAY, "last_step", "$", "last step", "last step", pair="first_step")
    yield at(REPLAY, "first_step", "0", "first step", "first step", pair="last_step")
    yield at(REPLAY, "trial_next", "J", "next trial", "next trial of the list", pair="trial_prev")
    yield at(REPLAY, "trial_prev", "K", "previous trial", "previous trial of the list", pair="trial_next")
    yield at(REPLAY, "twin", "=", "twin", "beside a passing repeat of the same task")

    yield at(BRANCH, "start", "ctrl+s", "start", "start the branch")
    yield at(BRANCH, "texts", "ctrl+t", "original/edited/difference", "original, edited text, difference")
    yield at(BRANCH, "editor", "ctrl+o", "editor", "edit the text in your editor")
    yield at(BRANCH, "next_field", "tab", "field", "next field", "prev_field")
    yield at(BRANCH, "prev_field", "shift+tab", "previous field", "previous field", pair="next_field")
    yield at(BRANCH, "back", "escape", "back", "back; the draft is kept")

    modes = ("planning", "tool", "argument", "drift", "hallucination", "other")
    for n, mode in enumerate(modes, 1):
        yield at(LABEL_BAR, f"mode_{mode}", str(n), mode, f"mode: {mode}")
    yield at(LABEL_BAR, "mode_unclassified", "0", "cannot say", "mode: cannot say")
    for key, owner in (("a", "agent"), ("u", "user"), ("g", "grader"), ("t", "tool"), ("i", "infrastructure")):
        yield at(LABEL_BAR, f"owner_{owner}", key, owner, f"owner: {owner}")
    yield at(LABEL_BAR, "save", "enter", "save", "save with this step")
    yield at(LABEL_BAR, "back", "escape", "leave", "leave without a label")

    yield at(QUESTION, "yes", "y", "yes", "yes, do it")
    yield at(QUESTION, "no", "n escape q", "no", "no, leave it")


ACTIONS: tuple[Action, ...] = (*_everywhere(), *_screens())

_MOVES = (
    "down", "up", "top", "bottom", "page_down", "page_up", "right", "left", "back", "palette", "help", "copy",
    "pager", "zoom", "suspend", "quit", "find", "find_next", "find_prev", "next_pane", "prev_pane",
)  # fmt: skip
_FAILING = ("next_failing", "prev_failing")

SCREENS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "runs": (
        (*_MOVES, "open", "copy_json", "copy_link", "sort", "sort_reverse", "mark", "compare", "branch",
         *_FAILING, "pane_1", "pane_2", "undo"),
        (RUNS,),
    ),
    "run": (
        (*_MOVES, "open", "copy_json", "copy_link", "next_view", "sort", "sort_reverse", "mark", "branch", *_FAILING,
         "pane_1", "pane_2", "undo"),
        (RUN,),
    ),
    "replay": (
        (*_MOVES, "open", "copy_json", "copy_link", "next_view", "raw", "sort", "sort_reverse", "find_value", "undo",
         "branch", *_FAILING, "pane_1", "pane_2", "pane_3"),
        (TRIAL, REPLAY),
    ),
    "twins": ((*_MOVES, "open", "copy_link", "next_view", "pane_1", "pane_2", "pane_3"), ()),
    "experiment": (
        (*_MOVES, "open", "copy_json", "copy_link", "next_view", "branch", *_FAILING, "pane_1", "pane_2"),
        (EXPERIMENT,),
    ),
    "compare": ((*_MOVES, "copy_json"), ()),
    "page": ((*_MOVES,), ()),
    "help": (("down", "up", "top", "bottom", "page_down", "page_up", "right", "left", "find", "find_next", "find_prev",
              "back", "suspend", "quit", "copy", "pager"), ()),
    "branch": (("quit",), (BRANCH,)),
    "label bar": (("quit",), (LABEL_BAR,)),
    "question": (("quit",), (QUESTION,)),
}  # fmt: skip
"""Each screen: the ids of *everywhere* that mean something in it, and the tables that are its own."""


def table(screen: str) -> tuple[Action, ...]:
    """The actions of a screen, in the order of help."""
    everywhere, own = SCREENS[screen]
    return (
        *(a for a in ACTIONS if a.where in own),
        *(a for a in ACTIONS if a.where == EVERYWHERE and a.id in everywhere),
    )


HINTS: dict[str, tuple[str, ...]] = {
    "runs": ("open", "next_failing", "branch", "find", "mark", "compare", "palette", "help"),
    "run": ("open", "next_failing", "branch", "next_view", "find", "mark", "back", "sort", "help"),
    "replay": ("next_failing", "divergence_next", "write_next", "twin", "label", "branch", "step_next", "next_view",
               "find", "note", "raw", "zoom", "help"),
    "twins": ("open", "next_view", "find", "back", "help"),
    "experiment": ("open", "branch", "next_failing", "next_view", "stop", "back", "help"),
    "compare": ("find", "copy_json", "back", "help"),
    "page": ("find", "palette", "back", "help"),
    "help": ("find", "back"),
    "branch": ("start", "texts", "next_field", "editor", "back"),
    "question": ("yes", "no"),
}  # fmt: skip
"""What the last line of each screen names, the most wanted first; a pair is shown once, under its first half."""


def hints(screen: str) -> tuple[Action, ...]:
    """The actions that the last line of a screen names, most wanted first."""
    by_id = {action.id: action for action in table(screen)}
    return tuple(by_id[id] for id in HINTS.get(screen, ()))


_FULLWIDTH = {
    "[": "【", "]": "】", "/": "、", "\\": "、", ":": "：", "?": "？", "$": "￥", "{": "｛", "}": "｝", "*": "×",
    "=": "＝",
}  # fmt: skip
"""What a Chinese input method sends in place of a key, beyond its full-width form."""


def fullwidth(key: str) -> tuple[str, ...]:
    """The full-width characters that arrive in place of `key` while a Chinese input method is on."""
    if len(key) != 1 or not "!" <= key <= "~":
        return ()
    full = chr(ord(key) - 0x21 + 0xFF01)
    extra = _FULLWIDTH.get(key, "")
    if key == "$":
        extra += "¥"
    return tuple(dict.fromkeys((*extra, full)))


def key_table() -> list[tuple[str, str, str]]:
    """(where, key, what it does) for every action, in the order of help: what the docs' key page is made from."""
    return [(TABLE_NAMES[action.where], action.shown, action.help) for action in ACTIONS if _bound(action)]


def _bound(action: Action) -> bool:
    """Whether some screen has it."""
    return any(action in table(screen) for screen in SCREENS)
