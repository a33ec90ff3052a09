"""Finding words in all steps of a store: a full-text index filled behind a watermark, and a scan of what it lacks.

Texts are cut into words; runs of Chinese, Japanese and Korean into overlapping pairs, since tokenizers that look for
spaces find nothing in them. Every hit of the index is looked at again in the step itself.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.store.base import meta, set_meta
from reach_tui.store.columns import Columns
from reach_tui.store.store import Store, translated
from reach_tui.store.texts import unpacked

BATCH = 2000
SCAN = 20_000
"""Steps beyond the index that a query looks at itself, the newest first."""
_TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(text, content='', detail=none, tokenize='unicode61')"

_WORD = re.compile(
    r"(?P<cjk>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003134f]+)"
    r"|(?P<word>[^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003134f]+)"
)
_TERM = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Indexed:
    """What indexing did: steps added now, steps in the index, steps still without."""

    added: int
    indexed: int
    left: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A step that holds the words, and the text around the first of them."""

    trial_id: int
    trial_uid: str
    run_uid: str
    task_key: str
    repeat: int
    n: int
    kind: str
    excerpt: str


_HIT = Columns(
    Hit,
    without=("excerpt",),
    places={
        "trial_id": "t.id",
        "trial_uid": "t.uid",
        "run_uid": "r.uid",
        "task_key": "k.key",
        "repeat": "t.repeat",
        "n": "p.n",
        "kind": "p.kind",
    },
)


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, newest first. `complete` is False where there are more than `limit`; `unseen` steps were not looked at
    because the index lacks them and they were too many to scan."""

    hits: tuple[Hit, ...]
    complete: bool
    unseen: int


def index(path: str | Path, *, steps: int | None = None, rebuild: bool = False) -> Indexed:
    """Bring the index up to date, in short transactions; at most about `steps` steps now, where given."""
    with Store(path, write=True) as store:
        return index_more(store, steps=steps, rebuild=rebuild)


@translated
def index_more(store: Store, *, steps: int | None = None, rebuild: bool = False) -> Indexed:
    """`index` on an open store: for a program that does it in the background."""
    with store.transaction():
        try:
            store.db.execute(_TABLE)
        except sqlite3.OperationalError as error:
            raise ReachError(f"no full-text index with this SQLite: {error}", hint="searching scans instead") from error
        if rebuild:
            store.db.execute("INSERT INTO search(search) VALUES('delete-all')")
            set_meta(store.db, "search_upto", "0")
    added = 0
    while steps is None or added < steps:
        with store.transaction():
            # Read under the lock: two programs that index at once then add nothing twice.
            upto = int(meta(store.db, "search_upto") or 0)
            rows = store.db.execute(f"{_BODIES} WHERE p.id > ? ORDER BY p.id LIMIT ?", (upto, BATCH)).fetchall()
            if not rows:
                break
            store.db.executemany(
                "INSERT INTO search(rowid, text) VALUES(?, ?)",
                [(row[0], " ".join(tokens(words_of(_body(row[1:]))))) for row in rows],
            )
            set_meta(store.db, "search_upto", str(rows[-1][0]))
        added += len(rows)
    upto = int(meta(store.db, "search_upto") or 0)
    (left,) = store.db.execute("SELECT count(*) FROM steps WHERE id > ?", (upto,)).fetchone()
    (indexed,) = store.db.execute("SELECT count(*) FROM steps WHERE id <= ?", (upto,)).fetchone()
    return Indexed(added, indexed, left)


_BODIES = "SELECT p.id, p.tool, p.body, x.codec, x.body FROM steps p LEFT JOIN texts x ON x.id = p.text_id"


@translated
def search(store: Store, query: str, *, limit: int = 100, scan: int = SCAN) -> Found:
    """Steps that hold all words of `query`; words in quotes must stand together. Words match from their start.

    UsageError where the query holds no word.
    """
    terms = [match[1] or match[2] for match in _TERM.finditer(query)]
    patterns = [pattern for pattern in map(_pattern, terms) if pattern is not None]
    if not patterns:
        raise UsageError("nothing to look for", hint="give a word")
    upto = int(meta(store.db, "search_upto") or 0)
    last = store.db.execute("SELECT coalesce(max(id), 0) FROM steps").fetchone()[0]
    start = max(upto, last - scan)
    unseen = store.db.execute("SELECT count(*) FROM steps WHERE id > ? AND id <= ?", (upto, start)).fetchone()[0]
    excerpts: list[tuple[int, str]] = []
    for step_id, text in _candidates(store, terms, upto, start):
        matches = [pattern.search(text) for pattern in patterns]
        first = matches[0]
        if first is not None and all(matches):
            excerpts.append((step_id, _excerpt(text, first)))
            if len(excerpts) > limit:
                break
    hits = tuple(_hit(store, step_id, excerpt) for step_id, excerpt in excerpts[:limit])
    return Found(hits, len(excerpts) <= limit, unseen)


def _candidates(store: Store, terms: list[str], upto: int, start: int) -> Iterator[tuple[int, str]]:
    """(step id, its words), newest first: the tail that is scanned, then what the index names."""
    before: int | None = None
    while True:
        rows = store.db.execute(
            f"{_BODIES} WHERE p.id > ? AND p.id < ? ORDER BY p.id DESC LIMIT ?",
            (start, before if before is not None else 2**63 - 1, BATCH),
        ).fetchall()
        if not rows:
            break
        for row in rows:
            yield row[0], words_of(_body(row[1:]))
        before = rows[-1][0]
    match = _match(terms)
    if not upto or not match:
        return
    ids = store.db.execute("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC", (match,)).fetchall()
    for at in range(0, len(ids), 200):
        page = [row[0] for row in ids[at : at + 200]]
        marks = ",".join("?" * len(page))
        for row in store.db.execute(f"{_BODIES} WHERE p.id IN ({marks}) ORDER BY p.id DESC", page).fetchall():
            yield row[0], words_of(_body(row[1:]))


def _body(row: tuple[Any, ...]) -> Any:
    tool, inline, codec, body = row
    text = inline if inline is not None else None if codec is None else unpacked(codec, body)
    return [tool, json.loads(text) if text else None]


def words_of(value: Any) -> str:
    """Every text in a JSON value, names of fields included, a line each."""
    return "\n".join(_strings(value))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        parsed = "args" in value and value["args"] is not None
        for key, item in value.items():
            if key == "raw" and parsed:
                continue  # the arguments again, as they were received
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif value is not None:
        yield json.dumps(value)


def tokens(text: str) -> Iterator[str]:
    """The tokens under which a text is found: words in lower case, pairs of CJK characters, and the last one alone."""
    for match in _WORD.finditer(text.casefold()):
        run = match["cjk"]
        if run is None:
            yield match["word"]
        else:
            # With the last character alone, every character begins a token: a query of one finds it by its beginning.
            yield from (run[at : at + 2] for at in range(len(run)))


def _match(terms: list[str]) -> str:
    """The FTS5 query that every hit satisfies: all tokens of all terms, the last of each by its beginning."""
    asked: list[str] = []
    for term in terms:
        for match in _WORD.finditer(term.casefold()):
            run = match["cjk"]
            pairs = [match["word"]] if run is None else [run[at : at + 2] for at in range(max(1, len(run) - 1))]
            last = match.end() == len(term.casefold()) or run is not None
            asked += [f'"{pair}"' for pair in pairs[:-1]] + [f'"{pairs[-1]}"' + " *" * last]
    return " AND ".join(dict.fromkeys(asked))


def _pattern(term: str) -> re.Pattern[str] | None:
    """What a term looks like in a text: from the start of a word; in CJK anywhere."""
    if _WORD.search(term) is None:
        return None
    spaced = r"\s+".join(re.escape(part) for part in term.split())
    first = _WORD.match(term)
    start = r"(?<![^\W_])" if first is not None and first["word"] is not None else ""
    return re.compile(start + spaced, re.IGNORECASE)


def _excerpt(text: str, match: re.Match[str], around: int = 40) -> str:
    start, end = max(0, match.start() - around), match.end() + around
    return ("…" if start else "") + " ".join(text[start:end].split()) + ("…" if end < len(text) else "")


def _hit(store: Store, step_id: int, excerpt: str) -> Hit:
    row = store.db.execute(
        f"SELECT {_HIT.select} FROM steps p JOIN trials t ON t.id = p.trial_id"
        " JOIN runs r ON r.id = t.run_id JOIN tasks k ON k.id = t.task_id WHERE p.id = ?",
        (step_id,),
    ).fetchone()
    return _HIT.decode(row, excerpt=excerpt)
