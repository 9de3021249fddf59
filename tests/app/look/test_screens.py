"""No window is larger than the screen that it opens on, even after it showed large content."""

import json
import os
import subprocess
import sys
from threading import Event

import pytest

from tests.products import FULL

SCREENS = ((2, 1366, 768), (1, 960, 540))[: 2 if FULL else 1]
"""The scale of each screen, its width and its height in pixels; the first has the least room."""
LARGE = (2400, 1500)


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int, int], dict[str, list]]:
    """The sizes of windows on each screen; a process has one screen."""
    running = {}
    for scale, width, height in SCREENS:
        screen = {"x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
        dots = {"logicalDpi": 96, "logicalBaseDpi": 96}
        path = tmp_path_factory.mktemp("screen") / "screens.json"
        path.write_text(json.dumps({"screens": [screen | dots]}))
        running[scale, width, height] = subprocess.Popen(
            [sys.executable, "-m", "tests.app.look.test_screens"],
            env={
                **os.environ,
                "QT_QPA_PLATFORM": f"offscreen:configfile={path}",
                "QT_SCALE_FACTOR": str(scale),
            },
            stdout=subprocess.PIPE,
            text=True,
        )
    return {key: json.loads(made.communicate(timeout=120)[0]) for key, made in running.items()}


@pytest.mark.parametrize("screen", SCREENS)
def test_windows_fit_their_screen(sizes: dict, screen: tuple[int, int, int]) -> None:
    scale, width, height = screen
    found = sizes[screen]
    assert {"window", "bench", "help"} < found.keys()
    assert len(found) > 10
    for name, (x, y, wide, high) in found.items():
        assert x >= 0, name
        assert y >= 0, name
        assert (x + wide) * scale <= width, name
        assert (y + high) * scale <= height, name
        assert wide * scale > 0.9 * width, name  # but no smaller than it must be


def measured() -> dict[str, tuple[int, int, int, int]]:
    """Return the frames of all windows, of the main one in every tab."""
    from PyQt6.QtCore import QByteArray
    from PyQt6.QtWidgets import QWidget

    from latviz.app.bench.window import BenchWindow
    from latviz.app.docking.uses import USES
    from latviz.app.help.help_dialog import HelpDialog
    from latviz.app.look.theme import LIGHT
    from latviz.app.program.main import application
    from latviz.app.program.window import MainWindow
    from latviz.app.shell.settings import Settings

    app, settings, found = application(), Settings(lasting=False), {}

    def measure(name: str, window: QWidget) -> None:
        window.show()
        for _ in range(5):
            app.processEvents()
        frame = window.frameGeometry()
        found[name] = (frame.x(), frame.y(), frame.width(), frame.height())

    left = QWidget()  # on a larger screen
    left.resize(*LARGE)
    geometry = QByteArray(left.saveGeometry())
    main_window = MainWindow(Settings(lasting=False), "light")
    measure("window", main_window)
    for use in USES:
        main_window.tabs.enter(use.name)
        measure(use.name, main_window)
    for known in (False, True):
        if known:
            settings.help_geometry = geometry
            settings.keep_bench("", geometry)
        suffix = ", as it was left" if known else ""
        window = BenchWindow(settings, Event(), LIGHT)
        measure(f"bench{suffix}", window)
        window.hide()
        measure(f"help{suffix}", HelpDialog([], None, settings))
    return found


if __name__ == "__main__":
    print(json.dumps(measured()), flush=True)
    os._exit(0)  # no thread is waited for here
