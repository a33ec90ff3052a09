"""What code a world or an agent is made of: the files it imports, and their digest.

The imports are read from the sources, those inside functions too, and followed within the packages that are asked for.
A module that is imported by nothing of them changes nothing of what they do, so a change to it changes no digest.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

FACE = __name__.partition(".")[0]
"""The package whose names are looked up lazily: an import of one of them is an import of the module that holds it."""


@lru_cache(maxsize=64)
def code_digest(module: str) -> str:
    """32 hex digits of the Python files that `module` imports, itself included, and of the data beside it.

    Followed are imports within the module's own top-level package and within this product. Where the module is a
    package, all Python and JSON files below it count. ImportError where there is no such module.
    """
    hasher = hashlib.blake2b(digest_size=16)
    whole = dict(_data(files(module))) if _is_package(module) else {}
    parts = {name: path.read_bytes() for name, path in imported(module).items()}
    for name, content in sorted({**parts, **{f"{module}/{name}": data for name, data in whole.items()}}.items()):
        hasher.update(f"{name}\x1f{len(content)}\x1f".encode())
        hasher.update(content)
    return hasher.hexdigest()


def imported(module: str) -> dict[str, Path]:
    """Files by module name: `module` and whatever it imports of its own top-level package and of this product."""
    within = {FACE, module.partition(".")[0]}
    known: dict[str, Path] = {}
    todo = [module]
    while todo:
        name = todo.pop()
        if name == FACE or name in known:
            continue
        path = _file_of(name)
        if path is not None:
            known[name] = path
            todo += _imports(name, path, within)
    if not known:
        raise ImportError(f"no module {module!r}")
    return known


def _imports(module: str, path: Path, within: Collection[str]) -> Iterator[str]:
    tree = ast.parse(path.read_bytes())
    skipped = _of_types(tree)
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in within)
        elif isinstance(node, ast.ImportFrom):
            yield from _named(node, module, path, within)


def _named(node: ast.ImportFrom, module: str, path: Path, within: Collection[str]) -> Iterator[str]:
    base = node.module or ""
    if node.level:
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        parents = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*parents, *([base] if base else [])])
    if base.partition(".")[0] not in within:
        return
    for alias in node.names:
        if base == FACE:
            yield _behind_the_face().get(alias.name, f"{FACE}.{alias.name}")
        else:
            inner = f"{base}.{alias.name}"
            yield inner if _is_package(base) and _file_of(inner) is not None else base


def _of_types(tree: ast.Module) -> Collection[int]:
    """Ids of all nodes under `if TYPE_CHECKING`: what stands there is never run."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }


@lru_cache(maxsize=1)
def _behind_the_face() -> dict[str, str]:
    """Module by public name, as the face declares them for type checkers."""
    path = _file_of(FACE)
    tree = ast.parse(path.read_bytes()) if path is not None else ast.Module([], [])
    return {
        alias.asname or alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and id(node) in _of_types(tree)
        for alias in node.names
    }


@lru_cache(maxsize=1024)
def _file_of(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin and spec.origin.endswith(".py") else None


def _is_package(module: str) -> bool:
    path = _file_of(module)
    return path is not None and path.name == "__init__.py"


def _data(folder: Traversable, at: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _data(entry, f"{at}{entry.name}/")
        elif entry.name.endswith((".py", ".json")):
            yield at + entry.name, entry.read_bytes()
