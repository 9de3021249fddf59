"""The entry in menus, types of files and icons on Linux follow freedesktop.org's rules.

`latviz --install-desktop` puts them into a fresh home, and `--uninstall-desktop` takes them away.
"""

import configparser
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import latviz
from latviz import cli
from latviz.cli import desktop
from latviz.files import formats
from latviz.files.suffixes import SESSION
from latviz.resources import DESKTOP_ENTRY, ICON, PROGRAM_ID, resource

TREE = resource(DESKTOP_ENTRY).parents[1]
METAINFO = TREE / "metainfo" / f"{PROGRAM_ID}.metainfo.xml"
TYPES = TREE / "mime" / "packages" / f"{PROGRAM_ID}.xml"
XML = "{http://www.freedesktop.org/standards/shared-mime-info}"
KNOWN_TYPES = Path("/usr/share/mime/globs2")
MAIN = {
    *("AudioVideo", "Audio", "Video", "Development", "Education", "Game", "Graphics", "Network"),
    *("Office", "Science", "Settings", "System", "Utility"),
}
OF_SCIENCE = {"DataVisualization", "ImageProcessing", "Math", "ArtificialIntelligence"}
"""Some categories of the specification of menus: the main ones, and ones within Science."""

Change = Callable[..., tuple[int, str, str]]


