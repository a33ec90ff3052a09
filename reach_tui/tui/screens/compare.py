"""Compare: any marked runs, side by side, each against the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from reach_tui.present import comparison as compare_view
from reach_tui.present import reading as queries
from reach_tui.present.cells import Piece, Row
from reach_tui.present.comparison import comparison_json
from reach_tui.present.language import phrase
from reach_tui.tui.navigation import ComparePlace
from reach_tui.tui.screen import ReachScreen, bindings
from reach_tui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from reach_tui.counterfactual.compare import Comparison


class CompareScreen(ReachScreen):
    """One list: metrics, flips, ranking, and what the runs differ in."""

    KIND = "compare"
    BINDINGS = bindings("compare")

    def __init__(self, place: ComparePlace) -> None:
        super().__init__()
        self.uids = tuple(place.uids)
        self.comparison: Comparison | None = None
        self.lines: list[tuple[Piece, ...]] = []
        self.list = VirtualList((), lambda n: Row((self.lines[n],)), empty="comparing")

    def body(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.set_title(((phrase("compare"), "title"), (phrase("  {n} runs", n=len(self.uids)), "dim")))
        self.ask("comparison", queries.comparison, self.uids)

    def on_virtual_list_resized(self, message: VirtualList.Resized) -> None:
        self._show()

    def failed(self, key: str, error: str) -> None:
        self.list.empty = error
        self.list.redraw()

    def got_comparison(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._show()

    def _show(self) -> None:
        if self.comparison is not None:
            self.lines = compare_view.lines(self.comparison, max(40, self.list.cells - 2))
            self.list.set_ids(range(len(self.lines)))
            self.list.redraw()

    def json_here(self) -> Any:
        return comparison_json(self.comparison) if self.comparison is not None else None
