"""The kernels are all compiled once, in processes apart from the window."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

import latviz
from latviz.engine.startup import compile_cache as warm
from latviz.engine.startup import compilers
from tests import kernel_cache
from tests.engine.startup import exploring
from tests.products import FULL


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load as a new process does."""
    monkeypatch.setattr(warm, "_loaded", set())


def run(*command: str, **environment: str) -> str:
    """Return the output of an interpreter, which must have no errors."""
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=1200,
    )
    assert done.stderr == "", done.stderr
    return done.stdout


def test_nothing_is_used_that_was_not_compiled() -> None:
    """Neither for first state maps, nor for later views."""
    assert run("-m", exploring.__name__) == ""


def test_nothing_is_compiled_twice() -> None:
    """Parts that are compiled at the same time share no kernel."""
    sections = warm.sections()
    every = [kernel for section in sections.values() for kernel in section]
    assert all(sections.values())
    assert len(every) == len(set(every)) > 100
    assert {name for names in warm.PARTS.values() for name in names} == set(sections)


@pytest.mark.skipif(
    kernel_cache.AFRESH not in os.environ and not FULL, reason="began with compiled kernels"
)
def test_processes_compile_each_part(tmp_path: Path) -> None:
    """A run that began without a cache has compiled the parts one by one."""
    if kernel_cache.AFRESH in os.environ:
        made = Path(os.environ[kernel_cache.AFRESH])
    else:
        kernel_cache.compile_parts(made := tmp_path)
    names = "pictures", *kernel_cache.apart()
    parts = [(made / f"{name}.txt").read_text().splitlines() for name in names]
    assert all(parts)
    assert len(set().union(*parts)) == sum(map(len, parts))
    assert (made / "volumes.txt").read_text() == "told\n"
    again = run("-c", kernel_cache.PREPARE_VOLUMES, NUMBA_CACHE_DIR=str(made / "volumes"))
    assert again == ""


def test_preparing_says_that_it_compiles_and_can_be_stopped(tmp_path: Path) -> None:
    script = """
import psutil
from pathlib import Path
from latviz.engine.startup import compile_cache as warm

told, stopped = [], []

def kernels():
    return sum(1 for path in Path(NUMBA_CACHE_DIR).rglob("*.nbc"))

def stop():
    if not stopped and len(psutil.Process().children(recursive=True)) > 2 and kernels() > 1:
        stopped.append(kernels())
    return bool(stopped)

with warm.Part("pictures") as part:
    print(part.wait(lambda: told.append("told"), stop), told, end=" ")
print(psutil.Process().children(True), kernels() < stopped[0] + 20)
"""
    script = script.replace("NUMBA_CACHE_DIR", repr(str(tmp_path)))
    assert run("-c", script, NUMBA_CACHE_DIR=str(tmp_path)) == "False ['told'] [] True\n"


@pytest.mark.parametrize(("system", "most"), [("linux", 9), ("win32", 4), ("darwin", 4)])
def test_few_processes_compile_where_each_imports_the_libraries(monkeypatch, system, most) -> None:
    context = Mock()
    monkeypatch.setattr(warm.multiprocessing, "get_context", lambda _: context)
    monkeypatch.setattr(warm.gc, "disable", lambda: None)
    monkeypatch.setattr(warm.threads, "CORES", 9)
    monkeypatch.setattr("sys.platform", system)
    warm.compile_pictures(lambda: "symbols")
    assert context.Process.call_count == most


def test_a_later_part_is_compiled_beside_and_then_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def load(_stop: warm.Stop) -> None:
        told.append("load")
        if len(told) == 1:
            raise warm.kernels.compiler.NotCachedError

    sleeper = [sys.executable, "-c", "import time; time.sleep(99)"]
    process = subprocess.Popen(sleeper, stdin=subprocess.PIPE, text=True)
    monkeypatch.setattr(warm, "compiling", lambda _: process)
    monkeypatch.setitem(warm.WARM_UPS, "sweeping", load)
    with warm.Part("sweeping") as part:
        assert not part.is_ready(lambda: told.append("told"), lambda: False)
        assert not part.is_ready(lambda: told.append("told"), lambda: False)
        assert told == ["load", "told"]
        assert part.is_compiling
        process.kill()
        process.wait()
        assert not part.is_compiling
        assert part.is_ready(lambda: told.append("told"), lambda: False)
        assert part.is_ready(lambda: told.append("told"), lambda: False)
    assert told == ["load", "told", "load"]
    assert warm.Part("sweeping").ready  # for whoever comes later in this process
    process = subprocess.Popen(sleeper, stdin=subprocess.PIPE, text=True)
    told.clear()
    warm._loaded.clear()
    with warm.Part("sweeping") as part:
        assert not part.is_ready(lambda: None, lambda: False)
    assert process.returncode is not None


def test_where_no_process_can_be_started_kernels_are_compiled_here(monkeypatch) -> None:
    def refuse(*_: object, **_options: object) -> None:
        raise PermissionError("no more processes")

    calls: list[str] = []

    def warm_up(stop: warm.Stop) -> None:
        calls.append("warm up")
        if len(calls) == 1:
            raise warm.kernels.compiler.NotCachedError

    monkeypatch.setattr(compilers.subprocess, "Popen", refuse)
    monkeypatch.setitem(warm.WARM_UPS, "pictures", warm_up)
    with warm.Part("pictures") as part:
        assert part.wait(lambda: calls.append("told"), lambda: False)
    assert calls == ["warm up", "told", "warm up"]


def test_where_no_cache_can_be_written_there_is_a_temporary_one(tmp_path: Path) -> None:
    script = """
import os, sys, tempfile
from pathlib import Path
import numpy as np

writable = tempfile.TemporaryFile

def only_temporary(dir):
    if not dir.startswith(tempfile.gettempdir()):
        raise PermissionError(dir)
    return writable(dir=dir)

tempfile.TemporaryFile = only_temporary
from latviz.core.windows.decoding import decode
print(decode(np.zeros((2, 3), np.uint8), np.eye(2), 1).tolist())
place = Path(os.environ["NUMBA_CACHE_DIR"])
print(place.parent == Path(tempfile.gettempdir()), len(list(place.glob("*/sweeps.*.nbi"))) > 0)
"""
    printed = run("-c", script, TMPDIR=str(tmp_path), NUMBA_CACHE_DIR="")
    assert printed == "[[0, 0, 0], [0, 0, 0]]\nTrue True\n"
    assert list(tmp_path.iterdir()) == []


def test_kernels_are_compiled_for_this_copy(tmp_path, monkeypatch, capfd) -> None:
    other = tmp_path / "latviz"
    other.mkdir()
    (other / "__init__.py").write_text("raise SystemExit('another copy')")
    monkeypatch.chdir(tmp_path)
    with compilers.apart("-c", "import latviz; print(latviz.__file__)") as process:
        assert process.wait(timeout=240) == 0
    assert Path(capfd.readouterr().out.strip()) == Path(latviz.__file__)