def entry(path: Path) -> configparser.SectionProxy:
    """Return the group of a desktop file, the only one."""
    parser = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=("#",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # keys keep their case
    parser.read_string(path.read_text(encoding="utf-8"))
    (group,) = parser.sections()
    assert group == "Desktop Entry"
    return parser[group]


def listed(values: str) -> list[str]:
    assert values.endswith(";")
    return values.split(";")[:-1]


def validate(tool: str, *arguments: object) -> None:
    """Run a tool that checks a file, where it is installed."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    words = [tool, *map(str, arguments)]
    result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture
def change(tmp_path, monkeypatch, capsys) -> Change:
    """Run the command line in a fresh home; return its exit code and output."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        return code, *capsys.readouterr()

    return run


def test_the_entry_has_the_keys_and_categories_of_the_specifications() -> None:
    keys = entry(resource(DESKTOP_ENTRY))
    assert (keys["Type"], keys["Name"], keys["Icon"]) == ("Application", "latviz", PROGRAM_ID)
    assert (keys["Terminal"], keys["StartupWMClass"]) == ("false", "latviz")
    assert (keys["Exec"], keys["TryExec"]) == ("latviz %F", "latviz")
    categories = set(listed(keys["Categories"]))
    assert "Science" in categories
    assert categories <= MAIN | OF_SCIENCE
    assert all(listed(keys["Keywords"]))


def test_a_validator_accepts_the_entry() -> None:
    validate("desktop-file-validate", resource(DESKTOP_ENTRY))


def test_the_entry_opens_sessions_and_the_types_of_the_images_that_are_read() -> None:
    """The system's table of types says which these are."""
    session, *images = listed(entry(resource(DESKTOP_ENTRY))["MimeType"])
    assert len(images) == len(set(images))
    others = {"application/fits", "application/dicom"}
    assert all(kind.startswith("image/") or kind in others for kind in images)
    assert ElementTree.parse(TYPES).getroot()[0].get("type") == session
    if not KNOWN_TYPES.exists():
        pytest.skip("shared-mime-info is not installed")
    table = [line.split(":") for line in KNOWN_TYPES.read_text(encoding="utf-8").splitlines()]
    rows = [(row[1], row[2].removeprefix("*")) for row in table if len(row) > 2]
    scanned = [row for row in formats.FORMATS if not (row.is_text or row.alone)]
    suffixes = {suffix for row in scanned for suffix in row.suffixes}
    offered = ((kind, suffix) for kind, suffix in rows if "image/" in kind or kind in others)
    read = {kind for kind, suffix in offered if suffix in suffixes}
    assert {"image/png", "image/tiff"} <= read <= set(images)
    assert set(images) & {kind for kind, _ in rows} <= read


def test_the_type_of_sessions_is_that_of_their_suffix_and_has_an_icon() -> None:
    (kind,) = ElementTree.parse(TYPES).getroot()
    assert [one.get("pattern") for one in kind.findall(f"{XML}glob")] == [f"*{SESSION}"]
    icons = Path(resource(ICON)).parents[1]
    name = str(kind.get("type")).replace("/", "-")
    for icon in (icons / "mimetypes" / f"{name}.svg", icons / "apps" / f"{PROGRAM_ID}.svg"):
        assert ElementTree.parse(icon).getroot().get("viewBox") == "0 0 64 64"


def test_the_description_for_software_centres_agrees_with_the_entry() -> None:
    root = ElementTree.parse(METAINFO).getroot()
    keys = entry(resource(DESKTOP_ENTRY))
    assert root.findtext("id") == PROGRAM_ID
    assert root.findtext("launchable") == resource(DESKTOP_ENTRY).name
    assert root.findtext("summary") == keys["Comment"]
    assert root.findtext("provides/mediatype") == listed(keys["MimeType"])[0]


def test_a_validator_accepts_the_description() -> None:
    validate("appstreamcli", "validate", "--no-net", METAINFO)


@pytest.mark.posix("/bin/sh")
def test_a_fresh_home_gets_all_files_and_loses_them_again(change: Change, tmp_path: Path) -> None:
    home = tmp_path / ".local" / "share"
    code, printed, _ = change("--install-desktop")
    assert code == 0
    assert printed.count("\n") == 1
    assert str(home) in printed
    assert "latviz --uninstall-desktop" in printed
    sources = [path for path in TREE.rglob("*") if path.is_file()]
    assert len(sources) == 5
    for source in sources:
        copy = home / source.relative_to(TREE)
        if source != resource(DESKTOP_ENTRY):
            assert copy.read_bytes() == source.read_bytes()
    keys, given = (
        entry(home / "applications" / f"{PROGRAM_ID}.desktop"),
        entry(resource(DESKTOP_ENTRY)),
    )
    changed = {key for key in keys if keys[key] != given[key]}
    assert changed <= {"Exec", "TryExec"}
    assert Path(keys["TryExec"]).is_file()
    command = keys["Exec"].replace("%F", "--version")
    version = subprocess.check_output(["sh", "-c", command], text=True, cwd=tmp_path)
    assert version == f"latviz {latviz.__version__}\n"
    if shutil.which("update-mime-database"):
        types = (home / "mime" / "globs2").read_text(encoding="utf-8")
        assert "50:application/x-latviz-session:*.latviz\n" in types
    if shutil.which("update-desktop-database"):
        opened = (home / "applications" / "mimeinfo.cache").read_text(encoding="utf-8")
        assert f"application/x-latviz-session={PROGRAM_ID}.desktop;\n" in opened
    assert change("--uninstall-desktop")[0] == 0
    left = {path.relative_to(home) for path in home.rglob("*") if path.is_file()}
    assert not left & {source.relative_to(TREE) for source in sources}
    assert change("--uninstall-desktop")[0] == 0  # nothing is there


@pytest.mark.posix("/bin/sh")
def test_a_chosen_folder_of_data_is_used_if_its_path_is_absolute(
    change, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("PATH", "")  # what lists the files is missing, which is said
    for named, home in (
        ("/elsewhere", tmp_path / "elsewhere"),
        ("here", tmp_path / ".local/share"),
    ):
        is_absolute = named.startswith("/")
        monkeypatch.setenv("XDG_DATA_HOME", f"{tmp_path}{named}" if is_absolute else named)
        code, _, errors = change("--install-desktop")
        assert code == 0
        assert (home / "applications" / f"{PROGRAM_ID}.desktop").exists()
        assert ["install desktop-file-utils" in line for line in errors.splitlines()] == [0, 1]


@pytest.mark.posix("/bin/sh")
def test_a_home_that_cannot_be_written_is_named_in_one_line(change: Change, tmp_path: Path) -> None:
    (tmp_path / ".local").write_text("")
    code, printed, errors = change("--install-desktop")
    assert (code, printed, errors.count("\n")) == (1, "", 1)
    assert "not a folder" in errors


@pytest.mark.parametrize("system", ["win32", "darwin"])
@pytest.mark.parametrize("option", ["--install-desktop", "--uninstall-desktop"])
def test_other_systems_have_no_such_menus(change, monkeypatch, system, option) -> None:
    monkeypatch.setattr(sys, "platform", system)
    code, printed, errors = change(option)
    assert (code, printed, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"latviz: {option}: this is for Linux")


@pytest.mark.posix("/bin/sh")
def test_a_command_is_quoted_as_the_shell_reads_it() -> None:
    """Launchers undo the escapes of values and "%%", then split as a shell does."""
    words = ["/opt/my tools/50%/py$(x)`y`", r"back\slash", 'a"b', "it's", "plain"]
    value = desktop.command_of(words).replace(r"\\", "\\").replace("%%", "%")
    read = subprocess.check_output(["sh", "-c", f"printf '%s\\0' {value}"])
    assert read.split(b"\0")[:-1] == [os.fsencode(word) for word in words]
    assert desktop.command_of(["/usr/bin/python3", "-m", "x"]) == "/usr/bin/python3 -m x"
