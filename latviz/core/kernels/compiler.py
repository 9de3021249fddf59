"""Numba's compiler: a cache that can be trusted, and a way to learn that something is not in it.

Where Numba can write its cache nowhere, the program and those it starts share one that is
temporary.
"""

import atexit
import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numba
from numba import config
from numba.core import caching, event

__all__ = ["NotCachedError", "njit", "refusing_to_compile"]


class NotCachedError(Exception):
    """A kernel would have to be compiled."""


_refuses: ContextVar[bool] = ContextVar("refuses to compile", default=False)


class _Refusal(event.Listener):
    def on_start(self, _event):
        if _refuses.get():
            raise NotCachedError

    def on_end(self, _event):
        pass


event.register("numba:compile", _Refusal())


@contextmanager
def refusing_to_compile() -> Iterator[None]:
    """Raise `NotCachedError` where a kernel would be compiled.

    It is this thread that refuses, and those that do a share of its work; others compile meanwhile.
    """
    token = _refuses.set(True)
    try:
        yield
    finally:
        _refuses.reset(token)


_SEAL = 32
"""Bytes of a digest."""


def stamp_of(folder: Path) -> str:
    """Return a digest of a folder's modules."""
    found = hashlib.blake2b(digest_size=_SEAL)
    for path in sorted(folder.glob("*.py")):
        content = path.read_bytes()
        found.update(f"{path.name} {len(content)} ".encode() + content)
    return found.hexdigest()


_STAMP = stamp_of(Path(__file__).parent)
"""Whatever of it changes makes all kernels old.

Numba looks at the file that a kernel is in alone, not at those of what it calls.
"""


class _SealedFile(caching.IndexDataCacheFile):
    """Numba's index and data files, each behind a digest; what is damaged counts as not there.

    Numba itself stops at a file that a power loss cut off, and would run one with a changed byte.
    The digest is of Numba's version too, because another version's files cannot be unpickled. Data
    hold their key: of two programs that save into the same file, one compiles again.
    """

    def load(self, key):
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def save(self, key, data):
        super().save(key, (key, data))

    def _load_index(self):
        try:
            stamp, overloads = self._read(self._index_path)
        except OSError:
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads):
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name):
        return self._read(self._data_path(name))

    def _save_data(self, name, data):
        self._write(self._data_path(name), data)

    def _read(self, path):
        with open(path, "rb") as stream:
            content = stream.read()
        seal, payload = content[:_SEAL], content[_SEAL:]
        if seal != self._seal(payload):
            raise OSError(f"{path} is damaged, or of another version of Numba")
        return pickle.loads(payload)

    def _write(self, path, value):
        payload = self._dump(value)
        with self._open_for_write(path) as stream:
            stream.write(self._seal(payload) + payload)

    def _seal(self, payload):
        version = self._version.encode()[:16]
        return hashlib.blake2b(payload, digest_size=_SEAL, person=version).digest()


def njit(**options: Any) -> Any:
    """Return `numba.njit` with these options and ``cache=True``; its cache is sealed."""

    def decorate(function: Any) -> Any:
        kernel = numba.njit(cache=True, **options)(function)
        file = kernel._cache._cache_file
        file.__class__ = _SealedFile
        file._source_stamp = file._source_stamp, _STAMP
        return kernel

    return decorate


def _anything():
    """Stand for a kernel, to see whether there is a place for its cache."""


try:
    njit()(_anything)
except RuntimeError:
    config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="latviz-")
    atexit.register(shutil.rmtree, config.CACHE_DIR, ignore_errors=True)
