"""`reach store`: check, digest, migrate, vacuum, index, backup, tables, rows."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from reach_tui.cli.options import json_option, print_json, say, store_option, write
from reach_tui.core.errors import UsageError
from reach_tui.present.language import phrase
from reach_tui.present.tables import TextColumn, csv_text, table
from reach_tui.store import check as checking
from reach_tui.store import maintenance, search
from reach_tui.store.store import Store, in_use


@click.group("store")
def store_command() -> None:
    """Look after a store."""


@store_command.command("check")
@click.option("--deep", is_flag=True, help="Hash every text and fold every state again, too.")
@store_option
@json_option
def check(deep: bool, store: Path, as_json: bool) -> int:
    """Say everything that is wrong with the store. Exit code 1 if something is damaged."""
    findings = checking.check(store, deep=deep)
    damaged = any(finding.level == "error" for finding in findings)
    if as_json:
        print_json({"store": str(store), "sound": not damaged, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            say(str(finding))
        say(phrase("{store}: damaged" if damaged else "{store}: sound", store=store))
    return 1 if damaged else 0


@store_command.command("digest")
@store_option
@json_option
def digest(store: Path, as_json: bool) -> None:
    """Print the digest of the store's content: equal for equal rows, whatever the file's bytes."""
    value = maintenance.content_digest(store)
    print_json({"store": str(store), "digest": value}) if as_json else say(value)


@store_command.command("migrate")
@store_option
@json_option
def migrate(store: Path, as_json: bool) -> None:
    """Bring a store of an older version to this one, after a backup beside it."""
    done = maintenance.migrate(store)
    if as_json:
        print_json({"store": str(store), **asdict(done)})
    elif done.before == done.after:
        say(phrase("{store} is of this version ({version}) already", store=store, version=done.after))
    else:
        say(
            phrase(
                "{store}: version {before} is now {after}; the old one is kept at {backup}",
                store=store,
                before=done.before,
                after=done.after,
                backup=done.backup,
            )
        )


@store_command.command("vacuum")
@click.option("--drop-raw", is_flag=True, help="Drop what models were sent and answered; steps and gradings stay.")
@click.option("--older", default="90d", show_default=True, help="With --drop-raw: of trials older than this.")
@store_option
@json_option
def vacuum(drop_raw: bool, older: str, store: Path, as_json: bool) -> None:
    """Give unused space back."""
    if not older.removesuffix("d").isdigit():
        raise UsageError(f"--older {older!r} is no number of days", hint="for example 90d")
    done = maintenance.vacuum(store, drop_raw_older_than=float(older.removesuffix("d")) if drop_raw else None)
    store = in_use(store)  # the first write to a demo store makes its copy
    if as_json:
        print_json({"store": str(store), **asdict(done)})
    else:
        sizes = phrase(
            "{store}: {before} bytes are now {after}", store=store, before=f"{done.before:,}", after=f"{done.after:,}"
        )
        dropped = phrase(
            "; dropped {exchanges} exchanges and {texts} texts", exchanges=done.exchanges, texts=done.texts
        )
        say(sizes + (dropped if done.exchanges or done.texts else ""))


@store_command.command("index")
@store_option
@json_option
def index(store: Path, as_json: bool) -> None:
    """Fill the search index with every step that is not in it yet."""
    done = search.index(store)
    store = in_use(store)  # the first write to a demo store makes its copy
    print_json({"store": str(store), **asdict(done)}) if as_json else say(
        phrase(
            "{store}: {added} steps added, {indexed} in the index, {left} left",
            store=store,
            added=done.added,
            indexed=done.indexed,
            left=done.left,
        )
    )


@store_command.command("backup")
@click.argument("to", type=click.Path(path_type=Path))
@store_option
@json_option
def backup(to: Path, store: Path, as_json: bool) -> None:
    """Copy the store to TO with every finished result, also while runs write to it."""
    target = maintenance.backup(store, to)
    if as_json:
        print_json({"store": str(store), "backup": str(target)})
    else:
        say(phrase("{store} is copied to {target}", store=store, target=target))


@store_command.command("tables")
@store_option
@json_option
def tables(store: Path, as_json: bool) -> None:
    """List tables and views with their columns, for your own queries with sqlite3."""
    with Store(store) as opened:
        rows = maintenance.overview(opened)
    if as_json:
        print_json({"store": str(store), "tables": rows})
    else:
        columns = (TextColumn("name"), TextColumn("kind"), TextColumn("rows", right=True), TextColumn("columns", 90))
        say(table(columns, [[r["name"], r["kind"], str(r["rows"]), ", ".join(r["columns"])] for r in rows]))


@store_command.command("rows")
@click.argument("name", metavar="TABLE")
@click.option("--where", metavar="EXPR", help="An SQL expression, for example \"status = 'failed'\".")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many rows.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV; text that would be a formula stands behind a '.")
@store_option
@json_option
def rows(name: str, where: str | None, limit: int | None, as_csv: bool, store: Path, as_json: bool) -> None:
    """Print rows of a table or view (see `reach store tables`); blobs are hexadecimal text."""
    if as_csv and as_json:
        raise UsageError("--csv and --json at once", hint="choose one")
    with Store(store) as opened:
        held = maintenance.table_rows(opened, name, where=where, limit=limit)
    if as_json:
        print_json({"store": str(store), "table": name, "rows": held.as_mappings()})
    elif as_csv:
        write(csv_text(held.columns, held.rows))
    else:
        cells = [["" if value is None else str(value) for value in row] for row in held.rows]
        say(table([TextColumn(column, 40) for column in held.columns], cells))
