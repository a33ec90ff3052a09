"""Reading small text files that a command names."""

from __future__ import annotations

from pathlib import Path

from reach_tui.core.errors import UsageError

LARGEST = 1024 * 1024


def read_text(path: Path) -> str:
    """The text of a file, without a byte order mark and the last newline. UsageError says why it cannot be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(
                f"more than {LARGEST} bytes", where=str(path), hint="a prompt or description is a short text"
            )
        return path.read_text("utf-8-sig").removesuffix("\n")
    except UnicodeDecodeError:
        raise UsageError("not UTF-8 text", where=str(path)) from None
    except OSError as error:
        raise UsageError(error.strerror or str(error), where=str(path)) from None
