"""Which of A and B is shown where, in the corners of the parts of a canvas."""

from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen
from PyQt6.QtWidgets import QGraphicsItem

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import CENTER, scaled

SIDE, GAP = 20.0, 6.0
"""Pixels of the screen of a letter's ground, and from it to what is beside it."""


@dataclass(frozen=True)
class Letter:
    """A letter left or right of a column of the picture."""

    text: str
    column: float
    left: bool = False


class LettersItem(QGraphicsItem):
    """Letters of a fixed size at the top of what is in view."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.box)
        self._box = canvas.box
        self.letters: tuple[Letter, ...] = ()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(200)
        canvas.viewed.connect(self.update)
        canvas.box.sigResized.connect(lambda *_: self.prepareGeometryChange())

    def show_letters(self, *letters: Letter) -> None:
        """Draw these."""
        self.letters = letters
        self.update()

    def boundingRect(self) -> QRectF:
        """Cover the whole box."""
        return QRectF(0, 0, self._box.width(), self._box.height())

    def grounds(self) -> list[tuple[Letter, QRectF]]:
        """Return the letters for which there is room, and where they are in the box."""
        width, placed = self._box.width(), []
        for letter in self.letters:
            x = self._box.mapFromView(QPointF(letter.column, 0.0)).x()
            start = min(x, width) - GAP - SIDE if letter.left else max(x, 0.0) + GAP
            if 0 <= start <= width - SIDE:
                placed.append((letter, QRectF(start, GAP, SIDE, SIDE)))
        return placed

    def paint(self, painter: QPainter | None, *_: object) -> None:
        """Draw the letters on dark grounds."""
        assert painter is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled(painter.font(), 1.0, bold=True))
        for letter, ground in self.grounds():
            painter.setPen(QPen(QColor("#ffffff"), 1.5))
            painter.setBrush(QColor("#101317"))
            painter.drawRoundedRect(ground, 4, 4)
            painter.drawText(ground, CENTER, letter.text)
