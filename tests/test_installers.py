"""What installers are made of: Briefcase's settings in pyproject.toml, icons, and a release job."""

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image
from PyQt6.QtWidgets import QApplication

from latviz import __version__
from latviz.files.suffixes import SESSION
from latviz.resources import PROGRAM_ID
from tests import icons
from tests.test_desktop import TYPES
from tests.test_system import TABLE

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, BRIEFCASE = SETTINGS["project"], SETTINGS["tool"]["briefcase"]
APP = BRIEFCASE["app"]["latviz"]
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
JOBS = yaml.safe_load(RELEASE.read_text(encoding="utf-8"))["jobs"]
KNOWN: dict[str, dict[str, Any]] = {
    "briefcase": {"bundle": str, "author_email": str, "app": dict},
    "app": {
        "formal_name": str,
        "long_description": str,
        "sources": list,
        "icon": str,
        "requires": list,
        "document_type": dict,
        "macOS": dict,
        "windows": dict,
        "linux": dict,
    },
    "document_type": {
        "description": str,
        "extension": str,
        "icon": str,
        "mime_type": str,
        "url": str,
    },
    "macOS": {"min_os_version": str, "universal_build": bool},
    "debian": {"system_section": str, "system_runtime_requires": list},
}
"""The settings that Briefcase documents, those that are used, and their types."""


@pytest.mark.parametrize(
    ("table", "section"),
    [
        ("briefcase", BRIEFCASE),
        ("app", APP),
        ("document_type", APP["document_type"]["session"]),
        ("macOS", APP["macOS"]),
        ("debian", APP["linux"]["system"]["debian"]),
    ],
)
def test_settings_are_ones_that_briefcase_knows(table: str, section: dict[str, Any]) -> None:
    for name, value in section.items():
        assert isinstance(value, KNOWN[table][name]), name


def test_version_licence_and_dependencies_are_those_of_the_project() -> None:
    """Briefcase takes them from there, unless it has settings of the same names."""
    for name in ("version", "license", "description", "url", "author", "project_name"):
        assert name not in BRIEFCASE
        assert name not in APP
    assert PROJECT["dynamic"] == ["readme", "version"]
    assert SETTINGS["tool"]["hatch"]["version"]["path"] == "latviz/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)  # as Windows' installers need it
    extras = PROJECT["optional-dependencies"]
    optional = extras["compare"] + extras["formats"] + extras["scale"]
    assert sorted(APP["requires"]) == sorted(optional)


def test_the_bundle_holds_what_the_wheel_holds() -> None:
    wheel = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert APP["sources"] == [*wheel["packages"], *wheel["force-include"]]
    assert (ROOT / "latviz" / "__main__.py").is_file()  # which the bundle runs


def test_its_name_and_its_type_of_files_are_those_of_the_desktop() -> None:
    assert f"{BRIEFCASE['bundle']}.latviz" == PROGRAM_ID
    session = APP["document_type"]["session"]
    assert f".{session['extension']}" == SESSION
    assert f'type="{session["mime_type"]}"' in TYPES.read_text(encoding="utf-8")
    page = session["url"].partition("/blob/main/")[2]
    assert (ROOT / page).is_file()


def test_a_package_for_debian_needs_what_a_window_needs() -> None:
    drawing, _, _ = TABLE.read_text(encoding="utf-8").partition("# To test")
    wanted = re.findall(r"^[a-z]\S+", drawing, re.MULTILINE)
    assert APP["linux"]["system"]["debian"]["system_runtime_requires"] == wanted


def test_icons_have_the_sizes_that_each_system_asks_for(tmp_path: Path, qapp: QApplication) -> None:
    for name, source in icons.sources().items():
        target = tmp_path / Path(name).name
        icons.draw(source, target)
        for size in (16, 32, 64, 128, 256, 512):  # of Linux
            with Image.open(f"{target}-{size}.png") as image:
                assert image.size == (size, size)
                drawn = np.asarray(image.convert("RGBA"))
            assert drawn[..., 3].min() < 64  # its corners
            assert len(np.unique(drawn.reshape(-1, 4), axis=0)) > 16
        with Image.open(target.with_suffix(".ico")) as image:
            assert image.info["sizes"] >= {(size, size) for size in (16, 32, 48, 64, 256)}
        with Image.open(target.with_suffix(".icns")) as image:
            assert (512, 512, 2) in image.info["sizes"]


def test_the_release_job_builds_starts_and_uploads_on_three_systems() -> None:
    job = JOBS["installers"]
    rows = job["strategy"]["matrix"]["include"]
    assert {row["system"].partition("-")[0] for row in rows} == {"ubuntu", "macos", "windows"}
    text = "\n".join(step.get("run", "") for step in job["steps"])
    order = (
        "tests.icons",
        "briefcase create",
        "briefcase build",
        "--snapshot",
        "briefcase package",
    )
    places = [text.index(word) for word in order]
    assert places == sorted(places)
    assert "--adhoc-sign" in text
    assert job["steps"][-1]["with"]["path"] == "dist/"
    assert set(JOBS["publish"]["needs"]) == {"smoke", "installers"}
    for step in job["steps"]:
        if step.get("if") != "runner.os == 'Linux'":
            assert not re.search(r"\.venv/|\bsh \.ci|apt-get", step.get("run", ""))
