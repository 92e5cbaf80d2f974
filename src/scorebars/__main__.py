"""``python -m scorebars`` is the command ``scorebars``."""

import sys

from scorebars.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
