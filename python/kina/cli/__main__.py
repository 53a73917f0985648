"""`python -m kina.cli`: the `kina` command."""

import sys

from kina.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
