"""The NumPy meaning of every operation, and an interpreter over the dialect."""
