"""Why a pixel is in its state: the formulas, filled in with that pixel's numbers."""

from collections.abc import Sequence

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from latviz.app.views.base import View
from latviz.app.views.why.text import Section, explained
from latviz.app.widgets.formula import FormulaLabel, Typesetter
from latviz.engine.explanation import Explanation, explain
from latviz.engine.frame import Frame
from latviz.engine.inspection import Inspection

INVITATION = (
    "Point at a pixel, or pin one with Shift and a click: here stand the formulas with its own "
    "numbers."
)
_MOST = 6
"""Sections of an explanation."""


class WhyView(View):
    """The pixel under the pointer, or else the one pinned last, explained."""

    TITLE = "Why this pixel?"
    NEEDS = frozenset({"cuts"})
    WRITTEN = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts = [SectionLabel(k + 1) for k in range(_MOST)]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(6)
        for part in self.parts:
            layout.addWidget(part)
        layout.addStretch(1)
        self.explanation: Explanation | None = None
        self._show((Section("", INVITATION),))
        self.take_keyboard(self.parts[0].body)

    def use(self, typesetter: Typesetter) -> None:
        """Have the formulas typeset by one."""
        for part in self.parts:
            part.formula.use(typesetter)

    @property
    def text(self) -> str:
        """What is said now, as rich text, without formulas."""
        return "".join(part.body.text() for part in self.parts if not part.isHidden())

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
            self._show((Section("", INVITATION),))
            return
        self.explanation = explain(frame, found.node)
        names = [color.name() for color in self.colors()]
        self._show(explained(frame, self.explanation, names))
        self.describe()

    def _show(self, sections: Sequence[Section]) -> None:
        for part, section in zip(self.parts, sections, strict=False):
            part.show_section(section)
        for k, part in enumerate(self.parts):
            part.setVisible(k < len(sections))


class SectionLabel(QWidget):
    """A section of an explanation: its title, its formula and its numbers, which can be copied.

    It is called by its ``place`` among all sections until it has a title.
    """

    def __init__(self, place: int) -> None:
        super().__init__()
        self.title, self.formula, self.body = QLabel(), FormulaLabel(), QLabel()
        bold = self.title.font()
        bold.setBold(True)
        self.title.setFont(bold)
        self.title.setWordWrap(True)
        self.body.setTextFormat(Qt.TextFormat.RichText)
        self.body.setWordWrap(True)
        self.body.setAccessibleName(f"Part {place} of the explanation")
        self.body.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for label in (self.title, self.formula, self.body):
            layout.addWidget(label)
        for label in (self.title, self.body):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_section(self, section: Section) -> None:
        """Show another section."""
        self.title.setText(section.title)
        self.title.setVisible(bool(section.title))
        self.formula.setVisible(section.formula is not None)
        if section.formula is not None:
            self.formula.show_formula(section.formula)
        self.body.setText(section.text)
        if section.title:
            self.body.setAccessibleName(f"{section.title} of the pixel")
