"""Why a pixel is in its state: the formulas, filled in with that pixel's numbers."""

from collections.abc import Sequence

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from latviz.app.views.base import View
from latviz.app.views.why.text import explained
from latviz.engine.explanation import Explanation, explain
from latviz.engine.frame import Frame
from latviz.engine.inspection import Inspection

INVITATION = (
    "Point at a pixel, or pin one with Shift and a click: here stand the formulas with its own "
    "numbers."
)


class WhyView(View):
    """The pixel under the pointer, or else the one pinned last, explained."""

    TITLE = "Why this pixel?"
    WRITTEN = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(INVITATION)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.label.setMargin(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.label)
        layout.addStretch(1)
        self.explanation: Explanation | None = None
        self.take_keyboard(self.label)

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return QSize(380, 420)

    def in_words(self, frame: Frame) -> str:
        """Return which pixel is explained, and its state."""
        if self.explanation is None:
            return INVITATION
        found = self.explanation
        return f"Pixel {found.node} is in {frame.called(found.state)}."

    def draw_frame(self) -> None:
        """Explain the same pixel anew."""
        self._explain()

    def draw_inspection(self) -> None:
        """Explain another pixel."""
        self._explain()

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Explain the pixel that was pinned last."""
        super().show_pins(pins)
        if self.isVisible():
            self._explain()

    def _explain(self) -> None:
        found = self.inspection or (self.pins[-1] if self.pins else None)
        frame = self.frame
        if frame is None or frame.coarse or found is None:
            self.explanation = None
            self.label.setText(INVITATION)
            return
        self.explanation = explain(frame, found.node)
        names = [color.name() for color in self.colors()]
        self.label.setText(explained(frame, self.explanation, names))
        self.describe()
