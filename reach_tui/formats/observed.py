"""State as a log lets us see it: the entities that appear in tool results, from the step of sight on.

No log of these formats holds a world's state. But tools give records back, and a record with an id of its own can be
followed from its first sight on; later sights update the fields they show. That is evidence, not the world: a
change that no later result shows is not seen, and the state says so by its kind, "observed".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change, difference
from reach_tui.core.trajectory import CHANGED, Step
from reach_tui.formats.source import Unreadable, load_json

LONGEST_RESULT = 1024 * 1024
"""Characters of a result that is looked into."""
MOST_RECORDS = 500
"""Records of one result that are followed."""
MOST_CHANGES = 20_000
"""Changes of one trajectory; behind them nothing more is followed."""

_ID_KEY = re.compile(r"^(?P<noun>[A-Za-z][A-Za-z0-9_]*?)(?:_id|_no|Id|ID)$")
_ID_KEY_CHINESE = re.compile(r"^(?P<noun>[\u4e00-\u9fff]{1,8}?)(?:编号|(?<=单)号|(?<=会员)号|(?<=客户)号|(?<=用户)号)$")
_BEHIND = ("by", "for", "from", "with", "of")
"""Words of a tool's name behind which stands what it is asked by, not what it gives."""
_WRAPPERS = {"data", "result", "results", "items", "records", "rows", "list", "values", "content", "response"}
_NO_NOUN = {"details", "detail", "info", "all", "the", "status", "record", "records", "data"}


def observe(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, each call with the changes that its result lets us see. A sight that corrects an earlier one is
    flagged as a write was seen."""
    state: dict[str, dict[str, Any]] = {}
    left = MOST_CHANGES
    seen = []
    for step in steps:
        changes: list[Change] = []
        if step.kind == "call" and step.ok and left > 0:
            args = step.body.get("args")
            for table, key, record in entities(step.tool or "", args or {}, step.body.get("result")):
                revealed = sight(state, table, key, record)[:left]
                left -= len(revealed)
                changes.extend(revealed)
        corrected = any(change.old is not ABSENT for change in changes)
        flags = step.flags | (CHANGED if corrected else 0)
        seen.append(replace(step, changes=tuple(changes), flags=flags) if changes else step)
    return tuple(seen)


def start_of(steps: Sequence[Step]) -> dict[str, Any] | None:
    """The state that the changes of `steps` start from: the records that will be seen, with nothing known of them.

    They were there before they were seen, so that a sight is not the making of a record. None where nothing is seen.
    """
    start: dict[str, Any] = {}
    for step in steps:
        for change in step.changes:
            table, key = pointers.split(change.pointer)[:2]
            start.setdefault(table, {}).setdefault(key, {})
    return start or None


def sight(state: dict[str, dict[str, Any]], table: str, key: str, record: Mapping[str, Any]) -> list[Change]:
    """The changes that this sight of a record brings, field by field; `state` takes them in.

    Fields it does not show stay as seen. A first sight is no insertion of the record, which was there before: each of
    its fields is seen.
    """
    known = state.setdefault(table, {}).setdefault(key, {})
    changes: list[Change] = []
    for name, value in record.items():
        if name in known:
            changes += difference({table: {key: {name: known[name]}}}, {table: {key: {name: value}}})
        else:
            changes.append(Change(pointers.join((table, key, name)), ABSENT, value))
    known.update(record)
    return changes


def entities(tool: str, args: Mapping[str, Any], result: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """(table, id, record) of every entity in a result's text, at most MOST_RECORDS."""
    if not isinstance(result, str) or len(result) > LONGEST_RESULT or result.lstrip()[:1] not in ("{", "["):
        return []
    try:
        value = load_json(result)
    except Unreadable:
        return []
    records = []
    for entity in _entities(value, tool, args, "", top=True):
        records.append(entity)
        if len(records) >= MOST_RECORDS:
            break
    return records


def _entities(
    value: Any, tool: str, args: Mapping[str, Any], under: str, *, top: bool = False
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, (dict, list)):
                yield from _entities(item, tool, args, under)
    elif isinstance(value, dict):
        own = _identity(value, tool, args, under, top=top)
        if own is not None:
            # What stands inside a record is part of it, also where it has ids: an order's items, a user's cards.
            yield (*own, value)
            return
        for name, item in value.items():
            if isinstance(item, (dict, list)):
                yield from _entities(item, tool, args, name)


def _identity(
    record: Mapping[str, Any], tool: str, args: Mapping[str, Any], under: str, *, top: bool
) -> tuple[str, str] | None:
    """(table, id) of a record, or None if it is none.

    Its own id is its first key, if that is one; else the one that the tool is named for; else the one that the call
    asked for; else a plain `id`; else the only one it has. A record without any, from a tool named for the thing alone
    (`get_user_details`), is the one that the call asked for.
    """
    ids = {name: noun for name in record if (noun := _noun(name)) and _id_value(record[name])}
    about = _nouns_of_tool(tool)
    first = next(iter(record), None)
    own = first if first in ids else None
    if own is None and first != "id":
        own = next((name for name, noun in ids.items() if noun.lower() in about or _table(noun) in about), None)
        own = own or next((name for name in ids if name in args and args[name] == record[name]), None)
    if own is None and _id_value(record.get("id")):
        noun = under if under and under.lower() not in _WRAPPERS else about[0] if about else ""
        return (_table(noun), str(record["id"])) if noun else None
    if own is None and len(ids) == 1 and len(record) > 1:
        own = next(iter(ids))
    if own is not None:
        return _table(ids[own]), str(record[own])
    asked = {name: noun for name in args if (noun := _noun(name)) and _id_value(args[name])}
    if top and not ids and len(asked) == 1 and len(record) > 1:
        ((name, noun),) = asked.items()
        if about == [noun.lower()]:
            return _table(noun), str(args[name])
    return None


def _noun(key: str) -> str | None:
    match = _ID_KEY.match(key) or _ID_KEY_CHINESE.match(key)
    return match["noun"] if match else None


def _id_value(value: Any) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= 200
    return isinstance(value, int) and not isinstance(value, bool)


def _nouns_of_tool(tool: str) -> list[str]:
    """What a tool's name speaks of: `get_order_details` of `order`, `find_orders_by_user` of `orders`."""
    words = [word.lower() for word in re.findall(r"[A-Za-z][a-z]*|[^\W\d_]+", tool)]
    ends = next((index for index, word in enumerate(words) if word in _BEHIND), len(words))
    return [word for word in words[1:ends] if word not in _NO_NOUN]


def _table(noun: str) -> str:
    """The table of a noun: its plural, in small letters with underscores."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", noun).lower()
    if not name.isascii() or name.endswith("s"):
        return name + "es" if name.endswith("ss") else name
    if name.endswith("y") and name[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("x", "ch", "sh")) else "s")
