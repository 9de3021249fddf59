"""The application: its name and icon on the desktop, and the files that the desktop hands to it."""

import ctypes
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from PyQt6.QtCore import QEvent, QMimeData, QUrl
from PyQt6.QtGui import QFileOpenEvent, QFont, QFontDatabase, QFontMetrics, QIcon
from PyQt6.QtWidgets import QApplication

import latviz
from latviz.app.work.timers import once_after
from latviz.resources import ICON, PROGRAM_ID, resource

NAME = "latviz"
"""The name in titles; on X11 also the class of windows, which desktop files name."""
GATHER_MS = 50
"""macOS sends an event for each file that was opened; those of one gesture come in this time."""


class Application(QApplication):
    """The application; its windows have its icon, and its name after their titles."""

    def __init__(self, arguments: Sequence[str]) -> None:
        name_process()
        super().__init__(list(arguments))
        self.setApplicationName(NAME)
        self.setApplicationVersion(latviz.__version__)
        self.setApplicationDisplayName(NAME)
        self.setDesktopFileName(PROGRAM_ID)  # Wayland has no other icon
        self.setWindowIcon(QIcon(str(resource(ICON))))  # in the Dock of macOS, too
        self.setStyle("Fusion")
        ensure_letters(self)
        self._urls: list[QUrl] = []
        self._open: Callable[[QMimeData], object] | None = None
        self._gathered = once_after(GATHER_MS, self._hand_over, self)

    def hand_files_to(self, open_files: Callable[[QMimeData], object] | None) -> None:
        """Set who opens files that the desktop hands over; None keeps them until later."""
        self._open = open_files
        self._gathered.start()

    def event(self, event: QEvent | None) -> bool:
        """Gather files that macOS hands over: opened in the Finder, or dropped on the Dock."""
        if isinstance(event, QFileOpenEvent):
            self._urls.append(event.url())
            self._gathered.start()
            return True
        return super().event(event)

    def _hand_over(self) -> None:
        """Open the files together, as if they were dropped on the window; dialogs come first."""
        if self._open is None or not self._urls:
            return
        if self.activeModalWidget() is not None:
            self._gathered.start()
            return
        data = QMimeData()
        data.setUrls(self._urls)
        self._urls = []
        self._open(data)


def name_process() -> None:
    """Name the process before its first window; else Windows shows the windows as Python's."""
    if sys.platform == "win32":
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(PROGRAM_ID)


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
