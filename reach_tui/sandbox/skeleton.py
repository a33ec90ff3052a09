"""The files of a sandbox to start from: a package of its own with one table, two tools, and a suite that passes."""

from __future__ import annotations

import re

from reach_tui.core.errors import UsageError

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

_PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "reach-NAME"
version = "0.1.0"
dependencies = ["reach-tui"]

[project.entry-points."reach_tui.sandboxes"]
NAME = "reach_NAME:SANDBOX"
"""

_MODULE = '''\
"""A sandbox: one table of items, a tool that reads them and one that changes them. Make it yours."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from reach_tui import Keywords, Sandbox, ToolError, World, tool, tools_in

ItemId = Annotated[str, "The item's number, for example I1.", Keywords(pattern="^I[0-9]+$", examples=["I1"])]


class Item(TypedDict):
    name: str
    status: Literal["open", "done"]


@tool(effect="read", entity="items", entity_arg="item_id", purpose="How does an item stand. 查看一项。")
def get_item(w: World, item_id: ItemId) -> dict[str, Any]:
    """One item: its name and how it stands."""
    item = w.items.get(item_id)
    if item is None:
        raise ToolError(f"There is no item {item_id}.", "no_such_item")
    return {"item": item.id, "name": item["name"], "status": item["status"]}


@tool(
    effect="write", entity="items", entity_arg="item_id", claims=("I have closed", "I've closed", "已完成"),
    purpose="Close an item, finish it, mark it as done. 把一项标为完成。",
)
def close_item(w: World, item_id: ItemId) -> dict[str, Any]:
    """Mark one item as done."""
    if w.items.get(item_id) is None:
        raise ToolError(f"There is no item {item_id}.", "no_such_item")
    w.items.patch(item_id, status="done")
    return {"item": item_id, "status": "done"}


SANDBOX = Sandbox(
    "NAME",
    package=__name__,
    tables={"items": Item},
    data={"items": {"I1": {"name": "write the first tool", "status": "open"}}},
    tools=tools_in(__name__),
    now="2026-03-01T10:00:00+08:00",
)
'''

_SUITE = """\
suite: NAME
sandbox: NAME
agent: {kind: reference}
prompt: You look after a list of items.
tasks:
  - id: N-1
    request: Item I1 is finished. Please mark it as done.
    weight: 1
    expected_state: {items: {I1: {status: done}}}
    reference: [{get_item: {item_id: I1}}, {close_item: {item_id: I1}}]
    answer: I have closed item I1; it is done.
"""


def skeleton(name: str) -> dict[str, str]:
    """Texts by path of a package for a sandbox of that name. UsageError for a name that no module can have."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be a sandbox's name", hint="a small letter, then small letters, digits, _")
    files = {"pyproject.toml": _PROJECT, f"reach_{name}/__init__.py": _MODULE, f"{name}.yaml": _SUITE}
    return {path: text.replace("NAME", name) for path, text in files.items()}
