"""Numbers known at compile time: literals, dimensions, constants, and arithmetic on them.

A constant has no shape, and a dtype only as long as nothing else asks for another: beside a tensor
it takes the tensor's dtype and shape. Whole numbers are exact and F64 stands for all floats until
the one rounding to the dtype that is asked for, so nothing depends on the machine.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context as DecimalContext
from decimal import Decimal

from kina.sizes import Open, Size, least, most, quotient
from kina.syntax.source import Span, error

FLOAT_DTYPES: Mapping[str, float] = {
    "BF16": float.fromhex("0x1.fep127"),
    "F16": 65504.0,
    "F32": float.fromhex("0x1.fffffep127"),
    "F64": sys.float_info.max,
}
"""The largest finite number of each float dtype; a dtype is wider than those before it."""

INTEGER_DTYPES: Mapping[str, int] = {"I8": 8, "I32": 32, "I64": 64}
"""The bits of each integer dtype, two's complement; a dtype is wider than those before it."""

_WIDTH = {dtype: width for width, dtype in enumerate(["Bool", *INTEGER_DTYPES, *FLOAT_DTYPES])}


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or truth value; `dtype` is what it is where nothing asks for another.

    An open size is a number that only a call knows: as far as arithmetic goes it is known all the same.
    """

    value: int | float | Open
    dtype: str

    @property
    def is_integer(self) -> bool:
        return self.dtype in INTEGER_DTYPES

    @property
    def is_open(self) -> bool:
        return isinstance(self.value, Open)

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOAT_DTYPES

    @property
    def number(self) -> int | float:
        """The value of a constant that is not open."""
        assert not isinstance(self.value, Open)
        return self.value

    def __str__(self) -> str:
        if self.dtype == "Bool":
            return "true" if self.value else "false"
        return str(self.value)


def integer(value: Size) -> Constant:
    return Constant(value, "I64")


def boolean(value: bool) -> Constant:
    return Constant(int(value), "Bool")


def to_dtype(constant: Constant, dtype: str, span: Span) -> int | float:
    """The number that a constant is in a dtype.

    Raises:
        KinaError: the dtype cannot hold it.
    """
    value = constant.number
    if (constant.dtype == "Bool") != (dtype == "Bool"):
        raise error(f"expected {_article(dtype)} {dtype} value, found {constant}", span)
    if dtype in INTEGER_DTYPES:
        if constant.is_float:
            raise error(f"expected {_article(dtype)} {dtype} value, found {constant}", span)
        half = 1 << (INTEGER_DTYPES[dtype] - 1)
        if not -half <= value < half:
            raise error(f"{dtype} holds {-half} to {half - 1}, found {constant}", span)
    elif dtype in FLOAT_DTYPES:
        if math.isfinite(value) and abs(value) > FLOAT_DTYPES[dtype]:
            largest = FLOAT_DTYPES[dtype]
            raise error(f"{dtype} holds {-largest:g} to {largest:g}, found {constant}", span)
        return float(value)
    return value


def arithmetic(
    operator: str, a: Constant, b: Constant, span: Span, in_dimension: bool = False
) -> Constant:
    """`a operator b` for `+ - * / %` and the comparisons.

    The division of whole numbers must come out even, as for the dimensions that they mostly are. Of
    open sizes there are `+ - * /`.

    Raises:
        KinaError: the division does not come out even, the result is out of range, or the operator
            does not take these operands.
    """
    if isinstance(a.value, Open) or isinstance(b.value, Open):
        return integer(_open(operator, a.value, b.value, span))
    if operator in _COMPARISONS:
        if (a.dtype == "Bool") != (b.dtype == "Bool"):
            raise error(f"'{operator}' compares values of one dtype, found {a} and {b}", span)
        return boolean(_COMPARISONS[operator](a.number, b.number))
    for operand in (a, b):
        if operand.dtype == "Bool":
            raise error(f"'{operator}' takes numbers, found {operand}", span)
    if a.is_integer and b.is_integer:
        whole = _whole(operator, int(a.number), int(b.number), span, in_dimension)
        return Constant(whole, wider(a.dtype, b.dtype))
    real = _real(operator, float(a.number), float(b.number), span)
    return Constant(real, wider(a.dtype, b.dtype))


def widest(known: Sequence[Constant], span: Span) -> str:
    """The dtype of constants that have nothing beside them to take one from."""
    if len({constant.dtype == "Bool" for constant in known}) > 1:
        found = " and ".join(str(constant) for constant in known)
        raise error(f"expected values of one dtype, found {found}", span)
    return max((constant.dtype for constant in known), key=_WIDTH.__getitem__)


def negate(constant: Constant, span: Span) -> Constant:
    if constant.dtype == "Bool":
        raise error(f"'-' takes a number, found {constant}", span)
    if isinstance(constant.value, Open):
        return integer(-constant.value)
    if constant.is_integer:
        return Constant(_in_range(-int(constant.value), f"-({constant})", span), constant.dtype)
    return Constant(-constant.value, constant.dtype)


def wider(a: str, b: str) -> str:
    """The dtype of two that holds more."""
    return max(a, b, key=_WIDTH.__getitem__)


def _whole(operator: str, a: int, b: int, span: Span, in_dimension: bool) -> int:
    if operator in ("/", "%") and b == 0:
        raise error(f"{a} {operator} 0 has no value", span)
    if operator == "/":
        if a % b:
            rest = f"{a} / {b} is no whole number"
            raise error(
                f"non-divisible dimension: {rest}"
                if in_dimension
                else f"{rest}; a division of floats is written {a} / {b}.0",
                span,
            )
        return _in_range(a // b, f"{a} / {b}", span)
    if operator == "%":
        return abs(a) % abs(b) * (-1 if a < 0 else 1)
    result = {"+": a + b, "-": a - b, "*": a * b}[operator]
    return _in_range(result, f"{a} {operator} {b}", span)


def is_open_arithmetic(operator: str, a: Constant, b: Constant) -> bool:
    """Whether `arithmetic` takes `a operator b` where one of them is open."""
    return operator in ("+", "-", "*", "/") and a.is_integer and b.is_integer


def _open(operator: str, a: int | float | Open, b: int | float | Open, span: Span) -> Size:
    assert not isinstance(a, float) and not isinstance(b, float)
    if operator == "/":
        divided = quotient(a, b) if b != 0 else None
        if divided is None:
            shown = f"{_operand(a)} / {_operand(b)}"
            raise error(f"{shown} is no whole number for every {_symbols(a, b)}", span)
        return divided
    result = {"+": a + b, "-": a - b, "*": a * b}[operator]
    if least(result) < -(2**63) or most(result) >= 2**63:
        shown = f"{_operand(a)} {operator} {_operand(b)}"
        raise error(f"{shown} is out of the range of I64", span)
    return result


def _operand(size: Size) -> str:
    """A size as an operand of a product or a quotient."""
    return f"({size})" if " " in str(size) else str(size)


def _symbols(*sizes: Size) -> str:
    found = {s for size in sizes if isinstance(size, Open) for s in size.symbols}
    return ", ".join(f"{s.name} in {s.least}..{s.most}" for s in sorted(found))


def _in_range(value: int, shown: str, span: Span) -> int:
    if not -(2**63) <= value < 2**63:
        raise error(f"{shown} is out of the range of I64", span)
    return value


def _real(operator: str, a: float, b: float, span: Span) -> float:
    if operator == "/":
        if b == 0:
            raise error(f"{a} / 0 has no value; write inf or nan where that is meant", span)
        return a / b
    if operator == "%":
        if b == 0 or math.isinf(a):
            raise error(f"{a} % {b} has no value", span)
        return math.fmod(a, b)
    return {"+": a + b, "-": a - b, "*": a * b}[operator]


_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

# Correctly rounded on every machine, which the C library's functions are not.
_DECIMAL = DecimalContext(prec=40)


def _exp(x: float) -> float:
    if abs(x) > 750 or math.isnan(x):
        return 0.0 if x < 0 else x if math.isnan(x) else math.inf
    return float(_DECIMAL.exp(Decimal(x)))


def _log(x: float) -> float:
    return float(_DECIMAL.ln(Decimal(x))) if x > 0 else -math.inf if x == 0 else math.nan


def _sqrt(x: float) -> float:
    return math.sqrt(x) if x >= 0 else math.nan


def _rsqrt(x: float) -> float:
    if x <= 0 or math.isinf(x):
        return 0.0 if x > 0 else math.inf if x == 0 else math.nan
    return float(_DECIMAL.divide(Decimal(1), _DECIMAL.sqrt(Decimal(x))))


FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
}
"""The functions of one number that are computed at compile time where the number is known."""


def apply(function: str, constant: Constant, span: Span) -> Constant:
    """One of `FUNCTIONS` of a constant; a whole number counts as F32."""
    if constant.dtype == "Bool":
        raise error(f"{function} takes a number, found {constant}", span)
    value = FUNCTIONS[function](float(constant.number))
    return Constant(value, constant.dtype if constant.is_float else "F32")


def _article(dtype: str) -> str:
    return "a" if dtype.startswith("B") else "an"
