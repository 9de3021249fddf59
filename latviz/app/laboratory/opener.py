"""Opens the laboratory from the main window: one at a time."""

from typing import TYPE_CHECKING

from latviz.app.theme import Theme

if TYPE_CHECKING:
    from latviz.app.laboratory.window import LabWindow
    from latviz.app.window import MainWindow


class LabOpener:
    """Keeps the laboratory that is open, if one is."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self.lab: LabWindow | None = None

    def open(self) -> None:
        """Open the laboratory, or bring it to the front."""
        if self.lab is None:
            from latviz.app.laboratory.window import LabWindow  # loads the compiled kernels

            main = self._window
            self.lab = LabWindow(main.settings, main.worker.prepared, main.preferences.theme, main)
            self.lab.closed.connect(self._forget)
        self.lab.show()
        self.lab.raise_()
        self.lab.activateWindow()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        if self.lab is not None:
            self.lab.apply_theme(theme)

    def close(self) -> None:
        """Close the laboratory."""
        if self.lab is not None:
            self.lab.close()

    def _forget(self) -> None:
        self.lab = None
