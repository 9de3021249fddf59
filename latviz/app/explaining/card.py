"""A card over the window that explains one thing."""

from PyQt6.QtCore import QPoint, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QWidget

from latviz.app.explaining.subjects import Subject
from latviz.app.look.theme import on_panel
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.formula import FormulaLabel, Typesetter
from latviz.app.widgets.shortcuts import MAIN, add_shortcut, keyed
from latviz.app.work.timers import once_after
from latviz.engine.explain.explanation import Explanation
from latviz.engine.explain.formulas import TOPICS, Formula, Topic
from latviz.engine.frames.frame import Frame

WIDE, HIGHEST = 470, 600
NO_PIXEL = keyed(
    "Point at a pixel, or pin one with `Shift+click`, to see the formulas with its numbers."
)
_AWAY = 12
"""Pixels between the pointer and the card."""


class Card(QFrame):
    """An explanation with formulas, each also with a pixel's numbers."""

    # Esc, the key that opened it, and a click outside close it
    more_wanted = pyqtSignal(object)  # Subject: open the manual's page

    def __init__(self, parent: QWidget, typesetter: Typesetter) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._typesetter = typesetter
        self._subject: Subject | None = None
        self._at = QPoint()
        self._fitting = once_after(0, self._fit, self)
        typesetter.ready.connect(self._fitting.start)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.more = QPushButton(keyed("Read more (`Help`)"))
        self.more.setToolTip("Open the manual page on this")
        self.more.clicked.connect(self._read_more)
        add_shortcut(self, MAIN["Help"], self._read_more)
        self.formulas: list[FormulaLabel] = []
        line = layouts.row(1, self.more)
        layouts.column((self.area, 1), line, of=self, margins=(10, 8, 10, 8))

    def explain(self, subject: Subject, frame: Frame | None, found: Explanation | None) -> None:
        """Show the explanation of a subject, with the numbers of a pixel if there is one."""
        self._subject = subject
        self.formulas = []
        content = QWidget()
        self._column = layouts.column(of=content, margins=(2, 2, 6, 2), spacing=6)
        self._add_text(subject.title, bold=True, larger=1.25)
        for paragraph in subject.paragraphs:
            self._add_text(paragraph)
        topics = [TOPICS[name] for name in subject.topics]
        for topic in topics:
            if topic.applies(frame):
                self._add(topic, frame, found)
        if topics and found is None:
            self._add_text(NO_PIXEL, muted=True)
        self._column.addStretch(1)
        self.area.setWidget(on_panel(content))
        self.area.setAccessibleName(subject.title)
        self.area.setAccessibleDescription(self.text)
        self._fitting.start()

    @property
    def text(self) -> str:
        """The whole text, with formulas in words."""
        content = self.area.widget()
        labels = [] if content is None else content.findChildren(QLabel)
        return "\n".join(label.text() for label in labels)

    def sizeHint(self) -> QSize:
        """Return the size that all has room in, within limits."""
        content = self.area.widget()
        high = 200 if content is None else content.sizeHint().height()
        layout = None if content is None else content.layout()
        if layout is not None:
            high = layout.totalHeightForWidth(WIDE - 44) if layout.hasHeightForWidth() else high
        return QSize(WIDE, min(HIGHEST, high + 70))

    def open_at(self, at: QPoint) -> None:
        """Show the card near a point, within the screen, and give it the keyboard focus."""
        self._at = at
        self._fit()
        self.show()
        self.area.setFocus(Qt.FocusReason.PopupFocusReason)

    def _fit(self) -> None:
        """Resize to the text, within the screen."""
        at, screen = self._at, self.screen()
        self.resize(self.sizeHint())
        assert screen is not None
        room = screen.availableGeometry()
        x = min(at.x() + _AWAY, room.right() - self.width())
        y = min(at.y() + _AWAY, room.bottom() - self.height())
        self.move(max(room.left(), x), max(room.top(), y))

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Close by the keys that open it, or Esc."""
        if keys.plain(event) in (Qt.Key.Key_Escape, Qt.Key.Key_Question):
            self.close()
        else:
            super().keyPressEvent(event)

    def _read_more(self) -> None:
        subject = self._subject
        self.close()
        self.more_wanted.emit(subject)

    def _add_text(
        self, text: str, *, bold: bool = False, muted: bool = False, larger: float = 1.0
    ) -> None:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("muted", muted)
        font = label.font()
        font.setBold(bold)
        font.setPointSizeF(font.pointSizeF() * larger)
        label.setFont(font)
        self._column.addWidget(label)

    def _add(self, topic: Topic, frame: Frame | None, found: Explanation | None) -> None:
        self._add_text(topic.title, bold=True)
        self._add_text(topic.meaning)
        self._typeset(topic.formula_of(frame))
        if frame is None or found is None:
            return
        lines = list(topic.fill(frame, found))
        sentences = [] if topic.sentences is None else list(topic.sentences(frame, found))
        if lines or sentences:
            where = node_text(found.node) if topic.of_pixels else "this picture"
            self._add_text(f"{where[0].upper()}{where[1:]}:", muted=True)
        for line in lines:
            self._typeset(line)
        for sentence in sentences:
            self._add_text(sentence)

    def _typeset(self, formula: Formula) -> None:
        label = FormulaLabel()
        label.use(self._typesetter)
        label.show_formula(formula)
        self.formulas.append(label)
        self._column.addWidget(label)
