"""How operations are called: what shows of a call before any value is known."""

from __future__ import annotations

from typing import Protocol

from kina.elaborate.names.suggest import did_you_mean
from kina.syntax import tree
from kina.syntax.source import KinaError, error


class Form(Protocol):
    """How an operation is called."""

    @property
    def name(self) -> str: ...

    @property
    def usage(self) -> str:
        """How a call looks, shown where one looks otherwise."""

    @property
    def least(self) -> int:
        """How many operands at least."""

    @property
    def most(self) -> int | None:
        """How many operands at most; None for any number."""

    @property
    def keywords(self) -> tuple[str, ...]: ...

    @property
    def required(self) -> tuple[str, ...]:
        """The keywords that every call gives."""


def check_call(form: Form, call: tree.Call) -> KinaError | None:
    """What is wrong about the form of a call, before any value is known."""
    positional = [argument for argument in call.arguments if argument.keyword is None]
    given: set[str] = set()
    if call.dims:
        name = call.dims[0].name
        return error(f"{form.name} is an operation and takes no dimensions", name.span)
    if call.rest:
        return error("'...' stands for arguments of a function", call.span)
    for argument in call.arguments:
        if argument.keyword is None:
            if given:
                message = "operands come before keywords"
                return error(f"{message}: {form.usage}", argument.span)
            continue
        keyword = argument.keyword.text
        if keyword not in form.keywords:
            hint = did_you_mean(keyword, form.keywords)
            message = f"{form.name} has no keyword '{keyword}'{hint}"
            return error(f"{message}; it is called {form.usage}", argument.keyword.span)
        if keyword in given:
            return error(f"'{keyword}' is given twice", argument.keyword.span)
        given.add(keyword)
    found = len(positional)
    if found < form.least or (form.most is not None and found > form.most):
        expected = _count(form.least, form.most)
        return error(f"{form.name} takes {expected}, found {found}: {form.usage}", call.span)
    missing = [keyword for keyword in form.required if keyword not in given]
    if missing:
        return error(f"{form.name} needs {missing[0]}=: {form.usage}", call.span)
    return None


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} operand{'s' if least != 1 else ''}"
    if least == most:
        return f"{least} operand{'s' if least != 1 else ''}"
    return f"{least} to {most} operands"
