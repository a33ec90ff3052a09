"""Results of tools, read: records with their nouns and ids, or an error with its words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reach_tui.agents.simulated.features import concepts, spaced
from reach_tui.agents.simulated.lexicon import FIELD, ROLE, THING
from reach_tui.agents.simulated.mentions import same_noun
from reach_tui.agents.simulated.parameters import ID_ENDS
from reach_tui.agents.simulated.values import looks_like_id

MAX_RECORDS = 400
MAX_TEXT = 200_000


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object of a result. `nouns` are the things it may be, `key` the id it goes by (None if it has none),
    `listed` says that it stood in a list, `parent` is the place of the enclosing record (-1 at the top)."""

    nouns: tuple[str, ...]
    key: str | None
    fields: Mapping[str, Any]
    listed: bool
    parent: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A result: its records, the plain value, and the error's words (None on success)."""

    value: Any
    records: tuple[Record, ...]
    error: str | None
    empty: bool


_ERROR_TEXT = re.compile(
    r"^\W*(?:tool )?(?:error|failed|failure|invalid|exception|traceback|unknown tool|not found|rejected|refused|"
    r"denied|forbidden|timeout|timed out|unauthori[sz]ed|bad request|cannot|could not|unable)\b"
    r"|^\W*(?:错误|失败|出错|无法|不能|参数|缺少|未找到|没有找到|超时|拒绝|权限|异常)",
    re.IGNORECASE,
)
_ERROR_ANYWHERE = re.compile(
    r"\b(?:error|timed out|timeout|not found|permission denied|service unavailable)\b", re.IGNORECASE
)
_WRAPPERS = frozenset({
    "data", "result", "results", "items_found", "response", "value", "rows", "records", "output", "payload", "list",
    "hits", "entries",
})  # fmt: skip


def read_result(text: str, nouns: tuple[str, ...]) -> Reading:
    """What a tool gave back; `nouns` are the things the tool is about."""
    return _read(text[:MAX_TEXT], nouns)


@lru_cache(maxsize=4096)
def _read(text: str, nouns: tuple[str, ...]) -> Reading:
    value, found = _json(text)
    if not found:
        error = (
            text.strip()
            if _ERROR_TEXT.search(text[:200]) or (len(text) < 300 and _ERROR_ANYWHERE.search(text))
            else None
        )
        return Reading(text, (), error, not text.strip())
    error = _error_of(value)
    records: list[Record] = []
    if error is None:
        _walk(value, nouns, False, -1, records, None)
    return Reading(value, tuple(records), error, value in (None, [], {}, "") or _empty_wrapper(value))


def _json(text: str) -> tuple[Any, bool]:
    stripped = text.lstrip()
    if not stripped or stripped[0] not in '{["-0123456789tfn':
        return None, False
    try:
        value, end = json.JSONDecoder().raw_decode(stripped)
    except (ValueError, RecursionError):
        return None, False
    rest = stripped[end:].strip()
    if rest and not isinstance(value, (dict, list)):
        return None, False
    return value, True


_SAID = ("message", "msg", "detail", "details", "reason", "description", "error", "hint")
"""Keys under which errors say in words what is wrong."""


def _error_of(value: Any) -> str | None:
    if isinstance(value, str):
        return value if _ERROR_TEXT.search(value[:200]) else None
    if not isinstance(value, dict):
        return None
    for key in ("error", "errors", "err", "错误"):
        if value.get(key):
            said = {k: v for k, v in value.items() if k in _SAID and k != key and v}
            # A bare code beside a sentence: the sentence says it.
            return _words({**said, "code": value[key]} if said and isinstance(value[key], str) else value[key])
    for key in ("ok", "success", "succeeded"):
        if value.get(key) is False:
            return _words({k: v for k, v in value.items() if k != key})
    status = value.get("status")
    if (
        isinstance(status, str)
        and status.lower() in ("error", "failed", "failure")
        and ("message" in value or "detail" in value)
    ):
        return _words(value)
    code = value.get("status_code", value.get("code"))
    if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600:
        return _words(value)
    return None


