"""Action: one signature, from the golden level to an object file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kina.codegen.pipeline import build_object
from kina.codegen.targets import TargetError, target
from kina.codegen.tools import CodeTools, ToolError


def main(arguments: list[str] | None = None) -> int:
    """Write the object file of `--mlir` under `--schedule`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlir", type=Path, required=True)
    parser.add_argument("--schedule", type=Path, required=True)
    parser.add_argument("--target_cpu", required=True)
    parser.add_argument("--opt_level", type=int, choices=range(4), default=3)
    for tool in ("mlir_opt", "mlir_translate", "opt", "llc"):
        parser.add_argument(f"--{tool}", type=Path, required=True)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    options = parser.parse_args(arguments)
    tools = CodeTools(options.mlir_opt, options.mlir_translate, options.opt, options.llc)
    module = options.mlir.read_text(encoding="utf-8")
    script = options.schedule.read_text(encoding="utf-8")
    try:
        processor = target(options.target_cpu)
        build_object(module, script, processor, options.out, tools, options.opt_level)
    except (TargetError, ToolError) as problem:
        print(f"{options.mlir}: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
