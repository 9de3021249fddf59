"""Small controls in the titles of docks."""

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from latviz.live.selection import MapKind


class BlendBar(QWidget):
    """How much of the states covers the image.

    Signals
    -------
    changed(float)
        The new opacity, from 0 to 1.
    """

    changed = pyqtSignal(float)

    def __init__(self) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setMinimumWidth(30)
        self.slider.setMaximumWidth(90)
        self.slider.setToolTip("From the image alone to the states alone ([ and ])")
        self.slider.setAccessibleName("Opacity of the states")
        self.slider.setValue(100)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(6)
        for part in (_muted("image"), self.slider, _muted("states")):
            layout.addWidget(part)
        self.slider.valueChanged.connect(lambda value: self.changed.emit(value / 100))

    def show_value(self, opacity: float) -> None:
        """Show an opacity, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * opacity))


class PagePicker(QWidget):
    """Which page of a file is shown; hidden for files of one page.

    Signals
    -------
    picked(int)
        The page to show, from 0.
    """

    picked = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.box = QSpinBox()
        self.box.setAccessibleName("Page")
        self.box.setKeyboardTracking(False)
        self._total = _muted("")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(4)
        for part in (_muted("page"), self.box, self._total):
            layout.addWidget(part)
        self.box.valueChanged.connect(lambda value: self.picked.emit(value - 1))
        self.hide()

    def show_pages(self, page: int, pages: int) -> None:
        """Show which of how many pages is on screen."""
        with QSignalBlocker(self.box):
            self.box.setRange(1, max(1, pages))
            self.box.setValue(page + 1)
        self._total.setText(f"of {pages}")
        self.setVisible(pages > 1)


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


def _muted(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("muted", True)
    return label
