"""A checkpoint: a program's weights in a safetensors file.

Each tensor has the name of its field in the record, with dots where records are nested: `embed`,
`layers.wq`. Compiled programs take a mapping with such keys as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from kina.files import completed
from kina.models.errors import ModelError


def save_checkpoint(path: str | os.PathLike[str], weights: Mapping[str, Any]) -> None:
    """Write weights, arrays or mappings of them, as the file `path`.

    Equal weights give equal bytes. The file takes its name once it is complete. Raises ModelError where
    it cannot be written.
    """
    # The package writes an array's memory as it lies, so that must be in the order of the format.
    tensors = {name: np.asarray(value, order="C") for name, value in fields(weights)}
    try:
        with completed(path) as file:
            file.write(save(tensors))
    except OSError as error:
        raise ModelError(f"{path} cannot be written: {error.strerror or error}") from error
    except (SafetensorError, ValueError) as error:  # a dtype of no file; a NUL in the path
        raise ModelError(f"{str(path)!r} cannot be written: {error}") from error


def load_checkpoint(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """The weights of a safetensors file, nested ones under dotted keys.

    Raises ModelError where the file cannot be read or is none.
    """
    try:
        if not Path(path).is_file():  # else the package's message is about memory maps
            raise ModelError(f"{path}: no such file")
        weights: dict[str, np.ndarray] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read as safetensors: {error}") from error
    return weights


def fields(weights: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each array of weights with its dotted name, in their order."""
    for name, value in weights.items():
        if isinstance(value, Mapping):
            yield from fields(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value
