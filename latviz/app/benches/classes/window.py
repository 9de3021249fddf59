"""The window of classes."""

from collections.abc import Iterable
from pathlib import Path
from threading import Event

from PyQt6.QtCore import QModelIndex, Qt
from PyQt6.QtGui import QDragEnterEvent, QDropEvent
from PyQt6.QtWidgets import (
    QFileDialog,
    QLayout,
    QListWidget,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from latviz import collection
from latviz.app.benches.bench_window import Act, BenchWindow
from latviz.app.benches.classes.cards import Cards
from latviz.app.benches.classes.confusion import Confusion, table_of, width_of
from latviz.app.benches.classes.controls import ClassControls
from latviz.app.benches.classes.document import ClassDocument
from latviz.app.benches.classes.images import ImageStrip, ListedImage
from latviz.app.benches.classes.inspector import ImageInspector
from latviz.app.document.opening import path_of
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import Theme
from latviz.app.shell.dialogs import ask_to_save
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import CLASSES

SUFFIX = ".latclf"
RESULTS, MODELS, LEFT_OUT = range(3)
WIDEST = 0.6
"""The share of the width that the confusion takes by itself, at most."""
OPEN = (
    "Open a folder with a folder of images for each class, a list of names and classes, or the "
    "folder of PASCAL VOC. Then press Train."
)
TRAIN = "Press Train. Some images of each class are held out and then classified."
CHOOSE = (
    "Choose a cell of the table, then one of its images, to see which pixels favour which class."
)


class ClassWindow(BenchWindow):
    """A data set and a plan at the left; learned, tested and omitted parts at the right."""

    name = "classes"
    title = "Classes of images"
    size_ = (1280, 800)
    keys = CLASSES
    document: ClassDocument
    controls: ClassControls

    def usual(self) -> "collection.classes.Plan":
        """Return the usual plan."""
        return collection.classes.Plan()

    def make_document(
        self, prepared: Event, value: "collection.classes.Plan", _running: bool
    ) -> ClassDocument:
        """Return the document of a plan."""
        return ClassDocument(prepared, value, self)

    def make_parts(self) -> tuple[QLayout, Iterable[QWidget]]:
        """Make the tabs: results, models, and omitted images."""
        self.setAcceptDrops(True)
        self.thumbnails = Thumbnails(self)
        self.controls = ClassControls(self.document, self.thumbnails)
        self.confusion = Confusion()
        self.table = table_of(self.confusion)
        self.strip, self.listed = ImageStrip(self.thumbnails), ElidedLabel()
        self.inspector, self.cards, self.left_out = ImageInspector(), Cards(), QListWidget()
        right = self._laid_out()
        self._connect_signals()
        return right, (self.tabs,)

    def _laid_out(self) -> QVBoxLayout:
        images = QWidget()
        layouts.column(self.listed, (self.strip, 1), of=images, margins=(6, 4, 0, 0))
        self._upper = QSplitter(Qt.Orientation.Horizontal)
        self._upper.addWidget(self.table)
        self._upper.addWidget(images)
        self._results = QSplitter(Qt.Orientation.Vertical)
        self._results.addWidget(self._upper)
        self._results.addWidget(self.inspector)
        for splitter, sizes in ((self._upper, (420, 560)), (self._results, (230, 490))):
            splitter.setChildrenCollapsible(False)
            splitter.setSizes(list(sizes))
        self.left_out.setAccessibleName("Left out")
        self.left_out.setWordWrap(True)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._results, "Res&ults")
        self.tabs.addTab(self.cards, "&Models")
        self.tabs.addTab(self.left_out, "Left out")
        right = layouts.column((self.tabs, 1), self.message, margins=(8, 8, 0, 8))
        self.message.show_text("Nothing is open")
        self._upper.hide()
        self.inspector.say_nothing(OPEN)
        return right

    def _connect_signals(self) -> None:
        document, controls = self.document, self.controls
        controls.folder.clicked.connect(self.choose_folder)
        controls.list.clicked.connect(self.choose_list)
        controls.save.clicked.connect(self.choose_save)
        controls.load.clicked.connect(self.choose_load)
        controls.shelves.wanted.connect(self.list_class)
        document.data_changed.connect(self._show_data)
        document.outcome_changed.connect(self._show_outcome)
        document.described.connect(lambda: self.cards.show_outcome(document.outcome))
        document.look_changed.connect(self._show_look)
        document.said.connect(self.message.show_text)
        selection = self.table.selectionModel()
        assert selection is not None
        selection.currentChanged.connect(lambda index, _: self._list_cell(index))
        self.table.clicked.connect(self._list_cell)
        self.strip.wanted.connect(document.look_at)
        self.inspector.opened.connect(self.wanted.emit)

    def acts(self) -> dict[str, Act]:
        """Return what its own shortcuts do."""
        controls = self.controls
        return {
            "Choose a folder": (self.choose_folder, controls.folder),
            "Choose a list": (self.choose_list, controls.list),
            "Save": (self.choose_save, controls.save),
            "Load": (self.choose_load, controls.load),
            "Train": (controls.train.click, controls.train),
            "Test": (controls.test.click, controls.test),
            "Open the image": (self.inspector.open_image, self.inspector.open),
        }

    def escape(self) -> None:
        """Cancel work in progress, or else dismiss the message."""
        if self.document.is_busy or self.document.is_looking:
            self.document.cancel()
        else:
            self.banner.hide()

    # Files

    def open(self, path: str) -> None:
        """Open a data set, or a classifier."""
        if path.lower().endswith(SUFFIX):
            self.document.load(path)
        else:
            self.document.open(path, self.controls.split.text().strip())

    def choose_folder(self) -> None:
        """Ask for a folder of classes, and open it."""
        folder = self._settings.folder
        path = QFileDialog.getExistingDirectory(self, "Open a folder of classes", folder)
        if path:
            self.open(path)

    def choose_list(self) -> None:
        """Ask for a list of names and classes, and open it."""
        kinds = "Lists (*.csv *.txt);;All files (*)"
        path, _ = QFileDialog.getOpenFileName(self, "Open a list", self._settings.folder, kinds)
        if path:
            self.open(path)

    def choose_save(self) -> None:
        """Ask where to write the classifier, and write it."""
        if self.document.outcome is None:
            return
        place = str(Path(self._settings.export_folder, f"classifier{SUFFIX}"))
        kinds = {f"Classifiers (*{SUFFIX})": SUFFIX}
        path, _ = ask_to_save(self, "Save the classifier", place, kinds)
        if path:
            self.document.save(path)

    def choose_load(self) -> None:
        """Ask for a classifier, and take it."""
        kinds, folder = f"Classifiers (*{SUFFIX});;All files (*)", self._settings.export_folder
        path, _ = QFileDialog.getOpenFileName(self, "Load a classifier", folder, kinds)
        if path:
            self.document.load(path)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Take a folder or a file."""
        if event is not None and _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open dropped files."""
        path = None if event is None else _dropped(event)
        if event is not None and path is not None:
            event.acceptProposedAction()
            self.open(path)

    # Results

    def _show_data(self) -> None:
        self.thumbnails.forget()
        self._upper.show()
        self._list_first()
        self.banner.hide()

    def _show_outcome(self) -> None:
        outcome = self.document.outcome
        self.confusion.show_outcome(outcome)
        self.cards.show_outcome(outcome)
        self._show_left_out()
        self._list_first()
        is_known = outcome is not None and outcome.validation is not None
        self.table.setVisible(is_known)
        self.inspector.say_nothing(CHOOSE if is_known else TRAIN if self.document.data else OPEN)
        if outcome is not None and outcome.validation is None:
            self.tabs.setCurrentIndex(MODELS)
        elif outcome is not None:
            self.tabs.setCurrentIndex(RESULTS)
            self._make_room()
            self._choose_worst()

    def _make_room(self) -> None:
        """Give the confusion the width that it needs, but leave some for the images next to it."""
        whole, now = sum(self._upper.sizes()), self._upper.sizes()[0]
        wanted = min(width_of(self.table), round(WIDEST * whole))
        if now < wanted:
            self._upper.setSizes([wanted, whole - wanted])

    def _list_first(self) -> None:
        """List the images of the first class; without a data set none."""
        data = self.document.data
        if data is None:
            self._list([], "")
        else:
            self._list_class(data, next(iter(data.classes)))

    def _choose_worst(self) -> None:
        """Choose the cell with the most wrong predictions, or the first one."""
        n = self.confusion.rowCount() - 1
        cells = [(row, column) for row in range(n) for column in range(n) if row != column]
        worst = max(cells, key=lambda cell: len(self.confusion.images(*cell)), default=(0, 0))
        row, column = worst if self.confusion.images(*worst) else (n, n)
        self.table.setCurrentIndex(self.confusion.index(row, column))
        if row == n:
            self.table.scrollTo(self.confusion.index(0, 0))

    def _show_left_out(self) -> None:
        data, outcome = self.document.data, self.document.outcome
        notes = [] if data is None else list(data.notes)
        if data is not None and outcome is not None:
            names = {str(image.path): image.name for image in data.images}
            notes += [f"{names[one.path]}: {one.reason}" for one in outcome.failures]
        self.left_out.clear()
        self.left_out.addItems(notes)
        self.tabs.setTabText(LEFT_OUT, f"Left out ({len(notes)})" if notes else "Left out")

    def _list_cell(self, index: QModelIndex) -> None:
        if index.isValid():
            images = self.confusion.images(index.row(), index.column())
            self._list(images, self.confusion.title(index.row(), index.column()))

    def list_class(self, name: str) -> None:
        """List all images of a class."""
        if self.document.data is not None:
            self._list_class(self.document.data, name)
            self.tabs.setCurrentIndex(RESULTS)

    def _list_class(self, data: "collection.classes.ClassSet", name: str) -> None:
        self._list(data.classes[name], f"All of {name} in the data set")

    def _list(self, images: list[int], title: str) -> None:
        data, outcome = self.document.data, self.document.outcome
        classes = [] if outcome is None else outcome.classes
        rows = [] if data is None else [_listed(data, outcome, k) for k in images]
        self.strip.images.show_rows(rows, classes)
        n = len(images)
        count = f": {n:,} {'image' if n == 1 else 'images'}" if title else ""
        self.listed.show_text(f"{title}{count}")

    def _show_look(self) -> None:
        document = self.document
        self.inspector.show_look(document.data, document.outcome, document.look)
        self.strip.images.show_shown(None if document.look is None else document.look.index)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.confusion.theme = theme
        self.confusion.repaint_all()
        for part in (self.controls, self.strip, self.inspector, self.cards):
            part.apply_theme(theme)

    def finish(self) -> None:
        """End reading images."""
        self.thumbnails.close()
        self.inspector.finish()


def _listed(
    data: "collection.classes.ClassSet",
    outcome: "collection.classes.ClassOutcome | None",
    index: int,
) -> ListedImage:
    row = None if outcome is None else outcome.posteriors_of(index)
    entry, label = data.entries[index], data.labels[index]
    if outcome is None or row is None:
        return ListedImage(index, entry, label)
    return ListedImage(index, entry, label, outcome.classes[int(row.argmax())], tuple(row.tolist()))


def _dropped(event: QDropEvent) -> str | None:
    """Return the path of a drop, if it is a single file or folder."""
    mime = event.mimeData()
    urls = [] if mime is None else mime.urls()
    return path_of(urls[0]) if len(urls) == 1 and urls[0].isLocalFile() else None