def _words(value: Any) -> str:
    """The words of an error, its code behind them."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        said = [_words(value[key]) for key in _SAID if value.get(key)]
        code = value.get("code") or value.get("type")
        if said:
            return "; ".join(said) + (f" [{code}]" if isinstance(code, (str, int)) else "")
    if isinstance(value, list):
        return "; ".join(_words(one) for one in value[:10])
    return json.dumps(value, ensure_ascii=False, default=str)


def _empty_wrapper(value: Any) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    lists = [one for one in value.values() if isinstance(one, (list, dict))]
    return (
        bool(lists)
        and all(not one for one in lists)
        and all(
            isinstance(one, (list, dict)) or one in (0, None, False) or isinstance(one, str) for one in value.values()
        )
    )


def key_nouns(name: str) -> tuple[str, ...]:
    """The things a key speaks of: `order_id`, `orders`, `orderNo` all name an order."""
    label = spaced(name).lower()
    parts = [part for part in label.split() if part not in ID_ENDS or part in ("sku", "skus")]
    if "tracking" in parts:
        return ("tracking_no",)
    found = concepts(" ".join(parts))
    return tuple(dict.fromkeys(c for c in found if ROLE[c] in (THING, FIELD)))


def is_id_key(name: str) -> bool:
    """Whether a key holds an identifier by its name."""
    parts = spaced(name).lower().split()
    return (
        bool(parts) and parts[-1] in ID_ENDS and parts[-1] not in ("number", "num", "code", "codes")
    ) or name.lower() in ("sku", "编号", "单号")


def _own_key(fields: Mapping[str, Any], nouns: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The id a record goes by and what it then is: `id`, the id of its own noun, else the id that stands first."""
    for key, value in fields.items():
        if key.lower() in ("id", "_id", "uid") and isinstance(value, (str, int)):
            return str(value), nouns
    for key, value in fields.items():
        if isinstance(value, (str, int)) and is_id_key(key) and same_noun(key_nouns(key), nouns[:1]):
            return str(value), nouns
    first = next(iter(fields.items()), None)
    if first and isinstance(first[1], (str, int)) and is_id_key(first[0]):
        found = key_nouns(first[0])
        if not found or not nouns or not any(ROLE[n] == THING for n in nouns[:1]) or found[0] in nouns[1:]:
            return str(first[1]), tuple(dict.fromkeys((*found, *nouns)))
    return None, nouns


def _walk(value: Any, nouns: tuple[str, ...], listed: bool, parent: int, out: list[Record], key: str | None) -> None:
    if len(out) >= MAX_RECORDS:
        return
    if isinstance(value, list):
        for one in value:
            _walk(one, nouns, True, parent, out, None)
        return
    if not isinstance(value, dict):
        return
    scalars = {
        k: v
        for k, v in value.items()
        if not isinstance(v, (dict, list)) or (isinstance(v, list) and all(not isinstance(i, (dict, list)) for i in v))
    }
    nested = {k: v for k, v in value.items() if k not in scalars}
    table = bool(nested) and not scalars and all(isinstance(v, dict) and looks_like_id(k) for k, v in nested.items())
    here = parent
    if scalars:
        here = len(out)
        wraps = (
            parent == -1
            and not listed
            and any(isinstance(v, list) for v in nested.values())
            and _own_key(scalars, nouns)[0] is None
        )
        own, kind = (key, nouns) if key is not None else _own_key(scalars, nouns)
        out.append(Record(() if wraps else kind, None if wraps else own, scalars, listed, parent))
    for name, item in nested.items():
        if table:
            _walk(item, nouns, True, here, out, name)
        else:
            found = key_nouns(name)
            inner = nouns if name.lower() in _WRAPPERS or not found else found
            _walk(item, inner, isinstance(item, list), here, out, None)
