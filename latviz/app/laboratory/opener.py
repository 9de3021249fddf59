"""Opens the laboratory from the main window: one at a time."""

from threading import Event

from PyQt6.QtWidgets import QWidget

from latviz.app import laboratory
from latviz.app.actions import Action, Item
from latviz.app.latest_only import NewestThread
from latviz.app.preferences import Preferences
from latviz.app.settings import Settings
from latviz.app.theme import Theme


class LabOpener:
    """Keeps the laboratory that is open, if one is; ``prepared`` is set once kernels are loaded."""

    def __init__(
        self, main_window: QWidget, settings: Settings, prepared: Event, preferences: Preferences
    ) -> None:
        self._main_window, self._settings, self._prepared = main_window, settings, prepared
        self._preferences = preferences
        preferences.theme_changed.connect(self._apply_theme)
        self.lab: laboratory.window.LabWindow | None = None
        self._ending: list[NewestThread] = []

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "Bias and &variance lab…",
                "See on fields whose truth is known why small windows vary and large ones are "
                "biased",
                self.open,
                "Ctrl+B",
                ("Model", 5.0),
            ),
        )

    def open(self) -> None:
        """Open the laboratory, or bring it to the front."""
        if self.lab is None:
            theme = self._preferences.theme
            self.lab = laboratory.window.LabWindow(
                self._settings, self._prepared, theme, self._main_window
            )
            self.lab.closed.connect(self._forget)
        self.lab.show()
        self.lab.raise_()
        self.lab.activateWindow()

    def close(self) -> None:
        """Close the laboratory, and wait for the threads of those that were closed before."""
        if self.lab is not None:
            self.lab.close()
        for thread in self._ending:
            thread.wait()

    def _apply_theme(self, theme: Theme) -> None:
        if self.lab is not None:
            self.lab.apply_theme(theme)

    def _forget(self) -> None:
        if self.lab is not None:
            running = [thread for thread in self._ending if not thread.isFinished()]
            self._ending = [*running, self.lab.document.worker]
        self.lab = None
