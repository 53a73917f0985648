"""Functions to operations: statements, calls, loops, and a module of each export."""
