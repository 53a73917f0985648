"""Count the tests of a Bazel run from its build events.

usage: summary.py EVENTS.json STATUS [FAULT ...]

STATUS is how Bazel ended. A test that Bazel found and that has no result, as one that could not be built, has
failed. So has every FAULT, and the build, where Bazel failed otherwise. Ends with 0 where tests ran and all passed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path


def count(events: Iterable[dict]) -> tuple[list[str], list[str]]:
    """The labels of the tests that passed, and of those that did not."""
    found: set[str] = set()
    passed: set[str] = set()
    for event in events:
        kind = event["id"]
        if "targetConfigured" in kind:
            if event.get("configured", {}).get("targetKind", "").endswith("_test rule"):
                found.add(kind["targetConfigured"]["label"])
        elif "testSummary" in kind:
            label = kind["testSummary"]["label"]
            found.add(label)
            if event.get("testSummary", {}).get("overallStatus") in ("PASSED", "FLAKY"):
                passed.add(label)
    return sorted(passed), sorted(found - passed)


def main(path: Path, status: int, faults: list[str]) -> int:
    """Print what failed, then the two numbers alone on a line."""
    with path.open(encoding="utf-8") as lines:
        passed, failed = count(json.loads(line) for line in lines)
    failed += faults
    if status and not failed:
        failed = [f"the build (Bazel ended with {status})"]
    for what in failed:
        print(f"failed: {what}")
    print(f"{len(passed)} passed, {len(failed)} failed")
    return int(bool(failed) or not passed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
