"""The rooms of the elaborator know only those before them, and no module needs itself."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import kina.elaborate

_ROOT = Path(kina.elaborate.__file__).parent
_ROOMS = ("names", "types", "bodies")
_PACKAGE = "kina.elaborate."


def _imports() -> dict[str, set[str]]:
    """For every module of the elaborator those that it imports, by their names below the package."""
    trees: dict[str, ast.Module] = {}
    for path in _ROOT.rglob("*.py"):
        parts = path.relative_to(_ROOT).with_suffix("").parts
        trees[".".join(part for part in parts if part != "__init__")] = ast.parse(path.read_text())
    found: dict[str, set[str]] = {}
    for module, tree in trees.items():
        named = {
            f"{node.module}.{one.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module is not None
            for one in node.names
        }
        below = {name.removeprefix(_PACKAGE) for name in named if name.startswith(_PACKAGE)}
        # `from package.module import thing` names a thing in a module; `from package import module` the module.
        found[module] = {name if name in trees else name.rpartition(".")[0] for name in below}
    return found


def test_imports_point_to_earlier_rooms() -> None:
    imports = _imports()
    assert {module.partition(".")[0] for module in imports} == {"", *_ROOMS}
    wrong = [
        (module, other)
        for module, others in imports.items()
        for other in others
        if (room := module.partition(".")[0])
        and _ROOMS.index(other.partition(".")[0]) > _ROOMS.index(room)
    ]
    assert wrong == []


def test_no_module_needs_itself() -> None:
    order = list(TopologicalSorter(_imports()).static_order())
    assert order.index("names.entities") < order.index("types.values") < order.index("bodies.body")
