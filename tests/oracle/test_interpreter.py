"""The interpreter: loops, sharing of memory, errors. Expected values by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from kina.dialect.ops import context
from kina.oracle.interpreter import InterpretError, interpret
from support.evaluate import array
from support.ops_cases import CASES, Case, module_of
from support.values import Array

I64 = "tensor<i64>"
V3 = "tensor<3xf32>"
V1 = "tensor<1xf32>"


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def function(parameters: Sequence[str], results: Sequence[str], body: str) -> ModuleOp:
    """A function of `%a, %b, ..` with a body in the dialect's text."""
    names = [f"%{chr(ord('a') + i)}: {type_}" for i, type_ in enumerate(parameters)]
    return parse(f"func.func @f({', '.join(names)}) -> ({', '.join(results)}) {{ {body} }}")


def scalar(value: int) -> Array:
    return np.array(value, np.int64)


def test_two_names_of_one_array_stay_apart() -> None:
    """Both carries begin as one value; writing into one must not show in the other."""
    module = function(
        [I64, I64, V3, V1],
        [V3, V3],
        f"""%s = kina.add %c, %c : {V3}, {V3} -> {V3}
        %r:2 = kina.for %a, %b, %s, %s : {I64}, {I64}, {V3}, {V3} -> {V3}, {V3} {{
        ^bb0(%i: {I64}, %x: {V3}, %y: {V3}):
          %u = kina.update %x, %d, %i : {V3}, {V1}, {I64} -> {V3}
          kina.yield %u, %y : {V3}, {V3}
        }}
        func.return %r#0, %r#1 : {V3}, {V3}""",
    )
    x, p = array([1, 2, 3], "F32"), array([9], "F32")
    written, kept = interpret(module, [scalar(0), scalar(2), x, p])
    assert written.tolist() == [9, 9, 6] and kept.tolist() == [2, 4, 6]


def test_a_carry_that_the_body_also_sees_from_outside() -> None:
    """The body reads the first carry's own value, which its updates must not change."""
    module = function(
        [I64, I64, V3, V1],
        [V3],
        f"""%s = kina.add %c, %c : {V3}, {V3} -> {V3}
        %r = kina.for %a, %b, %s : {I64}, {I64}, {V3} -> {V3} {{
        ^bb0(%i: {I64}, %x: {V3}):
          %o = kina.slice %s, %a : {V3}, {I64} -> {V1}
          %q = kina.add %o, %d : {V1}, {V1} -> {V1}
          %u = kina.update %x, %q, %i : {V3}, {V1}, {I64} -> {V3}
          kina.yield %u : {V3}
        }}
        func.return %r : {V3}""",
    )
    x, p = array([1, 2, 3], "F32"), array([10], "F32")
    (result,) = interpret(module, [scalar(0), scalar(3), x, p])
    assert result.tolist() == [12, 12, 12]  # 2 * 1 + 10 at each place, never 12 + 10


def test_a_view_taken_before_an_update_keeps_its_values() -> None:
    module = function(
        [I64, V3, V1],
        ["tensor<3x1xf32>", V3],
        f"""%s = kina.add %b, %b : {V3}, {V3} -> {V3}
        %v = kina.reshape %s : {V3} -> tensor<3x1xf32>
        %u = kina.update %s, %c, %a : {V3}, {V1}, {I64} -> {V3}
        func.return %v, %u : tensor<3x1xf32>, {V3}""",
    )
    view, updated = interpret(module, [scalar(1), array([1, 2, 3], "F32"), array([9], "F32")])
    assert view.tolist() == [[2], [4], [6]] and updated.tolist() == [2, 9, 6]


def test_a_slice_taken_before_an_update_keeps_its_values() -> None:
    module = function(
        [I64, V3, V1],
        [V1, V3],
        f"""%s = kina.add %b, %b : {V3}, {V3} -> {V3}
        %v = kina.slice %s, %a : {V3}, {I64} -> {V1}
        %u = kina.update %s, %c, %a : {V3}, {V1}, {I64} -> {V3}
        func.return %v, %u : {V1}, {V3}""",
    )
    part, updated = interpret(module, [scalar(1), array([1, 2, 3], "F32"), array([9], "F32")])
    assert part.tolist() == [4] and updated.tolist() == [2, 9, 6]


def test_an_update_with_itself() -> None:
    module = function(
        [I64, V3],
        [V3],
        f"""%s = kina.add %b, %b : {V3}, {V3} -> {V3}
        %u = kina.update %s, %s, %a : {V3}, {V3}, {I64} -> {V3}
        func.return %u : {V3}""",
    )
    assert interpret(module, [scalar(1), array([1, 2, 3], "F32")])[0].tolist() == [2, 4, 6]


def test_results_are_the_callers_own() -> None:
    """An argument returned twice is two new arrays."""
    module = function([V3], [V3, V3], f"func.return %a, %a : {V3}, {V3}")
    x = array([1, 2, 3], "F32")
    first, second = interpret(module, [x])
    first[0] = 7
    assert x.tolist() == [1, 2, 3] and second.tolist() == [1, 2, 3]


def test_a_loop_counts_from_lower_to_before_upper() -> None:
    module = function(
        [I64, I64, I64],
        [I64],
        f"""%r = kina.for %a, %b, %c : {I64}, {I64}, {I64} -> {I64} {{
        ^bb0(%i: {I64}, %x: {I64}):
          %t = kina.add %x, %x : {I64}, {I64} -> {I64}
          %u = kina.add %t, %i : {I64}, {I64} -> {I64}
          kina.yield %u : {I64}
        }}
        func.return %r : {I64}""",
    )

    def run(lower: int, upper: int) -> int:
        return int(interpret(module, [scalar(lower), scalar(upper), scalar(1)])[0])

    assert run(0, 3) == ((1 * 2 + 0) * 2 + 1) * 2 + 2
    assert run(-2, 0) == (1 * 2 - 2) * 2 - 1
    assert run(3, 3) == 1 and run(5, 2) == 1


