"""A strip across the main window that compares the reference with the current map."""

from typing import NamedTuple, get_args

from PyQt6.QtCore import QEvent, QSize, Qt
from PyQt6.QtGui import QFont, QResizeEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.core.parameter import rows
from latviz.engine.frames.frame import Agreement, Frame
from latviz.engine.frames.requests import CURRENT, REFERENCE
from latviz.engine.settings.state import Comparison, Display

TITLES: dict[Comparison, tuple[str, str]] = {
    "split": (
        "Split",
        "Reference left and current map right of a divider. Drag it, or press , and .",
    ),
    "flicker": ("Flicker", "Switch between reference and current with X"),
    "difference": (
        "Difference",
        "Only the pixels whose states differ. Click one to highlight all that changed in the same "
        "way",
    ),
}
DIFFERS = "≠ "
"""Before the name of a parameter that the two maps do not share."""
NO_EFFECT = "–"
SAME = "Reference and current have the same parameters"
FOLLOWS = "= "
"""Before the name of the parameter that a value follows."""


_ROW_PAD = 4


class ComparedRow(NamedTuple):
    """A parameter, and its values in the reference and in the current map."""

    name: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        """True if the two maps have different values."""
        return self.a != self.b


class CompareBar(QWidget):
    """The way of comparing two maps, their agreement, and the parameters that differ."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("strip", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._theme = LIGHT
        self._columns: tuple[ComparedRow, ...] = ()
        self._labelled = False
        self.ways = {kind: small_button(*TITLES[kind]) for kind in get_args(Comparison)}
        self._group = QButtonGroup(self)
        self.swap = small_button(
            "Swap",
            keyed(
                "Use the parameters of the reference, and make the current map the reference "
                "(`Undo` undoes it)"
            ),
        )
        self.leave = small_button(
            "Stop comparing", keyed("End the comparison (`Keep as reference`)")
        )
        self.agreement, self.same = ElidedLabel(), ElidedLabel()
        self.same.setProperty("muted", True)
        self.table = _Table()
        self._lay_out()
        for button in self.ways.values():
            button.setCheckable(True)
            self._group.addButton(button)
        self.hide()

    def _lay_out(self) -> None:
        row = layouts.row(*self.ways.values(), self.swap, self.leave, 1, spacing=4)
        rows = layouts.column(row, self.agreement, 1, spacing=4)
        at_left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        parts = (rows, (self.table, 1, at_left), (self.same, 1))
        layouts.row(*parts, of=self, margins=(8, 4, 8, 4), spacing=16)

    def show_comparison(self, kept: Frame | None, frame: Frame, display: Display) -> None:
        """Compare both maps, or hide without a reference."""
        self.setVisible(kept is not None)
        if kept is None:
            return
        self.ways[display.comparison].setChecked(True)
        self.agreement.show_text(agreement_text(frame.agreement, frame.request.picture.node_name))
        shown = columns_of(kept, frame), bool(kept.by)
        if shown != (self._columns, self._labelled):
            self._columns, self._labelled = shown
            self.swap.setEnabled(not self._labelled)
            self._fill()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._fill()

    def _fill(self) -> None:
        self.table.setVisible(bool(self._columns) and not self._labelled)
        self.same.setVisible(not self._columns and not self._labelled)
        self.same.show_text("" if self._columns else SAME)
        self.table.setColumnCount(len(self._columns))
        for k, column in enumerate(self._columns):
            name = f"{DIFFERS}{column.name}" if column.differs else column.name
            self.table.setHorizontalHeaderItem(k, self._item(name, column.differs))
            for row, text in enumerate((column.a, column.b)):
                self.table.setItem(row, k, self._item(text, column.differs))
        self.table.fit()

    def _item(self, text: str, differs: bool) -> QTableWidgetItem:
        item, font = QTableWidgetItem(text), QFont(self.font())
        font.setBold(differs)
        item.setFont(font)
        item.setForeground(self._theme.color("text" if differs else "muted"))
        item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
        return item


def agreement_text(agreement: Agreement | None, node: str = "pixel") -> str:
    """Return the agreement of the two maps, in words."""
    if agreement is None:
        return f"The agreement appears once every {node} is decoded"
    matched = f"{digits.share(agreement.matched)} of {node}s agree"
    differ = f"{digits.count(agreement.n_different)} differ"
    return f"{matched}, {differ} · adj. Rand {digits.probability(agreement.rand)}"


def compared_text(a: Frame, b: Frame) -> str:
    """Return the agreement of the two maps, and the parameters that differ, as lines."""
    columns = columns_of(a, b)
    lines = [agreement_text(b.agreement, b.request.picture.node_name)]
    if a.by:
        return "\n".join((*lines, f"{REFERENCE}: {a.by}"))
    for name, values in ((REFERENCE, [c.a for c in columns]), (CURRENT, [c.b for c in columns])):
        pairs = zip(columns, values, strict=True)
        lines.append(f"{name}: {', '.join(f'{column.name} {value}' for column, value in pairs)}")
    return "\n".join(lines if columns else lines[:1])


def columns_of(a: Frame, b: Frame) -> tuple[ComparedRow, ...]:
    """Return the parameters that differ, and then those that follow them."""
    pairs = zip(described(a), described(b), strict=True)
    columns = [ComparedRow(name, one, other) for (name, one), (_, other) in pairs]
    differing = [column for column in columns if column.differs]
    followed = {f"{FOLLOWS}{column.name}" for column in columns} & {
        text for column in differing for text in (column.a, column.b)
    }
    needed = [c for c in columns if f"{FOLLOWS}{c.name}" in followed and not c.differs]
    return (*differing, *needed)


def described(frame: Frame) -> tuple[tuple[str, str], ...]:
    """Return the names and effective values of a frame's parameters."""
    parameters, picture = frame.request.parameters, frame.request.picture
    nodes = f"{picture.node_name}s"
    learned = "Learned from", f"{frame.n_learned:,} {nodes}" if frame.sampled else f"all {nodes}"
    table = sorted(rows(parameters), key=lambda row: not row.steps)  # N and w, as they move most
    values = (
        NO_EFFECT if row.refused(parameters, picture.dimensions) else row.text(parameters)
        for row in table
    )
    return (*zip((row.short for row in table), values, strict=True), learned)


