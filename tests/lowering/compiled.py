"""Compile many lowered modules into one library, to call them from a test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kina import abi
from kina.codegen import pipeline
from kina.codegen.link import link
from kina.codegen.manifest import manifest
from kina.codegen.schedule import schedule
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.dialect.dtypes import dtype_name
from kina.lowering import lower
from kina.runtime import Module, load
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute


def compile_modules(modules: Mapping[str, ModuleOp], folder: Path, name: str) -> Module:
    """One library whose signature `s` is the one function of the dialect module `modules[s]`.

    Private functions of the same name are the same function, and kept once.
    """
    signatures, functions = [], {}
    for signature, module in modules.items():
        signatures.append(_signature(signature, module))
        for function in lower(module).ops:
            assert isinstance(function, func.FuncOp)
            function.detach()
            functions[function.sym_name.data] = function
    text = str(ModuleOp(list(functions.values())))
    host, tools = target(), find_tools()
    out, code = folder / f"lib{name}.so", folder / f"{name}.o"
    ir = pipeline.llvm_ir(text, schedule(text, host), host, tools.code)
    pipeline.object_code(ir, host, code, tools.code)
    link([code], manifest(name, signatures, host), out, tools.link)
    return load(out)


def _signature(name: str, module: ModuleOp) -> abi.Signature:
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    assert function.sym_name.data == name
    type_: FunctionType = function.function_type
    return abi.Signature(
        name,
        tuple(abi.Parameter(f"x{i}", _dtype(t), _shape(t)) for i, t in enumerate(type_.inputs)),
        tuple(abi.Result(_dtype(t), _shape(t)) for t in type_.outputs),
    )


def _dtype(type_: Attribute) -> str:
    return dtype_name(type_.element_type)  # type: ignore[attr-defined]


def _shape(type_: Attribute) -> tuple[int, ...]:
    return tuple(type_.get_shape())  # type: ignore[attr-defined]
