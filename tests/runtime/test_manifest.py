"""A manifest that somebody else wrote: every field has its type and its range, or the text is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from kina.abi import (
    Manifest,
    ManifestError,
    Parameter,
    Result,
    Signature,
    manifest_from_json,
    manifest_to_json,
)
from kina.sizes import Symbol, symbol

S = symbol("S", 1, 8)
GOOD = Manifest(
    "p",
    "x86-64",
    "x86_64-unknown-linux-gnu",
    (
        Signature(
            "f",
            (
                Parameter("w.a", "F32", (S, 3), donated=True),
                Parameter("i", "I64", (), index_bound=S),
            ),
            (Result("F32", (S, 3), alias="w.a"),),
            constants={"eps": 1e-5, "low": -math.inf, "n": 3.0},
            open=(Symbol("S", 1, 8),),
        ),
    ),
    "by hand",
)


def changed(change: Callable[[dict[str, Any]], None]) -> str:
    data = json.loads(manifest_to_json(GOOD))
    change(data)
    return json.dumps(data)


def setting(*path: Any, value: Any) -> str:
    """The good manifest with one value of it replaced."""

    def change(data: dict[str, Any]) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return changed(change)


def test_the_good_one_is_read() -> None:
    assert manifest_from_json(manifest_to_json(GOOD)) == GOOD


SIGNATURE = ("signatures", 0)
PARAMETER = (*SIGNATURE, "parameters", 0)
RESULT = (*SIGNATURE, "results", 0)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (["target_cpu"], 0, "target_cpu is 0; a string is expected"),
        (["compiler"], ["x"] * 10**6, "compiler is .{,80}; a string"),
        (["abi"], True, "abi is True; a whole number"),
        (["signatures"], {}, "signatures is {}; an array is expected"),
        (["more"], 1, "it has the unknown field 'more'"),
        (SIGNATURE, [], r"signatures\[0\] is \[\]; an object is expected"),
        ((*SIGNATURE, "name"), None, r"signatures\[0\].name is None; a string"),
        ((*SIGNATURE, "constants", "eps"), 10**400, "constants holds a number beyond every float"),
        ((*SIGNATURE, "constants", "eps"), "1", "constants.eps is '1'; a number"),
        ((*SIGNATURE, "constants", "eps"), True, "constants.eps is True; a number"),
        ((*SIGNATURE, "open", 0, "least"), -1, "least is -1; a whole number in 0 to"),
        ((*SIGNATURE, "open", 0, "most"), math.inf, "most is inf; a whole number"),
        ((*PARAMETER, "name"), [], r"parameters\[0\].name is \[\]; a string"),
        ((*PARAMETER, "dtype"), "F33", "unknown dtype 'F33'"),
        ((*PARAMETER, "dtype"), {}, "dtype is {}; a string"),
        ((*PARAMETER, "shape"), [math.inf], r"shape\[0\] is inf; a whole number"),
        ((*PARAMETER, "shape"), [-4], r"shape\[0\] is -4; a whole number"),
        ((*PARAMETER, "shape"), [2.0], r"shape\[0\] is 2.0; a whole number"),
        ((*PARAMETER, "shape"), [10**400], "shape.0. is a number of many digits; a whole number"),
        ((*PARAMETER, "shape"), ["T"], "'T' is no size"),
        ((*PARAMETER, "shape"), ["9" * 5000], "is no size"),
        ((*PARAMETER, "donated"), 1, "donated is 1; true or false"),
        ((*PARAMETER, "index_bound"), math.inf, "index_bound is inf; a whole number"),
        ((*RESULT, "alias"), [], r"alias is \[\]; a string"),
    ],
)
def test_a_field_of_another_type_or_range(path: list[Any], value: Any, told: str) -> None:
    with pytest.raises(ManifestError, match=told) as caught:
        manifest_from_json(setting(*path, value=value))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Expecting value"),
        ("[]", r"it is \[\]; an object is expected"),
        ("[" * 10**5, "nested too deeply"),
        ('{"abi": ' + "1" * 5000 + "}", "digits"),
        ('{"abi": 1, "abi": 1}', "comes twice"),
        ("{}", "abi is missing"),
        (changed(lambda data: data["signatures"][0].pop("results")), "results is missing"),
    ],
)
def test_text_that_is_no_manifest(text: str, told: str) -> None:
    with pytest.raises(ManifestError, match=told):
        manifest_from_json(text)
