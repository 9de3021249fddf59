"""Other systems, simulated on Linux: what Windows or macOS lack, or do otherwise.

``python -m tests.desks`` runs the tests that meet most of it, ``pytest -p tests.desks`` others.
Modules of latviz and of its tests find none of the modules and functions that one of these systems
lacks; the standard library keeps them, as this system needs them. Numbers have decimal commas,
there are no fonts and no standard streams, the environment moves no folder, native settings stay
where they are, new processes are spawned, and their pipes are of another class.

The environment variable ``NUMBA_CPU_NAME=generic`` adds kernels compiled for another processor,
which takes minutes: continuous integration has to compile them in any case.
"""

import ast
import atexit
import builtins
import importlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import connection, context, reduction
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import mypy
import pytest
from PyQt6.QtCore import QLocale, QSettings, QStandardPaths, qWarning
from PyQt6.QtGui import QFontDatabase

SYSTEMS = "win32", "darwin"
OURS = "latviz", "tests"
"""The packages that must do with what every system has."""
STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"
"""What each system's Python has, as type checkers know it."""
PARTS = {"os": "os/__init__.pyi", "signal": "signal.pyi", "socket": "socket.pyi"}
MODULES = "curses", "fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"
GERMAN = "de_DE.UTF-8"
READ = {"capsys", "capfd", "capsysbinary", "capfdbinary"}
"""Fixtures of tests that read what is printed."""
PLACES = set(QStandardPaths.StandardLocation) - {QStandardPaths.StandardLocation.RuntimeLocation}
SELECTION = [
    f"tests/{place}"
    for place in (
        "test_cli.py",
        "app/widgets/test_number_boxes.py",
        *(f"app/session/test_{name}.py" for name in ("changes", "ending")),
        *(f"app/shell/test_{name}.py" for name in ("menus", "settings")),
        "collection/test_reading.py",
        *("core/disk", "core/test_printable.py"),
        *("files/test_names.py", "files/test_writing.py"),
    )
]
"""Tests that meet most of the differences."""
OF_OPTIONS = [
    f"--deselect=tests/test_cli.py::test_{name}"
    for name in (
        "options_without_effect_are_refused_with_the_reason",
        "every_parameter_has_an_option",
    )
]
"""The slowest of them, which meet none: they parse options a thousand times."""


