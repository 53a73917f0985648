"""The check that needs no sizes: every name is known, every call has the right form.

It covers every function of every file of a program, whether or not an export reaches it. What
depends on types and sizes is found when an export is elaborated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kina.abi import is_reserved
from kina.dialect.dtypes import ELEMENT_TYPES, is_float
from kina.elaborate.names.entities import (
    ConstEntity,
    DimEntity,
    Entity,
    File,
    FunctionEntity,
    PartEntity,
    RecordEntity,
    behind_prefix,
    const_dtype,
    giver,
    gradient_name,
    kind,
    no_file,
    part_of,
    place,
)
from kina.elaborate.names.files import each_once
from kina.elaborate.names.forms import Form, check_call
from kina.elaborate.names.suggest import called_dtype, called_here, did_you_mean, type_here
from kina.syntax import tree
from kina.syntax.lexer import shortened
from kina.syntax.source import Diagnostic, KinaError, Note, Span

_MOST_FIELDS = 10_000
_MOST_LISTED = 8
_KINDS = {
    "dimension": (DimEntity,),
    "value": (DimEntity, ConstEntity),
    "type": (RecordEntity,),
    "function": (FunctionEntity,),
}
"""What messages call the names of a part, and what they stand for."""
_LITERALS = ("true", "false", "inf", "nan", "placeholder")


def check_names(root: File, operations: Mapping[str, Form]) -> list[Diagnostic]:
    """What is wrong about the names of a program, in the order of its files."""
    diagnostics: list[Diagnostic] = []
    for file in linked_files(root):
        checker = _Checker(file, operations)
        checker.file_()
        diagnostics += checker.diagnostics
    return each_once(diagnostics)


def linked_files(root: File) -> list[File]:
    """A file and all that it imports, each once."""
    seen: dict[int, File] = {}
    waiting = [root]
    while waiting:
        file = waiting.pop()
        if id(file) not in seen:
            seen[id(file)] = file
            waiting += reversed(file.imported)
    return list(seen.values())


@dataclass
class _Scope:
    """The names of a function at one point; a local that is a record maps to it."""

    generics: Collection[str]
    locals: dict[str, RecordEntity | None]
    in_main: bool
    later: frozenset[str] = frozenset()
    """Names of `let` statements that are still to come."""
    ended: set[str] = field(default_factory=set)
    """Names of loops that are over."""
    unknown: set[str] = field(default_factory=set)
    """Names that nothing declares, each said once."""


@dataclass
class _Checker:
    file: File
    operations: Mapping[str, Form]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    lacking: dict[PartEntity, dict[str, tuple[str, Span]]] = field(default_factory=dict)
    """Names that a part which the importer gives does not have: what each should be, and where."""
    parameters: frozenset[str] = frozenset()
    """Of the function that is being checked."""

    @cached_property
    def numbers(self) -> list[str]:
        """The dimensions and constants of the file: every unknown name is compared with them."""
        kinds = (DimEntity, ConstEntity)
        return [name for name, entity in self.file.names.items() if isinstance(entity, kinds)]

    @property
    def parts(self) -> list[str]:
        """The prefixes of the file."""
        return [name for name, entity in self.file.names.items() if isinstance(entity, PartEntity)]

    def report(self, message: str, span: Span, *notes: Note) -> None:
        self.diagnostics.append(Diagnostic(message, span, notes))

    def file_(self) -> None:
        for binding in self.file.bindings:
            self.constant(binding.value)
        for entity in self.file.own:
            match entity:
                case DimEntity(node=node):
                    if node.value is not None:
                        self.dimension(node.value, ())
                case ConstEntity(node=node):
                    try:
                        const_dtype(entity)
                    except KinaError as problem:
                        self.diagnostics += problem.diagnostics
                    if node.value is not None:
                        self.constant(node.value)
                case RecordEntity():
                    self.record(entity)
                case FunctionEntity():
                    self.function(entity)
        if self.file.main is not None:
            scope = _Scope((), {}, in_main=True)
            self.statements(self.file.main.node.body, scope)
        for export in self.file.exports.values():
            self.export(export)
        for part, names in self.lacking.items():
            self.misfit(part, names)

    # Declarations

    def record(self, entity: RecordEntity) -> None:
        seen: dict[str, Span] = {}
        for typed in entity.node.fields:
            self.unique(typed.name, seen)
            self.type(typed.type, ())
        if not entity.node.fields:
            self.report("expected at least one field", entity.node.name.span)
        if _field_count(entity, {}, ()) is None:
            name = entity.node.name
            self.report(f"the record {name.text} contains itself", name.span)
        elif (_field_count(entity, {}, ()) or 0) > _MOST_FIELDS:
            name = entity.node.name
            self.report(f"the record {name.text} has more than {_MOST_FIELDS} tensors", name.span)

    def function(self, entity: FunctionEntity) -> None:
        node = entity.node
        self.parameters = frozenset(parameter.name.text for parameter in node.parameters)
        seen: dict[str, Span] = {}
        for generic in node.generics:
            self.unique(generic, seen)
            other = self.file.names.get(generic.text)
            if other is not None:
                note = Note(f"'{generic.text}' is declared here", place(other))
                message = f"duplicate name '{generic.text}': it is {kind(other)} already"
                self.report(message, generic.span, note)
        locals_: dict[str, RecordEntity | None] = {}
        for parameter in node.parameters:
            self.unique(parameter.name, seen)
            self.type(parameter.type, entity.generics)
            self.shadows(parameter.name, entity.generics)
            locals_[parameter.name.text] = self.record_named(parameter.type.name.text)
        for result in node.results:
            self.type(result, entity.generics)
        if entity.is_reverse_mode:
            self.scalar_result(node)
        scope = _Scope(entity.generics, locals_, in_main=False)
        self.statements(node.body, scope)
        self.parameters = frozenset()

    def scalar_result(self, node: tree.Function) -> None:
        """What a reverseMode function returns is what its gradient is the derivative of."""
        first, *others = node.results
        dtype = ELEMENT_TYPES.get(first.name.text)
        if dtype is None and self.record_named(first.name.text) is None:
            return  # said already
        if others or first.sizes or dtype is None or not is_float(dtype):
            span = first.span.to(node.results[-1].span)
            found = f"{len(node.results)} results" if others else span.text
            message = "a reverseMode function returns one float scalar, such as F32[]"
            self.report(f"{message}; found {found}", span)

    def export(self, export: tree.Export) -> None:
        name = export.function.text
        function = self.file.names.get(name)
        if not isinstance(function, FunctionEntity):
            if (problem := no_file(export.function, self.file)) is not None:
                self.diagnostics += problem.diagnostics
                return
            functions = [n for n, e in self.file.names.items() if isinstance(e, FunctionEntity)]
            hint = did_you_mean(name, functions)
            self.unknown("function", export.function, hint)
            return
        other = self.file.names.get(export.name.text)
        if other is not None and other is not function:
            note = Note(f"'{export.name.text}' is declared here", place(other))
            message = f"duplicate name '{export.name.text}': it is {kind(other)} already"
            self.report(message, export.name.span, note)
        if is_reserved(export.name.text):
            message = f"'{export.name.text}' names something that compiled code calls or brings"
            hint = f"write another name: export my_{export.name.text} = {name}"
            self.report(f"{message}; {hint}", export.name.span)
        self.bindings(export.dims, function, ())
        bound = {binding.name.text for binding in export.dims}
        for generic in function.node.generics:
            if generic.text not in bound and bound <= function.generics:  # else said already
                note = Note(f"'{generic.text}' is declared here", generic.span)
                example = f"{name}[{generic.text} = 1]"
                message = f"export {export.name.text} leaves the dimension {generic.text} of {name}"
                self.report(f"{message} without a value; write {example}", export.span, note)
        parameters = {p.name.text: p for p in function.node.parameters}
        seen: dict[str, Span] = {}
        for donated in export.donated:
            self.unique(donated, seen)
            if donated.text not in parameters:
                hint = did_you_mean(donated.text, parameters)
                self.report(f"{name} has no parameter '{donated.text}'{hint}", donated.span)
        if function.is_reverse_mode:
            self.gradient(export)

    def gradient(self, export: tree.Export) -> None:
        """The second signature of an export of a reverseMode function."""
        name = gradient_name(export.name.text)
        other = self.file.names.get(name) or self.file.exports.get(name)
        if other is not None:
            span = other.name.span if isinstance(other, tree.Export) else place(other)
            message = f"duplicate name '{name}': it is the gradient of the export"
            note = Note(f"'{name}' is declared here", span)
            self.report(f"{message} {export.name.text}", export.name.span, note)
        if export.donated:
            message = f"the result of the reverseMode function {export.function.text} is a scalar,"
            hint = "; leave out donate(...)"
            self.report(f"{message} which takes no buffer{hint}", export.donated[0].span)

    def unknown(self, what: str, name: tree.Identifier | tree.Name, hint: str) -> None:
        """A name that nothing declares."""
        if "." in name.text:
            self.unknown_behind(what, name)
            return
        self.once(f"unknown {what} '{name.text}'{hint}", name.span)

    def unknown_behind(self, what: str, name: tree.Identifier | tree.Name) -> None:
        """A name with a prefix that stands for nothing."""
        prefix, _, inner = name.text.partition(".")
        part = part_of(name.text, self.file)
        if part is not None and part.behind is None:
            return  # the importer's part may have it
        if part is not None and part.bound is not None:
            self.lacking.setdefault(part, {}).setdefault(inner, (what, name.span))
            return
        if part is not None and part.behind is not None:
            kinds = _KINDS[what]
            names = [one for one, entity in self.file.names.items() if isinstance(entity, kinds)]
            hint = did_you_mean(
                name.text, [one for one in names if one.startswith(part.inside(""))]
            )
            message = f"{part.behind.source.name} has no {what} '{inner}'{hint}"
            self.once(message, name.span, Note(f"'{prefix}' is imported here", place(part)))
            return
        hint = did_you_mean(prefix, self.parts) or f'; it is given by import ".." as {prefix}'
        self.once(f"unknown prefix '{prefix}'{hint}", name.span)

    def misfit(self, part: PartEntity, names: Mapping[str, tuple[str, Span]]) -> None:
        """A part that the importer gives, and that does not have all that the file asks of it."""
        assert part.bound is not None and part.behind is not None
        lacks = _listed([f"no {what} '{inner}'" for inner, (what, _) in names.items()])
        message = f"cannot be '{part.node.name.text}' of {self.file.source.name}"
        notes = [Note(f"'{part.inside(i)}' is used here", span) for i, (_, span) in names.items()]
        text = f"{part.behind.source.name} {message}: it has {lacks}"
        self.report(text, part.bound.value.span, *notes)

    def givers(self, name: str) -> list[Note]:
        """Where the part is given to the file that a name of it is from."""
        part = part_of(name, self.file)
        note = None if part is None else giver(part)
        return [] if note is None else [note]

    def once(self, message: str, span: Span, *notes: Note) -> None:
        """What one declaration would mend in all its places is said at the first."""
        if message not in self.said:
            self.said.add(message)
            self.report(message, span, *notes)

    def unique(self, name: tree.Identifier, seen: dict[str, Span]) -> None:
        if name.text in seen:
            note = Note("it is declared here first", seen[name.text])
            self.report(f"duplicate name '{name.text}'", name.span, note)
        seen.setdefault(name.text, name.span)

    def shadows(self, name: tree.Identifier, generics: Collection[str]) -> None:
        """A local name must not hide a dimension, a constant or a part, which types would still mean."""
        other = self.file.names.get(name.text)
        if isinstance(other, DimEntity | ConstEntity | PartEntity):
            note = Note(f"'{name.text}' is declared here", place(other))
            message = f"duplicate name '{name.text}': it is {kind(other)} already"
            self.report(f"{message}, which types would still mean", name.span, note)
        elif name.text in generics:
            self.report(
                f"duplicate name '{name.text}': it is a dimension of the function", name.span
            )

    # Types, dimensions, constants

    def record_named(self, name: str) -> RecordEntity | None:
        entity = self.file.names.get(name)
        return entity if isinstance(entity, RecordEntity) else None

    def type(self, expression: tree.TypeExpression, generics: Collection[str]) -> None:
        name = expression.name
        record = self.record_named(name.text)
        other = self.file.names.get(name.text)
        if isinstance(other, PartEntity) or ("." in name.text and other is not None and not record):
            message = f"expected a type, found {kind(other)} '{name.text}'{_inside(other)}"
            self.report(message, name.span, *self.givers(name.text))
        elif name.text not in ELEMENT_TYPES and record is None:
            records = [n for n, e in self.file.names.items() if isinstance(e, RecordEntity)]
            hint = type_here(name.text) or did_you_mean(name.text, [*ELEMENT_TYPES, *records])
            self.unknown("type", name, hint)
        elif expression.sizes is None and record is None:
            hint = f"a scalar is written {name.text}[], a vector {name.text}[N]"
            self.report(f"expected a shape after {name.text}; {hint}", expression.span)
        for size in expression.sizes or ():
            self.dimension(size, generics)

    def dimension(self, expression: tree.Expression, generics: Collection[str]) -> None:
        for name in _names(expression, self.file):
            entity = self.file.names.get(name.text)
            if name.text in generics or isinstance(entity, DimEntity):
                continue
            if name.text in self.parameters:
                found = f"expected a dimension, found the value '{name.text}'"
                self.report(f"{found}; sizes are known at compile time", name.span)
                continue
            if entity is not None:
                hint = "; a size is declared by dim" if isinstance(entity, ConstEntity) else ""
                hint = hint or _inside(entity)
                message = f"expected a dimension, found {kind(entity)} '{name.text}'{hint}"
                self.once(message, name.span, *self.givers(name.text))
                continue
            dims = [n for n, e in self.file.names.items() if isinstance(e, DimEntity)]
            hint = did_you_mean(name.text, [*dims, *generics])
            hint = hint or f"; it is declared by dim {name.text} = ..."
            self.unknown("dimension", name, hint)

    def constant(self, expression: tree.Expression) -> None:
        self.expression(expression, _Scope((), {}, in_main=False))

    def bindings(
        self,
        bindings: Sequence[tree.Binding | tree.OpenBinding],
        function: FunctionEntity,
        generics: Collection[str],
    ) -> None:
        """Dimensions given to a function by name."""
        seen: dict[str, Span] = {}
        for binding in bindings:
            self.unique(binding.name, seen)
            if binding.name.text not in function.generics:
                hint = did_you_mean(binding.name.text, function.generics)
                message = f"{function.name} has no dimension '{binding.name.text}'{hint}"
                self.report(message, binding.name.span)
            if isinstance(binding, tree.OpenBinding):
                self.dimension(binding.least, generics)
                self.dimension(binding.most, generics)
            else:
                self.dimension(binding.value, generics)

    # Statements and expressions

    def statements(self, body: Sequence[tree.Statement], scope: _Scope) -> None:
        names = [one.names if isinstance(one, tree.Let) else () for one in body]
        for i, statement in enumerate(body):
            scope.later = frozenset(name.text for later in names[i:] for name in later)
            self.expression(statement.value, scope)
            if isinstance(statement, tree.Let):
                self.let(statement, scope)

    def let(self, statement: tree.Let, scope: _Scope) -> None:
        names = statement.names
        seen: dict[str, Span] = {}
        record = self.record_of(statement.value, scope) if len(names) == 1 else None
        for name in names:
            self.unique(name, seen)
            self.shadows(name, scope.generics)
            scope.locals[name.text] = record

    def expression(self, expression: tree.Expression, scope: _Scope) -> None:
        match expression:
            case tree.Name():
                self.name(expression, scope)
            case tree.Negation(operand=operand):
                self.expression(operand, scope)
            case tree.Binary():
                node: tree.Expression = expression
                rights: list[tree.Expression] = []
                while isinstance(node, tree.Binary):
                    rights.append(node.right)
                    node = node.left
                for part in (node, *reversed(rights)):
                    self.expression(part, scope)
            case tree.Call():
                self.call(expression, scope)
            case tree.FieldAccess():
                self.field_access(expression, scope)
            case tree.IndexAccess(base=base, indices=indices):
                for part in (base, *indices):
                    self.expression(part, scope)
            case tree.TupleExpression(parts=parts) | tree.ListExpression(parts=parts):
                for part in parts:
                    self.expression(part, scope)
            case tree.For():
                self.for_(expression, scope)
            case tree.While():
                self.while_(expression, scope)
            case tree.Placeholder():
                message = "placeholder stands for an argument of a function that main calls"
                self.report(message, expression.span)

    def name(self, name: tree.Name, scope: _Scope) -> None:
        if any(name.text in known for known in (scope.locals, scope.generics, scope.unknown)):
            return
        entity = self.file.names.get(name.text)
        if isinstance(entity, DimEntity | ConstEntity):
            return
        if entity is not None:
            hint = _inside(entity)
            if isinstance(entity, FunctionEntity):
                parameters = ", ".join(one.name.text for one in entity.node.parameters)
                hint = f"; it is called as {name.text}({parameters})"
            message = f"expected a value, found {kind(entity)} '{name.text}'{hint}"
            self.report(message, name.span, *self.givers(name.text))
        elif "." in name.text:
            self.unknown_behind("value", name)
        elif name.text in self.operations:
            usage = self.operations[name.text].usage
            self.report(f"expected a value; '{name.text}' is called as {usage}", name.span)
        elif name.text in ELEMENT_TYPES:
            self.report(f"expected a value, found the dtype {name.text}", name.span)
        else:
            candidates = [*scope.locals, *scope.generics, *self.numbers, *ELEMENT_TYPES, *_LITERALS]
            hint = (
                "; its let comes later"
                if name.text in scope.later
                else "; it ended with its loop, whose yield gives what is needed after it"
                if name.text in scope.ended
                else called_dtype(name.text) or did_you_mean(name.text, candidates)
            )
            self.report(f"unknown name '{name.text}'{hint}", name.span)
            scope.unknown.add(name.text)

    def field_access(self, access: tree.FieldAccess, scope: _Scope) -> None:
        inside = behind_prefix(access, self.file)
        if inside is not None and inside.text.partition(".")[0] not in scope.locals:
            self.name(inside, scope)
            return
        self.expression(access.base, scope)
        record = self.record_of(access.base, scope)
        if record is not None:
            fields = [typed.name.text for typed in record.node.fields]
            if access.field.text not in fields:
                name = record.node.name
                hint = did_you_mean(access.field.text, fields) or f"; it has {_listed(fields)}"
                message = f"the record {name.text} has no field '{access.field.text}'{hint}"
                note = Note(f"{name.text} is declared here", name.span)
                self.report(message, access.field.span, note)

    def record_of(self, expression: tree.Expression, scope: _Scope) -> RecordEntity | None:
        """The record that an expression is, or is an array of, where that shows without types."""
        match expression:
            case tree.Name(text=text):
                return scope.locals.get(text)
            case tree.IndexAccess(base=base):
                return self.record_of(base, scope)
            case tree.FieldAccess(base=base, field=field):
                record = self.record_of(base, scope)
                for typed in record.node.fields if record is not None else ():
                    if record is not None and typed.name.text == field.text:
                        entity = record.file.names.get(typed.type.name.text)
                        return entity if isinstance(entity, RecordEntity) else None
        return None

    def for_(self, loop: tree.For, scope: _Scope) -> None:
        self.expression(loop.lower, scope)
        self.expression(loop.upper, scope)
        inner = self.inside_loop((loop.index,), loop.carry, scope)
        self.loop_body(loop.body, inner, scope)

    def while_(self, loop: tree.While, scope: _Scope) -> None:
        inner = self.inside_loop((), loop.carry, scope)
        self.expression(loop.condition, inner)
        self.loop_body(loop.body, inner, scope)

    def loop_body(self, body: Sequence[tree.Statement], inner: _Scope, outer: _Scope) -> None:
        self.statements(body, inner)
        outer.ended |= inner.locals.keys() - outer.locals.keys()

    def inside_loop(
        self, own: Sequence[tree.Identifier], carry: Sequence[tree.Binding], scope: _Scope
    ) -> _Scope:
        """The names inside of a loop that has these of its own."""
        seen: dict[str, Span] = {}
        inner = _Scope(scope.generics, dict(scope.locals), scope.in_main, unknown=scope.unknown)
        for name in (*own, *(binding.name for binding in carry)):
            self.unique(name, seen)
            self.shadows(name, scope.generics)
            inner.locals[name.text] = None
        for binding in carry:
            self.expression(binding.value, scope)
        return inner

    def call(self, call: tree.Call, scope: _Scope) -> None:
        name = call.callee.text
        rule = self.operations.get(name)
        if rule is not None:
            problem = check_call(rule, call)
            if problem is not None:
                self.diagnostics += problem.diagnostics
            for argument in call.arguments:
                value = argument.value
                if isinstance(value, tree.Name) and value.text in ELEMENT_TYPES:
                    continue  # a dtype, judged by the operation's rule
                self.expression(value, scope)
            return
        export = self.file.exports.get(name) if scope.in_main else None
        function = self.file.names.get(export.function.text if export is not None else name)
        if not isinstance(function, FunctionEntity):
            self.unknown_function(call, scope)
        else:
            self.function_call(call, function, scope)
        for argument in call.arguments:
            if not (scope.in_main and isinstance(argument.value, tree.Placeholder)):
                self.expression(argument.value, scope)

    def unknown_function(self, call: tree.Call, scope: _Scope) -> None:
        name = call.callee.text
        prefix, _, inner = name.partition(".")
        entity = self.file.names.get(name)
        if inner and self.is_value(prefix, scope):
            rest = ", ...)" if call.arguments else ")"
            hint = f"; write {inner}({shortened(prefix)}{rest}"
            self.report(f"only a function's name can be called{hint}", call.callee.span)
        elif name in scope.locals:
            self.report(f"expected a function, found the value '{name}'", call.callee.span)
        elif entity is not None:
            message = f"expected a function, found {kind(entity)} '{name}'{_inside(entity)}"
            self.report(message, call.callee.span, *self.givers(name))
        elif name in self.file.exports:
            message = f"only main calls an export; call {self.file.exports[name].function.text}"
            self.once(message, call.callee.span)
        else:
            made_of = [one for one in self.file.exports if gradient_name(one) == name]
            functions = [n for n, e in self.file.names.items() if isinstance(e, FunctionEntity)]
            exports = self.file.exports if scope.in_main else ()
            hint = "".join(f"; only hosts call the gradient of the export {one}" for one in made_of)
            hint = (
                hint
                or called_here(name)
                or did_you_mean(name, [*self.operations, *functions, *exports])
            )
            self.unknown("function", call.callee, hint)

    def is_value(self, name: str, scope: _Scope) -> bool:
        """Whether a name is known as that of a value."""
        known = (scope.locals, scope.generics, scope.unknown, self.numbers)
        return any(name in names for names in known)

    def function_call(self, call: tree.Call, function: FunctionEntity, scope: _Scope) -> None:
        self.bindings(call.dims, function, scope.generics)
        if call.rest and not scope.in_main:
            message = "'...' stands for the placeholders of a call in main"
            self.report(message, call.span)
        parameters = [parameter.name.text for parameter in function.node.parameters]
        signature = f"{function.name}({', '.join(parameters)})"
        for argument in call.arguments:
            if argument.keyword is not None:
                message = f"{function.name} takes its arguments in order, without keywords"
                self.report(f"{message}: {signature}", argument.keyword.span)
        found = len(call.arguments)
        if found > len(parameters) or (found < len(parameters) and not call.rest):
            count = f"{len(parameters)} argument{'s' if len(parameters) != 1 else ''}"
            message = f"{function.name} takes {count}, found {found}: {signature}"
            note = Note("it is declared here", function.node.name.span)
            self.report(message, call.span, note, *self.givers(call.callee.text))


def _inside(entity: Entity) -> str:
    """How the names of a part are written, for a message about its prefix."""
    return (
        f"; its names are written {entity.inside('NAME')}" if isinstance(entity, PartEntity) else ""
    )


def _listed(names: Sequence[str]) -> str:
    """Some names, as many as a message holds."""
    return ", ".join(names[:_MOST_LISTED]) + (", ..." if len(names) > _MOST_LISTED else "")


def _names(expression: tree.Expression, file: File) -> Iterator[tree.Name]:
    """The names in an expression of dimensions; others are refused when it is evaluated."""
    while isinstance(expression, tree.Binary):
        yield from _names(expression.right, file)
        expression = expression.left
    if isinstance(expression, tree.Negation):
        yield from _names(expression.operand, file)
    elif isinstance(expression, tree.Name):
        yield expression
    elif isinstance(expression, tree.FieldAccess):
        name = behind_prefix(expression, file)
        if name is not None:
            yield name


def _field_count(
    entity: RecordEntity, known: dict[RecordEntity, int], inside: tuple[RecordEntity, ...]
) -> int | None:
    """How many tensors a record consists of; None where it contains itself."""
    if entity in inside:
        return None
    if entity not in known:
        total = 0
        for typed in entity.node.fields:
            inner = entity.file.names.get(typed.type.name.text)
            count = 1
            if isinstance(inner, RecordEntity):
                nested = _field_count(inner, known, (*inside, entity))
                if nested is None:
                    return None
                count = nested
            total += count
        known[entity] = total
    return known[entity]
