"""Gradients of random programs, in which operations and loops meet that no other test brings together."""

from __future__ import annotations

from gradients import Case, assert_gradient, program, signatures
from hypothesis import given, settings
from hypothesis import strategies as st

# Expressions of F64[2, 3] in others, each of magnitude 1 for such operands; `h` is what a loop
# carries, or a parameter outside of one.
LEAVES = ["a", "b", "h", "sin(a * h)", "full([2, 3], 0.5, dtype=F64)"]
SHAPES = [
    "tanh({0} + {1})",
    "({0} - {1}) * 0.5",
    "{0} * {1}",
    "tanh({0} @ transpose({1}) @ {2})",
    "tanh(w[i % 2] @ {0})",
    "max({0}, {1})",
    "softmax({0}, axis=1) * {1}",
    "{0} / ({1} * {1} + 1.0)",
    "broadcast(mean({0}, axis=0, keepdims=true), [2, 3]) + {1} * 0.5",
    "broadcast(max({0}, axis=[0, 1]), [2, 3]) * {1}",
    "select({0} < {1}, {1}, {2})",
    "reshape(transpose({0}), [2, 3])",
    "gather({0}, ids)",
    "gather(tanh(concat({0}, {1}, axis=0)), ids + broadcast(i, [2]))",
    "update({0}, slice({1}, at=[i, 1], size=[1, 2]), at=[0, i])",
    "slice(pad({0}, low=[1, 0], high=[0, 2], value=mean({1}, axis=[0, 1])), at=[0, i], size=[2, 3])",
    "(for i in 0..3 with h = {0} {{ yield tanh({1} + h) }})",
    "(for i in 1..3 with h = {0} {{ yield sin({1}) * {2} }})",
]
EXPRESSIONS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.builds(str.format, st.sampled_from(SHAPES), inner, inner, inner),
    max_leaves=10,
)


# The same programs every time: where a `select` or `max` turns within a step, there is no slope.
@settings(max_examples=60, deadline=None, derandomize=True)
@given(EXPRESSIONS)
def test_the_gradient_is_the_slope(expression: str) -> None:
    parameters = "a: F64[2, 3], b: F64[2, 3], h: F64[2, 3], w: F64[2, 2, 2], ids: I64[2], i: I64[]"
    case = Case("random", parameters, "[2, 3]", expression)
    assert_gradient(signatures(program(case)), {"ids": [1, 1], "i": 1}, {}, step=1e-4)
