"""A feature is a class in one table, which the window reads for all its parts."""

from collections.abc import Callable, Iterable

import pytest
from PyQt6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from latviz.app.docking.docks import Docks
from latviz.app.look.theme import DARK, Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.program import features
from latviz.app.program import window as module
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views


class Toy(Feature):
    """Shows a bar, and notes its calls."""

    def __init__(self, parts: Parts) -> None:
        self.shell, self.views = parts[Shell], parts[Views]
        self.bar = QLabel("toy")
        self.is_on = self.is_closed = self.was_asked = self.agrees = False
        self.docks: set[str] = set()
        self.theme: Theme | None = None

    def menu_items(self) -> Iterable[Item]:
        return (Action("Switch the toy on", "", self.switch_on, "Ctrl+Shift+Y", ("View", 4.9)),)

    def switch_on(self) -> None:
        self.is_on = True

    def bar_below_menus(self) -> QLabel:
        return self.bar

    def connect(self, parts: Parts) -> None:
        self.docks = set(parts[Docks])

    def apply_theme(self, theme: Theme) -> None:
        self.theme = theme

    def may_close(self, _close: Callable[[], None]) -> bool:
        self.was_asked = True
        return self.agrees

    def dismiss(self) -> bool:
        was_on, self.is_on = self.is_on, False
        return was_on

    def close(self) -> None:
        self.is_closed = True


def test_the_window_asks_a_feature_for_all_that_it_does(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FEATURES", (Toy, *features.FEATURES))
    window = MainWindow(theme="light", patient=True)
    toy = window.parts[Toy]
    assert toy.views is window.parts[Views]
    assert toy.docks == set(window.docks)
    window.show()
    assert toy.bar.isVisible()
    assert toy.bar.window() is window
    window.menus["Switch the toy on"].trigger()
    assert toy.is_on
    window.menus["Dismiss message or highlight"].trigger()
    assert not toy.is_on
    window.parts[Preferences].choose_theme("dark")
    assert toy.theme == DARK
    window.close()
    assert toy.was_asked
    assert window.isVisible()
    toy.agrees = True
    window.close()
    assert toy.is_closed
    discard(window)


def test_every_row_is_a_feature() -> None:
    assert all(issubclass(kind, Feature) for kind in features.FEATURES)
    assert len(set(features.FEATURES)) == len(features.FEATURES)


def test_features_may_need_each_other_but_not_in_a_circle() -> None:
    class Needing(Feature):
        def __init__(self, parts: Parts) -> None:
            self.needed = parts[Needed]

    class Needed(Feature):
        def __init__(self, parts: Parts) -> None:
            self.number = parts[int]

    class Round(Feature):
        def __init__(self, parts: Parts) -> None:
            parts[Round]

    parts = Parts((Needing, Needed, Round))
    parts.add(7)
    assert parts[Needing].needed is parts[Needed]
    assert parts[Needed].number == 7
    with pytest.raises(KeyError):
        parts[Round]
