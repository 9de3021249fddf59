"""Items of the menus: each feature offers its own, with text, tip, keys and place."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from PyQt6.QtGui import QAction, QIcon

from latviz.app.widgets.shortcuts import Keys

T = TypeVar("T")
At = tuple[str, float]
"""The title of a menu, and the place of an item in it: items are sorted by this number, with a
separator between different whole parts."""
PREFERENCES, HERE, OTHERS = "Preferences", "State under the pointer", "Other actions"
"""Menus that are only listed, see `latviz.app.shell.menus.LISTED`."""
VIEW: At = ("View", 2.95)
"""The default menu and place of the actions of views."""


@dataclass(frozen=True)
class Action:
    """An item that does something, or that is on or off."""

    text: str  # "&" marks the letter to press in an open menu; without it, it names the action
    tip: str  # the text of the tool tip; empty: the name
    run: Callable[..., object]  # called without an argument, or with whether a tick is to be set
    keys: Keys | None = None  # of views of other packages; `shortcuts.MAIN` has all others
    at: At = VIEW
    ticked: Callable[[], bool] | None = None  # whether the item is on; others cannot be ticked
    enabled: Callable[[], bool] | None = None  # whether the action can be done now
    exclusive: bool = False  # exactly one of such items in the menu is ticked
    icon: QIcon | None = None
    opens: bool = False  # it replaces the picture on screen at once, and asks for nothing before


@dataclass(frozen=True)
class Submenu:
    """A menu inside another one; items are placed in it by its title.

    ``fill`` returns its items each time it opens. ``icon_side`` is the size of their icons in
    pixels, if it is not the usual one.
    """

    text: str
    tip: str
    at: At
    fill: Callable[[], Iterable["Item"]] | None = None
    icon_side: int = 0


@dataclass(frozen=True)
class Ready:
    """An item that is an action of Qt's already."""

    action: QAction
    at: At


Item = Action | Submenu | Ready


def plain(text: str) -> str:
    """Return the name of an item: its text without marks."""
    return text.replace("&", "").rstrip("…")


def choice(
    text: str,
    tip: str,
    at: At,
    choices: Iterable[tuple[T, str]],
    chosen: Callable[[], T],
    choose: Callable[[T], object],
) -> tuple[Item, ...]:
    """Return a submenu with exactly one item ticked."""

    def item(value: T, name: str, place: float) -> Action:
        return Action(
            name,
            "",
            lambda _on: choose(value),
            at=(plain(text), place),
            ticked=lambda: value == chosen(),
            exclusive=True,
        )

    items = (item(value, name, k / 100) for k, (value, name) in enumerate(choices))
    return Submenu(text, tip, at), *items
