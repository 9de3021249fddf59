"""The program in a bundle, where ``sys.executable`` is latviz and not Python.

The bundle here is a script that sets up an interpreter as Briefcase's programs do: isolated,
without compiled modules, with the metadata that Briefcase writes.
"""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import _CacheLocator

from latviz import frozen
from latviz.core import kernels
from tests import kernel_cache

ROOT = Path(__file__).parents[1]
START = """
import runpy, sys
sys.executable = sys.argv[0] = {program!r}
sys.path[:0] = {places!r}
runpy._run_module_as_main("latviz", False)
"""
OTHERS = """
import multiprocessing, subprocess, sys
from latviz.engine.startup.compilers import apart

print(sys.executable, sys.argv[1:], flush=True)
assert apart("-c", "import sys; print(sys.argv[1:], flush=True)", "one").wait() == 0
assert apart("-m", "platform").wait() == 0
assert subprocess.run([sys.executable, "-X", "dev", "-c", "1 / 0"]).returncode == 1
with multiprocessing.get_context("spawn").Pool(1) as pool:
    print(pool.map(len, ["four"]))
"""
PLACE = "from latviz.core import kernels; print(kernels.norms.norms.stats.cache_path)"

pytestmark = pytest.mark.posix("/bin/sh")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("FLAGS", "-B")
    return tmp_path / "cache"


@pytest.fixture
def bundle(tmp_path: Path, cache: Path) -> Path:
    """The executable of a bundle; FLAGS are those of its interpreter."""
    program, start, app = (tmp_path / name for name in ("latviz", "start.py", "app"))
    about = app / "latviz.dist-info" / "METADATA"
    about.parent.mkdir(parents=True)
    about.write_text("Metadata-Version: 2.1\nBriefcase-Version: 0.4\nName: latviz\nVersion: 1\n")
    start.write_text(START.format(program=str(program), places=[str(app), str(ROOT)]))
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I $FLAGS "{start}" "$@"\n')
    program.chmod(0o755)
    return program


def lend_compiled(cache: Path) -> Path:
    """Copy all kernels to the bundle's cache; return the folder."""
    name = _CacheLocator.get_suitable_cache_subpath(kernels.norms.__file__)
    place = cache / "compiled" / "kernels" / name
    place.mkdir(parents=True)
    for file in kernel_cache.folder().glob("*.nb?"):
        shutil.copy2(file, place)
    return place


def run(*command: object) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_processes_that_python_code_starts_run_that_code_and_modules_are_kept(
    bundle, cache
) -> None:
    printed = run(bundle, "-P", "-c", OTHERS, "a").splitlines()
    assert printed == [f"{bundle} ['a']", "['one']", platform.platform(), "[4]"]
    assert list((cache / "compiled" / "modules").rglob("compilers.*.pyc"))


def test_a_bundle_is_told_from_an_interpreter_and_started_by_its_name(bundle: Path) -> None:
    assert not frozen.is_frozen()
    assert frozen.command() == [sys.executable, "-P", "-m", "latviz"]
    code = "from latviz import frozen; print(frozen.command())"
    assert run(bundle, "-c", code) == f"{[str(bundle)]}\n"


@pytest.mark.parametrize("words", [[], ["photo.jpg"], ["--demo", "blobs"], ["-o", "x"], ["-P"]])
def test_other_words_are_left_to_the_program(words: list[str]) -> None:
    assert frozen.run_as_python(words) is None
