"""The flat file of weights, read back as its format is described."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from kina.abi import Parameter, Signature
from kina.models import weight_file
from kina.models.errors import ModelError
from kina.models.weight_file import write_weight_file
from support.weight_file import tensors

WEIGHTS = {
    "embed": np.arange(35, dtype=np.float32).reshape(7, 5),
    "layers": {
        "gain": np.array([[1.5, -2.5]], ml_dtypes.bfloat16),
        "größe": np.array([-1, 0, 7], np.int8),
    },
    "scale": np.array(0.25, np.float32),
}
DECODE = Signature(
    "decode",
    (
        Parameter("w.embed", "F32", (7, 5)),
        Parameter("w.layers.gain", "BF16", (1, 2)),
        Parameter("w.layers.größe", "I8", (3,)),
        Parameter("w.scale", "F32", ()),
        Parameter("token", "I64", (1,), index_bound=7),
    ),
    (),
)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "weights.bin"


def test_the_fields_of_the_record_come_back_by_their_names(path):
    write_weight_file(path, DECODE, WEIGHTS)
    found = tensors(path)
    expected = {
        "w.embed": WEIGHTS["embed"],
        "w.layers.gain": WEIGHTS["layers"]["gain"],
        "w.layers.größe": WEIGHTS["layers"]["größe"],
        "w.scale": WEIGHTS["scale"],
    }
    assert [*found] == [*expected]
    for name, array in expected.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_the_file_of_one_number_byte_by_byte(path):
    """Header, entry, no size as the rank is 0, the name at 80, the element at the next multiple of 64."""
    write_weight_file(
        path,
        Signature("decode", (Parameter("w.x", "F32", ()),), ()),
        {"x": np.array(1.0, np.float32)},
    )
    assert path.read_bytes() == (
        b"KINAWGTS"
        + bytes.fromhex("01 00000000000000  84 00000000000000  01 00000000000000")
        + b"F32\0\0\0\0\0"
        + bytes.fromhex("50 00000000000000  03 00000000000000")
        + bytes.fromhex("50 00000000000000  00 00000000000000  80 00000000000000")
        + b"w.x"
        + bytes(45)
        + bytes.fromhex("0000803f")
    )


def test_other_layouts_are_written_in_c_order(path):
    write_weight_file(path, DECODE, {**WEIGHTS, "embed": np.asfortranarray(WEIGHTS["embed"])})
    np.testing.assert_array_equal(tensors(path)["w.embed"], WEIGHTS["embed"])


@pytest.mark.parametrize(
    ("embed", "found"),
    [
        (None, "which is no weight of the file"),
        ({"a": WEIGHTS["scale"]}, "which is no weight of the file"),
        (np.zeros((5, 7), np.float32), r"the file gives F32\[5, 7\]"),
        (np.zeros((7, 5), np.float16), r"the file gives F16\[7, 5\]"),
    ],
)
def test_weights_that_the_program_does_not_take_are_refused(path, embed, found):
    weights = {**WEIGHTS, "embed": embed}
    with pytest.raises(ModelError, match=rf"^the program takes w.embed: F32\[7, 5\][,;] {found}$"):
        write_weight_file(path, DECODE, weights)
    assert not path.exists()


def test_an_older_file_is_replaced_also_behind_a_link(path):
    path.write_bytes(b"old")
    link = path.with_name("link")
    link.symlink_to(path.name)
    write_weight_file(link, DECODE, WEIGHTS)
    assert link.is_symlink()
    assert [*tensors(path)] == [p.name for p in DECODE.parameters[:-1]]


def test_a_file_gets_the_permissions_of_any_new_file(path):
    write_weight_file(path, DECODE, WEIGHTS)
    other = path.with_name("other")
    other.touch()
    assert path.stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize(
    "problem", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_what_cannot_be_completed_leaves_the_older_file_and_no_other(path, monkeypatch, problem):
    """The file system says only when it is asked that it is full; or the user interrupts."""

    def fail(descriptor: int) -> None:
        assert os.fstat(descriptor).st_size > 0
        raise problem

    path.write_bytes(b"old")
    monkeypatch.setattr(weight_file.os, "fsync", fail)
    with pytest.raises((ModelError, KeyboardInterrupt)) as raised:
        write_weight_file(path, DECODE, WEIGHTS)
    if isinstance(problem, OSError):
        assert str(raised.value) == f"{path} cannot be written: No space left on device"
    assert path.read_bytes() == b"old"
    assert [*path.parent.iterdir()] == [path]


def test_a_place_that_no_file_can_take_is_refused(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, reason in [
        (tmp_path, "it is a folder"),
        (pipe, "it is no regular file"),
        (Path(os.devnull), "it is no regular file"),
        (tmp_path / "none" / "weights.bin", "No such file or directory"),
        (pipe / "weights.bin", "Not a directory"),
    ]:
        with pytest.raises(ModelError) as raised:
            write_weight_file(path, DECODE, WEIGHTS)
        assert str(raised.value) == f"{path} cannot be written: {reason}"
    assert [*tmp_path.iterdir()] == [pipe]
