"""What editors know of Kina is what the compiler knows: its words, and what each is in a program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from grammar import rules, scopes

from kina import abi
from kina.elaborate.bodies.operations import RULES
from kina.syntax.lexer import COMMENT, END, FLOAT, INTEGER, KEYWORDS, NAME, STRING, Token, tokenize
from kina.syntax.source import SourceFile
from support.workspace import ROOT, programs

EDITOR = ROOT / "tools/editor"
EXTENSION = EDITOR / "vscode"
PROGRAMS = programs()
OPERATORS = {"+", "-", "*", "/", "%", "@", "=", "==", "!=", "<", "<=", ">", ">=", "->", "..", "..."}
CONSTANTS = {"true", "false", "inf", "nan", "placeholder"}
DECLARATIONS = {
    "as",
    "dim",
    "const",
    "part",
    "record",
    "reverseMode",
    "fn",
    "export",
    "import",
    "donate",
}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


GRAMMAR = read(EXTENSION / "kina.tmLanguage.json")
FOUND = rules(GRAMMAR)


def listed(rule: str) -> set[str]:
    """The words between the parentheses of a rule, each given once and in order."""
    match = re.search(r"\(\?:([\w|]+)\)", GRAMMAR["repository"][rule]["match"])
    assert match is not None
    words = match.group(1).split("|")
    assert words == sorted({*words})
    return {*words}


def test_the_words_of_the_grammar() -> None:
    assert listed("constant") == CONSTANTS
    assert listed("declaration") == DECLARATIONS
    assert listed("control") == KEYWORDS - CONSTANTS - DECLARATIONS
    assert listed("dtype") == {*abi.DTYPES}
    assert listed("operation") == {*RULES}


def test_the_words_of_vim() -> None:
    text = (EDITOR / "vim/syntax/kina.vim").read_text(encoding="utf-8")
    groups = {
        group: {*words.split()}
        for group, words in re.findall(r"^syntax keyword (\w+) (.*)$", text, re.MULTILINE)
    }
    operation = re.search(r"^syntax match kinaOperation /\\<\\%\((.*)\\\)\\>", text, re.MULTILINE)
    assert operation is not None
    assert {*operation.group(1).split(r"\|")} == {*RULES}
    assert groups == {
        "kinaConstant": CONSTANTS,
        "kinaDeclaration": DECLARATIONS,
        "kinaControl": KEYWORDS - CONSTANTS - DECLARATIONS,
        "kinaDtype": {*abi.DTYPES},
    }


def test_the_words_of_emacs() -> None:
    text = (EDITOR / "emacs/kina-mode.el").read_text(encoding="utf-8")
    lists = {
        name: {*re.findall(r'"(\w+)"', words)}
        for name, words in re.findall(r"\(defconst kina--(\w+)\s+'\(([^)]*)\)", text)
    }
    assert lists == {
        "keywords": KEYWORDS - CONSTANTS,
        "constants": CONSTANTS,
        "dtypes": {*abi.DTYPES},
        "operations": {*RULES},
    }


def expected(tokens: list[Token], at: int) -> str:
    """The scope of a token, by the lexer and what stands around it; "" for no scope or any name's."""
    token = tokens[at]
    before = tokens[at - 1].kind if at else ""
    after = tokens[at + 1].kind
    kind = token.kind
    if kind in (COMMENT, STRING):
        return {COMMENT: "comment.line.double-slash", STRING: "string.quoted.double"}[kind]
    if kind in (INTEGER, FLOAT):
        return "constant.numeric"
    if kind in KEYWORDS:
        control = "constant.language" if kind in CONSTANTS else "keyword.control"
        return "storage.type" if kind in DECLARATIONS else control
    if kind in OPERATORS:
        return "keyword.operator"
    if kind == NAME and before in ("fn", "export"):
        return "entity.name.function"
    if kind == NAME and before == "record":
        return "entity.name.type"
    if token.text in abi.DTYPES:
        return "support.type"
    return "support.function" if token.text in RULES and after == "(" else ""


@pytest.mark.parametrize("place", PROGRAMS)
def test_every_token_has_its_scope(place: str) -> None:
    source = PROGRAMS[place]
    found = scopes(FOUND, source.text)
    tokens, _ = tokenize(source, comments=True)
    for at, token in enumerate(tokens):
        if token.kind == END:
            continue
        (scope,) = {*found[token.span.start : token.span.end]}
        if wanted := expected(tokens, at):
            assert scope == f"{wanted}.kina", token.span
        else:
            assert scope in ("", "entity.name.function.call.kina", "variable.parameter.kina") or (
                tokens[at - 1].kind in ("=", ".") and scope == "entity.name.function.kina"
            ), token.span


def test_every_rule_is_used() -> None:
    """By the programs; a rule that nothing matches would be wrong, or of no use."""
    used = {scope for source in PROGRAMS.values() for scope in scopes(FOUND, source.text)}
    names = {rule.name for rule in FOUND} | {name for r in FOUND for name in r.captures.values()}
    assert used | {""} == names | {""}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("0..L", ["constant.numeric"] + ["keyword.operator"] * 2 + [""]),
        ("1.5e-3", ["constant.numeric"] * 6),
        ("k_1x2", [""] * 5),
        ("format", [""] * 6),
        ("max", [""] * 3),
        ("max(", ["support.function"] * 3 + [""]),
        ("maxi(", ["entity.name.function.call"] * 4 + [""]),
        ("// let", ["comment.line.double-slash"] * 6),
        ('"//"', ["string.quoted.double"] * 4),
        ("a//b", ["", *["comment.line.double-slash"] * 3]),
    ],
)
def test_scopes_by_hand(text: str, wanted: list[str]) -> None:
    assert scopes(FOUND, text) == [name and f"{name}.kina" for name in wanted]


def test_the_extension_is_whole() -> None:
    package = read(EXTENSION / "package.json")
    contributes = package["contributes"]
    (language,), (grammar,) = contributes["languages"], contributes["grammars"]
    assert language["id"] == grammar["language"] == "kina" and language["extensions"] == [".kina"]
    assert grammar["scopeName"] == GRAMMAR["scopeName"] == "source.kina"
    for path in (package["main"], language["configuration"], grammar["path"]):
        assert (EXTENSION / path).is_file()
    assert read(EXTENSION / language["configuration"])["comments"] == {"lineComment": "//"}


def test_the_problem_matcher_finds_what_check_says() -> None:
    (matcher,) = read(EXTENSION / "package.json")["contributes"]["problemMatchers"]
    pattern = matcher["pattern"]
    _, diagnostics = tokenize(SourceFile("a folder/wrong.kina", "dim $\n"))
    (line, *excerpt) = str(diagnostics[0]).split("\n")
    match = re.search(pattern["regexp"], line)
    assert match is not None
    assert [match[pattern[part]] for part in ("file", "line", "column", "message")] == [
        "a folder/wrong.kina",
        "1",
        "5",
        "expected Kina text, found '$'",
    ]
    assert not any(re.search(pattern["regexp"], other) for other in excerpt)
