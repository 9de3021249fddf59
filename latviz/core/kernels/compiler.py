"""Numba's compiler: a place for its cache, and a way to learn that something is not in it.

Where Numba can write its cache nowhere, the program and those it starts share one that is
temporary.
"""

import atexit
import os
import shutil
import tempfile
from contextlib import AbstractContextManager
from typing import Any

from numba import config, njit
from numba.core import event

__all__ = ["NotCachedError", "njit", "refusing_to_compile"]


class NotCachedError(Exception):
    """A kernel would have to be compiled."""


class _Refusal(event.Listener):
    def on_start(self, _event):
        raise NotCachedError

    def on_end(self, _event):
        pass


def refusing_to_compile() -> AbstractContextManager[Any]:
    """Return a context in which `NotCachedError` is raised where a kernel would be compiled."""
    return event.install_listener("numba:compile", _Refusal())


def _anything():
    """Stand for a kernel, to see whether there is a place for its cache."""


try:
    njit(cache=True)(_anything)
except RuntimeError:
    config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="latviz-")
    atexit.register(shutil.rmtree, config.CACHE_DIR, ignore_errors=True)
