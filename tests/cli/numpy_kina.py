"""The `kina` command with the tiny NumPy decoder in the place of a compiled library.

Environment variables make it slow where a test needs time: KINA_TEST_PREFILL_SECONDS spends about that
long in one native call that no signal cuts short, KINA_TEST_DECODE_SECONDS waits before each token.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).absolute().parents[1]))

import kina.generation.generator
from kina.cli.main import main
from reference.llama_numpy import NumpyProgram
from support import tiny_llama as tiny


class SlowProgram:
    """A program that takes its time."""

    def __init__(self, program: NumpyProgram) -> None:
        self.manifest = program.manifest
        self._program = program

    def __getattr__(self, name: str) -> Any:
        signature = getattr(self._program, name)

        def call(*arguments: Any) -> Any:
            if name == "decode":
                time.sleep(float(os.environ.get("KINA_TEST_DECODE_SECONDS", "0")))
            else:
                seconds = float(os.environ.get("KINA_TEST_PREFILL_SECONDS", "0"))
                if seconds:
                    # Compiled code that holds no lock of Python's, like a prefill; some 2 million
                    # rounds take a second.
                    hashlib.pbkdf2_hmac("sha256", b"", b"", int(seconds * 2e6))
            return signature(*arguments)

        return call


if __name__ == "__main__":
    program = SlowProgram(tiny.program(tiny.weights()))
    kina.generation.generator.load = lambda path, threads=None: program  # type: ignore[assignment]
    sys.exit(main())
