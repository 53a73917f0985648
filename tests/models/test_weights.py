"""From the tensors of a file to the arrays of a program."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys

import numpy as np
import pytest
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

from kina.models.config import read_config
from kina.models.errors import ModelError
from kina.models.gguf_header import read_header
from kina.models.tokenizer import read_tokenizer
from kina.models.weights import READABLE_TYPES, load_weights
from support import gguf_bytes as g
from support import tiny_llama as tiny
from support.artifacts import smollm2_gguf

MODEL = tiny.weights()


@pytest.fixture
def load(tmp_path):
    def load(tensors: dict[str, g.Tensor], **options):
        path = tmp_path / "model.gguf"
        path.write_bytes(g.file(tiny.keys(), tensors))
        header = read_header(path)
        return load_weights(header, read_config(header), **options)

    return load


def test_every_array_comes_out_as_it_was_before_the_conversion(load):
    weights = load(tiny.tensors(MODEL))
    assert weights.keys() == MODEL.keys()
    np.testing.assert_array_equal(weights["embed"], MODEL["embed"])
    np.testing.assert_array_equal(weights["norm"], MODEL["norm"])
    assert weights["layers"].keys() == MODEL["layers"].keys()
    for name, array in MODEL["layers"].items():
        # wq and wk also show that the interleaved halves of a head are put back in order.
        np.testing.assert_array_equal(weights["layers"][name], array, err_msg=name)
        assert weights["layers"][name].flags.c_contiguous
        assert weights["layers"][name].ctypes.data % 64 == 0


def test_an_untied_model_has_its_own_output(load):
    output = g.f32(-MODEL["embed"])
    weights = load({**tiny.tensors(MODEL), "output.weight": output}, tied=False)
    np.testing.assert_array_equal(weights["output"], -MODEL["embed"])


def changed(name: str, tensor: g.Tensor | None) -> dict[str, g.Tensor]:
    tensors = {**tiny.tensors(MODEL), name: tensor}
    return {name: tensor for name, tensor in tensors.items() if tensor is not None}


@pytest.mark.parametrize("name", tiny.tensors(MODEL))
def test_a_missing_tensor_is_named(load, name):
    with pytest.raises(ModelError, match=f"tensor '{name}' is missing$"):
        load(changed(name, None))


def test_an_untied_model_without_an_output_is_refused(load):
    with pytest.raises(ModelError, match="tensor 'output.weight' is missing"):
        load(tiny.tensors(MODEL), tied=False)


@pytest.mark.parametrize("name", ["output.weight", "blk.2.attn_q.weight", "rope_freqs.weight"])
def test_a_tensor_to_spare_is_named(load, name):
    with pytest.raises(ModelError, match=f"tensor '{name}' has no place in the compiled program"):
        load(changed(name, g.f32(MODEL["norm"])))


def test_a_tensor_of_another_shape_is_refused_with_both(load):
    name = "blk.1.attn_k.weight"
    with pytest.raises(ModelError, match=r"shape \[8, 8\]; \[8, 16\] is expected"):
        load(changed(name, g.f32(np.zeros((8, 8)))))


@pytest.mark.parametrize("kind", ["I32", "F64", "I8"])
def test_a_tensor_that_holds_no_weights_is_refused(load, kind):
    kind = GGMLQuantizationType[kind]
    with pytest.raises(ModelError, match=f"'output_norm.weight' has type {kind.name}; Kina reads "):
        load(changed("output_norm.weight", g.zeros((tiny.D,), kind)))


def test_a_file_that_shrinks_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "model.gguf"
    data = tiny.gguf_file(MODEL)
    path.write_bytes(data)
    header = read_header(path)
    os.truncate(path, len(data) - 5)
    message = rf"cut short while it was read: {len(data) - 5} bytes found, {len(data)} expected"
    with pytest.raises(ModelError, match=message):
        load_weights(header, read_config(header))
    path.unlink()
    with pytest.raises(ModelError, match="No such file"):
        load_weights(header, read_config(header))


def test_any_byte_of_the_header_may_be_wrong(tmp_path):
    """Every outcome but one of our own messages is a failure of this test."""
    whole = tiny.gguf_file(MODEL)
    header_size = whole.index(b"output_norm.weight") + 60
    path = tmp_path / "model.gguf"
    generator = random.Random(7)
    refused = 0
    for _ in range(600):
        data = bytearray(whole)
        for _ in range(generator.choice((1, 1, 2, 8))):
            data[generator.randrange(header_size)] = generator.choice(
                (0, 1, 0x7F, 0x80, 0xFF, generator.randrange(256))
            )
        path.write_bytes(data)
        try:
            header = read_header(path)
            read_tokenizer(header).encode("hello wörld <|start|>")
            load_weights(header, read_config(header))
        except ModelError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 300


# One block of each type, and the values that ggml's ggml-common.h and ggml-quants.c give it.

HALF, ONE, EIGHTH = (struct.pack("<e", x) for x in (0.5, 1.0, 0.125))
CROSSED = bytes(j | (15 - j) << 4 for j in range(16))
"""Low nibbles 0 .. 15, high nibbles 15 .. 0."""
QUARTERS = 0b11_10_01_00
"""The numbers 0, 1, 2, 3 at shifts 0, 2, 4, 6."""
UP = list(range(16))
DOWN = UP[::-1]


def scales_3bit_blocks(scales: list[int]) -> bytes:
    """Sixteen numbers of 6 bits as a block of Q3_K packs them."""
    low = [scales[i] & 15 | (scales[i + 8] & 15) << 4 for i in range(8)]
    high = [sum((scales[i + 4 * j] >> 4) << 2 * j for j in range(4)) for i in range(4)]
    return bytes(low + high)


def scales_and_minima(scales: list[int], minima: list[int]) -> bytes:
    """Eight pairs of numbers of 6 bits as blocks of Q4_K and Q5_K pack them."""
    first = [scales[i] | (scales[i + 4] >> 4) << 6 for i in range(4)]
    second = [minima[i] | (minima[i + 4] >> 4) << 6 for i in range(4)]
    third = [scales[i + 4] & 15 | (minima[i + 4] & 15) << 4 for i in range(4)]
    return bytes(first + second + third)


SCALES, MINIMA = [3, 9, 17, 25, 33, 41, 55, 63], [60, 1, 50, 2, 40, 3, 33, 4]
# Sub-block by sub-block, 32 values each: low nibbles of 32 bytes, then their high nibbles.
NIBBLES = [[UP * 2, DOWN * 2][b % 2] for b in range(8)]

GOLDEN: dict[str, tuple[bytes, list[float]]] = {
    "F32": (struct.pack("<2f", 1e-40, -3.5), [struct.unpack("f", struct.pack("f", 1e-40))[0], -3.5]),
    # 0x3e00 is 1.5, 0x0001 the smallest number above 0, 0xfbff the lowest.
    "F16": (bytes.fromhex("003e 0100 fffb"), [1.5, 2.0**-24, -65504.0]),
    # The upper halves of float32 1.5 and -2.5.
    "BF16": (bytes.fromhex("c03f 20c0"), [1.5, -2.5]),
    "Q4_0": (HALF + CROSSED, [(q - 8) / 2 for q in UP + DOWN]),
    "Q4_1": (ONE + struct.pack("<e", -8) + CROSSED, [q - 8 for q in UP + DOWN]),
    # The fifth bit is set in the first 16 values.
    "Q5_0": (HALF + bytes.fromhex("ffff0000") + CROSSED,
             [q / 2 for q in UP] + [(q - 16) / 2 for q in DOWN]),
    "Q5_1": (ONE + struct.pack("<e", -16) + bytes.fromhex("0000ffff") + CROSSED,
             [q - 16 for q in UP] + [q for q in DOWN]),
    "Q8_0": (HALF + bytes(range(240, 256)) + bytes(range(112, 128)),
             [x / 2 for x in [*range(-16, 0), *range(112, 128)]]),
    # Sub-blocks of 16: scale s, minimum 15 - s; values 0, 1, 2, 3 in runs of 32, twice.
    "Q2_K": (bytes(s | (15 - s) << 4 for s in range(16)) + bytes([QUARTERS] * 64) + ONE + HALF,
             [s * (s // 2 % 4) - (15 - s) / 2 for s in range(16) for _ in range(16)]),
    # The mask's bits 0 to 3 are set: no 4 is taken off in the first half.
    "Q3_K": (bytes([0x0F] * 32) + bytes([QUARTERS] * 64)
             + scales_3bit_blocks([24 + s for s in range(16)]) + HALF,
             [(s - 8) * (s // 2 % 4 - (0 if s < 8 else 4)) / 2 for s in range(16) for _ in range(16)]),
    "Q4_K": (HALF + EIGHTH + scales_and_minima(SCALES, MINIMA) + CROSSED * 8,
             [SCALES[b] * q / 2 - MINIMA[b] / 8 for b in range(8) for q in NIBBLES[b]]),
    # The fifth bits of sub-block b are bit b of 32 bytes: set in the even ones.
    "Q5_K": (HALF + EIGHTH + scales_and_minima(SCALES, MINIMA) + bytes([0b01010101] * 32) + CROSSED * 8,
             [SCALES[b] * (q + 16 * (b % 2 == 0)) / 2 - MINIMA[b] / 8
              for b in range(8) for q in NIBBLES[b]]),
    # Per half: two runs of 32 low nibbles, then the same bytes' high ones; upper bits 0, 1, 2, 3.
    "Q6_K": (CROSSED * 8 + bytes([QUARTERS] * 64) + bytes(range(256 - 8, 256)) + bytes(range(8)) + HALF,
             [(s - 8) * ((UP if s % 8 < 4 else DOWN)[i] + 16 * (s // 2 % 4) - 32) / 2
              for s in range(16) for i in range(16)]),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(READABLE_TYPES))
def test_a_golden_block_of_each_type(tmp_path, kind):
    """The block fills the first embedding of a model whose other weights are 0."""
    block, expected = GOLDEN[kind.name]
    assert len(block) % GGML_QUANT_SIZES[kind][1] == 0
    d = 256
    shapes = {
        "attn_norm": (d,), "attn_q": (2, d), "attn_k": (2, d), "attn_v": (2, d), "attn_output": (d, 2),
        "ffn_norm": (d,), "ffn_gate": (1, d), "ffn_up": (1, d), "ffn_down": (d, 1),
    }  # fmt: skip
    tensors = {f"blk.0.{name}.weight": g.zeros(shape, GGMLQuantizationType.F32)
               for name, shape in shapes.items()}  # fmt: skip
    zeros = g.zeros((3, d), kind)
    tensors["token_embd.weight"] = g.Tensor((3, d), kind, block + zeros.data[len(block) :])
    tensors["output_norm.weight"] = g.zeros((d,), GGMLQuantizationType.F32)
    sizes = {
        "block_count": 1, "embedding_length": d, "feed_forward_length": 1, "attention.head_count": 1,
        "attention.head_count_kv": 1, "attention.key_length": 2, "vocab_size": 3,
    }  # fmt: skip
    replace = {f"llama.{name}": g.key(f"llama.{name}", g.U32, size) for name, size in sizes.items()}
    path = tmp_path / "model.gguf"
    path.write_bytes(g.file(tiny.keys(replace=replace), tensors))
    header = read_header(path)
    embed = load_weights(header, read_config(header))["embed"]
    np.testing.assert_array_equal(embed.reshape(-1)[: len(expected)], np.float32(expected))
    assert not embed[1:].any()


def test_loading_the_real_model_needs_little_more_memory_than_its_weights():
    program = (
        "import sys\n"
        "from kina.models.config import read_config\n"
        "from kina.models.gguf_header import read_header\n"
        "from kina.models.weights import load_weights\n"
        "header = read_header(sys.argv[1])\n"
        "weights = load_weights(header, read_config(header))\n"
        "arrays = [weights['embed'], weights['norm'], *weights['layers'].values()]\n"
        "print(sum(array.nbytes for array in arrays))\n"
        "for line in open('/proc/self/status'):\n"
        "    if line.startswith(('VmHWM', 'VmRSS')):\n"
        "        print(int(line.split()[1]) * 1024)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(smollm2_gguf())],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    weights, peak, resident = map(int, run.stdout.split())
    # The published count of parameters, 134,515,008, as float32.
    assert weights == 134_515_008 * 4
    assert resident < 1.12 * weights
    assert peak < 1.15 * weights
