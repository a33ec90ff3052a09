"""Uids: what people type and links carry. Short, unambiguous, made of the letters of Crockford's base 32."""

from __future__ import annotations

import hashlib
import os
import time

_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
UID_LENGTH = 12


def _encode(number: int, length: int) -> str:
    out = []
    for _ in range(length):
        number, rest = divmod(number, 32)
        out.append(_LETTERS[rest])
    return "".join(reversed(out))


def new_uid(prefix: str) -> str:
    """`prefix` and 12 letters that sort by the time of making (seconds, 6 letters), then at random."""
    seconds = int(time.time()) & (2**30 - 1)
    return prefix + _encode(seconds, 6) + _encode(int.from_bytes(os.urandom(4), "big"), 6)


def content_uid(prefix: str, *parts: str) -> str:
    """`prefix` and 12 letters that are a function of `parts`: the same content gets the same uid."""
    text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return prefix + _encode(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big"), UID_LENGTH)
