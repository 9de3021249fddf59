"""The table of shortcuts in the menus of the main window."""

from collections.abc import Mapping
from types import MappingProxyType

from latviz.app.widgets.shortcuts import Keys

IN_MENUS: Mapping[str, Keys] = MappingProxyType({"Classify the images": "Ctrl+Shift+K"})
