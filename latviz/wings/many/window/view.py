"""The images of the shelf with their results: a table, a plot and the confusion."""

from typing import Any, Self

from PyQt6.QtCore import QAbstractItemModel, QModelIndex, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTableView,
    QWidget,
)

from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import on_panel
from latviz.app.shell.actions import plain
from latviz.app.views.base import View
from latviz.app.views.shelf.view import alone
from latviz.app.widgets import layouts, tables
from latviz.app.widgets.shortcuts import ENTER, keyed
from latviz.app.widgets.title_controls import caption
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.state import State
from latviz.wings.many import results
from latviz.wings.many.window.classes import Classes
from latviz.wings.many.window.confusion import ConfusionRows
from latviz.wings.many.window.rows import ImageRows
from latviz.wings.many.window.scatter import Point, Scatter
from latviz.wings.many.window.survey import Survey

_ERRORS = {"bits", "saved"}
"""Columns of which one is there, see `columns_of`."""
_MARGINS = 6
"""Pixels above and below a row's text."""
CONFUSION = 1
"""The place of its tab."""
_LOOKED_AT = 60
"""Rows by whose texts columns are made wide enough."""
AXES = "inertia", "bits"
"""The columns across and up in the plot, until others are chosen."""
_NOTHING = "No folder is open. Use File ▸ Open a folder to list its images here with their results."
NO_LABELS = (
    "No image has labels. Put label images next to the images, as name.labels.png, or into a "
    "folder named labels."
)


def table_of(model: QAbstractItemModel, name: str) -> QTableView:
    """Return a table that is sorted by its heads."""
    table = QTableView()
    header = tables.set_up(table, model)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setAccessibleName(name)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    header.setResizeContentsPrecision(_LOOKED_AT)
    header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
    table.setSortingEnabled(True)
    return table


