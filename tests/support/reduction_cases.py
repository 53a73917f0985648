"""Cases of operations that sum, compare or normalize along axes, products included."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from kina.dialect import ops as kina
from kina.dialect.dtypes import ELEMENT_TYPES
from support.case import EXACT, VALUE, Case, Tolerance, applied, epsilon
from support.values import (
    DTYPES,
    FLOATS,
    INTEGERS,
    LEAST_EXPONENT,
    NUMBERS,
    Array,
    random,
    small_integers,
    special,
)

REDUCED: tuple[tuple[tuple[int, ...], tuple[int, ...], bool], ...] = (
    ((1,), (0,), False),
    ((67,), (0,), False),
    ((5, 33), (1,), False),
    ((5, 33), (0,), True),
    ((3, 4, 17), (0, 2), False),
    ((3, 4, 17), (0, 1, 2), True),
    ((2, 0, 3), (1,), False),
    ((0, 3), (1,), False),
)
"""Shape, axes, keepdims; the last two are reductions over and of nothing."""


def summing(dtype: str, terms: int) -> Tolerance:
    """For a sum of `terms` values of magnitude at most 1, in any order."""
    computed = "F32" if dtype in ("F16", "BF16") else dtype
    halves = 1.0 if computed != dtype else 0.0
    return Tolerance(ulps=halves, absolute=terms * epsilon(computed))


def sum_cases() -> Iterator[Case]:
    """Whole numbers, whose sums are exact in any order, and fractions."""
    for dtype in NUMBERS:
        for shape, axes, keepdims in REDUCED:
            name = f"sum-{dtype}-{shape}-{axes}"
            build = applied(kina.SumOp, axes, keepdims)
            yield Case(f"{name}-whole", (small_integers(dtype, shape),), build, VALUE)
            if dtype in FLOATS:
                terms = prod(shape[axis] for axis in axes)
                fractions = random(dtype, shape, scale=1.0)
                yield Case(f"{name}-fraction", (fractions,), build, summing(dtype, terms))
    for dtype in INTEGERS:
        wrapping = random(dtype, (3, 300))
        yield Case(f"sum-{dtype}-wraps", (wrapping,), applied(kina.SumOp, (1,), False), EXACT)
    for dtype in ("F16", "BF16"):
        # 1 + 4096 * 2**-12 = 2, in steps too small for either to count: the sum must not be theirs.
        steps = np.array([1.0] + [2.0**-12] * 4096).astype(DTYPES[dtype])
        yield Case(f"sum-{dtype}-wide", (steps,), applied(kina.SumOp, (0,), False), VALUE)
        # The sum of twos leaves the range of F16 on its way, and reaches the place where BF16 counts no more.
        twos = np.full((2**16,), 2.0).astype(DTYPES[dtype])
        yield Case(f"mean-{dtype}-wide", (twos,), applied(kina.MeanOp, (0,), False), VALUE)
        yield Case(f"sum-{dtype}-large", (twos,), applied(kina.SumOp, (0,), False), VALUE)
    for dtype in FLOATS:
        for name, x in special_rows(dtype):
            for op, build in (("sum", kina.SumOp), ("mean", kina.MeanOp)):
                terms = summing(dtype, 100 * x.shape[1])
                yield Case(f"{op}-{dtype}-{name}", (x,), applied(build, (1,), False), terms)


def mean_cases() -> Iterator[Case]:
    for dtype in FLOATS:
        for shape, axes, keepdims in REDUCED:
            name = f"mean-{dtype}-{shape}-{axes}"
            build = applied(kina.MeanOp, axes, keepdims)
            yield Case(f"{name}-whole", (small_integers(dtype, shape),), build, VALUE)
            fractions = random(dtype, shape, scale=1.0)
            yield Case(f"{name}-fraction", (fractions,), build, summing(dtype, 1))


def _with_nan_at_each_place(dtype: str, size: int) -> Array:
    rows = np.tile(small_integers("F64", (size,)), (size, 1))
    np.fill_diagonal(rows, np.nan)
    return rows.astype(DTYPES[dtype])


def special_rows(dtype: str) -> Iterator[tuple[str, Array]]:
    """Rows, along axis 1, at which maxima go wrong."""
    negative = np.array([[-3, -2, -9, -4, -7]])
    yield "negative", negative.astype(DTYPES[dtype])
    yield "extremes", np.tile(special(dtype)[~np.isnan(special(dtype).astype(np.float64))], (3, 1))
    for size in (1, 8, 33):
        yield f"equal-{size}", np.full((2, size), 5, DTYPES[dtype])
    peaks = np.zeros((1, 45))
    peaks[0, [7, 40]] = 2
    yield "twice", peaks.astype(DTYPES[dtype])
    if dtype in FLOATS:
        yield "infinite", np.full((2, 5), -np.inf).astype(DTYPES[dtype])
        zeros = [[-0.0, 0.0, -0.0], [0.0, -0.0, -0.0], [-0.0, -0.0, -0.0], [-1.0, -0.0, -1.0]]
        yield "zeros", np.tile(np.array(zeros), (1, 11)).astype(DTYPES[dtype])
        for size in (3, 5, 33):
            yield f"nan-{size}", _with_nan_at_each_place(dtype, size)


def extremum_cases() -> Iterator[Case]:
    for op, build in (("reduce_max", kina.ReduceMaxOp), ("reduce_min", kina.ReduceMinOp)):
        for dtype in NUMBERS:
            for shape, axes, keepdims in REDUCED:
                x = random(dtype, shape)
                name = f"{op}-{dtype}-{shape}-{axes}"
                yield Case(name, (x,), applied(build, axes, keepdims))
            for name, x in special_rows(dtype):
                yield Case(f"{op}-{dtype}-{name}", (x,), applied(build, (1,), False))


def argmax_cases() -> Iterator[Case]:
    for dtype in NUMBERS:
        for shape, axis in (((1,), 0), ((67,), 0), ((5, 33), 0), ((3, 4, 17), 1), ((0, 3), 1)):
            x = random(dtype, shape)
            name = f"argmax-{dtype}-{shape}-{axis}"
            yield Case(name, (x,), applied(kina.ArgmaxOp, axis))
        for name, x in special_rows(dtype):
            yield Case(f"argmax-{dtype}-{name}", (x,), applied(kina.ArgmaxOp, 1))
        vocabulary = np.full((49152,), 5, DTYPES[dtype])
        yield Case(f"argmax-{dtype}-vocabulary", (vocabulary,), applied(kina.ArgmaxOp, 0))


def top_k_cases() -> Iterator[Case]:
    for dtype in NUMBERS:
        for shape, axis, k in (
            ((1,), 0, 1),
            ((67,), 0, 5),
            ((67,), 0, 67),
            ((5, 33), 1, 1),
            ((5, 33), 0, 4),
            ((3, 4, 17), 1, 3),
            ((5, 3), 0, 0),
            ((0, 3), 1, 2),
        ):
            x = random(dtype, shape)
            name = f"top_k-{dtype}-{shape}-{axis}-{k}"
            yield Case(name, (x,), applied(kina.TopKOp, k, axis))
            ties = small_integers(dtype, shape)
            yield Case(f"{name}-ties", (ties,), applied(kina.TopKOp, k, axis))
        for name, x in special_rows(dtype):
            for k in {1, (x.shape[1] + 1) // 2, x.shape[1]}:
                yield Case(f"top_k-{dtype}-{name}-{k}", (x,), applied(kina.TopKOp, k, 1))
        vocabulary = random(dtype, (49152,))
        yield Case(f"top_k-{dtype}-vocabulary", (vocabulary,), applied(kina.TopKOp, 40, 0))
        rising = np.sort(vocabulary)
        yield Case(f"top_k-{dtype}-rising", (rising,), applied(kina.TopKOp, 40, 0))


def softmax_cases() -> Iterator[Case]:
    for dtype in FLOATS:
        halves = dtype in ("F16", "BF16")
        tolerance = Tolerance(2 if halves else 32, 2.0 ** (LEAST_EXPONENT[dtype] + 3))
        for shape, axis in (
            ((1,), 0),
            ((67,), 0),
            ((5, 33), 1),
            ((5, 33), 0),
            ((2, 3, 5, 9), 2),
            ((3, 0), 1),
            ((0, 3), 1),
        ):
            x = random(dtype, shape)
            name = f"softmax-{dtype}-{shape}-{axis}"
            yield Case(name, (x,), applied(kina.SoftmaxOp, axis), tolerance)
        # The sum of ones is 2^13, at which neither half counts them any more: each share is 2^-13.
        equal = np.zeros((2**13,)).astype(DTYPES[dtype])
        yield Case(f"softmax-{dtype}-wide", (equal,), applied(kina.SoftmaxOp, 0), VALUE)
        for name, x in (*special_rows(dtype), ("masked", _masked(dtype))):
            case = f"softmax-{dtype}-{name}"
            yield Case(case, (x,), applied(kina.SoftmaxOp, 1), tolerance)


def _masked(dtype: str) -> Array:
    """A causal mask: row i sees 0 .. i - 1, so that row 0 sees nothing."""
    scores = np.where(np.tri(9, 9, -1) > 0, random("F64", (9, 9)), -np.inf)
    return scores.astype(DTYPES[dtype])


def iota_cases() -> Iterator[Case]:
    for dtype in NUMBERS:
        for shape, axis in (((5,), 0), ((3, 300), 1), ((3, 4, 17), 0), ((0, 3), 0)):
            element = ELEMENT_TYPES[dtype]
            name = f"iota-{dtype}-{shape}-{axis}"
            yield Case(name, (), applied(kina.IotaOp, element, shape, axis))


PRODUCTS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((1, 1), (1, 1)),
    ((1, 67), (67, 130)),
    ((130, 67), (67, 1)),
    ((5, 7), (7, 9)),
    ((33, 64), (64, 48)),
    ((3, 0), (0, 4)),
    ((0, 3), (3, 4)),
    ((3, 4), (4, 0)),
    ((2, 0, 3), (2, 3, 4)),
    ((0, 2, 3), (1, 3, 4)),
    ((2, 5, 7), (2, 7, 3)),
    ((1, 5, 7), (4, 7, 3)),
    ((4, 1, 17), (1, 17, 33)),
    ((2, 3, 5, 7), (2, 3, 7, 4)),
    ((2, 1, 1, 8), (1, 3, 8, 16)),
    ((2, 3, 2, 5, 7), (2, 3, 1, 7, 4)),
    ((2, 1, 3, 1, 5, 7), (1, 4, 3, 2, 7, 4)),
)


def matmul_cases() -> Iterator[Case]:
    for dtype in FLOATS:
        for left, right in PRODUCTS:
            name = f"matmul-{dtype}-{left}x{right}"
            whole = small_integers(dtype, left, 1), small_integers(dtype, right, 2)
            yield Case(f"{name}-whole", whole, applied(kina.MatmulOp), VALUE)
            part = random(dtype, left, 1, 1.0), random(dtype, right, 2, 1.0)
            tolerance = summing(dtype, left[-1])
            yield Case(f"{name}-fraction", part, applied(kina.MatmulOp), tolerance)
        steps = np.array([[1.0] + [2.0**-12] * 4096]).astype(DTYPES[dtype])
        ones = np.ones((4097, 3)).astype(DTYPES[dtype])
        yield Case(f"matmul-{dtype}-wide", (steps, ones), applied(kina.MatmulOp), VALUE)
        poisoned = small_integers(dtype, (3, 5)), small_integers(dtype, (5, 6))
        poisoned[0][1, 2] = np.nan
        poisoned[1][:, 4] = np.inf
        poisoned[0][poisoned[0] == 0] = 1
        yield Case(f"matmul-{dtype}-nan", poisoned, applied(kina.MatmulOp), VALUE)


def reduction_cases() -> Iterator[Case]:
    yield from sum_cases()
    yield from mean_cases()
    yield from extremum_cases()
    yield from argmax_cases()
    yield from top_k_cases()
    yield from softmax_cases()
    yield from iota_cases()
    yield from matmul_cases()
