"""One cache of kernels for all processes that run tests.

Numba's cache fails if two processes save the same kernel at once: both may take the same file for
different signatures.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from zlib import crc32

from filelock import FileLock
from numba.core.caching import IndexDataCacheFile

from latviz.core import kernels

ROOT = Path(__file__).parents[1]
AFRESH = "LATVIZ_COMPILED_AFRESH"
"""The environment variable with the folder of `compile_parts`, if a run began without a cache."""

LAST = "sweeping volumes"
"""The part that needs several others."""

RECORD = """
import sys
from numba.core import event
from latviz.engine.startup import compile_cache as warm

class Recorder(event.Listener):
    def on_start(self, what):
        function, path = what.data["dispatcher"].py_func, what.data["dispatcher"].stats.cache_path
        if function.__module__.startswith("latviz") and path is not None:  # callees have no cache
            print(function.__module__, function.__qualname__, what.data["args"], flush=True)
    def on_end(self, what):
        pass

event.register("numba:compile", Recorder())
if sys.argv[1] == "pictures":
    warm.compile_pictures(lambda: "symbols")
else:
    warm.WARM_UPS[sys.argv[1]]()
"""
PREPARE_VOLUMES = """
from latviz.engine.startup.compile_cache import Part
with Part("volumes") as part:
    part.wait(lambda: print("told"), lambda: False)
"""
COMPILE = """
from latviz.engine.startup import compile_cache

for name in compile_cache.WARM_UPS:
    with compile_cache.Part(name) as part:
        part.wait(lambda: None, lambda: False)
"""

# Of this copy, as its kernels are: tests of another one do not wait
_NAME = f"latviz-kernels-{crc32(os.fsencode(ROOT)):08x}.lock"
_lock = FileLock(Path(tempfile.gettempdir(), _NAME), mode=0o666)


def compile_once() -> None:
    """Compile the missing kernels of the program, before workers would all do so.

    Without an earlier cache, the results are kept for the test of the kernels of each part.
    """
    with _lock:
        place = folder()
        if any(place.glob("*.nbi")):
            subprocess.run([sys.executable, "-c", COMPILE], cwd=ROOT, check=True)
            return
        made = Path(tempfile.mkdtemp(prefix="latviz-compiled-"))
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        compile_parts(made)
        with _rewriting():
            compile_last(made)
        for file in (made / "all").glob("*/*.nb?"):
            shutil.copy2(file, place)
        os.environ[AFRESH] = str(made)


def _rewriting() -> subprocess.Popen[bytes]:
    """Rewrite the assertions of all tests once, on the core that the last part leaves idle.

    Workers start together: each one would rewrite all of them.
    """
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def folder() -> Path:
    """Return where this process caches the program's kernels."""
    place = Path(kernels.norms.norms.stats.cache_path)
    place.mkdir(parents=True, exist_ok=True)
    return place


def compile_parts(made: Path) -> None:
    """Compile each part of the kernels in separate processes, into separate caches.

    Those in ``made`` are named after the part that is in them with ``pictures``. The output of a
    process is in ``PART.txt``: the kernels that it compiled, or "told" of volumes.
    """
    pictures, commands = made / "pictures", {name: (RECORD, name) for name in apart()}
    _print_together({made / "pictures.txt": (pictures, RECORD, "pictures")})
    for name in ("volumes", *commands):
        shutil.copytree(pictures, made / name)
    scripts = {made / f"{name}.txt": (made / name, *asked) for name, asked in commands.items()}
    _print_together({made / "volumes.txt": (made / "volumes", PREPARE_VOLUMES), **scripts})


def apart() -> tuple[str, ...]:
    """Return the later parts that are compiled at the same time, beside those of volumes."""
    from latviz.engine.startup.compile_cache import WARM_UPS  # it loads the compiler

    return tuple(name for name in WARM_UPS if name not in ("pictures", "volumes", LAST))


def compile_last(made: Path) -> None:
    """Join the parts in a cache ``all``, and compile the last one."""
    pictures, everything = made / "pictures", made / "all"
    shutil.copytree(pictures, everything)
    for name in ("volumes", *apart()):
        add_cache(made / name, pictures, everything)
    _print_together({made / f"{LAST}.txt": (everything, RECORD, LAST)})


def add_cache(place: Path, base: Path, target: Path) -> None:
    """Copy the additions of a cache to its base into another; no kernel is in both."""
    for file in place.glob("*/*.nb?"):
        before = base / file.relative_to(place)
        if not before.exists() or before.read_bytes() != file.read_bytes():
            shutil.copy2(file, target / file.relative_to(place))


def _print_together(scripts: dict[Path, tuple[Path, *tuple[str, ...]]]) -> None:
    """Run scripts at once; write the output of each to a file, with its cache."""
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", *command],
                    stdout=stack.enter_context(printed.open("w")),
                    cwd=ROOT,
                    env=os.environ | {"NUMBA_CACHE_DIR": str(place)},
                )
            )
            for printed, (place, *command) in scripts.items()
        ]
        assert [process.wait() for process in processes] == [0] * len(processes)


def take_turns() -> None:
    """Let this process read the cache, or save a test's kernels, while no other does."""
    for name in ("load", "save"):
        _lock_method(name, getattr(IndexDataCacheFile, name))


def _lock_method(name: str, method: Any) -> None:
    def locked(self: IndexDataCacheFile, *arguments: Any) -> Any:
        with _lock:
            return method(self, *arguments)

    setattr(IndexDataCacheFile, name, locked)
