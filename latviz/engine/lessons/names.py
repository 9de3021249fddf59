"""Where the program's own lessons are; nothing heavy is imported, as the command line asks."""

import re
from pathlib import Path

from latviz.resources import resource

FIRST = "01-signatures"
"""The lesson to begin with, beside whose file the others are."""


def own_lessons() -> list[Path]:
    """Return the files of the program's own lessons, in their order."""
    return sorted(resource(f"lessons/{FIRST}.md").parent.glob("*.md"))


def short_name(name: str) -> str:
    """Return the name of a lesson without its number: "window" for "05-window"."""
    return re.sub(r"^\d+-", "", name)