class _Table(QTableWidget):
    """Two rows and their heads; a scroll bar below if the columns do not fit."""

    def __init__(self) -> None:
        super().__init__(2, 0)
        self.setVerticalHeaderLabels([REFERENCE, CURRENT])
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Parameters that differ between reference and current")
        self.setToolTip("The parameters that differ between reference and current")
        names, letters = self.horizontalHeader(), self.verticalHeader()
        assert names is not None
        assert letters is not None
        self._names, self._letters = names, letters
        names.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        names.setHighlightSections(False)
        names.sectionResized.connect(self._take_width)  # columns fit their texts only later
        letters.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        letters.setMinimumSectionSize(1)
        self.fit()

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() == QEvent.Type.FontChange:
            self.fit()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Make room for the bar, or take it back."""
        super().resizeEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:
        """Ask for the width of all columns."""
        return QSize(self._width(), self.height())

    def _take_width(self) -> None:
        """Limit the width to that of all columns."""
        self.setMaximumWidth(self._width())
        self.updateGeometry()

    def _width(self) -> int:
        return self._names.length() + self._letters.sizeHint().width() + 2

    def fit(self) -> None:
        """Set the height to that of the content."""
        row = self.fontMetrics().height() + _ROW_PAD
        self._names.setFixedHeight(row)
        self._letters.setDefaultSectionSize(row)
        bar = self.horizontalScrollBar()
        assert bar is not None
        scrolls = self._width() > self.width() and self.isVisible()
        self.setMaximumWidth(self._width())
        self.setFixedHeight(3 * row + (bar.sizeHint().height() if scrolls else 0))
        self.updateGeometry()
