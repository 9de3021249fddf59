"""Run latviz: ``python -m latviz``."""

import sys

from latviz.cli import run


def main() -> int:
    """Run the command line; return the exit code."""
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
