"""The state map below the image, while a picture is much wider than it is high."""

from PyQt6.QtCore import QRect, QSize, Qt
from PyQt6.QtWidgets import QMainWindow

from latviz.app.docking.docks import Dock

GAIN = 1.5
"""So many times larger a picture must be drawn: docks that move surprise."""
AROUND = 60
"""What a dock has above and below a picture, about, in pixels: its title, a legend."""
_BESIDE = 12
"""Docks that are no farther apart are beside each other, in pixels."""


class Stacking:
    """Lays two docks that stand side by side one below the other, and back, as pictures ask for.

    Docks that a person put elsewhere stay where they are.
    """

    def __init__(self, main_window: QMainWindow, first: Dock, second: Dock) -> None:
        self._main_window, self._first, self._second = main_window, first, second
        self.shape: tuple[int, int] | None = None
        """The rows and columns of the picture; None for one that fills any room."""
        self.is_on = False
        """False where other places begin: docks are side by side, or where the user wants."""

    def follow(self) -> None:
        """Lay the docks out for the picture."""
        is_there = all(d.isVisible() and not d.isFloating() for d in (self._first, self._second))
        if is_there and self._main_window.isVisible():
            room = self._first.geometry().united(self._second.geometry())
            self._lay(self.shape is not None and is_better(room.size(), self.shape))

    def undo(self) -> None:
        """Lay the docks side by side, as they are remembered."""
        self._lay(False)

    def _lay(self, on: bool) -> None:
        if on == self.is_on or self._direction() != int(self.is_on):
            return
        self.is_on = on
        way = Qt.Orientation.Vertical if on else Qt.Orientation.Horizontal
        self._main_window.splitDockWidget(self._first, self._second, way)

    def _direction(self) -> int | None:
        """Return the axis along which the second dock follows the first; None: it does not."""
        one, other = self._first.geometry(), self._second.geometry()
        if _spans(one, other, 0) and 0 < other.left() - one.right() <= _BESIDE:
            return 0
        if _spans(one, other, 1) and 0 < other.top() - one.bottom() <= _BESIDE:
            return 1
        return None


def _spans(one: QRect, other: QRect, axis: int) -> bool:
    """Tell whether two docks begin and end at the same places across an axis."""
    if axis == 0:
        return (one.top(), one.bottom()) == (other.top(), other.bottom())
    return (one.left(), one.right()) == (other.left(), other.right())


def is_better(room: QSize, shape: tuple[int, int]) -> bool:
    """Tell whether two copies of a picture are much larger one below the other."""
    rows, columns = shape
    wide, high = room.width(), room.height()
    beside = min(wide / 2 / columns, (high - AROUND) / rows)
    below = min(wide / columns, (high - 2 * AROUND) / 2 / rows)
    return below >= GAIN * beside
