"""What models spend their time in beside products runs on whole vectors, without a call of libm."""

import re
from pathlib import Path

import pytest

from kina.codegen import pipeline
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import emit

FUNCTIONS = {
    "softmax": "fn f(x: F32[64, 128]) -> F32[64, 128] { return softmax(x, axis=1) }",
    "rms_norm": """fn f(x: F32[64, 576], gain: F32[576]) -> F32[64, 576] {
      return x * broadcast(rsqrt(mean(x * x, axis=1, keepdims=true) + 1e-5)) * broadcast(gain)
    }""",
    "silu": "fn f(x: F32[64, 576]) -> F32[64, 576] { return x * sigmoid(x) }",
    "rope_angles": "fn f(x: F32[64, 32]) -> (F32[64, 32], F32[64, 32]) { return (sin(x), cos(x)) }",
    "reductions": """fn f(x: F32[64, 128]) -> (F32[64], F32[64], F32[128]) {
      return (max(x, axis=1), sum(x, axis=1), sum(x, axis=0))
    }""",
    "argmax": "fn f(x: F32[1, 49152]) -> I64[1] { return argmax(x, axis=1) }",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_runs_on_vectors_of_eight(tmp_path: Path, name: str) -> None:
    source = tmp_path / "program.kina"
    source.write_text(FUNCTIONS[name] + "\nexport f\n")
    processor, tools = target("x86-64-v3"), find_tools().code
    (emitted,) = emit(source, processor)
    ir = pipeline.llvm_ir(emitted.module, emitted.schedule, processor, tools)
    text = pipeline.assembly(ir, processor, tools)
    # AVX2's registers of 8 floats are called ymm; an instruction on all of them ends in `ps`.
    assert re.search(r"\bv(add|mul|max|cmp\w*|fn?madd\d+)ps\b.*ymm", text)
    calls = set(re.findall(r"\bcallq?\s+\*?([\w.]+)", text))
    assert calls <= {"malloc", "free", "f"}
