"""The reference leaves nothing out: its lists are those of the code, and its links lead somewhere."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from pathlib import Path

import pytest

from kina import abi
from kina.cli import emit
from kina.cli.main import COMMANDS, load_command
from kina.codegen.targets import DEFAULT_TARGETS
from kina.elaborate.bodies.operations import RULES
from kina.elaborate.bodies.operations.elementwise import OPERATORS
from kina.elaborate.types import limits
from kina.syntax import lexer, parser

# Not resolved: in a test target's folder this file is a link into the checkout.
SPEC = Path(__file__).absolute().parents[2] / "kina" / "spec"
PAGES = sorted(SPEC.glob("*.md"))


def text(page: str) -> str:
    return (SPEC / f"{page}.md").read_text(encoding="utf-8")


def first_cells(page: str) -> str:
    """The first column of every table."""
    return "\n".join(re.findall(r"^\|(.*?)(?<!\\)\|", text(page), re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", RULES)
def test_every_operation_has_a_row(name: str) -> None:
    assert f"`{name}(" in first_cells("operations")


@pytest.mark.parametrize("operator", sorted({*OPERATORS, "@"}))
def test_every_operator_has_a_row(operator: str) -> None:
    assert f"a {operator} b`" in first_cells("operations")


def test_the_grammar_is_the_parsers() -> None:
    assert parser.__doc__ is not None
    _, _, grammar = parser.__doc__.partition("program   :=")
    lines = ("    program   :=" + grammar).rstrip().splitlines()
    assert "\n".join(line.removeprefix("    ") for line in lines) in text("programs")


def test_every_keyword_is_named() -> None:
    (row,) = (line for line in text("programs").splitlines() if line.startswith("| keyword"))
    listed = re.search(r"`([A-Za-z ]+)`", row)
    assert listed is not None and {*listed.group(1).split()} == lexer.KEYWORDS


def test_the_limits_are_those_of_the_code() -> None:
    table = text("programs").partition("## Limits")[2].partition("## ")[0]
    assert limits.LARGEST_TENSOR == 2**47 and "2^47" in table
    counts = (limits.MOST_OPERATIONS, limits.MOST_GRADIENT_OPERATIONS, limits.MOST_STEPS)
    for limit in (*counts, limits.DEEPEST, parser.DEEPEST):
        assert f"| {limit:,}" in table


@pytest.mark.parametrize("dtype", abi.DTYPES)
def test_every_dtype_has_a_row(dtype: str) -> None:
    assert f"| `{dtype}` | {abi.DTYPES[dtype]} |" in text("types")


@pytest.mark.parametrize("kind", [abi.Manifest, abi.Signature, abi.Parameter, abi.Result])
def test_every_field_of_the_manifest_is_named(kind: type) -> None:
    assert all(f"`{field.name}`" in text("calling") for field in fields(kind))


@pytest.mark.parametrize("stage", emit.STAGES)
def test_every_stage_has_a_row(stage: str) -> None:
    assert re.search(rf"\| .*`{stage}`.* \|$", text("compiler"), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_flag_is_named(command: str) -> None:
    _, _, section = text("command-line").partition(f"## `kina {command}`")
    section = section.partition("\n## ")[0]
    flags = argparse.ArgumentParser(add_help=False)
    load_command(command).add_arguments(flags)
    named = [option for action in flags._actions for option in action.option_strings]
    assert section and [option for option in named if option not in section] == []


@pytest.mark.parametrize("name", [*DEFAULT_TARGETS.values(), "native"])
def test_the_processors_are_named(name: str) -> None:
    assert f"`{name}`" in first_cells("command-line")


def test_the_index_names_every_page() -> None:
    index = text("README")
    assert [page.name for page in PAGES if f"({page.name})" not in index] == ["README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text(page.stem), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        path, _, anchor = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target
