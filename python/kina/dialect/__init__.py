"""The `kina` dialect in xDSL: types, operations, verifiers."""
