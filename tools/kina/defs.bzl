"""The rules of Kina.

    load("@kina//tools/kina:defs.bzl", "kina_library", "kina_shared_library")

    kina_library(
        name = "double",
        srcs = ["double.kina"],
        exports = ["double_f32"],
    )

    kina_shared_library(
        name = "double_so",
        deps = [":double"],
    )
"""

load(":golden.bzl", _kina_golden_test = "kina_golden_test", _kina_update_goldens = "kina_update_goldens")
load(":library.bzl", _kina_library = "kina_library")
load(":model.bzl", _kina_model = "kina_model")
load(":providers.bzl", _KinaInfo = "KinaInfo")
load(":shared_library.bzl", _kina_shared_library = "kina_shared_library")

KinaInfo = _KinaInfo
kina_golden_test = _kina_golden_test
kina_library = _kina_library
kina_model = _kina_model
kina_shared_library = _kina_shared_library
kina_update_goldens = _kina_update_goldens
