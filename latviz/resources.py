"""The paths of the program's data files."""

import re
from pathlib import Path

FIRST_LESSON = "01-signatures"
"""The first lesson; the others are in the same folder."""
QUESTIONS = "understanding/questions.md"
"""The questions of the test of understanding."""
PROGRAM_ID = "io.github.latviz.latviz"
"""The name of the program among all programs, which its desktop file and icon have, too."""
DESKTOP_ENTRY = f"desktop/applications/{PROGRAM_ID}.desktop"
"""The entry in menus. Its tree, `desktop`, has the names that systems and homes give to it."""
ICON = f"desktop/icons/hicolor/scalable/apps/{PROGRAM_ID}.svg"
_PACKAGE = Path(__file__).parent
_FOLDERS = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """Return the path of a data file: next to the modules in a wheel, above them in a checkout."""
    for folder in _FOLDERS:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(
        f"the data file {name!r} is missing from this installation of latviz; install it again"
    )


def lessons(folder: Path | None = None) -> dict[str, Path]:
    """Return the files of the program's lessons by their names, in order; or those of a folder."""
    if folder is None:
        folder = resource(f"lessons/{FIRST_LESSON}.md").parent
    found = sorted(folder.glob("*.md")) if folder.is_dir() else []
    return {path.stem: path for path in found}


def short_name(lesson: str) -> str:
    """Return the name of a lesson without its number: "window" for "05-window"."""
    return re.sub(r"^\d+-", "", lesson)
