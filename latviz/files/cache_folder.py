"""The folder for data that the program can generate again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "LATVIZ_CACHE"
"""The environment variable that names another folder."""


def cache_folder() -> Path:
    """Return the folder for data that can be generated again; it may not exist yet."""
    # The latviz in the system's folder for such files, on Linux that of XDG_CACHE_HOME or ~/.cache;
    # the variable VARIABLE names another one
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(home) / "latviz" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "latviz"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "latviz"
