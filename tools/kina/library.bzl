"""kina_library: a program, from its text to one object per signature."""

load(":providers.bzl", "KinaInfo")
load(":target.bzl", "KinaTargetInfo")

def _main(ctx):
    """The program's own source, as against those that it imports."""
    if ctx.file.main:
        return ctx.file.main
    sources = ctx.files.srcs
    if not sources:
        fail("srcs: a program needs a source")
    named = [source for source in sources if source.basename == ctx.label.name + ".kina"]
    if len(sources) > 1 and len(named) != 1:
        fail("main: which of srcs is the program? None is called %s.kina, so name it by main; the others are imported" %
             ctx.label.name)
    return named[0] if named else sources[0]

def _check_exports(exports):
    if not exports:
        fail("exports: a program needs an export to compile")
    for i, name in enumerate(exports):
        if not name.replace("_", "a").isalnum() or name[0].isdigit():
            fail("exports: \"%s\" is not a name of the language" % name)
        if name in exports[:i]:
            fail("exports: %s comes twice" % name)

def _emit(ctx, main, imports, cpu):
    """One action: the text to a module, a schedule and a manifest fragment for each signature."""
    folder = ctx.label.name
    signatures = [
        struct(
            fragment = ctx.actions.declare_file("%s/%s.json" % (folder, name)),
            mlir = ctx.actions.declare_file("%s/%s.mlir" % (folder, name)),
            name = name,
            schedule = ctx.actions.declare_file("%s/%s.schedule.mlir" % (folder, name)),
        )
        for name in ctx.attr.exports
    ]
    args = ctx.actions.args()
    args.add("--source", main)
    args.add_all("--imports", imports)
    args.add_joined("--exports", ctx.attr.exports, join_with = ",")
    args.add("--target_cpu", cpu)
    args.add("--out_dir", signatures[0].mlir.dirname)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._emit,
        inputs = [main] + imports,
        mnemonic = "KinaEmit",
        outputs = [f for s in signatures for f in (s.mlir, s.schedule, s.fragment)],
        progress_message = "Emitting %s" % ctx.label,
        use_default_shell_env = True,
    )
    return signatures

def _compile(ctx, signature, cpu, opt):
    """One action: a signature's module and schedule to its object."""
    object = ctx.actions.declare_file("%s/%s.o" % (ctx.label.name, signature.name))
    args = ctx.actions.args()
    args.add("--mlir", signature.mlir)
    args.add("--schedule", signature.schedule)
    args.add("--target_cpu", cpu)
    args.add("--opt_level", opt)
    args.add("--mlir_opt", ctx.executable._mlir_opt)
    args.add("--mlir_translate", ctx.executable._mlir_translate)
    args.add("--opt", ctx.executable._opt)
    args.add("--llc", ctx.executable._llc)
    args.add("-o", object)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._object,
        inputs = depset([signature.mlir, signature.schedule], transitive = [depset(ctx.files._llvm_libraries)]),
        mnemonic = "KinaObject",
        outputs = [object],
        progress_message = "Compiling %s of %s" % (signature.name, ctx.label),
        tools = [
            ctx.executable._llc,
            ctx.executable._mlir_opt,
            ctx.executable._mlir_translate,
            ctx.executable._opt,
        ],
        use_default_shell_env = True,
    )
    return object

def _kina_library_impl(ctx):
    _check_exports(ctx.attr.exports)
    main = _main(ctx)
    imports = [source for source in ctx.files.srcs if source != main]
    cpu = ctx.attr._target_cpu[KinaTargetInfo].cpu
    opt = ctx.attr._opt_level[KinaTargetInfo].opt
    signatures = [
        struct(
            fragment = s.fragment,
            mlir = s.mlir,
            name = s.name,
            object = _compile(ctx, s, cpu, opt),
            schedule = s.schedule,
        )
        for s in _emit(ctx, main, imports, cpu)
    ]
    modules = [s.mlir for s in signatures]
    return [
        DefaultInfo(
            files = depset(modules),
            runfiles = ctx.runfiles(files = modules),
        ),
        OutputGroupInfo(
            fragments = depset([s.fragment for s in signatures]),
            objects = depset([s.object for s in signatures]),
            schedules = depset([s.schedule for s in signatures]),
        ),
        KinaInfo(
            program = main.basename[:-len(".kina")],
            signatures = signatures,
            sources = [main] + imports,
            target_cpu = cpu,
        ),
    ]

def _tool(label, doc, **kwargs):
    return attr.label(cfg = "exec", default = Label(label), doc = doc, executable = True, **kwargs)

kina_library = rule(
    implementation = _kina_library_impl,
    attrs = {
        "exports": attr.string_list(
            mandatory = True,
            doc = "The signatures to compile, which are exactly the exports of the main source, gradients among them.",
        ),
        "main": attr.label(
            allow_single_file = [".kina"],
            doc = "The program's own source. Without it, the only one of `srcs`, or that which is called as the " +
                  "target: `axpy.kina` for `axpy`.",
        ),
        "srcs": attr.label_list(
            allow_files = [".kina"],
            doc = "The program: its own source, and every one that it imports, directly or not, in any order.",
        ),
        "_emit": _tool("//python/kina/actions:emit", "From the text to the modules."),
        "_llc": _tool("@kina_llvm//:llc", "LLVM's code generator.", allow_single_file = True),
        "_llvm_libraries": attr.label(
            cfg = "exec",
            default = "@kina_llvm//:libraries",
            doc = "What the programs of LLVM and MLIR load.",
        ),
        "_mlir_opt": _tool("@kina_llvm//:mlir-opt", "MLIR's passes.", allow_single_file = True),
        "_mlir_translate": _tool("@kina_llvm//:mlir-translate", "From MLIR to LLVM.", allow_single_file = True),
        "_object": _tool("//python/kina/actions:object", "From a module to its object."),
        "_opt": _tool("@kina_llvm//:opt", "LLVM's passes.", allow_single_file = True),
        "_opt_level": attr.label(
            default = "//tools/kina:opt",
            doc = "How hard to optimize, unless a `kina_shared_library` says otherwise.",
            providers = [KinaTargetInfo],
        ),
        "_target_cpu": attr.label(
            default = "//tools/kina:target_cpu",
            doc = "The processor, unless a `kina_shared_library` says otherwise.",
            providers = [KinaTargetInfo],
        ),
    },
    doc = """Checks a Kina program and compiles each of its signatures.

One action emits the MLIR of every signature; one action for each signature then makes its object, so a change of
the program compiles only the signatures whose MLIR it changes. Building the target makes the MLIR; the output
groups `objects`, `schedules` and `fragments` hold the rest. `kina_shared_library` links it.""",
)
