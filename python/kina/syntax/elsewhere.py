"""What other languages write, and what Kina writes for it: the ends of messages about syntax.

Each function gives `; ...`, or nothing where there is nothing to say.
"""

from __future__ import annotations

_ITEMS = {
    **dict.fromkeys(("def", "func", "fun", "function", "proc"), "a function begins with fn"),
    **dict.fromkeys(
        ("reversemode", "reverse_mode", "grad", "differentiable"),
        "a function that has a gradient begins with reverseMode fn",
    ),
    **dict.fromkeys(("struct", "class", "type", "data"), "a group of tensors is a record"),
    **dict.fromkeys(("use", "include", "from", "require"), 'a file is taken in by import "f.kina"'),
    **dict.fromkeys(("let", "var", "val"), "a number of the file is a dim or a const"),
    **dict.fromkeys(("return", "yield"), "it belongs into a function"),
    **dict.fromkeys(("pub", "public", "extern", "extends"), "what hosts may call is an export"),
}

_STATEMENTS = {
    **dict.fromkeys(("var", "val", "auto", "const"), "a value gets its name by let"),
    **dict.fromkeys(("if", "switch", "match"), "one of two values is select(condition, a, b)"),
    **dict.fromkeys(("while", "loop"), "repetition is let x = for i in a..b with x = ... { ... }"),
    "for": "a loop has a value: let x = for i in a..b with x = ... { ... }",
    "print": "a function computes its results and does nothing else",
}

_OPERANDS = {
    "string": 'a file becomes a part by import ".." as NAME',
    "*": "a power is written pow(a, b)",
    "=": "nothing is changed in place: let x = x + 1",
    ".": "a number has a digit on both sides of its point, as in 0.5",
    "+": "a sign + is not written",
}


def item_hint(word: str) -> str:
    """For a word where a declaration begins."""
    return _hint(_ITEMS.get(word))


def statement_hint(word: str, following: str) -> str:
    """For a word where a statement begins, and the kind of the token after it."""
    if word not in _STATEMENTS and following in ("=", "+", "-", "*", "/") and word.isidentifier():
        return _hint(f"a value gets its name by let {word} = ...")
    return _hint(_STATEMENTS.get(word))


def let_hint(mark: str) -> str:
    """For a mark between the name of a `let` and its `=`."""
    if mark == ":":
        return _hint("the type follows from the value")
    return _hint("several names stand in parentheses: let (a, b) = ...")


def after_hint(word: str, keyword: str) -> str:
    """For what stands after the value of a `return` or `yield`."""
    if word in ("and", "or"):
        return _hint(f"write {word}(a, b)")
    if word == ",":
        return _hint(f"several values stand in parentheses: {keyword} (a, b)")
    return _hint("one of two values is select(condition, a, b)" if word == "if" else None)


def operand_hint(mark: str, before: str) -> str:
    """For a mark where an operand is expected, after another token."""
    if mark == "*" and before != "*":
        return ""
    return _hint(_OPERANDS.get(mark))


def _hint(text: str | None) -> str:
    return "" if text is None else f"; {text}"
