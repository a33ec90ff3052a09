"""What import-linter does not look at: imports for types alone go down the floors too."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "reach_tui"


def floors() -> dict[str, int]:
    """Each package and its floor, counted from the top, as pyproject.toml lists them for import-linter."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {name: floor for floor, layer in enumerate(layers) for name in re.findall(r"\w+", layer)}


def type_imports(source: str) -> Iterator[tuple[int, str]]:
    """(line, module) of every import under `if TYPE_CHECKING:`, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for inner in (descendant for statement in node.body for descendant in ast.walk(statement)):
                if isinstance(inner, ast.Import):
                    yield from ((inner.lineno, alias.name) for alias in inner.names)
                elif isinstance(inner, ast.ImportFrom):
                    yield from ((inner.lineno, f"{inner.module}.{alias.name}") for alias in inner.names)


def goes_up(importer: str, imported: str, floor: dict[str, int]) -> bool:
    """Whether an import leaves its package for one that is not on a lower floor."""
    mine, other = (name.split(".")[1] if name.startswith("reach_tui.") else "" for name in (importer, imported))
    return mine != other and other in floor and floor[other] <= floor[mine]


def test_no_import_for_types_alone_goes_up_the_floors() -> None:
    floor, upward, seen = floors(), [], 0
    for path in sorted(PACKAGE.rglob("*.py")):
        if path == PACKAGE / "__init__.py":
            continue  # the public face stands above all floors: it says to type checkers where its names are
        importer = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for line, imported in type_imports(path.read_text("utf-8")):
            seen += 1
            if goes_up(importer, imported, floor):
                upward.append(f"{path.relative_to(ROOT)}:{line}: {imported}")
    assert upward == []
    assert seen > 10


@pytest.mark.parametrize(
    ("importer", "imported", "up"),
    [
        ("reach_tui.core.task", "reach_tui.store.store", True),
        ("reach_tui.store.store", "reach_tui.formats.model", True),
        ("reach_tui.cli.app", "reach_tui.tui.app", True),
        ("reach_tui.store.store", "reach_tui.core.task", False),
        ("reach_tui.store.store", "reach_tui.store.base", False),
        ("reach_tui.store.store", "pathlib.Path", False),
    ],
)
def test_an_import_goes_up_unless_it_is_to_a_lower_floor(importer: str, imported: str, up: bool) -> None:
    assert goes_up(importer, imported, floors()) is up


def test_imports_for_types_are_found_in_blocks_of_any_depth() -> None:
    source = "import a\nif TYPE_CHECKING:\n    from b import c\n    if x:\n        import d.e\nfrom g import h\n"
    assert list(type_imports(source)) == [(3, "b.c"), (5, "d.e")]


def test_the_list_of_tests_that_no_type_checker_reads_only_shrinks() -> None:
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["overrides"]
    (unread,) = (override["module"] for override in overrides if override.get("ignore_errors"))
    assert len(unread) <= 24
    assert [name for name in unread if not (ROOT / (name.replace(".", "/") + ".py")).is_file()] == []


def test_only_tables_are_kept_out_of_the_formatters_hands() -> None:
    literals = (ast.Tuple, ast.List, ast.Dict, ast.Set)
    others = []
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text("utf-8")
        skipped = {n for n, line in enumerate(source.splitlines(), 1) if line.endswith("# fmt: skip")}
        for node in ast.walk(ast.parse(source)) if skipped else ():
            if isinstance(node, (ast.stmt, ast.expr)) and node.end_lineno in skipped and isinstance(node, literals):
                skipped.discard(node.end_lineno)
        others += [f"{path.name}:{n}" for n in skipped]
    assert others == []
