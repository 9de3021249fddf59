"""Run latviz: ``python -m latviz``."""

import sys


def main() -> int:
    """Run the command line; return the exit code."""
    from latviz.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
