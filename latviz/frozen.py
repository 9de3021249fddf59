"""The program in a bundle of its own, as Briefcase makes it for installers.

No interpreter comes with it: ``sys.executable`` is latviz itself. `apart` of
`latviz.engine.startup.compilers`, multiprocessing, its tracker of resources and other libraries
start that file as if it were Python. So a bundle runs what Python's options ``-c`` and ``-m`` name.
"""

import os
import re
import runpy
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, metadata

from latviz.files.cache_folder import cache_folder

_FLAG = re.compile(r"-[BEIOPSWXbdqsuvx]\S*")
"""An option of Python that changes how it runs."""


def is_frozen() -> bool:
    """Return True if this program is a bundle: Briefcase writes its version into the metadata."""
    with suppress(PackageNotFoundError):
        return "Briefcase-Version" in metadata("latviz")
    return False


def command() -> list[str]:
    """Return the command that starts this copy of the program, from any working folder."""
    return [sys.executable] if is_frozen() else [sys.executable, "-P", "-m", "latviz"]


def keep_caches() -> None:
    """Store kernels, and modules, in the user's folder: a change would break a bundle's signature.

    For that reason Briefcase makes Python store no modules: each start would compile them all.
    """
    # Deeper than the results in that folder, of which the oldest are deleted
    folder = cache_folder() / "compiled"
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder / "kernels"))
    if sys.dont_write_bytecode:
        sys.pycache_prefix, sys.dont_write_bytecode = str(folder / "modules"), False


def run_as_python(arguments: Sequence[str]) -> int | None:
    """Run what ``-c`` or ``-m`` names; return the exit code, or None if neither is given."""
    words = iter(arguments)
    for word in words:
        if word in ("-c", "-m"):
            what = next(words, "")
            sys.argv[:] = [word, *words]
            return _run(word, what)
        if word in ("-W", "-X"):
            next(words, "")
        elif not _FLAG.fullmatch(word):
            break
    return None


def _run(option: str, what: str) -> int:
    try:
        if option == "-c":
            exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
        else:
            runpy.run_module(what, run_name="__main__", alter_sys=True)
    except Exception:  # or the bundle opens a dialog, and waits
        sys.excepthook(*sys.exc_info())
        return 1
    return 0
