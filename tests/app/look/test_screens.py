"""No window is larger than the screen that it opens on, even after it showed large content."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from PyQt6.QtCore import QByteArray
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.docking.uses import USES
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.program.main import application
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from tests.products import FULL

SCREENS = ((2, 1366, 768), (1, 960, 540))[: 2 if FULL else 1]
"""The scale of each screen, its width and its height in pixels; the first has the least room."""
LARGE = (2400, 1500)


Frames = dict[str, tuple[int, int, int, int]]
"""The place and the size of windows."""


def test_windows_fit_their_screen(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert len(check_frames(__name__, tmp_path_factory)) > 8


def check_frames(module: str, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Check the frames that a module prints on each screen; return the names of its windows."""
    running = {}
    for scale, width, height in SCREENS:  # a process has one screen
        screen = {"x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
        dots = {"logicalDpi": 96, "logicalBaseDpi": 96}
        path = tmp_path_factory.mktemp("screen") / "screens.json"
        path.write_text(json.dumps({"screens": [screen | dots]}))
        running[scale, width, height] = subprocess.Popen(
            [sys.executable, "-m", module],
            env={
                **os.environ,
                "QT_QPA_PLATFORM": f"offscreen:configfile={path}",
                "QT_SCALE_FACTOR": str(scale),
            },
            stdout=subprocess.PIPE,
            text=True,
        )
    for (scale, width, height), made in running.items():
        found = json.loads(made.communicate(timeout=120)[0])
        for name, (x, y, wide, high) in found.items():
            assert x >= 0, name
            assert y >= 0, name
            assert (x + wide) * scale <= width, name
            assert (y + high) * scale <= height, name
            assert wide * scale > 0.9 * width, name  # but no smaller than it must be
    return set(found)


def print_frames(measured: Callable[[], Frames]) -> None:
    """Print the frames of windows, and end without waiting for threads."""
    left = application()
    print(json.dumps(measured()), flush=True)
    os._exit(left is None)


def frame_of(window: QWidget) -> tuple[int, int, int, int]:
    window.show()
    for _ in range(5):
        QApplication.processEvents()
    frame = window.frameGeometry()
    return frame.x(), frame.y(), frame.width(), frame.height()


def large() -> QByteArray:
    """Return the geometry of a window that was left on a larger screen."""
    left = QWidget()
    left.resize(*LARGE)
    return QByteArray(left.saveGeometry())


def measured() -> Frames:
    """Return the frames of the main window in every tab, and of the help."""
    settings, main_window = Settings(lasting=False), MainWindow(Settings(lasting=False), "light")
    found = {"window": frame_of(main_window)}
    for use in USES:
        main_window.tabs.enter(use.name)
        found[use.name] = frame_of(main_window)
    found["help"] = frame_of(HelpDialog([], None, settings))
    settings.help_geometry = large()
    return {**found, "help, as it was left": frame_of(HelpDialog([], None, settings))}


if __name__ == "__main__":
    print_frames(measured)
