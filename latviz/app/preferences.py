"""What a person prefers, whatever is on screen: kept for the windows to come."""

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication

from latviz.app import theme as themes
from latviz.app.motion import Motion, system_is_still
from latviz.app.style import stylesheet
from latviz.core.threads import set_threads

if TYPE_CHECKING:
    from latviz.app.window import MainWindow


class Preferences(QObject):
    """Sets a window up as its settings say, and keeps in them what is chosen.

    ``forced_theme`` stands for the settings' theme until another one is chosen.
    """

    def __init__(self, window: "MainWindow", forced_theme: str = "") -> None:
        super().__init__(window)
        self._window, self._document = window, window.document
        self._settings, self._forced_theme = window.settings, forced_theme
        self._motion = Motion(window)
        self.theme = themes.LIGHT
        self._document.set_sample(self._settings.sample)
        set_threads(self._settings.threads)
        hints = QGuiApplication.styleHints()
        assert hints is not None
        hints.colorSchemeChanged.connect(self._apply_theme)

    def apply(self) -> None:
        """Show what the settings hold, once all parts of the window are made."""
        self._apply_theme()
        still = self._settings.still
        self._keep_still(system_is_still() if still is None else still)
        self._document.set_display(graph=self._settings.graph)

    @property
    def theme_name(self) -> str:
        """The theme that is chosen: "system", "light" or "dark"."""
        return self._forced_theme or self._settings.theme

    def choose_theme(self, name: str) -> None:
        """Use the light or dark theme, or the system's."""
        self._forced_theme = name
        self._settings.theme = name
        self._apply_theme()

    def toggle_still(self) -> None:
        """Let nothing move by itself, or no longer."""
        self._settings.still = still = not self._document.display.still
        self._keep_still(still)

    def show_graph(self, graph: bool) -> None:
        """Show A as a graph, or as a heat map."""
        self._document.set_display(graph=graph)
        self._settings.graph = graph

    def set_sample(self, size: int) -> None:
        """Learn from this many signatures while the hand moves."""
        self._document.set_sample(size)
        self._settings.sample = size

    def set_threads(self, count: int) -> None:
        """Compute on this many threads."""
        set_threads(count)
        self._settings.threads = count

    def _keep_still(self, still: bool) -> None:
        self._motion.set_still(still)
        self._document.set_display(still=still)

    def _apply_theme(self) -> None:
        known = {"light": themes.LIGHT, "dark": themes.DARK}
        self.theme = known.get(self.theme_name) or themes.system_theme()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setPalette(themes.palette(self.theme))
        application.setStyleSheet(stylesheet(self.theme))
        for view in self._window.views.values():
            view.apply_theme(self.theme)
        self._window.status.apply_theme(self.theme)
        self._window.lab.apply_theme(self.theme)
