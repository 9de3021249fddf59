"""Numba's compiler: a reliable cache, and a way to find out if a kernel is not in it.

If Numba can write its cache nowhere, the program and its child processes share a temporary one.
"""

import atexit
import hashlib
import importlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config
from numba.core import caching, compiler, event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.typed_passes import NativeLowering

from latviz.core.disk.errors import ExportError
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import replacing

__all__ = ["NotCachedError", "begin", "callee", "njit", "refusing_to_compile", "save_under"]


class NotCachedError(Exception):
    """A kernel would have to be compiled."""


_refuses: ContextVar[bool] = ContextVar("refuses to compile", default=False)


class _Listener(event.Listener):
    def on_start(self, _event):
        if _refuses.get():
            raise NotCachedError
        _defer_scipy()

    def on_end(self, _event):
        pass


event.register("numba:compile", _Listener())


@cache
def _defer_scipy() -> None:
    """Import Numba's functions of arrays without `scipy.linalg`, which kernels never call."""
    # They import it for a tenth of a second, to see if it is there. What uses it looks again
    linalg: Any = importlib.import_module("numba.np.linalg")
    check, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = check


@contextmanager
def refusing_to_compile() -> Iterator[None]:
    """Raise `NotCachedError` where this thread, or a thread that shares its work, would compile."""
    token = _refuses.set(True)
    try:
        yield
    finally:
        _refuses.reset(token)


_SEAL = 32
"""Bytes of a digest."""
_MOST = 1 << 28
"""Bytes of a file of the cache."""


def stamp_of(folder: Path) -> str:
    """Return a digest of a folder's modules."""
    found = hashlib.blake2b(digest_size=_SEAL)
    for path in sorted(folder.glob("*.py")):
        content = read_bytes(path)
        found.update(f"{path.name} {len(content)} ".encode() + content)
    return found.hexdigest()


_STAMP = stamp_of(Path(__file__).parent)
"""A change of this stamp invalidates all kernels.

Numba checks only the file of a kernel, not the files of the functions that it calls."""


_saving: AbstractContextManager[Any] = nullcontext()


def save_under(lock: AbstractContextManager[Any]) -> None:
    """Make this process save kernels only while it holds a lock."""
    # Numba's cache breaks if two processes save the same kernel at once, for any types
    global _saving
    _saving = lock


class _SealedFile(caching.IndexDataCacheFile):
    """Numba's index and data files, each behind a digest; a damaged file counts as missing."""

    # Numba itself stops at a file that a power loss cut off, and would run one with a changed byte.
    # The digest covers Numba's version, because another version's files cannot be unpickled. Data
    # hold their key and stamp: of two programs that save into the same file, one compiles again;
    # and data may be older than an index, if they could not be saved after it. An index that
    # another program keeps from being read is not empty, so that nothing replaces it

    def load(self, key):
        with suppress(PermissionError):
            found = super().load(key)
            return found[1] if found is not None and found[0] == self._own(key) else None
        return None

    def save(self, key, data):
        with _saving, suppress(PermissionError):
            super().save(key, (self._own(key), data))

    def _own(self, key):
        return self._source_stamp, key

    def _load_index(self):
        try:
            stamp, overloads = self._read(self._index_path)
        except PermissionError:
            raise
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
        content = read_bytes(path, _MOST)
        seal, payload = content[:_SEAL], content[_SEAL:]
        if seal != self._seal(payload):
            raise OSError(f"{path} is damaged, or of another version of Numba")
        return pickle.loads(payload)

    def _write(self, path, value):
        payload = self._dump(value)
        # A result that cannot be stored is compiled again.
        with suppress(ExportError), replacing(path, lasting=False) as stream:
            stream.write(self._seal(payload) + payload)

    def _seal(self, payload):
        version = self._version.encode()[:16]
        return hashlib.blake2b(payload, digest_size=_SEAL, person=version).digest()


class _Cache(caching.FunctionCache):
    """A kernel's cache, which is read without what only compiling needs."""

    # Numba's own first imports what it can compile, for a third of a second. Machine code calls the
    # runtime and what `CPUContext.init` has declared; before it compiles, Numba imports the rest

    def load_overload(self, sig, target_context):
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def njit(**options: Any) -> Any:
    """Return `numba.njit` with these options and ``cache=True``; its cache is sealed."""

    def decorate(function: Any) -> Any:
        kernel = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
        kernel._cache.__class__ = _Cache
        file = kernel._cache._cache_file
        file.__class__ = _SealedFile
        file._source_stamp = file._source_stamp, _STAMP
        return kernel

    return decorate


class _CalleeLibrary(JITCodeLibrary):
    """Lowers a callee on its own; LLVM optimizes it in the kernels that it is linked into."""

    def finalize(self):
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _CalleeLowering(NativeLowering):
    """Lowering for code that is only called from other kernels: it makes no machine code."""

    _name = "callee_lowering"

    def run_pass(self, state):
        state.library = _CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        key, lowered = object(), state["cr"]
        state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=key)
        return True


class _CalleeCompiler(compiler.Compiler):
    """Numba's compiler but for the lowering."""

    def define_pipelines(self):
        self.state.flags.no_compile = True
        (pipeline,) = super().define_pipelines()
        pipeline.passes = [
            (_CalleeLowering if kind is NativeLowering else kind, description)
            for kind, description in pipeline.passes
        ]
        return [pipeline]


class _Callee(CPUDispatcher):
    """A function that only kernels call."""

    def add_overload(self, cres):
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *_args, **_options):
        raise TypeError(f"{self.py_func.__qualname__} is called by kernels alone")


def callee(**options: Any) -> Any:
    """Return `numba.njit` with these options, for a function that only kernels call."""
    # It is compiled with each kernel that calls it; without wrappers and cache that takes half the
    # time

    def decorate(function: Any) -> Any:
        bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        dispatcher = numba.njit(pipeline_class=_CalleeCompiler, **bare, **options)(function)
        dispatcher.__class__ = _Callee
        return dispatcher

    return decorate


def begin() -> None:
    """Compile a trivial kernel, so that Numba's one-time set-up is done."""
    numba.njit(_any_array).compile((numba.types.int64,))


def _any_array(n):
    found = np.zeros(n)
    for k in range(n):
        found[k] += k
    return found


def _anything():
    """Stand for a kernel, to see whether there is a place for its cache."""


try:
    njit()(_anything)
except RuntimeError:
    config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="latviz-")
    atexit.register(shutil.rmtree, config.CACHE_DIR, ignore_errors=True)
