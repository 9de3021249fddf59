"""What is known of A and B, below the state map, and what can be done with them."""

from typing import NamedTuple, get_args

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QFont
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from latviz.app.theme import LIGHT, Theme
from latviz.app.widgets.elided import ElidedLabel
from latviz.core.parameter import rows
from latviz.engine.frame import Agreement, Frame
from latviz.engine.state import Comparison, Display

TITLES: dict[Comparison, tuple[str, str]] = {
    "split": ("Split", "A left and B right of a divider: drag it, or press , and ."),
    "flicker": ("Flicker", "A and B by turns; X shows the other one"),
    "difference": (
        "Difference",
        "The pixels whose states differ; a click lights those that changed alike",
    ),
}
DIFFERS = "≠ "
"""Before the name of a parameter that A and B do not share."""
NO_EFFECT = "–"


class Column(NamedTuple):
    """A parameter, and what it is in A and in B."""

    name: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        """Whether A and B do not share it."""
        return self.a != self.b


class CompareBar(QWidget):
    """How A and B are compared, how far they agree, and their parameters side by side.

    Signals
    -------
    chosen(str)
        Another way to compare.
    swapped, let_go
        A person pressed "Swap"; "Stop comparing".
    """

    chosen = pyqtSignal(object)
    swapped = pyqtSignal()
    let_go = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("compare-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme = LIGHT
        self._columns: tuple[Column, ...] = ()
        self.ways = {kind: _button(*TITLES[kind]) for kind in get_args(Comparison)}
        self._group = QButtonGroup(self)
        self.swap = _button("Swap", "Set A's parameters, and keep B as A (Ctrl+Z swaps back)")
        self.leave = _button("Stop comparing", "Compare no more (F)")
        self.agreement = ElidedLabel()
        self.table = _table()
        self._lay_out()
        for kind, button in self.ways.items():
            button.setCheckable(True)
            self._group.addButton(button)
            button.clicked.connect(lambda _, kind=kind: self.chosen.emit(kind))
        self.swap.clicked.connect(self.swapped)
        self.leave.clicked.connect(self.let_go)
        self.hide()

    def _lay_out(self) -> None:
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        row.setSpacing(4)
        for button in self.ways.values():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.swap)
        row.addWidget(self.leave)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.agreement)
        layout.addWidget(self.table)

    def show_comparison(self, kept: Frame | None, frame: Frame, display: Display) -> None:
        """Show what is known of decodings A, which is kept, and B; nothing without A."""
        self.setVisible(kept is not None)
        if kept is None:
            return
        self.ways[display.comparison].setChecked(True)
        self.agreement.show_text(agreement_text(frame.agreement, frame.request.picture.node_name))
        columns = columns_of(kept, frame)
        if columns != self._columns:
            self._columns = columns
            self._fill()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._fill()

    def _fill(self) -> None:
        self.table.setColumnCount(len(self._columns))
        for k, column in enumerate(self._columns):
            name = f"{DIFFERS}{column.name}" if column.differs else column.name
            self.table.setHorizontalHeaderItem(k, self._item(name, column.differs))
            for row, text in enumerate((column.a, column.b)):
                self.table.setItem(row, k, self._item(text, column.differs))

    def _item(self, text: str, differs: bool) -> QTableWidgetItem:
        item, font = QTableWidgetItem(text), QFont(self.font())
        font.setBold(differs)
        item.setFont(font)
        item.setForeground(self._theme.color("text" if differs else "muted"))
        item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
        return item


def agreement_text(agreement: Agreement | None, node: str = "pixel") -> str:
    """Return how far A and B agree, in words."""
    if agreement is None:
        return f"How far they agree is known once every {node} is decoded"
    matched = f"{100 * agreement.matched:.1f} % of {node}s agree"
    return f"{matched}, {agreement.n_different:,} differ · adj. Rand {agreement.rand:.3f}"


def columns_of(a: Frame, b: Frame) -> tuple[Column, ...]:
    """Return the parameters of A and B, those that differ first."""
    pairs = zip(described(a), described(b), strict=True)
    columns = [Column(name, one, other) for (name, one), (_, other) in pairs]
    columns = [column for column in columns if {column.a, column.b} != {NO_EFFECT}]
    return tuple(sorted(columns, key=lambda column: not column.differs))


def described(frame: Frame) -> tuple[tuple[str, str], ...]:
    """Return the names and values of what a frame was computed with, as they are in force."""
    parameters, picture = frame.request.parameters, frame.request.picture
    nodes, every = f"{picture.node_name}s", frame.n_learned == frame.n_signatures
    learned = "Learned from", f"all {nodes}" if every else f"{frame.n_learned:,} {nodes}"
    table = sorted(rows(parameters), key=lambda row: not row.steps)  # N and w, as they move most
    values = (
        NO_EFFECT if row.refused(parameters, picture.dimensions) else row.text(parameters)
        for row in table
    )
    return (*zip((row.short for row in table), values, strict=True), learned)


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("small", True)
    button.setToolTip(tip)
    return button


def _table() -> QTableWidget:
    table = QTableWidget(2, 0)
    table.setVerticalHeaderLabels(["A", "B"])
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setAccessibleName("Parameters of A and B")
    table.setToolTip("The parameters of A and B; those that differ come first")
    names, letters = table.horizontalHeader(), table.verticalHeader()
    scroll = table.horizontalScrollBar()
    assert names is not None
    assert letters is not None
    assert scroll is not None
    names.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    names.setHighlightSections(False)
    row = table.fontMetrics().height() + 8
    names.setFixedHeight(row)
    letters.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    letters.setDefaultSectionSize(row)
    table.setFixedHeight(3 * row + scroll.sizeHint().height())
    return table
