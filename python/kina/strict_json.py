"""JSON that somebody else wrote, read field by field: each has its type and range, or there is an error.

`json.loads` alone is no reader of files that may be damaged: it knows numbers of any length, lets a
name come twice, and hands out values of any type, which go wrong only where they are used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

_SHOWN = 60


class JsonError(ValueError):
    """The text is not what was expected; the message says where, in one line."""


def read_object(text: str) -> Object:
    """The object that a text is.

    Raises:
        JsonError: it is no JSON, or another value.
    """
    try:
        value = json.loads(text, object_pairs_hook=_pairs)
    except JsonError:
        raise
    except RecursionError:
        raise JsonError("brackets are nested too deeply") from None
    except ValueError as problem:  # no JSON, or a number of thousands of digits
        raise JsonError(str(problem)) from None
    return Object(value, "it")


class Object:
    """The fields of one object. A method reads the field of its type, or raises JsonError."""

    def __init__(self, value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise JsonError(f"{place} is {shown(value)}; an object is expected")
        self._fields: dict[str, Any] = value
        self._place = place

    def only(self, *names: str) -> None:
        """Refuse a field of any other name."""
        for name in self._fields:
            if name not in names:
                raise JsonError(f"{self._place} has the unknown field {shown(name)}")

    def text(self, name: str) -> str:
        value = self._get(name)
        if not isinstance(value, str):
            self._refuse(name, value, "a string")
        return value

    def flag(self, name: str) -> bool:
        value = self._get(name)
        if not isinstance(value, bool):
            self._refuse(name, value, "true or false")
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        return self._whole(name, self._get(name), least, most)

    def optional_text(self, name: str) -> str | None:
        return None if self._get(name) is None else self.text(name)

    def optional_whole_or_text(self, name: str, least: int, most: int) -> int | str | None:
        value = self._get(name)
        return (
            value
            if value is None or isinstance(value, str)
            else self._whole(name, value, least, most)
        )

    def wholes_or_texts(self, name: str, least: int, most: int) -> list[int | str]:
        """An array of numbers in `least .. most` and of strings."""
        return [
            value if isinstance(value, str) else self._whole(f"{name}[{i}]", value, least, most)
            for i, value in enumerate(self._array(name))
        ]

    def objects(self, name: str) -> list[Object]:
        place = self._inner(name)
        return [Object(value, f"{place}[{i}]") for i, value in enumerate(self._array(name))]

    def numbers(self, name: str) -> Mapping[str, float]:
        """An object of numbers that are floats, Infinity and NaN among them."""
        found = Object(self._get(name), self._inner(name))._fields
        for key, value in found.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                self._refuse(f"{name}.{key}", value, "a number")
        try:
            return {key: float(value) for key, value in found.items()}
        except OverflowError:
            raise JsonError(f"{self._inner(name)} holds a number beyond every float") from None

    def _array(self, name: str) -> list[Any]:
        value = self._get(name)
        if not isinstance(value, list):
            self._refuse(name, value, "an array")
        return value

    def _whole(self, name: str, value: Any, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            self._refuse(name, value, f"a whole number in {least} to {most}")
        return value

    def _get(self, name: str) -> Any:
        if name not in self._fields:
            raise JsonError(f"{self._inner(name)} is missing")
        return self._fields[name]

    def _refuse(self, name: str, value: Any, expected: str) -> NoReturn:
        raise JsonError(f"{self._inner(name)} is {shown(value)}; {expected} is expected")

    def _inner(self, name: str) -> str:
        return name if self._place == "it" else f"{self._place}.{name}"


def shown(value: object) -> str:
    """A value for a message: on one line, and of a length that can be read."""
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return "a number of many digits"
    text = repr(value[: _SHOWN + 1] if isinstance(value, str | list) else value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} .."


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise JsonError("a field comes twice in an object")
    return fields
