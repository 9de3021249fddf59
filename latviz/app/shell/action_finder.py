"""Finding an action of the menus by some words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from PyQt6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, QTimer
from PyQt6.QtGui import QAction, QKeyEvent, QKeySequence, QPaintEvent, QPalette
from PyQt6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from latviz.app.shell.actions import plain
from latviz.app.shell.menus import MANUAL, OPENS
from latviz.app.shell.searching import EXACT, WHOLE, Query, Rank, Text
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.shortcuts import HELP, keyed

TOP = 60
"""The distance of the finder from the top of the window, in pixels."""
ROOM = 7
"""Above and below the text of a line, together, in pixels."""
NOTHING = keyed(
    f"Nothing is called so. The manual has a search of its own (`Help`, then `{HELP['Search']}`)."
)
OTHERS = keyed("`Enter` runs none of these yet. Choose one with the arrow keys.")
REMEMBERED = 5
"""Actions used last that are offered first."""
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class FoundAction:
    """A line of the finder."""

    action: QAction
    name: str  # the words of its item
    menu: str
    keys: str  # its shortcut
    tip: str  # its effect

    @property
    def opens(self) -> bool:
        """True if it replaces the picture on screen at once."""
        return bool(self.action.property(OPENS))

    @property
    def is_page(self) -> bool:
        """True for a page of the manual."""
        return self.menu == MANUAL

    @property
    def place(self) -> str:
        """Its menu, and that it opens another picture."""
        return f"{self.menu} · another picture" if self.opens else self.menu

    @cached_property
    def title(self) -> Text:
        """Its name, to be searched."""
        return Text.of(self.name)

    @cached_property
    def text(self) -> Text:
        """Its menu and its effect, to be searched."""
        return Text.of(f"{self.menu} {self.tip}")


def entries(actions: Iterable[QAction]) -> list[FoundAction]:
    """Return a line for each action."""
    native = QKeySequence.SequenceFormat.NativeText
    return [
        FoundAction(
            action,
            plain(action.text()),
            str(action.property("menu")),
            action.shortcut().toString(native),
            action.toolTip(),
        )
        for action in actions
    ]


def found(lines: Iterable[FoundAction], query: Query) -> list[FoundAction]:
    """Return the lines that are found, the best first.

    Those that open another picture come last, except for one that has the text as its name.
    """
    if not query.words:
        return list(lines)
    ranked = [(rank, line) for line in lines if (rank := query.rank(line.title, line.text))]
    return [line for _, line in sorted(ranked, key=lambda each: _order(*each))]


def _order(rank: Rank, line: FoundAction) -> tuple[object, ...]:
    """Return what sorts lines; pages of the manual stand after actions of the same words."""
    level = max(rank.level, WHOLE) if line.is_page else rank.level
    return line.opens and rank.level > EXACT, level, line.is_page, rank


def may_run(line: FoundAction, query: Query) -> bool:
    """Return True if Enter may run a line without the arrow keys.

    One that opens another picture must be asked for by words of its name.
    """
    rank = query.rank(line.title, line.text)
    return line.action.isEnabled() and (not line.opens or (rank is not None and rank.is_named))


class ActionFinder(QDialog):
    """A search line, and the matching actions below it; Enter runs the selected one.

    It opens in the window ``parent``.
    """

    SIZE = QSize(560, 380)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._lines, self._last = list[FoundAction](), list[QAction]()
        self.edit, self.list, self.tip = QLineEdit(), QTreeWidget(), QLabel()
        self.edit.setPlaceholderText("Type some letters of the action that you want")
        self.edit.setClearButtonEnabled(True)
        self.edit.textChanged.connect(self._fill)
        self.edit.installEventFilter(self)
        self._make_list()
        self.tip.setWordWrap(True)
        self._column = layouts.column(self.edit, self.list, self.tip, of=self, margins=None)

    def _make_list(self) -> None:
        self.list.setAccessibleName("Actions")
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the line above keeps the keyboard
        self.list.currentItemChanged.connect(self._show_tip)
        self.list.clicked.connect(self._do)
        header = self.list.header()
        assert header is not None
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)

    def open_with(self, title: str, actions: Sequence[QAction]) -> None:
        """Show actions, those used last first."""
        self.setWindowTitle(title)
        self.edit.setAccessibleName(title)
        last = [action for action in self._last if action in actions]
        self._lines = entries([*last, *(action for action in actions if action not in last)])
        self.edit.clear()
        self._fill("")
        parent = self.parentWidget()
        assert parent is not None
        size = self.SIZE.boundedTo(parent.size())
        self.resize(size)
        room = parent.size() - size
        place = QPoint(room.width() // 2, min(TOP, room.height()))
        self.move(parent.mapToGlobal(place))
        self.show()
        self.activateWindow()
        self.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def _fill(self, text: str) -> None:
        """List the matches, and select the first one that Enter may run."""
        self.list.clear()
        query = Query(text)
        lines = found(self._lines, query)
        for line in lines:
            item = QTreeWidgetItem([line.name, line.place, line.keys])
            item.setData(0, Qt.ItemDataRole.UserRole, line)
            item.setDisabled(not line.action.isEnabled())
            item.setSizeHint(0, QSize(0, self.fontMetrics().height() + ROOM))
            self.list.addTopLevelItem(item)
            if line.action.isCheckable():
                on = Qt.CheckState.Checked if line.action.isChecked() else Qt.CheckState.Unchecked
                item.setData(0, Qt.ItemDataRole.CheckStateRole, on)
        first = next((k for k, line in enumerate(lines) if may_run(line, query)), None)
        if first is None:
            self.tip.setText(OTHERS if lines else NOTHING)
        else:
            self.list.setCurrentItem(self.list.topLevelItem(first))

    def _mark(self, place: int, step: int) -> None:
        """Mark the line at a place, or the next one that can be done."""
        while 0 <= place < self.list.topLevelItemCount():
            item = self.list.topLevelItem(place)
            assert item is not None
            if not item.isDisabled():
                self.list.setCurrentItem(item)
                return
            place += step

    def _show_tip(self, item: QTreeWidgetItem | None) -> None:
        self.tip.setText("" if item is None else self._line(item).tip)

    @staticmethod
    def _line(item: QTreeWidgetItem) -> FoundAction:
        line = item.data(0, Qt.ItemDataRole.UserRole)
        assert isinstance(line, FoundAction)
        return line

    def _do(self, _index: QModelIndex | None = None) -> None:
        """Run the selected action after the finder has closed."""
        item = self.list.currentItem()
        if item is None or item.isDisabled():
            return
        action = self._line(item).action
        self._last = [action, *(other for other in self._last if other is not action)][:REMEMBERED]
        self.hide()
        QTimer.singleShot(0, action.trigger)

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Draw a line around it: it has no frame of the system's."""
        super().paintEvent(event)
        with painting_on(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def changeEvent(self, event: QEvent | None) -> None:
        """Close when the user switches to another window."""
        super().changeEvent(event)
        left = event is not None and event.type() == QEvent.Type.ActivationChange
        if left and self.isVisible() and not self.isActiveWindow():
            self.hide()

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Make the arrow keys move the selection during typing, and Enter run it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if (key := keys.bare(event)) in _LIST_KEYS:
                self._move(key)
                return True
            if keys.is_enter(event):
                self._do()
                return True
        return super().eventFilter(watched, event)

    def _move(self, key: int) -> None:
        page = max(1, self.list.height() // max(1, self.list.sizeHintForRow(0)) - 1)
        step = 1 if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) else page
        sign = -1 if key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp) else 1
        here, last = self.list.currentIndex().row(), self.list.topLevelItemCount() - 1
        self._mark(min(max(here + sign * step, 0), last), sign)
