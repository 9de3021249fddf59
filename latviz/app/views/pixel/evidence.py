"""The messages to a pixel about its state, as bars in the states' colours."""

from PyQt6.QtCore import QRectF, QSize
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QWidget

from latviz.app.views.painted import PaintedView
from latviz.app.widgets import painting as p
from latviz.core import digits
from latviz.core.types import Floats
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

_ROW = 1.25
"""Of the height of text."""
_IN_PLANE = "Above, below", "Left, right"
_AXES = {1: ("Before, after",), 2: _IN_PLANE, 3: ("Other slices", *_IN_PLANE)}
"""Names of the neighbours along each axis."""


class EvidenceBars(PaintedView):
    """Bars for the pixel's observation, the messages along each axis, and the belief.

    Each bar is divided among the states. The bars are hidden if the decoder has no beliefs.
    """

    TITLE = "Evidence on the pixel's state"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)
        self.setToolTip(
            "The evidence of the pixel's own observation, of its neighbours along each axis, and "
            "of all together: shares of the states"
        )
        self.hide()

    def sizeHint(self) -> QSize:
        """Return the room for all bars."""
        return QSize(200, round(self._step() * len(self._rows())))

    def show_evidence(self, inspection: Inspection | None) -> None:
        """Show the messages to a pixel, or hide the bars if it has no belief."""
        self.show_inspection(inspection)
        self.setVisible(bool(self._rows()))
        self.setFixedHeight(max(1, self.sizeHint().height()))
        self.updateGeometry()
        self.describe()

    def in_words(self, frame: Frame) -> str:
        """Return the likeliest state from each side."""
        parts = (
            f"{name}: {frame.called(int(shares.argmax()))}, {digits.probability(shares.max())}"
            for name, shares in self._rows()
        )
        return "; ".join(parts) + "."

    def paint(self, painter: QPainter, _frame: Frame) -> None:
        """Paint a bar for each side, its name before it."""
        rows, step, colors = self._rows(), self._step(), self.colors()
        left = max((p.text_width(self.font(), name) for name, _ in rows), default=0.0) + 8
        painter.setFont(self.font())
        for k, (name, shares) in enumerate(rows):
            line = QRectF(0, k * step, self.width(), step)
            painter.setPen(self.theme.color("muted"))
            painter.drawText(line, p.LEFT, name)
            bar = line.adjusted(left, 2, -1, -2)
            x = bar.left()
            for share, color in zip(shares.tolist(), colors, strict=False):
                painter.fillRect(QRectF(x, bar.top(), share * bar.width(), bar.height()), color)
                x += share * bar.width()

    def _rows(self) -> list[tuple[str, Floats]]:
        belief = None if self.inspection is None else self.inspection.node_belief
        if belief is None:
            return []
        axes = zip(_AXES[len(belief.axes)], belief.axes, strict=True)
        return [("Itself", belief.observation), *axes, ("Belief", belief.belief)]

    def _step(self) -> float:
        return _ROW * p.text_height(self.font())
