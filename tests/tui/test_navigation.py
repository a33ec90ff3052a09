"""Where screens lead: each place and question has one screen, which the app alone knows."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from typing import Any, get_args

import pytest

from reach_tui.tui import screens
from reach_tui.tui.app import SCREEN_CLASSES
from reach_tui.tui.navigation import PAGES, PagePlace, Place, Question

FILES = sorted({name.split(".")[0] for name in SCREEN_CLASSES.values()} | {"runs"})


def test_every_place_and_question_is_in_the_apps_table() -> None:
    # A page stands by its word in a table of its own.
    assert {*SCREEN_CLASSES, PagePlace} == {*get_args(Place), *get_args(Question)}


@pytest.mark.parametrize(
    ("place", "name"), [*SCREEN_CLASSES.items(), *((PagePlace, screen) for screen in PAGES.values())]
)
def test_the_screen_of_a_place_is_made_from_that_place(place: type[Any], name: str) -> None:
    file, kind = name.split(".")
    screen = getattr(importlib.import_module(f"{screens.__name__}.{file}"), kind)
    (taken,) = list(inspect.signature(screen.__init__).parameters.values())[1:]
    assert taken.annotation == place.__name__


@pytest.mark.parametrize("file", sorted(module.name for module in pkgutil.iter_modules(screens.__path__)))
def test_no_screen_imports_another_or_the_app(file: str) -> None:
    module = importlib.import_module(f"{screens.__name__}.{file}")
    imports = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.ImportFrom)]
    names = {name for node in imports for name in (node.module, *(f"{node.module}.{it.name}" for it in node.names))}
    others = {f"{screens.__name__}.{other}" for other in FILES if other != file}
    assert not names & (others | {"reach_tui.tui.app"})
