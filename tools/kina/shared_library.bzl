"""kina_shared_library: the .so of a program, with its header and manifest."""

load(":native.bzl", "CcInfo", "cc_common", "find_cpp_toolchain")
load(":providers.bzl", "KinaInfo")
load(":target.bzl", "target_transition")

def _cc_info(ctx):
    """The library as a dependency of the C++ rules: its header, and what to link and to load."""
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        cc_toolchain = toolchain,
        ctx = ctx,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

    # Bazel puts both libraries in one folder for the programs that link them, so one finds the other there too.
    libraries = [
        cc_common.create_library_to_link(
            actions = ctx.actions,
            cc_toolchain = toolchain,
            dynamic_library = library,
            feature_configuration = features,
        )
        for library in (ctx.outputs.library, ctx.outputs.libomp)
    ]
    linked = cc_common.create_linker_input(libraries = depset(libraries), owner = ctx.label)
    return CcInfo(
        compilation_context = cc_common.create_compilation_context(
            headers = depset([ctx.outputs.header]),
            includes = depset([ctx.outputs.header.dirname]),
        ),
        linking_context = cc_common.create_linking_context(linker_inputs = depset([linked])),
    )

def _kina_shared_library_impl(ctx):
    infos = [dep[KinaInfo] for dep in ctx.attr.deps]
    signatures = [s for info in infos for s in info.signatures]
    if not signatures:
        fail("deps: a shared library needs a kina_library")
    exporters = {}
    for dep in ctx.attr.deps:
        for signature in dep[KinaInfo].signatures:
            if signature.name in exporters:
                fail("deps: %s and %s both export %s" % (exporters[signature.name], dep.label, signature.name))
            exporters[signature.name] = dep.label

    args = ctx.actions.args()
    args.add_all("--objects", [s.object for s in signatures])
    args.add_all("--fragments", [s.fragment for s in signatures])
    args.add("--name", ctx.attr.program)
    args.add("--target_cpu", infos[0].target_cpu)
    args.add_all("--lld", [ctx.executable._zig, "ld.lld"])
    args.add("--llc", ctx.executable._llc)
    args.add("--libomp", ctx.file._libomp)
    args.add("--out_so", ctx.outputs.library)
    args.add("--out_header", ctx.outputs.header)
    args.add("--out_manifest", ctx.outputs.manifest)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._link,
        inputs = depset(
            [s.object for s in signatures] + [s.fragment for s in signatures] + [ctx.file._libomp],
            transitive = [depset(ctx.files._llvm_libraries)],
        ),
        mnemonic = "KinaLink",
        outputs = [ctx.outputs.library, ctx.outputs.header, ctx.outputs.manifest],
        progress_message = "Linking %s" % ctx.label,
        tools = [ctx.executable._llc, ctx.executable._zig],
        use_default_shell_env = True,
    )

    # The .so looks for the runtime of its threads in its own folder.
    ctx.actions.symlink(output = ctx.outputs.libomp, target_file = ctx.file._libomp)
    files = [ctx.outputs.library, ctx.outputs.libomp, ctx.outputs.header, ctx.outputs.manifest]
    return [
        DefaultInfo(
            files = depset(files),
            runfiles = ctx.runfiles(files = files),
        ),
        _cc_info(ctx),
    ]

def _tool(label, doc, **kwargs):
    return attr.label(cfg = "exec", default = Label(label), doc = doc, executable = True, **kwargs)

_kina_shared_library = rule(
    implementation = _kina_shared_library_impl,
    attrs = {
        "deps": attr.label_list(
            cfg = target_transition,
            mandatory = True,
            providers = [KinaInfo],
            doc = "The `kina_library` targets whose signatures the library has.",
        ),
        "header": attr.output(
            mandatory = True,
            doc = "The C header.",
        ),
        "libomp": attr.output(
            mandatory = True,
            doc = "The OpenMP runtime, under the name that the library asks for.",
        ),
        "library": attr.output(
            mandatory = True,
            doc = "The library.",
        ),
        "manifest": attr.output(
            mandatory = True,
            doc = "The manifest, as JSON.",
        ),
        "opt": attr.int(
            default = -1,
            doc = "LLVM's optimization level, 0 to 3; -1 for that of //tools/kina:opt.",
            values = [-1, 0, 1, 2, 3],
        ),
        "program": attr.string(
            mandatory = True,
            doc = "The program's name in the manifest.",
        ),
        "target_cpu": attr.string(
            doc = "The processor; empty for that of //tools/kina:target_cpu. Never `native`: see target.bzl.",
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
            doc = "Bazel asks for it where a rule changes settings.",
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
            doc = "What tells C++ rules how to link with the library.",
        ),
        "_libomp": attr.label(
            allow_single_file = True,
            default = "@kina_llvm//:libomp",
            doc = "The OpenMP runtime.",
        ),
        "_link": _tool("//python/kina/actions:link", "From the objects to the library."),
        "_llc": _tool("@kina_llvm//:llc", "LLVM's code generator, for the manifest.", allow_single_file = True),
        "_llvm_libraries": attr.label(
            cfg = "exec",
            default = "@kina_llvm//:libraries",
            doc = "What the programs of LLVM load.",
        ),
        "_zig": _tool("@kina_llvm//:zig", "Carries the linker.", allow_single_file = True),
    },
    doc = "Links the signatures of Kina programs into one shared library.",
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def kina_shared_library(name, deps, opt = None, target_cpu = None, program = None, **kwargs):
    """Links the signatures of Kina programs into one shared library.

    With `name = "storylm0_generate_so"` it makes, in a folder of that name, `libstorylm0_generate.so`; beside it
    `libomp.so`, which the library loads if its code runs on several threads; the C header
    `storylm0_generate.h`; and the manifest `storylm0_generate.json`, which the library also carries. The target is
    for the `data` of a test or program, or for the `deps` of `cc_library`, `cc_binary` and `cc_test`, which then
    find the header as `#include "storylm0_generate.h"`; each file is a label too, as
    `:storylm0_generate_so/libstorylm0_generate.so`.

    Args:
        name: the target.
        deps: the `kina_library` targets whose signatures the library has. Two may not export the same name.
        opt: LLVM's optimization level, 0 to 3 (without it, the flag `--//tools/kina:opt`, by default 3).
        target_cpu: the processor, as `x86-64-v3` or `x86-64-v3+avx512f`; `kina compile --help` lists them. Without
            it, the flag `--//tools/kina:target_cpu`; without that, a baseline for the machine that Bazel builds for:
            `x86-64-v3` or `armv8.2-a`.
        program: the name of the files and in the manifest; without it, `name` less a final `_so`.
        **kwargs: what every rule takes, as `visibility`.
    """
    program = program or (name[:-len("_so")] if name.endswith("_so") else name)
    _kina_shared_library(
        name = name,
        header = "%s/%s.h" % (name, program),
        libomp = "%s/libomp.so" % name,
        library = "%s/lib%s.so" % (name, program),
        manifest = "%s/%s.json" % (name, program),
        opt = -1 if opt == None else opt,
        program = program,
        target_cpu = target_cpu,
        deps = deps,
        **kwargs
    )
