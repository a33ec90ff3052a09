"""A shop and its after-sales desk: orders, stock, parcels, refunds, members, tickets, linked as in life.

An order takes stock and a cancellation gives it back; a refund goes through review and pays out when the goods are
back on the shelf; every write leaves an audit event. Some descriptions are poor on purpose, as they are in real
systems; a comment above each such tool says which mix-up it plants.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from reach_tui import Sandbox, tools_in
from reach_tui.contrib.commerce import after_sales, members, orders, shipments, stock, tickets
from reach_tui.contrib.commerce.tables import TABLES

NOW = "2026-03-01T10:00:00+08:00"


def _seed() -> dict[str, dict[str, Any]]:
    folder = files(__name__) / "data"
    return {table: json.loads((folder / f"{table}.json").read_text("utf-8")) for table in TABLES}


SANDBOX = Sandbox(
    "commerce",
    package=__name__,
    tables=TABLES,
    data=_seed(),
    tools=tools_in(orders, shipments, after_sales, stock, members, tickets),
    now=NOW,
)
