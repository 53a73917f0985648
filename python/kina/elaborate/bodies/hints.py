"""What to write instead, where that is known: the ends of messages.

Each function gives `; write ...`, in the program's own words, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kina.dialect.dtypes import ELEMENT_TYPES, Tensor, dtype_name, is_float, type_shape
from kina.elaborate.types.constants import Constant, wider
from kina.elaborate.types.values import BroadcastValue, TensorValue, Value
from kina.elaborate.types.wording import quoted
from kina.sizes import Size
from kina.syntax.source import Span


def stretches(shape: Sequence[Size], target: Sequence[Size]) -> bool:
    """Whether a shape broadcasts to another."""
    pad = len(target) - len(shape)
    return pad >= 0 and all(m in (1, n) for m, n in zip(shape, target[pad:]))


def to_one_dtype(a: tuple[Value, Span], b: tuple[Value, Span]) -> str:
    """How two operands come to one dtype: the narrower is cast."""
    dtypes = [_tensor(value).dtype for value, _ in (a, b)]
    dtype = wider(*dtypes)
    value, span = a if dtypes[0] != dtype else b
    if isinstance(value, BroadcastValue):
        return f"; write broadcast(cast({_inner(span)}, {dtype}))"
    return f"; write cast({quoted(span)}, {dtype})"


def to_one_shape(a: tuple[TensorValue, Span], b: tuple[TensorValue, Span]) -> str:
    """How two operands come to one shape: one is stretched or transposed."""
    for (x, span), (y, _) in ((b, a), (a, b)):
        if stretches(x.shape, y.shape):
            return f"; write broadcast({quoted(span)})"
    for (x, span), (y, _) in ((b, a), (a, b)):
        if _stretches_from_the_left(x, y):
            units = len(y.shape) - len(x.shape)
            return f"; write broadcast({reshaped(x, quoted(span), after=units)})"
    (x, span), (y, _) = b, a
    return f"; write transpose({quoted(span)})" if _is_transposed(x.shape, y.shape) else ""


def to_stretch(x: TensorValue, target: Sequence[Size], span: Span) -> str:
    """How a tensor stretches to a shape: with unit axes, or not at all but the other way round."""
    units = len(target) - len(x.shape)
    if units > 0 and x.shape == tuple(target[: len(x.shape)]):
        return f"; write broadcast({reshaped(x, _inner(span), after=units)}) for the first axes"
    return "; it is the other that stretches" if stretches(target, x.shape) else ""


def to_type(value: Value, span: Span, expected: Tensor, names: Sequence[str]) -> str:
    """How a value becomes one of the type that is expected of it."""
    shape, dtype = type_shape(expected), dtype_name(expected.element_type)
    sizes = "[" + ", ".join(name or str(n) for name, n in zip(names, shape)) + "]"
    text = quoted(span)
    match value:
        case Constant() as constant if _holds(dtype, constant):
            keyword = "" if constant.dtype == dtype else f", dtype={dtype}"
            return f"; write full({sizes}, {text}{keyword})"
        case BroadcastValue(tensor=x) if x.dtype == dtype and stretches(x.shape, shape):
            return f"; write broadcast({_inner(span)}, {sizes})"
        case TensorValue() as x if x.dtype != dtype:
            return f"; write cast({text}, {dtype})" if x.shape == shape else ""
        case TensorValue() as x if _is_transposed(x.shape, shape):
            return f"; write transpose({text})"
        case TensorValue() as x if _without_units(x.shape) == _without_units(shape):
            return f"; write reshape({text}, {sizes})"
        case TensorValue() as x if stretches(x.shape, shape):
            return f"; write broadcast({text}, {sizes})"
    return ""


def to_kind(wanted: str, text: str) -> str:
    """How a tensor becomes one of `floats`, `numbers` or `Bools`."""
    return f"; write {text} != 0" if wanted == "Bools" else f"; write cast({text}, F32)"


def reshaped(x: TensorValue, text: str, before: int = 0, after: int = 0) -> str:
    """A tensor with unit axes around its own."""
    sizes = [name or str(size) for name, size in zip(x.written, x.shape)]
    sizes = [*["1"] * before, *sizes, *["1"] * after]
    return f"reshape({text}, [{', '.join(sizes)}])"


def _inner(span: Span) -> str:
    """What `broadcast(x)` or `broadcast(x, [..])` stretches."""
    stretched = re.fullmatch(r"broadcast\((.+?)(, *\[[^\[\]]*\])?\)", quoted(span))
    return ".." if stretched is None else stretched[1]


def _tensor(value: Value) -> TensorValue:
    tensor = value.tensor if isinstance(value, BroadcastValue) else value
    assert isinstance(tensor, TensorValue)
    return tensor


def _holds(dtype: str, constant: Constant) -> bool:
    """Whether constants of this kind stand for elements of the dtype."""
    if constant.dtype == "Bool" or dtype == "Bool":
        return constant.dtype == dtype
    return constant.is_integer or is_float(ELEMENT_TYPES[dtype])


def _is_transposed(a: Sequence[Size], b: Sequence[Size]) -> bool:
    return len(a) >= 2 and a != b and [*a[:-2], a[-1], a[-2]] == list(b)


def _without_units(shape: Sequence[Size]) -> list[Size]:
    return [size for size in shape if size != 1]


def _stretches_from_the_left(x: TensorValue, y: TensorValue) -> bool:
    return 0 < len(x.shape) < len(y.shape) and x.shape == y.shape[: len(x.shape)]
