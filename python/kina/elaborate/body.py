"""Bodies of functions to operations: statements, expressions, calls and loops.

Every call is inlined, so one `Body` elaborates a signature whole, however many functions it goes
through. An error ends its statement only; the names that the statement would have introduced are
poisoned, and what depends on them stays silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from kina.dialect import ops
from kina.dialect.dtypes import Tensor, tensor
from kina.elaborate import constants, types
from kina.elaborate.builder import Builder
from kina.elaborate.constants import Constant
from kina.elaborate.entities import ConstEntity, DimEntity, File, FunctionEntity, kind
from kina.elaborate.inference import Given, bind_generics
from kina.elaborate.limits import DEEPEST, MOST_STEPS, TooLarge
from kina.elaborate.operations import RULES
from kina.elaborate.operations.arguments import Arguments, Operand
from kina.elaborate.operations.contraction import matmul
from kina.elaborate.operations.elementwise import OPERATORS, binary, negate
from kina.elaborate.operations.indexing import element, leading_indices
from kina.elaborate.suggest import did_you_mean
from kina.elaborate.types import RecordType, Type
from kina.elaborate.values import (
    PlaceholderValue,
    Poison,
    RecordValue,
    TensorValue,
    TupleValue,
    Value,
    describe,
)
from kina.syntax import tree
from kina.syntax.source import Diagnostic, KinaError, Note, Span, error


@dataclass
class Environment:
    """What names mean at one point of one function."""

    file: File
    generics: Mapping[str, int] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)

    def inner(self) -> Environment:
        """The same names, where new ones do not reach outside."""
        return Environment(self.file, self.generics, dict(self.values))


@dataclass(frozen=True)
class Frame:
    """A function that is being inlined, and the note that says why."""

    function: FunctionEntity
    note: Note


class Body:
    """Elaborates one signature, or `main`, into the block of a builder."""

    def __init__(self, builder: Builder, environment: Environment) -> None:
        self.builder = builder
        self.environment = environment
        self.frames: list[Frame] = []
        self.diagnostics: list[Diagnostic] = []
        self.reached: set[FunctionEntity] = set()
        self.placeholders: Block | None = None
        """Where `main` takes the values of its placeholders from."""
        self._depth = 0
        self._steps = 0

    # What the rules of operations need

    def emit(self, operation: Operation, span: Span) -> TensorValue:
        return self.builder.emit(operation, span)

    def splat(
        self, constant: Constant, dtype: str, shape: Sequence[int], span: Span
    ) -> TensorValue:
        return self.builder.splat(constant, dtype, shape, span)

    def index(self, number: int) -> SSAValue:
        return self.builder.index(number)

    def evaluate(self, expression: tree.Expression) -> Value:
        """The value of an expression; the operations that it takes are added to the block."""
        self._depth += 1
        self._steps += 1
        try:
            if self._depth > DEEPEST:
                message = f"nested more than {DEEPEST} levels deep, counted through the calls"
                raise TooLarge(message, expression.span)
            if self._steps > MOST_STEPS:
                message = f"more than {MOST_STEPS} steps once every call is inlined"
                raise TooLarge(message, expression.span)
            value = self._evaluate(expression)
        finally:
            self._depth -= 1
        if isinstance(value, Poison):
            raise KinaError([])
        return value

    def _evaluate(self, expression: tree.Expression) -> Value:
        match expression:
            case tree.Number(value=number):
                return Constant(number, "I64" if isinstance(number, int) else "F32")
            case tree.Boolean(value=truth):
                return constants.boolean(truth)
            case tree.Name():
                return self._name(expression)
            case tree.Negation():
                return negate(self, self.operand(expression.operand), expression.span)
            case tree.Binary():
                return self._chain(expression)
            case tree.Call():
                return self._call(expression)
            case tree.FieldAccess():
                return self._field(expression)
            case tree.IndexAccess():
                return self._element(expression)
            case tree.For():
                return self._for(expression)
            case tree.TupleExpression(parts=parts):
                return TupleValue(tuple(self.evaluate(part) for part in parts))
            case tree.Placeholder():
                raise error("a placeholder is an argument of main's calls", expression.span)
            case tree.ListExpression():
                raise error("a list is an argument of an operation", expression.span)

    def operand(self, expression: tree.Expression) -> Operand:
        return Operand(self.evaluate(expression), expression.span)

    # Statements

    def statements(self, body: Sequence[tree.Statement]) -> Operand | None:
        """Elaborate the statements; the operand of the `return` or `yield` at the end.

        Raises:
            KinaError: empty, where the result depends on an error that was reported before.
        """
        for statement in body:
            match statement:
                case tree.Let():
                    with self._reporting(statement):
                        self._let(statement)
                case tree.Evaluate():
                    with self._reporting(statement):
                        self.evaluate(statement.value)
                case tree.Return() | tree.Yield():
                    return self.operand(statement.value)
        return None

    @contextmanager
    def _reporting(self, statement: tree.Let | tree.Evaluate) -> Iterator[None]:
        try:
            yield
        except TooLarge:
            raise
        except KinaError as problem:
            self.report(problem)
            if isinstance(statement, tree.Let):
                for name in statement.names:
                    self.environment.values[name.text] = Poison()

    def report(self, problem: KinaError) -> None:
        """Keep what is wrong, with the calls that led there."""
        for diagnostic in problem.diagnostics:
            for frame in reversed(self.frames):
                diagnostic = diagnostic.with_note(frame.note)
            self.diagnostics.append(diagnostic)

    def _let(self, statement: tree.Let) -> None:
        value = self.evaluate(statement.value)
        names = statement.names
        if len(names) == 1:
            self._bind(names[0], self._single(Operand(value, statement.value.span)))
            return
        found = len(value.parts) if isinstance(value, TupleValue) else 1
        if not isinstance(value, TupleValue) or found != len(names):
            message = f"expected {len(names)} values for {len(names)} names, found {found}"
            raise error(message, statement.value.span)
        for name, part in zip(names, value.parts):
            self._bind(name, self._single(Operand(part, statement.value.span)))

    def _single(self, operand: Operand) -> Value:
        """A value that a name can stand for."""
        match operand.value:
            case TupleValue(parts=parts):
                names = ", ".join("abcdefgh"[: len(parts)])
                hint = f"take them apart with let ({names}) = ..."
                raise error(f"expected one value, found {len(parts)}; {hint}", operand.span)
            case TensorValue() | Constant() | RecordValue():
                return operand.value
        raise error(f"expected a value with a shape, found {describe(operand.value)}", operand.span)

    def _bind(self, name: tree.Identifier, value: Value) -> None:
        if isinstance(value, TensorValue) and value.ssa.name_hint is None:
            value.ssa.name_hint = name.text
        self.environment.values[name.text] = value

    # Names, fields, elements, operators

    def _name(self, name: tree.Name) -> Value:
        environment = self.environment
        if name.text in environment.values:
            return environment.values[name.text]
        if name.text in environment.generics:
            return constants.integer(environment.generics[name.text])
        entity = environment.file.names.get(name.text)
        if isinstance(entity, DimEntity | ConstEntity):
            return types.entity_value(entity, name.span)
        if entity is not None:
            raise error(f"expected a value, found {kind(entity)} '{name.text}'", name.span)
        raise error(f"unknown name '{name.text}'", name.span)

    def _chain(self, expression: tree.Binary) -> Value:
        """A chain of operators, along its left spine."""
        chain = [expression]
        while isinstance(chain[-1].left, tree.Binary):
            chain.append(chain[-1].left)
        left = self.operand(chain[-1].left)
        for node in reversed(chain):
            right = self.operand(node.right)
            if node.operator in OPERATORS:
                value = binary(self, node.operator, left, right, node.operator_span)
            else:
                value = matmul(self, left, right, node.operator_span)
            left = Operand(value, node.span)
        return left.value

    def _field(self, access: tree.FieldAccess) -> Value:
        base = self.evaluate(access.base)
        if not isinstance(base, RecordValue):
            message = f"expected a record before '.{access.field.text}', found {describe(base)}"
            raise error(message, access.base.span)
        value = base.fields.get(access.field.text)
        if value is None:
            hint = did_you_mean(access.field.text, base.fields)
            record = base.type.entity.node.name.text
            message = f"the record {record} has no field '{access.field.text}'{hint}"
            raise error(message, access.field.span)
        return self._pick(value, base.indices, access.span)

    def _pick(self, value: Value, indices: tuple[SSAValue, ...], span: Span) -> Value:
        """A field of an element of an array of records."""
        if not indices:
            return value
        if isinstance(value, RecordValue):
            inner = RecordType(value.type.entity, value.type.sizes[len(indices) :])
            return RecordValue(inner, value.fields, indices)
        assert isinstance(value, TensorValue)
        key = ("element", value.ssa, indices)
        ssa = self.builder.once(key, lambda: element(self, value, indices, span).ssa)
        return TensorValue(ssa, tensor(value.type.element_type, value.shape[len(indices) :]))

    def _element(self, access: tree.IndexAccess) -> Value:
        base = self.evaluate(access.base)
        operands = [self.operand(index) for index in access.indices]
        match base:
            case TensorValue():
                shown = describe(base)
                indices = leading_indices(self, operands, base.shape, shown, access.span)
                return element(self, base, indices, access.span)
            case RecordValue():
                sizes = base.type.sizes
                shown = str(base.type)
                indices = leading_indices(self, operands, sizes, shown, access.span)
                inner = RecordType(base.type.entity, sizes[len(indices) :])
                return RecordValue(inner, base.fields, (*base.indices, *indices))
        raise error(f"expected a tensor to index, found {describe(base)}", access.base.span)

    # Calls

    def _call(self, call: tree.Call) -> Value:
        rule = RULES.get(call.callee.text)
        if rule is not None:
            try:
                return rule.apply(Arguments(rule, call, self))
            except VerifyException as problem:  # a rule that misses what the dialect refuses
                raise error(f"{rule.name}: {problem}", call.span) from None
        file = self.environment.file
        name = call.callee.text
        in_main = self.placeholders is not None and not self.frames
        export = file.exports.get(name) if in_main and not call.dims else None
        if export is not None:
            name = export.function.text
        function = file.names.get(name)
        if not isinstance(function, FunctionEntity):
            raise error(f"unknown function '{name}'", call.callee.span)
        dims = export.dims if export is not None else call.dims
        explicit = {
            dim.name.text: types.size(dim.value, file, self.environment.generics) for dim in dims
        }
        values = [self._argument(argument.value) for argument in call.arguments]
        while len(values) < len(function.node.parameters):  # a final `...`
            values.append(Operand(PlaceholderValue(call.span), call.span))
        given = [Given(_type_of(value.value), value.span) for value in values]
        generics = bind_generics(function, explicit, given, call.span)
        return self.inline(function, generics, values, _call_note(function, generics, call.span))

    def _argument(self, expression: tree.Expression) -> Operand:
        if isinstance(expression, tree.Placeholder) and self.placeholders is not None:
            return Operand(PlaceholderValue(expression.span), expression.span)
        return self.operand(expression)

    def inline(
        self,
        function: FunctionEntity,
        generics: Mapping[str, int],
        arguments: Sequence[Operand],
        note: Note,
    ) -> Value:
        """The result of a function; its operations are added to the block.

        Raises:
            KinaError: an argument is wrong; or empty, where the error was reported inside.
        """
        if any(frame.function is function for frame in self.frames):
            names = [frame.function.name for frame in self.frames]
            cycle = " calls ".join([*names[names.index(function.name) :], function.name])
            assert note.span is not None
            raise error(f"functions do not recur: {cycle}", note.span)
        inner = Environment(function.file, generics)
        for parameter, argument in zip(function.node.parameters, arguments):
            type_ = types.resolve(parameter.type, function.file, generics)
            value = self._coerce(function, parameter, type_, argument)
            inner.values[parameter.name.text] = value

        outer, self.environment = self.environment, inner
        self.frames.append(Frame(function, note))
        self.reached.add(function)
        try:
            return self._results(function, generics)
        except TooLarge:
            raise
        except KinaError as problem:
            self.report(problem)
            raise KinaError([]) from None
        finally:
            self.frames.pop()
            self.environment = outer

    def _coerce(
        self, function: FunctionEntity, parameter: tree.Typed, type_: Type, argument: Operand
    ) -> Value:
        """An argument as a value of the parameter's type."""
        value = argument.value
        name = parameter.name.text
        if isinstance(value, PlaceholderValue):
            assert self.placeholders is not None
            return self.parameter_value(self.placeholders, type_)
        expected = f"{function.name} expects '{name}' to be {types.show(type_)}"
        if isinstance(type_, RecordType):
            if isinstance(value, RecordValue) and value.type == type_:
                return value
        else:
            coerced = self._as_tensor(argument, type_)
            if coerced is not None:
                return coerced
        note = Note(f"'{name}' is declared here", parameter.name.span)
        raise error(f"{expected}, found {describe(value)}", argument.span, note)

    def _as_tensor(self, operand: Operand, type_: Tensor) -> TensorValue | None:
        """A value as one of this type, if it is one; a constant may become a scalar."""
        match operand.value:
            case TensorValue(type=found) as value if found == type_:
                return value
            case Constant() as constant if type_.get_shape() == ():
                dtype = types.show(type_).removesuffix("[]")
                return self.splat(constant, dtype, (), operand.span)
        return None

    def parameter_value(self, block: Block, type_: Type) -> Value:
        """A value that comes from outside: new arguments of a block."""
        if isinstance(type_, RecordType):
            fields = types.field_types(type_).items()
            return RecordValue(type_, {n: self.parameter_value(block, t) for n, t in fields})
        return TensorValue(block.insert_arg(type_, len(block.args)), type_)

    def _results(self, function: FunctionEntity, generics: Mapping[str, int]) -> Value:
        """The body of a function, and its results checked against their declaration."""
        declared = function.node.results
        expected = [types.resolve(result, function.file, generics) for result in declared]
        returned = self.statements(function.node.body)
        if returned is None:
            return TupleValue(())
        parts = _parts(returned, function.node.body)
        if len(parts) != len(expected):
            count = f"{len(expected)} result{'s' if len(expected) > 1 else ''}"
            message = f"{function.name} declares {count}, found {len(parts)}"
            raise error(message, returned.span)
        results: list[Value] = []
        for part, type_, result in zip(parts, expected, declared):
            if isinstance(type_, RecordType):
                raise error(f"a function returns tensors, found {type_}", result.span)
            value = self._as_tensor(part, type_)
            if value is None:
                found = f"expected {types.show(type_)}, found {describe(part.value)}"
                note = Note("the result is declared here", result.span)
                raise error(f"{function.name} returns: {found}", part.span, note)
            results.append(value)
        return results[0] if len(results) == 1 else TupleValue(tuple(results))

    # Loops

    def _for(self, loop: tree.For) -> Value:
        lower, upper = self._bound(loop.lower), self._bound(loop.upper)
        initial = [self._carried(binding) for binding in loop.carry]
        block = Block(arg_types=[tensor(i64, []), *(value.type for value in initial)])
        outer = self.environment
        self.environment = outer.inner()
        try:
            index, *carry = block.args
            self._bind(loop.index, TensorValue(index, tensor(i64, [])))
            for binding, argument, value in zip(loop.carry, carry, initial):
                self._bind(binding.name, TensorValue(argument, value.type))
            with self.builder.inside(block):
                yielded = self.statements(loop.body)
                assert yielded is not None
                values = self._next_carry(loop, yielded, [value.type for value in initial])
                self.builder.add(ops.YieldOp([value.ssa for value in values]), loop.span)
        finally:
            self.environment = outer
        operation = ops.ForOp(lower, upper, [value.ssa for value in initial], block)
        self.builder.add(operation, loop.span)
        results: list[Value] = [
            TensorValue(result, value.type) for result, value in zip(operation.results, initial)
        ]
        return results[0] if len(results) == 1 else TupleValue(tuple(results))

    def _bound(self, expression: tree.Expression) -> SSAValue:
        operand = self.operand(expression)
        match operand.value:
            case Constant(value=number) as constant if constant.is_integer:
                return self.index(int(number))
            case TensorValue(ssa=ssa, shape=(), dtype="I64"):
                return ssa
        message = f"a loop's bound is a whole number or I64[], found {describe(operand.value)}"
        raise error(message, operand.span)

    def _carried(self, binding: tree.Binding) -> TensorValue:
        operand = self.operand(binding.value)
        match operand.value:
            case TensorValue() as value:
                return value
            case Constant() as constant:
                return self.splat(constant, constant.dtype, (), operand.span)
        message = f"a loop carries tensors, found {describe(operand.value)}"
        raise error(message, operand.span)

    def _next_carry(
        self, loop: tree.For, yielded: Operand, expected: Sequence[Tensor]
    ) -> list[TensorValue]:
        parts = _parts(yielded, loop.body)
        if len(parts) != len(expected):
            count = f"{len(expected)} value{'s' if len(expected) > 1 else ''}"
            message = f"the loop carries {count}, found {len(parts)}"
            raise error(message, yielded.span)
        values: list[TensorValue] = []
        for part, type_, binding in zip(parts, expected, loop.carry):
            value = self._as_tensor(part, type_)
            if value is None:
                name = binding.name.text
                found = f"carries '{name}' as {types.show(type_)}, found {describe(part.value)}"
                note = Note(f"'{name}' begins here", binding.name.span)
                raise error(f"the loop {found}", part.span, note)
            values.append(value)
        return values


def _parts(operand: Operand, body: Sequence[tree.Statement]) -> list[Operand]:
    """The values of a `return` or `yield`, each with its own place where it has one."""
    if not isinstance(operand.value, TupleValue):
        return [operand]
    last = body[-1].value
    if isinstance(last, tree.TupleExpression):
        return [Operand(v, e.span) for v, e in zip(operand.value.parts, last.parts)]
    return [Operand(value, operand.span) for value in operand.value.parts]


def _type_of(value: Value) -> Type | None:
    return value.type if isinstance(value, TensorValue | RecordValue) else None


def _call_note(function: FunctionEntity, generics: Mapping[str, int], span: Span) -> Note:
    bound = ", ".join(f"{name} = {value}" for name, value in generics.items())
    return Note(f"{function.name} is called here" + (f" with {bound}" if bound else ""), span)
