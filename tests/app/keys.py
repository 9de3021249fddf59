"""The keys of a window: its shortcuts, and the letters that are marked in its texts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractButton, QGroupBox, QLabel, QMenuBar, QTabBar, QWidget

Anywhere = Qt.ShortcutContext.WindowShortcut, Qt.ShortcutContext.ApplicationShortcut


def mnemonic(text: str) -> str:
    """Return the key that a mark in a text gives, such as "Alt+E" for "&Edit", or nothing."""
    return QKeySequence.mnemonic(text).toString()


def written(keys: Iterable[QKeySequence]) -> list[str]:
    return [key.toString() for key in keys]


def window_keys(top: QWidget) -> set[str]:
    """Return the keys of a window that are of no menu."""
    there = [each for each in top.findChildren(QShortcut) if each.context() in Anywhere]
    return {key for shortcut in there for key in written(shortcut.keys())}


def doubled(top: QWidget) -> dict[str, list[str]]:
    """Return the keys that mean more than one thing: Qt does neither then.

    Hidden and disabled parts count, too, so no tab and no state of the window has such keys.
    """
    found = defaultdict(list)
    for key, name in _anywhere(top):
        found[key].append(name)
    for shortcut in top.findChildren(QShortcut):
        if shortcut.context() not in Anywhere:
            assert shortcut.context() == Qt.ShortcutContext.WidgetShortcut
            for key in written(shortcut.keys()):
                if key in found:
                    found[key].append(repr(shortcut.parent()))
    return {key: names for key, names in found.items() if len(names) > 1}


def _anywhere(top: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the keys that work anywhere in a window, and what they belong to."""
    for action in top.findChildren(QAction):
        if action.shortcutContext() in Anywhere:
            yield from ((key, action.text()) for key in written(action.shortcuts()))
    for shortcut in top.findChildren(QShortcut):
        if shortcut.context() in Anywhere:
            yield from ((key, repr(shortcut.parent())) for key in written(shortcut.keys()))
    for part in top.findChildren(QWidget):
        for text in _marked(part):
            if key := mnemonic(text):
                yield key, text


def _marked(part: QWidget) -> list[str]:
    """Return the texts in which a mark gives a key."""
    match part:
        case QLabel():
            return [part.text()] if part.buddy() is not None else []
        case QAbstractButton():
            return [part.text()]
        case QGroupBox():
            return [part.title()]
        case QTabBar():
            return [part.tabText(k) for k in range(part.count())]
        case QMenuBar():
            return [action.text() for action in part.actions()]
    return []
