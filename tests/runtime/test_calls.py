"""Calls with right and wrong arguments: right numbers, or an error that names what is wrong."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import small_programs as programs

import kina
from kina.runtime import CallError, Module


@pytest.fixture(scope="module")
def scale(tmp_path_factory: pytest.TempPathFactory) -> Module:
    """scale(x: F32[2, 3]) = 3 x."""
    return kina.load(programs.scale(tmp_path_factory.mktemp("scale") / "x.so", (2, 3), 3))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Module:
    """weigh(w, x) = w.a + 10 w.inner.b + 100 w.inner.c + 1000 x, all F32[2]."""
    return kina.load(programs.record(tmp_path_factory.mktemp("record") / "x.so"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Module:
    """push(cache: F32[4, 3] donated, at: I64[] in 0 .. 3, row: F32[3])."""
    return kina.load(programs.cache(tmp_path_factory.mktemp("cache") / "x.so"))


def refusal(function: Any, *args: Any, **keywords: Any) -> str:
    with pytest.raises(CallError) as caught:
        function(*args, **keywords)
    assert "\n" not in str(caught.value)
    return str(caught.value)


X = np.arange(6, dtype=np.float32).reshape(2, 3)


class Foreign:
    """An array of another library, as DLPack shows it."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class OnAnotherDevice(Foreign):
    def __dlpack_device__(self) -> Any:
        return (2, 0)  # kDLCUDA

    def __dlpack__(self, **keywords: Any) -> Any:
        raise BufferError("the data is on a GPU\nand more about it")


def test_positional_and_keyword(scale: Module) -> None:
    for y in (scale.scale(X), scale.scale(x=X)):
        assert y.dtype == np.float32 and y.flags.c_contiguous and y.flags.writeable
        np.testing.assert_array_equal(y, 3 * X)


def test_every_result_is_a_new_array(scale: Module) -> None:
    first = scale.scale(X)
    second = scale.scale(X + 1)
    np.testing.assert_array_equal(first, 3 * X)
    assert not np.shares_memory(first, second)


@pytest.mark.parametrize(
    ("args", "keywords", "says"),
    [
        ((), {}, "scale: expected 1 argument (x), found 0: missing x"),
        ((X, X), {}, "scale: expected 1 argument (x), found 2 positional arguments"),
        ((X,), {"x": X}, "scale: parameter x is given twice"),
        ((X,), {"y": X}, "scale: unknown argument 'y': expected 1 argument (x)"),
        ((), {"self": X}, "scale: unknown argument 'self': expected 1 argument (x)"),
    ],
)
def test_wrong_number_and_names(
    scale: Module, args: tuple[Any, ...], keywords: dict[str, Any], says: str
) -> None:
    assert refusal(scale.scale, *args, **keywords) == says


