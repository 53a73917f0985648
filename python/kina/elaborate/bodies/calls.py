"""Calls: of operations, by their rules, and of functions, which are inlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block
from xdsl.utils.exceptions import VerifyException

from kina.elaborate.bodies.environment import Elaborator, Environment, Frame
from kina.elaborate.bodies.hints import to_type
from kina.elaborate.bodies.naming import generics_here, sizes_here
from kina.elaborate.bodies.operations import RULES
from kina.elaborate.bodies.operations.arguments import Arguments, Operand
from kina.elaborate.bodies.results import as_tensor, counted, parts
from kina.elaborate.names.entities import File, FunctionEntity, no_file, part_of, with_giver
from kina.elaborate.types.declared import (
    RecordType,
    Type,
    field_types,
    resolve,
    show_declared,
    told_apart,
)
from kina.elaborate.types.inference import Given, bind_generics
from kina.elaborate.types.limits import TooLarge
from kina.elaborate.types.sizes import bindings
from kina.elaborate.types.values import (
    PlaceholderValue,
    RecordValue,
    TensorValue,
    TupleValue,
    Value,
    describe,
    named,
)
from kina.elaborate.types.wording import quoted, written_sizes
from kina.sizes import Size
from kina.syntax import tree
from kina.syntax.source import KinaError, Note, error


def call(body: Elaborator, node: tree.Call) -> Value:
    """The result of a call, whose form was checked with the names."""
    rule = RULES.get(node.callee.text)
    if rule is None:
        return _call_function(body, node)
    try:
        return rule.apply(Arguments(rule, node, body))
    except VerifyException as problem:  # a rule that misses what the dialect refuses
        raise error(f"{rule.name}: {problem}", node.span) from None


def _call_function(body: Elaborator, node: tree.Call) -> Value:
    file = body.environment.file
    name = node.callee.text
    in_main = body.placeholders is not None and not body.frames
    export = file.exports.get(name) if in_main and not node.dims else None
    if (unknown := no_file(node.callee, file)) is not None:
        raise unknown
    function = file.names[name if export is None else export.function.text]
    assert isinstance(function, FunctionEntity)
    dims = node.dims if export is None else export.dims
    generics = body.environment.generics
    explicit = bindings(dims, file, generics)
    values = [_argument(body, argument.value) for argument in node.arguments]
    while len(values) < len(function.node.parameters):  # a final `...`
        values.append(Operand(PlaceholderValue(node.span), node.span))
    given = [_given(value) for value in values]
    try:
        bound = bind_generics(function, explicit, given, node.span)
        shown = ", ".join(f"{name} = {value}" for name, value in bound.items())
        message = f"{function.name} is called here" + (f" with {shown}" if shown else "")
        result = inline(body, function, bound, values, Note(message, node.span))
    except KinaError as problem:
        raise _with_giver(problem, name, file) from None
    here = generics_here(function, dims, values)
    returned = result.parts if isinstance(result, TupleValue) else (result,)
    renamed = tuple(
        named(value, sizes_here(declared, function, here))
        for value, declared in zip(returned, function.node.results)
    )
    return TupleValue(renamed) if isinstance(result, TupleValue) else renamed[0]


def _with_giver(problem: KinaError, name: str, file: File) -> KinaError:
    """What is wrong about a call of a part's function, with the place where the part is given."""
    part = part_of(name, file)
    if part is None or isinstance(problem, TooLarge):
        return problem
    return KinaError(with_giver(diagnostic, part) for diagnostic in problem.diagnostics)


def _argument(body: Elaborator, expression: tree.Expression) -> Operand:
    if isinstance(expression, tree.Placeholder):
        return Operand(PlaceholderValue(expression.span), expression.span)
    return body.operand(expression)


def _given(argument: Operand) -> Given:
    value = argument.value
    type_ = value.type if isinstance(value, TensorValue | RecordValue) else None
    shown = None if isinstance(value, PlaceholderValue) else describe(value)
    return Given(type_, shown, argument.span)


