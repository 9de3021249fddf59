"""One cache of kernels for all processes that run tests.

Numba's cache does not stand two that save the same kernel at once: both may take the same file for
different signatures.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from filelock import FileLock
from numba.core.caching import IndexDataCacheFile

ROOT = Path(__file__).parents[1]
COMPILE = """
from latviz.engine import compile_cache

for volumes in (False, True):
    compile_cache.prepare(lambda: None, volumes=volumes)
compile_cache.warm_sweeping()
compile_cache.warm_sweeping_volumes()
"""

_lock = FileLock(Path(tempfile.gettempdir(), "latviz-kernels.lock"), mode=0o666)


def compile_once() -> None:
    """Compile what is in no cache of the program's kernels, before workers would all do so."""
    with _lock:
        subprocess.run([sys.executable, "-c", COMPILE], cwd=ROOT, check=True)


def take_turns() -> None:
    """Let this process look into the cache, or save what only a test needs, while no other does."""
    for name in ("load", "save"):
        _lock_method(name, getattr(IndexDataCacheFile, name))


def _lock_method(name: str, method: Any) -> None:
    def locked(self: IndexDataCacheFile, *arguments: Any) -> Any:
        with _lock:
            return method(self, *arguments)

    setattr(IndexDataCacheFile, name, locked)
