"""From an export to one dialect module and the signature that hosts see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, OpResult, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from kina import abi
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import dtype_name, show_type, type_shape
from kina.elaborate.bodies.body import Body
from kina.elaborate.bodies.builder import Builder
from kina.elaborate.bodies.calls import inline, parameter_value
from kina.elaborate.bodies.environment import Environment
from kina.elaborate.bodies.flow import index_bound, updated
from kina.elaborate.bodies.gradients import gradient
from kina.elaborate.bodies.growth import grow_in_place, grown
from kina.elaborate.bodies.operations.arguments import Operand
from kina.elaborate.names.entities import ConstEntity, File, FunctionEntity
from kina.elaborate.types.declared import flatten, resolve
from kina.elaborate.types.evaluate import entity_value
from kina.elaborate.types.limits import TooLarge
from kina.elaborate.types.sizes import bindings
from kina.elaborate.types.values import TensorValue, TupleValue, Value
from kina.sizes import Size, linear, symbols
from kina.syntax import tree
from kina.syntax.source import Diagnostic, KinaError, Note, error


@dataclass(frozen=True)
class Elaborated:
    """One export: what hosts see of it, and the dialect module that lowering takes."""

    signature: abi.Signature
    module: ModuleOp


@dataclass
class Report:
    """What elaboration finds wrong, and which functions it reached."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    reached: set[FunctionEntity] = field(default_factory=set)
    stopped: bool = False
    """Set where the program grows without end, so that it is not tried again."""

    def add(self, problem: KinaError, *notes: Note) -> None:
        """Add what is new: a second export through the same place says nothing new."""
        seen = {diagnostic.span for diagnostic in self.diagnostics}
        for diagnostic in problem.diagnostics:
            if diagnostic.span not in seen:
                for note in notes:
                    diagnostic = diagnostic.with_note(note)
                self.diagnostics.append(diagnostic)
                seen.add(diagnostic.span)
        self.stopped |= isinstance(problem, TooLarge)


def elaborate_export(file: File, export: tree.Export, report: Report) -> list[Elaborated]:
    """What one export makes: a module, and that of the gradient where its function is reverseMode.

    Nothing where it is wrong, as the report then says.
    """
    function = file.names[export.function.text]
    assert isinstance(function, FunctionEntity)
    note = Note(f"for the export {export.name.text}", export.span)
    try:
        generics = bindings(export.dims, file, {})
        builder = Builder(Block())
        results = _inline(function, generics, builder, note, report)
        if results is None:
            return []
        value = _assemble(export, function, generics, builder.block, results)
        if not function.is_reverse_mode:
            return [value]
        described = gradient(export, function, value.signature, value.module, builder.spans)
        return [value, Elaborated(*described)]
    except KinaError as problem:
        report.add(problem, note)
        return []


def check_main(file: File, report: Report) -> None:
    """Elaborate `main`, whose placeholders become the host's business, and forget the result."""
    if file.main is None:
        return
    block = Block()
    body = Body(Builder(block), Environment(file))
    body.placeholders = block
    with _collecting(body, report, Note("for main", file.main.node.name.span)):
        body.statements(file.main.node.body)


def check_function(function: FunctionEntity, report: Report) -> None:
    """Elaborate a function that no export reaches; one with dimensions of its own cannot be."""
    if not function.node.generics:
        note = Note(f"for {function.name}, which no export reaches", function.node.name.span)
        _inline(function, {}, Builder(Block()), note, report)


def _inline(
    function: FunctionEntity,
    generics: dict[str, Size],
    builder: Builder,
    note: Note,
    report: Report,
) -> list[TensorValue] | None:
    """A function's body in a block whose arguments are the function's parameters, flattened."""
    block = builder.block
    body = Body(builder, Environment(function.file))
    result: Value | None = None
    with _collecting(body, report, note):
        arguments = []
        for parameter in function.node.parameters:
            type_ = resolve(parameter.type, function.file, generics)
            value = parameter_value(block, type_)
            arguments.append(Operand(value, parameter.name.span))
        for name, argument in zip(_parameter_names(function, generics), block.args):
            argument.name_hint = name.replace(".", "_")
        result = inline(body, function, generics, arguments, note)
    if result is None or body.diagnostics:
        return None
    values = result.parts if isinstance(result, TupleValue) else (result,)
    return [value for value in values if isinstance(value, TensorValue)]


@contextmanager
def _collecting(body: Body, report: Report, note: Note) -> Iterator[None]:
    """Bring into the report what a body finds wrong; what ends it gets the note."""
    try:
        yield
    except KinaError as problem:
        report.add(problem, note)
    except RecursionError:
        assert note.span is not None
        report.add(TooLarge("nested too deeply, counted through the calls", note.span))
    finally:
        report.add(KinaError(body.diagnostics))
        report.reached |= body.reached


