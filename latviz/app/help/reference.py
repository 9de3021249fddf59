"""Information about the program: the manual, the finder of actions, version and licence."""

from collections.abc import Iterator
from functools import partial

from PyQt6.QtWidgets import QMessageBox

import latviz
from latviz import app
from latviz.app.shell.action_finder import ActionFinder
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import MANUAL, Menus
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views

ABOUT = (
    "<h3>latviz {version}</h3><p>An interactive visualizer for the latent-variable lattice model "
    "of R. Masatran.</p><p>Free software under the GNU General Public License, version 3 or "
    "later.</p>"
)


class Reference(Feature):
    """Opens windows that are made at the first request."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts  # menus and views are made after it
        self._parent, self._settings = parts[Shell].main_window, parts[Settings]
        self._help: app.help.help_dialog.HelpDialog | None = None
        self._finder: ActionFinder | None = None

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items, and the pages of the manual, which only the finder lists."""
        yield from super().menu_items()
        for k, page in enumerate(app.help.manual.contents()):
            tip = f"Open this page of the manual{page.about and f': {page.about}'}"
            run, at = partial(self.show_help, page.name), (MANUAL, k / 100)
            yield Action(page.title, tip, run, at=at)

    def show_help(self, page: str = "", anchor: str = "") -> None:
        """Open the manual, at a page and a heading if given."""
        if self._help is None:
            self._help = app.help.help_dialog.HelpDialog(
                self._parts[Menus].shortcuts(),
                self._parent,
                self._settings,
                tuple(self._parts[Views].specs.values()),
            )
        if page:
            self._help.show_page(page, anchor)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    @in_menu(
        "Find an &action…",
        "Find menu items, encodings, lessons and pages of the manual by some words",
        ("Help", 1.15),
    )
    def find_action(self) -> None:
        """Find an item of any menu."""
        self._parts[Menus].refresh()
        if self._finder is None:
            self._finder = ActionFinder(self._parent)
        self._finder.open_with("Find an action", self._parts[Menus].actions)

    @in_menu("A&bout latviz", "Show the version and the licence", ("Help", 1.2))
    def _show_about(self) -> None:
        QMessageBox.about(self._parent, "About latviz", ABOUT.format(version=latviz.__version__))
