"""The program on the desktop: its icon, its name, and the files that the desktop hands to it."""

import ctypes
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from PyQt6 import QtGui, sip
from PyQt6.QtCore import Qt, QTimer, QUrl
from PyQt6.QtGui import QAction, QFileOpenEvent, QImage
from PyQt6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from latviz.app.program import application
from latviz.app.program.application import Application
from latviz.app.program.main import open_handed
from latviz.app.program.window import MainWindow
from latviz.engine.keeping.session import Session
from latviz.engine.settings.state import State
from latviz.workspace import read_pictures, write_session
from tests.app.conftest import first_parameters, opens, settle

OWN = Qt.WindowType.Window, Qt.WindowType.Dialog
COLORS = {(32, 26): "#ffffff", (2, 32): "#1c2026", (14, 49): "#0072b2"}
"""Of pixels of the icon at its own size, from the shapes in its file."""


def openers(window: MainWindow) -> list[QAction]:
    menus = window.menus.menus.values()
    actions = {action.text(): action for menu in menus for action in menu.actions()}
    ends = "…", "&Help", "A&bout latviz"
    return [
        action for text, action in actions.items() if text.endswith(ends) and action.isEnabled()
    ]


@pytest.mark.usefixtures("few_views")
def test_every_window_has_the_icon_and_the_name_once(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    found: dict[str, QImage] = {}

    def look() -> None:
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget.windowType() in OWN:
                found[widget.windowTitle()] = widget.windowIcon().pixmap(64).toImage()
                if widget is not window:
                    widget.close()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(10)  # in the loops of dialogs, too
    for action in openers(window):
        action.trigger()
        look()
    timer.stop()
    own = "camera – latviz", "Help", "About latviz", "Find an action", "Export"
    assert found.keys() >= {*own}
    for title, icon in found.items():
        assert_is_ours(title, icon)


def assert_is_ours(title: str, icon: QImage) -> None:
    """Assert that a window has the icon, and that its title names the program once.

    Qt appends the name on X11 and Windows, unless the title ends with it.
    """
    shown = title if title.endswith("latviz") else f"{title} — latviz"
    assert title
    assert shown.count("latviz") == 1, title
    assert {place: icon.pixelColor(*place).name() for place in COLORS} == COLORS, title


def send_file_open(receiver: Application, url: QUrl) -> None:
    """Send the event of a file, which PyQt has no constructor of: Qt's own is called."""
    room = ctypes.create_string_buffer(256)  # more than its size
    make = ctypes.CDLL(QtGui.__file__)["_ZN14QFileOpenEventC1ERK4QUrl"]
    make(ctypes.byref(room), ctypes.c_void_p(int(sip.unwrapinstance(url))))
    event = sip.wrapinstance(ctypes.addressof(room), QFileOpenEvent)
    QApplication.sendEvent(receiver, event)


@pytest.fixture
def desktop(qapp: Application) -> Iterator[Callable[..., None]]:
    """A function that opens files as the Finder does, by an event for each."""

    def open_files(*paths: Path) -> None:
        for path in paths:
            send_file_open(qapp, QUrl.fromLocalFile(str(path)))

    yield open_files
    qapp.hand_files_to(None)


def picture(folder: Path, name: str, side: int) -> Path:
    Image.fromarray(np.eye(side, dtype=np.uint8) * 200).save(folder / name)
    return folder / name


@pytest.mark.skipif(sys.platform == "win32", reason="only macOS sends these events")
@pytest.mark.usefixtures("few_views")
def test_files_of_the_desktop_open_as_dropped_ones_do(
    window, qapp, qtbot, desktop, tmp_path
) -> None:
    document, take = window.document, partial(open_handed, window)
    early = picture(tmp_path, "a #1%.png", 20)
    desktop(early)
    opens(window, qtbot, lambda: qapp.hand_files_to(take))
    assert (document.picture.name, document.picture.shape) == (early.name, (20, 20))

    several = [picture(tmp_path, f"{k}.png", 9) for k in range(3)]
    opens(window, qtbot, lambda: desktop(*several))
    assert [Path(entry.path) for entry in document.state.shelf.entries] == several

    image, session = picture(tmp_path, "kept.png", 30), tmp_path / "work.latviz"
    pictures = read_pictures(image)
    state = State().opened(pictures, first_parameters())
    state = replace(state, parameters=replace(state.parameters, n_states=3))
    write_session(session, Session(state), pictures)
    opens(window, qtbot, lambda: desktop(session))
    assert document.parameters.n_states == 3
    assert window.windowTitle() == "work.latviz[*] – kept.png – latviz"

    before = document.picture
    desktop(tmp_path / "gone.png")
    qtbot.waitUntil(window.banner.isVisible)
    said = window.banner.label.text()
    assert "gone.png" in said
    assert "\n" not in said
    assert document.picture is before
    assert document.parameters.n_states == 3
    window.banner.hide()

    dialog = QDialog(window)
    dialog.setModal(True)
    dialog.show()
    desktop(early)
    qtbot.wait(5 * application.GATHER_MS)
    assert document.picture is before
    opens(window, qtbot, dialog.reject)
    assert document.picture.name == early.name


def test_windows_are_not_grouped_with_those_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    shell = SimpleNamespace(SetCurrentProcessExplicitAppUserModelID=given.append)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(shell32=shell), raising=False)
    monkeypatch.setattr("sys.platform", "win32")
    application.name_process()
    assert given == ["io.github.latviz.latviz"]
