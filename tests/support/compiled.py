"""Compile many lowered modules at once, to call them from a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from kina import abi, elf
from kina.codegen import pipeline
from kina.codegen.link import link
from kina.codegen.manifest import manifest
from kina.codegen.schedule import schedule
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.dialect.dtypes import dtype_name
from kina.lowering import lower
from kina.lowering.walk import donated_arguments
from kina.runtime import load
from support.case import Case, module_of

Functions = Mapping[str, Callable[..., Any]]


def compile_cases(cases: Sequence[Case], folder: Path) -> Functions:
    """For each case, by its name, the function that applies its operation."""
    names = {case.name: f"case{i}" for i, case in enumerate(cases)}
    modules = {names[case.name]: module_of(case, names[case.name]) for case in cases}
    functions = compile_modules(modules, folder)
    return {case.name: functions[names[case.name]] for case in cases}


def compile_modules(modules: Mapping[str, ModuleOp], folder: Path, at_once: int = 60) -> Functions:
    """The one function of each dialect module, by its name, which is the module's key as well."""
    names = list(modules)
    parts = [names[i : i + at_once] for i in range(0, len(names), at_once)]
    functions: dict[str, Callable[..., Any]] = {}
    # The work is done by other programs, two of which run at a time.
    with ThreadPoolExecutor(2) as pool:
        texts = [merged([lower(modules[name]) for name in part]) for part in parts]
        signatures = [[_signature(name, modules[name]) for name in part] for part in parts]
        paths = [folder / f"part{i}.so" for i in range(len(parts))]
        list(pool.map(build, texts, signatures, paths))
    for part, path in zip(parts, paths):
        module = load(path)
        functions.update({name: getattr(module, name) for name in part})
    return functions


def merged(lowered: Sequence[ModuleOp]) -> str:
    """The text of one module: private functions of the same name are the same, and kept once."""
    functions: dict[str, func.FuncOp] = {}
    for module in lowered:
        for function in list(module.ops):
            assert isinstance(function, func.FuncOp)
            function.detach()
            functions[function.sym_name.data] = function
    return str(ModuleOp(list(functions.values())))


def llvm_ir(text: str) -> str:
    """The optimized LLVM IR of a module at the golden level, for this machine's baseline."""
    return pipeline.llvm_ir(text, schedule(text, target()), target(), find_tools().code)


def build(text: str, signatures: Sequence[abi.Signature], out: Path) -> None:
    """A module at the golden level as a library of these signatures."""
    code = out.with_suffix(".o")
    pipeline.build_object(text, schedule(text, target()), target(), code, find_tools().code)
    called = {s.name for s in elf.read_object(code.read_bytes()).symbols if not s.defined}
    assert called.isdisjoint(abi.LIBM), "no operation is computed by the C library"
    link([code], manifest(out.stem, signatures, target()), out, find_tools().link)


def _signature(name: str, module: ModuleOp) -> abi.Signature:
    (function,) = module.ops
    assert isinstance(function, func.FuncOp) and function.sym_name.data == name
    type_ = function.function_type
    inputs = list(enumerate(type_.inputs))
    # By the number of the result that lies in its buffer.
    donated = {result: f"x{a.index}" for result, a in donated_arguments(function).items()}
    return abi.Signature(
        name,
        tuple(abi.Parameter(f"x{i}", *_tensor(t), f"x{i}" in donated.values()) for i, t in inputs),
        tuple(abi.Result(*_tensor(t), donated.get(i)) for i, t in enumerate(type_.outputs)),
    )


def _tensor(type_: Attribute) -> tuple[str, tuple[int, ...]]:
    return dtype_name(type_.element_type), tuple(type_.get_shape())  # type: ignore[attr-defined]
