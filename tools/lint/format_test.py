"""Check that every Python file among the runfiles is formatted and free of what ruff reports.

usage: format_test.py RUFF CONFIG
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main(ruff: str, config: str) -> int:
    """Print what ruff says; 0 where it has nothing to say."""
    files = sorted(str(path) for path in Path().rglob("*.py"))
    if not files:
        print("no Python file to check")
        return 1
    options = ["--no-cache", "--config", config, *files]
    checks = [
        [ruff, "format", "--check", "--diff", *options],
        [ruff, "check", "--output-format=concise", *options],
    ]
    failed = [check for check in checks if subprocess.run(check, check=False).returncode]
    if failed:
        print("`bazel run //tools/lint:format` mends the layout and what ruff can fix")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
