"""A cursor that holds an id, never a position: what the list does under it cannot move it to another row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

Id = Hashable


class Selection:
    """An ordered list of ids, a cursor on one of them, and marks. `at` is where the cursor's id now stands."""

    def __init__(self) -> None:
        self.ids: Sequence[Id] = ()
        self.marks: set[Id] = set()
        self.at = 0
        self._places: dict[Id, int] | None = None

    @property
    def cursor(self) -> Id | None:
        """The id under the cursor; None in an empty list."""
        return self.ids[self.at] if self.ids else None

    def place_of(self, id: Id) -> int | None:
        """The position of an id, or None."""
        if isinstance(self.ids, range):
            return self.ids.index(id) if isinstance(id, int) and id in self.ids else None
        if self._places is None:
            self._places = {row_id: place for place, row_id in enumerate(self.ids)}
        return self._places.get(id)

    def replace(self, ids: Sequence[Id]) -> Id | None:
        """Other ids. The cursor keeps its id; where that is gone it goes to the nearest neighbour still there, and
        the lost id is returned."""
        before, old, at = self.cursor, self.ids, self.at
        # A list could be changed by its owner later, under the cursor.
        self.ids, self._places = (ids if isinstance(ids, range) else tuple(ids)), None
        place = None if before is None else self.place_of(before)
        self.at = self._neighbour(old, at) if place is None else place
        return None if place is not None or not old else before

    def put(self, place: int) -> bool:
        """The cursor to a position, cut to the list; False if it is there already."""
        place = max(0, min(place, len(self.ids) - 1))
        moved = place != self.at and bool(self.ids)
        self.at = place if self.ids else 0
        return moved

    def _neighbour(self, old: Sequence[Id], lost: int) -> int:
        for place in (*range(lost, len(old)), *range(min(lost, len(old)) - 1, -1, -1)):
            position = self.place_of(old[place])
            if position is not None:
                return position
        return max(0, min(lost, len(self.ids) - 1))
