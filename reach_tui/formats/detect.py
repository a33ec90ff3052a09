"""Finds out what a file is, by its content and never by its name, and has it read.

Nothing here raises for what a file holds: whatever cannot be read comes back as skipped, with the reason.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reach_tui.core.canonical import DIGEST_BYTES
from reach_tui.core.text import storable
from reach_tui.formats import tau2_bench, tau_bench
from reach_tui.formats.conversations import is_conversation, is_message
from reach_tui.formats.foreign import anthropic_blocks, describe, describe_lines
from reach_tui.formats.model import ImportedFile, ImportedRun, Skipped
from reach_tui.formats.openai_chat import FORMAT as CHAT
from reach_tui.formats.openai_chat import read_chat
from reach_tui.formats.reader import READERS
from reach_tui.formats.source import (
    DEFAULT_BOUNDS,
    Bounds,
    Parsed,
    Record,
    Unreadable,
    decode,
    parse,
    read_bytes,
    records_of,
)
from reach_tui.formats.values import items, mapping, text_of

SIMULATIONS, RESULTS = "simulations", "results.json"
_SAYING_NOTHING = {"results", "output", "messages", "log", "logs", "trajectories", "data"}
"""File names that say nothing; the folder's name then names the run."""
_TAU_BENCH_NAME = re.compile(r"^(?:tool-calling|act|react|few-shot)-(?P<model>.+?)-[0-9.]+_range_.*_user-")
"""How tau-bench's runner names its files: the only place where the model is said."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The file being read: `where` names it in messages, `name` is what its run is called."""

    path: Path
    where: str
    name: str
    digest: bytes
    bounds: Bounds

    def file(self, fmt: str, runs: Iterable[ImportedRun], skipped: Iterable[Skipped]) -> ImportedFile:
        """What was read of it."""
        return ImportedFile(fmt, self.where, self.digest, tuple(runs), tuple(skipped))

    def skip(self, problem: Unreadable) -> Skipped:
        """A record of it that was not read."""
        return Skipped(self.where, problem.line, problem.reason)


def read_paths(
    paths: Sequence[str | Path], bounds: Bounds = DEFAULT_BOUNDS, progress: Callable[[Path], None] | None = None
) -> Iterator[ImportedFile]:
    """Each file and folder in turn. A folder that is a log is read as one, any other is walked; nothing is read twice.

    `progress` hears of each file before it is read. Hidden files and folders inside a folder are passed over.
    """
    seen: set[str] = set()
    for given in paths:
        for candidate in _files_under(Path(given), bounds):
            if isinstance(candidate, ImportedFile):
                yield candidate
                continue
            known = os.path.realpath(candidate)
            if known in seen:
                continue
            seen.add(known)
            if progress is not None:
                progress(candidate)
            yield read_path(candidate, bounds)


def read_path(path: str | Path, bounds: Bounds = DEFAULT_BOUNDS) -> ImportedFile:
    """One file, or one folder in the folder form of tau2-bench."""
    path = Path(path)
    where = storable(str(path))
    try:
        if path.is_dir():
            if not (path / RESULTS).is_file():
                raise Unreadable(f"a folder without {RESULTS} is no trajectory")
            path = path / RESULTS
            where = storable(str(path))
        data = read_bytes(path, bounds)
        digest = hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()
        parsed = parse(decode(data), bounds)
    except Unreadable as error:
        return ImportedFile("", where, None, skipped=(Skipped(where, error.line, error.reason),))
    source = _Source(path, where, storable(_name(path)), digest, bounds)
    return _read_lines(parsed, source) if parsed.lines else _read_value(parsed, source)


_TOO_MANY = "the folder holds more than {} files; the rest was not looked at"


