"""Run latviz: ``python -m latviz``."""

import os
import sys

from latviz import frozen


def main() -> int:
    """Run the command line; return the exit code."""
    _occupy_standard_streams()
    _keep_cores_free()
    if frozen.is_frozen():
        frozen.keep_caches()
        if (code := frozen.run_as_python(sys.argv[1:])) is not None:
            return code
    from latviz.cli import run_to_end  # not above: a bundle keeps what is compiled from here on

    return run_to_end(sys.argv[1:])


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
