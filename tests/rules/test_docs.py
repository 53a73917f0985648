"""Whoever writes a BUILD file finds every rule, macro, attribute and field of tools/kina described.

The text of a .bzl file also is Python, by whose parser it is read here.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

RULES = Path(__file__).absolute().parents[2] / "tools/kina"
FILES = sorted(RULES.glob("*.bzl"))


def calls(path: Path) -> list[tuple[str, ast.Call]]:
    """Every call in a file, with the text of what is called."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [(ast.unparse(n.func), n) for n in ast.walk(tree) if isinstance(n, ast.Call)]


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def test_the_rules_are_here() -> None:
    assert {"defs.bzl", "golden.bzl", "library.bzl", "model.bzl", "shared_library.bzl"} <= {
        path.name for path in FILES
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_rule_attribute_and_provider_has_a_doc(path: Path) -> None:
    for name, call in calls(path):
        if name in ("rule", "provider", "repository_rule") or name.startswith("attr."):
            assert keyword(call, "doc"), f"{path.name}:{call.lineno}: {name} without doc"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_public_macro_tells_of_its_arguments(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{path.name} does not say what it is"
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name.startswith("_"):
            continue
        doc = ast.get_docstring(function) or ""
        named = {a.arg for a in [*function.args.args, *function.args.kwonlyargs]}
        if function.args.kwarg:
            named.add(f"**{function.args.kwarg.arg}")
        described = set(re.findall(r"^    (\S+): ", doc.partition("Args:")[2], re.MULTILINE))
        assert described == named, f"{path.name}: {function.name}"


def test_every_name_that_defs_has_comes_from_a_file_of_its_own() -> None:
    tree = ast.parse((RULES / "defs.bzl").read_text(encoding="utf-8"))
    names = {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets}
    loads = [c for name, c in calls(RULES / "defs.bzl") if name == "load"]
    loaded = {k.arg for c in loads for k in c.keywords}
    assert loaded == {f"_{name}" for name in names}
