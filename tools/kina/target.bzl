"""Which processor, and how hard, the chains of a program compile for."""

KinaTargetInfo = provider(
    doc = "How to generate code.",
    fields = {
        "cpu": "A level of python/kina/cpu.py, with `+features` where wanted.",
        "opt": "LLVM's optimization level, 0 to 3.",
    },
)

_CPU_SETTING = str(Label("//tools/kina:target_cpu"))
_OPT_SETTING = str(Label("//tools/kina:opt"))

def _target_cpu_impl(ctx):
    cpu = ctx.build_setting_value or ctx.attr.baseline
    if cpu.split("+")[0] == "native":
        # Another machine would take the result from the cache and could not run it.
        fail("target_cpu = \"native\" is not for builds: name the processor, or use `kina compile`")
    return [KinaTargetInfo(cpu = cpu)]

target_cpu = rule(
    implementation = _target_cpu_impl,
    build_setting = config.string(flag = True),
    attrs = {
        "baseline": attr.string(
            mandatory = True,
            doc = "The processor where the setting is empty.",
        ),
    },
    doc = "The setting that names the processor.",
)

def _opt_impl(ctx):
    if ctx.build_setting_value not in range(4):
        fail("opt is LLVM's optimization level, 0 to 3, not %d" % ctx.build_setting_value)
    return [KinaTargetInfo(opt = ctx.build_setting_value)]

opt = rule(
    implementation = _opt_impl,
    build_setting = config.int(flag = True),
    doc = "The setting that holds LLVM's optimization level.",
)

def _transition_impl(settings, attr):
    # What a rule leaves open stays as it is, so that its libraries are those that others build.
    return {
        _CPU_SETTING: attr.target_cpu or settings[_CPU_SETTING],
        _OPT_SETTING: attr.opt if attr.opt >= 0 else settings[_OPT_SETTING],
    }

target_transition = transition(
    implementation = _transition_impl,
    inputs = [_CPU_SETTING, _OPT_SETTING],
    outputs = [_CPU_SETTING, _OPT_SETTING],
)
