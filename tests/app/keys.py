"""The keys of a window: its shortcuts, and the letters that are marked in its texts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractButton, QGroupBox, QLabel, QMenuBar, QTabBar, QWidget

from latviz.app.widgets.shortcuts import sequences

RESERVED = {
    "linux": (  # by GNOME, KDE and their input methods IBus and fcitx
        r"(Ctrl\+)?Alt\+(Shift\+)?(Tab|`|Esc|Space|F\d+)|Ctrl\+(F\d+|Esc|Space|;)"
        r"|Ctrl\+Alt\+(A|D|H|I|K|L|P|R|T|V|X|Del|Backspace|Left|Right|Up|Down)"
        r"|Ctrl\+Shift\+U|Meta\+.+|(.+\+)?Print"
    ),
    "win32": (  # Ctrl+Alt is AltGr, which types letters of Polish and German
        r"Ctrl\+Alt\+.+|Alt\+(Tab|Esc|Space|F4)|Ctrl\+Space|Ctrl\+(Shift\+)?Esc|Meta\+.+|Print|F10"
    ),
    "darwin": (  # Ctrl is Command, and Meta is Control
        r"Ctrl\+Shift\+[3-6Q]|(Meta\+)?Ctrl\+(Alt\+)?Space|Meta\+Space|Ctrl\+(Alt\+)?[HM]"
        r"|Ctrl\+Alt\+(D|Esc)|Ctrl\+(Tab|`)|Meta\+Ctrl\+Q|Meta\+(Up|Down|Left|Right|F\d+)|F1[12]"
    ),
}
"""Shortcuts that each system keeps for itself, or that its users know by another meaning."""
Anywhere = Qt.ShortcutContext.WindowShortcut, Qt.ShortcutContext.ApplicationShortcut


def mnemonic(text: str) -> str:
    """Return the key that a mark in a text gives, such as "Alt+E" for "&Edit", or nothing."""
    return QKeySequence.mnemonic(text).toString()


def written(keys: Iterable[QKeySequence]) -> list[str]:
    return [key.toString() for key in keys]


def misused(top: QWidget) -> dict[str, list[str]]:
    """Return the reserved and the doubled shortcuts of a window for each system that has any."""
    found = {}
    for system, kept in RESERVED.items():
        counts = Counter(_system_keys(top, system))
        if wrong := [key for key, n in counts.items() if n > 1 or re.fullmatch(kept, key)]:
            found[system] = wrong
    return found


def _system_keys(top: QWidget, system: str) -> list[str]:
    """Return the shortcuts that work anywhere in a window, as a system would have them."""
    actions = [each for each in top.findChildren(QAction) if each.shortcutContext() in Anywhere]
    others = [each for each in top.findChildren(QShortcut) if each.context() in Anywhere]
    keys = [key for action in actions for key in written(action.shortcuts())]
    keys += [key for shortcut in others for key in written(shortcut.keys())]
    return written(sequences(tuple(keys), system))


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
