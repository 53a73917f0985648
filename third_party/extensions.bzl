"""The external repositories of Kina, for modules."""

load(":repositories.bzl", "kina_repositories")

def _kina_impl(_mctx):
    kina_repositories(built_in_rules = False)

kina = module_extension(
    implementation = _kina_impl,
    doc = "Declares what `kina_repositories` declares in a WORKSPACE.",
)
