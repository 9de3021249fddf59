"""Opens the benches from the main window."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from latviz.app.benches import laboratory, playground
from latviz.app.document.opening import Opener
from latviz.app.document.worker import Worker
from latviz.app.look.theme import Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.work.latest_only import NewestThread


class Bench(NamedTuple):
    """A row: the name, the menu item, its tip, and a loader of the window's class."""

    name: str
    text: str
    tip: str
    load: Callable[[], Callable[..., Any]]


BENCHES = (
    Bench(
        "lab",
        "Bias and &variance lab…",
        "See why small windows have variance and large ones bias, on fields whose truth is known",
        lambda: laboratory.window.LabWindow,
    ),
    Bench(
        "playground",
        "Potts pla&yground…",
        "Set a potential, B and a strength, and watch the pictures that they produce",
        lambda: playground.window.PlayWindow,
    ),
)


class Benches(Feature):
    """Opens benches, one of each kind at a time, and opens their results as the picture."""

    def __init__(self, parts: Parts) -> None:
        self._main_window, self._settings = parts[Shell].main_window, parts[Settings]
        self._prepared = parts[Worker].prepared  # it is set once kernels are loaded
        self._preferences, self._opener = parts[Preferences], parts[Opener]
        self._shown: dict[str, Any] = {}
        self._ending: list[NewestThread] = []

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        return tuple(
            Action(
                row.text,
                row.tip,
                partial(self.open, row.name),
                at=("Other windows", 1 + k / 10),
            )
            for k, row in enumerate(BENCHES)
        )

    def shown(self, name: str) -> Any:
        """Return the window of a bench; None if it is not open."""
        return self._shown.get(name)

    def open(self, name: str) -> None:
        """Open a bench, or bring it to the front."""
        if name not in self._shown:
            (row,) = (row for row in BENCHES if row.name == name)
            self._shown[name] = self._made(row)
        window = self._shown[name]
        window.show()
        window.raise_()
        window.activateWindow()

    def close(self) -> None:
        """Close all, and wait for the threads of those closed earlier."""
        for window in tuple(self._shown.values()):
            window.close()
        for thread in self._ending:
            thread.wait()

    def _made(self, row: Bench) -> Any:
        made = row.load()(
            self._settings,
            self._prepared,
            self._preferences.theme,
            self._main_window,
            running=not self._preferences.is_still,
        )
        made.wanted.connect(self._use)
        made.closed.connect(partial(self._forget, row.name))
        return made

    def _forget(self, name: str) -> None:
        running = [thread for thread in self._ending if not thread.isFinished()]
        self._ending = [*running, self._shown.pop(name).document.worker]

    def apply_theme(self, theme: Theme) -> None:
        """Draw the benches in the colours of a theme."""
        for window in self._shown.values():
            window.apply_theme(theme)

    def _use(self, wanted: Any) -> None:
        """Open a generated picture; bring the main window to the front."""
        self._opener.open_made(wanted)
        self._main_window.raise_()
        self._main_window.activateWindow()
