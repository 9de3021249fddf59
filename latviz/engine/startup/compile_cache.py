"""Load every kernel that the window needs, compiling those that are in no cache."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, Self

from numba import types

from latviz import wings
from latviz.core import kernels, threads
from latviz.core.disk.reading import read_bytes
from latviz.core.progress import Cancelled
from latviz.engine.startup.compilers import PartOfWing, compiling, early

Stop = Callable[[], bool]
POLL_S = 0.05
"""Seconds between questions whether a process has compiled kernels."""
SPAWNED = 4
"""Most processes that compile where they cannot be forked: each imports the libraries by itself."""
FILE = Path(__file__).with_name("kernels.txt")
"""All kernels with the types of their arguments, in sections; a test prints missing lines."""
SOON = {
    "symbols": ("symbols", "any soon", "symbols soon"),
    "vectors": ("vectors", "any soon", "vectors soon"),
}
"""The sections for pictures of symbols or of vectors, in order of need."""
PARTS = {
    "pictures": ("any", *SOON["symbols"], "vectors", "vectors soon", "filters"),
    **{name: (name,) for name in ("volumes", "sweeping", "sweeping volumes", "beliefs", "regions")},
}
"""The sections of each part; those of pictures come before all others."""

_loaded = set[str]()
"""Parts in the memory of this process: later windows need not load them again."""


class Kernel(NamedTuple):
    """A kernel for arguments of some types: a line of `FILE`."""

    module: str
    name: str
    arguments: str

    def load(self) -> None:
        """Load it from the cache, or compile it."""
        found = eval(f"({self.arguments},)", NAMES)  # they are Python: `types` overload brackets
        getattr(getattr(kernels, self.module), self.name).compile(tuple(map(_type_of, found)))


NAMES = {
    **vars(types),
    "bool": types.boolean,
    "const": lambda array: array.copy(readonly=True),
}
"""What the words of `FILE` mean."""


def _type_of(found: Any) -> Any:
    """Return a type, or Numba's tuple of several."""
    return types.Tuple([*map(_type_of, found)]) if isinstance(found, tuple) else found


@cache
def sections() -> dict[str, list[Kernel]]:
    """Return the kernels of each section, in order of need."""
    found, name = dict[str, list[Kernel]](), ""
    for line in read_bytes(FILE).decode().splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = []
        elif line and not line.startswith("#"):
            place, arguments = line.split(" ", 1)
            module, kernel = place.split(".")
            found[name].append(Kernel(module, kernel, arguments))
    return found


def load(names: Sequence[str], stop: Stop = lambda: False) -> None:
    """Load the kernels of some sections; raise `Cancelled` if it is stopped."""
    for name in names:
        for kernel in sections()[name]:
            if stop():
                raise Cancelled
            kernel.load()


def compile_pictures(first: Callable[[], str]) -> None:
    """Compile the kernels of pictures: several processes take some of a module after the other."""
    # They are forked from this process, if possible, after it has imported the libraries. Kernels
    # for all pictures start before ``first`` returns the next kind, "symbols" or "vectors"; if it
    # returns neither, this does not wait for the others
    forks = sys.platform == "linux"  # elsewhere it is not safe with system libraries
    context: Any = multiprocessing.get_context("fork" if forks else "spawn")
    jobs, saving = context.SimpleQueue(), context.Lock()
    gc.disable()  # the compiler's objects are kept anyway
    if forks:
        kernels.compiler.begin()
    processes = [
        context.Process(target=_compile_each, args=(jobs, saving), daemon=True)
        for _ in range(threads.CORES if forks else min(threads.CORES, SPAWNED))
    ]
    for process in processes:
        process.start()
    for job in _jobs("any"):
        jobs.put(job)
    soon = SOON.get(first())
    if soon is None:
        return  # which ends the processes
    later = [name for name in dict.fromkeys((*soon, *PARTS["pictures"])) if name != "any"]
    for more in (*_jobs(*later), *[None] * len(processes)):
        jobs.put(more)
    for process in processes:
        process.join()


