"""Rewrites of the `kina` dialect to itself."""
