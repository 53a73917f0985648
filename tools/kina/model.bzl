"""kina_model: a model configuration as a shared library."""

load(":library.bzl", "kina_library")
load(":shared_library.bzl", "kina_shared_library")

def kina_model(name, config, exports, srcs = [], opt = None, target_cpu = None, **kwargs):
    """Compiles a model configuration: its prefill and decode signatures, in one shared library.

    Makes the `kina_library` NAME and the `kina_shared_library` NAME_so.

    Args:
        name: the model.
        config: the `.kina` file that binds the model's dimensions and exports its signatures.
        exports: the signatures, which are exactly the exports of `config`.
        srcs: the sources that `config` imports, directly or not.
        opt: as for `kina_shared_library`.
        target_cpu: as for `kina_shared_library`.
        **kwargs: what every rule takes, as `visibility`.
    """
    kina_library(
        name = name,
        srcs = srcs,
        exports = exports,
        main = config,
        **kwargs
    )
    kina_shared_library(
        name = name + "_so",
        opt = opt,
        program = name,
        target_cpu = target_cpu,
        deps = [":" + name],
        **kwargs
    )
