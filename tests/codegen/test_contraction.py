"""Register tiles, against the arithmetic of the registers by hand."""

import pytest

from kina.codegen.contraction import Contraction, tiling
from kina.codegen.targets import target

AVX2 = target("x86-64-v3")


def op(name: str) -> Contraction:
    parsed = Contraction.parse(name)
    assert parsed is not None
    return parsed


def test_the_name_says_everything() -> None:
    parsed = op("batch_matmul_nt_3x384x128x64_f32")
    assert (parsed.transposed, parsed.batch, parsed.m, parsed.n, parsed.k) == (
        True,
        3,
        384,
        128,
        64,
    )
    parsed = op("matvec_nn_1x8x4_f64")
    assert (parsed.transposed, parsed.batch, parsed.m, parsed.n, parsed.k) == (False, 1, 1, 8, 4)
    assert not parsed.batched
    parsed = op("batch_matmul_nt_3x384xNx64_f32")
    assert (parsed.batched, parsed.batch, parsed.m, parsed.n, parsed.k) == (True, 3, 384, None, 64)


@pytest.mark.parametrize("name", ["softmax_4_f32", "batches_matmul_nn_2x3x4x5x6_f32", ""])
def test_another_operation_is_no_contraction(name: str) -> None:
    assert Contraction.parse(name) is None


# 16 registers, 4 of them for operands: the largest a * b <= 12 with the smallest a + b that divides.
@pytest.mark.parametrize(
    "name, registers",
    [
        ("matmul_nt_128x1536x576_f32", (4, 3)),
        ("matmul_nt_128x512x576_f32", (2, 4)),
        ("matmul_nt_9x512x576_f32", (3, 4)),
    ],
)
def test_dot_tiles_fill_the_registers(name: str, registers: tuple[int, int]) -> None:
    tiles = tiling(op(name), AVX2)
    assert tiles is not None and tiles.registers == registers and tiles.lanes == 8


# 576 = 18 * 32 floats, 24 = 3 * 8, 48 = 3 * 16; 4 vectors of 8 floats at most.
@pytest.mark.parametrize("k, lanes", [(576, 32), (24, 8), (48, 16)])
def test_a_matvec_reads_its_matrix_row_by_row(k: int, lanes: int) -> None:
    tiles = tiling(op(f"matvec_nt_1x49152x{k}_f32"), AVX2)
    assert tiles is not None and (tiles.registers, tiles.lanes) == ((1, 1), lanes)


# Rows of a power of two of vectors of 8 floats.
@pytest.mark.parametrize(
    "name, registers",
    [
        ("batch_matmul_nn_2x48x64x128_f32", (3, 32)),
        ("matmul_nn_128x1536x576_f32", (4, 16)),
        ("matvec_nn_1x64x576_f32", (1, 64)),
        ("matvec_nn_1x8x576_f32", (1, 8)),
    ],
)
def test_outer_tiles_fill_the_registers(name: str, registers: tuple[int, int]) -> None:
    tiles = tiling(op(name), AVX2)
    assert tiles is not None and tiles.registers == registers


@pytest.mark.parametrize("name", ["matmul_nt_4x4x7_f32", "matmul_nn_4x7x4_f32"])
def test_what_is_best_left_as_plain_loops_has_no_tiling(name: str) -> None:
    assert tiling(op(name), AVX2) is None


def test_rows_that_do_not_divide_into_vectors_are_walked_in_memory() -> None:
    tiles = tiling(op("matmul_nn_128x770x768_f32"), AVX2)
    assert tiles is not None and tiles.registers is None


def test_halves_count_as_the_floats_that_they_accumulate_in() -> None:
    tiles = tiling(op("matmul_nt_128x1536x576_bf16"), AVX2)
    assert tiles is not None and tiles.lanes == 8


def test_doubles_fill_a_vector_with_half_as_many() -> None:
    tiles = tiling(op("matmul_nt_128x1536x576_f64"), AVX2)
    assert tiles is not None and tiles.lanes == 4


@pytest.mark.parametrize("size", [64, 96, 576, 1536, 49152, 7919])
def test_blocks_of_threads_divide_the_output(size: int) -> None:
    tiles = tiling(op(f"matmul_nt_1024x{size}x64_f32"), AVX2)
    assert tiles is not None and tiles.threads is not None
    assert size % tiles.threads[1] == 0


def test_a_small_product_keeps_to_one_thread() -> None:
    tiles = tiling(op("matmul_nt_4x8x64_f32"), AVX2)
    assert tiles is not None and tiles.threads is None


# What is open divides into parts of 1 only: twelve rows by one column, or by vectors of a closed row.
@pytest.mark.parametrize(
    "name, threads, registers, rows_first",
    [
        ("batch_matmul_nt_3x384xNx64_f32", (1, 64, 0), (8, 1), True),
        ("batch_matmul_nt_3x3xNx64_f32", (1, 1, 0), (1, 1), True),
        ("matmul_nt_Nx512x576_f32", (0, 32), (1, 8), False),
        ("batch_matmul_nn_3x384x64xN_f32", (1, 64, 64), (4, 16), False),
        ("matmul_nn_Nx512x576_f32", (0, 32), (1, 32), False),
        ("matmul_nn_3xNx4_f32", None, None, False),
    ],
)
def test_the_tiles_of_open_extents(
    name: str,
    threads: tuple[int, ...] | None,
    registers: tuple[int, int] | None,
    rows_first: bool,
) -> None:
    tiles = tiling(op(name), AVX2)
    assert tiles is not None
    assert (tiles.threads, tiles.registers, tiles.rows_first) == (threads, registers, rows_first)


@pytest.mark.parametrize("name", ["matmul_nt_3x4xN_f32", "batch_matmul_nt_Nx3x4x7_f32"])
def test_an_open_sum_over_two_rows_is_left_as_plain_loops(name: str) -> None:
    assert tiling(op(name), AVX2) is None
