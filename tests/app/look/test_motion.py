"""Reduced motion: when on, nothing moves by itself."""

from collections.abc import Iterator

import numpy as np
import pytest
from PyQt6.QtCore import QAbstractAnimation, QTimer
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QProgressBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from latviz.app.compare.comparison import FLICKER_MS, Comparing
from latviz.app.panels import preferences
from latviz.app.panels.preferences import DURATION, EFFECTS
from latviz.app.program.collecting import Collecting
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings, store
from tests.app.conftest import settle
from tests.app.program.test_window import pixels_of

STYLED = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QProgressBar)
"""Widgets that a style may animate."""


@pytest.fixture(autouse=True)
def _no_choice_yet() -> Iterator[None]:
    yield
    store().remove("motion")


def duration_of(widget: QWidget) -> int:
    widget.ensurePolished()
    style = widget.style()
    return style.styleHint(DURATION, None, widget)


def repeating(window: MainWindow) -> list[QTimer]:
    timers = set(window.findChildren(QTimer)) - set(
        window.parts[Collecting].collector.findChildren(QTimer)
    )
    return [timer for timer in timers if timer.isActive() and not timer.isSingleShot()]


def test_with_it_on_nothing_moves(window: MainWindow, qtbot: QtBot) -> None:
    window.menus["Reduced motion"].trigger()
    assert window.document.pointer.still
    settle(qtbot, window)
    window.document.freeze(True)
    window.document.set("N", n_states=7)
    settle(qtbot, window)
    window.parts[Comparing].choose("flicker")
    qtbot.waitUntil(lambda: window.document.activity.work == "idle")
    qtbot.wait(500)
    assert not window.parts[Comparing].flickering
    assert not repeating(window)
    told: list[object] = []
    window.document.changed.connect(lambda *change: told.append(change))
    window.document.pointer_changed.connect(told.append)
    before = pixels_of(window)
    qtbot.wait(4 * FLICKER_MS)
    np.testing.assert_array_equal(pixels_of(window), before)
    assert not told
    running = QAbstractAnimation.State.Running
    assert not [a for a in window.findChildren(QAbstractAnimation) if a.state() == running]
    assert not any(QApplication.isEffectEnabled(effect) for effect in EFFECTS)
    assert QApplication.cursorFlashTime() == 0
    controls = [w for kind in STYLED for w in window.findChildren(kind)]
    shown = [control for control in controls if control.isVisible()]
    assert len(shown) > 30
    assert {duration_of(widget) for widget in (window, *shown)} == {0}
    window.parts[Comparing].flip()
    assert window.document.pointer.flipped
    assert (pixels_of(window) != before).any()
    qtbot.wait(2 * FLICKER_MS)
    assert window.document.pointer.flipped


@pytest.mark.usefixtures("few_views")
def test_with_it_off_all_moves_as_before_and_it_is_remembered(window, qtbot) -> None:
    assert Settings().still is None
    before = (QApplication.cursorFlashTime(), duration_of(window))
    assert before[1] > 0
    settle(qtbot, window)
    window.document.freeze(True)
    window.parts[Comparing].choose("flicker")
    window.menus["Reduced motion"].trigger()
    assert not window.parts[Comparing].flickering
    window.menus["Reduced motion"].trigger()
    assert window.parts[Comparing].flickering
    after = (QApplication.cursorFlashTime(), duration_of(window))
    assert after == before
    assert Settings().still is False
    window.menus["Reduced motion"].trigger()
    assert Settings().still is True
    again = MainWindow(Settings())
    assert again.document.pointer.still
    assert again.menus["Reduced motion"].isChecked()
    assert duration_of(again) == 0
    again.close()


def test_without_a_choice_it_is_as_the_system_says(qtbot, monkeypatch) -> None:
    for wanted in (True, False):
        monkeypatch.setattr(preferences, "system_is_still", lambda wanted=wanted: wanted)
        window = MainWindow(None)
        qtbot.addWidget(window)
        assert window.document.pointer.still == wanted
        assert (duration_of(window) == 0) == wanted
        assert window.settings.still is None
