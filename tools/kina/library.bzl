"""kina_library: a program, from its text to one object per signature."""

load(":providers.bzl", "KinaInfo")
load(":target.bzl", "KinaTargetInfo")

def _emit(ctx, cpu):
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
    args.add("--source", ctx.files.srcs[0])
    if len(ctx.files.srcs) > 1:
        args.add_all("--imports", ctx.files.srcs[1:])
    args.add_joined("--exports", ctx.attr.exports, join_with = ",")
    args.add("--target_cpu", cpu)
    args.add("--out_dir", signatures[0].mlir.dirname)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._emit,
        inputs = ctx.files.srcs,
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
    if not ctx.files.srcs:
        fail("a program needs a source", "srcs")
    if not ctx.attr.exports:
        fail("a program needs an export to compile", "exports")
    for i, name in enumerate(ctx.attr.exports):
        if name in ctx.attr.exports[:i]:
            fail("%s comes twice" % name, "exports")
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
        for s in _emit(ctx, cpu)
    ]
    main = ctx.files.srcs[0].basename
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
            program = main[:-len(".kina")],
            signatures = signatures,
            sources = ctx.files.srcs,
            target_cpu = cpu,
        ),
    ]

def _tool(label, **kwargs):
    return attr.label(cfg = "exec", default = Label(label), executable = True, **kwargs)

kina_library = rule(
    implementation = _kina_library_impl,
    attrs = {
        "exports": attr.string_list(
            mandatory = True,
            doc = "The signatures to compile, which are exactly the exports of the main source.",
        ),
        "srcs": attr.label_list(
            allow_files = [".kina"],
            mandatory = True,
            doc = "The program: its main source first, then every source that it imports, directly or not.",
        ),
        "_emit": _tool("//python/kina/actions:emit"),
        "_llc": _tool("@kina_llvm//:llc", allow_single_file = True),
        "_llvm_libraries": attr.label(
            cfg = "exec",
            default = "@kina_llvm//:libraries",
            doc = "What the programs of LLVM and MLIR load.",
        ),
        "_mlir_opt": _tool("@kina_llvm//:mlir-opt", allow_single_file = True),
        "_mlir_translate": _tool("@kina_llvm//:mlir-translate", allow_single_file = True),
        "_object": _tool("//python/kina/actions:object"),
        "_opt": _tool("@kina_llvm//:opt", allow_single_file = True),
        "_opt_level": attr.label(
            default = "//tools/kina:opt",
            providers = [KinaTargetInfo],
        ),
        "_target_cpu": attr.label(
            default = "//tools/kina:target_cpu",
            providers = [KinaTargetInfo],
        ),
    },
    doc = """Checks a Kina program and compiles each of its signatures.

One action emits the MLIR of every signature; one action for each signature then makes its object, so a change of
the program compiles only the signatures whose MLIR it changes. Building the target makes the MLIR; the output
groups `objects`, `schedules` and `fragments` hold the rest. `kina_shared_library` links it.""",
)
