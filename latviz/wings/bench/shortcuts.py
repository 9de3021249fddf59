"""The tables of shortcuts: in the menus of the main window, and in the bench."""

from collections.abc import Mapping
from types import MappingProxyType

from latviz.app.widgets.shortcuts import MAIN, Keys

IN_MENUS: Mapping[str, Keys] = MappingProxyType({"Bench": "Ctrl+B"})
BENCH: Mapping[str, Keys] = MappingProxyType(
    {
        "Undo": MAIN["Undo"],
        "Redo": MAIN["Redo"],
        "Close": "Ctrl+W",
        "Dismiss": "Esc",
        "New field": "Ctrl+N",
        "Reset": "Ctrl+R",
        "Use as picture": "Ctrl+U",
        "Smaller window": "Ctrl+Left",
        "Larger window": "Ctrl+Right",
        "Draw": "Ctrl+D",
        "Export": "Ctrl+E",
        "Copy as Python": "Ctrl+Shift+C",
        "Run": "Ctrl+P",
        "Step": "Ctrl+Shift+P",
        "Restart": "Ctrl+Shift+R",
        "Critical": "Ctrl+T",
    }
)
