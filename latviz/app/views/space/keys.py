"""Keys over the signature space."""

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QWidget

from latviz.app.widgets import keys


class StateKeys(QObject):
    """Takes the keys of a plot of states.

    Signals
    -------
    stepped(int)
        To the next state (1), or to the one before (-1).
    entered
        The state that is set off is wanted.
    zoomed(object)
        The factor to magnify by, or None for all.
    left
        The keyboard goes elsewhere.
    """

    stepped = pyqtSignal(int)
    entered = pyqtSignal()
    zoomed = pyqtSignal(object)
    left = pyqtSignal()

    def __init__(self, plot: QWidget) -> None:
        super().__init__(plot)
        plot.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Take the keys that mean something."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take(event)
        if event is not None and event.type() == QEvent.Type.FocusOut:
            self.left.emit()
        return super().eventFilter(watched, event)

    def _take(self, event: QKeyEvent) -> bool:
        arrow, factor = keys.arrow(event), keys.zoom_factor(event)
        if arrow is not None and not keys.is_shifted(event):
            self.stepped.emit(sum(arrow))
        elif keys.is_enter(event):
            self.entered.emit()
        elif factor is not None or (event.key() == Qt.Key.Key_Home and keys.is_plain(event)):
            self.zoomed.emit(factor)
        else:
            return False
        return True
