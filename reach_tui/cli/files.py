"""Reading small text files that a command names."""

from __future__ import annotations

from pathlib import Path

from reach_tui.core.errors import UsageError

LARGEST = 1024 * 1024


def read_text(path: Path, *, whole: bool = False) -> str:
    """The text of a file, without a byte order mark and the last newline (which `whole` keeps, as suites do).

    UsageError says why it cannot be read. No more is read than may be, whatever the path names.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(
                f"more than {LARGEST} bytes", where=str(path), hint="a prompt or description is a short text"
            )
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UsageError("not UTF-8 text", where=str(path)) from None
    except OSError as error:
        raise UsageError(error.strerror or str(error), where=str(path)) from None
    return text if whole else text.removesuffix("\n")
