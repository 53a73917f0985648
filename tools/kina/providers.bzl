"""What the Kina rules tell each other."""

KinaInfo = provider(
    doc = "A compiled Kina program, up to the objects.",
    fields = {
        "program": "Name of the program: that of its main source without `.kina`.",
        "signatures": "List of structs, one per export in the order of the library's `exports`: `name`; and " +
                      "the files `mlir` (linalg on tensors, the level of the goldens), `schedule` (how codegen " +
                      "transforms it), `fragment` (the signature's part of the manifest, JSON) and `object`.",
        "sources": "List of the program's `.kina` files, the main one first.",
        "target_cpu": "The processor that the objects are for.",
    },
)
