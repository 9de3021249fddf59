"""The list of all that can be exported, with small pictures of the views."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PyQt6.QtCore import QSize, Qt, QTimer
from PyQt6.QtGui import QAction, QPixmap
from PyQt6.QtWidgets import QPushButton, QScrollBar, QTreeWidgetItem, QWidget

from latviz.app.exporting.copying import Copier
from latviz.app.exporting.drawing import FORMATS
from latviz.app.exporting.exporting import Exporter
from latviz.app.shell.action_finder import ROOM, ActionFinder
from latviz.app.shell.actions import Action
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import Menus, qt_action
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.app.views.registry import Views
from latviz.app.widgets import layouts
from latviz.app.work.timers import once_after

PICTURE = QSize(88, 52)
"""The size of small pictures, in pixels."""
ONLY_A_FILE = "Only a file can hold this: save it"
_COLUMN = 3  # of the pictures
_FIGURE = f"Copy a picture, or draw a file ({', '.join(FORMATS)}); a hidden view is shown first"
_VALUES = "Copy the numbers, separated by tabs, or write them as a table (.csv)"


class ExportList(ActionFinder):
    """Lists actions that save something; those in ``copies`` can be copied, too."""

    SIZE = QSize(640, 560)

    def __init__(self, parent: QWidget, copies: Mapping[QAction, Callable[[], object]]) -> None:
        super().__init__(parent)
        self._copies, self._views = copies, dict[QAction, View]()
        self._pictures = dict[QAction, QPixmap]()
        self._timer = once_after(0, self._draw_next, self)
        self.edit.setPlaceholderText("Type some letters of what you want to export")
        self.list.setAccessibleName("What can be exported")
        self.list.setColumnCount(_COLUMN + 1)
        self.list.setColumnWidth(_COLUMN, PICTURE.width() + ROOM)
        self.list.setUniformRowHeights(False)
        self.list.clicked.disconnect(self._do)
        self.list.doubleClicked.connect(self._do)
        scroll_bar: QScrollBar = self.list.verticalScrollBar()  # type: ignore[assignment]
        scroll_bar.valueChanged.connect(lambda _: self._timer.start())
        self.copy, self.save = QPushButton("&Copy"), QPushButton("&Save…")
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(lambda: self._do())
        self.save.setDefault(True)
        self._column.addLayout(layouts.row(1, self.copy, self.save))

    def open_at(
        self, actions: Sequence[QAction], views: dict[QAction, View], first: QAction | None
    ) -> None:
        """List actions, some with pictures of views, and mark one of them."""
        self._views, self._pictures = views, {}
        self.open_with("Export", actions)
        if first is not None:
            place = [line.action for line in self._lines].index(first)
            self.list.setCurrentItem(self.list.topLevelItem(place))

    def _fill(self, text: str) -> None:
        super()._fill(text)
        for item in self._items():
            if self._line(item).action in self._views:
                item.setSizeHint(0, QSize(0, PICTURE.height() + ROOM))
        self._timer.start()

    def _items(self) -> list[QTreeWidgetItem]:
        return self.list.findItems("", Qt.MatchFlag.MatchContains)

    def _draw_next(self) -> None:
        """Draw one missing picture of the rows on screen; the next follows after other events."""
        for item in self._items():
            action, place = self._line(item).action, self.list.visualItemRect(item)
            if action in self._views and place.intersects(self.list.rect()):
                is_new = action not in self._pictures
                if is_new:
                    self._pictures[action] = _small(self._views[action])
                item.setData(_COLUMN, Qt.ItemDataRole.DecorationRole, self._pictures[action])
                if is_new:
                    self._timer.start()
                    return

    def _show_tip(self, item: QTreeWidgetItem | None) -> None:
        super()._show_tip(item)
        can_copy = item is not None and self._line(item).action in self._copies
        self.copy.setEnabled(can_copy)
        self.copy.setToolTip("" if can_copy else ONLY_A_FILE)

    def _copy(self) -> None:
        """Copy the marked row after the list has closed."""
        item = self.list.currentItem()
        if item is not None:
            self.hide()
            QTimer.singleShot(0, self._copies[self._line(item).action])


def _small(view: View) -> QPixmap:
    """Draw what a view shows now, small."""
    ratio, large = view.devicePixelRatioF(), view.grab()
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return large.scaled(PICTURE * ratio, keep, smooth)


class Exporting(Feature):
    """Opens the list of what can be exported."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts  # menus are made after it
        self._list: ExportList | None = None
        self._rows: dict[str, list[QAction]] = {}  # of each view

    @in_menu(
        "&Export…",
        "Choose what to save or to copy: results, tables, figures, a report",
        ("File", 3.0),
    )
    def open(self, name: str = "") -> None:
        """List what can be saved or copied, views on screen first; mark that of a name."""
        menus, views = self._parts[Menus], self._parts[Views].views
        menus.refresh()
        if self._list is None:
            self._list = self._made()
        shown_first = sorted(views, key=lambda each: not views[each].isVisible())
        rows = (row for each in shown_first for row in self._rows[each])
        figures = {self._rows[each][0]: view for each, view in views.items() if view.isVisible()}
        self._list.open_at([*menus.exports, *rows], figures, self._rows[name][0] if name else None)

    def _made(self) -> ExportList:
        copier, exporter, views = self._parts[Copier], self._parts[Exporter], self._parts[Views]
        window, copies = self._parts[Shell].main_window, {}
        kinds = (
            ("Figure", _FIGURE, exporter.export_view, copier.copy_view),
            ("Values", _VALUES, exporter.export_values, copier.copy_values),
        )
        for name, spec in views.specs.items():
            self._rows[name] = []
            for kind, tip, save, copy in kinds[: 1 if spec.table is None else 2]:
                row = qt_action(Action(spec.title, tip, partial(save, name)), window)
                row.setProperty("menu", kind)
                self._rows[name].append(row)
                copies[row] = partial(copy, name)
        return ExportList(window, copies)
