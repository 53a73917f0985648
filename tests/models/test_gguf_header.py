"""GGUF headers, whole and broken. The format is ggml's docs/gguf.md."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import pytest
from gguf.constants import GGMLQuantizationType

from kina.models.errors import ModelError
from kina.models.gguf_header import read_header
from support import gguf_bytes as g
from support.artifacts import smollm2_gguf

F32 = GGMLQuantizationType.F32
VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def write(tmp_path):
    def write(data: bytes, name: str = "model.gguf") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def read_tensor(header, name: str) -> np.ndarray:
    tensor = header.tensors[name]
    with open(header.path, "rb") as file:
        file.seek(tensor.offset)
        return np.frombuffer(file.read(tensor.size), "<f4").reshape(tensor.shape)


@pytest.mark.parametrize("alignment", [None, 8, 16, 32, 64])
def test_tensors_lie_where_the_alignment_says_for_metadata_of_any_length(write, alignment):
    for extra in range(64):
        keys = [g.key("note", g.STRING, "x" * extra)]
        if alignment:
            keys.append(g.key("general.alignment", g.U32, alignment))
        tensors = {"a": g.f32(VALUES), "b": g.f32(-VALUES[:, :1])}
        path = write(g.file(keys, tensors, alignment or 32))
        header = read_header(path)
        np.testing.assert_array_equal(read_tensor(header, "a"), VALUES)
        np.testing.assert_array_equal(read_tensor(header, "b"), -VALUES[:, :1])
        for ours, theirs in zip(
            header.tensors.values(), gguf.GGUFReader(path).tensors, strict=True
        ):
            assert ours.offset == theirs.data_offset


def test_every_kind_of_metadata_is_read(write):
    keys = [
        g.key("u8", g.U8, 255),
        g.key("i8", g.I8, -128),
        g.key("u16", g.U16, 65535),
        g.key("i16", g.I16, -32768),
        g.key("u32", g.U32, 2**32 - 1),
        g.key("i32", g.I32, -(2**31)),
        g.key("u64", g.U64, 2**64 - 1),
        g.key("i64", g.I64, -(2**63)),
        g.key("f32", g.F32, 0.5),
        g.key("f64", g.F64, 0.1),
        g.key("yes", g.BOOL, True),
        g.key("text", g.STRING, "é🙂"),
        g.array("words", g.STRING, ["a", "", "b c"]),
        g.array("numbers", g.I32, [3, -1]),
        g.array("flags", g.BOOL, [True, False]),
        g.array("none", g.F64, []),
    ]
    metadata = dict(read_header(write(g.file(keys, {}))).metadata)
    arrays = {name: metadata.pop(name).tolist() for name in ("numbers", "flags", "none")}
    assert arrays == {"numbers": [3, -1], "flags": [True, False], "none": []}
    assert metadata == {
        "u8": 255, "i8": -128, "u16": 65535, "i16": -32768, "u32": 2**32 - 1, "i32": -(2**31),
        "u64": 2**64 - 1, "i64": -(2**63), "f32": 0.5, "f64": 0.1, "yes": True, "text": "é🙂",
        "words": ["a", "", "b c"],
    }  # fmt: skip


def test_the_real_header_equals_what_the_gguf_package_reads():
    path = smollm2_gguf()
    header, reader = read_header(path), gguf.GGUFReader(path)
    for name, value in header.metadata.items():
        expected = reader.fields[name].contents()
        assert (value.tolist() if isinstance(value, np.ndarray) else value) == expected, name
    assert len(header.metadata) == int(reader.fields["GGUF.kv_count"].contents())
    assert {t.name: (t.offset, t.size, t.type, t.shape) for t in header.tensors.values()} == {
        t.name: (t.data_offset, t.n_bytes, t.tensor_type, tuple(t.shape[::-1].tolist()))
        for t in reader.tensors
    }


KEY = g.key("k", g.U32, 1)
FIRST = g.description("a", [3, 2], F32, 0)
DATA = bytes(4096)


def tensor(*dims: int, rank: int | None = None) -> bytes:
    return g.header([], [g.description("a", dims, F32, 0, rank)]) + DATA


def value(kind: int, data: bytes) -> bytes:
    return g.header([g.string("k") + kind.to_bytes(4, "little") + data], []) + DATA


def u64(number: int) -> bytes:
    return number.to_bytes(8, "little")


BROKEN = {
    "another kind of file": (b"PK\x03\x04" + DATA, "not a GGUF file"),
    "version 1": (g.header([], [], version=1), "version 1; Kina reads 2 and 3"),
    "version 4": (g.header([], [], version=4), "version 4"),
    "big-endian": (g.header([], [], version=3 << 24), "big-endian"),
    "tensor count 2^63 - 1": (g.header([], [], tensor_count=2**63 - 1) + DATA, f"{2**63 - 1} tens"),
    "key count 2^63 - 1": (g.header([], [], key_count=2**63 - 1) + DATA, f"{2**63 - 1} metadata"),
    "one key too few": (g.header([KEY], [FIRST], key_count=0) + DATA, "tensor 'k'"),
    "a string of 2^60": (value(g.STRING, u64(2**60)), f"{2**60 + 45} expected for metadata key 'k'"),
    "a key of 2^60": (g.header([], [], key_count=1) + u64(2**60) + DATA, "name of metadata key 0"),
    "a key of 65536": (g.header([g.key("k" * 65536, g.U32, 1)], []) + DATA, "at most 65535"),
    "a key that is not UTF-8": (g.header([g.key(b"\xff", g.U32, 1)], []) + DATA, "not UTF-8"),
    "a value that is not UTF-8": (g.header([g.key("k", g.STRING, b"\xff")], []), "not UTF-8"),
    "a type of value that is none": (value(13, DATA), "unknown type 13"),
    "an array of a type that is none": (value(g.ARRAY, b"\x0d\0\0\0" + DATA), "unknown type 13"),
    "an array of 2^63 - 1 numbers": (
        value(g.ARRAY, b"\x04\0\0\0" + u64(2**63 - 1)), f"with {2**63 - 1} elements"
    ),
    "an array of 2^63 - 1 strings": (
        value(g.ARRAY, b"\x08\0\0\0" + u64(2**63 - 1)), f"with {2**63 - 1} elements"
    ),
    "nested arrays": (
        value(g.ARRAY, (b"\x09\0\0\0" + u64(1)) * 100), "'k' holds arrays in an array"
    ),
    "a key twice": (g.header([KEY, KEY], []) + DATA, "key 'k' is there twice"),
    "no dimension": (tensor(rank=0), "0 dimensions"),
    "five dimensions": (tensor(1, 1, 1, 1, 1), "5 dimensions"),
    "2^32 - 1 dimensions": (tensor(1, rank=2**32 - 1), f"{2**32 - 1} dimensions"),
    "a dimension of 0": (tensor(3, 0), "impossible dimensions [3, 0]"),
    "a dimension of -1": (tensor(3, -1), "impossible dimensions"),
    "a dimension of 2^42 + 1": (tensor(2**42 + 1), "impossible dimensions"),
    "a dimension of 2^63 - 1": (tensor(2**63 - 1), "impossible dimensions"),
    "a product of 2^168": (tensor(*[2**42] * 4), "expected for tensor 'a'"),
    "a type of tensor that is none": (
        g.header([], [g.description("a", [1], 999, 0)]) + DATA, "unknown type 999"
    ),
    "rows that are no whole blocks": (
        g.header([], [g.description("a", [33, 2], GGMLQuantizationType.Q4_0, 0)]) + DATA,
        "blocks of 32",
    ),
    "a tensor twice": (
        g.header([], [FIRST, g.description("a", [1], F32, 32)]) + DATA, "'a' is there twice"
    ),
    "tensors that overlap": (
        g.header([], [g.description("a", [9], F32, 0), g.description("b", [1], F32, 32)]) + DATA,
        "'b' overlaps",
    ),
    "an offset between places": (
        g.header([], [g.description("a", [1], F32, 4)]) + DATA, "no multiple of 32"
    ),
    "an offset of 2^63": (
        g.header([], [g.description("a", [1], F32, 2**63)]) + DATA, "expected for tensor 'a'"
    ),
    "alignment 0": (g.header([g.key("general.alignment", g.U32, 0)], [FIRST]) + DATA, "is 0; a p"),
    "alignment 3": (g.header([g.key("general.alignment", g.U32, 3)], [FIRST]) + DATA, "is 3; a p"),
    "alignment of a string": (
        g.header([g.key("general.alignment", g.STRING, "32")], [FIRST]) + DATA, "is '32'; a power"
    ),
    "alignment of a Bool": (
        g.header([g.key("general.alignment", g.BOOL, True)], [FIRST]) + DATA, "is True; a power"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_header_is_refused_by_one_message(write, name):
    data, message = BROKEN[name]
    with pytest.raises(ModelError) as refusal:
        read_header(write(data))
    assert message in str(refusal.value)
    assert str(refusal.value).startswith(str(write(data)))
    assert "\n" not in str(refusal.value)


def test_a_small_file_cut_anywhere_is_refused(write):
    whole = g.file(
        [g.array("k", g.STRING, ["ab", "c"]), KEY.replace(b"k", b"l")], {"a": g.f32(VALUES)}
    )
    read_header(write(whole))
    for size in range(len(whole)):
        with pytest.raises(ModelError, match=rf"cut short or corrupt: {size} bytes found, \d+ exp"):
            read_header(write(whole[:size]))


def test_the_real_file_cut_short_names_the_size_found_and_expected(tmp_path):
    real = smollm2_gguf()
    size = real.stat().st_size
    data = real.read_bytes()[: 2 << 20]
    inside_key = data.index(b"llama.context_length") + 5
    inside_description = data.index(b"blk.7.ffn_up.weight") + 25
    cut = tmp_path / "cut.gguf"
    for kept in (0, 3, 23, inside_key, inside_description, size - 1):
        cut.write_bytes(data[:kept])
        os.truncate(cut, kept)
        with pytest.raises(ModelError, match=rf"{kept} bytes found, \d+ expected"):
            read_header(cut)
    cut.write_bytes(data)
    os.truncate(cut, size - 1)
    with pytest.raises(ModelError, match=rf"{size - 1} bytes found, {size} expected for tensor"):
        read_header(cut)


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, message in (
        (tmp_path / "missing.gguf", "No such file"),
        (tmp_path, "not a regular file"),
        (tmp_path / "pipe", "not a regular file"),
        (tmp_path / "a\0b", "null byte"),
    ):
        with pytest.raises(ModelError, match=message):
            read_header(path)


def test_refusals_take_less_than_a_second_and_100_megabytes(tmp_path):
    """In a process of its own, where a signal or a peak of memory would show."""
    paths = []
    for index, (data, _) in enumerate(BROKEN.values()):
        paths.append(tmp_path / f"{index}.gguf")
        # As large as a real model, so that a wrong count may also lie inside the file.
        paths[-1].write_bytes(data)
        os.truncate(paths[-1], 1 << 30)
    program = (
        "import sys, time\n"
        "from kina.models.gguf_header import read_header\n"
        "from kina.models.errors import ModelError\n"
        "for path in sys.argv[1:]:\n"
        "    start = time.process_time()\n"
        "    try:\n"
        "        read_header(path)\n"
        "    except ModelError:\n"
        "        pass\n"
        "    print(time.process_time() - start)\n"
        "print(*[line.split()[1] for line in open('/proc/self/status') if 'VmHWM' in line])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *paths],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    *times, peak_kilobytes = [float(line) for line in run.stdout.split()]
    assert len(times) == len(BROKEN)
    assert max(times) < 1
    assert peak_kilobytes < 100 << 10
