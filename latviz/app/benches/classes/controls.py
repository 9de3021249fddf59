"""The panel of the window of classes: data set, plan and commands."""

from PyQt6.QtWidgets import QGroupBox, QLineEdit

from latviz.app.benches.bench_window import BenchPanel, beside
from latviz.app.benches.classes.document import ClassDocument
from latviz.app.benches.classes.images import Shelves
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import Theme
from latviz.app.panels.controls import grouped
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.shortcuts import keyed
from latviz.app.work.progress_bars import CancelBar

EMPTY = "Open a folder with a folder for each class, or drop it here."


class ClassControls(BenchPanel):
    """Opens a data set, sets the plan, and learns."""

    def __init__(self, document: ClassDocument, thumbnails: Thumbnails) -> None:
        super().__init__(document)
        self._document = document
        self.shelves = Shelves(thumbnails)
        self._make_parts()
        self.lay_out(
            beside(self.train, self.test),
            self.bar,
            beside(self.save, self.load),
            above=self._images(),
        )
        self._connect_signals()
        self.refresh()

    def _make_parts(self) -> None:
        self.folder = button(
            "Folder…",
            "Open a folder with a folder for each class, or the folder of PASCAL VOC",
        )
        self.list = button("List…", "Open a CSV of names and classes")
        self.split = QLineEdit()
        self.split.setPlaceholderText("train")
        self.split.setAccessibleName("Split")
        self.split.setToolTip("Which images of PASCAL VOC: train, val, trainval or another")
        self.opened = WrappedLabel()
        self.opened.setProperty("muted", True)
        self.train = button("Train", "Learn the classes, and classify the held-out images")
        self.test = button("Classify all", "Classify all images with this classifier")
        tip = keyed("Cancel, and keep the previous results (`Esc`)")
        self.bar = CancelBar(
            "Learning or scoring",
            tip,
        )
        self.save = button("Save…", "Save the classifier to a file")
        self.load = button("Load…", "Load a classifier from a file")

    def _images(self) -> QGroupBox:
        group, form = grouped("Images")
        form.addRow(beside(self.folder, self.list))
        form.addRow("Spli&t (VOC)", self.split)
        form.addRow(self.opened)
        form.addRow(self.shelves)
        return group

    def _connect_signals(self) -> None:
        document = self._document
        self.train.clicked.connect(document.train)
        self.test.clicked.connect(document.test)
        self.bar.cancelled.connect(document.cancel)
        document.data_changed.connect(self._show_data)
        document.outcome_changed.connect(self.refresh)
        document.activity_changed.connect(self.refresh)
        document.look_progressed.connect(self._show_look_progress)

    def refresh(self, *_: object) -> None:
        """Enable the possible commands, and show the progress."""
        document = self._document
        is_busy, is_there = document.is_busy, document.data is not None
        self.train.setEnabled(is_there and not is_busy)
        self.test.setEnabled(is_there and document.outcome is not None and not is_busy)
        self.save.setEnabled(document.outcome is not None)
        self.bar.show_fraction(document.activity.fraction if is_busy else None)
        if not is_there:
            self.opened.show_text(EMPTY)

    def _show_look_progress(self, fraction: float | None) -> None:
        if not self._document.is_busy:
            self.bar.show_fraction(fraction)

    def _show_data(self) -> None:
        data = self._document.data
        assert data is not None
        self.shelves.shelves.show_data(data)
        n, n_classes = len(data.images), len(data.classes)
        self.opened.show_text(f"{data.place.name}: {n:,} images of {n_classes} classes")
        self.opened.setToolTip(str(data.place))
        self.refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.shelves.apply_theme(theme)
