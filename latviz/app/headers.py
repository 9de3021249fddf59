"""Small controls in the titles of docks."""

from collections.abc import Mapping
from typing import Any

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from latviz.engine.picture import Picture
from latviz.engine.selection import MapKind


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
    """Which page of a file is shown, or all as a volume; hidden for files of one page.

    Signals
    -------
    picked(int)
        The page to show, from 0.
    volume_wanted(bool)
        All pages are to be shown as one volume, or no longer.
    """

    picked = pyqtSignal(int)
    volume_wanted = pyqtSignal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.box = QSpinBox()
        self.box.setKeyboardTracking(False)
        self._unit, self._total = _muted("page"), _muted("")
        self.volume = QCheckBox("as a volume")
        self.volume.setToolTip("All pages are the slices of one volume")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(4)
        for part in (self._unit, self.box, self._total, self.volume):
            layout.addWidget(part)
        self.box.valueChanged.connect(lambda value: self.picked.emit(value - 1))
        self.volume.clicked.connect(self._ask_for_volume)
        self.hide()

    def _ask_for_volume(self, wanted: bool) -> None:
        """Tell what is wanted; the box is ticked when it is there."""
        self.volume.setChecked(not wanted)
        self.volume_wanted.emit(wanted)

    def show_source(self, origin: Mapping[str, Any]) -> None:
        """Show which of how many pages, or records, is on screen."""
        pages, unit, volume = (origin.get(k) for k in ("pages", "unit", "volume"))
        with QSignalBlocker(self.box):
            self.box.setRange(1, pages or 1)
            self.box.setValue(origin.get("page", 0) + 1)
        self._unit.setText(unit or "page")
        self.box.setAccessibleName((unit or "page").capitalize())
        self._total.setText(f"of {pages}")
        self.box.setToolTip(f"Which of {pages} {unit or 'page'}s is shown")
        self.volume.setChecked(bool(volume))
        self.volume.setVisible(unit == "page")
        for part in (self._unit, self.box, self._total):
            part.setVisible(not volume)
        self.setVisible((pages or 1) > 1)


class SliceBar(QWidget):
    """Which slice of a volume is shown; hidden for others.

    Signals
    -------
    picked(int)
        The slice to show, from 0.
    """

    picked = pyqtSignal(int)

    def __init__(self, view: str) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setMinimumWidth(30)
        self.slider.setMaximumWidth(120)
        self.slider.setAccessibleName(f"Slice of the {view} slider")
        self.box = QSpinBox()
        self.box.setAccessibleName(f"Slice of the {view} number")
        self.box.setKeyboardTracking(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(6)
        for part in (self.slider, self.box):
            part.valueChanged.connect(lambda value: self.picked.emit(value - 1))
            layout.addWidget(part)
        self.hide()

    def show_slices(self, slices: int) -> None:
        """Let a person choose among so many slices; hide if there are none."""
        for part in (self.slider, self.box):
            with QSignalBlocker(part):
                part.setRange(1, max(1, slices))
            part.setToolTip(f"Which of {slices} slices is shown (Page Up and Page Down)")
        self.setVisible(slices > 0)

    def show_slice(self, index: int) -> None:
        """Show which slice is on screen."""
        for part in (self.slider, self.box):
            with QSignalBlocker(part):
                part.setValue(index + 1)


class Sources:
    """Which page of a file and which slice of a volume are shown: controls in two titles."""

    def __init__(self) -> None:
        self.pages = PagePicker()
        self.slice_bars = SliceBar("image"), SliceBar("state map")
        self.of_image = side_by_side(self.pages, self.slice_bars[0])

    def show_picture(self, picture: Picture, index: int) -> None:
        """Offer the pages and slices that there are; first hide, or the titles would widen."""
        slices = picture.shape[0] if picture.dimensions == 3 else 0
        for bar in self.slice_bars:
            bar.setVisible(bar.isVisible() and slices > 0)
        self.pages.show_source(picture.origin)
        for bar in self.slice_bars:
            bar.show_slices(slices)
        self.show_slice(index)

    def show_slice(self, index: int) -> None:
        """Show which slice is on screen."""
        for bar in self.slice_bars:
            bar.show_slice(index)


def side_by_side(*parts: QWidget) -> QWidget:
    """Put several controls into one title."""
    both = QWidget()
    layout = QHBoxLayout(both)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        layout.addWidget(part)
    return both


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
