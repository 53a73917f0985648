"""One operation of the dialect with operands, and how near to its value an implementation must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from kina.dialect.dtypes import ELEMENT_TYPES, tensor
from support.values import LEAST_EXPONENT, SIGNIFICAND_BITS, Array, dtype_name

Build: TypeAlias = Callable[[Sequence[SSAValue]], Operation]


@dataclass(frozen=True)
class Tolerance:
    """`|actual - expected| <= ulps * (unit in the last place of expected) + absolute`."""

    ulps: float = 0.0
    absolute: float = 0.0
    either_zero: bool = True
    """A zero may have either sign."""


EXACT = Tolerance(either_zero=False)
VALUE = Tolerance()


@dataclass(frozen=True)
class Case:
    """An operation, built on values of the types of `operands`."""

    name: str
    operands: tuple[Array, ...]
    build: Build
    tolerance: Tolerance = EXACT

    def __str__(self) -> str:
        return self.name


def applied(op: Callable[..., Operation], *attributes: object) -> Build:
    """Builds `op` on the operands one by one, then its attributes."""
    return lambda operands: op(*operands, *attributes)


def applied_to_list(op: Callable[..., Operation], *attributes: object) -> Build:
    """Builds `op` on the operands as one list, then its attributes."""
    return lambda operands: op(operands, *attributes)


def module_of(case: Case, function: str = "f") -> ModuleOp:
    """A dialect module whose one function applies the case's operation to its arguments."""
    types = [tensor(ELEMENT_TYPES[dtype_name(x.dtype)], x.shape) for x in case.operands]
    block = Block(arg_types=types)
    op = case.build(block.args)
    block.add_ops([op, func.ReturnOp(*op.results)])
    signature = (types, [result.type for result in op.results])
    return ModuleOp([func.FuncOp(function, signature, Region(block))])


def disagreement(actual: Array, expected: Array, tolerance: Tolerance) -> str | None:
    """What is wrong with `actual`, or None.

    Dtype and shape must be equal, NaN stand at the same places (with any payload), infinities and
    all but zeros agree in sign.
    """
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return f"{actual.dtype}{actual.shape} where {expected.dtype}{expected.shape} is expected"
    good = _agreeing(actual, expected, tolerance)
    if good.all():
        return None
    place = tuple(int(i) for i in np.argwhere(~good)[0])
    wrong = int((~good).sum())
    return f"{wrong} of {good.size} differ; at {place}: {actual[place]!r}, not {expected[place]!r}"


def _agreeing(actual: Array, expected: Array, tolerance: Tolerance) -> Array:
    name = dtype_name(expected.dtype)
    if name not in SIGNIFICAND_BITS:
        return np.asarray(actual == expected)
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    _, exponent = np.frexp(np.where(np.isfinite(e), e, 0.0))
    least = LEAST_EXPONENT[name]
    unit = np.ldexp(1.0, np.maximum(exponent - SIGNIFICAND_BITS[name], least))
    with np.errstate(all="ignore"):
        near = np.abs(a - e) <= tolerance.ulps * unit + tolerance.absolute
    zeros = (a == 0) & (e == 0) & (np.signbit(a) != np.signbit(e))
    good = ((a == e) | near) & ~(zeros & (not tolerance.either_zero))
    return np.asarray(good | (np.isnan(a) & np.isnan(e)))


def epsilon(name: str) -> float:
    """The distance from 1 to the next larger value of a float dtype."""
    return 2.0 ** (1 - SIGNIFICAND_BITS[name])
