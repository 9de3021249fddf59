"""Accessibility: names of all focusable widgets, and the contents of views in words."""

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QMenu,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from latviz.app.help.help_dialog import HelpDialog
from latviz.app.program.keyboard import Keyboard
from latviz.app.program.window import MainWindow
from latviz.app.shell import actions
from latviz.app.shell.actions import Ready
from latviz.app.shell.menus import LISTED
from latviz.app.views.registry import BUILT_IN
from latviz.app.views.spec import AnySpec
from latviz.app.views.steps.view import StepsView
from latviz.app.views.tree.view import TreeView
from latviz.app.views.viewer.histogram import Histogram
from latviz.app.work.activity import Failure, Remedy
from tests.app.conftest import end_waits
from tests.app.frames import MAKERS, frame_of, shown


def name_of(widget: QWidget) -> str:
    """Return a widget's name for screen readers."""
    text = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
    return widget.accessibleName() or text.replace("&", "")


def description_of(widget: QWidget) -> str:
    """Return a widget's description for screen readers."""
    return widget.accessibleDescription() or widget.toolTip()


def takes_keyboard(window: QWidget) -> list[QWidget]:
    """Return all focusable widgets in a window, without the lists of combo boxes."""
    none, popup = Qt.FocusPolicy.NoFocus, Qt.WindowType.Popup
    widgets = [w for w in window.findChildren(QWidget) if w.window().windowType() != popup]
    return [w for w in widgets if w.focusPolicy() != none and w.focusProxy() is None]


def nameless(window: QWidget) -> list[QWidget]:
    """Return focusable widgets without a name, or with only a sign as name."""
    return [w for w in takes_keyboard(window) if not any(letter.isalpha() for letter in name_of(w))]


def test_controls_say_what_they_are(window: MainWindow) -> None:
    check_menu_items_say_more_than_their_names(window)
    check_tool_tips(window)
    check_names(window)
    views = [view.keyboard for view in window.views.values()]
    signs = [b for b in window.findChildren(QAbstractButton) if not b.text().isalpha()]
    signs = [b for b in signs if b.objectName()[:3] != "qt_" and b.text()]
    for part in (*views, *window.findChildren(QSlider), *window.findChildren(Histogram), *signs):
        assert description_of(part), name_of(part)
    # Check for a widget below the ring: the mouse must reach it.
    window.controls.reset.setFocus()
    ring = window.parts[Keyboard].ring
    corner = ring.mapTo(window, QPoint(3, 3))
    assert window.childAt(corner) is not ring
    # Check the names of all focusable widgets, below a message and in the manual, too.
    remedies = Remedy("Open it reduced", print), Remedy("Discard", print)
    window.banner.show_failure(Failure("This failed.", "details", *remedies))
    QTest.keyClick(window, Qt.Key.Key_F1)
    (dialog,) = window.findChildren(HelpDialog)
    assert len(takes_keyboard(window)) > 60
    assert not [(type(w), w.toolTip()) for w in nameless(window)]
    assert not nameless(dialog)
    dialog.close()


def check_tool_tips(window: MainWindow) -> None:
    kinds = QAbstractButton, QAbstractSpinBox, QComboBox, QSlider
    used = [w for w in takes_keyboard(window) if isinstance(w, kinds)]
    assert len(used) > 50
    mute = [w for w in used if not w.toolTip() and not window.banner.isAncestorOf(w)]
    scrolling = [w for w in mute if name_of(w).startswith("Scroll")]  # Qt's own
    assert not [name_of(w) for w in mute if w not in scrolling]


def items(menu: QMenu) -> Iterator[QAction]:
    """Yield the entries of a menu and of its submenus."""
    for action in menu.actions():
        if not action.isSeparator():
            yield action
        if (below := action.menu()) is not None:
            yield from items(below)


def check_menu_items_say_more_than_their_names(window: MainWindow) -> None:
    bar = window.menuBar()
    found = [item for top in bar.actions() for item in items(top.menu())]
    for listed in LISTED:
        found += items(window.menus.menus[listed])
    plain = {item: item.text().replace("&", "").rstrip("…") for item in found}
    assert len(found) > 90
    every = (item for feature in window.parts.features() for item in feature.menu_items())
    offered = [item for item in every if not isinstance(item, Ready)]
    assert {actions.plain(item.text) for item in offered} <= set(plain.values())
    chosen = ("State marks as", "Regions as", "Map as", "Theme", "Resolution of figures")
    chosen = (
        *chosen,
        "Open recent",
        "Known states as",
        "High contrast",
        "Threads",
        "Format of figures",
    )
    choices = {
        item
        for top in found
        if plain[top] in chosen and top.menu() is not None
        for item in items(top.menu())
    }
    silent = [plain[i] for i in found if i.toolTip().rstrip("…") == plain[i] and i not in choices]
    assert silent == ["Open recent", "Undo", "Redo"]
    for action in window.menus.actions:
        assert action.toolTip()
        if action.isCheckable() and action.actionGroup() is None and action.parent() is window:
            assert action.toolTip() != action.text().replace("&", ""), action.text()


def check_names(window: MainWindow) -> None:
    controls = [w for w in takes_keyboard(window) if w.window() is window]
    names = [name_of(w) for w in controls if not window.banner.isAncestorOf(w)]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("spec", BUILT_IN, ids=[spec.name for spec in BUILT_IN])
def test_views_describe_every_frame(qtbot: QtBot, spec: AnySpec) -> None:
    view = shown(qtbot, spec.make, None, (400, 300))
    empty = view.keyboard.accessibleDescription()
    assert empty
    computed_on_request = TreeView | StepsView
    for name in sorted(MAKERS):
        view.keyboard.setAccessibleDescription(empty)
        view.show_frame(frame_of(name))
        end_waits(view)
        said = view.keyboard.accessibleDescription()
        on_request = isinstance(view, computed_on_request) or spec.name == "pixel"
        assert said != empty or on_request, name
        assert said.endswith(view.KEYS), name
        assert "nan" not in said.lower().split(), name


def test_a_run_of_frames_is_described_at_its_start_and_end(qtbot: QtBot) -> None:
    (spec,) = (spec for spec in BUILT_IN if spec.name == "likelihood")
    view = shown(qtbot, spec.make, None, (400, 300))
    said = []
    for name in ("camera", "noise", "texture"):
        view.show_frame(frame_of(name))
        said.append(view.accessibleDescription())
    assert said[0] == said[1] == said[2]
    last = view.in_words(frame_of("texture"))
    assert last not in said[0]
    qtbot.waitUntil(lambda: last in view.accessibleDescription())
