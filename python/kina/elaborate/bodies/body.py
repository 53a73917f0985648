"""Bodies of functions to operations: statements and expressions.

Every call is inlined, so one `Body` elaborates a signature whole, however many functions it goes
through. An error ends its statement only; the names that the statement would have introduced are
poisoned, and what depends on them stays silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from xdsl.ir import Block, Operation, SSAValue

from kina.dialect.dtypes import tensor
from kina.elaborate.bodies.builder import Builder
from kina.elaborate.bodies.calls import call
from kina.elaborate.bodies.environment import Environment, Frame
from kina.elaborate.bodies.loops import for_loop, while_loop
from kina.elaborate.bodies.operations.arguments import Operand
from kina.elaborate.bodies.operations.contraction import matmul
from kina.elaborate.bodies.operations.elementwise import OPERATORS, binary, negate
from kina.elaborate.bodies.operations.indexing import element, leading_indices
from kina.elaborate.names.entities import (
    ConstEntity,
    DimEntity,
    FunctionEntity,
    PartEntity,
    behind_prefix,
    kind,
    no_file,
    with_giver,
)
from kina.elaborate.names.suggest import did_you_mean
from kina.elaborate.types import constants
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.declared import RecordType
from kina.elaborate.types.evaluate import entity_value
from kina.elaborate.types.limits import DEEPEST, MOST_STEPS, TooLarge
from kina.elaborate.types.values import (
    BroadcastValue,
    Poison,
    RecordValue,
    TensorValue,
    TupleValue,
    Value,
    describe,
    named,
)
from kina.elaborate.types.wording import quoted
from kina.sizes import Size
from kina.syntax import tree
from kina.syntax.source import Diagnostic, KinaError, Span, error


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

    def emit(self, operation: Operation, span: Span, names: Sequence[str] = ()) -> TensorValue:
        return self.builder.emit(operation, span, names)

    def emit_all(self, operation: Operation, span: Span) -> tuple[TensorValue, ...]:
        return self.builder.emit_all(operation, span)

    def splat(
        self, constant: Constant, dtype: str, shape: Sequence[Size], span: Span
    ) -> TensorValue:
        return self.builder.splat(constant, dtype, shape, span)

    def index(self, number: Size) -> SSAValue:
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
                limit = f"more than {MOST_STEPS} steps once every call is inlined"
                message = f"{limit}; the body of a for counts once"
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
                return call(self, expression)
            case tree.FieldAccess():
                return self._field(expression)
            case tree.IndexAccess():
                return self._element(expression)
            case tree.For():
                return for_loop(self, expression)
            case tree.While():
                return while_loop(self, expression)
            case tree.TupleExpression(parts=parts):
                return TupleValue(tuple(self.evaluate(part) for part in parts))
            case tree.Placeholder():
                raise error("a placeholder is an argument of main's calls", expression.span)
            case tree.ListExpression():
                hint = "a tensor is made by full, iota or concat"
                raise error(f"a list is an argument of an operation; {hint}", expression.span)

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
        for diagnostic in map(self._with_givers, problem.diagnostics):
            for frame in reversed(self.frames):
                diagnostic = diagnostic.with_note(frame.note)
            self.diagnostics.append(diagnostic)

    def _with_givers(self, diagnostic: Diagnostic) -> Diagnostic:
        """What is wrong in a line that names a part, with the place where the part is given."""
        file, span = self.environment.file, diagnostic.span
        if span.source is file.source:
            line, _ = span.source.line_and_column(span.start)
            for part in file.own:
                if isinstance(part, PartEntity) and part.inside("") in span.source.line(line):
                    diagnostic = with_giver(diagnostic, part)
        return diagnostic

    def _let(self, statement: tree.Let) -> None:
        value = self.evaluate(statement.value)
        names = statement.names
        if len(names) == 1:
            self.bind(names[0], self._single(Operand(value, statement.value.span)))
            return
        found = len(value.parts) if isinstance(value, TupleValue) else 1
        if not isinstance(value, TupleValue) or found != len(names):
            message = f"expected {len(names)} values for {len(names)} names, found {found}"
            raise error(message, statement.value.span)
        for name, part in zip(names, value.parts):
            self.bind(name, self._single(Operand(part, statement.value.span)))

    def _single(self, operand: Operand) -> Value:
        """A value that a name can stand for."""
        match operand.value:
            case TupleValue(parts=parts):
                names = ", ".join("abcdefgh"[: len(parts)])
                hint = f"take them apart with let ({names}) = ..."
                raise error(f"expected one value, found {len(parts)}; {hint}", operand.span)
            case TensorValue() | Constant() | RecordValue():
                return operand.value
        hint = ""
        if isinstance(operand.value, BroadcastValue):
            whole = quoted(operand.span, "broadcast(x)")
            hint = f"; write {whole} where it is used, or {whole.removesuffix(')')}, [..])"
        found = f"found {describe(operand.value)}{hint}"
        raise error(f"expected a value with a shape, {found}", operand.span)

    def bind(self, name: tree.Identifier, value: Value) -> None:
        """Let a name stand for a value from here on."""
        if isinstance(value, TensorValue) and value.ssa.name_hint is None:
            value.ssa.name_hint = name.text
        self.environment.values[name.text] = value

    @contextmanager
    def within(self, environment: Environment, frame: Frame | None = None) -> Iterator[None]:
        """The names of a loop's body; or, with a frame, those of a function that is inlined."""
        outer, self.environment = self.environment, environment
        if frame is not None:
            self.frames.append(frame)
            self.reached.add(frame.function)
        try:
            yield
        finally:
            self.environment = outer
            if frame is not None:
                self.frames.pop()

    # Names, fields, elements, operators

    def _name(self, name: tree.Name) -> Value:
        environment = self.environment
        if name.text in environment.values:
            return environment.values[name.text]
        if name.text in environment.generics:
            return constants.integer(environment.generics[name.text])
        entity = environment.file.names.get(name.text)
        if isinstance(entity, DimEntity | ConstEntity):
            return entity_value(entity, name.span)
        if entity is not None:
            raise error(f"expected a value, found {kind(entity)} '{name.text}'", name.span)
        raise no_file(name, environment.file) or error(f"unknown name '{name.text}'", name.span)

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
        name = behind_prefix(access, self.environment.file)
        if name is not None:
            return self._name(name)
        base = self.evaluate(access.base)
        if not isinstance(base, RecordValue):
            message = f"expected a record before '.{access.field.text}', found {describe(base)}"
            hint = {
                "T": f"; write transpose({quoted(access.base.span)})",
                "shape": "; sizes are written as the dimensions that declare them",
            }.get(access.field.text, "")
            raise error(message + hint, access.base.span)
        value = base.fields.get(access.field.text)
        if value is None:
            hint = did_you_mean(access.field.text, base.fields)
            record = base.type.entity.node.name.text
            message = f"the record {record} has no field '{access.field.text}'{hint}"
            raise error(message, access.field.span)
        picked = self._pick(value, base.indices, access.span)
        return named(picked, base.type.field_sizes(access.field.text))

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
