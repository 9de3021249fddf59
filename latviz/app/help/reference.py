"""What tells of the program itself: its manual, the finder of actions, its version and licence."""

from collections.abc import Callable

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMessageBox, QWidget

import latviz
from latviz import app
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.menus import Menus
from latviz.app.shell.settings import Settings
from latviz.app.views.spec import AnySpec

ABOUT = (
    "<h3>latviz {version}</h3><p>An interactive visualizer for the latent-variable lattice model "
    "of R. Masatran.</p><p>Free software under the GNU General Public License, version 3 or "
    "later.</p>"
)


class Reference:
    """Opens windows that are made when they are first asked for.

    ``menus`` and ``specs`` return the menus and the views, which are made after it.
    """

    def __init__(
        self,
        parent: QWidget,
        settings: Settings,
        menus: Callable[[], Menus],
        specs: Callable[[], tuple[AnySpec, ...]],
    ) -> None:
        self._parent, self._settings = parent, settings
        self._menus, self._specs = menus, specs
        self._help: app.help.help_dialog.HelpDialog | None = None
        self._finder: app.shell.action_finder.ActionFinder | None = None

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "Find an &action…",
                "Find what any menu holds, by some letters of its words",
                self.find_action,
                "Ctrl+K",
                ("Help", 1.15),
            ),
            Action(
                "&Export…",
                "Choose what to write to a file: results, tables, figures, a film, a report",
                self.list_exports,
                at=("File", 3.0),
            ),
            Action(
                "A&bout latviz",
                "See which version this is, and its licence",
                self._show_about,
                at=("Help", 1.2),
            ),
        )

    def show_help(self, page: str = "", anchor: str = "") -> None:
        """Open the manual, at a page and a heading of it if they are given."""
        if self._help is None:
            self._help = app.help.help_dialog.HelpDialog(
                self._menus().shortcuts(), self._parent, self._settings, self._specs()
            )
        if page:
            self._help.show_page(page, anchor)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    def find_action(self) -> None:
        """Find what any menu holds."""
        self._list("Find an action", self._menus().actions)

    def list_exports(self) -> None:
        """List what can be exported, and do what is chosen."""
        self._list("Export", self._menus().exports)

    def _list(self, title: str, actions: list[QAction]) -> None:
        self._menus().refresh()
        if self._finder is None:
            self._finder = app.shell.action_finder.ActionFinder(self._parent)
        self._finder.open_with(title, actions)

    def _show_about(self) -> None:
        QMessageBox.about(self._parent, "About latviz", ABOUT.format(version=latviz.__version__))
