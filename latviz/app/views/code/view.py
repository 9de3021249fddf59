"""What is set as a code that a telephone scans, as large as there is room."""

from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter, QShowEvent
from PyQt6.QtWidgets import QDialog, QSizePolicy, QVBoxLayout, QWidget

from latviz import sharing
from latviz.app.theme import Theme
from latviz.app.timers import once_after
from latviz.app.views.base import View
from latviz.app.widgets import painting as p
from latviz.app.widgets.title_controls import muted
from latviz.core.errors import ParameterError
from latviz.engine.session import text_of
from latviz.engine.state import State

REST_MS = 200
"""A code is made once nothing was set for so long: to scan one, it must stand still."""
SIDE = 220
_MARGIN, _LEAST_LETTERS = 4, 16
_PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
NOTHING = "Open a picture first"
UNCHANGED = "Nothing is set yet"
TOO_LONG = "Too long for a code"
PRIVATE = "Your picture is not in it"
WHOLE = "Scan, and paste in latviz"
TIPS = {
    NOTHING: "Here stands a code of all that is set of a picture.",
    PRIVATE: "The code holds what is set, not your picture: who scans it needs the picture, too.",
    WHOLE: "The code holds a text; paste it with Edit ▸ Set state from text, on any computer.",
}
"""What is said below the code, and what it means."""
ENLARGE = "A click, Enter or Space makes it as large as the window."


class Squares(p.Painted):
    """A code, dark on light in every theme; each of its squares is the same number of pixels.

    Signals
    -------
    pressed
        A person clicked, or pressed Enter or Space.
    """

    pressed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.code: sharing.code.Code | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_code(self, code: "sharing.code.Code | None") -> None:
        """Take a code, or none."""
        self.code = code
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for room."""
        return QSize(SIDE, SIDE)

    def minimumSizeHint(self) -> QSize:
        """Ask for a pixel a square, of a short text."""
        return QSize(48, 48)

    def paint_all(self, painter: QPainter) -> None:
        """Draw the squares, as large as whole pixels of the screen allow."""
        if self.code is None:
            return
        ratio, side = self.devicePixelRatioF(), self.code.side
        room = int(min(self.width(), self.height()) * ratio)
        square = max(1, room // side) / ratio
        left, top = (int(n - square * side) // 2 for n in (self.width(), self.height()))
        whole = QRectF(left, top, square * side, square * side)
        painter.fillRect(whole, Qt.GlobalColor.white)
        for y, x, length in self.code.bars():
            bar = QRectF(left + x * square, top + y * square, length * square, square)
            painter.fillRect(bar, Qt.GlobalColor.black)

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Tell of a click."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Tell of the keys that press."""
        if event is not None and event.key() in _PRESS:
            self.pressed.emit()
        else:
            super().keyPressEvent(event)


class LargeCode(QDialog):
    """A code as large as a window; a click, Enter, Space or Esc closes it."""

    def __init__(self, over: QWidget, code: "sharing.code.Code", theme: Theme) -> None:
        super().__init__(over)
        self.setWindowTitle("QR code")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.squares = Squares()
        self.squares.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.squares.setAccessibleName("QR code")
        self.squares.setAccessibleDescription(f"It says {code.text}.")
        self.squares.apply_theme(theme)
        self.squares.show_code(code)
        self.squares.pressed.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.squares)
        self.setGeometry(over.geometry())


class CodeView(View):
    """The state as a QR code, with what is to be known of it."""

    TITLE = "QR code"
    KEYS = "Enter or Space makes it as large as the window."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("code")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.squares, self.note = Squares(), muted(NOTHING)
        self.squares.pressed.connect(self.enlarge)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._soon = once_after(REST_MS, self.show_code, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        layout.setSpacing(2)
        layout.addWidget(self.squares, 1)
        layout.addWidget(self.note)
        self.take_keyboard(self.squares)

    @property
    def is_settled(self) -> bool:
        """Whether what is set is what the code says."""
        return not self._soon.isActive()

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return QSize(SIDE, SIDE + 60)

    def minimumSizeHint(self) -> QSize:
        """Ask for room for the squares, and for what is said below in two lines or three."""
        least, text = self.squares.minimumSizeHint(), self.note.fontMetrics()
        width = max(least.width(), _LEAST_LETTERS * text.averageCharWidth())
        return QSize(width + 2 * _MARGIN, least.height() + 3 * text.height() + 3 * _MARGIN)

    def in_words(self, _frame: object) -> str:
        """Return what the code says, and what is to be known of it."""
        code = self.squares.code
        says = "" if code is None else f"It says {code.text}. "
        return f"{says}{self.note.toolTip()}"

    def show_state(self, state: State) -> None:
        """Follow what is set, once it rests."""
        super().show_state(state)
        self._soon.start()

    def draw_theme(self) -> None:
        """Take other colours, but for the code."""
        self.squares.apply_theme(self.theme)

    def showEvent(self, event: QShowEvent | None) -> None:
        """Follow what was set while the view was hidden."""
        super().showEvent(event)
        self._soon.start()

    def show_as_figure(self, shown: "CodeView", scale: float) -> None:
        """Show the code that another view shows."""
        super().show_as_figure(shown, scale)
        self.show_code()

    def show_code(self) -> None:
        """Make the code of what is set now, unless it is there or nobody sees it."""
        self._soon.stop()
        pictures = self.state.pictures
        if not self.isVisible():
            return
        if pictures is None:
            self._show(None, NOTHING, TIPS[NOTHING])
            return
        text = text_of(self.state)
        if self.squares.code is not None and text == self.squares.code.text:
            return
        try:
            code = sharing.code.code_of(text)
        except ParameterError as error:
            self._show(None, TOO_LONG if text else UNCHANGED, f"There is no code: {error}.")
            return
        note = WHOLE if "demo" in pictures.picture.origin else PRIVATE
        self._show(code, note, f"{TIPS[note]} {ENLARGE}")

    def enlarge(self) -> None:
        """Show the code as large as the window."""
        code = self.squares.code
        if code is not None:
            LargeCode(self.window() or self, code, self.theme).open()

    def _show(self, code: "sharing.code.Code | None", note: str, tip: str) -> None:
        self.squares.show_code(code)
        self.note.setText(note)
        for part in (self.squares, self.note):
            part.setToolTip(tip)
        self.describe()
