"""Files in the cache of kernels are whole and match the request, or are compiled again."""

import importlib.util
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numba
import numpy as np
import pytest

from latviz.core import threads
from latviz.core.kernels import compiler
from latviz.core.kernels.compiler import NotCachedError, refusing_to_compile

SOURCE = """
from latviz.core.kernels.compiler import njit

@njit(nogil=True)
def double(values):
    return values + values
"""
INTEGERS, FLOATS = np.arange(3), np.array([0.5, 1.5])
_numbers = itertools.count()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a module with a kernel that is in the cache for integers and for floats."""
    path = tmp_path_factory.mktemp("compiled") / "doubling.py"
    path.write_text(SOURCE)
    fresh(path)(INTEGERS)
    fresh(path)(FLOATS)
    return path.parent


@pytest.fixture
def path(compiled: Path, tmp_path: Path) -> Path:
    """The module in a copy of the folder, which may be damaged."""
    return shutil.copytree(compiled, tmp_path / "copy") / "doubling.py"


def fresh(path: Path) -> Any:
    """Return the kernel as another process would find it."""
    spec = importlib.util.spec_from_file_location(f"doubling{next(_numbers)}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.double


def files(path: Path, suffix: str) -> list[Path]:
    return sorted(path.parent.rglob(f"*.{suffix}"))


def is_cached(path: Path, values: np.ndarray) -> bool:
    try:
        with refusing_to_compile():
            np.testing.assert_array_equal(fresh(path)(values), values * 2)
    except NotCachedError:
        return False
    return True


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "cut in the digest": lambda content: content[:20],
    "zeroed": lambda content: bytes(len(content)),
    "random": lambda content: np.random.default_rng(0).bytes(len(content)),
    "one bit changed": lambda content: one_bit_changed(content),
    "of Numba itself": lambda content: content[32:],
}


def one_bit_changed(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def test_what_is_whole_is_not_compiled_again(path: Path) -> None:
    assert (len(files(path, "nbi")), len(files(path, "nbc"))) == (1, 2)
    assert is_cached(path, INTEGERS)
    assert is_cached(path, FLOATS)
    assert not is_cached(path, INTEGERS.astype(np.int8))


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_what_is_damaged_is_compiled_again(path: Path, suffix: str) -> None:
    whole = {file: file.read_bytes() for file in files(path, suffix)}
    for name, damage in DAMAGES.items():
        for file, content in whole.items():
            file.write_bytes(damage(content))
        assert not is_cached(path, INTEGERS), name
        assert not is_cached(path, FLOATS), name
    for values in (INTEGERS, FLOATS):
        np.testing.assert_array_equal(fresh(path)(values), values * 2)
        assert is_cached(path, values)


def test_a_kernel_for_other_types_is_not_taken(path: Path) -> None:
    """As two programs leave it that save at the same time."""
    one, other = files(path, "nbc")
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert not is_cached(path, INTEGERS)
    assert not is_cached(path, FLOATS)
    np.testing.assert_array_equal(fresh(path)(FLOATS), FLOATS * 2)
    assert is_cached(path, FLOATS)


LOADING = """
import sys
import doubling, numpy
doubling.double(numpy.arange(3))
print([name for name in ("numba.np.linalg", "scipy.linalg") if name in sys.modules])
"""


def test_loading_imports_less_than_compiling_and_both_leave_scipy_alone(tmp_path: Path) -> None:
    tmp_path.joinpath("doubling.py").write_text(SOURCE)
    places = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": places}

    def run() -> str:
        return subprocess.check_output([sys.executable, "-c", LOADING], text=True, env=environment)

    assert [run(), run()] == ["['numba.np.linalg']\n", "[]\n"]


def test_others_compile_while_a_thread_refuses_to(path: Path) -> None:
    kernel = fresh(path)
    with ThreadPoolExecutor(1) as other, refusing_to_compile():
        assert other.submit(kernel, 2j).result() == 4j
        with pytest.raises(NotCachedError):
            kernel("a")


def test_a_thread_that_refuses_to_compile_has_no_share_of_its_work_compiled(
    path, monkeypatch
) -> None:
    kernel = fresh(path)
    monkeypatch.setattr(threads, "CORES", 2)

    def task(first: int, _last: int) -> complex:
        return 4j if first == 0 else kernel(2j)

    before = threads.get_threads()
    threads.set_threads(2)
    try:
        with pytest.raises(NotCachedError), refusing_to_compile():
            threads.over_rows(2, task)
        assert threads.over_rows(2, task) == [4j, 4j]
    finally:
        threads.set_threads(before)


def test_data_that_are_older_than_their_index_are_not_run(path, monkeypatch) -> None:
    """The index of a changed module was saved; another program kept the data from being saved."""
    path.write_text(f"{SOURCE}\nCHANGED = True\n")
    with monkeypatch.context() as patch:
        patch.setattr(compiler._SealedFile, "_save_data", lambda *_: None)
        fresh(path)(INTEGERS)
    assert not is_cached(path, INTEGERS)
    fresh(path)(INTEGERS)
    assert is_cached(path, INTEGERS)


def test_an_index_that_cannot_be_read_now_is_kept(path, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "read_bytes", Mock(side_effect=PermissionError))
        assert fresh(path)(2j) == 4j
    assert is_cached(path, INTEGERS)
    assert is_cached(path, FLOATS)


def test_files_of_another_numba_are_not_unpickled(tmp_path, monkeypatch) -> None:
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE)
    with monkeypatch.context() as patch:
        patch.setattr(numba, "__version__", "0.1.2")
        fresh(path)(INTEGERS)
        assert is_cached(path, INTEGERS)

    def refuse(_content: bytes) -> Any:
        raise AssertionError("another version's file was unpickled")

    monkeypatch.setattr("latviz.core.kernels.compiler.pickle.loads", refuse)
    assert not is_cached(path, INTEGERS)


def test_a_change_of_any_kernels_module_makes_all_kernels_old(path, tmp_path, monkeypatch) -> None:
    """The sweeps were still made of the vectors before an edit, with their wrong results."""
    folder = tmp_path / "kernels"
    shutil.copytree(Path(compiler.__file__).parent, folder)
    assert is_cached(path, INTEGERS)
    monkeypatch.setattr(compiler, "_STAMP", compiler.stamp_of(folder))
    assert is_cached(path, INTEGERS)
    with (folder / "vectors.py").open("a") as module:
        module.write("\n")
    monkeypatch.setattr(compiler, "_STAMP", compiler.stamp_of(folder))
    assert not is_cached(path, INTEGERS)


CALLING = """
from latviz.core.kernels.compiler import callee, njit

@callee()
def divided(value, divisor):
    if divisor == 0:
        raise ValueError("no divisor")
    return value / divisor

@callee()
def halved(value):
    return divided(value, 2)

@njit(nogil=True)
def double(values, divisor=1):
    doubled = values.copy()
    for k in range(len(values)):
        doubled[k] += 2 * halved(values[k])
    return doubled / divided(1.0, divisor)
"""


def test_callees_are_compiled_and_kept_with_the_kernels_that_call_them(tmp_path: Path) -> None:
    path = tmp_path / "calling.py"
    path.write_text(CALLING)
    np.testing.assert_array_equal(fresh(path)(FLOATS), FLOATS * 2)
    assert (len(files(path, "nbi")), len(files(path, "nbc"))) == (1, 1)
    assert is_cached(path, FLOATS)
    with pytest.raises(ValueError, match="no divisor"):
        fresh(path)(FLOATS, 0)
    kernel = fresh(path)
    with pytest.raises(ValueError, match="no divisor"):
        kernel(FLOATS, 0)  # from the cache
    halved = kernel.py_func.__globals__["halved"]
    with pytest.raises(TypeError, match="halved is called by kernels alone"):
        halved(1.0)
