"""Secrets are never stored: what looks like a key is masked before it is written anywhere."""

from __future__ import annotations

import re
from typing import Any

from reach_tui.core.pointer import escape

MASK = "[secret removed]"

# Compiled at first use (the module `re` keeps them): what reads a store alone never needs them.
_SHAPES = (
    r"(?s)(?:\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abpr])[-_][A-Za-z0-9_\-]{16,}"
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----)"
)
# A token holds a digit; "basic troubleshooting" is prose.
_BEARER = r"(?i)\b(bearer|basic)\s+(?=[A-Za-z._~+/\-]*\d)[A-Za-z0-9._~+/\-]{12,}=*"
_NAMES = r"(?i)^(authorization|proxy-authorization|x-api-key|api[-_]?key|access[-_]?token|secret|password)$"
# Names under which a plan holds no test data either way: a world may well have passwords of its own.
_HEADERS = r"(?i)^(authorization|proxy-authorization|x-api-key|api[-_]?key|access[-_]?token)$"

# What every masked string or name holds, in lower case: looking for these first is twenty times faster.
_ANCHORS = (
    "k-", "k_", "ghp", "gho", "ghs", "glpat", "xox", "akia", "eyj", "private key",
    "bearer", "basic", "authorization", "api", "token", "secret", "password",
)  # fmt: skip


def may_hold_secret(text: str) -> bool:
    """A fast first look at a text, or at the JSON of a value: where it is False, redacting changes nothing."""
    lower = text.lower()
    return any(anchor in lower for anchor in _ANCHORS)


def redact_text(text: str) -> str:
    """`text` with key-shaped strings masked."""
    if not may_hold_secret(text):
        return text
    return re.sub(_BEARER, lambda m: f"{m.group(1)} {MASK}", re.sub(_SHAPES, MASK, text))


def redact(value: Any, *, plan: bool = False) -> Any:
    """A JSON value with key-shaped strings, and strings under key-like names, masked.

    In a `plan`, which is executed as it is stored, `password` and `secret` are fields of the world under test.
    """
    names = _HEADERS if plan else _NAMES
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {
            key: MASK if isinstance(item, str) and item and re.match(names, str(key)) else redact(item, plan=plan)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [redact(item, plan=plan) for item in value]
    return value


def masked_at(value: Any, at: str = "") -> str | None:
    """The JSON Pointer of the first value that `redact` would change in a plan; None where it changes nothing."""
    if isinstance(value, dict):
        for key, item in value.items():
            where = f"{at}/{escape(str(key))}"
            if (isinstance(item, str) and item and re.match(_HEADERS, str(key))) or redact_text(str(key)) != str(key):
                return where
            pointer = masked_at(item, where)
            if pointer is not None:
                return pointer
        return None
    if isinstance(value, (list, tuple)):
        return next((pointer for i, item in enumerate(value) if (pointer := masked_at(item, f"{at}/{i}"))), None)
    return at if isinstance(value, str) and redact_text(value) != value else None
