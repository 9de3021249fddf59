"""The panel of the window of classes: the data set, the plan, and what is done with them."""

from dataclasses import replace
from typing import Any, get_args

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from latviz import collection
from latviz.app.benches.classes.document import ClassDocument
from latviz.app.benches.classes.images import Shelves
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import Theme
from latviz.app.panels.controls import NumberControl, WheelGuard, grouped
from latviz.app.panels.side_panel import button, choice_box, number_box
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.work.progress_bars import CancelBar
from latviz.core.classify.class_models import Criterion
from latviz.core.data.encoding import ENCODINGS, SYMBOL_RANGE

STATES_RANGE, WINDOW_RANGE = (1, 24), (0, 12)
SHARES_RANGE = 5, 90
FOLDS = {1: "one held-out share"} | {k: f"cross-validation, {k} folds" for k in (2, 3, 5, 10)}
MOST_SEED = 2**31 - 1
CRITERIA = {
    "cavity": "cavity: others' beliefs",
    "windows": "windows: its window",
    "data": "data: its own state",
    "printed": "printed: log P",
}
assert set(CRITERIA) == set(get_args(Criterion))
EMPTY = "Open a folder that holds a folder for each class, or drop it here."


class ClassControls(QWidget):
    """Sets one part of the plan with each control, and shows what is set.

    Signals
    -------
    folder_wanted, list_wanted, save_wanted, load_wanted
        A person wants to choose a file or folder.
    """

    folder_wanted = pyqtSignal()
    list_wanted = pyqtSignal()
    save_wanted = pyqtSignal()
    load_wanted = pyqtSignal()

    def __init__(self, document: ClassDocument, thumbnails: Thumbnails) -> None:
        super().__init__()
        self._document = document
        self.shelves = Shelves(thumbnails)
        self._make_controls()
        self._lay_out()
        self._connect_signals()
        self._wheel_guard = WheelGuard(self)
        for control in (
            self.encoding,
            self.criterion,
            self.folds,
            self.seed,
            *self._number_parts(),
        ):
            self._wheel_guard.guard(control)
        self.show_plan(document.plan)
        self.refresh()

    def _make_controls(self) -> None:
        self.folder = button(
            "&Folder…",
            "Open a folder that holds a folder for each class, or PASCAL VOC's folder (Ctrl+O)",
        )
        self.list = button("&List…", "Open a CSV of names and classes (Ctrl+L)")
        self.split = QLineEdit()
        self.split.setPlaceholderText("train")
        self.split.setAccessibleName("Split")
        self.split.setToolTip("Which images of PASCAL VOC: train, val, trainval or another")
        self.about = WrappedLabel()
        self.about.setProperty("muted", True)
        titles = {name: kind.title for name, kind in ENCODINGS.items() if kind.of_image}
        self.encoding = choice_box("Encoding", "What is seen of an image", titles, narrow=True)
        self.n_symbols = number_box("Symbols", SYMBOL_RANGE, "How many symbols M there are")
        self.n_states = number_box("States", STATES_RANGE, "The number of states N of each class")
        self.window_ = number_box("Window w", WINDOW_RANGE, "Half-width w of the window")
        self.criterion = choice_box(
            "Score",
            "What is summed over the pixels of an image: how probable each is, given the others' "
            "beliefs, its window, or the state that it is decoded in; or log P as printed",
            CRITERIA,
            narrow=True,
        )
        self.shared = QCheckBox("&Same states for all classes")
        self.shared.setToolTip("One codebook for all classes, so that states can be compared")
        self.head = QCheckBox("&Discriminative head")
        self.head.setToolTip(
            "Logistic regression on shares of states, in place of Bayes' rule; needs scikit-learn"
        )
        self.share = number_box(
            "Held out", SHARES_RANGE, "Per cent of each class's images that are not learned from"
        )
        self.folds = choice_box(
            "Test by",
            "Whether one part is held out, or each of several folds by turns: then every image is "
            "classified, by models that have not seen it, and learning takes as often as long",
            FOLDS,
            narrow=True,
        )
        self.seed = QSpinBox()
        self.seed.setRange(0, MOST_SEED)
        self.seed.setKeyboardTracking(False)
        self.seed.setAccessibleName("Seed")
        self.seed.setToolTip("Which images are held out: the same seed holds out the same ones")
        self.train = button("&Train", "Learn the classes, and classify what is held out (Ctrl+R)")
        self.test = button(
            "&Classify all", "Classify all images by what was learned or loaded (Ctrl+T)"
        )
        self.bar = CancelBar("Learning or scoring", "Keep what was known before (Esc)")
        self.undo = button("Undo", "Take the last change back (Ctrl+Z)")
        self.redo = button("Redo", "Change it again (Ctrl+Shift+Z)")
        self.save = button("Sa&ve…", "Write the classifier to a file (Ctrl+S)")
        self.load = button("L&oad…", "Take a classifier from a file (Ctrl+Shift+L)")

    def _lay_out(self) -> None:
        data, form = grouped("Images")
        form.addRow(_beside(self.folder, self.list))
        form.addRow("S&plit (VOC)", self.split)
        form.addRow(self.about)
        form.addRow(self.shelves)
        model, form = grouped("Model")
        form.addRow("&Encoding", self.encoding)
        self._symbols_label = QLabel("Symbols &M")
        self._symbols_label.setBuddy(self.n_symbols)
        form.addRow(self._symbols_label, self.n_symbols)
        form.addRow("States &N", self.n_states)
        form.addRow("&Window w", self.window_)
        form.addRow("Sco&re", self.criterion)
        form.addRow(self.shared)
        form.addRow(self.head)
        test, form = grouped("Test")
        form.addRow("Test &by", self.folds)
        form.addRow("&Held out, %", self.share)
        form.addRow("Seed", self.seed)
        form.addRow(_beside(self.undo, self.redo))
        form.addRow(_beside(self.train, self.test))
        form.addRow(self.bar)
        form.addRow(_beside(self.save, self.load))
        rows = QVBoxLayout(self)
        rows.addWidget(data, 1)
        rows.addWidget(model)
        rows.addWidget(test)

    def _numbers(self) -> tuple[NumberControl, ...]:
        return self.n_symbols, self.n_states, self.window_, self.share

    def _number_parts(self) -> list[QWidget]:
        return [part for control in self._numbers() for part in (control.slider, control.box)]

    def _connect_signals(self) -> None:
        document = self._document
        self.folder.clicked.connect(self.folder_wanted)
        self.list.clicked.connect(self.list_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.load.clicked.connect(self.load_wanted)
        self.encoding.activated.connect(lambda _: self._encode(name=self.encoding.currentData()))
        self.n_symbols.changed.connect(lambda m: self._encode(n_symbols=int(m)))
        self.n_states.changed.connect(lambda n: document.set("n_states", int(n)))
        self.window_.changed.connect(lambda w: document.set("window", int(w)))
        self.criterion.activated.connect(
            lambda _: document.set("criterion", self.criterion.currentData())
        )
        self.shared.clicked.connect(lambda on: document.set("shared", on))
        self.head.clicked.connect(lambda on: document.set("head", on))
        self.share.changed.connect(lambda share: document.set("test_share", int(share) / 100))
        self.folds.activated.connect(lambda _: document.set("folds", self.folds.currentData()))
        self.seed.valueChanged.connect(lambda seed: document.set("seed", seed))
        self.train.clicked.connect(document.train)
        self.test.clicked.connect(document.test)
        self.bar.cancelled.connect(document.cancel)
        stack = document.undo_stack
        for part, act, can in (
            (self.undo, stack.undo, stack.canUndoChanged),
            (self.redo, stack.redo, stack.canRedoChanged),
        ):
            part.clicked.connect(act)
            part.setEnabled(False)
            can.connect(part.setEnabled)
        document.plan_changed.connect(self.show_plan)
        document.data_changed.connect(self._show_data)
        document.outcome_changed.connect(self.refresh)
        document.activity_changed.connect(self.refresh)
        document.look_progressed.connect(self._show_look_progress)

    def _encode(self, **changes: Any) -> None:
        self._document.set("encoding", replace(self._document.plan.encoding, **changes))

    def show_plan(self, plan: "collection.classes.Plan") -> None:
        """Show what is set."""
        boxes: tuple[tuple[QComboBox, Any], ...] = (
            (self.encoding, plan.encoding.name),
            (self.criterion, plan.criterion),
            (self.folds, plan.folds),
        )
        for box, value in boxes:
            box.setCurrentIndex(box.findData(value))
        self.n_symbols.set_value(plan.encoding.n_symbols)
        self.n_states.set_value(plan.n_states)
        self.window_.set_value(plan.window)
        self.share.set_value(round(100 * plan.test_share))
        self.shared.setChecked(plan.shared)
        self.head.setChecked(plan.head)
        with QSignalBlocker(self.seed):
            self.seed.setValue(plan.seed)
        for part in (self.n_symbols, self._symbols_label):
            part.setEnabled(plan.encoding.kind.uses_symbols)
        self.share.setEnabled(plan.folds == 1)
        self.criterion.setEnabled(not plan.head)
        self.shared.setEnabled(not plan.head)

    def refresh(self, *_: object) -> None:
        """Enable what can be done now, and show how far it is."""
        document = self._document
        is_busy, is_there = document.is_busy, document.data is not None
        self.train.setEnabled(is_there and not is_busy)
        self.test.setEnabled(is_there and document.outcome is not None and not is_busy)
        self.save.setEnabled(document.outcome is not None)
        self.bar.show_fraction(document.activity.fraction if is_busy else None)
        if not is_there:
            self.about.show_text(EMPTY)

    def _show_look_progress(self, fraction: float | None) -> None:
        if not self._document.is_busy:
            self.bar.show_fraction(fraction)

    def _show_data(self) -> None:
        data = self._document.data
        assert data is not None
        self.shelves.shelves.show_data(data)
        n, n_classes = len(data.images), len(data.classes)
        self.about.show_text(f"{data.place.name}: {n:,} images of {n_classes} classes")
        self.about.setToolTip(str(data.place))
        self.refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.shelves.apply_theme(theme)


def _beside(*parts: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        layout.addWidget(part)
    return row
