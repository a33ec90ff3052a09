"""A family of two tables and tools that misbehave, to see what the engine does about it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from reach_tui.core.absent import ABSENT
from reach_tui.sandbox.family import Sandbox
from reach_tui.sandbox.schema import Keywords
from reach_tui.sandbox.tool import compiled, tool
from reach_tui.sandbox.transaction import ToolError, World


class Place(TypedDict):
    city: str
    line: NotRequired[str]


class Box(TypedDict):
    name: str
    size: int
    place: Place | None
    tags: NotRequired[list[str]]
    ratio: NotRequired[float]


class Line(TypedDict):
    sku: str
    quantity: Annotated[int, Keywords(minimum=1)]


@tool(effect="write", entity="boxes", entity_arg="box_id")
def rename(w: World, box_id: str, name: str) -> dict[str, Any]:
    """Give a box a name."""
    if box_id not in w.boxes:
        raise ToolError(f"no box {box_id}; make one first", "no_box")
    w.boxes.patch(box_id, name=name)
    return {"name": name}


@tool(effect="write")
def breaks_midway(w: World, how: Literal["error", "bug", "nan", "set", "field", "table"]) -> Any:
    """Writes first and then goes wrong."""
    w.boxes.patch("B1", name="spoilt")
    w.boxes.insert("B9", {"name": "new", "size": 1, "place": None})
    w.boxes.delete("B2")
    w.new_id("boxes", "B")
    if how == "error":
        raise ToolError("not today; come back tomorrow", "closed")
    if how == "bug":
        return dict[str, Any]()["missing"]
    if how == "nan":
        return {"value": float("nan")}
    if how == "set":
        return {1, 2}
    if how == "field":
        w.boxes.patch("B1", nmae="x")
    return w.bxoes.get("B1")


@tool(effect="write")
def many_writes(w: World, plan: list[str]) -> dict[str, Any]:
    """Does what the plan says, word by word."""
    made = []
    for step in plan:
        if step == "city":
            w.boxes.patch("B1", place={"city": "Wuhan"})
        elif step == "line":
            w.boxes.patch("B1", place={"line": "1 Main Street"})
        elif step == "no place":
            w.boxes.patch("B1", place=None)
        elif step == "back":
            w.boxes.patch("B1", place={"city": "Xi'an"}, name="one", size=1)
        elif step == "untag":
            w.boxes.patch("B1", tags=ABSENT)
        elif step == "size 1.0":
            w.boxes.patch("B1", ratio=1.0)
        elif step == "size 1":
            w.boxes.patch("B1", ratio=1)
        elif step == "drop":
            w.boxes.delete("B2")
        elif step == "again":
            w.boxes.insert("B2", {"name": "again", "size": 9, "place": {"city": "Bern"}})
        elif step == "new":
            made.append(w.boxes.insert(w.new_id("boxes", "B"), {"name": "n", "size": 0, "place": None, "tags": []}))
        elif step == "grow new" and made:
            w.boxes.patch(made[-1], size=w.boxes[made[-1]]["size"] + 1, tags=["big"])
        elif step == "drop new" and made:
            w.boxes.delete(made.pop())
    return {"made": made, "seen": sorted(box.id for box in w.boxes)}


@tool(effect="read")
def tampers(w: World, what: str) -> str:
    """Tries to write through what it read."""
    box = w.boxes["B1"]
    if what == "field":
        box["name"] = "x"  # type: ignore[index]
    elif what == "inside":
        box["place"]["city"] = "x"
    elif what == "list":
        box["tags"].append("x")
    return "done"


@tool(effect="write")
def order(
    w: World,
    lines: Annotated[list[Line], Keywords(minItems=1)],
    channel: Annotated[Literal["original", "balance"], "Where the money goes."] = "original",
    code: Annotated[str | None, Keywords(pattern="^[0-9]{6}$", examples=["200040"])] = None,
    ratio: float = 1.0,
    rush: bool = False,
) -> dict[str, Any]:
    """Takes nested arguments."""
    return {"kinds": [type(line["quantity"]).__name__ for line in lines], "channel": channel, "rush": rush}


TOY = Sandbox(
    "toy",
    package="reach_tui.contrib.commerce",
    tables={"boxes": Box, "notes": Place},
    data={
        "boxes": {
            "B1": {"name": "one", "size": 1, "place": {"city": "Xi'an"}, "tags": ["red"], "ratio": 1},
            "B2": {"name": "two", "size": 2, "place": None},
        }
    },
    tools=[compiled(function) for function in (rename, breaks_midway, many_writes, tampers, order)],
    now="2026-03-01T10:00:00+08:00",
)
