"""The derivative of each operation, by kinds as in the dialect."""
