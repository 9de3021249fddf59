"""Numba's compiler, with a place for its cache.

Where Numba can write its cache nowhere, the program and those it starts share one that is
temporary.
"""

import atexit
import os
import shutil
import tempfile

from numba import config, njit

__all__ = ["njit"]


def _anything():
    """Stand for a kernel, to see whether there is a place for its cache."""


try:
    njit(cache=True)(_anything)
except RuntimeError:
    config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="latviz-")
    atexit.register(shutil.rmtree, config.CACHE_DIR, ignore_errors=True)
