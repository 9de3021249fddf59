"""Where docks are in each use: by default, as a person left them, and as the window is resized."""

from collections.abc import Collection, Iterable, Mapping

from PyQt6.QtCore import QByteArray, QEvent
from PyQt6.QtWidgets import QApplication, QMainWindow

from latviz.app.docking import docks as docking
from latviz.app.docking.stacking import Stacking
from latviz.app.docking.uses import CONTROLS, INSPECT, LESSON, Use, use_of
from latviz.app.shell.settings import Settings
from latviz.app.views.spec import AnySpec
from latviz.app.work.timers import once_after

STATUS_HEIGHT = 60
"""What menus and the status bar take of the window's height, about."""
_GROWN_MS = 500
"""By then a window that is to fill the screen does so."""


class DockLayout:
    """Lays the docks of a window out for the use that it is in, `use`.

    Docks that are ``alike`` have the same width where they come to stand side by side.
    """

    def __init__(
        self,
        main_window: QMainWindow,
        docks: Mapping[str, docking.Dock],
        specs: Mapping[str, AnySpec],
        alike: Collection[str],
        settings: Settings,
    ) -> None:
        self._main_window, self._docks, self._specs = main_window, docks, specs
        self._settings, self.use = settings, use_of(INSPECT)
        self._kept: dict[
            str, QByteArray
        ] = {}  # how the docks were left in each use; empty: default
        self._too_large: QByteArray | None = None
        self._is_restoring = False
        self._sizes = docking.Sizes(main_window, docks, self._places(), alike)
        self._stacking = Stacking(main_window, docks["image"], docks["states"])

    def begin(self, use: Use) -> None:
        """Put the window and its docks where they were left in a use."""
        self.use = use
        state = self._left()
        self.restore_default()
        if state is None:
            return
        # Not the other way round: Qt restores what a window that is to fill the screen holds
        # again and again until it fits, freed docks included, with tabs at times for ever.
        self._restore(state)
        self._main_window.restoreGeometry(self._settings.geometry)
        if self._main_window.isMaximized() or self._main_window.isFullScreen():
            self._too_large = state
            once_after(_GROWN_MS, self._let_grow, self._main_window).start()

    def show_shape(self, shape: tuple[int, int] | None) -> None:
        """Lay the docks out for a picture of so many rows and columns; None: of a sequence."""
        self._stacking.shape = shape
        self._stack()

    def _stack(self) -> None:
        if self.use.stacks:
            self._stacking.follow()

    def leave(self) -> None:
        """Remember how the docks are in the use that is left."""
        self._stacking.undo()
        self._kept[self.use.name] = self._main_window.saveState()

    def enter(self, use: Use) -> None:
        """Put docks where a person left them in a use, or where they are by default."""
        self.use = use
        state = self._left()
        self._let_grow()
        if state is None:
            self.restore_default()
            return
        self._main_window.setUpdatesEnabled(False)
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # of what is above
        docking.activate(self._main_window)
        self._restore(state)
        self._sizes.settle()
        self._stack()
        self._main_window.setUpdatesEnabled(True)

    def restore_default(self) -> None:
        """Put every dock where it is by default."""
        self._let_grow()
        self._kept[self.use.name] = QByteArray()
        main_window, places = self._main_window, self._places()
        self._sizes.places = places
        size = main_window.width(), main_window.height() - STATUS_HEIGHT
        main_window.setUpdatesEnabled(False)  # else each dock that moves has all of them painted
        docking.arrange(main_window, self._docks, places, self._shown(), size)
        docking.activate(self._main_window)
        self._sizes.forget()
        self._sizes.settle()
        self._stacking.is_on = False
        self._stack()
        main_window.setUpdatesEnabled(True)

    def show_alone(self, names: Iterable[str]) -> None:
        """Show some docks, and hide all others."""
        shown = set(names)
        for name, dock in self._docks.items():
            dock.setVisible(name in shown)

    def follow_size(self) -> None:
        """Share the room of a window that was resized anew."""
        if self._is_restoring:  # not all docks are there
            return
        if self._too_large is not None and self._main_window.isVisible() and not docking.pressed():
            self._restore(self._too_large)
        self._sizes.settle()

    def save(self) -> None:
        """Remember all of it for the windows to come."""
        self.leave()
        for use, state in self._kept.items():
            self._settings.save_layout(use, state)
        self._settings.geometry = self._main_window.saveGeometry()

    def _places(self) -> dict[str, docking.Place]:
        """Return where every dock is by default."""
        views = {name: spec.place for name, spec in self._specs.items()}
        return {"controls": CONTROLS, "lesson": LESSON} | views | dict(self.use.places)

    def _shown(self) -> set[str]:
        """Return the docks that are shown by default."""
        every = {"controls", *(n for n, spec in self._specs.items() if spec.shown_at_first)}
        return set(self.use.shown) or every

    def _left(self) -> QByteArray | None:
        """Return how the docks were left in the use; None if they never were."""
        name = self.use.name
        state = self._kept[name] if name in self._kept else self._settings.layout(name)
        return None if state is None or state.isEmpty() else state

    def _restore(self, state: QByteArray) -> None:
        self._sizes.places = self._places()
        self._stacking.is_on = False
        self._is_restoring = True
        self._main_window.restoreState(state)
        self._is_restoring = False
        self._sizes.forget(adopt=True)

    def _let_grow(self) -> None:
        """Restore no docks any more when the window grows."""
        self._too_large = None
