"""The rules that give a result's type. Expected types by hand, from the rules' docstrings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from xdsl.dialects.builtin import i8, i64
from xdsl.utils.exceptions import VerifyException

from kina.dialect.contraction import infer_matmul
from kina.dialect.dtypes import ELEMENT_TYPES, Tensor, dtype_name, show_type, signed_range, tensor
from kina.dialect.reduction import infer_argmax, infer_reduction, infer_top_k
from kina.dialect.shape import infer_concat, infer_gather, infer_pad, infer_transpose


def f32(*shape: int) -> Tensor:
    return tensor(ELEMENT_TYPES["F32"], shape)


def of(dtype: str, *shape: int) -> Tensor:
    return tensor(ELEMENT_TYPES[dtype], shape)


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        ((2, 3), (3, 4), (2, 4)),
        ((5, 2, 3), (5, 3, 4), (5, 2, 4)),
        ((1, 2, 3), (5, 3, 4), (5, 2, 4)),
        ((5, 2, 3), (1, 3, 4), (5, 2, 4)),
        ((6, 1, 2, 3), (1, 5, 3, 4), (6, 5, 2, 4)),
        ((2, 0), (0, 4), (2, 4)),
        ((0, 2, 3), (1, 3, 4), (0, 2, 4)),
        ((7, 1, 6, 2, 3), (1, 5, 6, 3, 4), (7, 5, 6, 2, 4)),
    ],
)
def test_matmul(left: Sequence[int], right: Sequence[int], result: Sequence[int]) -> None:
    assert infer_matmul(f32(*left), f32(*right)) == f32(*result)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f32(2, 3), f32(2, 3)),
        (f32(3), f32(3)),
        (f32(1, 2, 3), f32(3, 2)),
        (f32(2, 2, 3), f32(3, 3, 4)),
        (f32(2, 3), of("F16", 3, 4)),
        (of("I64", 2, 3), of("I64", 3, 4)),
        (of("Bool", 2, 3), of("Bool", 3, 4)),
    ],
)
def test_matmul_refuses(left: Tensor, right: Tensor) -> None:
    with pytest.raises(VerifyException):
        infer_matmul(left, right)


@pytest.mark.parametrize(
    ("axes", "keepdims", "result"),
    [
        ([0], False, (3, 4)),
        ([2, 0], False, (3,)),
        ([0, 1, 2], False, ()),
        ([1], True, (2, 1, 4)),
        ([0, 1, 2], True, (1, 1, 1)),
    ],
)
def test_reduction(axes: list[int], keepdims: bool, result: Sequence[int]) -> None:
    assert infer_reduction(f32(2, 3, 4), axes, keepdims) == f32(*result)


def test_argmax_is_i64() -> None:
    assert infer_argmax(of("F16", 2, 3), 1) == of("I64", 2)
    assert infer_argmax(of("I8", 0, 3), 1) == of("I64", 0)


def test_top_k_gives_values_and_i64() -> None:
    assert infer_top_k(of("F16", 2, 3), 2, 1) == (of("F16", 2, 2), of("I64", 2, 2))
    assert infer_top_k(of("I8", 0, 3), 0, 1) == (of("I8", 0, 0), of("I64", 0, 0))


def test_shapes() -> None:
    assert infer_transpose(f32(2, 3, 4), [2, 0, 1]) == f32(4, 2, 3)
    assert infer_concat([f32(2, 3), f32(2, 0), f32(2, 1)], 1) == f32(2, 4)
    assert infer_pad(f32(2, 3), [1, 0], [0, 2]) == f32(3, 5)
    assert infer_gather(f32(8, 2, 3), of("I32", 5, 4)) == f32(5, 4, 2, 3)
    assert infer_gather(of("BF16", 8), of("I64")) == of("BF16")


@pytest.mark.parametrize(
    "infer",
    [
        lambda: infer_reduction(f32(2), [1], False),
        lambda: infer_reduction(f32(2), [-1], False),
        lambda: infer_reduction(f32(2), [], False),
        lambda: infer_reduction(f32(2), [0, 0], False),
        lambda: infer_reduction(of("Bool", 2), [0], False),
        lambda: infer_argmax(f32(2, 0), 1),
        lambda: infer_top_k(f32(2), 3, 0)[0],
        lambda: infer_top_k(f32(2), -1, 0)[0],
        lambda: infer_top_k(of("Bool", 2), 1, 0)[0],
        lambda: infer_transpose(f32(2, 3), [0, 2]),
        lambda: infer_concat([], 0),
        lambda: infer_concat([f32()], 0),
        lambda: infer_concat([f32(2), of("F64", 2)], 0),
        lambda: infer_pad(f32(2), [1], []),
        lambda: infer_pad(f32(2), [-1], [5]),
        lambda: infer_gather(f32(8), of("I8", 1)),
        lambda: infer_gather(f32(8), f32(1)),
        lambda: infer_gather(f32(), of("I64", 1)),
        lambda: infer_gather(f32(0, 3), of("I64", 0)),
    ],
)
def test_rules_refuse(infer: Callable[[], Tensor]) -> None:
    with pytest.raises(VerifyException):
        infer()


def test_names() -> None:
    assert [dtype_name(element) for element in ELEMENT_TYPES.values()] == list(ELEMENT_TYPES)
    assert show_type(f32(1, 4)) == "F32[1, 4]" and show_type(of("Bool")) == "Bool[]"
    assert signed_range(i8) == (-128, 127)
    assert signed_range(i64) == (-(2**63), 2**63 - 1)
