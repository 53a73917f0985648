"""The `kina` command."""
