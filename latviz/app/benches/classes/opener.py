"""Opens the window of classes from the main window."""

from threading import Event

from PyQt6.QtWidgets import QWidget

from latviz.app.benches import classes
from latviz.app.document.opening import Opener
from latviz.app.look.theme import Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.panels.side_windows import OneWindow
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.settings import Settings


class ClassOpener:
    """Opens the window of classes; one at a time. Images that are wanted, ``opener`` opens.

    ``prepared`` is set once kernels are loaded.
    """

    def __init__(
        self,
        main_window: QWidget,
        settings: Settings,
        prepared: Event,
        preferences: Preferences,
        opener: Opener,
    ) -> None:
        self._main_window, self._settings, self._prepared = main_window, settings, prepared
        self._opener = opener
        self._windows = OneWindow(self._made, preferences)

    @property
    def shown(self) -> "classes.window.ClassWindow | None":
        """The window, if it is open."""
        return self._windows.shown

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "&Classes of images…",
                "Learn classes from folders of images, and see where an image speaks for which",
                self.open,
                "Ctrl+Shift+K",
                ("Other windows", 1.2),
            ),
        )

    def open(self) -> None:
        """Open the window, or bring it to the front."""
        self._windows.open()

    def close(self) -> None:
        """Close it, and wait for the threads of those that were closed before."""
        self._windows.close()

    def _made(self, theme: Theme) -> "classes.window.ClassWindow":
        made = classes.window.ClassWindow(self._settings, self._prepared, theme, self._main_window)
        made.wanted.connect(self._use)
        return made

    def _use(self, path: str) -> None:
        """Open an image, and bring the main window to the front."""
        self._opener.open_path(path)
        self._main_window.raise_()
        self._main_window.activateWindow()
