"""Opens the laboratory and the playground from the main window."""

from collections.abc import Callable
from threading import Event

from PyQt6.QtWidgets import QWidget

from latviz.app.benches import laboratory, playground
from latviz.app.document.opening import Opener
from latviz.app.look.theme import Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.panels.side_windows import OneWindow
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.settings import Settings
from latviz.engine.settings.made_picture import Made


class LabOpener:
    """Opens what shows fields that are made; one laboratory and one playground at a time.

    ``prepared`` is set once kernels are loaded. What a person wants as the picture, ``opener``
    opens.
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
        self._preferences, self._opener = preferences, opener
        self._labs = OneWindow(self._made_lab, preferences)
        self._playgrounds = OneWindow(self._made_playground, preferences)

    @property
    def lab(self) -> "laboratory.window.LabWindow | None":
        """The laboratory, if it is open."""
        return self._labs.shown

    @property
    def play(self) -> "playground.window.PlayWindow | None":
        """The playground, if it is open."""
        return self._playgrounds.shown

    def menu_items(self) -> tuple[Item, ...]:
        """Return what is offered in the menus."""
        return (
            Action(
                "Bias and &variance lab…",
                "See on fields whose truth is known why small windows vary and large ones are "
                "biased",
                self.open,
                "Ctrl+B",
                ("Other windows", 1.0),
            ),
            Action(
                "Potts pla&yground…",
                "Set A, B and a strength, and watch the pictures that follow from them",
                self.open_playground,
                "Ctrl+Shift+B",
                ("Other windows", 1.1),
            ),
        )

    def open(self) -> None:
        """Open the laboratory, or bring it to the front."""
        self._labs.open()

    def open_playground(self) -> None:
        """Open the playground, or bring it to the front."""
        self._playgrounds.open()

    def close(self) -> None:
        """Close both, and wait for the threads of those that were closed before."""
        self._labs.close()
        self._playgrounds.close()

    def _made_lab(self, theme: Theme) -> "laboratory.window.LabWindow":
        made = laboratory.window.LabWindow(self._settings, self._prepared, theme, self._main_window)
        made.wanted.connect(self._use)
        return made

    def _made_playground(self, theme: Theme) -> "playground.window.PlayWindow":
        made = playground.window.PlayWindow(
            self._settings,
            self._prepared,
            theme,
            self._main_window,
            running=not self._preferences.is_still,
        )
        made.wanted.connect(self._use)
        return made

    def _use(self, make: Callable[[], Made]) -> None:
        """Open what is made as the picture, and bring the main window to the front."""
        self._opener.open_made(make)
        self._main_window.raise_()
        self._main_window.activateWindow()
