"""Each operation refuses what its rule refuses. The rules are the operations' docstrings."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from kina.dialect import ops as kina
from kina.dialect.dtypes import ELEMENT_TYPES, tensor

PARAMETERS = {
    "f": "f32",
    "n": "i64",
    "v": "3xf32",
    "i": "3xi64",
    "b": "3xi1",
    "m": "2x3xf32",
    "k": "3x2xf32",
    "d": "3x2xf64",
    "j": "2x3xi32",
    "c": "2x3xi1",
    "e": "0x3xf32",
    "s": "2xi16",
    "q": "?xf32",
    "x": "3xindex",
}


FAULTY_ATTRIBUTES = [
    ("%r = kina.constant {value = dense<1.0> : tensor<3xf32>} : <3xf32>", "dense"),
    ("%r = kina.softmax %m {axis = array<i64: 1>} : <2x3xf32> -> <2x3xf32>", "integer"),
    ("%r = kina.softmax %m {axis = 1 : i32} : <2x3xf32> -> <2x3xf32>", "i64"),
    ("%r = kina.sum %m {axes = 1 : i64, keepdims = true} : <2x3xf32> -> <2x1xf32>", "array"),
]
"""Refused while the text is read: an attribute of another kind."""


def parse(operation: str) -> ModuleOp:
    """A function over `PARAMETERS`, of this one operation; types are written `<3xf32>`."""
    text = re.sub(r"(?<=[ (])<(?=[0-9a-z?])", "tensor<", operation)
    parameters = ", ".join(f"%{name}: tensor<{type_}>" for name, type_ in PARAMETERS.items())
    return Parser(
        kina.context(), f"func.func @f({parameters}) {{ {text} func.return }}"
    ).parse_module()


LOOP = "%n, %n, %v : <i64>, <i64>, <3xf32> -> <3xf32>"


def loop(head: str, body: str = "kina.yield %u : <3xf32>") -> str:
    return f"%r = kina.for {head} {{ ^bb0(%t: <i64>, %u: <3xf32>): {body} }}"


def while_(
    head: str = "%v, %n : <3xf32>, <i64> -> <3xf32>, <i64>",
    arguments: str = "%t: <3xf32>, %u: <i64>",
    test: str = '%c0 = kina.compare %u, %u {predicate = "lt"} : <i64>, <i64> -> <i1> kina.yield %c0 : <i1>',
    body: str = "kina.yield %t, %u : <3xf32>, <i64>",
) -> str:
    regions = f"{{ ^bb0({arguments}): {test} }} do {{ ^bb0(%t: <3xf32>, %u: <i64>): {body} }}"
    return f"%r, %w = kina.while {head} {regions}"


def top_k(rest: str) -> str:
    return f"%r, %p = kina.top_k {rest}"


ACCEPTED = [
    loop(LOOP),
    while_(),
    "%r = kina.add %v, %v : <3xf32>, <3xf32> -> <3xf32>",
    "%r = kina.sum %m {axes = array<i64: 1>, keepdims = true} : <2x3xf32> -> <2x1xf32>",
    top_k("%m {k = 2 : i64, axis = 1 : i64} : <2x3xf32> -> <2x2xf32>, <2x2xi64>"),
    "%r = kina.slice %m, %n, %n : <2x3xf32>, <i64>, <i64> -> <1x2xf32>",
    "%r = kina.matmul %m, %k : <2x3xf32>, <3x2xf32> -> <2x2xf32>",
]

REFUSED = [
    # elementwise: one type, of a dtype that the operation takes
    ("%r = kina.neg %b : <3xi1> -> <3xi1>", "kina.neg does not take"),
    ("%r = kina.abs %b : <3xi1> -> <3xi1>", "kina.abs does not take"),
    ("%r = kina.not %v : <3xf32> -> <3xf32>", "kina.not does not take"),
    ("%r = kina.exp %i : <3xi64> -> <3xi64>", "kina.exp does not take"),
    ("%r = kina.log %i : <3xi64> -> <3xi64>", "kina.log does not take"),
    ("%r = kina.sqrt %i : <3xi64> -> <3xi64>", "kina.sqrt does not take"),
    ("%r = kina.rsqrt %i : <3xi64> -> <3xi64>", "kina.rsqrt does not take"),
    ("%r = kina.tanh %i : <3xi64> -> <3xi64>", "kina.tanh does not take"),
    ("%r = kina.sigmoid %i : <3xi64> -> <3xi64>", "kina.sigmoid does not take"),
    ("%r = kina.sin %i : <3xi64> -> <3xi64>", "kina.sin does not take"),
    ("%r = kina.cos %i : <3xi64> -> <3xi64>", "kina.cos does not take"),
    ("%r = kina.erf %i : <3xi64> -> <3xi64>", "kina.erf does not take"),
    *(
        (f"%r = kina.{op} %i : <3xi64> -> <3xi64>", f"kina.{op} does not take")
        for op in ("floor", "ceil", "round", "trunc")
    ),
    ("%r = kina.sign %b : <3xi1> -> <3xi1>", "kina.sign does not take"),
    ("%r = kina.isnan %i : <3xi64> -> <3xi1>", "kina.isnan does not take"),
    ("%r = kina.isinf %v : <3xf32> -> <3xf32>", "the result must be tensor<3xi1>"),
    ("%r = kina.exp %v : <3xf32> -> <3xf64>", "the result must be tensor<3xf32>"),
    ("%r = kina.exp %v : <3xf32> -> <1x3xf32>", "the result must be tensor<3xf32>"),
    ("%r = kina.add %v, %f : <3xf32>, <f32> -> <3xf32>", "kina.add takes operands of one type"),
    ("%r = kina.add %k, %d : <3x2xf32>, <3x2xf64> -> <3x2xf32>", "operands of one type"),
    ("%r = kina.add %v, %v : <3xf32>, <3xf32> -> <3xf64>", "the result must be tensor<3xf32>"),
    ("%r = kina.add %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.add does not take"),
    ("%r = kina.sub %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.sub does not take"),
    ("%r = kina.mul %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.mul does not take"),
    ("%r = kina.div %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.div does not take"),
    ("%r = kina.rem %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.rem does not take"),
    ("%r = kina.max %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.max does not take"),
    ("%r = kina.min %b, %b : <3xi1>, <3xi1> -> <3xi1>", "kina.min does not take"),
    ("%r = kina.pow %i, %i : <3xi64>, <3xi64> -> <3xi64>", "kina.pow does not take"),
    ("%r = kina.and %v, %v : <3xf32>, <3xf32> -> <3xf32>", "kina.and does not take"),
    ("%r = kina.or %i, %i : <3xi64>, <3xi64> -> <3xi64>", "kina.or does not take"),
    ('%r = kina.compare %v, %v {predicate = "lt"} : <3xf32>, <3xf32> -> <3xf32>', "<3xi1>"),
    ('%r = kina.compare %v, %i {predicate = "lt"} : <3xf32>, <3xi64> -> <3xi1>', "one type"),
    ('%r = kina.compare %v, %v {predicate = "<"} : <3xf32>, <3xf32> -> <3xi1>', "knows only"),
    ("%r = kina.compare %v, %v : <3xf32>, <3xf32> -> <3xi1>", "predicate"),
    ("%r = kina.select %v, %v, %v : <3xf32>, <3xf32>, <3xf32> -> <3xf32>", "Bool condition"),
    ("%r = kina.select %c, %v, %v : <2x3xi1>, <3xf32>, <3xf32> -> <3xf32>", "Bool condition"),
    ("%r = kina.select %b, %v, %i : <3xi1>, <3xf32>, <3xi64> -> <3xf32>", "one type"),
    ("%r = kina.select %b, %v, %v : <3xi1>, <3xf32>, <3xf32> -> <3xf64>", "the result must be"),
    ("%r = kina.cast %v : <3xf32> -> <1x3xf64>", "keeps the shape"),
    ("%r = kina.constant {value = 1.0 : f32} : <3xf64>", "not a f64"),
    ("%r = kina.constant {value = 1 : i64} : <3xf32>", "not a f32"),
    ("%r = kina.constant {value = 1 : i64} : <3xi32>", "not a i32"),
    # dtypes and shapes that Kina has not
    ("%r = kina.neg %s : <2xi16> -> <2xi16>", "no dtype for tensor<2xi16>"),
    ("%r = kina.neg %x : <3xindex> -> <3xindex>", "no dtype for tensor<3xindex>"),
    ("%r = kina.neg %q : <?xf32> -> <?xf32>", "sizes of at least 0"),
    ("%r = kina.cast %v : <3xf32> -> <3xi16>", "no dtype for tensor<3xi16>"),
    ("%r = kina.reshape %s : <2xi16> -> <2x1xi16>", "no dtype for tensor<2xi16>"),
    # axes
    ("%r = kina.sum %m {axes = array<i64: 2>, keepdims = false} : <2x3xf32> -> <2xf32>", "axis 2"),
    (
        "%r = kina.sum %m {axes = array<i64: -1>, keepdims = false} : <2x3xf32> -> <2xf32>",
        "axis -1",
    ),
    (
        "%r = kina.sum %m {axes = array<i64: 0, 0>, keepdims = false} : <2x3xf32> -> <3xf32>",
        "distinct",
    ),
    (
        "%r = kina.sum %m {axes = array<i64>, keepdims = false} : <2x3xf32> -> <2x3xf32>",
        "at least one",
    ),
    ("%r = kina.sum %m {axes = array<i64: 1>, keepdims = true} : <2x3xf32> -> <2xf32>", "2x1xf32"),
    ("%r = kina.sum %m {axes = array<i64: 1>, keepdims = false} : <2x3xf32> -> <2xf64>", "must be"),
    (
        "%r = kina.sum %c {axes = array<i64: 1>, keepdims = false} : <2x3xi1> -> <2xi1>",
        "does not take",
    ),
    ("%r = kina.mean %j {axes = array<i64: 1>, keepdims = false} : <2x3xi32> -> <2xi32>", "floats"),
    (
        "%r = kina.reduce_max %c {axes = array<i64: 1>, keepdims = false} : <2x3xi1> -> <2xi1>",
        "take",
    ),
    (
        "%r = kina.reduce_min %c {axes = array<i64: 1>, keepdims = false} : <2x3xi1> -> <2xi1>",
        "take",
    ),
    ("%r = kina.softmax %j {axis = 1 : i64} : <2x3xi32> -> <2x3xi32>", "softmax takes floats"),
    ("%r = kina.softmax %m {axis = 2 : i64} : <2x3xf32> -> <2x3xf32>", "axis 2"),
    ("%r = kina.softmax %f {axis = 0 : i64} : <f32> -> <f32>", "axis 0"),
    ("%r = kina.softmax %m {axis = 1 : i64} : <2x3xf32> -> <2xf32>", "the result must be"),
    ("%r = kina.softmax %m : <2x3xf32> -> <2x3xf32>", "axis"),
    (
        "%r = kina.argmax %m {axis = 1 : i64} : <2x3xf32> -> <2xi32>",
        "the result must be tensor<2xi64>",
    ),
    ("%r = kina.argmax %m {axis = 3 : i64} : <2x3xf32> -> <2xi64>", "axis 3"),
    ("%r = kina.argmax %e {axis = 0 : i64} : <0x3xf32> -> <3xi64>", "over nothing"),
    ("%r = kina.argmax %c {axis = 0 : i64} : <2x3xi1> -> <3xi64>", "does not take"),
    (top_k("%m {k = 4 : i64, axis = 1 : i64} : <2x3xf32> -> <2x4xf32>, <2x4xi64>"), "range 0..3"),
    (top_k("%m {k = -1 : i64, axis = 1 : i64} : <2x3xf32> -> <2x0xf32>, <2x0xi64>"), "range 0..3"),
    (top_k("%m {k = 1 : i64, axis = 2 : i64} : <2x3xf32> -> <2x1xf32>, <2x1xi64>"), "axis 2"),
    (top_k("%c {k = 1 : i64, axis = 1 : i64} : <2x3xi1> -> <2x1xi1>, <2x1xi64>"), "does not take"),
    (
        top_k("%m {k = 1 : i64, axis = 1 : i64} : <2x3xf32> -> <2x2xf32>, <2x1xi64>"),
        "the result must be tensor<2x1xf32>",
    ),
    (
        top_k("%m {k = 1 : i64, axis = 1 : i64} : <2x3xf32> -> <2x1xf32>, <2x1xi32>"),
        "the result must be tensor<2x1xi64>",
    ),
    (top_k("%m {axis = 1 : i64} : <2x3xf32> -> <2x1xf32>, <2x1xi64>"), "k"),
    ("%r = kina.iota {axis = 1 : i64} : <3xf32>", "axis 1"),
    ("%r = kina.iota {axis = 0 : i64} : <3xi1>", "makes numbers"),
    ("%r = kina.iota {axis = 0 : i64} : <f32>", "axis 0"),
    # shapes
    ("%r = kina.reshape %m : <2x3xf32> -> <5xf32>", "keeps the number of elements"),
    ("%r = kina.reshape %m : <2x3xf32> -> <6xf64>", "keeps the dtype"),
    ("%r = kina.transpose %m {perm = array<i64: 0, 0>} : <2x3xf32> -> <2x2xf32>", "no permutation"),
    ("%r = kina.transpose %m {perm = array<i64: 1>} : <2x3xf32> -> <3xf32>", "no permutation"),
    ("%r = kina.transpose %m {perm = array<i64: 1, 0>} : <2x3xf32> -> <2x3xf32>", "3x2xf32"),
    ("%r = kina.broadcast %v : <3xf32> -> <3x2xf32>", "does not broadcast"),
    ("%r = kina.broadcast %m : <2x3xf32> -> <3xf32>", "does not broadcast"),
    ("%r = kina.broadcast %v : <3xf32> -> <2x3xf64>", "keeps the dtype"),
    ("%r = kina.concat %v, %i {axis = 0 : i64} : <3xf32>, <3xi64> -> <6xf32>", "concat of"),
    ("%r = kina.concat %m, %k {axis = 0 : i64} : <2x3xf32>, <3x2xf32> -> <5x3xf32>", "concat of"),
    ("%r = kina.concat %v, %m {axis = 0 : i64} : <3xf32>, <2x3xf32> -> <5xf32>", "concat of"),
    ("%r = kina.concat %v, %v {axis = 1 : i64} : <3xf32>, <3xf32> -> <6xf32>", "axis 1"),
    (
        "%r = kina.concat %v, %v {axis = 0 : i64} : <3xf32>, <3xf32> -> <5xf32>",
        "must be tensor<6xf32>",
    ),
    ('%r = "kina.concat"() <{axis = 0 : i64}> : () -> <3xf32>', "concat of nothing"),
    ("%r = kina.slice %m, %n : <2x3xf32>, <i64> -> <1x2xf32>", "is no block of"),
    ("%r = kina.slice %m, %n, %n : <2x3xf32>, <i64>, <i64> -> <3x2xf32>", "is no block of"),
    ("%r = kina.slice %m, %n, %n : <2x3xf32>, <i64>, <i64> -> <2xf32>", "is no block of"),
    ("%r = kina.slice %m, %n, %n : <2x3xf32>, <i64>, <i64> -> <1x2xf64>", "keeps the dtype"),
    (
        "%r = kina.slice %m, %n, %f : <2x3xf32>, <i64>, <f32> -> <1x2xf32>",
        "index must be tensor<i64>",
    ),
    ("%r = kina.slice %v, %i : <3xf32>, <3xi64> -> <1xf32>", "index must be tensor<i64>"),
    (
        "%r = kina.update %m, %k, %n, %n : <2x3xf32>, <3x2xf32>, <i64>, <i64> -> <2x3xf32>",
        "no block",
    ),
    ("%r = kina.update %d, %k, %n, %n : <3x2xf64>, <3x2xf32>, <i64>, <i64> -> <3x2xf64>", "dtype"),
    (
        "%r = kina.update %v, %v, %f : <3xf32>, <3xf32>, <f32> -> <3xf32>",
        "index must be tensor<i64>",
    ),
    ("%r = kina.update %v, %v, %n : <3xf32>, <3xf32>, <i64> -> <3xf64>", "the result must be"),
    (
        "%r = kina.pad %v, %v {low = array<i64: 1>} : <3xf32>, <3xf32> -> <4xf32>",
        "scalar",
    ),
    (
        "%r = kina.pad %v, %n {low = array<i64: 1>} : <3xf32>, <i64> -> <4xf32>",
        "scalar",
    ),
    (
        "%r = kina.pad %v, %f {low = array<i64: -1>} : <3xf32>, <f32> -> <2xf32>",
        "pad of",
    ),
    (
        "%r = kina.pad %v, %f {low = array<i64: 1, 0>} : <3xf32>, <f32> -> <4xf32>",
        "pad of",
    ),
    (
        "%r = kina.pad %v, %f {low = array<i64: 1>} : <3xf32>, <f32> -> <3xf32>",
        "pad of",
    ),
    (
        "%r = kina.pad %v, %f {low = array<i64: 1>} : <3xf32>, <f32> -> <4x1xf32>",
        "keeps the rank",
    ),
    (
        "%r = kina.size {size = #builtin.int<3>} : <i32>",
        "must be",
    ),
    ("%r = kina.gather %m, %f : <2x3xf32>, <f32> -> <3xf32>", "I32 or I64 ids"),
    ("%r = kina.gather %f, %n : <f32>, <i64> -> <f32>", "at least one row"),
    ("%r = kina.gather %e, %n : <0x3xf32>, <i64> -> <3xf32>", "at least one row"),
    ("%r = kina.gather %m, %i : <2x3xf32>, <3xi64> -> <3x2xf32>", "must be tensor<3x3xf32>"),
    # matmul
    ("%r = kina.matmul %m, %m : <2x3xf32>, <2x3xf32> -> <2x3xf32>", "sums over axes of 3 and 2"),
    ("%r = kina.matmul %m, %d : <2x3xf32>, <3x2xf64> -> <2x2xf32>", "dtypes differ"),
    ("%r = kina.matmul %v, %v : <3xf32>, <3xf32> -> <f32>", "ranks 1 and 1"),
    ("%r = kina.matmul %v, %k : <3xf32>, <3x2xf32> -> <2xf32>", "ranks 1 and 2"),
    ("%r = kina.matmul %m, %k : <2x3xf32>, <3x2xf32> -> <2x3xf32>", "must be tensor<2x2xf32>"),
    # for
    (loop("%f, %n, %v : <f32>, <i64>, <3xf32> -> <3xf32>"), "index must be tensor<i64>"),
    (loop("%n, %i, %v : <i64>, <3xi64>, <3xf32> -> <3xf32>"), "index must be tensor<i64>"),
    (loop("%n, %n, %i : <i64>, <i64>, <3xi64> -> <3xi64>"), "the body takes i, then carry"),
    (loop("%n, %n, : <i64>, <i64>, ->").replace("%r =", ""), "the body takes i, then carry"),
    (loop("%n, %n, %v : <i64>, <i64>, <3xf32> -> <3xi64>"), "returns its carry"),
    (loop(LOOP, "kina.yield %i : <3xi64>"), "the carry keeps its types"),
    (loop(LOOP, "kina.yield"), "the carry keeps its types"),
    (loop(LOOP, "%w = kina.neg %u : <3xf32> -> <3xf32>"), "is not a terminator"),
    (loop(LOOP, "func.return"), "func.return"),
    (while_(arguments="%t: <3xf64>, %u: <i64>"), "both regions take the carry"),
    (while_(head="%n, %n : <i64>, <i64> -> <i64>, <i64>"), "both regions take the carry"),
    (while_(head="%v, %n : <3xf32>, <i64> -> <3xf32>, <3xi64>"), "returns its carry"),
    (while_(test="kina.yield %u : <i64>"), "a condition is tensor<i1>"),
    (while_(test="kina.yield %b : <3xi1>"), "a condition is tensor<i1>"),
    (while_(test="kina.yield %t, %u : <3xf32>, <i64>"), "a condition is tensor<i1>"),
    (while_(test="func.return"), "func.return"),
    (while_(body="kina.yield %u, %t : <i64>, <3xf32>"), "the carry keeps its types"),
    (while_(body="kina.yield %t : <3xf32>"), "the carry keeps its types"),
    (while_(body="func.return"), "func.return"),
    ("kina.yield %v : <3xf32>", "kina.yield"),
]


@pytest.mark.parametrize("operation", ACCEPTED)
def test_the_right_form_is_accepted(operation: str) -> None:
    parse(operation).verify()


@pytest.mark.parametrize(("operation", "message"), REFUSED)
def test_a_wrong_form_is_refused(operation: str, message: str) -> None:
    module = parse(operation)
    with pytest.raises(VerifyException) as refused:
        module.verify()
    assert message in str(refused.value)


@pytest.mark.parametrize(("operation", "message"), FAULTY_ATTRIBUTES)
def test_a_wrong_attribute_is_refused(operation: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(operation)


def test_each_operation_has_a_wrong_form() -> None:
    text = " ".join(operation for operation, _ in REFUSED)
    assert [op.name for op in kina.Kina.operations if f"{op.name}" not in text] == []


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (128, "I8"),
        (-129, "I8"),
        (2**31, "I32"),
        (2**63, "I64"),
        (1.5, "I64"),
        (float("nan"), "I64"),
        (float("inf"), "I32"),
        (2, "Bool"),
        (-1, "Bool"),
        (1e39, "F32"),
        (65520.0, "F16"),
        (1e39, "BF16"),
        (10**400, "F64"),
    ],
)
def test_a_constant_that_the_dtype_has_not(value: float, dtype: str) -> None:
    with pytest.raises(VerifyException, match="has no"):
        kina.ConstantOp(value, tensor(ELEMENT_TYPES[dtype], [3]))


def test_a_loop_without_a_body() -> None:
    block = Block(arg_types=[tensor(ELEMENT_TYPES["I64"], [])])
    empty = Block(arg_types=[tensor(ELEMENT_TYPES["I64"], [])])
    loop = kina.ForOp(block.args[0], block.args[0], [], empty)
    with pytest.raises(VerifyException, match="empty block"):
        loop.verify()