class Hostile:
    """Neither array nor number."""


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (X.astype("f8"), "F64[2, 3]"),
        (X.astype("i4"), "I32[2, 3]"),
        (X.astype("f2"), "F16[2, 3]"),
        (X.astype(ml_dtypes.bfloat16), "BF16[2, 3]"),
        (X > 1, "Bool[2, 3]"),
        (X.astype("u1"), "uint8[2, 3]"),
        (X.astype("c8"), "complex64[2, 3]"),
        (X.astype(object), "object[2, 3]"),
        (X.astype("U"), "<U32[2, 3]"),
        (X.view("V4"), "|V4[2, 3]"),
        (X.view("u4"), "uint32[2, 3]"),
        (X[None], "F32[1, 2, 3]"),
        (X[0], "F32[3]"),
        (X.T, "F32[3, 2]"),
        (X[:, :2], "F32[2, 2]"),
        (X[:0], "F32[0, 3]"),
        (X.reshape(-1), "F32[6]"),
        (np.float32(1), "F32[]"),
        (np.float64(1), "F64[]"),
        (1.5, "the float 1.5"),
        (True, "the bool True"),
        (None, "NoneType, which is no array"),
        (X.tolist(), "list, which is no array"),
        ({"x": X}, "dict, which is no array"),
        (X.tobytes(), "bytes, which is no array"),
        (memoryview(X), "memoryview, which is no array"),
        (Hostile(), "Hostile, which is no array"),
        (np.ndarray, "type, which is no array"),
        (np.ma.masked_array(X), "a masked array, whose mask would be lost"),
        (Foreign(X.astype("f8")), "F64[2, 3]"),
        (Foreign(X[0]), "F32[3]"),
        (
            OnAnotherDevice(X),
            "OnAnotherDevice, which NumPy cannot take: the data is on a GPU",
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_wrong_dtype_rank_size_and_kind(scale: Module, value: Any, found: str) -> None:
    assert refusal(scale.scale, value) == (f"scale: parameter x: expected F32[2, 3], found {found}")


def misaligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same numbers, one byte off alignment."""
    data = np.zeros(array.nbytes + 1, np.uint8)
    view = data[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    assert not view.flags.aligned
    return view


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array = array.copy()
    array.flags.writeable = False
    return array


class Subclass(np.ndarray[Any, Any]):
    pass


LAYOUTS = {
    "Fortran order": np.asfortranarray(X),
    "negative step": X[::-1, ::-1].copy()[::-1, ::-1],
    "every second": np.repeat(X, 2, axis=1)[:, ::2],
    "big-endian": X.astype(">f4"),
    "big-endian and Fortran": np.asfortranarray(X.astype(">f4")),
    "one byte off": misaligned(X),
    "read-only": read_only(X),
    "subclass": X.view(Subclass),
    "by DLPack": Foreign(X),
    "by DLPack, with strides": Foreign(np.asfortranarray(X)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_layouts_give_the_right_numbers(scale: Module, layout: str) -> None:
    np.testing.assert_array_equal(scale.scale(LAYOUTS[layout]), 3 * X)


def test_a_broadcast_view(scale: Module) -> None:
    x = np.broadcast_to(np.float32(2), (2, 3))
    np.testing.assert_array_equal(scale.scale(x), np.full((2, 3), 6, "f"))


def test_a_memory_map_is_an_array(scale: Module, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    x = np.load(tmp_path / "x.npy", mmap_mode="r")
    np.testing.assert_array_equal(scale.scale(x), 3 * X)


@pytest.mark.parametrize("dtype", ["F64", "F32", "F16", "BF16", "I64", "I32", "I8", "Bool"])
def test_every_dtype_passes_both_ways(dtype: str, tmp_path: Path) -> None:
    module = kina.load(programs.same(tmp_path / "x.so", (5,), dtype))
    names = {"F64": "f8", "F32": "f4", "F16": "f2", "I64": "i8", "I32": "i4", "I8": "i1"}
    numpy = {"BF16": ml_dtypes.bfloat16, "Bool": np.bool_, **names}[dtype]
    x = np.array([-3, 0, 1, 2, 100]).astype(numpy)
    y = module.same(x)
    assert y.dtype == np.dtype(numpy)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(module.same(x[::-1]), x[::-1])
    wrong = x.astype("f4" if dtype != "F32" else "f8")
    assert f"same: parameter x: expected {dtype}[5], found F" in refusal(module.same, wrong)


def test_a_bool_is_made_of_zeros_and_ones(tmp_path: Path) -> None:
    module = kina.load(programs.same(tmp_path / "x.so", (4,), "Bool"))
    x = np.array([0, 1, 2, 255], np.uint8).view(np.bool_)
    y = module.same(x)
    np.testing.assert_array_equal(y.view(np.uint8), [0, 1, 1, 1])


def test_a_tensor_without_elements(tmp_path: Path) -> None:
    module = kina.load(programs.same(tmp_path / "x.so", (0, 3), "F32"))
    assert module.same(np.empty((0, 3), "f")).shape == (0, 3)
    assert "found F32[0]" in refusal(module.same, np.empty(0, "f"))


SCALARS = [
    ("F32", 1, 1.0),
    ("F32", 0.1, float(np.float32(0.1))),
    ("F32", float("inf"), float("inf")),
    ("F32", np.float32(2), 2.0),
    ("F32", np.array(2, ">f4"), 2.0),
    ("F64", 10**300, 1e300),
    ("F16", 2.5, 2.5),
    ("BF16", 2.5, 2.5),
    ("BF16", 3, 3.0),
    ("I64", -(2**63), -(2**63)),
    ("I8", -128, -128),
    ("I64", np.int64(7), 7),
    ("Bool", True, True),
]


@pytest.mark.parametrize(("dtype", "value", "expected"), SCALARS)
def test_numbers_of_python_are_scalars(
    dtype: str, value: Any, expected: Any, tmp_path: Path
) -> None:
    module = kina.load(programs.same(tmp_path / "x.so", (), dtype))
    y = module.same(value)
    assert y.shape == () and y == expected


@pytest.mark.parametrize(
    ("dtype", "value", "found"),
    [
        ("I64", 1.0, "the float 1.0"),
        ("I64", True, "the bool True"),
        ("F32", False, "the bool False"),
        ("Bool", 1, "the int 1"),
        ("I8", 128, "the int 128, which is out of its range"),
        ("I64", 2**63, "the int 9223372036854775808, which is out of its range"),
        pytest.param("I64", 10**5000, "an int of 16610 bits, which is out of its range", id="huge"),
        ("F32", 1e39, "the float 1e+39, which is out of its range"),
        ("F32", 10**300, "the int 10000000000000000000..., which is out of its range"),
        ("F16", 70000, "the int 70000, which is out of its range"),
        ("BF16", 1e39, "the float 1e+39, which is out of its range"),
        ("BF16", 10**310, "the int 10000000000000000000..., which is out of its range"),
        ("F32", np.float64(1), "F64[]"),
        ("F32", 1j, "complex, which is no array"),
        ("F32", "1", "str, which is no array"),
    ],
)
def test_numbers_that_do_not_fit(dtype: str, value: Any, found: str, tmp_path: Path) -> None:
    module = kina.load(programs.same(tmp_path / "x.so", (), dtype))
    assert refusal(module.same, value) == f"same: parameter x: expected {dtype}[], found {found}"


def row(*values: float) -> np.ndarray[Any, Any]:
    return np.array(values, np.float32)


A, B, C, D = row(1, 5), row(2, 6), row(3, 7), row(4, 8)
WEIGHED = row(4321, 8765)  # digits of D, C, B, A by hand


@pytest.mark.parametrize(
    "w",
    [
        {"a": A, "inner": {"b": B, "c": C}},
        {"inner": {"c": C, "b": B}, "a": A},
        {"a": A, "inner.b": B, "inner.c": C},
        SimpleNamespace(a=A, inner=SimpleNamespace(b=B, c=C)),
        SimpleNamespace(a=A, inner={"b": B, "c": C}, other="ignored"),
        {"a": A, "inner": SimpleNamespace(b=B, c=C)},
    ],
    ids=["mapping", "any order", "dotted", "attributes", "mapping inside", "attributes inside"],
)
def test_records(record: Module, w: Any) -> None:
    np.testing.assert_array_equal(record.weigh(w, D), WEIGHED)
    np.testing.assert_array_equal(record.weigh(x=D, w=w), WEIGHED)


@pytest.mark.parametrize(
    ("w", "says"),
    [
        (
            {"a": A},
            "parameter w: the field 'inner' is missing: expected a, inner, found a",
        ),
        (
            {"a": A, "inner": {"b": B}},
            "parameter w.inner: the field 'c' is missing: expected b, c, found b",
        ),
        (
            {"a": A, "inner.b": B},
            "parameter w.inner: the field 'c' is missing: expected b, c, found b",
        ),
        ({}, "parameter w: the field 'a' is missing: expected a, inner, found no fields"),
        (
            {"a": A, "inner": {"b": B, "c": C, "d": D}},
            "parameter w.inner: unknown field d: expected b, c",
        ),
        (
            {"a": A, "inner": {"b": B, "c": C}, 7: D},
            "parameter w: unknown field 7: expected a, inner",
        ),
        (
            {"a": A, "inner": {"b": B, "c": C}, "inner.b": B},
            "parameter w: unknown field inner.b: expected a, inner",
        ),
        (
            SimpleNamespace(a=A),
            "parameter w: expected a record of a, inner, found a SimpleNamespace without 'inner'",
        ),
        (A, "parameter w: expected a record of a, inner, found a ndarray without 'a'"),
        (
            {"a": A, "inner": [B, C]},
            "parameter w.inner: expected a record of b, c, found a list without 'b'",
        ),
        (
            {"a": {"a": A}, "inner": {"b": B, "c": C}},
            "parameter w.a: expected F32[2], found dict, which is no array",
        ),
        (
            {"a": A, "inner": {"b": B, "c": C.astype("f8")}},
            "parameter w.inner.c: expected F32[2], found F64[2]",
        ),
    ],
)
def test_wrong_records(record: Module, w: Any, says: str) -> None:
    assert refusal(record.weigh, w, D) == f"weigh: {says}"


def test_a_record_is_one_argument(record: Module) -> None:
    says = refusal(record.weigh, A, B, C, D)
    assert says == "weigh: expected 2 arguments (w, x), found 4 positional arguments"


def test_a_donated_buffer_is_updated_in_place(cache: Module) -> None:
    buffer = np.zeros((4, 3), np.float32)
    result, total = cache.push(buffer, 2, row(1, 2, 4))
    assert result is buffer
    np.testing.assert_array_equal(buffer, [[0, 0, 0], [0, 0, 0], [1, 2, 4], [0, 0, 0]])
    assert total == 7 and total.shape == ()


def test_a_donated_buffer_of_another_library_is_updated_in_place(cache: Module) -> None:
    buffer = np.zeros((4, 3), np.float32)
    result, _ = cache.push(Foreign(buffer), 1, row(1, 2, 4))
    np.testing.assert_array_equal(buffer[1], [1, 2, 4])
    assert np.shares_memory(result, buffer)


EMPTY = np.zeros((4, 3), np.float32)


@pytest.mark.parametrize(
    ("buffer", "found"),
    [
        (read_only(EMPTY), "a read-only array"),
        (Foreign(read_only(EMPTY)), "a read-only array"),
        (np.asfortranarray(EMPTY), "an array that is not C-contiguous"),
        (np.zeros((8, 3), "f")[::2], "an array that is not C-contiguous"),
        (np.zeros((4, 3), "f")[::-1], "an array that is not C-contiguous"),
        (EMPTY.astype(">f4"), "an array in the other byte order"),
        (misaligned(EMPTY), "an array that is not aligned"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_donated_buffer_that_cannot_be_written_is_refused(
    cache: Module, buffer: Any, found: str
) -> None:
    assert refusal(cache.push, buffer, 0, row(1, 1, 1)) == (
        f"push: parameter cache: expected F32[4, 3], found {found}: "
        "the call writes this buffer, which is donated"
    )


def test_a_donated_buffer_shares_memory_with_no_other_argument(cache: Module) -> None:
    buffer = np.zeros((4, 3), np.float32)
    for i in range(4):
        assert refusal(cache.push, buffer, 0, buffer[i]) == (
            "push: parameter cache: expected a buffer of its own, as it is donated, "
            "found one that overlaps row"
        )
    backing = np.zeros(18, np.float32)
    inner = backing[3:15].reshape(4, 3)
    assert "overlaps row" in refusal(cache.push, inner, 0, backing[1:4])
    assert "overlaps row" in refusal(cache.push, inner, 0, backing[14:17])
    cache.push(inner, 0, backing[0:3])  # beside it on either side is well
    cache.push(inner, 3, backing[15:18])
    assert not buffer.any()


@pytest.mark.parametrize("at", [-1, 4, 8, 2**40, -(2**63), np.int64(4), np.array(-1)])
def test_an_index_out_of_range_is_refused(cache: Module, at: Any) -> None:
    buffer = np.zeros((4, 3), np.float32)
    assert refusal(cache.push, buffer, at, row(1, 1, 1)) == (
        f"push: parameter at: expected values in 0 .. 3, found {int(at)}"
    )
    assert not buffer.any()


def test_indices_of_a_tensor_are_all_checked(tmp_path: Path) -> None:
    from kina.abi import Parameter, Result, Signature

    described = programs.manifest(
        Signature(
            "same", (Parameter("ids", "I64", (2, 3), index_bound=8),), (Result("I64", (2, 3)),)
        )
    )
    programs.build(programs.COPY.format(type="2x3xi64"), described, tmp_path / "x.so")
    module = kina.load(tmp_path / "x.so")
    ids = np.array([[0, 1, 2], [5, 6, 7]])
    np.testing.assert_array_equal(module.same(ids), ids)
    for place in np.ndindex(2, 3):
        for bad in (-1, 8, 2**40):
            wrong = ids.copy()
            wrong[place] = bad
            assert refusal(module.same, wrong) == (
                f"same: parameter ids: expected values in 0 .. 7, found {bad}"
            )
            assert f"found {bad}" in refusal(module.same, wrong[:, ::-1][:, ::-1])


def test_python_shows_what_a_signature_takes(record: Module, cache: Module) -> None:
    assert (
        str(inspect.signature(record.weigh)) == "(w: 'record of a, inner', x: 'F32[2]') -> 'F32[2]'"
    )
    assert cache.push.__name__ == "push"
    assert cache.push.__doc__ == (
        "push: a compiled Kina signature.\n"
        "\n"
        "Parameters:\n"
        "  cache: F32[4, 3], donated\n"
        "  at: I64[] in 0 .. 3\n"
        "  row: F32[3]\n"
        "\n"
        "Returns:\n"
        "  F32[4, 3], in the buffer of cache\n"
        "  F32[]\n"
    )
    assert repr(cache.push) == (
        "<kina signature push(cache: F32[4, 3], donated, at: I64[] in 0 .. 3, row: F32[3])"
        " -> (F32[4, 3], F32[])>"
    )


def test_names_that_python_reserves(tmp_path: Path) -> None:
    from kina.abi import Parameter, Result, Signature

    signature = Signature("lambda", (Parameter("in", "F32", (4,)),), (Result("F32", (4,)),))
    manifest = Signature("manifest", signature.parameters, signature.results)
    one = programs.COPY.format(type="4xf32")
    source = one.replace("@same", "@lambda") + one.replace("@same", "@manifest")
    programs.build(source, programs.manifest(signature, manifest), tmp_path / "x.so")
    module = kina.load(tmp_path / "x.so")
    x = row(1, 2, 3, 4)
    np.testing.assert_array_equal(getattr(module, "lambda")(**{"in": x}), x)
    np.testing.assert_array_equal(module.signatures["manifest"](x), x)
    assert module.manifest.program == "small"
