"""Action: check a program, and write each export at the golden level."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from kina.abi import signature_to_json
from kina.codegen.targets import TargetError, target
from kina.emit import emit
from kina.syntax.source import KinaError


def main(arguments: list[str] | None = None) -> int:
    """Write `<signature>.mlir`, `.schedule.mlir` and `.json` for every export of `--source`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--imports", type=Path, nargs="*", help="the files that it imports")
    parser.add_argument("--exports", required=True, help="names, with commas between them")
    parser.add_argument("--target_cpu", required=True)
    parser.add_argument("--out_dir", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        emitted = emit(options.source, target(options.target_cpu))
    except (KinaError, TargetError) as problem:
        print(problem, file=sys.stderr)
        if isinstance(problem, KinaError):
            _tell_of_srcs(problem, [options.source, *(options.imports or ())])
        return 1
    complaint = _compare([one.signature.name for one in emitted], options.exports.split(","))
    if complaint:
        print(f"{options.source}: error: {complaint}", file=sys.stderr)
        return 1
    for one in emitted:
        stem = options.out_dir / one.signature.name
        stem.with_suffix(".mlir").write_text(one.module, encoding="utf-8")
        stem.with_suffix(".schedule.mlir").write_text(one.schedule, encoding="utf-8")
        stem.with_suffix(".json").write_text(signature_to_json(one.signature), encoding="utf-8")
    return 0


def _tell_of_srcs(problem: KinaError, declared: list[Path]) -> None:
    """A file that Bazel was not told of is not there: say how to tell."""
    names = {os.path.normpath(path) for path in declared}
    for name in {os.path.normpath(d.span.source.name) for d in problem.diagnostics} - names:
        print(f"note: {name} is not among the srcs in BUILD", file=sys.stderr)


def _compare(found: list[str], declared: list[str]) -> str | None:
    """What differs between the exports of the source and those that BUILD declares."""
    missing = [name for name in declared if name not in found]
    if missing:
        return (
            f"BUILD lists {', '.join(missing)} among the exports, "
            f"the source exports only {', '.join(found)}"
        )
    extra = [name for name in found if name not in declared]
    if extra:
        return f"the source exports {', '.join(extra)} too: list that among the exports in BUILD"
    return None


if __name__ == "__main__":
    sys.exit(main())
