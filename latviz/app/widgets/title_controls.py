"""Controls in the titles of docks that several views have."""

from functools import partial

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QPaintEvent, QResizeEvent
from PyQt6.QtWidgets import (
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
)

from latviz.app.widgets import layouts
from latviz.app.widgets.number_boxes import WholeBox
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.pictures.picture import Picture

_SIGN_MARGIN = 5


def muted(text: str) -> QLabel:
    """Return a label in the muted colour."""
    label = QLabel(text)
    label.setProperty("muted", True)
    return label


def mark(widget: QWidget, name: str, on: bool) -> None:
    """Set a property that rules of the style sheet select, and apply them."""
    if widget.property(name) != on:
        widget.setProperty(name, on)
        style = widget.style()
        assert style is not None
        style.unpolish(widget)
        style.polish(widget)


def embolden(widget: QWidget, bold: bool) -> None:
    """Write the text of a widget in bold letters, or in thin ones again."""
    font = QFont(widget.font())
    font.setBold(bold)
    widget.setFont(font)


def caption(text: str) -> QLabel:
    """Return a label for a caption above or below a figure."""
    label = muted(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setContentsMargins(8, 4, 8, 4)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label


class Switch(QWidget):
    """Two buttons, one of them down."""

    picked = pyqtSignal(bool)  # True for the second

    def __init__(self, *choices: tuple[str, str]) -> None:
        super().__init__()
        layout = layouts.row(of=self, margins=(0, 0, 6, 0), spacing=0)
        self.buttons = QToolButton(), QToolButton()
        for second, (button, (text, tip)) in enumerate(zip(self.buttons, choices, strict=True)):
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setCheckable(True)
            button.clicked.connect(partial(self._pick, bool(second)))
            layout.addWidget(button)
        self.show_choice(False)

    def show_choice(self, second: bool) -> None:
        """Show which it is, without a signal."""
        for button, is_down in zip(self.buttons, (not second, second), strict=True):
            button.setChecked(is_down)

    def _pick(self, second: bool) -> None:
        self.show_choice(second)
        self.picked.emit(second)


class TitleButton(QToolButton):
    """A button that shows only its sign where its text does not fit.

    One that ``yields`` hides where its sign does not fit either.
    """

    def __init__(self, text: str, sign: str, *, yields: bool = False) -> None:
        super().__init__()
        self._text, self._sign, self._yields = text, sign, yields
        self.setText(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Return room for the sign only, or none."""
        least = 0 if self._yields else self._least
        return QSize(least, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Return room for the text, even if the sign is shown."""
        hint, text = super().sizeHint(), self.fontMetrics()
        more = text.horizontalAdvance(self._text) - text.horizontalAdvance(self.text())
        return QSize(hint.width() + more, hint.height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the text or the sign, as it fits."""
        super().resizeEvent(event)
        if self.width() >= self.sizeHint().width():
            self.setText(self._text)
        else:
            self.setText(self._sign if self.width() >= self._least else " ")

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Draw nothing, no line of a checked button either, where the sign does not fit."""
        if self.text() != " ":
            super().paintEvent(event)

    @property
    def _least(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._sign) + 2 * _SIGN_MARGIN


class SliceBar(QWidget):
    """Chooses the slice of a volume; hidden for others. A ``brief`` one has no slider."""

    picked = pyqtSignal(int)  # the slice to show, from 0

    def __init__(self, view: str, *, brief: bool = False) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setMinimumWidth(30)
        self.slider.setMaximumWidth(120)
        self.slider.setAccessibleName(f"Slice of the {view} slider")
        self.box = WholeBox()
        self.box.setAccessibleName(f"Slice of the {view} number")
        self.box.setKeyboardTracking(False)
        layout = layouts.row(of=self, margins=(0, 0, 6, 0), spacing=6)
        for part in (self.slider, self.box):
            part.valueChanged.connect(lambda value: self.picked.emit(value - 1))
            layout.addWidget(part)
        self.slider.setVisible(not brief)
        self.hide()

    def begin(self, picture: Picture) -> None:
        """Hide if a picture has no slices, before anything wider is shown in the title."""
        self.setVisible(self.isVisible() and picture.dimensions == 3)

    def show_picture(self, picture: Picture, index: int) -> None:
        """Offer the slices of a picture; hide if it has none."""
        slices = picture.shape[0] if picture.dimensions == 3 else 0
        for part in (self.slider, self.box):
            with QSignalBlocker(part):
                part.setRange(1, max(1, slices))
            part.setToolTip(
                keyed(f"Which of {slices} slices is shown (`Previous slice` and `Next slice`)")
            )
        self.setVisible(slices > 0)
        self.show_slice(index)

    def show_slice(self, index: int) -> None:
        """Show which slice is on screen."""
        for part in (self.slider, self.box):
            with QSignalBlocker(part):
                part.setValue(index + 1)
