"""The manual: Markdown pages, the list of them, and the page of shortcuts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from latviz.app.shell.menus import Shortcut
from latviz.app.views.spec import AnySpec
from latviz.core.disk.reading import read_text
from latviz.core.parameter import HelpRow
from latviz.resources import resource

INDEX, SHORTCUTS = "index.md", "shortcuts.md"
PARAMETERS_PROSE = "parameters.md"
VIEWS, PARAMETERS, FORMATS = "views.md", "parameter-table.md", "formats.md"
"""Pages that follow from the program; those that are kept in the folder are of its own parts."""

_LINK = re.compile(r"- \[(?P<title>[^]]+)\]\((?P<name>[^)#]+\.md)\)")


@dataclass(frozen=True)
class PageEntry:
    """A line of the contents."""

    title: str  # of its link in the index
    name: str  # file from the manual's folder: "model.md", "views/space.md"
    section: str  # the heading above it


def folder() -> Path:
    """Return the folder of the pages."""
    return resource(f"help/{INDEX}").parent


@cache
def page(name: str) -> str:
    """Return a page as Markdown."""
    return read_text(folder() / name)


def contents() -> Iterator[PageEntry]:
    """Yield the pages in the order of the index; first comes the index itself."""
    section = ""
    yield PageEntry("Contents", INDEX, section)
    for line in page(INDEX).splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif link := _LINK.match(line):
            yield PageEntry(link["title"], link["name"], section)


def summary(name: str) -> str:
    """Return the first paragraph of a page, on one line."""
    _title, paragraph, *_ = page(name).split("\n\n")
    return " ".join(paragraph.split())


def slug(heading: str) -> str:
    """Return the anchor of a heading, made as forges make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def views_page(specs: Iterable[AnySpec]) -> str:
    """Return the page that lists all views, those of other packages too."""
    lines = [
        "# All views",
        "",
        "Every view has a line in the *View* menu, which shows and hides it.",
    ]
    pages = {entry.name for entry in contents()}
    for spec in specs:
        own = f"views/{spec.name}.md"
        title = f"[{escaped(spec.title)}]({own})" if own in pages else escaped(spec.title)
        lines += ["", f"{title}: {escaped(spec.help)}"]
    return "\n".join([*lines, ""])


def parameters_page(rows: Iterable[HelpRow]) -> str:
    """Return the page with the table of all parameters."""
    lines = [
        "# All parameters",
        "",
        "Reference. Every parameter of the model, with its range and its option of the [command "
        "line](command-line.md). [Parameters](parameters.md) explains when to change them. "
        "Pictures open with [settings that suit them](encodings.md).",
    ]
    for essential, heading in ((True, "Essential"), (False, "Advanced")):
        lines += [
            "",
            f"## {heading}",
            "",
            "| parameter | what it does | formula | range | default |",
        ]
        lines[-1] += " option |"
        lines.append("| --- | --- | --- | --- | --- | --- |")
        for row in (row for row in rows if row.essential == essential):
            cells = (row.name, row.tip, row.formula, row.values, row.default)
            lines.append(f"| {' | '.join(map(escaped, cells))} | `{row.flag}` |")
    return "\n".join([*lines, ""])


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
        row = f"| {escaped(shortcut.keys)} | {escaped(shortcut.text)} |"
        tables.setdefault(shortcut.menu, []).append(row)
    for menu, rows in tables.items():
        lines += ["", f"## {menu}", "", "| keys | what they do |", "| --- | --- |", *rows]
    return "\n".join([*lines, ""])


def escaped(text: str) -> str:
    """Return text that Markdown takes as it is."""
    return re.sub(r"([\\`*_\[\]|<>&])", r"\\\1", text)
