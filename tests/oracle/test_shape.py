"""Operations of the oracle that move elements. Expected values by hand."""

from __future__ import annotations

import numpy as np
import pytest

from kina.dialect import ops as kina
from support.case import applied, applied_to_list
from support.evaluate import array, evaluate
from support.shape_cases import sliced, updated
from support.values import ALL, DTYPES, Array

LEAST, MOST = -(2**63), 2**63 - 1


def index(*values: int) -> tuple[Array, ...]:
    return tuple(np.array(value, np.int64) for value in values)


@pytest.mark.parametrize("dtype", ALL)
def test_reshape_is_row_major(dtype: str) -> None:
    x = array([[0, 1, 0], [1, 1, 0]], dtype)
    result = evaluate(applied(kina.ReshapeOp, (3, 2)), x)
    assert result.dtype == DTYPES[dtype]
    assert result.tolist() == array([[0, 1], [0, 1], [1, 0]], dtype).tolist()
    assert evaluate(applied(kina.ReshapeOp, ()), x[0, 1].reshape(1)).shape == ()


def test_reshape_of_a_transposed_array() -> None:
    """The order is that of the array's own axes, not of its memory."""
    x = array([[1, 2, 3], [4, 5, 6]], "I32").T
    assert evaluate(applied(kina.ReshapeOp, (6,)), x).tolist() == [1, 4, 2, 5, 3, 6]


@pytest.mark.parametrize("dtype", ALL)
def test_transpose(dtype: str) -> None:
    x = array([[[0, 1], [1, 1], [0, 0]]], dtype)
    result = evaluate(applied(kina.TransposeOp, (2, 0, 1)), x)
    assert result.dtype == DTYPES[dtype] and result.shape == (2, 1, 3)
    assert result.tolist() == array([[[0, 1, 0]], [[1, 1, 0]]], dtype).tolist()


def test_transpose_names_where_each_axis_comes_from() -> None:
    x = array(np.zeros((2, 3, 4)), "F32")
    assert evaluate(applied(kina.TransposeOp, (1, 2, 0)), x).shape == (3, 4, 2)


@pytest.mark.parametrize("dtype", ALL)
def test_broadcast_pads_left_and_stretches_units(dtype: str) -> None:
    result = evaluate(applied(kina.BroadcastOp, (2, 2, 3)), array([[1], [0]], dtype))
    assert result.dtype == DTYPES[dtype]
    assert result.tolist() == array([[[1, 1, 1], [0, 0, 0]]] * 2, dtype).tolist()
    assert evaluate(applied(kina.BroadcastOp, (0,)), array([1], dtype)).shape == (0,)


@pytest.mark.parametrize("dtype", ALL)
def test_concat(dtype: str) -> None:
    a, b = array([[1], [0]], dtype), array([[0, 1], [1, 1]], dtype)
    result = evaluate(applied_to_list(kina.ConcatOp, 1), a, b, a)
    assert result.dtype == DTYPES[dtype]
    assert result.tolist() == array([[1, 0, 1, 1], [0, 1, 1, 0]], dtype).tolist()


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((0, 0), [[0, 1], [5, 6]]),
        ((1, 2), [[7, 8], [12, 13]]),
        ((2, 3), [[13, 14], [18, 19]]),
        ((3, 4), [[13, 14], [18, 19]]),
        ((-1, 0), [[0, 1], [5, 6]]),
        ((LEAST, MOST), [[3, 4], [8, 9]]),
    ],
)
def test_slice_clamps_so_that_the_block_fits(
    at: tuple[int, int], expected: list[list[int]]
) -> None:
    x = array(np.arange(20).reshape(4, 5), "I32")
    assert evaluate(sliced((2, 2)), x, *index(*at)).tolist() == expected


@pytest.mark.parametrize("at", [(1, 2), (3, 4), (-5, 0), (LEAST, MOST)])
def test_update_writes_where_slice_reads(at: tuple[int, int]) -> None:
    x = array(np.arange(20).reshape(4, 5), "I32")
    block = array([[-1, -2], [-3, -4]], "I32")
    row, column = min(max(at[0], 0), 2), min(max(at[1], 0), 3)
    expected = [
        [
            int(block[i - row, j - column])
            if i - row in (0, 1) and j - column in (0, 1)
            else 5 * i + j
            for j in range(5)
        ]
        for i in range(4)
    ]
    assert evaluate(updated, x, block, *index(*at)).tolist() == expected
    assert x.tolist() == np.arange(20).reshape(4, 5).tolist()


@pytest.mark.parametrize("dtype", ALL)
def test_slice_and_update_of_each_dtype(dtype: str) -> None:
    x = array([0, 1, 1], dtype)
    assert evaluate(sliced((1,)), x, *index(2)).tolist() == array([1], dtype).tolist()
    result = evaluate(updated, x, array([1], dtype), *index(0))
    assert result.dtype == DTYPES[dtype] and result.tolist() == array([1, 1, 1], dtype).tolist()


def test_rank_zero() -> None:
    x, y = array(3, "F32"), array(4, "F32")
    assert evaluate(sliced(()), x).tolist() == 3.0
    assert evaluate(updated, x, y).tolist() == 4.0
    assert evaluate(applied(kina.PadOp, (), ()), x, y).tolist() == 3.0


@pytest.mark.parametrize("dtype", ALL)
def test_pad(dtype: str) -> None:
    x, value = array([[0, 1]], dtype), array(1, dtype)
    result = evaluate(applied(kina.PadOp, (1, 0), (0, 2)), x, value)
    assert result.dtype == DTYPES[dtype]
    assert result.tolist() == array([[1, 1, 1, 1], [0, 1, 1, 1]], dtype).tolist()


@pytest.mark.parametrize("dtype", ALL)
def test_gather_takes_rows(dtype: str) -> None:
    table = array([[0, 1], [1, 0], [1, 1]], dtype)
    result = evaluate(applied(kina.GatherOp), table, array([[2, 0, 1]], "I32"))
    assert result.dtype == DTYPES[dtype] and result.shape == (1, 3, 2)
    assert result.tolist() == array([[[1, 1], [0, 1], [1, 0]]], dtype).tolist()


def test_gather_clamps() -> None:
    """cases.md: ids -1, 8 and 2**40 for a table of 8 read nothing outside."""
    table = array(np.arange(8), "F32")
    ids = np.array([-1, 8, 2**40, LEAST, MOST, 3])
    assert evaluate(applied(kina.GatherOp), table, ids).tolist() == [0, 7, 7, 0, 7, 3]
    assert evaluate(applied(kina.GatherOp), table, np.array(5)).shape == ()
