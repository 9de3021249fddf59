"""A font where Qt finds none: on Windows without a display, and on bare systems."""

from importlib.util import find_spec
from pathlib import Path

from PyQt6.QtGui import QFont, QFontDatabase, QFontMetrics
from PyQt6.QtWidgets import QApplication

POINTS = 9
"""The size of texts on most desktops."""


def ensure_letters(app: QApplication) -> None:
    """Load a font if Qt has none: each letter would be the same box."""
    # It is that of the library of formulas, so that the program ships none
    if QFontMetrics(app.font()).inFont("a"):
        return
    library = find_spec("ziafont")
    folders = library.submodule_search_locations if library is not None else None
    for path in Path((folders or [""])[0]).glob("fonts/DejaVu*.ttf"):
        number = QFontDatabase.addApplicationFont(str(path))
        for family in QFontDatabase.applicationFontFamilies(number):
            app.setFont(QFont(family, POINTS))
