"""The manual is whole on a forge as in the program: its pages, links and pictures.

``python -m tests.test_manual`` writes the pages that follow from the program, the formulas, and
the site's nav.
"""

import os
import re
import sys
from argparse import SUPPRESS
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from pytestqt.qtbot import QtBot

from latviz import core, wings
from latviz.app.docking.uses import USES
from latviz.app.help import manual
from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.actions import plain
from latviz.app.shell.menus import Shortcut
from latviz.app.views import registry
from latviz.app.views.registry import BUILT_IN
from latviz.app.widgets.shortcuts import tab_keys
from latviz.cli.options import parser_of
from latviz.core.data.encoding import ENCODINGS
from latviz.core.parameter import rows
from latviz.engine.keeping.results import arrays
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.settings.parameters import Parameters
from latviz.files.formats import EXTRA, FORMATS
from latviz.resources import lessons
from tests import formulas, teaching
from tests.app.frames import frame_of
from tests.parameter_table import parameters_page

ROOT = Path(__file__).parents[1]
HELP = ROOT / "resources" / "help"
SITE = ROOT / ".github" / "mkdocs.yml"
PAGES = sorted(path.relative_to(HELP).as_posix() for path in HELP.rglob("*.md"))
WEB = ROOT / ".github" / "pages"
"""Pages that only the site has."""
WEB_PAGES = sorted(f"../../.github/pages/{path.name}" for path in WEB.glob("*.md"))
TABLE = "../../.github/pages/parameter-table.md"
FOLDERS = HELP / "pictures", WEB / "examples"
ADDRESS = "https://github.com/latviz/latviz/blob/main/"
FENCED = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"(!?)\[[^]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
EACH_PAGE = pytest.mark.parametrize("name", PAGES)


def prose(name: str) -> str:
    """Return a page without its code."""
    text = manual.page(name) if name in PAGES else (HELP / name).read_text(encoding="utf-8")
    return FENCED.sub("", text)


def anchors(path: Path) -> set[str]:
    """Return the anchors of a file as forges make them: lower case, no signs, hyphens."""
    found = HEADING.findall(FENCED.sub("", path.read_text(encoding="utf-8")))
    kept = ("".join(c for c in text if c.isalnum() or c in "_- ") for text in found)
    return {text.lower().replace(" ", "-") for text in kept}


def links(name: str) -> list[tuple[bool, Path, str]]:
    """Return for each link of a page whether it is a picture, its file and its anchor."""
    found = []
    for picture, target in LINK.findall(prose(name)):
        path, _, anchor = target.partition("#")
        here = HELP / name
        if path.startswith(ADDRESS):
            found.append((bool(picture), ROOT / path.removeprefix(ADDRESS), anchor))
        elif "://" not in target:
            found.append((bool(picture), (here.parent / path) if path else here, anchor))
    return found


@pytest.mark.parametrize("name", [*PAGES, *WEB_PAGES])
def test_links_lead_somewhere(name: str) -> None:
    for picture, path, anchor in links(name):
        assert path.is_file(), path
        assert not anchor or anchor in anchors(path), f"{path.name}#{anchor}"
        if name in PAGES and (picture or ROOT / "resources" in path.parents):
            assert path.resolve().is_relative_to(HELP), path  # the pages in a wheel


@EACH_PAGE
def test_pages_have_a_title_and_a_summary(name: str) -> None:
    title, paragraph, *_ = (HELP / name).read_text(encoding="utf-8").split("\n\n")
    assert re.fullmatch(r"# \S.*", title)
    assert re.fullmatch(r"[A-Z`a-z][^|#>]*[.]", paragraph.strip()), paragraph
    assert manual.summary(name) == " ".join(paragraph.split())
    assert len(manual.summary(name)) > 40


@EACH_PAGE
def test_headings_have_different_anchors(name: str) -> None:
    found = HEADING.findall(prose(name))
    assert len({manual.slug(text) for text in found}) == len(found)
    assert {manual.slug(text) for text in found} == anchors(HELP / name)


def test_every_page_is_in_the_index() -> None:
    entries = list(manual.contents())
    assert entries[0].name == "index.md"
    assert sorted(entry.name for entry in entries) == PAGES
    assert all(entry.section for entry in entries[1:])
    linked = {path.resolve() for _, path, _ in links("index.md")}
    assert linked == {(HELP / name).resolve() for name in (*PAGES, *WEB_PAGES)} - {
        HELP / "index.md"
    }


def test_every_picture_is_shown() -> None:
    pages = *PAGES, *WEB_PAGES
    shown = {path.resolve() for name in pages for picture, path, _ in links(name) if picture}
    pictures = {path for path in shown if path.parent != formulas.FOLDER}
    of_wings = [(HELP / name).with_suffix("") for name in PAGES if name.startswith("wings/")]
    assert pictures == {path for f in (*FOLDERS, *of_wings) for path in f.glob("*")}


