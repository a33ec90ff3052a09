"""Runs: home. Every run of the store, branches under their parents, the highlighted one's card beside or beneath."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer

from reach_tui.present import reading as queries
from reach_tui.present.cells import Row
from reach_tui.present.language import phrase, plural
from reach_tui.present.run_text import run_json
from reach_tui.tui.navigation import BranchPlace, ComparePlace, ExperimentPlace, RunPlace, TrialPlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.stopping import ask_to_stop
from reach_tui.tui.widgets.virtual_list import VirtualList

BESIDE = 170
"""Columns from which the card stands beside the list."""
REST_SECONDS = 0.09
"""How long the cursor must rest before the card is read."""
ORDERS = ("tree", "reach", "name", "status", "age")


class RunsScreen(ReachScreen):
    """The list holds ids; rows come by page and stay in a cache, so that a refresh costs what changed."""

    KIND = "runs"
    BINDINGS = bindings("runs")
    # Textual does not load `CSS` of the screen that an app begins with.
    DEFAULT_CSS = """
    RunsScreen #deck { layout: vertical; height: 1fr; }
    RunsScreen #card { height: 12; }
    RunsScreen.-tall #card { height: 16; }
    RunsScreen.-beside #deck { layout: horizontal; }
    RunsScreen.-beside #runs { width: 1fr; height: 1fr; }
    RunsScreen.-beside #card { width: 68; height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.items: dict[int, queries.RunItem] = {}
        self.all_ids: tuple[int, ...] = ()
        self.known: frozenset[int] = frozenset()
        self.revision = 0
        self.order, self.reverse, self.filter = "tree", False, ""
        self.asked: set[int] = set()
        self.running: set[int] = set()
        self.card: queries.Card | None = None
        self.card_lines: list[Any] = []
        self.rest: Timer | None = None
        self.runs = VirtualList((), self._row, id="runs", gap=1)
        self.card_pane = VirtualList((), self._card_line, id="card")

    def body(self) -> ComposeResult:
        with Container(id="deck"):
            yield self.runs
            yield self.card_pane

    def on_mount(self) -> None:
        self._title()
        self.call_after_refresh(self.ask, "ids", queries.run_ids)

    def on_resize(self, event: events.Resize) -> None:
        from reach_tui.present.runs import columns_for

        self.set_class(event.size.height >= 34, "-tall")
        beside = event.size.width >= BESIDE
        self.set_class(beside, "-beside")
        self.runs.columns = columns_for(event.size.width - (68 if beside else 0))

    def on_virtual_list_resized(self, message: VirtualList.Resized) -> None:
        if message.list is self.card_pane:
            self._draw_card()

    def _title(self) -> None:
        count = len(self.all_ids)
        live = len(self.running)
        shown = f"{len(self.runs.ids)} of {count}" if self.filter else str(count)
        left = [
            (phrase("reach"), "title"),
            (plural(count, "  {shown} run", "  {shown} runs", shown=shown), "dim"),
        ]
        if live:
            left.append((phrase("  {live} running", live=live), "accent"))
        if self.filter:
            left.append((phrase("  filter {filter}", filter=self.filter), "warn"))
        if self.order != "tree" or self.reverse:
            left.append(
                (phrase("  by {order}, reversed" if self.reverse else "  by {order}", order=self.order), "warn")
            )
        # A note names the file by itself.
        self.set_title(left, () if self.reach.note else ((f" {self.reach.store.name} ", "faint"),))

    @property
    def waiting(self) -> bool:
        return self.rest is not None

    # Rows

    def got_ids(self, runs: queries.Ids) -> None:
        self.revision = runs.revision
        self._know(runs.ids)
        self.runs.empty = "no runs yet:  reach run SUITE  starts one,  reach demo  shows one"
        self._arrange()

    def failed(self, key: str, error: str) -> None:
        if key == "ids":
            self.runs.empty = error
            self.runs.redraw()
        super().failed(key, error)

    def _know(self, ids: tuple[int, ...]) -> None:
        self.all_ids, self.known = ids, frozenset(ids)

    def _arrange(self) -> None:
        """The ids in the order and under the filter asked for."""
        if self.filter or self.order != "tree":
            self.ask("arranged", queries.arranged_runs, self.filter, self.order, self.reverse)
        else:
            self.got_arranged(self.all_ids[::-1] if self.reverse else self.all_ids)

    def got_arranged(self, ids: tuple[int, ...]) -> None:
        self.runs.set_ids(ids)
        self._title()
        self._rested()

    def _row(self, id: int) -> Row | None:
        from reach_tui.present.runs import run_row

        item = self.items.get(id)
        return run_row(item, self.reach.now(), self.runs.columns, self.order == "tree") if item else None

    def on_virtual_list_wanted(self, message: VirtualList.Wanted) -> None:
        unasked = [id for id in message.ids if isinstance(id, int) and id not in self.asked]
        if unasked:
            self.asked.update(unasked)
            self.ask("page", queries.run_items, [id for id in self.asked if id not in self.items])

    def got_page(self, items: tuple[queries.RunItem, ...]) -> None:
        self._take(items)
        self.asked.difference_update(item.row.id for item in items)

    def _take(self, items: tuple[queries.RunItem, ...]) -> None:
        self.items.update((item.row.id, item) for item in items)
        self.runs.redraw([item.row.id for item in items])
        for item in items:
            (self.running.add if item.row.status == "running" else self.running.discard)(item.row.id)
        self.reach.reader.lively = bool(self.running)
        self._title()

    def store_note(self) -> None:
        self._title()

    def store_changed(self) -> None:
        if not self.all_ids:
            self.ask("ids", queries.run_ids)
        else:
            self.ask("changes", queries.run_changes, self.revision, self.known)

    def got_changes(self, changes: queries.Changes) -> None:
        self.revision = changes.revision
        if changes.ids is not None:
            self._know(changes.ids)
            self._arrange()
        self._take(changes.rows)
        if self.runs.cursor is not None:
            self.ask("card", queries.card, self.runs.cursor)

    def on_virtual_list_lost(self, message: VirtualList.Lost) -> None:
        if message.list is self.runs:
            self.say(phrase("the run under the cursor left the list; the cursor went to its neighbour"), "dim")

    # The card

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        if message.list is self.runs:
            if self.rest is not None:
                self.rest.stop()
            self.rest = self.set_timer(REST_SECONDS, self._rested)

    def _rested(self) -> None:
        self.rest = None
        if self.runs.cursor is not None:
            self.ask("card", queries.card, self.runs.cursor)

    def got_card(self, card: queries.Card | None) -> None:
        if card is not None and card.item.row.id == self.runs.cursor:
            self.card = card
            self._draw_card()

    def _draw_card(self) -> None:
        from reach_tui.present import card as view

        self.card_pane.heading = view.heading(self.card)
        if self.card is not None:
            size = self.card_pane.size
            self.card_lines = view.lines(self.card, max(30, self.card_pane.cells - 1), size.height, self.reach.now())
            self.card_pane.set_ids(range(len(self.card_lines)))
            self.card_pane.redraw()

    def _card_line(self, n: int) -> Row:
        return Row((self.card_lines[n],))

    # Keys

    def _run_here(self) -> int | None:
        cursor = self.runs.cursor
        return cursor if isinstance(cursor, int) else None

    def do_open(self) -> None:
        if (id := self._run_here()) is None:
            return
        row = self.items[id].row if id in self.items else None
        if row is not None and row.experiment_uid:
            self.reach.go(ExperimentPlace(row.experiment_uid))
        else:
            self.reach.go(RunPlace(id, row))

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        if message.list is self.runs:
            self.do_open()

    def do_back(self) -> None:
        if self.zoomed is not None:
            self.do_zoom()
        elif self.filter:
            self.find("")
        else:
            self.reach.ask_to_quit("esc")

    def find(self, text: str) -> None:
        self.filter = self._search = text.strip()
        self._arrange()

    def do_sort(self) -> None:
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self._arrange()

    def do_sort_reverse(self) -> None:
        self.reverse = not self.reverse
        self._arrange()

    def do_mark(self) -> None:
        self.runs.mark()

    def do_compare(self) -> None:
        marked = [id for id in self.runs.ids if id in self.runs.marks]
        if len(marked) < 2:
            self.say(phrase("mark two runs or more with space, then c"), "dim")
        else:
            uids = [self.items[id].row.uid for id in marked if isinstance(id, int) and id in self.items]
            self.reach.go(ComparePlace(uids))

    def do_branch(self) -> None:
        if (id := self._run_here()) is not None:
            self.reach.go(BranchPlace(id))

    def do_next_failing(self) -> None:
        self._failing("failing_first")

    def do_prev_failing(self) -> None:
        self._failing("failing_last")

    def _failing(self, key: str) -> None:
        if (id := self._run_here()) is not None:
            self.ask(key, lambda store, run: (run, queries.failing(store, run)), id)

    def got_failing_first(self, failing: tuple[int, tuple[int, ...]]) -> None:
        self._open_failing(*failing, 0)

    def got_failing_last(self, failing: tuple[int, tuple[int, ...]]) -> None:
        self._open_failing(*failing, -1)

    def _open_failing(self, run: int, ids: tuple[int, ...], place: int) -> None:
        if ids:
            self.reach.go(TrialPlace(ids[place], run, trail=ids))
        else:
            self.say(phrase("no failing trial in this run"), "good")

    def do_stop(self) -> None:
        if (id := self._run_here()) is not None and id in self.items:
            ask_to_stop(self, [self.items[id].row])

    def json_here(self) -> Any:
        id = self._run_here()
        return run_json(self.items[id].row) if id is not None and id in self.items else None

    def value_here(self) -> str:
        return self.link_here() if self.pane is self.runs else super().value_here()

    def link_here(self) -> str:
        id = self._run_here()
        return self.items[id].row.uid if id is not None and id in self.items else ""
