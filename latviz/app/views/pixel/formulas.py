"""The formulas behind the state of a pixel, with its numbers."""

from collections.abc import Iterable

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QLabel, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.formula import FormulaLabel, Typesetter
from latviz.app.work.timers import once_after
from latviz.engine.explain.explanation import Explanation, explain
from latviz.engine.explain.formulas import TOPICS, Formula, Topic
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import Node

NEEDS = frozenset({"cuts", "code_lengths"})
"""The results that numbers are read from."""
NO_PIXEL = "Point at a pixel to see its numbers"
_REST_MS = 100
"""Milliseconds without another pixel or frame before the formulas are filled in."""


class Formulas(QWidget):
    """The formulas that decide on a pixel's state, in general and with its numbers."""

    filled = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labels: list[FormulaLabel] = []
        self._typesetter = Typesetter(self)
        self._frame: Frame | None = None
        self._node: Node | None = None
        self._content = QWidget()
        self._column = layouts.column(self._content, of=self)
        self._filling = once_after(_REST_MS, self.fill, self)
        self.finish = self._typesetter.close
        self.hide()

    def show_pixel(self, frame: Frame | None, node: Node | None) -> None:
        """Show the numbers of a pixel soon, or none."""
        self._frame, self._node = frame, node
        if self.isVisibleTo(self.parentWidget()):
            self._filling.start()

    @property
    def text(self) -> str:
        """The whole text, with formulas in words."""
        return "\n".join(label.text() for label in self._content.findChildren(QLabel))

    def fill(self) -> None:
        """Fill in the formulas that hold for the frame, and the pixel's numbers."""
        self._filling.stop()
        frame = self._frame
        if frame is None or frame.coarse:
            return
        found = None if self._node is None else explain(frame, self._node)
        old, self._content, self.labels = self._content, QWidget(), []
        inner = layouts.column(of=self._content, spacing=6)
        where = NO_PIXEL if found is None else node_text(found.node).capitalize()
        inner.addWidget(_label(where, muted=True))
        for topic in TOPICS.values():
            if topic.applies(frame):
                for part in self._parts(topic, frame, found):
                    inner.addWidget(part)
        self._column.replaceWidget(old, self._content)
        old.hide()  # it may be in use by an event that is on its way
        old.deleteLater()
        self._content.show()
        self.filled.emit()

    def _parts(self, topic: Topic, frame: Frame, found: Explanation | None) -> Iterable[QWidget]:
        yield _label(topic.title, bold=True)
        yield _label(topic.meaning)
        yield self._typeset(topic.formula_of(frame))
        if found is not None:
            yield from map(self._typeset, topic.fill(frame, found))
            if topic.sentences is not None:
                yield from map(_label, topic.sentences(frame, found))

    def _typeset(self, formula: Formula) -> FormulaLabel:
        label = FormulaLabel()
        label.use(self._typesetter)
        label.show_formula(formula)
        self.labels.append(label)
        return label


def _label(text: str, *, bold: bool = False, muted: bool = False) -> QLabel:
    """Return a paragraph of plain text."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("muted", muted)
    font = label.font()
    font.setBold(bold)
    label.setFont(font)
    return label
