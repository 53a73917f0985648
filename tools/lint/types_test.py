"""Check the types of the package `kina` with `mypy --strict`.

usage: types_test.py PYTHON FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def main(python: str, folder: str) -> int:
    """Print what mypy says; 0 where it has nothing to say."""
    options = ["--strict", "--config-file=", f"--cache-dir={os.devnull}"]
    # mypy asks this interpreter where packages are: it sees those of the lock and no others.
    options += [f"--python-executable={Path(python).absolute()}"]
    return subprocess.run([python, "-m", "mypy", *options, folder], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
