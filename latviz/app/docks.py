"""Views as docks: titles, default places, which of them are visible."""

from collections.abc import Iterable

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QScrollArea,
    QToolButton,
    QWidget,
)

from latviz.app.elided import ElidedLabel

AREA = Qt.DockWidgetArea.LeftDockWidgetArea
LEFT_WIDTH, RIGHT_WIDTH, LOW_HEIGHT = 272, 300, 190
LEAST_HEADING = 72
LINE = 15
"""The height of a line of text that these are meant for, all in pixels."""
HIDDEN = ("map", "pins", "tree", "tradeoff")
"""What is not shown until a person asks for it in the View menu."""


class Dock(QDockWidget):
    """A dock with a slim title; `appeared` tells when it becomes visible or hidden."""

    appeared = pyqtSignal()

    def __init__(self, name: str, title: str, content: QWidget, header: QWidget | None) -> None:
        super().__init__(title)
        self.setObjectName(f"dock-{name}")
        self.name = name
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.setWidget(content)
        self.bar = _TitleBar(self, title, header)
        self.setTitleBarWidget(self.bar)
        self.visibilityChanged.connect(lambda _: self.appeared.emit())

    def show_heading(self, text: str) -> None:
        """Show another text in the title bar; the menu keeps the title."""
        self.bar.heading.show_text(text)


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
