"""`ABSENT` is a value that is not there, which JSON's null is not."""

from __future__ import annotations

from typing import Final


class Absent:
    """The type of the one value `ABSENT`."""

    _only: Absent | None = None

    def __new__(cls) -> Absent:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "ABSENT"

    def __copy__(self) -> Absent:
        return self

    def __deepcopy__(self, memo: object) -> Absent:
        return self

    def __reduce__(self) -> tuple[type[Absent], tuple[()]]:
        return (Absent, ())


ABSENT: Final = Absent()
