"""The laboratory as the main window opens and closes it."""

from pytestqt.qtbot import QtBot

from latviz.app.window import MainWindow
from tests.app.laboratory.conftest import settle


def open_lab(window: MainWindow) -> None:
    (action,) = (a for a in window.menus.actions if a.text().startswith("&Bias and variance"))
    action.trigger()


def test_one_at_a_time_with_the_themes_of_the_window(window: MainWindow, qtbot: QtBot) -> None:
    open_lab(window)
    lab = window.lab.lab
    assert lab is not None
    settle(qtbot, lab)
    open_lab(window)
    assert window.lab.lab is lab
    window.preferences.choose_theme("dark")
    assert lab.curves.grab().toImage().pixelColor(2, 2) == window.preferences.theme.color("panel")
    worker = lab.document.worker
    lab.close()
    assert worker.isFinished()
    assert window.lab.lab is None
    open_lab(window)
    again = window.lab.lab
    assert again is not None
    assert again is not lab


def test_it_closes_with_the_window(window: MainWindow) -> None:
    open_lab(window)
    assert window.lab.lab is not None
    worker = window.lab.lab.document.worker
    window.close()
    assert worker.isFinished()
    assert window.lab.lab is None
