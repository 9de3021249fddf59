"""The wheel, built and unpacked elsewhere, runs.

Its dependencies come from the environment of the tests. LATVIZ_FULL=1 installs it with all of them
into an environment of its own, as each release does.
"""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from tests import kernel_cache

ROOT = Path(__file__).parent.parent
KERNELS = Path("latviz", "core", "kernels")
FULL = bool(os.environ.get("LATVIZ_FULL"))
COME_ALONG = {"distributed": "dask", "pyqt6_sip": "pyqt6"}
"""Distributions that others bring, by their names."""
NOT_LENT = "residuals.of_symbols-"
"""A kernel that the wheel has to compile for itself, where it is installed."""


def run(*command: object, **options: object) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return str(result.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_resources_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for resource in (ROOT / "resources").rglob("*.*[!c]"):  # no bytecode
        if resource.is_file():
            assert f"latviz/{resource.relative_to(ROOT).as_posix()}" in names
    assert not [name for name in names if name.startswith(("tests/", "resources/"))]
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "latviz/py.typed" in names  # its types are for its users, too


def test_the_page_of_the_package_leads_into_the_repository(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        page = archive.read(name).decode()
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    of_readme = re.findall(r"\]\(([^)\s]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert len(targets) == len(of_readme) > 20
    for target, own in zip(targets, of_readme, strict=True):
        assert "://" in target
        assert target.endswith(own)


def imported() -> set[str]:
    """Return the names of all packages that the program imports anywhere; prose may add others."""
    line = re.compile(r"(?m)^ *(?:import (\w+)|from (\w+)[\w.]* import )")
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "latviz").rglob("*.py"))
    names = {a or b for source in sources for a, b in line.findall(source)}
    return names - {*sys.stdlib_module_names, "latviz"}


def test_what_is_imported_is_declared(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode()
    declared = {one.lower() for one in re.findall(r"(?m)^Requires-Dist: ([\w-]+)", text)}
    known = importlib.metadata.packages_distributions()
    found = imported() & known.keys()
    assert {"numpy", "PyQt6", "zarr", "sklearn"} <= found
    for name in found:
        owners = {one.lower() for one in known[name]}
        assert {COME_ALONG.get(one, one) for one in owners} & declared, name


def lend_compiled(site: Path) -> Path:
    """Give an installed copy of the same sources all compiled files but one kernel.

    Python and Numba use the files there only if the source's time and size are the same. Return the
    folder where the copy caches its kernels.
    """
    for source in (ROOT / "latviz").rglob("*.py"):
        installed = site / source.relative_to(ROOT)
        assert installed.read_bytes() == source.read_bytes()
        shutil.copystat(source, installed)
        bytecode = Path(importlib.util.cache_from_source(source))
        if bytecode.exists():
            (installed.parent / "__pycache__").mkdir(exist_ok=True)
            shutil.copy2(bytecode, installed.parent / "__pycache__")
    cache = site / KERNELS / "__pycache__"
    for file in kernel_cache.folder().glob("*.nb?"):
        if not file.name.startswith(NOT_LENT):
            shutil.copy2(file, cache)
    return cache


def assert_draws(command: list[object], site: Path, folder: Path, **more: str) -> None:
    """Assert that an installed copy draws its demo, and keeps the kernel that it compiles."""
    cache, picture = lend_compiled(site), folder / "window.png"
    other = "DISPLAY", "PYTHONPATH", "QT_QPA_PLATFORM"  # no display, and no other copy
    environment = {k: v for k, v in os.environ.items() if k not in other} | more
    run(*command, "--snapshot", picture, cwd=folder, env=environment)
    with Image.open(picture) as image:
        assert image.size == (1280, 800)
    assert list(cache.glob(f"{NOT_LENT}*.nbi"))


def test_the_unpacked_wheel_draws_the_demo(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (found,) = importlib.metadata.distributions(name="latviz", path=[str(site)])
    programs = {(one.group, one.name) for one in found.entry_points}
    assert programs >= {("console_scripts", "latviz"), ("gui_scripts", "latviz-gui")}
    (program,) = {one.value for one in found.entry_points if one.group.endswith("scripts")}
    module, name = program.split(":")
    code = f"from {module} import {name}; raise SystemExit({name}())"
    assert_draws([sys.executable, "-c", code], site, tmp_path, PYTHONPATH=str(site))


@pytest.mark.skipif(not FULL, reason="each release installs its wheel: release.yml")
def test_the_installed_wheel_draws_the_demo(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    install = ("install", "--quiet", "--no-compile", wheel)
    run(sys.executable, "-m", "pip", "--python", home, *install)
    places = sysconfig.get_paths("venv", {"base": str(home), "platbase": str(home)})
    assert_draws([programs / "latviz"], Path(places["purelib"]), tmp_path)
    assert run(programs / "latviz", "--version", cwd=tmp_path).startswith("latviz ")
    assert (programs / "latviz-gui").exists() or (programs / "latviz-gui.exe").exists()