def _jobs(*names: str) -> Iterator[list[Kernel]]:
    """Yield the kernels of sections, those of a module together: one process compiles callees."""
    for name in names:
        for _, some in groupby(sections()[name], lambda one: one.module):
            yield list(some)


def _compile_each(jobs: Any, saving: Any) -> None:
    """Compile one job after the other, until all are done or the parent process has ended."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    kernels.compiler.save_under(saving)
    gc.disable()
    began = multiprocessing.parent_process()
    assert began is not None
    threading.Thread(target=_end_with, args=(began,), daemon=True).start()
    while (job := jobs.get()) is not None:
        for kernel in job:
            kernel.load()


def _end_with(process: Any) -> None:
    """End this process when another one has ended, for any reason."""
    process.join()
    os._exit(1)


class Part:
    """Kernels for some uses, a row of `WARM_UPS`; a separate process compiles those not cached."""

    # Leaving its context ends that process. The compiler holds the interpreter's lock for longer
    # than a window may freeze. If no process can be started, or store kernels, this one compiles

    def __init__(self, name: str) -> None:
        self.name, self.begun = name, False
        self._process = early() if name == "pictures" else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()

    @property
    def ready(self) -> bool:
        """True if the kernels are in the memory of this process."""
        return self.name in _loaded

    @property
    def is_compiling(self) -> bool:
        """True while a process compiles them; thread-safe."""
        process = self._process
        return process is not None and process.poll() is None

    @property
    def settled(self) -> bool:
        """True if they are in memory, or in the cache as far as a process can store them."""
        return self.ready or (self.begun and not self.is_compiling)

    def begin(self, on_compile: Callable[[], None], first: str) -> None:
        """Compile them, unless that has begun; of pictures first "symbols" or "vectors"."""
        if self.begun:
            return
        on_compile()
        self.begun = True
        with suppress(OSError):
            self._process = self._process or compiling(self.name)
            stream = self._process.stdin
            assert stream is not None
            with stream:
                stream.write(f"{first}\n")

    def is_ready(self, on_compile: Callable[[], None], stop: Stop, first: str = "") -> bool:
        """Return True if they are in memory; if they are not yet, ask again later."""
        # ``on_compile`` is called if they have to be compiled. Kernels that begin early wait for
        # ``first``. After `Cancelled` loading may continue
        if self.ready or self._is_loaded(stop):
            _loaded.add(self.name)
            return True
        if first or not self.is_compiling:
            self.begin(on_compile, first or "symbols")
        return False

    def wait(self, on_compile: Callable[[], None], stop: Stop) -> bool:
        """Wait until they are in memory; return False if ``stop`` returns True before."""
        while not self.is_ready(on_compile, stop):
            if stop():
                return False
            time.sleep(POLL_S)
        return True

    def _is_loaded(self, stop: Stop) -> bool:
        if self.is_compiling:
            return False
        try:
            with nullcontext() if self.begun else kernels.compiler.refusing_to_compile():
                WARM_UPS[self.name](stop)
        except kernels.compiler.NotCachedError:
            return False
        return True


WARM_UPS: dict[str, Callable[..., None]] = {
    **{name: partial(load, names) for name, names in PARTS.items()},
    **dict(wings.rows("kernels", PartOfWing)),
}
"""What loads the kernels of each part."""


def _end(*_: object) -> None:
    """End at once, with the processes that this one began; an exception might end in a callback."""
    for process in multiprocessing.active_children():
        process.terminate()
    os._exit(1)


def _main(name: str) -> None:
    """Compile a part; the first kind of pictures is read from a line."""
    signal.signal(signal.SIGTERM, _end)
    if name == "pictures":
        compile_pictures(lambda: sys.stdin.readline().strip())
    else:
        WARM_UPS[name]()


if __name__ == "__main__":
    _main(*sys.argv[1:])
