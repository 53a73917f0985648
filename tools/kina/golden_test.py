"""Compare a golden with what the compiler emits, and have `mlir-opt` accept the golden.

usage: golden_test.py GOLDEN EMITTED MLIR_OPT
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path


def main(golden: Path, emitted: Path, mlir_opt: Path) -> int:
    """Print what is wrong; 0 where nothing is."""
    if not golden.is_file():
        print(f"no golden {golden}: run the kina_update_goldens of its package, and check it in")
        return 1
    expected, found = (path.read_text("utf-8").splitlines(True) for path in (golden, emitted))
    difference = list(difflib.unified_diff(expected, found, str(golden), "emitted"))
    if difference:
        sys.stdout.writelines(difference)
        print("The compiler emits other text; update_goldens beside the golden accepts it.")
    # Verifies the module by default, and prints nothing where it is well formed.
    verified = subprocess.run([mlir_opt.resolve(), golden, "-o", "/dev/null"], check=False)
    if verified.returncode:
        print(f"mlir-opt refuses {golden}")
    return int(bool(difference) or verified.returncode != 0)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
