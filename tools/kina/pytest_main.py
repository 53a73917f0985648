"""Run pytest on the files of a test target.

Arguments are pytest's. Results go where Bazel reads them (XML_OUTPUT_FILE).
"""

from __future__ import annotations

import os
import sys

import pytest


def main(arguments: list[str]) -> int:
    """Run the tests; pytest's exit code, which is not 0 where no test ran."""
    # Only what the target names takes part: no plugin that happens to be installed.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = ["-p", "no:cacheprovider", "--import-mode=importlib", "-c", os.devnull]
    options += ["--rootdir", os.getcwd(), "--color=no", "--tb=short", "-q", "-rs"]
    if report := os.environ.get("XML_OUTPUT_FILE"):
        options += [f"--junitxml={report}"]
    if pattern := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        options += ["-k", pattern]
    if torch := os.environ.get("KINA_TORCH_SITE"):
        # Last, so that the locked packages are the ones in use.
        sys.path.append(torch)
    return pytest.main([*options, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
