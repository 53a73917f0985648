"""How random programs come to each operation: one builder each, in the table at the end.

A builder takes its operands from a scope and writes a line that applies the operation to them. A new
operation or construct is one more builder in the table; test_programs.py says which are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from writing import MOST_AXES, SIZES, Scope, Type, Value, body, needed

from support.values import ALL, FLOATS, NUMBERS

Builder: TypeAlias = Callable[[Scope], object]
"""Writes lines; none where the operands that it drew do not fit."""


# Elementwise.


def unary(form: str, dtypes: Sequence[str], w: Scope) -> None:
    x = w.operand(dtypes)
    w.let(x.type, form.format(x), x)


def test(form: str, w: Scope) -> None:
    x = w.operand(FLOATS)
    w.let(Type("Bool", x.type.shape), form.format(x), x)


def binary(form: str, dtypes: Sequence[str], w: Scope) -> None:
    x = w.operand(dtypes)
    w.let(x.type, *_beside(w, form, x))


def compare(w: Scope) -> None:
    x = w.operand()
    predicate = w.one_of(["==", "!=", "<", "<=", ">", ">="])
    w.let(Type("Bool", x.type.shape), *_beside(w, "{} " + predicate + " {}", x))


def _beside(w: Scope, form: str, x: Value) -> tuple[str, *tuple[Value, ...]]:
    """The form of x and something beside it: as large, stretched to it, or a constant."""
    uses: tuple[Value, ...] = (x,)
    match w.number(0, 3):
        case 0 | 1:
            y = w.of_type(x.type)
            return form.format(x, y), x, y
        case 2:
            y = w.of_type(_smaller(w, x.type))
            other, uses = f"broadcast({y})", (x, y)
        case _:
            other = w.literal(x.type.dtype)
    return (form.format(other, x) if w.chance(2) else form.format(x, other)), *uses


def _smaller(w: Scope, type_: Type) -> Type:
    """A type that broadcasts to this one."""
    sizes = [1 if w.chance(3) else n for n in type_.shape]
    return Type(type_.dtype, tuple(sizes[w.number(0, len(sizes)) :]))


def select(w: Scope) -> None:
    a = w.operand()
    condition = w.of_type(Type("Bool", a.type.shape))
    text, *uses = _beside(w, "{}, {}", a)
    w.let(a.type, f"select({condition}, {text})", condition, *uses)


def cast(w: Scope) -> None:
    x, dtype = w.operand(), w.dtype()
    w.let(Type(dtype, x.type.shape), f"cast({x}, {dtype})", x)


# Products and sums.


def matmul(w: Scope) -> None:
    a = w.operand(FLOATS, 2)
    *batch, m, k = a.type.shape
    n = w.one_of(SIZES)
    others = [1 if w.chance(3) else w.one_of(SIZES) if size == 1 else size for size in batch]
    dropped = w.number(0, len(others)) if w.chance(4) else 0
    turned = w.chance(3)
    sizes = (*others[dropped:], *((n, k) if turned else (k, n)))
    both = [max(s, t) for s, t in zip(batch, others)] if not dropped else None
    result = Type(a.type.dtype, (*(both or _stretched(batch, others[dropped:])), m, n))
    if result.is_small and Type(a.type.dtype, sizes).is_small:
        b = w.of_type(Type(a.type.dtype, sizes))
        right = f"transpose({b})" if turned else f"{b}"
        if dropped and w.chance(2):
            right = f"broadcast({w.let(Type(b.type.dtype, (*sizes[:-2], k, n)), right, b)})"
            b = w.values[-1]
        w.let(result, f"{a} @ {right}", a, b)


def _stretched(left: Sequence[int], right: Sequence[int]) -> list[int]:
    padded = [1] * (len(left) - len(right)) + list(right)
    return [max(m, n) for m, n in zip(left, padded)]


def reduce(name: str, dtypes: Sequence[str], w: Scope) -> None:
    x = w.operand(dtypes, 1)
    rank = len(x.type.shape)
    axes = [axis for axis in range(rank) if w.chance(2)] or [w.number(0, rank - 1)]
    keepdims = w.chance(3)
    shape = x.type.shape
    kept = [
        1 if axis in axes else n for axis, n in enumerate(shape) if keepdims or axis not in axes
    ]
    shown = [str(_signed(w, axis, rank)) for axis in axes]
    axis = shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
    keyword = ", keepdims=true" if keepdims else ""
    result = Type(x.type.dtype, tuple(kept))
    w.let(result, f"{name}({x}, axis={axis}{keyword})", x)


def _signed(w: Scope, axis: int, rank: int) -> int:
    """An axis, at times counted from the last."""
    return axis - rank if w.chance(3) else axis


def softmax(w: Scope) -> None:
    x = w.operand(FLOATS, 1)
    axis = w.number(0, len(x.type.shape) - 1)
    w.let(x.type, f"softmax({x}, axis={_signed(w, axis, len(x.type.shape))})", x)


def argmax(w: Scope) -> None:
    x = w.operand(NUMBERS, 1)
    axis = w.number(0, len(x.type.shape) - 1)
    rest = x.type.shape[:axis] + x.type.shape[axis + 1 :]
    w.let(Type("I64", rest), f"argmax({x}, axis={_signed(w, axis, len(x.type.shape))})", x)


def top_k(w: Scope) -> None:
    x = w.operand(NUMBERS, 1)
    axis = w.number(0, len(x.type.shape) - 1)
    k = w.number(1, min(x.type.shape[axis], 5))
    shape = (*x.type.shape[:axis], k, *x.type.shape[axis + 1 :])
    text = f"top_k({x}, k={w.size(k)}, axis={_signed(w, axis, len(shape))})"
    w.lets([Type(x.type.dtype, shape), Type("I64", shape)], text, x)


# Shapes.


def reshape(w: Scope) -> None:
    x = w.operand()
    sizes = list(x.type.shape)
    for _ in range(w.number(1, 2)):
        axis = w.number(0, len(sizes))
        match w.number(0, 2):
            case 0 if len(sizes) < MOST_AXES:
                sizes.insert(axis, 1)
            case 1 if 1 in sizes:
                sizes.remove(1)
            case 2 if axis + 2 <= len(sizes):
                sizes[axis : axis + 2] = [sizes[axis] * sizes[axis + 1]]
            case _ if axis < len(sizes) and sizes[axis] % 2 == 0:
                sizes[axis : axis + 1] = [2, sizes[axis] // 2]
    w.let(Type(x.type.dtype, tuple(sizes)), f"reshape({x}, {w.sizes(sizes)})", x)


def transpose(w: Scope) -> None:
    x = w.operand()
    rank = len(x.type.shape)
    perm = [*range(rank - 2), rank - 1, rank - 2]
    text = f"transpose({x})"
    if rank < 2 or w.chance(2):
        left = list(range(rank))
        perm = [left.pop(w.number(0, len(left) - 1)) for _ in range(rank)]
        text = f"transpose({x}, perm=[{', '.join(map(str, perm))}])"
    w.let(Type(x.type.dtype, tuple(x.type.shape[axis] for axis in perm)), text, x)


def broadcast(w: Scope) -> None:
    result = w.type()
    x = w.of_type(_smaller(w, result))
    w.let(result, f"broadcast({x}, {w.sizes(result.shape)})", x)


def concat(w: Scope) -> None:
    x = w.operand(ALL, 1)
    axis = w.number(0, len(x.type.shape) - 1)
    parts = [x]
    for _ in range(w.number(0, 2)):
        sizes = list(x.type.shape)
        if w.chance(2):
            sizes[axis] = w.one_of(SIZES[:6])
        if Type(x.type.dtype, tuple(sizes)).is_small:
            parts.append(w.of_type(Type(x.type.dtype, tuple(sizes))))
    sizes = list(x.type.shape)
    sizes[axis] = sum(part.type.shape[axis] for part in parts)
    if Type(x.type.dtype, tuple(sizes)).is_small:
        shown = _signed(w, axis, len(sizes))
        text = f"concat({', '.join(map(str, parts))}, axis={shown})"
        w.let(Type(x.type.dtype, tuple(sizes)), text, *parts)


def pad(w: Scope) -> None:
    x = w.operand()
    low = [w.number(0, 2) for _ in x.type.shape]
    high = [w.number(0, 2) for _ in x.type.shape]
    result = Type(x.type.dtype, tuple(map(sum, zip(low, x.type.shape, high))))
    if result.is_small:
        value, uses = _scalar(w, x.type.dtype)
        keyword = f", value={value}" if w.chance(2) else ""
        uses = uses if keyword else ()
        w.let(result, f"pad({x}, low={low}, high={high}{keyword})", x, *uses)


def _scalar(w: Scope, dtype: str) -> tuple[str, tuple[Value, ...]]:
    """A constant, or a scalar of the program."""
    if w.chance(2):
        value = w.of_type(Type(dtype))
        return str(value), (value,)
    return w.literal(dtype), ()


# Indices.


def slice_(w: Scope) -> None:
    x = w.operand()
    sizes = _part(w, x.type.shape)
    at, uses = w.indices([n - m for n, m in zip(x.type.shape, sizes)])
    result = Type(x.type.dtype, sizes)
    w.let(result, f"slice({x}, at={at}, size={w.sizes(sizes)})", x, *uses)


def _part(w: Scope, shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(w.number(1, n) for n in shape)


def element(w: Scope) -> None:
    x = w.operand(ALL, 1)
    count = w.number(1, len(x.type.shape))
    at, uses = w.indices([n - 1 for n in x.type.shape[:count]])
    w.let(Type(x.type.dtype, x.type.shape[count:]), f"{x}{at}", x, *uses)


def update(w: Scope) -> None:
    updated(w, w.operand())


def updated(w: Scope, x: Value) -> Value:
    """x with a block written somewhere."""
    block = w.of_type(Type(x.type.dtype, _part(w, x.type.shape)))
    at, uses = w.indices([n - m for n, m in zip(x.type.shape, block.type.shape)])
    return w.let(x.type, f"update({x}, {block}, at={at})", x, block, *uses)


def gather(w: Scope) -> None:
    table, ids = w.operand(ALL, 1), w.operand(("I64", "I32"), 0, 3)
    result = Type(table.type.dtype, (*ids.type.shape, *table.type.shape[1:]))
    if result.is_small:
        w.let(result, f"gather({table}, {ids})", table, ids)


# From nothing.


def iota(w: Scope) -> None:
    shape = w.shape(1)
    axis = _signed(w, w.number(0, len(shape) - 1), len(shape))
    dtype = w.dtype(NUMBERS) if w.chance(2) else "I64"
    keyword = f", dtype={dtype}" if dtype != "I64" else ""
    w.let(Type(dtype, shape), f"iota({w.sizes(shape)}, axis={axis}{keyword})")


def full(w: Scope) -> None:
    type_ = w.type()
    value, uses = _scalar(w, type_.dtype)
    text = f"full({w.sizes(type_.shape)}, {value}, dtype={type_.dtype})"
    w.let(type_, text, *uses)


# Constructs.


def loop(w: Scope) -> None:
    """A loop over up to three carries, whose next values are anything of their types."""
    if w.depth < 2:
        looped(w, [w.operand() for _ in range(w.number(1, 3))], _next)


def looped(
    w: Scope, initial: Sequence[Value], following: Callable[[Scope, Value], Value]
) -> Sequence[Value]:
    """A loop over these carries; `following` makes, inside, the next value of each."""
    (lower, lower_uses), (upper, upper_uses) = _bound(w), _bound(w)
    index = Value(Type("I64"), w.file.fresh("i"))
    carry = [Value(value.type, w.file.fresh("carry")) for value in initial]
    inner = _inside(w, [index, *carry])
    yielded = [following(inner, value) for value in carry]
    head = f"for {index} in {lower}..{upper} with {_bindings(carry, initial)}"
    uses = {*initial, *lower_uses, *upper_uses}
    return _repeated(w, head, inner, yielded, uses)


def while_(w: Scope) -> None:
    """A loop that ends after a few iterations, or as soon as something else holds no more."""
    if w.depth == 2:
        return
    initial = [w.operand() for _ in range(w.number(1, 2))]
    also = w.of_type(Type("Bool")) if w.chance(3) else None
    count = Value(Type("I64"), w.file.fresh("n"))
    carry = [Value(value.type, w.file.fresh("carry")) for value in initial]
    inner = _inside(w, [count, *carry])
    yielded = [inner.let(count.type, f"{count} + 1", count)]
    yielded += [_next(inner, value) for value in carry]
    condition = f"{count} < {w.size(w.number(0, 3))}"
    condition = condition if also is None else f"and({condition}, {also})"
    head = f"while {condition} with {count} = 0, {_bindings(carry, initial)}"
    _repeated(w, head, inner, yielded, {*initial, *([also] if also else [])})


def _inside(w: Scope, names: Sequence[Value]) -> Scope:
    """The body of a loop that has these names of its own."""
    inner = replace(w, values=[*w.values, *names], lines=[], depth=w.depth + 1)
    write(inner, 1, 4)
    return inner


def _bindings(names: Sequence[Value], values: Sequence[Value]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(names, values))


def _repeated(
    w: Scope, head: str, inner: Scope, yielded: Sequence[Value], uses: set[Value]
) -> Sequence[Value]:
    """The line of a loop, which defines its results."""
    text = f"{head} {{\n{body(inner.lines, yielded, 'yield')}\n}}"
    # The body's own values are among them, which no line outside defines.
    uses = uses | needed(inner.lines, yielded)
    return w.lets([value.type for value in yielded], text, *uses)


def _bound(w: Scope) -> tuple[str, tuple[Value, ...]]:
    """A bound of a loop that makes few iterations."""
    if w.chance(3):
        value = w.of_type(Type("I64"))
        return f"max(min({value}, 3), -1)", (value,)
    return w.size(w.number(0, 3)), ()


def _next(w: Scope, carry: Value) -> Value:
    if w.chance(3):
        return updated(w, carry)
    return w.of_type(carry.type)


def call(w: Scope) -> None:
    """A call of a new function, its dimensions given or found."""
    if w.depth == 2:
        return
    name = w.file.fresh("g")
    dims = {w.file.fresh("S"): w.one_of(SIZES) for _ in range(w.number(0, 2))}
    parameters: dict[Value, tuple[str, Value]] = {}

    def parameter(type_: Type) -> Value:
        value = Value(type_, w.file.fresh("p"))
        parameters[value] = (inner.typed(type_), w.of_type(type_))
        return value

    def whole() -> Value:
        known = [value for value in parameters if value.type.dtype == "Whole"]
        value = known[0] if known else Value(Type("Whole"), w.file.fresh("p"))
        parameters[value] = ("Whole", w.whole())
        return value

    known = {**w.file.dims, **dims}
    inner = Scope(w.draw, w.file, parameter, whole, known, depth=w.depth + 1)
    write(inner, 1, 5)
    results = returned(inner, 1, 2)
    if not results:
        return
    used = needed(inner.lines, results)
    taken = {value: given for value, given in parameters.items() if value in used}
    declared = ", ".join(f"{value}: {text}" for value, (text, _) in taken.items())
    types = ", ".join(inner.typed(value.type) for value in results)
    types = types if len(results) == 1 else f"({types})"
    generic = f"[{', '.join(dims)}]" if dims else ""
    w.file.functions.append(
        f"fn {name}{generic}({declared}) -> {types} {{\n"
        + body(inner.lines, results, "return")
        + "\n}"
    )
    sizes = [size for text, _ in taken.values() for size in text.rstrip("]").split("[")[-1:]]
    found = {dim for dim in dims for text in sizes if dim in text.split(", ")}
    given = [f"{dim} = {w.size(n)}" for dim, n in dims.items() if dim not in found or w.chance(2)]
    binding = f"[{', '.join(given)}]" if given else ""
    arguments = [argument for _, argument in taken.values()]
    text = f"{name}{binding}({', '.join(map(str, arguments))})"
    w.lets([value.type for value in results], text, *arguments)


def returned(w: Scope, least: int, most: int) -> list[Value]:
    """Values to be results: rather those that nothing uses yet."""
    used = {value for line in w.lines for value in line.uses}
    made = [value for line in w.lines for value in line.defines]
    unused = [value for value in made if value not in used]
    results = unused[-w.number(least, most) :]
    return [*results, w.one_of(made)] if made and w.chance(6) else results


def write(w: Scope, least: int, most: int) -> None:
    """Applies random builders."""
    for _ in range(w.number(least, most)):
        w.one_of(_WEIGHTED)(w)


_ROUNDING = {"floor", "ceil", "round", "trunc"}
_UNARY = _ROUNDING | {"exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "sin", "cos", "erf"}

BUILDERS: Mapping[str, Builder] = {
    "neg": partial(unary, "-{}", NUMBERS),
    "abs": partial(unary, "abs({})", NUMBERS),
    "not": partial(unary, "not({})", ["Bool"]),
    **{name: partial(unary, name + "({})", FLOATS) for name in sorted(_UNARY)},
    "sign": partial(unary, "sign({})", NUMBERS),
    **{name: partial(test, name + "({})") for name in ("isnan", "isinf")},
    **{sign: partial(binary, "{} " + sign + " {}", NUMBERS) for sign in "+-*/%"},
    "max": partial(binary, "max({}, {})", NUMBERS),
    "min": partial(binary, "min({}, {})", NUMBERS),
    "pow": partial(binary, "pow({}, {})", FLOATS),
    "and": partial(binary, "and({}, {})", ["Bool"]),
    "or": partial(binary, "or({}, {})", ["Bool"]),
    "compare": compare,
    "select": select,
    "cast": cast,
    "@": matmul,
    "sum": partial(reduce, "sum", NUMBERS),
    "mean": partial(reduce, "mean", FLOATS),
    "reduce_max": partial(reduce, "max", NUMBERS),
    "reduce_min": partial(reduce, "min", NUMBERS),
    "softmax": softmax,
    "argmax": argmax,
    "top_k": top_k,
    "reshape": reshape,
    "transpose": transpose,
    "broadcast": broadcast,
    "concat": concat,
    "pad": pad,
    "slice": slice_,
    "element": element,
    "update": update,
    "gather": gather,
    "iota": iota,
    "full": full,
    "for": loop,
    "while": while_,
    "call": call,
}
"""A builder for every operation and construct."""

_OFTEN = {
    "@": 4,
    "for": 4,
    "while": 2,
    "call": 3,
    "update": 3,
    "slice": 3,
    "reshape": 2,
    "transpose": 2,
}
"""Those with many forms are drawn more often."""
_WEIGHTED = [build for name, build in BUILDERS.items() for _ in range(_OFTEN.get(name, 1))]
