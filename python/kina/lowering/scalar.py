"""Straight-line code on scalars, written as Python arithmetic.

A `Scalar` is an SSA value and the place where the next operation goes. Its operators append `arith`
operations, so that a formula in Python reads like the formula that it emits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from kina.dialect.dtypes import is_float
from kina.sizes import Open, Size, symbol

SUM = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""A sum whose order is the compiler's to choose: fixed for one compiler, not for all."""
PRODUCT = arith.FastMathFlagsAttr([FastMathFlag.REASSOC, FastMathFlag.ALLOW_CONTRACT])
"""A sum of products, whose order and fusing are the compiler's to choose."""
INDEX = IndexType()

_Definition = Callable[..., "Scalar"]


@dataclass
class Library:
    """The private functions that the code calls, each defined once, by name."""

    functions: dict[str, func.FuncOp] = field(default_factory=dict)

    def request(self, name: str, define: _Definition, types: list[Attribute]) -> func.FuncOp:
        """The function of this name, made by `define` from its arguments at the first request."""
        known = self.functions.get(name)
        if known is None:
            block = Block(arg_types=types)
            code = Code(Builder(InsertPoint.at_end(block)), self)
            result = define(*(code.scalar(argument) for argument in block.args))
            block.add_op(func.ReturnOp(result.value))
            signature = (types, [result.type])
            known = func.FuncOp(name, signature, Region(block), visibility="private")
            self.functions[name] = known
        return known

    def sorted(self) -> list[func.FuncOp]:
        """All functions by name: an order that does not depend on the order of requests."""
        return [function for _, function in sorted(self.functions.items())]


@dataclass
class Code:
    """Where scalar operations go; each constant is written once."""

    builder: Builder
    library: Library
    constants: dict[tuple[Attribute, str], SSAValue] = field(default_factory=dict)
    hoisted: Builder | None = None
    """Where constants go, ahead of all code; None: they go where the code goes."""

    def scalar(self, value: SSAValue) -> Scalar:
        return Scalar(value, self)

    def insert(self, operation: Operation) -> Scalar:
        """Appends an operation of one result."""
        self.builder.insert(operation)
        return Scalar(operation.results[0], self)

    def constant(self, number: float, type_: Attribute) -> Scalar:
        key = (type_, repr(float(number) if is_float(type_) else int(number)))
        if key not in self.constants:
            operation = arith.ConstantOp(constant_attribute(number, type_))
            (self.hoisted or self.builder).insert(operation)
            self.constants[key] = operation.result
        return Scalar(self.constants[key], self)

    def ahead(self) -> Code:
        """The same, where the constants go."""
        return replace(self, builder=self.hoisted or self.builder)

    def call(self, name: str, define: _Definition, *arguments: Scalar) -> Scalar:
        """Calls the library function of this name, which `define` writes when it is new."""
        function = self.library.request(name, define, [a.type for a in arguments])
        values = [a.value for a in arguments]
        return self.insert(func.CallOp(name, values, list(function.function_type.outputs)))


def constant_attribute(
    number: float, type_: Attribute
) -> FloatAttr[Any] | IntegerAttr[IntegerType | IndexType]:
    """The attribute of this number; integers wrap to the type's width."""
    if is_float(type_):
        return FloatAttr(float(number), cast(AnyFloat, type_))
    if isinstance(type_, IndexType):
        return IntegerAttr(int(number), type_)
    assert isinstance(type_, IntegerType)
    width = type_.width.data
    wrapped = int(number) & ((1 << width) - 1)
    if width > 1 and wrapped >> (width - 1):
        wrapped -= 1 << width
    return IntegerAttr(wrapped, type_)


