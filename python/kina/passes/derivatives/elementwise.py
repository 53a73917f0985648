"""Operations that act on each element by itself: a formula for each operand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi, sqrt
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.passes.derivatives.backward import Backward, Rule, Rules, Term

_Unary: TypeAlias = Callable[[Term, Term, Term], Term]
"""From the cotangent of `y = f(x)`, x and y to that of x."""

_Binary: TypeAlias = Callable[[Term, Term, Term, Term], tuple[Term, Term]]
"""From the cotangent of `y = f(a, b)`, a, b and y to those of a and b."""


def _abs(g: Term, x: Term, y: Term) -> Term:
    return (-g).where(x.is_("lt", 0), g.where(x.is_("ne", 0), 0))


_UNARY: Mapping[type[Operation], _Unary] = {
    kina.NegOp: lambda g, x, y: -g,
    kina.AbsOp: _abs,
    kina.ExpOp: lambda g, x, y: g * y,
    kina.LogOp: lambda g, x, y: g / x,
    kina.SqrtOp: lambda g, x, y: g / (y + y),
    kina.RsqrtOp: lambda g, x, y: g * -0.5 * y / x,
    kina.TanhOp: lambda g, x, y: g * (1 - y * y),
    kina.SigmoidOp: lambda g, x, y: g * y * (1 - y),
    kina.SinOp: lambda g, x, y: g * x.of(kina.CosOp),
    kina.CosOp: lambda g, x, y: -(g * x.of(kina.SinOp)),
    kina.ErfOp: lambda g, x, y: g * (2 / sqrt(pi)) * (-(x * x)).of(kina.ExpOp),
}


def _div(g: Term, a: Term, b: Term, y: Term) -> tuple[Term, Term]:
    by_a = g / b
    return by_a, -(by_a * y)


def _rem(g: Term, a: Term, b: Term, y: Term) -> tuple[Term, Term]:
    """`a % b` is `a - b * n` with a whole n, which steps but has no slope."""
    return g, -(g * ((a - y) / b))


def _pow(g: Term, a: Term, b: Term, y: Term) -> tuple[Term, Term]:
    """A constant where b is 0, whatever a is; and where a is 0, for every b above 0."""
    by_a = g * b * a.of(kina.PowOp, b - 1)
    base = a.where(a.is_("ne", 0), 1)
    return by_a.where(b.is_("ne", 0), 0), g * y * base.of(kina.LogOp)


def _larger(g: Term, a: Term, b: Term, y: Term) -> tuple[Term, Term]:
    return _chosen(g, a, a.is_("ge", b))


def _smaller(g: Term, a: Term, b: Term, y: Term) -> tuple[Term, Term]:
    return _chosen(g, a, a.is_("le", b))


def _chosen(g: Term, a: Term, wins: SSAValue) -> tuple[Term, Term]:
    """All to one of two: to the first at a tie, and where it is NaN, as argmax counts."""
    first = g.back.emit(kina.OrOp(wins, a.is_("ne", a)))
    return g.where(first, 0), g.term(0).where(first, g)


_BINARY: Mapping[type[Operation], _Binary] = {
    kina.AddOp: lambda g, a, b, y: (g, g),
    kina.SubOp: lambda g, a, b, y: (g, -g),
    kina.MulOp: lambda g, a, b, y: (g * b, g * a),
    kina.DivOp: _div,
    kina.RemOp: _rem,
    kina.PowOp: _pow,
    kina.MaxOp: _larger,
    kina.MinOp: _smaller,
}


def _unary(formula: _Unary) -> Rule:
    def rule(back: Backward, op: kina.UnaryOp, g: SSAValue) -> None:
        x = formula(back.term(g), back.term(op.operand), back.term(op.result))
        back.give(op.operand, x.value)

    return rule


def _binary(formula: _Binary) -> Rule:
    def rule(back: Backward, op: kina.BinaryOp, g: SSAValue) -> None:
        terms = (back.term(value) for value in (g, op.lhs, op.rhs, op.result))
        a, b = formula(*terms)
        back.give(op.lhs, a.value)
        back.give(op.rhs, b.value)

    return rule


def _select(back: Backward, op: kina.SelectOp, g: SSAValue) -> None:
    zero = back.zeros(g)
    back.give(op.lhs, back.where(op.condition, g, zero))
    back.give(op.rhs, back.where(op.condition, zero, g))


def _cast(back: Backward, op: kina.CastOp, g: SSAValue) -> None:
    """Between floats; the rounding counts as none."""
    back.give(op.operand, back.emit(kina.CastOp(g, tensor_of(op.operand).element_type)))


def _none(back: Backward, op: kina.UnaryOp, g: SSAValue) -> None:
    """A function that steps has no slope: of what jumps too, nothing flows back."""


RULES: Rules = {
    **{
        kind: _none for kind in (kina.FloorOp, kina.CeilOp, kina.RoundOp, kina.TruncOp, kina.SignOp)
    },
    **{kind: _unary(formula) for kind, formula in _UNARY.items()},
    **{kind: _binary(formula) for kind, formula in _BINARY.items()},
    kina.SelectOp: _select,
    kina.CastOp: _cast,
}
