"""Shortcuts: the keys that this system leaves to programs, and its names for them."""

import sys

from PyQt6.QtGui import QKeySequence

Keys = str | QKeySequence.StandardKey | tuple[str, ...]
"""One shortcut or several: in Qt's portable text, where Ctrl is Command on macOS and Meta is
Control there, or by what the system uses it for."""

DELETE = ("Del", "Backspace")
"""What deletes a row: laptops by Apple send Backspace for their only such key."""

_ON_MACOS = {
    **{f"Ctrl+Shift+{k}": f"Meta+Shift+{k}" for k in range(1, 10)},  # 3 to 6 take screenshots
    "Ctrl+M": "Meta+M",  # minimises the window
    "F11": "Meta+Ctrl+F",  # shows the desktop
}


def sequences(keys: Keys, system: str = sys.platform) -> list[QKeySequence]:
    """Return shortcuts as a system, named as by `sys.platform`, leaves them to programs."""
    if isinstance(keys, QKeySequence.StandardKey):
        return [QKeySequence(keys)]
    each = keys if isinstance(keys, tuple) else (keys,)
    moved = _ON_MACOS if system == "darwin" else {}
    return [QKeySequence(moved.get(key, key)) for key in each]
