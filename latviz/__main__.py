"""Run latviz: ``python -m latviz``."""

import os
import sys

from latviz.cli import run
from latviz.core.printable import ended


def main() -> int:
    """Run the command line; return the exit code."""
    _occupy_standard_streams()
    _keep_cores_free()
    try:
        code: object = run(sys.argv[1:])
    except SystemExit as end:  # of a parser
        code = end.code
    return ended(code if isinstance(code, int) else 0)


def _occupy_standard_streams() -> None:
    """Open the null device for closed standard streams, or output goes to the next file."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _keep_cores_free() -> None:
    """Make NumPy, which is not loaded yet, multiply on one thread."""
    # OpenBLAS's others spin for a while after each product, and take a core from the kernels
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


if __name__ == "__main__":
    sys.exit(main())
