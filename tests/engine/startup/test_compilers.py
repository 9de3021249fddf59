"""The processes that compile kernels while the window runs."""

import os
import subprocess
import sys
import time
from unittest.mock import Mock

import pytest

from latviz.core.disk import writing
from latviz.engine.startup import compile_cache, compilers
from latviz.engine.startup.compile_cache import Part

ECHO = "import sys; sys.exit(0 if sys.stdin.readline() == 'vectors\\n' else 3)"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """Processes in place of those that compile: they succeed if "vectors" comes first."""
    found: list[subprocess.Popen[str]] = []

    def apart(*_: str, stdin: int | None = None) -> subprocess.Popen[str]:
        found.append(subprocess.Popen([sys.executable, "-c", ECHO], stdin=stdin, text=True))
        return found[-1]

    monkeypatch.setattr(compilers, "apart", apart)
    monkeypatch.setattr(compilers, "_early", [])
    monkeypatch.setattr(compile_cache, "_loaded", set())
    return found


def test_it_is_the_first_start_where_no_kernel_was_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert compilers.is_first_start()
    (tmp_path / "others_1").mkdir()
    (tmp_path / "others_1" / "one.nbi").touch()
    assert compilers.is_first_start()
    (tmp_path / "kernels_1").mkdir()
    (tmp_path / "kernels_1" / "one.nbi").touch()
    assert not compilers.is_first_start()


def test_without_a_place_that_is_set_kernels_are_kept_beside_their_modules(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(compilers, "KERNELS", tmp_path)
    assert compilers.is_first_start()
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        assert not compilers.is_first_start()
    with monkeypatch.context() as patch:  # an administrator's folder: only writing shows it
        patch.setattr("sys.platform", "win32")
        patch.setattr(writing, "open", Mock(side_effect=PermissionError), raising=False)
        assert not compilers.is_first_start()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "one.nbi").touch()
    assert not compilers.is_first_start()


def ended(part: Part) -> None:
    """Wait until a process has compiled a part."""
    while part.is_compiling:
        time.sleep(0.01)


def test_what_was_begun_early_is_told_what_comes_first(started, monkeypatch) -> None:
    monkeypatch.setattr(compilers, "is_first_start", lambda: True)
    compilers.begin_early()
    with Part("pictures") as part:
        assert part.is_compiling
        assert not part.settled
        part.begin(lambda: None, "vectors")
        ended(part)
        assert part.settled
    (early,) = started
    assert early.returncode == 0


def test_what_was_begun_early_ends_with_the_first_that_could_need_it(started, monkeypatch) -> None:
    monkeypatch.setattr(compilers, "is_first_start", lambda: True)
    compilers.begin_early()
    with Part("pictures"):
        pass
    (early,) = started
    assert early.returncode is not None
    with Part("pictures") as other:
        assert not other.is_compiling


def test_at_later_starts_nothing_is_begun_early(started, monkeypatch) -> None:
    monkeypatch.setattr(compilers, "is_first_start", lambda: False)
    compilers.begin_early()
    assert not started
    with Part("pictures") as part:
        part.begin(lambda: None, "vectors")
        part.begin(lambda: None, "symbols")  # which has begun
        ended(part)
    assert [process.returncode for process in started] == [0]
