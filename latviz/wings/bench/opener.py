"""Opens the bench from the main window."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.document.worker import Worker
from latviz.app.look.theme import Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.work.latest_only import NewestThread
from latviz.wings.bench.shortcuts import IN_MENUS

if TYPE_CHECKING:  # see `Bench.open`
    from latviz.wings.bench.window import BenchWindow


class Bench(Feature):
    """Opens the bench, one at a time, and opens its observations as the picture."""

    def __init__(self, parts: Parts) -> None:
        self._main_window, self._settings = parts[Shell].main_window, parts[Settings]
        self._prepared = parts[Worker].prepared  # it is set once kernels are loaded
        self._preferences, self._opener = parts[Preferences], parts[Opener]
        self._document = parts[Document]
        self.window: BenchWindow | None = None
        self._ending: list[NewestThread] = []

    @in_menu(
        "&Bench…",
        "See what the model finds where the truth is known: drawn, made, or sampled in sweeps",
        ("Model", 5.0),
        keys=IN_MENUS["Bench"],
    )
    def open(self) -> None:
        """Open the bench, or bring it to the front."""
        from latviz.wings.bench.window import BenchWindow  # few users need it

        if self.window is None:
            self.window = BenchWindow(
                self._settings,
                self._prepared,
                self._preferences.theme,
                self._main_window,
                running=not self._preferences.is_still,
            )
            self.window.wanted.connect(self._use)
            self.window.closed.connect(self._forget)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def close(self) -> None:
        """Close it, and wait for the threads of those closed earlier."""
        if self.window is not None:
            self.window.close()
        for thread in self._ending:
            thread.wait()

    def _forget(self) -> None:
        assert self.window is not None
        running = [thread for thread in self._ending if not thread.isFinished()]
        self._ending = [*running, self.window.document.worker]
        self.window = None

    def apply_theme(self, theme: Theme) -> None:
        """Draw the bench in the colours of a theme."""
        if self.window is not None:
            self.window.apply_theme(theme)

    def _use(self, make: Callable[[], Any]) -> None:
        """Open an observation, and bring the main window to the front."""
        self._opener.open_with(lambda _: make(), lambda made: self._document.open(*made))
        self._main_window.raise_()
        self._main_window.activateWindow()