@dataclass(frozen=True)
class Scalar:
    """A value in the making; Python numbers beside it become constants of its type."""

    value: SSAValue
    code: Code

    @property
    def type(self) -> Attribute:
        return self.value.type

    @property
    def is_float(self) -> bool:
        return is_float(self.type)

    @property
    def width(self) -> int:
        """Bits of a float or integer."""
        if isinstance(self.type, IntegerType):
            return int(self.type.width.data)
        if isinstance(self.type, Float64Type):
            return 64
        return 32 if isinstance(self.type, Float32Type) else 16

    @property
    def known(self) -> int | float | None:
        """The number that a constant is; None for what only the run will tell."""
        operation = self.value.owner
        if not isinstance(operation, arith.ConstantOp):
            return None
        assert isinstance(operation.value, FloatAttr | IntegerAttr)
        return operation.value.value.data

    def like(self, number: Scalar | float) -> Scalar:
        """The number as a constant of this type; a scalar as it is."""
        return number if isinstance(number, Scalar) else self.code.constant(number, self.type)

    def _emit(self, operation: Callable[..., Operation], *operands: Scalar | float) -> Scalar:
        values = [self.like(operand).value for operand in (self, *operands)]
        return self.code.insert(operation(*values))

    def __add__(self, other: Scalar | float) -> Scalar:
        return self._emit(arith.AddfOp if self.is_float else arith.AddiOp, other)

    def __sub__(self, other: Scalar | float) -> Scalar:
        return self._emit(arith.SubfOp if self.is_float else arith.SubiOp, other)

    def __rsub__(self, other: float) -> Scalar:
        return self.like(other) - self

    def __mul__(self, other: Scalar | float) -> Scalar:
        return self._emit(arith.MulfOp if self.is_float else arith.MuliOp, other)

    def __truediv__(self, other: Scalar | float) -> Scalar:
        return self._emit(arith.DivfOp if self.is_float else arith.DivSIOp, other)

    def __rtruediv__(self, other: float) -> Scalar:
        return self.like(other) / self

    def __mod__(self, other: Scalar | float) -> Scalar:
        """Of integers."""
        return self._emit(arith.RemSIOp, other)

    def __neg__(self) -> Scalar:
        return self._emit(arith.NegfOp) if self.is_float else self.like(0) - self

    def __and__(self, other: Scalar | int) -> Scalar:
        return self._emit(arith.AndIOp, other)

    def __or__(self, other: Scalar | int) -> Scalar:
        return self._emit(arith.OrIOp, other)

    def __xor__(self, other: Scalar | int) -> Scalar:
        return self._emit(arith.XOrIOp, other)

    def __lshift__(self, other: Scalar | int) -> Scalar:
        return self._emit(arith.ShLIOp, other)

    def __rshift__(self, other: Scalar | int) -> Scalar:
        """Shifts the sign in."""
        return self._emit(arith.ShRSIOp, other)

    def times_extended(self, other: Scalar) -> tuple[Scalar, Scalar]:
        """The low and the high half of an unsigned product."""
        operation = arith.MulUIExtendedOp(self.value, other.value)
        low = self.code.insert(operation)
        return low, self.code.scalar(operation.high)

    def compare_unsigned(self, predicate: str, other: Scalar) -> Scalar:
        """An i1: lt, le, gt, ge of integers without a sign."""
        return self.code.insert(arith.CmpiOp(self.value, other.value, "u" + predicate))

    def shift_right_unsigned(self, other: Scalar | int) -> Scalar:
        return self._emit(arith.ShRUIOp, other)

    def plus(self, other: Scalar, flags: arith.FastMathFlagsAttr) -> Scalar:
        """The sum with fast-math flags; integers have none."""
        if not self.is_float:
            return self + other
        return self.code.insert(arith.AddfOp(self.value, other.value, flags))

    def times(self, other: Scalar, flags: arith.FastMathFlagsAttr) -> Scalar:
        """The product with fast-math flags; integers have none."""
        if not self.is_float:
            return self * other
        return self.code.insert(arith.MulfOp(self.value, other.value, flags))

    def fma(self, factor: Scalar | float, addend: Scalar | float) -> Scalar:
        """`self * factor + addend`, rounded once."""
        return self._emit(math.FmaOp, factor, addend)

    def compare(self, predicate: str, other: Scalar | float) -> Scalar:
        """An i1. Predicates: eq ne lt le gt ge; at a NaN only `ne` holds. Bools order as 0 < 1."""
        right = self.like(other)
        if self.is_float:
            name = "une" if predicate == "ne" else "o" + predicate
            return self.code.insert(arith.CmpfOp(self.value, right.value, name))
        sign = "" if predicate in ("eq", "ne") else "u" if self.type == i1 else "s"
        return self.code.insert(arith.CmpiOp(self.value, right.value, sign + predicate))

    def is_nan(self) -> Scalar:
        return self.code.insert(arith.CmpfOp(self.value, self.value, "uno"))

    def select(self, then: Scalar | float, otherwise: Scalar | float) -> Scalar:
        """`self ? then : otherwise` for an i1; at least one of the two is a scalar."""
        typed = then if isinstance(then, Scalar) else otherwise
        assert isinstance(typed, Scalar)
        values = (self.value, typed.like(then).value, typed.like(otherwise).value)
        return self.code.insert(arith.SelectOp(*values))

    def maximum(self, other: Scalar | float) -> Scalar:
        """The larger; NaN where either is NaN."""
        return self._emit(arith.MaximumfOp if self.is_float else arith.MaxSIOp, other)

    def minimum(self, other: Scalar | float) -> Scalar:
        """The smaller; NaN where either is NaN."""
        return self._emit(arith.MinimumfOp if self.is_float else arith.MinSIOp, other)

    def absolute(self) -> Scalar:
        """The magnitude; the least integer stays itself."""
        if self.is_float:
            return self._emit(math.AbsFOp)
        return self.compare("lt", 0).select(0 - self, self)

    def floor(self) -> Scalar:
        return self._emit(math.FloorOp)

    def sqrt(self) -> Scalar:
        return self._emit(math.SqrtOp)

    def copysign(self, sign: Scalar) -> Scalar:
        return self._emit(math.CopySignOp, sign)

    def bits(self, type_: Attribute) -> Scalar:
        """The same bits as another type of the same width."""
        return self.code.insert(arith.BitcastOp(self.value, type_))

    def extend(self, type_: Attribute) -> Scalar:
        """A wider float or signed integer of the same value; itself if it is of that type."""
        if self.type == type_:
            return self
        wider = arith.ExtFOp if self.is_float else arith.ExtSIOp
        return self.code.insert(wider(self.value, cast(Any, type_)))

    def extend_unsigned(self, type_: Attribute) -> Scalar:
        return self.code.insert(arith.ExtUIOp(self.value, cast(IntegerType, type_)))

    def truncate(self, type_: Attribute) -> Scalar:
        """A narrower float (rounded to nearest even) or integer (the low bits)."""
        narrower = arith.TruncFOp if self.is_float else arith.TruncIOp
        return self.code.insert(narrower(self.value, cast(Any, type_)))

    def to_float(self, type_: Attribute) -> Scalar:
        """The nearest float of a signed integer, or of a Bool."""
        convert = arith.UIToFPOp if self.type == i1 else arith.SIToFPOp
        return self.code.insert(convert(self.value, cast(AnyFloat, type_)))

    def to_integer(self, type_: Attribute) -> Scalar:
        """Toward zero; undefined outside of the integer's range."""
        return self.code.insert(arith.FPToSIOp(self.value, cast(IntegerType, type_)))

    def index_cast(self, type_: Attribute) -> Scalar:
        """Between `index` and a signed integer; itself if it is of that type."""
        if self.type == type_:
            return self
        return self.code.insert(arith.IndexCastOp(self.value, type_))


def polynomial(code: Code, size: Open, known: Mapping[Size, SSAValue]) -> Scalar:
    """An open size as an `index`, where its symbols are known."""
    total = code.constant(0, INDEX)
    for factor, product in size.terms:
        term = code.constant(int(factor), INDEX)
        for s in product:
            value = code.scalar(known[symbol(s.name, s.least, s.most)])
            term = value if term.known == 1 else term * value
        total = term if total.known == 0 else total + term
    return total


def is_half(type_: Attribute) -> bool:
    """True for the floats of 16 bits."""
    return is_float(type_) and not isinstance(type_, Float32Type | Float64Type)
