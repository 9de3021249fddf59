"""A lesson is seen whole: its steps have room in both themes, and no text is cut."""

from itertools import islice

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QRect
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latviz.app.lessons.teacher import Teacher
from latviz.app.program.window import MainWindow
from tests.bench.lessons import THEMES, Look, learning, looks
from tests.screenshots import rgb_of

STEPS = 3


@pytest.mark.window
@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_cut_in_a_lesson(qtbot: QtBot, no_leaked_threads: None, theme: str) -> None:
    seen = []
    with learning(theme) as window:
        for look in islice(looks(window, "01-signatures", theme), 2 * STEPS):
            check_pixels(window, look)
            seen.append((look.number, look.phase, look.faults))
    phases = ("asked", "told")
    wanted = [(number, phase, ()) for number in range(1, STEPS + 1) for phase in phases]
    assert seen == wanted


def check_pixels(window: MainWindow, look: Look) -> None:
    """Check the pixels of all texts of a step: letters, and no line cut through."""
    panel, drawn = window.parts[Teacher].panel, rgb_of(look.image).astype(int)
    said = [panel.heading, panel.text, *panel.guess.options]
    if look.phase == "told":
        said += [panel.verdict, panel.then]
    for widget in said:
        place = place_in(window, widget)
        part = drawn[place.top() : place.bottom() + 1, place.left() : place.right() + 1]
        colors, counts = np.unique(part.reshape(-1, 3), axis=0, return_counts=True)
        ink = np.abs(part - colors[counts.argmax()]).max(axis=2) > 60
        assert 0.01 < ink.mean() < 0.5, look.name
        if widget not in panel.guess.options:  # buttons have a frame
            assert ink[[0, -1]].mean(axis=1).max() < 0.06, look.name  # feet of letters at most


def place_in(window: MainWindow, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
