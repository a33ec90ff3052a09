"""The digest of code: it moves with what is imported and with the data beside it, and with nothing else."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from reach_tui.core import code


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "lampworld"
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").write_text("from lampworld.tools import NAME\n")
    (folder / "tools.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from reach_tui.core.history import StateHistory\n"
        "NAME = 'a'\n\ndef run():\n    from reach_tui.core.ids import new_uid\n    return new_uid('r')\n"
    )
    (folder / "data" / "lamps.json").write_text("{}")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "lampworld"]:
        del sys.modules[name]


def digest() -> str:
    code.code_digest.cache_clear()
    return code.code_digest("lampworld")


def test_imports_are_followed_into_functions_and_into_this_product_but_not_those_of_types(package: Path) -> None:
    known = code.imported("lampworld")
    assert {"lampworld", "lampworld.tools", "reach_tui.core.ids"} <= set(known)
    assert "reach_tui.core.history" not in known


def test_the_digest_moves_with_code_and_data_and_with_nothing_else(package: Path) -> None:
    first = digest()
    (package / "notes.txt").write_text("not part of it")
    (package / "__pycache__").mkdir(exist_ok=True)
    (package / "__pycache__" / "tools.py").write_text("neither")
    assert digest() == first
    (package / "data" / "lamps.json").write_text("{ }")
    second = digest()
    assert second != first
    (package / "tools.py").write_text("NAME = 'b'\n")
    assert digest() not in (first, second)
    assert len(first) == 32


def test_a_world_does_not_depend_on_what_it_never_imports() -> None:
    known = code.imported("reach_tui.contrib.commerce")
    assert "reach_tui.sandbox.transaction" in known
    assert not [
        name for name in known if name.startswith(("reach_tui.grading", "reach_tui.store", "reach_tui.core.experiment"))
    ]


def test_a_module_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ImportError, match="no module 'lampworld_that_is_not_there'"):
        code.imported("lampworld_that_is_not_there")