def test_every_formula_is_shown_and_up_to_date() -> None:
    shown = {path.resolve() for name in PAGES for picture, path, _ in links(name) if picture}
    files = set(formulas.FOLDER.iterdir())
    assert files == {path for path in shown if path.parent == formulas.FOLDER}
    assert {path.stem for path in files} == set(formulas.FORMULAS)
    for path in files:
        assert formulas.latex_in(path) == formulas.latex_of(path.stem)


@pytest.mark.parametrize("kind", BUILT_IN, ids=[spec.name for spec in BUILT_IN])
def test_every_view_has_a_page(kind: type) -> None:
    assert f"views/{kind.name}.md" in PAGES


def test_every_encoding_demo_and_option_is_told() -> None:
    page = prose("encodings.md")
    for name in ENCODINGS:
        assert f"| {ENCODINGS[name].title} | `{name}` |" in page
    command_line = prose("command-line.md")
    for name in (*DEMO_TITLES, *ENCODINGS):
        assert f"`{name}`" in command_line
    command_line += "".join(prose(name) for name in PAGES if name.startswith("wings/"))
    for action in parser_of()._actions:
        for option in action.option_strings if action.help != SUPPRESS else ():
            assert option == "-h" or f"`{option}" in command_line, option


def test_every_exported_array_is_told() -> None:
    page = prose("../../.github/pages/files.md")
    for name in (*arrays(frame_of("camera"), large=True), *arrays(frame_of("lab"))):
        assert f"`{name}`" in page


def test_tabs_are_told_with_their_keys() -> None:
    keys = {use.title: tab_keys(k) for k, use in enumerate(USES, start=1)}
    table = re.findall(
        r"^\| ([^|]+?) \| `(Ctrl\+\d)` \|", prose("getting-started.md"), re.MULTILINE
    )
    assert dict(table) == keys
    for name in PAGES:
        for title, told in re.findall(r"\*([^*\n]+)\* \(`(Ctrl\+\d)`\)", prose(name)):
            assert keys.get(title) == told, f"{name}: {title}"