def _files_under(path: Path, bounds: Bounds) -> Iterator[Path | ImportedFile]:
    """The files to read under `path`; what cannot be entered as a skipped one."""
    where = storable(str(path))
    if not path.is_dir():
        if path.exists() or path.is_symlink():
            yield path
        else:
            yield ImportedFile("", where, None, skipped=(Skipped(where, None, "there is no such file"),))
        return
    if _is_folder_form(path):
        yield path
        return
    count = 0
    for folder, folders, files in os.walk(path):
        here = Path(folder)
        deep = len(here.relative_to(path).parts) >= bounds.folders
        inner = [] if deep else sorted(name for name in folders if not name.startswith("."))
        if _is_folder_form(here):
            inner = [name for name in inner if name != SIMULATIONS]
        folders[:] = inner
        for name in sorted(files):
            if name.startswith("."):
                continue
            count += 1
            if count > bounds.files:
                reason = _TOO_MANY.format(bounds.files)
                yield ImportedFile("", where, None, skipped=(Skipped(where, None, reason),))
                return
            yield here / name
    if not count:
        yield ImportedFile("", where, None, skipped=(Skipped(where, None, "the folder is empty: 0 trajectories"),))


def _is_folder_form(path: Path) -> bool:
    return (path / RESULTS).is_file() and (path / SIMULATIONS).is_dir()


def _name(path: Path) -> str:
    """What a file's run is called: the file's name, or its folder's where that says more."""
    plain = path.stem.removesuffix(".results")
    return path.absolute().parent.name or plain if plain.lower() in _SAYING_NOTHING else plain


def _read_lines(parsed: Parsed, source: _Source) -> ImportedFile:
    """JSON lines: records of tau-bench, else conversations; a file in which no line is either is skipped whole."""
    values = [record.value for record in parsed.records]
    skipped = [source.skip(problem) for problem in parsed.problems]
    if any(tau_bench.is_record(value) for value in values):
        return _tau_bench(parsed.records, source, skipped)
    if any(_is_chat(value) or is_message(value) for value in values):
        return _chat(parsed.records, source, skipped)
    brought = _brought(values, source, skipped)
    if brought is not None:
        return brought
    kind = describe_lines(values)
    return source.file("", (), (Skipped(source.where, None, f"not a trajectory that is read: JSON lines, {kind}"),))


def _read_value(parsed: Parsed, source: _Source) -> ImportedFile:
    """One JSON value of any kind; of a broken one, the records that could be saved."""
    (record,) = parsed.records
    value = record.value
    skipped = [source.skip(problem) for problem in parsed.problems]
    if isinstance(value, Mapping):
        if tau2_bench.is_results(value):
            rows = [(source.where, simulation) for simulation in records_of(items(value.get("simulations")))]
            return _tau2(value, rows, source, skipped)
        if not skipped:
            if tau2_bench.is_metadata(value):
                return _folder_form(value, source)
            if tau2_bench.is_simulation(value):
                return _tau2(_results_beside(source), [(source.where, record)], source, skipped)
            if tau_bench.is_record(value):
                return _tau_bench([record], source, skipped)
            if _is_chat(value) or is_message(value):
                return _chat([record], source, skipped)
    elif isinstance(value, list):
        records = records_of(value)
        if any(tau_bench.is_record(item) for item in value):
            return _tau_bench(records, source, skipped)
        if any(_is_chat(item) for item in value):
            return _chat(records, source, skipped)
        # A conversation that breaks off is no whole one: what is left of it would pass for what the agent did.
        if _is_chat(value) and not skipped:
            return _chat([record], source, skipped)
    if skipped:
        return source.file("", (), skipped)
    brought = _brought(value, source, ())
    if brought is not None:
        return brought
    return source.file("", (), (Skipped(source.where, None, f"not a trajectory that is read: {describe(value)}"),))


def _brought(value: Any, source: _Source, skipped: Sequence[Skipped]) -> ImportedFile | None:
    """What a reader of an installed package makes of a file that none of ours takes; None where none of them does."""
    for name, reader in READERS.usable():
        try:
            if not reader.recognises(value):
                continue
            records = records_of([dict(conversation) for conversation in reader.conversations(value)])
        except Exception as error:
            # A stranger's reader meets data that nobody checked: what it raises is a reason, and no end of the import.
            told = Skipped(source.where, None, f"the reader of {name} broke: {type(error).__name__}: {error}")
            return source.file(name, (), (*skipped, told))
        runs, problems = read_chat(records, source.name, source.where, ())
        return source.file(name, runs, _in_order((*skipped, *map(source.skip, problems))))
    return None


