"""Context strategies: how much of the conversation an agent is sent at each turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reach_tui.core.errors import UsageError

MOST = 100_000
STRATEGIES = "full, summary, or window:N with the messages to keep"
FULL: Mapping[str, Any] = {"strategy": "full"}


def strategy_of(text: str) -> dict[str, Any]:
    """`full`, `summary` or `window:N` (N from 1) as the context of a setup. UsageError for anything else."""
    name, mark, number = text.partition(":")
    if name in ("full", "summary") and not mark:
        return {"strategy": name}
    if name == "window" and number.isascii() and number.isdigit() and len(number) < 7 and 1 <= int(number) <= MOST:
        return {"strategy": "window", "messages": int(number)}
    raise UsageError(f"no context strategy {text[:60]!r}", hint=STRATEGIES)


def strategy_text(context: Mapping[str, Any]) -> str:
    """The inverse of `strategy_of`."""
    name = str(context.get("strategy") or "full")
    return f"{name}:{context['messages']}" if "messages" in context else name
