"""Menus: none is long, and entries of submenus are found too."""

from latviz.app.program.window import MainWindow
from latviz.app.shell.actions import plain
from latviz.app.shell.menus import MANUAL

MOST_LINES = 14
ROOM = 500
"""Pixels that a menu may be high in a window of 800."""


def test_menus_are_short_with_letters_of_their_own_and_hold_every_view(window: MainWindow) -> None:
    for name, menu in window.menus.menus.items():
        if name in (MANUAL, "Parameters"):  # which only the finder lists
            continue
        lines = [action for action in menu.actions() if not action.isSeparator()]
        assert len(lines) <= MOST_LINES, name
        assert menu.sizeHint().height() <= ROOM, name
    for name in ("File", "Edit", "View", "Model", "Help", "Export", "Drawing"):
        texts = [action.text() for action in window.menus.menus[name].actions()]
        marked = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(set(marked)) == len(marked), name
    listed = {
        plain(action.text()): name
        for name in ("Views of the picture", "Views of the model")
        for action in window.menus.menus[name].actions()
    }
    assert listed.keys() == {spec.title for spec in window.specs.values()}
    assert listed["State map"] == "Views of the picture"
    assert listed["State adjacency A"] == "Views of the model"
