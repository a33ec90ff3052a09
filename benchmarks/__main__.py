"""`make bench`: run every benchmark and print the table."""

from __future__ import annotations

import importlib
import json
import sys

from benchmarks.measure import Result, table

MODULES = ("trial", "store", "state_table", "start", "app", "imports")


def main(arguments: list[str]) -> None:
    """Run the named benchmarks, or all; `--json` prints one object."""
    names = [name for name in arguments if not name.startswith("-")] or list(MODULES)
    results: list[Result] = []
    for name in names:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        results += importlib.import_module(f"benchmarks.{name}").run()
    if "--json" in arguments:
        fields = ("what", "figure", "unit", "beside", "other", "ratio", "budget")
        print(json.dumps([{field: getattr(result, field) for field in fields} for result in results], indent=2))
    else:
        print(table(results))


main(sys.argv[1:])
