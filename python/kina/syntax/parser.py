"""Tokens to a tree: recursive descent, with recovery at statements and items.

Grammar (`x,*` is a list separated by commas, which may end in one):

    program   := (dims | consts | parts | record | function | export | import)*
    dims      := 'dim' NAME ['=' expr] (',' NAME ['=' expr])*
    consts    := 'const' NAME ':' type ['=' expr] (',' NAME ':' type ['=' expr])*
    parts     := 'part' NAME (',' NAME)*
    record    := 'record' NAME '{' (NAME ':' type [','])* '}'
    function  := ['reverseMode'] 'fn' NAME ['[' NAME,* ']'] '(' (NAME ':' type),* ')' ['->' results] block
    results   := type | '(' type,* ')'
    export    := 'export' NAME ['=' place] ['[' opening,* ']'] ['donate' '(' NAME,* ')']
    import    := 'import' STRING ['as' NAME] ['with' binding (',' binding)*]
    place     := [NAME '.'] NAME
    type      := place ['[' expr,* ']']
    binding   := NAME '=' expr
    opening   := binding | NAME 'in' expr '..' expr
    block     := '{' statement* '}'
    statement := 'let' (NAME | '(' NAME,* ')') '=' expr | 'return' expr | 'yield' expr | expr
    expr      := sum [('==' | '!=' | '<' | '<=' | '>' | '>=') sum]
    sum       := product (('+' | '-') product)*
    product   := unary (('*' | '/' | '%' | '@') unary)*
    unary     := '-'* postfix
    postfix   := primary ('.' NAME | '[' expr,* ']')*
    primary   := NUMBER | 'inf' | 'nan' | 'true' | 'false' | 'placeholder' | NAME
               | place ['[' binding,* ']'] '(' argument,* ['...'] ')'
               | '(' expr,* ')' | '[' expr,* ']' | for | while
    argument  := [NAME '='] expr
    for       := 'for' NAME 'in' sum '..' sum 'with' binding (',' binding)* block
    while     := 'while' expr 'with' binding (',' binding)* block
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn, TypeVar

from kina.syntax import tree
from kina.syntax.elsewhere import (
    after_hint,
    item_hint,
    let_hint,
    operand_hint,
    statement_hint,
)
from kina.syntax.lexer import (
    END,
    FLOAT,
    INTEGER,
    KEYWORDS,
    NAME,
    STRING,
    Token,
    shortened,
    tokenize,
)
from kina.syntax.source import Diagnostic, KinaError, Note, SourceFile, Span

DEEPEST = 60
"""Levels of nesting that an expression may have."""

_ITEMS = ("dim", "const", "part", "record", "reverseMode", "fn", "export", "import")
_STATEMENTS = ("let", "return", "yield")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_LARGEST_INTEGER = 2**63 - 1
_MOST_DIAGNOSTICS = 50

_T = TypeVar("_T")


def parse(source: SourceFile) -> tree.Program:
    """The tree of a file.

    Raises:
        KinaError: the text is not Kina; it carries as many independent errors as were found.
    """
    tokens, diagnostics = tokenize(source)
    parser = _Parser(tokens)
    items: list[tree.Item] = []
    try:
        items = parser.program()
    except RecursionError:  # the caller's own stack was deep already
        diagnostics.append(Diagnostic("nested too deeply", parser.token.span))
    diagnostics += [d for d in parser.diagnostics if not _follows(d, diagnostics)]
    if diagnostics:
        diagnostics.sort(key=lambda diagnostic: diagnostic.span.start)
        raise KinaError(diagnostics)
    return tree.Program(source, tuple(items))


def _follows(diagnostic: Diagnostic, unread: Sequence[Diagnostic]) -> bool:
    """Whether an error only says that something is missing where text was skipped as no token.

    `unread` is in the order of the text.
    """
    start = diagnostic.span.start
    before = bisect_right(unread, start, key=lambda one: one.span.end)
    if before == 0:
        return False
    skipped = unread[before - 1].span
    return not skipped.source.text[skipped.end : start].strip()


class _SyntaxError(Exception):
    """Unwinds to the statement or item where parsing can go on."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__()
        self.diagnostic = diagnostic


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.diagnostics: list[Diagnostic] = []

    # Tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def ahead(self, distance: int) -> str:
        return self.tokens[min(self.at + distance, len(self.tokens) - 1)].kind

    def advance(self) -> Token:
        token = self.token
        if token.kind != END:
            self.at += 1
        return token

    def accept(self, kind: str) -> Token | None:
        return self.advance() if self.token.kind == kind else None

    def expect(self, kind: str, what: str | None = None) -> Token:
        if self.token.kind != kind:
            self.fail(f"expected {what or _shown(kind)}, found {_found(self.token)}")
        return self.advance()

    def identifier(self, what: str) -> tree.Identifier:
        token = self.expect(NAME, what)
        return tree.Identifier(token.text, token.span)

    def since(self, start: Span) -> Span:
        """From a span to the end of the last token read."""
        return start.to(self.tokens[max(self.at - 1, 0)].span)

    def fail(self, message: str, span: Span | None = None) -> NoReturn:
        raise _SyntaxError(Diagnostic(message, span or self.token.span))

    def report(self, error: _SyntaxError) -> None:
        if len(self.diagnostics) < _MOST_DIAGNOSTICS:
            self.diagnostics.append(error.diagnostic)
        else:
            self.at = len(self.tokens) - 1

    def skip_to(self, kinds: tuple[str, ...]) -> None:
        """To the next token of these kinds that is in no deeper braces, or to an item."""
        braces = 0
        while self.token.kind != END and self.token.kind not in _ITEMS:
            if braces == 0 and self.token.kind in kinds:
                return
            braces += {"{": 1, "}": -1}.get(self.token.kind, 0)
            braces = max(braces, 0)
            self.advance()

    def separated(self, one: Callable[[], _T], end: str) -> list[_T]:
        """A list separated by commas up to and with the token `end`."""
        opening = self.tokens[self.at - 1]
        result: list[_T] = []
        while self.token.kind != end:
            result.append(one())
            if self.accept(",") is None:
                break
        if self.token.kind != end:
            message = f"expected ',' or {_shown(end)}, found {_found(self.token)}"
            note = Note(f"the '{opening.text}' stands here", opening.span)
            far = "\n" in opening.span.to(self.token.span).text
            raise _SyntaxError(Diagnostic(message, self.token.span, (note,) if far else ()))
        self.advance()
        return result

    # Items

    def program(self) -> list[tree.Item]:
        parsers = {
            "dim": self.dims,
            "const": self.consts,
            "part": self.parts,
            "record": self.record,
            "reverseMode": self.function,
            "fn": self.function,
            "export": self.export,
            "import": self.import_,
        }
        items: list[tree.Item] = []
        while self.token.kind != END:
            parser = parsers.get(self.token.kind)
            try:
                if parser is None:
                    self.fail(
                        "expected dim, const, part, record, fn, export or import,"
                        f" found {_found(self.token)}{item_hint(self.token.text)}"
                    )
                items += parser()
            except _SyntaxError as error:
                self.report(error)
                self.skip_to(_ITEMS)
        return items

    def dims(self) -> list[tree.Item]:
        self.advance()
        items: list[tree.Item] = []
        while True:
            name = self.identifier("the name of a dimension")
            if self.token.kind == ":":
                self.fail(f"a dimension has no type; write dim {name.text} = ...")
            value = self.value()
            items.append(tree.Dim(name, value))
            if self.accept(",") is None:
                return items

    def value(self) -> tree.Expression | None:
        """The value of a declaration, or None where the importer gives it."""
        if self.token.kind in (INTEGER, FLOAT):
            self.expect("=")
        return self.expression() if self.accept("=") else None

    def consts(self) -> list[tree.Item]:
        self.advance()
        items: list[tree.Item] = []
        while True:
            name = self.identifier("the name of a constant")
            self.expect(":", "':' and the constant's dtype")
            type_ = self.type()
            value = self.value()
            items.append(tree.Const(name, type_, value))
            if self.accept(",") is None:
                return items

    def parts(self) -> list[tree.Item]:
        self.advance()
        items: list[tree.Item] = []
        while True:
            name = self.identifier("the name of a part")
            if self.token.kind in ("=", STRING):
                self.fail(f'a part is given by the importer; write import ".." as {name.text}')
            items.append(tree.Part(name))
            if self.accept(",") is None:
                return items

    def record(self) -> list[tree.Item]:
        self.advance()
        name = self.identifier("the name of a record")
        self.expect("{")
        fields: list[tree.Typed] = []
        while self.accept("}") is None:
            fields.append(self.typed("the name of a field or '}'"))
            self.accept(",")
        return [tree.Record(name, tuple(fields))]

    def function(self) -> list[tree.Item]:
        mark = self.accept("reverseMode")
        self.expect("fn", "'fn' after reverseMode")
        name = self.identifier("the name of a function")
        main = name.text == "main"
        generics: list[tree.Identifier] = []
        if self.accept("["):
            generics = self.separated(lambda: self.identifier("the name of a dimension"), "]")
        self.expect("(")
        parameters = self.separated(lambda: self.typed("the name of a parameter"), ")")
        results: list[tree.TypeExpression] = []
        if self.accept("->"):
            results = self.results()
        elif not main:
            self.fail(f"expected '->' and the type of the result, found {_found(self.token)}")
        if main and (generics or parameters or results):
            self.fail("main takes no dimensions and no parameters and has no result", name.span)
        if main and mark is not None:
            self.fail("main is never run, so it has no gradient", mark.span)
        body = self.block("fn", None if main else "return")
        reverse = mark is not None
        return [
            tree.Function(name, tuple(generics), tuple(parameters), tuple(results), body, reverse)
        ]

    def results(self) -> list[tree.TypeExpression]:
        start = self.token.span
        if self.accept("(") is None:
            return [self.type()]
        results = self.separated(self.type, ")")
        if not results:
            self.fail("expected at least one type", self.since(start))
        return results

    def export(self) -> list[tree.Item]:
        start = self.advance().span
        name = self.identifier("the name of a signature")
        if self.token.kind == ".":
            inner = self.tokens[min(self.at + 1, len(self.tokens) - 1)].text
            hint = f"write export {inner} = {name.text}.{inner}" if self.ahead(1) == NAME else ""
            self.fail("the name of a signature has no prefix" + (hint and f"; {hint}"))
        function = self.place("the name of a function") if self.accept("=") else name
        dims: list[tree.Binding | tree.OpenBinding] = []
        if self.accept("["):
            dims = self.separated(self.opening, "]")
        if self.token.kind == "(":
            self.fail("an export names a function alone; its arguments come from the host")
        donated: list[tree.Identifier] = []
        if self.accept("donate"):
            self.expect("(")
            donated = self.separated(lambda: self.identifier("the name of a parameter"), ")")
        return [tree.Export(name, function, tuple(dims), tuple(donated), self.since(start))]

    def import_(self) -> list[tree.Item]:
        start = self.advance().span
        path = self.expect(STRING, 'the path of a file, as in "model.kina"')
        prefix = self.identifier("a prefix for its names") if self.accept("as") else None
        if self.token.kind == NAME:
            word = self.token.text
            hint = "" if prefix else f"; a prefix is given by as {word}"
            expected = "'with'" if prefix else "'as' or 'with'"
            self.fail(f"expected {expected}, found {_found(self.token)}{hint}")
        bindings: list[tree.Binding] = []
        if self.accept("with"):
            bindings.append(self.binding("the name of a parameter of the file"))
            while self.accept(","):
                bindings.append(self.binding("the name of a parameter of the file"))
        span = self.since(start)
        return [tree.Import(path.text[1:-1], path.span, prefix, tuple(bindings), span)]

    def typed(self, what: str) -> tree.Typed:
        name = self.identifier(what)
        self.expect(":", f"':' and the type of '{name.text}'")
        return tree.Typed(name, self.type())

    def type(self) -> tree.TypeExpression:
        name = self.place("a type")
        sizes = None
        if self.accept("["):
            sizes = tuple(self.separated(self.expression, "]"))
        return tree.TypeExpression(name, sizes, self.since(name.span))

    def place(self, what: str) -> tree.Identifier:
        """A name that may stand behind the prefix of an import."""
        name = self.identifier(what)
        if self.accept(".") is None:
            return name
        inner = self.identifier(f"a name behind the prefix '{name.text}'")
        return tree.Identifier(f"{name.text}.{inner.text}", name.span.to(inner.span))

    def binding(self, what: str) -> tree.Binding:
        name = self.identifier(what)
        self.expect("=")
        return tree.Binding(name, self.expression())

    def opening(self) -> tree.Binding | tree.OpenBinding:
        if self.ahead(1) != "in":
            return self.binding("the name of a dimension")
        name = self.identifier("the name of a dimension")
        self.advance()
        least = self.expression()
        self.expect("..", "'..' and the greatest size")
        return tree.OpenBinding(name, least, self.expression())

    # Statements

    def block(self, owner: str, last: str | None) -> tuple[tree.Statement, ...]:
        """`{ ... }`, which must end in a statement that starts with the keyword `last`."""
        opening = self.expect("{", f"'{{' and the body of this {owner}")
        statements: list[tree.Statement] = []
        failed = False
        while self.token.kind != "}":
            if self.token.kind in _ITEMS and self.is_indented():
                self.misplaced()
                failed = True
                continue
            if self.token.kind == END or self.token.kind in _ITEMS:
                self.fail(f"expected '}}' to close the '{{' of this {owner}", opening.span)
            try:
                statements.append(self.statement(owner, last))
            except _SyntaxError as error:
                self.report(error)
                self.skip_to((*_STATEMENTS, "}"))
                failed = True
        closing = self.advance()
        ended = bool(statements) and isinstance(statements[-1], tree.Return | tree.Yield)
        if last is not None and not ended and not failed:
            message = f"expected '{last}' at the end of this {owner}"
            self.report(_SyntaxError(Diagnostic(message, closing.span)))
        return tuple(statements)

    def is_indented(self) -> bool:
        """Whether a token stands inside of what a line without indent began."""
        span = self.token.span
        line, column = span.source.line_and_column(span.start)
        return column > 1 and not span.source.line(line)[: column - 1].strip()

    def misplaced(self) -> None:
        """Report a declaration inside of a body, and skip it."""
        item = self.advance()
        if item.kind == "reverseMode":
            self.accept("fn")
        hint = "; a value gets its name by let" if item.kind in ("dim", "const") else ""
        message = f"'{item.kind}' stands outside of functions{hint}"
        self.report(_SyntaxError(Diagnostic(message, item.span)))
        self.skip_to((*_STATEMENTS, "}"))

    def statement(self, owner: str, last: str | None) -> tree.Statement:
        start = self.token
        if self.accept("let"):
            return self.let(start.span)
        if start.kind in ("return", "yield"):
            self.advance()
            if start.kind != last:
                place = "a fn" if start.kind == "return" else "a for or a while"
                inside = "main" if last is None else f"a {owner}"
                self.fail(f"'{start.kind}' ends {place}; this is {inside}", start.span)
            value = self.expression()
            if self.token.kind not in ("}", END, *_ITEMS):
                found = f"{_found(self.token)}{after_hint(self.token.text, start.text)}"
                self.fail(f"expected '}}' after '{start.kind}', found {found}")
            node = tree.Return if start.kind == "return" else tree.Yield
            return node(value, self.since(start.span))
        if last is not None:
            hint = statement_hint(start.text, self.tokens[self.at + 1].kind)
            self.fail(f"expected 'let' or '{last}', found {_found(start)}{hint}")
        return tree.Evaluate(self.expression(), self.since(start.span))

    def let(self, start: Span) -> tree.Let:
        if self.accept("("):
            names = self.separated(lambda: self.identifier("a name"), ")")
            if len(names) < 2:
                self.fail("expected at least two names between the parentheses", self.since(start))
        else:
            names = [self.identifier("a name")]
        if self.token.kind in (":", ","):
            self.fail(f"expected '=', found {_found(self.token)}{let_hint(self.token.kind)}")
        self.expect("=")
        return tree.Let(tuple(names), self.expression(), self.since(start))

    # Expressions

    def expression(self) -> tree.Expression:
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                self.fail(f"nested more than {DEEPEST} levels deep; name a part with 'let'")
            return self.comparison()
        finally:
            self.depth -= 1

    def comparison(self) -> tree.Expression:
        left = self.sum()
        if self.token.kind not in _COMPARISONS:
            return left
        operator = self.advance()
        right = self.sum()
        if self.token.kind in _COMPARISONS:
            self.fail("comparisons do not chain; write and(a < b, b < c)")
        return _binary(operator, left, right)

    def sum(self) -> tree.Expression:
        left = self.product()
        while self.token.kind in ("+", "-"):
            left = _binary(self.advance(), left, self.product())
        return left

    def product(self) -> tree.Expression:
        left = self.unary()
        while self.token.kind in ("*", "/", "%", "@"):
            left = _binary(self.advance(), left, self.unary())
        return left

    def unary(self) -> tree.Expression:
        signs: list[Span] = []
        while sign := self.accept("-"):
            signs.append(sign.span)
        if len(signs) > DEEPEST:
            self.fail(f"more than {DEEPEST} signs", signs[0])
        operand = self.postfix()
        for span in reversed(signs):
            operand = tree.Negation(operand, span.to(operand.span))
        return operand

    def postfix(self) -> tree.Expression:
        result = self.primary()
        for _ in range(DEEPEST):
            if self.accept("."):
                if isinstance(result, tree.Number):
                    self.fail("expected a digit on both sides of the point, as in 1.0", result.span)
                field = self.identifier("the name of a field")
                result = tree.FieldAccess(result, field, self.since(result.span))
            elif (name := tree.qualified(result)) and self.is_call():
                result = self.call(tree.Identifier(name.text, name.span))
            elif self.accept("["):
                indices = tuple(self.separated(self.index, "]"))
                if not indices:
                    self.fail("expected at least one index", self.since(result.span))
                result = tree.IndexAccess(result, indices, self.since(result.span))
            elif self.token.kind == "(":
                hint = ""
                if isinstance(result, tree.FieldAccess):
                    rest = ")" if self.ahead(1) == ")" else ", ...)"
                    base = shortened(" ".join(result.base.span.text.split()))
                    hint = f"; write {result.field.text}({base}{rest}"
                self.fail(f"only a function's name can be called{hint}", result.span)
            else:
                return result
        self.fail(f"more than {DEEPEST} accesses in a row; name a part with 'let'")

    def index(self) -> tree.Expression:
        index = None if self.token.kind in (":", "...") else self.expression()
        if index is None or self.token.kind == ":":
            hint = "a part of a tensor is written slice(x, at=[..], size=[..])"
            self.fail(f"expected an index, found '{self.token.kind}'; {hint}")
        return index

    def primary(self) -> tree.Expression:
        token = self.token
        match token.kind:
            case "integer" | "float" | "inf" | "nan":
                return self.number()
            case "true" | "false":
                return tree.Boolean(self.advance().kind == "true", token.span)
            case "placeholder":
                return tree.Placeholder(self.advance().span)
            case "name":
                return self.name_or_call()
            case "(":
                return self.parenthesized()
            case "[":
                self.advance()
                parts = tuple(self.separated(self.expression, "]"))
                return tree.ListExpression(parts, self.since(token.span))
            case "for":
                return self.for_()
            case "while":
                return self.while_()
        before = self.tokens[self.at - 1].kind
        self.fail(
            f"expected an expression, found {_found(token)}{operand_hint(token.kind, before)}"
        )

    def number(self) -> tree.Expression:
        token = self.advance()
        if token.kind == INTEGER:
            whole = int(token.text)
            if whole > _LARGEST_INTEGER:
                self.fail(f"expected an integer of at most {_LARGEST_INTEGER} (I64)", token.span)
            return tree.Number(whole, token.span)
        value = float(token.text)
        if token.kind == FLOAT and math.isinf(value):
            self.fail("expected a number that F64 can hold; infinity is written inf", token.span)
        return tree.Number(value, token.span)

    def name_or_call(self) -> tree.Expression:
        token = self.advance()
        if self.is_call():
            return self.call(tree.Identifier(token.text, token.span))
        return tree.Name(token.text, token.span)

    def is_call(self) -> bool:
        """Whether what stands behind a name makes it a call."""
        with_dims = self.token.kind == "[" and self.ahead(1) == NAME
        return self.token.kind == "(" or (with_dims and self.ahead(2) in ("=", "in"))

    def call(self, name: tree.Identifier) -> tree.Expression:
        dims: list[tree.Binding] = []
        if self.token.kind == "[" and self.ahead(2) == "=":
            self.advance()
            dims = self.separated(lambda: self.binding("the name of a dimension"), "]")
            if self.token.kind != "(":
                self.fail(f"expected '(' and arguments, found {_found(self.token)}")
        elif self.token.kind == "[":
            self.advance()
            self.fail("only an export leaves a dimension open; a call gives it a value: S = 4")
        self.expect("(")
        arguments: list[tree.Argument] = []
        rest = False
        while self.token.kind not in (")", "..."):
            arguments.append(self.argument())
            if self.accept(",") is None:
                break
        if self.accept("..."):
            rest = True
        if self.token.kind != ")":
            self.fail(f"expected ',' or ')', found {_found(self.token)}")
        self.advance()
        return tree.Call(name, tuple(dims), tuple(arguments), rest, self.since(name.span))

    def argument(self) -> tree.Argument:
        start = self.token.span
        keyword = None
        if self.token.kind == NAME and self.ahead(1) == "=":
            keyword = self.identifier("a keyword")
            self.advance()
        elif self.token.kind in KEYWORDS and self.ahead(1) == "=":
            word = self.advance()
            hint = "; an axis is given by axis=" if word.kind == "dim" else ""
            self.fail(f"expected an argument, found {_found(word)}{hint}", word.span)
        return tree.Argument(keyword, self.expression(), self.since(start))

    def parenthesized(self) -> tree.Expression:
        start = self.advance().span
        if self.token.kind == ")":
            self.fail("expected an expression, found ')'")
        parts = self.separated(self.expression, ")")
        if len(parts) == 1:
            return replace(parts[0], span=self.since(start))
        return tree.TupleExpression(tuple(parts), self.since(start))

    def for_(self) -> tree.Expression:
        start = self.advance().span
        index = self.identifier("the name of the loop's index")
        self.expect("in")
        lower = self.sum()
        self.expect("..", "'..' and the loop's upper bound")
        upper = self.sum()
        carry = self.carry()
        body = self.block("for", "yield")
        return tree.For(index, lower, upper, carry, body, self.since(start))

    def while_(self) -> tree.Expression:
        start = self.advance().span
        condition = self.expression()
        carry = self.carry()
        body = self.block("while", "yield")
        return tree.While(condition, carry, body, self.since(start))

    def carry(self) -> tuple[tree.Binding, ...]:
        self.expect("with", "'with' and what the loop carries")
        carry = [self.binding("the name of a carried value")]
        while self.accept(","):
            carry.append(self.binding("the name of a carried value"))
        return tuple(carry)


def _binary(operator: Token, left: tree.Expression, right: tree.Expression) -> tree.Binary:
    return tree.Binary(operator.kind, operator.span, left, right, left.span.to(right.span))


def _shown(kind: str) -> str:
    """A kind of token as a message names it."""
    return {NAME: "a name", INTEGER: "an integer", FLOAT: "a number", STRING: "a string"}.get(
        kind, kind if kind == END else f"'{kind}'"
    )


def _found(token: Token) -> str:
    """A token as a message names it."""
    if token.kind == END:
        return "the end of the file"
    if token.kind == token.text and token.text.isalpha():
        return f"the keyword '{token.text}'"
    return f"'{shortened(token.text)}'"
