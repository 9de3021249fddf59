"""How much of the states covers the image, and which slice of a volume is shown."""

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QSlider, QWidget

from latviz.app.document import Document
from latviz.app.widgets.title_controls import SliceBar, muted
from latviz.engine.state import State


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
        for part in (muted("image"), self.slider, muted("states")):
            layout.addWidget(part)
        self.slider.valueChanged.connect(lambda value: self.changed.emit(value / 100))

    def show_value(self, opacity: float) -> None:
        """Show an opacity, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * opacity))


class StatesHeader(QWidget):
    """The controls in the title of the state map."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.slices, self.blend = SliceBar("state map"), BlendBar()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.slices)
        layout.addWidget(self.blend)
        self._document = document
        self.slices.picked.connect(document.set_slice)
        self.blend.changed.connect(lambda opacity: document.set_display(opacity=opacity))
        document.changed.connect(self._show_state)

    def _show_state(self, old: State, new: State) -> None:
        if new.picture is not None and new.picture is not old.picture:
            self.slices.show_picture(new.picture, new.slice)
        self.slices.show_slice(new.slice)
        self.blend.show_value(new.display.opacity)