def names(stub: Path, system: str) -> set[str]:
    known = {"sys": SimpleNamespace(platform=system, version_info=sys.version_info)}

    def of(body: list[ast.stmt]) -> Iterator[str]:
        for node in body:
            if isinstance(node, ast.If):
                test = compile(ast.Expression(node.test), stub.name, "eval")
                yield from of(node.body if eval(test, known) else node.orelse)
            elif isinstance(node, ast.ImportFrom):
                yield from (one.asname or one.name for one in node.names)
            elif isinstance(node, ast.Assign):
                yield from (one.id for one in node.targets if isinstance(one, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield node.name

    return set(of(ast.parse(stub.read_text(encoding="utf-8")).body))


def lacking(stub: Path) -> set[str]:
    """Return the names that a module has here, and not on all systems."""
    return names(stub, "linux") - set.intersection(*(names(stub, one) for one in SYSTEMS))


def is_ours(module: object) -> bool:
    return isinstance(module, str) and module.split(".")[0] in OURS


def hide(module: ModuleType, hidden: set[str]) -> None:

    class Hiding(ModuleType):
        def __getattribute__(self, name: str) -> Any:
            if name in hidden and is_ours(sys._getframe(1).f_globals.get("__name__")):
                raise AttributeError(f"module {module.__name__!r} has no {name!r} (simulated)")
            return super().__getattribute__(name)

    module.__class__ = Hiding


def hide_modules() -> None:
    plain = builtins.__import__

    def found(name: str, among: Any = None, *rest: Any, **more: Any) -> ModuleType:
        if name in MODULES and is_ours((among or {}).get("__name__")):
            raise ModuleNotFoundError(f"No module named {name!r} (simulated)", name=name)
        return plain(name, among, *rest, **more)

    builtins.__import__ = found


class PipeConnection(connection._ConnectionBase):
    """An end of a pipe that is not a `Connection`, as on Windows."""

    _close = connection.Connection._close
    _send = connection.Connection._send
    _recv = connection.Connection._recv
    _send_bytes = connection.Connection._send_bytes
    _recv_bytes = connection.Connection._recv_bytes
    _poll = connection.Connection._poll


def change_pipes() -> None:
    """Make pipes between processes of the other class, and spawn the processes."""
    plain = context.BaseContext.Pipe

    def other(end: Any) -> PipeConnection:
        copy = PipeConnection(os.dup(end.fileno()), end.readable, end.writable)
        end.close()
        return copy

    def pipe(self: Any, duplex: bool = True) -> tuple[PipeConnection, ...]:
        return tuple(map(other, plain(self, duplex)))

    context.BaseContext.Pipe = pipe
    reduction.register(PipeConnection, connection.reduce_connection)
    multiprocessing.set_start_method("spawn", force=True)


def fix_folders(home: Path) -> None:
    """Let the program live in a home whose folders no variable moves."""
    os.environ["HOME"] = str(home)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    for name in ("writableLocation", "standardLocations"):
        plain = getattr(QStandardPaths, name)
        found = {place: plain(place) for place in PLACES}
        setattr(QStandardPaths, name, staticmethod(found.__getitem__))
    move = QSettings.setPath

    def moved(form: QSettings.Format, scope: QSettings.Scope, path: str) -> None:
        if form != QSettings.Format.NativeFormat:
            move(form, scope, path)

    QSettings.setPath = staticmethod(moved)


def take_fonts(home: Path) -> None:
    """Leave Qt no fonts, of which it warns on Windows if there is no display."""
    folder, settings = home / "fonts", home / "fonts.conf"
    folder.mkdir()
    load = QFontDatabase.addApplicationFont

    def warned(path: str) -> int:
        qWarning(f"QFontDatabase: Cannot find font directory {folder}.")
        return load(path)

    QFontDatabase.addApplicationFont = staticmethod(warned)
    settings.write_text(f"<fontconfig><dir>{folder}</dir></fontconfig>", encoding="utf-8")
    os.environ["FONTCONFIG_FILE"] = str(settings)


def speak_german(home: Path) -> None:
    """Write and read numbers with commas, new processes too if the C library can."""
    QLocale.setDefault(QLocale("de_DE"))
    make = ["localedef", "-i", "de_DE", "-f", "UTF-8", home / GERMAN]
    with suppress(OSError, subprocess.CalledProcessError):  # Qt warns of one that is not installed
        subprocess.run(make, check=True, capture_output=True)
        os.environ |= {"LOCPATH": str(home), "LANG": GERMAN, "LC_ALL": GERMAN}


def simulate() -> None:
    """Make this process, and those that it starts, meet what other systems do."""
    home = Path(tempfile.mkdtemp(prefix="latviz-home-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    fix_folders(home)
    take_fonts(home)
    speak_german(home)
    change_pipes()
    hide_modules()
    for name, stub in PARTS.items():
        hide(importlib.import_module(name), lacking(STUBS / stub))


def pytest_load_initial_conftests() -> None:
    """Simulate before anything of latviz is imported."""
    simulate()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run tests that read nothing printed without standard streams."""
    with pytest.MonkeyPatch.context() as patch:
        if READ.isdisjoint(getattr(item, "fixturenames", ())):
            for name in ("stdin", "stdout", "stderr"):
                patch.setattr(sys, name, None)
        return (yield)


if __name__ == "__main__":
    given = sys.argv[1:]
    is_chosen = any(Path(word.split("::")[0]).exists() for word in given)
    chosen = given if is_chosen else [*given, *SELECTION, *OF_OPTIONS]
    sys.exit(pytest.main(["-p", "tests.desks", "-p", "no:cacheprovider", *chosen]))
