"""Windows beside the main window: at most one of each kind is open."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from latviz.app.look.theme import Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.work.latest_only import NewestThread


class SideWindow(Protocol):
    """A window; its ``closed`` tells that it closes, and the worker of its document then ends."""

    closed: Any
    document: Any

    def show(self) -> None:
        """Show it."""

    def raise_(self) -> None:
        """Bring it to the front."""

    def activateWindow(self) -> None:
        """Give it the keyboard."""

    def close(self) -> bool:
        """Close it."""

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""


W = TypeVar("W", bound=SideWindow)


class OneWindow(Generic[W]):
    """Keeps the window of a kind that is open, if one is; ``make`` makes it in a theme."""

    def __init__(self, make: Callable[[Theme], W], preferences: Preferences) -> None:
        self._make, self._preferences = make, preferences
        self.shown: W | None = None
        self._ending: list[NewestThread] = []
        preferences.theme_changed.connect(self._apply_theme)

    def open(self) -> None:
        """Open the window, or bring it to the front."""
        if self.shown is None:
            self.shown = self._make(self._preferences.theme)
            self.shown.closed.connect(self._forget)
        self.shown.show()
        self.shown.raise_()
        self.shown.activateWindow()

    def close(self) -> None:
        """Close the window, and wait for the threads of those that were closed before."""
        if self.shown is not None:
            self.shown.close()
        for thread in self._ending:
            thread.wait()

    def _apply_theme(self, theme: Theme) -> None:
        if self.shown is not None:
            self.shown.apply_theme(theme)

    def _forget(self) -> None:
        if self.shown is not None:
            running = [thread for thread in self._ending if not thread.isFinished()]
            self._ending = [*running, self.shown.document.worker]
        self.shown = None
