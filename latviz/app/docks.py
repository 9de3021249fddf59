"""Views as docks: titles, default places, which of them are visible."""

from collections.abc import Iterable

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QScrollArea,
    QToolButton,
    QWidget,
)

from latviz.app.timers import once_after
from latviz.app.widgets.elided import ElidedLabel

AREA = Qt.DockWidgetArea.LeftDockWidgetArea
LEFT_WIDTH, RIGHT_WIDTH, LOW_HEIGHT = 272, 300, 190
LEAST_HEADING = 72
LINE = 15
"""The height of a line of text that these are meant for, all in pixels."""
HIDDEN = ("map", "pins", "tree", "tradeoff")
"""What is not shown until a person asks for it in the View menu."""


class Dock(QDockWidget):
    """A dock with a slim title.

    Signals
    -------
    appeared
        It became visible or hidden.
    resized
    """

    appeared = pyqtSignal()
    resized = pyqtSignal()

    def __init__(self, name: str, title: str, content: QWidget, header: QWidget | None) -> None:
        super().__init__(title)
        self.setObjectName(f"dock-{name}")
        self.name = name
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.setWidget(content)
        self.bar = _TitleBar(self, title, header)
        self.setTitleBarWidget(self.bar)
        self.visibilityChanged.connect(lambda _: self.appeared.emit())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Tell of another size."""
        super().resizeEvent(event)
        self.resized.emit()

    def show_heading(self, text: str) -> None:
        """Show another text in the title bar; the menu keeps the title."""
        self.bar.heading.show_text(text)


class Sizes:
    """Gives the docks of a window their sizes back when the same ones are visible again.

    Qt shares the room of a dock that is hidden among some others, and does not undo that when the
    dock is shown again. Sizes are those of one size of the window, and of one arrangement.
    """

    def __init__(self, window: QMainWindow, docks: Iterable[Dock]) -> None:
        self._window, self._docks = window, tuple(docks)
        self._known: dict[frozenset[str], dict[Dock, QSize]] = {}
        self._shown: frozenset[str] = frozenset()
        self._size = window.size()
        self._timer = once_after(0, self._settle, window)
        for dock in self._docks:
            dock.appeared.connect(self._timer.start)
            dock.resized.connect(self._timer.start)
            dock.dockLocationChanged.connect(self.forget)
            dock.topLevelChanged.connect(self.forget)

    def forget(self) -> None:
        """Give nothing back of what was so far."""
        self._known.clear()

    def _settle(self) -> None:
        """Take note of the sizes, or give them back if other docks are visible than before."""
        if self._window.size() != self._size:
            self._size = self._window.size()
            self.forget()
        docked = [dock for dock in self._docks if dock.isVisible() and not dock.isFloating()]
        shown = frozenset(dock.name for dock in docked)
        known = self._known.get(shown)
        if shown != self._shown and known is not None:
            sizes = [known[dock] for dock in docked]
            widths, heights = [s.width() for s in sizes], [s.height() for s in sizes]
            self._window.resizeDocks(docked, widths, Qt.Orientation.Horizontal)
            self._window.resizeDocks(docked, heights, Qt.Orientation.Vertical)
        else:
            self._known[shown] = {dock: dock.size() for dock in docked}
        self._shown = shown


class _TitleBar(QFrame):
    def __init__(self, dock: QDockWidget, title: str, header: QWidget | None) -> None:
        super().__init__(dock)
        self.setObjectName("dock-title")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 2, 4, 2)
        layout.setSpacing(4)
        self.heading = ElidedLabel()
        self.heading.setMinimumWidth(LEAST_HEADING)
        self.heading.show_text(title)
        layout.addWidget(self.heading, 1)
        if header is not None:
            layout.addWidget(header)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip(f"Hide “{title}” (it stays in the View menu)")
        close.setAccessibleName(f"Hide {title}")
        close.clicked.connect(dock.close)
        layout.addWidget(close)


def scrolled(content: QWidget) -> QScrollArea:
    """Put a panel into a scroll area, for windows that are too low for it.

    What takes the keyboard is in the panel; the area follows it.
    """
    area = QScrollArea()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    bar = area.verticalScrollBar()
    assert bar is not None
    area.setMinimumWidth(content.minimumSizeHint().width() + bar.sizeHint().width())
    return area


def arrange(window: QMainWindow, docks: dict[str, Dock], size: tuple[int, int]) -> None:
    """Put every dock where it is by default, for a window of a width and height."""
    for dock in docks.values():
        dock.setFloating(False)
        window.removeDockWidget(dock)
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    window.addDockWidget(AREA, docks["controls"])
    window.splitDockWidget(docks["controls"], docks["image"], horizontal)
    window.splitDockWidget(docks["image"], docks["indices"], horizontal)
    window.splitDockWidget(docks["image"], docks["space"], vertical)
    window.splitDockWidget(docks["image"], docks["states"], horizontal)
    window.splitDockWidget(docks["space"], docks["adjacency"], horizontal)
    window.splitDockWidget(docks["indices"], docks["likelihood"], vertical)
    window.splitDockWidget(docks["likelihood"], docks["emissions"], vertical)
    window.splitDockWidget(docks["controls"], docks["pixel"], vertical)
    window.splitDockWidget(docks["states"], docks["map"], horizontal)
    window.splitDockWidget(docks["adjacency"], docks["pins"], vertical)
    window.splitDockWidget(docks["space"], docks["tree"], vertical)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks["tradeoff"])
    for name, dock in docks.items():
        dock.setVisible(name not in HIDDEN)
    _share(window, docks, size)


def _share(window: QMainWindow, docks: dict[str, Dock], size: tuple[int, int]) -> None:
    width, height = size
    scale = max(1.0, window.fontMetrics().height() / LINE)
    left, right, low = (round(scale * s) for s in (LEFT_WIDTH, RIGHT_WIDTH, LOW_HEIGHT))
    left = max(left, docks["controls"].minimumSizeHint().width())
    right = min(right, max(RIGHT_WIDTH, (width - left) // 3))
    middle = max(200, width - left - right)

    def resize(names: Iterable[str], sizes: list[int], orientation: Qt.Orientation) -> None:
        window.resizeDocks([docks[name] for name in names], sizes, orientation)

    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    resize(
        ("controls", "image", "states", "indices"),
        [left, middle // 2, middle // 2, right],
        horizontal,
    )
    resize(("space", "adjacency"), [middle // 2, middle // 2], horizontal)
    resize(("image", "space"), [height * 52 // 100, height * 48 // 100], vertical)
    resize(("states", "adjacency"), [height * 52 // 100, height * 48 // 100], vertical)
    resize(
        ("indices", "likelihood", "emissions"),
        [low, low, max(150, height - 2 * low)],
        vertical,
    )
    below = min(low + 26, height // 3)
    resize(("controls", "pixel"), [height - below, below], vertical)
