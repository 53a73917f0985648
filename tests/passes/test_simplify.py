"""Simplifying keeps every bit of every result; what it makes of small functions, by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from kina.dialect.ops import context
from kina.oracle.interpreter import interpret
from kina.passes.simplify import simplify
from support.evaluate import array
from support.ops_cases import CASES, Case, module_of
from support.values import Array

V = "tensor<6xf32>"
N = "tensor<i64>"


def function(parameters: Sequence[str], results: Sequence[str], body: str) -> ModuleOp:
    names = [f"%{chr(ord('a') + i)}: {type_}" for i, type_ in enumerate(parameters)]
    text = f"func.func @f({', '.join(names)}) -> ({', '.join(results)}) {{ {body} }}"
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def operations(module: ModuleOp) -> list[str]:
    """The names of what is left, in order, without the function and its return."""
    names = [op.name for op in module.walk()]
    return [name for name in names if name.startswith("kina.")]


def bits(module: ModuleOp, operands: Sequence[Array]) -> list[bytes]:
    return [x.tobytes() for x in interpret(module, operands)]


def simplified(module: ModuleOp) -> ModuleOp:
    simplify(module)
    module.verify()
    return module


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_case_keeps_its_bits(case: Case) -> None:
    module = module_of(case)
    before = bits(module, case.operands)
    assert bits(simplified(module), case.operands) == before
    text = str(module)
    assert str(simplified(module)) == text


@pytest.mark.parametrize(
    ("lower", "upper", "left"),
    [
        (0, 2, ["constant", "constant", "for", "exp", "yield"]),
        (2, 3, ["exp"]),
        (3, 3, []),
        (3, 2, []),
    ],
)
def test_a_loop_of_one_iteration_is_its_body(lower: int, upper: int, left: list[str]) -> None:
    module = function(
        [V],
        [V],
        f"""%l = kina.constant {{value = {lower} : i64}} : {N}
            %u = kina.constant {{value = {upper} : i64}} : {N}
            %r = kina.for %l, %u, %a : {N}, {N}, {V} -> {V} {{
            ^bb0(%i: {N}, %x: {V}):
              %y = kina.exp %x : {V} -> {V}
              kina.yield %y : {V}
            }}
            func.return %r : {V}""",
    )
    x = array([0.0, 1.0, -1.0, 0.5, 2.0, -3.0], "F32")
    before = bits(module, [x])
    assert operations(simplified(module)) == [f"kina.{name}" for name in left]
    assert bits(module, [x]) == before


def test_unused_operations_go() -> None:
    module = function(
        [V, N],
        [V],
        f"""%x = kina.exp %a : {V} -> {V}
        %y = kina.add %x, %a : {V}, {V} -> {V}
        %r = kina.for %b, %b, %y : {N}, {N}, {V} -> {V} {{
        ^bb0(%i: {N}, %c: {V}):
          kina.yield %c : {V}
        }}
        %z = kina.neg %a : {V} -> {V}
        func.return %z : {V}""",
    )
    assert operations(simplified(module)) == ["kina.neg"]


def test_equal_operations_are_one() -> None:
    module = function(
        [V],
        [V],
        f"""%x = kina.exp %a : {V} -> {V}
        %y = kina.exp %a : {V} -> {V}
        %z = kina.add %x, %y : {V}, {V} -> {V}
        func.return %z : {V}""",
    )
    assert operations(simplified(module)) == ["kina.exp", "kina.add"]


def test_a_loop_uses_what_is_outside() -> None:
    module = function(
        [V, N],
        [V, V],
        f"""%x = kina.exp %a : {V} -> {V}
        %r = kina.for %b, %b, %a : {N}, {N}, {V} -> {V} {{
        ^bb0(%i: {N}, %c: {V}):
          %y = kina.exp %a : {V} -> {V}
          %z = kina.exp %c : {V} -> {V}
          %s = kina.add %y, %z : {V}, {V} -> {V}
          kina.yield %s : {V}
        }}
        func.return %x, %r : {V}, {V}""",
    )
    left = operations(simplified(module))
    assert left == ["kina.exp", "kina.for", "kina.exp", "kina.add", "kina.yield"]


def loops(first: str, second: str) -> ModuleOp:
    """Two loops over the same carry; `first` and `second` are what they add to it."""
    loop = """%r{k} = kina.for %c, %d, %a : {N}, {N}, {V} -> {V} {{
        ^bb0(%i{k}: {N}, %x{k}: {V}):
          %y{k} = kina.add %x{k}, {added} : {V}, {V} -> {V}
          kina.yield %y{k} : {V}
        }}"""
    one = loop.format(k=1, added=first, N=N, V=V)
    two = loop.format(k=2, added=second, N=N, V=V)
    return function([V, V, N, N], [V, V], f"{one} {two} func.return %r1, %r2 : {V}, {V}")


def test_a_while_uses_what_is_outside() -> None:
    """The condition alone uses `%n`, the body alone `%y`; nothing uses `%z`."""
    module = function(
        [V, N],
        [V],
        f"""%n = kina.neg %b : {N} -> {N}
        %y = kina.neg %a : {V} -> {V}
        %z = kina.abs %a : {V} -> {V}
        %r, %m = kina.while %a, %b : {V}, {N} -> {V}, {N} {{
        ^bb0(%x: {V}, %i: {N}):
          %c = kina.compare %i, %n {{predicate = "lt"}} : {N}, {N} -> tensor<i1>
          kina.yield %c : tensor<i1>
        }} do {{
        ^bb0(%x: {V}, %i: {N}):
          %s = kina.add %x, %y : {V}, {V} -> {V}
          %o = kina.constant {{value = 1 : i64}} : {N}
          %j = kina.add %i, %o : {N}, {N} -> {N}
          kina.yield %s, %j : {V}, {N}
        }}
        func.return %r : {V}""",
    )
    x, n = array([1, 2, 3, 4, 5, 6], "F32"), np.array(-1)
    before = bits(module, [x, n])
    left = operations(simplified(module))
    assert left.count("kina.neg") == 2 and "kina.abs" not in left and "kina.while" in left
    assert bits(module, [x, n]) == before
    # -1 -> 0 -> 1: two steps of x - x_0
    assert interpret(module, [x, n])[0].tolist() == [-1, -2, -3, -4, -5, -6]


def whiles(first: tuple[str, str], second: tuple[str, str]) -> ModuleOp:
    """Two loops over the same carry, each with the limit of its condition and its step."""
    one, two = (
        f"""%r{k} = kina.while %a : {N} -> {N} {{
        ^bb0(%i: {N}):
          %h = kina.compare %i, {limit} {{predicate = "lt"}} : {N}, {N} -> tensor<i1>
          kina.yield %h : tensor<i1>
        }} do {{
        ^bb0(%i: {N}):
          %j = kina.add %i, {step} : {N}, {N} -> {N}
          kina.yield %j : {N}
        }} """
        for k, (limit, step) in enumerate((first, second))
    )
    return function([N, N, N], [N, N], f"{one} {two} func.return %r0, %r1 : {N}, {N}")


def test_whiles_are_equal_only_with_equal_conditions_and_bodies() -> None:
    for second, count in ((("%b", "%c"), 1), (("%c", "%c"), 2), (("%b", "%b"), 2)):
        module = simplified(whiles(("%b", "%c"), second))
        assert operations(module).count("kina.while") == count
    numbers = [np.array(n) for n in (0, 7, 3)]
    module = simplified(whiles(("%b", "%c"), ("%c", "%b")))
    # Steps of 3 to 7 or more, one step of 7 to 3 or more.
    assert [int(r) for r in interpret(module, numbers)] == [9, 7]


def test_loops_are_equal_only_with_equal_bodies() -> None:
    assert operations(simplified(loops("%b", "%b"))).count("kina.for") == 1
    assert operations(simplified(loops("%b", "%a"))).count("kina.for") == 2
    x, y = array(range(6), "F32"), array(range(10, 16), "F32")
    bounds = np.array(0), np.array(2)
    first, second = interpret(simplified(loops("%b", "%a")), [x, y, *bounds])
    assert first.tolist() == (x + 2 * y).tolist() and second.tolist() == (3 * x).tolist()


def test_equal_numbers_of_other_bits_stay_apart() -> None:
    """0.0 == -0.0, but 1 / 0.0 is inf and 1 / -0.0 is -inf."""
    module = function(
        ["tensor<f32>"],
        ["tensor<f32>", "tensor<f32>"],
        """%p = kina.constant {value = 0.0 : f32} : tensor<f32>
        %m = kina.constant {value = -0.0 : f32} : tensor<f32>
        %x = kina.div %a, %p : tensor<f32>, tensor<f32> -> tensor<f32>
        %y = kina.div %a, %m : tensor<f32>, tensor<f32> -> tensor<f32>
        func.return %x, %y : tensor<f32>, tensor<f32>""",
    )
    x, y = interpret(simplified(module), [array(1, "F32")])
    assert float(x) == np.inf and float(y) == -np.inf


@pytest.mark.parametrize(
    "body",
    [
        f"%x = kina.reshape %a : {V} -> {V}",
        f"%x = kina.transpose %a {{perm = array<i64: 0>}} : {V} -> {V}",
        f"%x = kina.broadcast %a : {V} -> {V}",
        f"%x = kina.cast %a : {V} -> {V}",
        f"%x = kina.concat %a {{axis = 0 : i64}} : {V} -> {V}",
        f"%x = kina.slice %a, %b : {V}, {N} -> {V}",
        f"%x = kina.update %c, %a, %b : {V}, {V}, {N} -> {V}",
        (
            f"%x = kina.pad %a, %d {{low = array<i64: 0>, high = array<i64: 0>}} "
            f": {V}, tensor<f32> -> {V}"
        ),
        (
            f"%y = kina.reshape %a : {V} -> tensor<2x3xf32> "
            f"%z = kina.reshape %y : tensor<2x3xf32> -> tensor<3x2xf32> "
            f"%x = kina.reshape %z : tensor<3x2xf32> -> {V}"
        ),
    ],
)
def test_what_moves_nothing_goes(body: str) -> None:
    module = function([V, N, V, "tensor<f32>"], [V], f"{body} func.return %x : {V}")
    assert operations(simplified(module)) == []
    operands = array(range(6), "F32"), np.array(4), array([9] * 6, "F32"), array(7, "F32")
    assert interpret(module, operands)[0].tolist() == list(range(6))


def test_casts_that_round_stay() -> None:
    module = function(
        [V],
        [V],
        f"""%x = kina.cast %a : {V} -> tensor<6xf16>
        %y = kina.cast %x : tensor<6xf16> -> {V}
        func.return %y : {V}""",
    )
    assert operations(simplified(module)) == ["kina.cast", "kina.cast"]
    third = array([1 / 3] * 6, "F32")
    assert interpret(module, [third])[0].tolist() == [0.333251953125] * 6  # 1365 / 4096


def test_transposes_merge_in_their_order() -> None:
    module = function(
        ["tensor<2x3x4xf32>"],
        ["tensor<3x4x2xf32>", "tensor<2x3x4xf32>"],
        """%x = kina.transpose %a {perm = array<i64: 2, 0, 1>} : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
        %y = kina.transpose %x {perm = array<i64: 2, 0, 1>} : tensor<4x2x3xf32> -> tensor<3x4x2xf32>
        %z = kina.transpose %y {perm = array<i64: 2, 0, 1>} : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
        func.return %y, %z : tensor<3x4x2xf32>, tensor<2x3x4xf32>""",
    )
    assert operations(simplified(module)) == ["kina.transpose"]
    x = array(np.arange(24).reshape(2, 3, 4), "F32")
    turned, back = interpret(module, [x])
    assert turned.tolist() == np.transpose(x, (1, 2, 0)).tolist() and back.tolist() == x.tolist()


def test_broadcasts_merge_and_constants_spread() -> None:
    module = function(
        ["tensor<3xf32>"],
        ["tensor<2x3xf32>", "tensor<2x3xf32>"],
        """%x = kina.broadcast %a : tensor<3xf32> -> tensor<1x3xf32>
        %y = kina.broadcast %x : tensor<1x3xf32> -> tensor<2x3xf32>
        %c = kina.constant {value = -0.0 : f32} : tensor<f32>
        %d = kina.reshape %c : tensor<f32> -> tensor<1x1xf32>
        %e = kina.broadcast %d : tensor<1x1xf32> -> tensor<2x3xf32>
        func.return %y, %e : tensor<2x3xf32>, tensor<2x3xf32>""",
    )
    assert operations(simplified(module)) == ["kina.broadcast", "kina.constant"]
    x, c = interpret(module, [array([1, 2, 3], "F32")])
    assert x.tolist() == [[1, 2, 3]] * 2 and np.signbit(c).all()


@pytest.mark.parametrize("dtype", ["i8", "i32", "i64"])
@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "rem", "max", "min"])
def test_integers_fold_to_what_would_run(op: str, dtype: str) -> None:
    """The operands as constants give the bits that they give as arguments."""
    name = dtype.upper()
    limits = np.iinfo(array(0, name).dtype)
    type_ = f"tensor<{dtype}>"
    apply = f"%r = kina.{op} %a, %b : {type_}, {type_} -> {type_} func.return %r : {type_}"
    running = function([type_, type_], [type_], apply)
    for a in (0, 1, -1, 7, -7, limits.min, limits.max):
        for b in (0, 1, -1, 2, -3, limits.min, limits.max):
            constants = "".join(
                f"%{n} = kina.constant {{value = {v} : {dtype}}} : {type_} "
                for n, v in (("a", a), ("b", b))
            )
            folded = simplified(function([], [type_], constants + apply))
            assert operations(folded) == ["kina.constant"]
            assert bits(folded, []) == bits(running, [array(a, name), array(b, name)])


@pytest.mark.parametrize("op", ["neg", "abs"])
def test_one_integer_folds(op: str) -> None:
    for value, expected in ((5, -5 if op == "neg" else 5), (-(2**63), -(2**63))):
        folded = function(
            [],
            [N],
            f"""%a = kina.constant {{value = {value} : i64}} : {N}
            %r = kina.{op} %a : {N} -> {N}
            func.return %r : {N}""",
        )
        assert operations(simplified(folded)) == ["kina.constant"]
        assert int(interpret(folded, [])[0]) == expected


@pytest.mark.parametrize(
    ("op", "left", "right"),
    [
        ("add", "%a", "%zero"),
        ("add", "%zero", "%a"),
        ("sub", "%a", "%zero"),
        ("mul", "%a", "%one"),
        ("mul", "%one", "%a"),
        ("div", "%a", "%one"),
    ],
)
def test_neutral_integers_go(op: str, left: str, right: str) -> None:
    module = function(
        [N],
        [N],
        f"""%zero = kina.constant {{value = 0 : i64}} : {N}
        %one = kina.constant {{value = 1 : i64}} : {N}
        %r = kina.{op} {left}, {right} : {N}, {N} -> {N}
        func.return %r : {N}""",
    )
    assert operations(simplified(module)) == []
    assert int(interpret(module, [np.array(-9)])[0]) == -9


@pytest.mark.parametrize(
    ("op", "left", "right"), [("sub", "%zero", "%a"), ("div", "%one", "%a"), ("add", "%a", "%one")]
)
def test_what_is_not_neutral_stays(op: str, left: str, right: str) -> None:
    module = function(
        [N],
        [N],
        f"""%zero = kina.constant {{value = 0 : i64}} : {N}
        %one = kina.constant {{value = 1 : i64}} : {N}
        %r = kina.{op} {left}, {right} : {N}, {N} -> {N}
        func.return %r : {N}""",
    )
    before = bits(module, [np.array(-9)])
    assert operations(simplified(module)) == ["kina.constant", f"kina.{op}"]
    assert bits(module, [np.array(-9)]) == before


def test_float_zeros_are_not_dropped() -> None:
    """-0.0 + 0.0 is 0.0, so `x + 0.0` is not `x`."""
    module = function(
        [V],
        [V],
        f"""%z = kina.constant {{value = 0.0 : f32}} : {V}
        %r = kina.add %a, %z : {V}, {V} -> {V}
        func.return %r : {V}""",
    )
    assert operations(simplified(module)) == ["kina.constant", "kina.add"]
    assert not np.signbit(interpret(module, [array([-0.0] * 6, "F32")])[0]).any()


def test_index_arithmetic_folds_through() -> None:
    """(2 * 3 + i) + 0 leaves one addition."""
    module = function(
        [N],
        [N],
        f"""%two = kina.constant {{value = 2 : i64}} : {N}
        %three = kina.constant {{value = 3 : i64}} : {N}
        %zero = kina.constant {{value = 0 : i64}} : {N}
        %six = kina.mul %two, %three : {N}, {N} -> {N}
        %x = kina.add %six, %a : {N}, {N} -> {N}
        %y = kina.add %x, %zero : {N}, {N} -> {N}
        func.return %y : {N}""",
    )
    assert operations(simplified(module)) == ["kina.constant", "kina.add"]
    assert int(interpret(module, [np.array(4)])[0]) == 10


def loop(yields: str) -> ModuleOp:
    """A loop that carries a, b and c, of which the first is returned."""
    types = ", ".join([V] * 3)
    return function(
        [V, V, V],
        [V],
        f"""%zero = kina.constant {{value = 0 : i64}} : {N}
        %three = kina.constant {{value = 3 : i64}} : {N}
        %r:3 = kina.for %zero, %three, %a, %b, %c : {N}, {N}, {types} -> {types} {{
        ^body(%i: {N}, %x: {V}, %y: {V}, %z: {V}):
          {yields}
        }}
        func.return %r#0 : {V}""",
    )


