"""The prompt of a suite or a factor: written inline, or a text file in the folder of the file that names it."""

from __future__ import annotations

import re
from pathlib import Path

from reach_tui.suites.nodes import short

MAX_PROMPT_BYTES = 1024 * 1024
SUFFIXES = (".md", ".txt")
_DRIVE = re.compile(r"[A-Za-z]:")


class PromptError(Exception):
    """The prompt file cannot be used; the text says why."""


def names_a_file(text: str) -> bool:
    """Whether `text` is a path rather than a prompt: one line without spaces that ends in .md or .txt."""
    return text.endswith(SUFFIXES) and not any(character.isspace() for character in text)


def read_prompt(text: str, folder: Path) -> str:
    """The prompt that `text` is or names. PromptError where a named file is outside `folder`, missing or not text."""
    return read_prompt_file(text, folder) if names_a_file(text) else text


def read_prompt_file(name: str, folder: Path) -> str:
    """The text of the file `name` in `folder`, line ends as \\n. PromptError as in `read_prompt`."""
    shown = short(name)
    if "\\" in name or _DRIVE.match(name) or Path(name).is_absolute():
        raise PromptError(f"the prompt file must be named relative to the folder of this file, with /: {shown}")
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        if not path.is_relative_to(home):
            raise PromptError(f"the prompt file lies outside the folder of this file: {shown}")
        if not path.is_file():
            raise PromptError(f"no prompt file {shown} in the folder of this file")
        if path.stat().st_size > MAX_PROMPT_BYTES:
            raise PromptError(f"the prompt file {shown} is larger than {MAX_PROMPT_BYTES // 1024} KiB")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise PromptError(f"the prompt file {shown} cannot be read: {error}") from None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise PromptError(f"the prompt file {shown} is not UTF-8") from None