def test_the_page_on_the_paper_names_what_there_is() -> None:
    """Lessons by their numbers, public names of the core, and methods of a model."""
    page = (HELP / "paper.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = re.findall(r"^\|.*\| *([\d, ]*) \| *(.*?) *\|$", page, re.MULTILINE)
    numbers = {int(name[:2]) for name in lessons()}
    told = {int(k) for row, _ in rows for k in re.findall(r"\d+", row)}
    assert numbers - told == {11, 13}  # where the model fails, and the challenge
    for _, names in rows:
        of_model = re.findall(r"`(\w+)` of a model", names)
        of_core = re.findall(r"`(\w+)`", "" if of_model else names)
        assert all(hasattr(core.DiscreteModel, name) for name in of_model)
        assert all(hasattr(core, name) for name in of_core), names


def test_the_glossary_is_in_order() -> None:
    words = re.findall(r"^\| (?!word|---)([^|]+?) \|", prose("glossary.md"), re.MULTILINE)
    assert len(words) > 30
    assert words == sorted(words, key=str.casefold)


BELOW_FORMATS = (
    "You can also open [sessions](sessions.md) and "
    "[zarr folders](large-images.md#zarr-folders). From a folder, only files with the suffix of an "
    "image are opened, not texts. Files in AVIF, JPEG 2000 or WebP need a Pillow with that codec; "
    "an error message tells you if it is missing.",
    "",
    f"Formats with a star need further packages: `{EXTRA}` installs all of "
    "them. The installers of the program have them inside.",
    "",
    "A file with several arrays (`.npz`, MATLAB, HDF5) does not open; the message lists them. "
    "Folders are not searched for such files, nor for films.",
    "",
    "A file of another known format, such as a spreadsheet, does not open. The message names the "
    "format, and a command that turns the file into one that opens. Other packages can add "
    f"readers, see [Plug-ins]({ADDRESS}.github/pages/plug-ins.md). You open, find and drop their "
    "files like all others.",
    "",
    "Notes in the status line say how a file was read:",
    "",
    "- RGB of 8 bits per channel is converted to sRGB if the file has another colour profile. "
    "Other profiles are not used.",
    "- Partly transparent pixels are put on white.",
    "- A TIFF page that is a thumbnail, as in a DNG, is replaced by the largest picture inside it.",
    "",
    "## Unknown pixels",
    "",
    "Unknown pixels have no part in windows, learning, counts or maps. A note says how many there "
    "are and why. They are:",
    "",
    "- NaN and infinity. A pixel with several channels is unknown if one of them is.",
    "- The nodata value of a TIFF, as GDAL declares it, and the `_FillValue` or `missing_value` of "
    "a zarr array. A pixel in colour needs it in all three channels, any other in one.",
    "- Wholly transparent pixels, also of a palette.",
    "- Index 255 of a palette if its colour is (224, 224, 192), as VOC's palette marks what is "
    "void.",
    "",
    "A file without a known pixel is refused.",
    "",
    "## Masks",
    "",
    "A mask is an image of the same size in a [format](#file-formats) that keeps every value. "
    "Where it is 0, a pixel is unknown; all other values mean known. An image masks each slice of "
    "a volume. "
    "`scan.mask.png` or `scan.tif.mask.png` next to `scan.tif` is used by itself, with a "
    "note, and is not an image of its own in a folder. For another name use `--mask FILE`.",
)


def formats_page() -> str:
    lines = [
        "# File formats",
        "",
        "Reference. All formats that you can open. The program recognises a file by its content, "
        "or by its suffix where the table says so.",
        "",
        "| format | suffixes | what it holds | recognised by |",
        "| --- | --- | --- | --- |",
    ]
    for row in FORMATS:
        suffixes = ", ".join(f"`{suffix}`" for suffix in row.suffixes)
        sign = ["content"] * (row.content is not None) + ["suffix"] * row.by_suffix
        cells = (f"{row.name}{'*' * bool(row.package)}", row.axes, " or ".join(sign))
        name, axes, signs = map(manual.escaped, cells)
        lines.append(f"| {name} | {suffixes} | {axes} | {signs} |")
    return "\n".join([*lines, "", *BELOW_FORMATS, ""])


def site_with_nav() -> str:
    """Return the configuration of the help site with the pages in the index's order."""
    head, _, _ = SITE.read_text(encoding="utf-8").partition("nav:\n")
    first, *others = manual.contents()
    lines = [f'  - "{first.title}": {first.name}']
    section = ""
    for entry in others:
        if entry.section != section:
            section = entry.section
            lines.append(f'  - "{section}":')
        lines.append(f'      - "{entry.title}": {entry.name}')
    return "\n".join([f"{head}nav:", *lines, ""])


def test_the_site_has_the_pages_in_the_order_of_the_index() -> None:
    kept = SITE.read_text(encoding="utf-8").splitlines()
    there = [line for line in kept if "wings/" not in line or line.split()[-1] in PAGES]
    assert there == site_with_nav().splitlines(), "python -m tests.test_manual writes it"


def test_only_the_index_leads_to_wings() -> None:
    house = [name for name in PAGES if not name.startswith("wings/") and name != "index.md"]
    assert not [name for name in house for _, path, _ in links(name) if "wings" in path.parts]


def written() -> dict[str, str]:
    """Return the pages generated from the program, as without a desktop and without wings."""
    application()
    with patch.object(registry, "wings", Mock(rows=Mock(return_value=()))):
        window = MainWindow(theme="light")
    try:
        kinds = wings.rows("features", type)
        theirs = {plain(item.text) for kind in kinds for item in window.parts[kind].menu_items()}
        shortcuts = [one for one in window.menus.shortcuts() if one.text not in theirs]
    finally:
        discard(window)
    return {
        manual.SHORTCUTS: manual.shortcuts_page(shortcuts),
        manual.VIEWS: manual.views_page(BUILT_IN),
        manual.FORMATS: formats_page(),
        TABLE: parameters_page(Parameters),
        "../../.github/pages/class-plan.md": teaching.plan_page(),
        "../../.github/pages/exercises.md": teaching.exercises_page(),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other keys")
def test_pages_that_follow_from_the_program_are_up_to_date(qtbot: QtBot) -> None:
    for name, text in written().items():
        kept = (HELP / name).read_text(encoding="utf-8")
        assert kept == text, "python -m tests.test_manual writes it"


def test_the_table_of_parameters_has_a_line_for_each() -> None:
    page = prose(TABLE)
    for row in rows(Parameters):
        (line,) = (line for line in page.splitlines() if line.endswith(f"| `{row.flag}` |"))
        assert line.count(" | ") == 5


def test_shortcuts_are_escaped() -> None:
    page = manual.shortcuts_page([Shortcut("View", "Less <of> it", "[, \\, Ctrl+|")])
    assert "| \\[, \\\\, Ctrl+\\| | Less \\<of\\> it |" in page
    assert "## View" in page


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name, text in written().items():
        (HELP / name).write_text(text, encoding="utf-8")
    SITE.write_text(site_with_nav(), encoding="utf-8")
    formulas.write()