def _is_chat(value: Any) -> bool:
    if isinstance(value, Mapping) and ("trajectory_format" in value or anthropic_blocks(value.get("messages"))):
        return False
    return is_conversation(value) and not anthropic_blocks(value)


def _chat(records: Sequence[Record], source: _Source, skipped: Sequence[Skipped]) -> ImportedFile:
    foreign = [record for record in records if not (_is_chat(record.value) or is_message(record.value))]
    gaps = [entry.line for entry in skipped if entry.line]
    runs, problems = read_chat(_without(records, foreign), source.name, source.where, gaps)
    told = [source.skip(record.problem(f"no conversation: {describe(record.value)}")) for record in foreign]
    return source.file(CHAT, runs, _in_order((*skipped, *told, *map(source.skip, problems))))


def _without(records: Sequence[Record], others: Sequence[Record]) -> list[Record]:
    dropped = set(map(id, others))
    return [record for record in records if id(record) not in dropped]


def _tau_bench(records: Sequence[Record], source: _Source, skipped: Sequence[Skipped]) -> ImportedFile:
    named = _TAU_BENCH_NAME.match(source.path.name)
    runs, problems = tau_bench.read_tau_bench(records, source.name, source.where, named["model"] if named else None)
    return source.file(tau_bench.FORMAT, runs, _in_order((*skipped, *map(source.skip, problems))))


def _tau2(
    results: Mapping[str, Any], rows: Sequence[tuple[str, Record]], source: _Source, skipped: Sequence[Skipped]
) -> ImportedFile:
    runs, problems = tau2_bench.read_tau2(results, rows, source.name)
    told = [Skipped(where, problem.line, problem.reason) for where, problem in problems]
    if not runs and not told and not skipped:
        told = [Skipped(source.where, None, "results without simulations: 0 trajectories")]
    return source.file(tau2_bench.FORMAT, runs, (*skipped, *told))


def _folder_form(results: Mapping[str, Any], source: _Source) -> ImportedFile:
    """The folder form: every simulation is a file beside the results. Those that the index names and are not there are
    told, too."""
    folder = source.path.parent / SIMULATIONS
    rows: list[tuple[str, Record]] = []
    skipped: list[Skipped] = []
    files = sorted(path for path in folder.iterdir() if not path.name.startswith(".")) if folder.is_dir() else []
    if len(files) > source.bounds.files:
        skipped.append(Skipped(storable(str(folder)), None, _TOO_MANY.format(source.bounds.files)))
    for path in files[: source.bounds.files]:
        where = storable(str(path))
        try:
            parsed = parse(decode(read_bytes(path, source.bounds)), source.bounds)
            if parsed.lines or parsed.problems:
                raise parsed.problems[0] if parsed.problems else Unreadable("no simulation: JSON lines")
            rows.append((where, parsed.records[0]))
        except Unreadable as error:
            skipped.append(Skipped(where, error.line, error.reason))
    there = {text_of(mapping(record.value).get("id")) for _, record in rows} | {path.stem for path in files}
    for entry in items(results.get("simulation_index")):
        named = mapping(entry).get("id")
        if named is not None and text_of(named) not in there:
            reason = f"simulation {text_of(named)} is in the index, but not in {SIMULATIONS}/"
            skipped.append(Skipped(source.where, None, storable(reason)))
    return _tau2(results, rows, source, skipped)


def _results_beside(source: _Source) -> Mapping[str, Any]:
    """The results file that a simulation's own file belongs to; empty where there is none."""
    try:
        parsed = parse(decode(read_bytes(source.path.parent.parent / RESULTS, source.bounds)), source.bounds)
    except Unreadable:
        return {}
    results = parsed.records[0].value
    return mapping(results) if source.path.parent.name == SIMULATIONS and tau2_bench.is_metadata(results) else {}


def _in_order(skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    return tuple(sorted(skipped, key=lambda entry: entry.line or 0))
