"""From the arguments of a Python call to one value per parameter of a signature.

A record is one argument of the call and many parameters of the signature: `w.embed`,
`w.layers.wq`. It is given as a mapping or as an object with attributes, nested as the record is or
with dotted keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kina.abi import Parameter
from kina.runtime.errors import CallError


@dataclass(frozen=True)
class Leaf:
    """A parameter: one tensor."""

    position: int


@dataclass(frozen=True)
class Record:
    """Parameters that one argument, or one field of it, brings."""

    path: str
    fields: dict[str, Leaf | Record]


def arrange(parameters: Sequence[Parameter]) -> Record:
    """The arguments of a call, as the fields of a record without a name.

    Raises:
        ValueError: a name is given twice, or is a tensor and a record.
    """
    root = Record("", {})
    for position, parameter in enumerate(parameters):
        record = root
        *outer, last = parameter.name.split(".")
        for depth, name in enumerate(outer):
            inner = record.fields.setdefault(name, Record(".".join(outer[: depth + 1]), {}))
            if isinstance(inner, Leaf):
                raise ValueError(f"{'.'.join(outer[: depth + 1])} is a tensor and a record")
            record = inner
        if last in record.fields:
            raise ValueError(f"{parameter.name} comes twice")
        record.fields[last] = Leaf(position)
    return root


def bind(
    signature: str, root: Record, args: tuple[Any, ...], keywords: dict[str, Any], count: int
) -> list[Any]:
    """Sort the arguments of a call into one value for each of `count` parameters.

    Raises:
        CallError: an argument or a field is missing, unknown or given twice.
    """
    names = list(root.fields)
    if len(args) > len(names):
        raise CallError(
            f"{signature}: expected {_arguments(names)}, found {len(args)} positional arguments"
        )
    given = dict(zip(names, args, strict=False))
    for name, value in keywords.items():
        if name not in root.fields:
            raise CallError(f"{signature}: unknown argument {name!r}: expected {_arguments(names)}")
        if name in given:
            raise CallError(f"{signature}: parameter {name} is given twice")
        given[name] = value
    missing = [name for name in names if name not in given]
    if missing:
        raise CallError(
            f"{signature}: expected {_arguments(names)}, "
            f"found {len(given)}: missing {', '.join(missing)}"
        )

    values: list[Any] = [None] * count
    for name, field in root.fields.items():
        _spread(signature, field, given[name], values)
    return values


def _spread(signature: str, field: Leaf | Record, value: Any, values: list[Any]) -> None:
    if isinstance(field, Leaf):
        values[field.position] = value
    elif isinstance(value, Mapping):
        _spread_mapping(signature, field, value, values)
    else:
        for name, inner in field.fields.items():
            try:
                part = getattr(value, name)
            except AttributeError:
                raise CallError(
                    f"{signature}: parameter {field.path}: expected a record of "
                    f"{', '.join(field.fields)}, found {_article(type(value).__name__)} "
                    f"without {name!r}"
                ) from None
            _spread(signature, inner, part, values)


def _spread_mapping(
    signature: str, record: Record, value: Mapping[Any, Any], values: list[Any]
) -> None:
    used = set()
    for name, field in record.fields.items():
        if name in value:
            used.add(name)
            _spread(signature, field, value[name], values)
            continue
        dotted = _below(value, name + ".") if isinstance(field, Record) else {}
        if not dotted:
            raise CallError(
                f"{signature}: parameter {record.path}: the field {name!r} is missing: expected "
                f"{', '.join(record.fields)}, found {_keys(value)}"
            )
        used.update(f"{name}.{key}" for key in dotted)
        _spread(signature, field, dotted, values)
    if len(used) != len(value):
        extra = [key for key in value if key not in used]
        raise CallError(
            f"{signature}: parameter {record.path}: unknown field {_keys(extra)}: expected "
            f"{', '.join(record.fields)}"
        )


def _below(value: Mapping[Any, Any], prefix: str) -> dict[str, Any]:
    """The entries whose keys start with a prefix, without it."""
    return {
        key[len(prefix) :]: part
        for key, part in value.items()
        if isinstance(key, str) and key.startswith(prefix)
    }


def _arguments(names: Sequence[str]) -> str:
    if not names:
        return "no arguments"
    return f"{len(names)} argument{'s' if len(names) > 1 else ''} ({', '.join(names)})"


def _keys(keys: Any) -> str:
    names = [str(key) for key in keys]
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return shown or "no fields"


def _article(noun: str) -> str:
    return ("an " if noun[:1].lower() in "aeiou" else "a ") + noun
