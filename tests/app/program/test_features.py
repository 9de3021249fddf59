"""A feature is a class in one table, which the window reads for all its parts."""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint

import pytest
from PyQt6.QtWidgets import QLabel

from latviz import wings
from latviz.app.compare.racing import Racing
from latviz.app.docking.docks import Docks
from latviz.app.document.opening import Opener
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
from tests.app.conftest import opens


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


def test_the_window_asks_a_feature_for_all_that_it_does(qtbot, monkeypatch) -> None:
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


# Wings of other packages

ROWS = {
    "features": """
from latviz.app.shell.actions import Action
from latviz.app.shell.feature import Feature

class Toy(Feature):
    def menu_items(self):
        return [Action("Move the toy", "", int, at=("View", 4.9))]

    def __init__(self, parts):
        {0}

ROWS = {1}
""",
    "methods": """
from latviz.engine.frames.methods import OtherMethod
{0}
ROWS = {1}
""",
}
"""Modules of the tables, whose gaps are what making a row does, and the rows."""
FAULTS = {
    "good": ("features", "pass", "[Toy]", ""),
    "empty": ("features", "pass", "[]", ""),
    "odd": ("features", "pass", "[3]", "TypeError: rows of features must be of type type, got 3"),
    "broken": ("features", "raise OSError('no luck')", "[Toy]", "OSError: no luck"),
    "racing": ("methods", "pass", "[OtherMethod('Toy', print)]", ""),
    "strange": (
        *("methods", "pass", "[3]"),
        "TypeError: rows of methods must be of type OtherMethod, got 3",
    ),
    "wrong": ("methods", "pass", "no_name", "NameError: name 'no_name' is not defined"),
    "leaving": ("methods", "exit(7)", "[]", "SystemExit: 7"),
}
"""Their table, what fills its gaps, and why each is left out."""


def test_faults_of_other_packages_do_no_harm(begun, image, qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for name, (table, made, rows, _) in FAULTS.items():
        (tmp_path / f"wing_{name}").mkdir()
        (tmp_path / f"wing_{name}" / "__init__.py").touch()
        (tmp_path / f"wing_{name}" / f"{table}.py").write_text(ROWS[table].format(made, rows))
    entries = [EntryPoint(name, f"wing_{name}", wings.GROUP) for name in (*FAULTS, "gone")]
    monkeypatch.setattr(
        "latviz.core.plugins.metadata.entry_points",
        lambda group: entries if group == wings.GROUP else [],
    )
    window = begun()
    opens(window, qtbot, lambda: window.parts[Opener].open_path(str(image)))
    assert window.menus["Move the toy"].isEnabled()
    assert window.parts[Racing].methods[-1].title == "Toy"
    told = window.status.message.whole_text()
    for name, (_, _, _, reason) in FAULTS.items():
        assert (f"the wing “{name}” could not be loaded: {reason}" in told) == bool(reason), told
    assert told.count("the wing “gone” could not be loaded: ModuleNotFoundError") == 1
