"""Canonical JSON and the digests made from it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

DIGEST_BYTES = 16


def canonical(value: Any) -> str:
    """JSON text with sorted keys and no spaces: equal values of equal JSON types give equal text.

    NaN and infinities are not JSON; they become null, as every strict reader would demand.
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> bytes:
    """16 bytes naming a JSON value by its canonical text."""
    return digest_text(canonical(value))


def digest_text(text: str) -> bytes:
    """16 bytes naming a text by its UTF-8 bytes; lone surrogates count as they are."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def _finite(value: Any) -> Any:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
