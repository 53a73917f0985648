"""Which name means what: the files of a program, what they declare, and where a name is known."""
