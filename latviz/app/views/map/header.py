"""The choice of the map."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox

from latviz.engine.selection import MapKind


class MapPicker(QComboBox):
    """Which map is shown.

    Signals
    -------
    picked(str)
    """

    picked = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        for kind, text in (
            ("likelihood", "log-likelihood"),
            ("inertia", "inertia"),
            ("doubt", "doubt"),
        ):
            self.addItem(text, kind)
        self.setAccessibleName("Kind of map")
        self.setToolTip("What the map shows of each pixel")
        self.activated.connect(lambda _: self.picked.emit(self.currentData()))

    def show_map(self, kind: MapKind) -> None:
        """Show which map is shown, without a signal."""
        self.setCurrentIndex(self.findData(kind))
