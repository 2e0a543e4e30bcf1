"""No two modules import each other when they are loaded.

The tests load most modules in one process, in which a circle of imports is not seen; a command is a new process.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pincite

_ROOT = Path(pincite.__file__).parent


def test_no_modules_import_each_other() -> None:
    modules = {_name_module(path): path for path in _ROOT.rglob("*.py") if "migrations" not in path.parts}
    graph = {name: set(_list_imports(name, path, modules)) for name, path in modules.items()}
    assert len(graph["pincite.store.workspaces"]) > 3
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def _name_module(path: Path) -> str:
    parts = path.relative_to(_ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _list_imports(name: str, path: Path, modules: dict[str, Path]) -> Iterator[str]:
    """Yield the modules that are imported when a module is loaded, not those that a function imports later."""
    for each in _list_statements(ast.parse(path.read_text()).body):
        if isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names if alias.name in modules and alias.name != name)
        elif isinstance(each, ast.ImportFrom) and each.module in modules:
            inside = [f"{each.module}.{alias.name}" for alias in each.names]
            yield from (module for module in inside if module in modules)
            if not all(module in modules for module in inside) and each.module != name:
                yield each.module


def _list_statements(body: list[ast.stmt] | list[ast.ExceptHandler]) -> Iterator[ast.stmt | ast.ExceptHandler]:
    for each in body:
        if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test):
            continue
        yield each
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for inner in ("body", "orelse", "finalbody", "handlers"):
            yield from _list_statements(getattr(each, inner, []))
