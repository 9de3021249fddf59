"""The manual: Markdown pages, the list of them, and the page of shortcuts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from latviz.app.menus import Shortcut
from latviz.resources import resource

INDEX, SHORTCUTS = "index.md", "shortcuts.md"

_LINK = re.compile(r"- \[(?P<title>[^]]+)\]\((?P<name>[^)#]+\.md)\)")


@dataclass(frozen=True)
class Entry:
    """A line of the contents.

    Attributes
    ----------
    title : str
        The text of its link in the index.
    name : str
        The page's file, from the manual's folder: "model.md", "views/space.md".
    section : str
        The heading that it stands below.
    """

    title: str
    name: str
    section: str


def folder() -> Path:
    """Return the folder of the pages."""
    return resource(f"help/{INDEX}").parent


@cache
def page(name: str) -> str:
    """Return a page as Markdown."""
    return (folder() / name).read_text(encoding="utf-8")


def contents() -> Iterator[Entry]:
    """Yield the pages in the order of the index; first comes the index itself."""
    section = ""
    yield Entry("Contents", INDEX, section)
    for line in page(INDEX).splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif link := _LINK.match(line):
            yield Entry(link["title"], link["name"], section)


def summary(name: str) -> str:
    """Return the first paragraph of a page, on one line."""
    _title, paragraph, *_ = page(name).split("\n\n")
    return " ".join(paragraph.split())


def slug(heading: str) -> str:
    """Return the anchor of a heading, made as forges make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def shortcuts_page(shortcuts: Iterable[Shortcut]) -> str:
    """Return the page of shortcuts: a table for each menu."""
    lines = [
        "# Shortcuts",
        "",
        "Every item of the menus that has a shortcut. [Keyboard](keyboard.md) says what keys do "
        "inside the views.",
    ]
    tables: dict[str, list[str]] = {}  # an item of a menu may stand below a submenu
    for shortcut in shortcuts:
        row = f"| {_escaped(shortcut.keys)} | {_escaped(shortcut.text)} |"
        tables.setdefault(shortcut.menu, []).append(row)
    for menu, rows in tables.items():
        lines += ["", f"## {menu}", "", "| keys | what they do |", "| --- | --- |", *rows]
    return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    """Return text that Markdown takes as it is."""
    return re.sub(r"([\\`*_\[\]|<>&])", r"\\\1", text)