def inline(
    body: Elaborator,
    function: FunctionEntity,
    generics: Mapping[str, Size],
    arguments: Sequence[Operand],
    note: Note,
) -> Value:
    """The result of a function; its operations are added to the block. The note says why.

    Raises:
        KinaError: an argument is wrong; or empty, where the error was reported inside.
    """
    if any(frame.function is function for frame in body.frames):
        names = [frame.function.name for frame in body.frames]
        cycle = " calls ".join([*names[names.index(function.name) :], function.name])
        assert note.span is not None
        raise error(f"functions do not recur: {cycle}; repetition is a for", note.span)
    inner = Environment(function.file, generics)
    for parameter, argument in zip(function.node.parameters, arguments):
        type_ = resolve(parameter.type, function.file, generics)
        value = _coerce(body, function, parameter, type_, argument)
        inner.values[parameter.name.text] = named(value, written_sizes(parameter.type.sizes or ()))
    with body.within(inner, Frame(function, note)):
        try:
            return _results(body, function, generics)
        except TooLarge:
            raise
        except KinaError as problem:
            body.report(problem)
            raise KinaError([]) from None


def _coerce(
    body: Elaborator,
    function: FunctionEntity,
    parameter: tree.Typed,
    type_: Type,
    argument: Operand,
) -> Value:
    """An argument as a value of the parameter's type."""
    value = argument.value
    if isinstance(value, PlaceholderValue):
        assert body.placeholders is not None
        return parameter_value(body.placeholders, type_)
    if isinstance(type_, RecordType):
        if isinstance(value, RecordValue) and value.type == type_:
            return value
    elif (coerced := as_tensor(body, argument, type_)) is not None:
        return coerced
    name = parameter.name.text
    wanted, found = show_declared(type_, parameter.type), describe(value)
    if isinstance(type_, RecordType) and isinstance(value, RecordValue):
        wanted, other = told_apart(type_, value.type)
        found = f"the record {other}"
    expected = f"{function.name} expects '{name}' to be {wanted}"
    note = Note(f"'{name}' is declared here", parameter.name.span)
    hint = ""
    if not isinstance(type_, RecordType):
        hint = to_type(value, argument.span, type_, sizes_here(parameter.type, function, {}))
    elif isinstance(value, RecordValue) and value.type.sizes and not type_.sizes:
        hint = f"; one of them is {quoted(argument.span)}[i]"
    raise error(f"{expected}, found {found}{hint}", argument.span, note)


def parameter_value(block: Block, type_: Type) -> Value:
    """A value that comes from outside: new arguments of a block."""
    if isinstance(type_, RecordType):
        fields = field_types(type_).items()
        return RecordValue(type_, {name: parameter_value(block, inner) for name, inner in fields})
    return TensorValue(block.insert_arg(type_, len(block.args)), type_)


def _results(body: Elaborator, function: FunctionEntity, generics: Mapping[str, Size]) -> Value:
    """The body of a function, and its results checked against their declaration."""
    node = function.node
    expected = [resolve(result, function.file, generics) for result in node.results]
    returned = body.statements(node.body)
    assert returned is not None  # the parser demands a return
    found = parts(returned, node.body)
    if len(found) != len(expected):
        message = f"{function.name} declares {counted(len(expected), 'result')}"
        raise error(f"{message}, found {len(found)}", returned.span)
    results = [
        _result(body, function, part, type_, declared)
        for part, type_, declared in zip(found, expected, node.results)
    ]
    return results[0] if len(results) == 1 else TupleValue(tuple(results))


def _result(
    body: Elaborator,
    function: FunctionEntity,
    part: Operand,
    type_: Type,
    declared: tree.TypeExpression,
) -> Value:
    if isinstance(type_, RecordType):
        raise error(f"a function returns tensors, found the record {type_}", declared.span)
    value = as_tensor(body, part, type_)
    if value is None:
        found = f"expected {show_declared(type_, declared)}, found {describe(part.value)}"
        hint = to_type(part.value, part.span, type_, written_sizes(declared.sizes or ()))
        note = Note("the result is declared here", declared.span)
        raise error(f"{function.name} returns: {found}{hint}", part.span, note)
    return value
