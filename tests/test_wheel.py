"""The wheel, built and installed into an environment of its own, runs."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent


def run(*command: object, **options: object) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
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
    for resource in (ROOT / "resources").rglob("*"):
        if resource.is_file():
            assert f"latviz/{resource.relative_to(ROOT).as_posix()}" in names
    assert not [name for name in names if name.startswith(("tests/", "resources/"))]
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "latviz/py.typed" in names  # its types are for those who use it, too


def test_the_installed_wheel_draws_the_demo(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    install = ("install", "--quiet", "--no-compile", wheel)
    run(sys.executable, "-m", "pip", "--python", home, *install)
    picture = tmp_path / "window.png"
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    run(programs / "latviz", "--snapshot", picture, cwd=tmp_path, env=environment)
    with Image.open(picture) as image:
        assert image.size == (1280, 800)
    assert run(programs / "latviz", "--version", cwd=tmp_path).startswith("latviz ")
    assert (programs / "latviz-gui").exists() or (programs / "latviz-gui.exe").exists()