def _parameter_names(function: FunctionEntity, generics: dict[str, Size]) -> list[str]:
    return [
        name
        for parameter in function.node.parameters
        for name, _ in flatten(
            parameter.name.text, resolve(parameter.type, function.file, generics)
        )
    ]


def _assemble(
    export: tree.Export,
    function: FunctionEntity,
    generics: dict[str, Size],
    block: Block,
    results: list[TensorValue],
) -> Elaborated:
    names = _parameter_names(function, generics)
    returned = func.ReturnOp(*(value.ssa for value in results))
    block.add_op(returned)
    donated = _donated(export, function, block, names, returned)
    _check_open(export, function, generics, block)
    parameters = tuple(
        _parameter(name, argument, name in donated) for name, argument in zip(names, block.args)
    )
    alias = {index: name for name, index in donated.items()}
    outputs = tuple(
        abi.Result(value.dtype, value.shape, alias.get(index))
        for index, value in enumerate(results)
    )
    type_ = FunctionType.from_lists(list(block.arg_types), [value.type for value in results])
    attributes = [_attributes(name, donated.get(name)) for name in names]
    operation = func.FuncOp(export.name.text, type_, Region(block), arg_attrs=ArrayAttr(attributes))
    module = ModuleOp([operation])
    try:
        module.verify()
    except VerifyException as problem:
        message = f"the compiler made an invalid module, which is a fault of its own: {problem}"
        raise error(message, export.span) from None
    constants = {
        entity.node.name.text: float(entity_value(entity, export.span).number)
        for entity in function.file.own
        if isinstance(entity, ConstEntity)
    }
    open_ = tuple(sorted(s for size in generics.values() for s in symbols(size)))
    signature = abi.Signature(export.name.text, parameters, outputs, constants, open_)
    return Elaborated(signature, module)


def _check_open(
    export: tree.Export, function: FunctionEntity, generics: dict[str, Size], block: Block
) -> None:
    """Every open dimension must show in the size of a parameter, where a call reads it.

    Raises:
        KinaError: one does not.
    """
    shapes = [size for argument in block.args for size in type_shape(tensor_of(argument))]
    for dim in export.dims:
        open_ = symbols(generics[dim.name.text])
        if open_ and not any(linear(size) for size in shapes if symbols(size) == open_):
            name = dim.name.text
            message = f"no parameter of {function.name} has a size that tells {name}"
            raise error(f"{message}, such as {name} or {name} + 1", dim.name.span)


def _parameter(name: str, argument: SSAValue, donated: bool) -> abi.Parameter:
    type_ = tensor_of(argument)
    return abi.Parameter(
        name,
        dtype_name(type_.element_type),
        type_shape(type_),
        donated=donated,
        index_bound=index_bound(argument),
    )


def _attributes(name: str, donated: int | None) -> DictionaryAttr:
    """A parameter's name and, where it is donated, the result that its buffer becomes.

    Lowering reads the result's number here: what a simplified body shows need not be an update.
    """
    attributes: dict[str, Attribute] = {"kina.name": StringAttr(name)}
    if donated is not None:
        attributes["kina.donated"] = IntegerAttr(donated, i64)
    return DictionaryAttr(attributes)


def _donated(
    export: tree.Export,
    function: FunctionEntity,
    block: Block,
    names: list[str],
    returned: func.ReturnOp,
) -> dict[str, int]:
    """For each donated parameter the result that is an update of it; what grows, grows in place.

    Raises:
        KinaError: there is no such result, or more than one.
    """
    donated: dict[str, int] = {}
    for name in export.donated:
        if name.text not in names:
            message = f"'{name.text}' of {function.name} is a record; only a tensor is donated"
            raise error(message, name.span)
        argument = block.args[names.index(name.text)]
        shown = f"'{name.text}', {show_type(tensor_of(argument))}"
        _grow(argument, returned)
        argument = block.args[names.index(name.text)]
        origins = [updated(value) for value in returned.arguments]
        matches = [index for index, origin in enumerate(origins) if origin is argument]
        rule = "a donated parameter is returned once, rewritten by update(...), or as the front of concat(...) or pad(...)"
        if not matches:
            raise error(f"no result is an update of {shown}; {rule}", name.span)
        if len(matches) > 1:
            which = " and ".join(str(index + 1) for index in matches)
            raise error(f"results {which} are updates of {shown}; {rule}", name.span)
        donated[name.text] = matches[0]
    return donated


def _grow(parameter: BlockArgument, returned: func.ReturnOp) -> None:
    """Let the result that begins with a parameter, and goes on, be in one buffer with it."""
    for value in returned.arguments:
        beginning = updated(value)
        if grown(beginning) is parameter:
            assert isinstance(beginning, OpResult)
            grow_in_place(parameter, beginning.op)
            return
