"""The choice between a heat map and a graph."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QToolButton, QWidget


class FacePicker(QWidget):
    """Whether A is a heat map or a graph.

    Signals
    -------
    picked(bool)
        True for a graph.
    """

    picked = pyqtSignal(bool)

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(0)
        self.map, self.graph = QToolButton(), QToolButton()
        for button, text, tip in (
            (self.map, "Heat map", "A as a table of colours"),
            (self.graph, "Graph", "A as a graph of states (G)"),
        ):
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setCheckable(True)
            layout.addWidget(button)
        self.show_graph(False)
        self.map.clicked.connect(lambda: self._pick(False))
        self.graph.clicked.connect(lambda: self._pick(True))

    def show_graph(self, graph: bool) -> None:
        """Show which it is, without a signal."""
        self.map.setChecked(not graph)
        self.graph.setChecked(graph)

    def _pick(self, graph: bool) -> None:
        self.show_graph(graph)
        self.picked.emit(graph)
