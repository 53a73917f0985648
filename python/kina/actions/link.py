"""Action: link the objects of all signatures into the library, with its header and manifest."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kina.abi import ManifestError, manifest_to_json, signature_from_json
from kina.codegen.header import header
from kina.codegen.link import LinkError, link
from kina.codegen.manifest import manifest
from kina.codegen.targets import TargetError, target
from kina.codegen.tools import LinkTools, ToolError


def main(arguments: list[str] | None = None) -> int:
    """Write the library, the C header and the manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=Path, nargs="+", required=True)
    parser.add_argument("--fragments", type=Path, nargs="+", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--target_cpu", required=True)
    parser.add_argument("--lld", nargs="+", required=True, help="the linker's command")
    parser.add_argument("--llc", type=Path, required=True)
    parser.add_argument("--libomp", type=Path, required=True)
    parser.add_argument("--out_so", type=Path, required=True)
    parser.add_argument("--out_header", type=Path, required=True)
    parser.add_argument("--out_manifest", type=Path, required=True)
    options = parser.parse_args(arguments)
    tools = LinkTools(llc=options.llc, lld=tuple(options.lld), libomp=options.libomp)
    try:
        signatures = [
            signature_from_json(path.read_text(encoding="utf-8")) for path in options.fragments
        ]
        described = manifest(options.name, signatures, target(options.target_cpu))
        link(options.objects, described, options.out_so, tools)
    except (LinkError, ManifestError, TargetError, ToolError) as problem:
        print(f"{options.name}: {problem}", file=sys.stderr)
        return 1
    options.out_header.write_text(header(described), encoding="utf-8")
    options.out_manifest.write_text(manifest_to_json(described), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