def test_a_condition_does_not_write_into_the_carry() -> None:
    """It may update what it is given: the body still gets what the carry was."""
    module = function(
        [V1, V3, I64],
        [V3],
        f"""%s = kina.add %b, %b : {V3}, {V3} -> {V3}
        %n = kina.constant {{value = 0 : i64}} : {I64}
        %r, %m = kina.while %s, %n : {V3}, {I64} -> {V3}, {I64} {{
        ^bb0(%x: {V3}, %i: {I64}):
          %u = kina.update %x, %a, %i : {V3}, {V1}, {I64} -> {V3}
          %t = kina.reduce_max %u {{axes = array<i64: 0>, keepdims = false}} : {V3} -> tensor<f32>
          %z = kina.constant {{value = 9.0 : f32}} : tensor<f32>
          %p = kina.compare %t, %z {{predicate = "eq"}} : tensor<f32>, tensor<f32> -> tensor<i1>
          %q = kina.compare %i, %c {{predicate = "lt"}} : {I64}, {I64} -> tensor<i1>
          %h = kina.and %p, %q : tensor<i1>, tensor<i1> -> tensor<i1>
          kina.yield %h : tensor<i1>
        }} do {{
        ^bb0(%x: {V3}, %i: {I64}):
          %o = kina.constant {{value = 1 : i64}} : {I64}
          %j = kina.add %i, %o : {I64}, {I64} -> {I64}
          %u = kina.update %x, %a, %j : {V3}, {V1}, {I64} -> {V3}
          kina.yield %u, %j : {V3}, {I64}
        }}
        func.return %r : {V3}""",
    )
    # 2 4 6: with a 9 in the condition alone, then at 1, then at 2, clamped from there on
    for limit, expected in ((0, [2, 4, 6]), (1, [2, 9, 6]), (2, [2, 9, 9]), (5, [2, 9, 9])):
        x = array([1, 2, 3], "F32")
        assert interpret(module, [array([9], "F32"), x, scalar(limit)])[0].tolist() == expected


def test_arguments_of_any_layout() -> None:
    module = function(
        [V3], [V3], f"%s = kina.add %a, %a : {V3}, {V3} -> {V3} func.return %s : {V3}"
    )
    wide = array([[1, 8], [2, 8], [3, 8]], "F32")
    locked = array([1, 2, 3], "F32")
    locked.flags.writeable = False
    for x in (wide[:, 0], array([3, 2, 1], "F32")[::-1], locked):
        assert interpret(module, [x])[0].tolist() == [2, 4, 6]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "f takes 1 arguments, found 0"),
        ([array([1, 2], "F32")], r"argument 0 of f is F32\[3\], found F32\[2\]"),
        ([array([1, 2, 3], "F64")], r"argument 0 of f is F32\[3\], found F64\[3\]"),
        ([array([1, 2, 3], "F32").astype(">f4")], r"argument 0 of f is F32\[3\], found >f4\[3\]"),
        ([[1.0, 2.0, 3.0]], r"argument 0 of f is F32\[3\], found F64\[3\]"),
    ],
)
def test_wrong_arguments(arguments: list[Array], message: str) -> None:
    module = function([V3], [V3], f"func.return %a : {V3}")
    with pytest.raises(InterpretError, match=message):
        interpret(module, arguments)


def test_a_module_holds_one_function() -> None:
    with pytest.raises(InterpretError, match="one function"):
        interpret(ModuleOp([]), [])
    with pytest.raises(InterpretError, match="one function"):
        interpret(parse("func.func private @f() -> ()"), [])


def test_an_operation_of_another_dialect() -> None:
    inner = ModuleOp([])
    module = function([], [], "func.return")
    block = module.body.block.first_op.body.block  # type: ignore[union-attr]
    block.insert_op_before(inner, block.first_op)
    with pytest.raises(InterpretError, match=r"builtin\.module has no meaning"):
        interpret(module, [])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_operation_changes_its_operands(case: Case) -> None:
    """Also: twice gives the same bits, and the results are of the declared types."""
    module = module_of(case)
    module.verify()
    before = [x.tobytes() for x in case.operands]
    first, second = interpret(module, case.operands), interpret(module, case.operands)
    assert [x.tobytes() for x in case.operands] == before
    assert [x.tobytes() for x in first] == [x.tobytes() for x in second]


def result_of(name: str) -> list[Any]:
    case = next(case for case in CASES if case.name == name)
    return [x.tolist() for x in interpret(module_of(case), case.operands)]


def test_loops_by_hand() -> None:
    assert result_of("for-fibonacci") == [55, 89]
    assert result_of("for-index-(0, 7)") == [21.0]
    assert result_of("for-index-(3, 1)") == [0.0]
    assert result_of("while-fibonacci-7") == [7, 21, 34]
    assert result_of("while-double-0")[0] == 0
    assert result_of("while-reads-what-it-updates") == [6, [-5] * 6 + [6, 7, 8]]
    assert result_of("for-last-index-(9223372036854775806, 9223372036854775807)") == [2**63 - 2]
    x, y = result_of("for-swap-(0, 0)")
    assert result_of("for-swap-(0, 7)") == [y, x]