@pytest.mark.parametrize(
    ("yields", "kept"),
    [
        # Each by itself: only the first is needed.
        (
            """%s = kina.add %x, %x : V, V -> V
            %t = kina.exp %y : V -> V
            %u = kina.mul %t, %z : V, V -> V
            kina.yield %s, %t, %u : V, V, V""",
            1,
        ),
        # The first of the second.
        (
            """%s = kina.add %x, %y : V, V -> V
            kina.yield %s, %y, %s : V, V, V""",
            2,
        ),
        # The first of the second, which is made of the third an iteration before.
        ("kina.yield %y, %z, %x : V, V, V", 3),
        # Through a loop inside.
        (
            """%n = kina.constant {value = 2 : i64} : N
            %s = kina.for %i, %n, %x : N, N, V -> V {
            ^inner(%j: N, %w: V):
              %q = kina.add %w, %z : V, V -> V
              kina.yield %q : V
            }
            %t = kina.for %i, %n, %y : N, N, V -> V {
            ^other(%j: N, %w: V):
              %q = kina.add %w, %y : V, V -> V
              kina.yield %q : V
            }
            kina.yield %s, %t, %z : V, V, V""",
            2,
        ),
    ],
)
def test_what_a_loop_carries_for_nothing_goes(yields: str, kept: int) -> None:
    text = yields.replace("V", V).replace("N", N)
    operands = [array([1, -2, 0.5, 0, 3, -1], "F32") * scale for scale in (1, 0.25, 0.5)]
    before = bits(loop(text), operands)
    module = simplified(loop(text))
    (first,) = (op for op in module.body.block.first_op.body.block.ops if op.name == "kina.for")
    assert len(first.results) == kept
    assert bits(module, operands) == before


def test_a_carry_goes_whose_result_only_the_dead_use() -> None:
    """What uses it is a loop whose own carry nobody needs."""
    module = function(
        [V, V],
        [V],
        f"""%zero = kina.constant {{value = 0 : i64}} : {N}
        %three = kina.constant {{value = 3 : i64}} : {N}
        %r, %s = kina.for %zero, %three, %a, %b : {N}, {N}, {V}, {V} -> {V}, {V} {{
        ^body(%i: {N}, %x: {V}, %y: {V}):
          %t = kina.exp %x : {V} -> {V}
          %u = kina.mul %y, %x : {V}, {V} -> {V}
          kina.yield %t, %u : {V}, {V}
        }}
        %dead = kina.for %zero, %three, %s : {N}, {N}, {V} -> {V} {{
        ^other(%i: {N}, %x: {V}):
          %t = kina.mul %x, %s : {V}, {V} -> {V}
          kina.yield %t : {V}
        }}
        func.return %r : {V}""",
    )
    text = str(simplified(module))
    assert operations(module).count("kina.for") == 1 and "kina.mul" not in text
    assert str(simplified(module)) == text
