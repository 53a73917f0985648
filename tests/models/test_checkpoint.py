"""Weights as a safetensors file. Expected bytes are those of the format's description:

8 bytes for the length of the header, little-endian; the header, JSON; then the tensors, in C order and
little-endian, each at its `data_offsets` from the end of the header.
"""

from __future__ import annotations

import errno
import json
import os

import ml_dtypes
import numpy as np
import pytest

from kina.models.checkpoint import load_checkpoint, save_checkpoint
from kina.models.errors import ModelError

WEIGHTS = {
    "embed": np.arange(6, dtype=np.float32).reshape(2, 3),
    "layers": {"wq": np.arange(4, dtype=np.float16).reshape(2, 2), "on": np.array([True, False])},
    "scale": 0.5,
}
FLAT = {
    "embed": WEIGHTS["embed"],
    "layers.wq": WEIGHTS["layers"]["wq"],
    "layers.on": WEIGHTS["layers"]["on"],
    "scale": np.array(0.5),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "weights.safetensors"


def assert_equal(found, expected):
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()


def test_a_file_is_what_the_format_says(path):
    save_checkpoint(path, WEIGHTS)
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    assert header.keys() == FLAT.keys()
    dtypes = {name: (entry["dtype"], entry["shape"]) for name, entry in header.items()}
    assert dtypes == {
        "embed": ("F32", [2, 3]),
        "layers.wq": ("F16", [2, 2]),
        "layers.on": ("BOOL", [2]),
        "scale": ("F64", []),
    }
    for name, array in FLAT.items():
        begin, end = header[name]["data_offsets"]
        assert raw[start + begin : start + end] == array.tobytes()


def test_what_is_saved_is_loaded(path):
    save_checkpoint(path, WEIGHTS)
    assert_equal(load_checkpoint(path), FLAT)
    again = path.with_name("again")
    save_checkpoint(again, load_checkpoint(path))
    assert again.read_bytes() == path.read_bytes()


def test_a_file_by_hand_is_read(path):
    header = b'{"a":{"dtype":"I8","shape":[1,2],"data_offsets":[0,2]}}'
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\x01\xff")
    assert_equal(load_checkpoint(path), {"a": np.array([[1, -1]], np.int8)})


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3).T,
        np.arange(12, dtype=np.int64)[::-2],
        np.arange(6, dtype=">f4").reshape(2, 3),
        np.broadcast_to(np.float32(2), (3, 2)),
        np.array([1, 2, 3], ml_dtypes.bfloat16),
        np.array(7, np.int32),
    ],
    ids=["transposed", "backwards", "big-endian", "broadcast", "BF16", "scalar"],
)
def test_every_layout_keeps_its_values(path, array):
    save_checkpoint(path, {"a": array})
    loaded = load_checkpoint(path)["a"]
    assert loaded.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(loaded, array)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_every_bit_is_kept(path, dtype):
    array = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 1 / 3]).astype(dtype)
    save_checkpoint(path, {"a": array})
    assert_equal(load_checkpoint(path), {"a": array})


@pytest.mark.parametrize("cut", [0, 3, 8, 40, -1])
def test_a_file_that_is_cut_is_refused_by_name(path, cut):
    save_checkpoint(path, WEIGHTS)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ModelError) as raised:
        load_checkpoint(path)
    assert str(raised.value).startswith(f"{path} cannot be read as safetensors: ")


def test_a_header_of_2_to_the_60_bytes_is_refused(path):
    path.write_bytes((2**60).to_bytes(8, "little") + b"{}")
    with pytest.raises(ModelError, match="cannot be read as safetensors: .*header too large"):
        load_checkpoint(path)


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(ModelError) as raised:
            load_checkpoint(path)
        assert str(raised.value) == f"{path}: no such file"


def test_what_cannot_be_written_leaves_the_older_file_and_no_other(path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ModelError) as raised:
        save_checkpoint(path, WEIGHTS)
    assert str(raised.value) == f"{path} cannot be written: No space left on device"
    assert path.read_bytes() == b"old"
    assert [*path.parent.iterdir()] == [path]


def test_a_dtype_that_the_format_lacks_is_refused(path):
    with pytest.raises(ModelError, match="cannot be written"):
        save_checkpoint(path, {"a": np.zeros(2, np.complex128)})
    assert [*path.parent.iterdir()] == []
