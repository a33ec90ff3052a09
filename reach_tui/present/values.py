"""JSON values as people read them: on one line, or indented."""

from __future__ import annotations

import json
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.present.numbers import NONE


def shown(value: Any) -> str:
    """A JSON value on one line: text without quotes where it cannot be taken for something else."""
    if value is ABSENT:
        return NONE
    if isinstance(value, str):
        looks_else = (
            value in ("", NONE, "null", "true", "false")
            or value[0] in '{["'
            or _number(value)
            or value.strip() != value
        )
        return json.dumps(value, ensure_ascii=False) if looks_else else value
    return json.dumps(value, ensure_ascii=False, default=str)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def json_lines(value: Any) -> list[str]:
    """A JSON value as indented lines."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str).split("\n")


def plain(value: Any) -> Any:
    """A value for JSON: what is absent becomes null (its row's status says which it is)."""
    return None if value is ABSENT else value
