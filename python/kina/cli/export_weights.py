"""`kina export-weights`: the weights of a model as a flat file, for hosts without Python."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kina.abi import Manifest, Signature
from kina.cli.main import UserError

VALUES: Sequence[str] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina export-weights`."""
    parser.epilog = (
        "The file holds every field of the record that the model's `decode` takes as its weights, as "
        "the compiled code reads it; python/kina/models/weight_file.py describes the format."
    )
    add = parser.add_argument
    add("--gguf", type=Path, required=True, metavar="FILE", help="the weights")
    add(
        "--model",
        type=Path,
        required=True,
        metavar="FILE",
        help="the compiled model, a .so for any processor",
    )
    add("-o", dest="out", type=Path, required=True, metavar="FILE", help="the file to write")


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    from kina.files import same_file
    from kina.models.config import check_program, is_tied, read_config
    from kina.models.errors import ModelError
    from kina.models.gguf_header import read_header
    from kina.models.weight_file import write_weight_file
    from kina.models.weights import load_weights
    from kina.runtime import LoadError, read_manifest

    a = arguments
    for source in (a.gguf, a.model):
        if same_file(source, a.out):
            raise UserError(f"{a.out} is the same file as {source}, which would be lost")
    try:
        header = read_header(a.gguf)
        config = read_config(header)
        decode = _decode(a.model, read_manifest(a.model))
        check_program(config, decode)
        weights = load_weights(header, config, tied=is_tied(decode))
        write_weight_file(a.out, decode, weights)
    except (LoadError, ModelError) as problem:
        raise UserError(str(problem)) from problem
    return 0


def _decode(path: Path, manifest: Manifest) -> Signature:
    try:
        return manifest.signature("decode")
    except KeyError:
        raise UserError(f"{path} is no model: it has no signature 'decode'") from None
