"""Windows that fit their screen."""

from PyQt6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PyQt6.QtGui import QGuiApplication, QScreen
from PyQt6.QtWidgets import QStyle, QWidget

MADE_UP = QSize(800, 800)
"""The pixels of the screen that Qt makes up where it draws into memory: windows may be larger."""
_LARGEST = 1 << 23
_FRAME = 4
"""Most pixels of a window's frame at the sides and below; its title is above."""
_FILLING = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


def fit(window: QWidget, size: tuple[int, int]) -> None:
    """Resize a window to at most the room on its screen, also when it needs more later."""
    window.resize(QSize(*size).boundedTo(_room(window).size()))
    window.installEventFilter(_Fitter(window, QSize(*size)))


class _Fitter(QObject):
    """Keeps a window on its screen, for any content and any stored position."""

    def __init__(self, window: QWidget, size: QSize) -> None:
        super().__init__(window)
        self._size, self._bounds = size, False
        self._bound_need(window, QSize(1, 1))

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Bound the window before it is shown or laid out."""
        if event is None or not isinstance(watched, QWidget):
            return False
        is_shown = event.type() == QEvent.Type.Show and not event.spontaneous()
        layout = watched.layout()
        if layout is not None and (is_shown or event.type() == QEvent.Type.LayoutRequest):
            self._bound_need(watched, layout.totalMinimumSize())
        if is_shown:
            _bound_place(watched)
        return False

    def _bound_need(self, window: QWidget, need: QSize) -> None:
        """Set the least size of a window if its screen is small."""
        # It comes before the layout's event, which would enlarge the window at once, also for the
        # needs of docks that move
        room = _room(window).size()
        bounded, self._bounds = self._bounds, self._size.boundedTo(room) != self._size
        if self._bounds:
            window.setMinimumSize(need.boundedTo(room))
        elif bounded:  # it came from a smaller screen
            window.setMinimumSize(0, 0)


def _bound_place(window: QWidget) -> None:
    """Move and resize a window that would not be whole on its screen, unless it is to fill it."""
    if window.windowState() & _FILLING:
        return
    room, place = _room(window), window.geometry()
    place.setSize(place.size().boundedTo(room.size()))
    if not window.testAttribute(Qt.WidgetAttribute.WA_Moved):
        window.resize(place.size())  # the system chooses where it is
        return
    left = min(max(place.left(), room.left()), room.right() + 1 - place.width())
    top = min(max(place.top(), room.top()), room.bottom() + 1 - place.height())
    place.moveTo(left, top)
    window.setGeometry(place)


def _room(window: QWidget) -> QRect:
    """Return the area for a window and its frame on its screen."""
    screen, style = window.screen(), window.style()
    if screen is None or style is None or _is_made_up(screen):
        return QRect(-_LARGEST // 2, -_LARGEST // 2, _LARGEST, _LARGEST)
    title = style.pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight, None, window)
    return screen.availableGeometry().adjusted(_FRAME, title, -_FRAME, -_FRAME)


def _is_made_up(screen: QScreen) -> bool:
    pixels = screen.size() * screen.devicePixelRatio()
    return QGuiApplication.platformName() == "offscreen" and pixels == MADE_UP