class ImagesView(View):
    """The results of each image, one model for all."""

    TITLE = "Images"
    COVERED = False
    SIZE = (720, 300)
    KEYS = keyed("Arrow keys move between rows, `Enter` shows an image.")

    wanted = pyqtSignal(int)  # the file of the shelf to show
    axes_chosen = pyqtSignal()  # other columns as axes of the plot

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows, self.confusion_rows = ImageRows(), ConfusionRows()
        self.table = table_of(self.rows, "Images")
        self.confusion = table_of(self.confusion_rows, "Confusion")
        self.scatter = Scatter()
        self.across, self.up = QComboBox(), QComboBox()
        self.tabs, self.pages = QTabBar(), QStackedWidget()
        self.accuracy = caption("")
        self.nothing = tables.note_over(self.table, _NOTHING)
        self._choosers: list[QWidget] = []
        self.axes: tuple[str, str] = AXES  # columns of the plot, across and up
        self.survey: Survey
        self.classes: Classes
        self._is_old = True
        self._set_up()
        self.take_keyboard(self.table)

    def _set_up(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.table)
        self.plots = self._right()
        self.splitter.addWidget(self.plots)
        self.plots.hide()
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setChildrenCollapsible(False)
        layouts.column(self.splitter, of=self)
        self.rows.modelReset.connect(self._span_reasons)
        self.table.clicked.connect(self._click)
        self.scatter.wanted.connect(self.wanted)
        tables.on_keys(self.table, self._click, ENTER)

    def _right(self) -> QWidget:
        """Return the plot and the confusion, one of which is shown."""
        right, plot, labels = (on_panel(QWidget()) for _ in range(3))
        self.tabs.addTab("Plot")
        self.tabs.addTab("Confusion")
        self.tabs.setAccessibleName("Plot or confusion")
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        for button in self.tabs.findChildren(QAbstractButton):  # there they are all the same
            button.setAccessibleName(f"{button.accessibleName()} of plot and confusion")
        self.tabs.currentChanged.connect(self.pages.setCurrentIndex)
        grid = QGridLayout(plot)
        grid.setContentsMargins(6, 4, 6, 4)
        for column, (text, box) in enumerate((("Acro&ss", self.across), ("&Up", self.up))):
            label, name = QLabel(text), plain(text)
            label.setBuddy(box)
            box.setAccessibleName(f"{name} the plot")
            box.setToolTip(f"The number that the plot of images shows {name.lower()}")
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(8)
            box.activated.connect(self._choose_axes)
            self._choosers += [label, box]
            grid.addWidget(label, 0, 2 * column)
            grid.addWidget(box, 0, 2 * column + 1)
            grid.setColumnStretch(2 * column + 1, 1)
        grid.addWidget(self.scatter, 1, 0, 1, 4)
        grid.setRowStretch(1, 1)
        layouts.column(self.accuracy, (self.confusion, 1), of=labels)
        self.pages.addWidget(plot)
        self.pages.addWidget(labels)
        layouts.column(self.tabs, (self.pages, 1), of=right, spacing=0)
        return right

    def begin(self, survey: Survey, classes: Classes, thumbnails: Thumbnails) -> None:
        """Take results from there."""
        self.survey, self.classes = survey, classes
        self.rows.begin(survey, classes, thumbnails)
        survey.changed.connect(self.refresh)
        classes.found_changed.connect(self._show_classes)
        thumbnails.changed.connect(self._note)

    def _show_classes(self) -> None:
        """Show the found classes, and their confusion first."""
        self.refresh()
        if self.together is not None and self.together.unit == "images":
            self.tabs.setCurrentIndex(CONFUSION)

    @property
    def together(self) -> "results.tables.Together | None":
        """The confusion of classes if they were found, or else that of labels, if any."""
        found = self.classes.found
        return self.survey.together() if found is None else found.together

    def _note(self, entry: Entry) -> None:
        """Show that a file cannot be read."""
        if entry.path in self.rows.thumbnails.failures:
            self.refresh()

    @property
    def shelf(self) -> Shelf | None:
        """The files."""
        return self.state.shelf

    def in_words(self, _frame: Frame | None = None) -> str:
        """Return the number of images with results, and the agreement with labels."""
        if self.shelf is None:
            return alone(self.frame)
        n, known = len(self.shelf.entries), len(self.survey.fresh)
        found = self.confusion_rows.found
        met = "" if found is None else f"; accuracy {digits.share(found.accuracy)}"
        return f"{n:,} image{'s' * (n != 1)}, {known:,} with results{met}."

    def describe(self) -> None:
        """Describe the results, before there is a frame, too."""
        self.keyboard.setAccessibleDescription(f"{self.in_words()} {self.KEYS}")

    def show_state(self, state: State) -> None:
        """Take the state; show the images again unless only the chosen image changed."""
        before = self.state
        super().show_state(state)
        if _but_shown(state) != _but_shown(before):
            self.refresh()
        elif state.shelf is not before.shelf and not self._is_old:
            self._move()

    def refresh(self) -> None:
        """Show the results so far, once the view is visible."""
        self._is_old = True
        self.nothing.setVisible(self.shelf is None)
        self.plots.setVisible(self.shelf is not None)
        self.draw_frame()

    def draw_frame(self) -> None:
        """Show the results so far, unless they are shown already."""
        if self._is_old and self.isVisible():
            self._is_old = False
            self._fill()

    def _move(self) -> None:
        """Mark another image as shown, without other updates."""
        shelf = self.shelf
        assert shelf is not None
        self.rows.move(shelf)
        self._mark_shown()
        self.scatter.show_shown(shelf.shown)
        self.describe()

    def finish(self) -> None:
        """Compute nothing more."""
        self.survey.close()
        self.classes.close()

    def draw_theme(self) -> None:
        """Draw with other colours."""
        self.rows.theme = self.confusion_rows.theme = self.theme
        self.scatter.apply_theme(self.theme)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the table and the plot as sorted, without controls."""
        for part in (self.tabs, *self._choosers):
            part.hide()
        self.axes = shown.axes
        self.begin(shown.survey, shown.classes, shown.rows.thumbnails)
        self.rows.order = shown.rows.order
        self.confusion_rows.order = shown.confusion_rows.order
        super().show_as_figure(shown, scale)
        self.tabs.setCurrentIndex(shown.tabs.currentIndex())
        self.splitter.setSizes(shown.splitter.sizes())

    def _fill(self) -> None:
        shelf = self.shelf
        tables.set_row_heights(self.table, _MARGINS)
        self.rows.refresh(shelf)
        self._mark_shown()
        self._offer_axes()
        self._draw_points()
        found = self.together
        self.confusion_rows.show_found(found)
        self.accuracy.setText(NO_LABELS if found is None else _accuracy_text(found))
        self.confusion.setVisible(found is not None)
        self.describe()

    def _span_reasons(self) -> None:
        """Give why a file cannot be read the room of all numbers."""
        self.table.clearSpans()
        n_columns = self.rows.columnCount()
        for row in range(self.rows.rowCount()):
            if n_columns > 2 and self.rows.reason(self.rows.items[row]):
                self.table.setSpan(row, 1, 1, n_columns - 1)

    def _mark_shown(self) -> None:
        """Choose the row of the image on screen."""
        row = -1 if self.shelf is None else self.rows.row_of(self.shelf.shown)
        if row >= 0:
            self.table.setCurrentIndex(self.rows.index(row, 0))

    def _offer_axes(self) -> None:
        """Offer the columns as axes, and show which are chosen."""
        names = [column.name for column in self.rows.measures]
        for box, chosen in zip((self.across, self.up), self.axes, strict=True):
            if chosen in _ERRORS and chosen not in names:
                (chosen,) = _ERRORS.intersection(names) or {chosen}
            with QSignalBlocker(box):
                if [box.itemData(k) for k in range(box.count())] != names:
                    box.clear()
                    for column in self.rows.measures:
                        box.addItem(self.rows.title(column), column.name)
                box.setCurrentIndex(max(0, box.findData(chosen)) if names else -1)

    def _choose_axes(self, _: int) -> None:
        self.axes = self.across.currentData(), self.up.currentData()
        self.refresh()
        self.axes_chosen.emit()

    def _draw_points(self) -> None:
        columns = {column.name: column for column in self.rows.measures}
        axes = [columns.get(box.currentData()) for box in (self.across, self.up)]
        shelf = self.shelf
        if shelf is None or axes[0] is None or axes[1] is None:
            self.scatter.show_points((), ("", ""), -1)
            return
        ticked, points = frozenset(shelf.ticked), list[Point]()
        for place, entry in enumerate(shelf.entries):
            x, y = (self.rows.value(place, column) for column in axes if column is not None)
            if x is not None and y is not None:
                points.append(Point(place, entry.name, x, y, place in ticked))
        titles = self.rows.title(axes[0]), self.rows.title(axes[1])
        self.scatter.show_points(points, titles, shelf.shown)

    def _click(self, index: QModelIndex) -> None:
        if index.isValid():
            self.wanted.emit(self.rows.items[index.row()])


def axes_of(kept: Any) -> tuple[str, str]:
    """Return the axes that a setting keeps, or the usual ones."""
    is_pair = isinstance(kept, list) and [*map(type, kept)] == [str, str]
    return (kept[0], kept[1]) if is_pair else AXES


def _but_shown(state: State) -> tuple[object, ...]:
    """Return the parts of a state that the view draws, except the index of the shown image."""
    shelf = state.shelf
    files = None if shelf is None else (shelf.entries, shelf.ticked)
    return files, state.looks


def _accuracy_text(found: "results.tables.Together") -> str:
    """Return the accuracy over all images, in words."""
    images = "1 image" if found.n_images == 1 else f"{found.n_images:,} images"
    if found.unit == "images":
        return (
            f"Correct classes: {digits.share(found.accuracy)} of {images}, each classified by "
            "models that did not learn from it. Rows are folders, columns are found classes."
        )
    return (
        f"Accuracy over {images} with labels: {digits.share(found.accuracy)}. Each row shows the "
        "states of the pixels of a label. States are matched with labels over all images at once."
    )
