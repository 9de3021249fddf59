"""The bench's window."""

from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
from PyQt6.QtCore import QByteArray, Qt, pyqtSignal
from PyQt6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PyQt6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QProgressBar,
    QScrollArea,
    QWidget,
)

from latviz.app.docking.docks import scrolled
from latviz.app.exporting.drawing import FORMATS, Writing, drawn, on_paper, tight
from latviz.app.look.screens import fit
from latviz.app.look.theme import LIGHT, Theme, on_panel
from latviz.app.shell.banner import Banner
from latviz.app.shell.dialogs import ask_where
from latviz.app.shell.focus import FocusRing, order_tabs
from latviz.app.shell.settings import Settings
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.keys import clicks_button
from latviz.app.widgets.shortcuts import add_shortcut, with_keys
from latviz.app.widgets.touchpad import WheelGuard
from latviz.app.work.activity import Activity, percent_done
from latviz.app.work.background import Background
from latviz.core import digits
from latviz.core.disk.writing import replacing
from latviz.wings.bench.copies import Outcome
from latviz.wings.bench.curves import Curves, activity_text, pixel_text
from latviz.wings.bench.document import BenchDocument, Moment, keep, kept
from latviz.wings.bench.draw_bar import KEYS, DrawBar
from latviz.wings.bench.experiment import Experiment, with_potential, with_probability
from latviz.wings.bench.exports import csv_of, picture_of, python_of
from latviz.wings.bench.maps import BenchMaps
from latviz.wings.bench.matrix import EditableMatrix, MatrixMap
from latviz.wings.bench.panel import BenchPanel
from latviz.wings.bench.shortcuts import BENCH
from latviz.wings.bench.sweeps import Reading
from latviz.wings.bench.trace import Trace

WIDTH, SIZE = 270, (1280, 780)
"""Of the panel and of the window, in pixels."""
TITLE = "Bench: a truth that is known"
PICTURE = "Made on the bench"
POTENTIAL, LEARNED = "Potential", "A as learned"
LEARNED_CAPTION = "The A that the model learned; in brackets the A of the field."
WAITING = "Waiting for the first results…"
COMPILING = "Preparing the bench; this takes some seconds, once…"


class Matrices(QWidget):
    """The potential and B, which are edited, the learned A, and the measures over the sweeps."""

    def __init__(self) -> None:
        super().__init__()
        self.potentials = EditableMatrix(POTENTIAL, by_factors=True)
        self.learned = MatrixMap(LEARNED, LEARNED_CAPTION)
        self.emissions, self.trace = EditableMatrix("B", by_factors=False), Trace()
        self.parts = self.potentials, self.learned, self.emissions, self.trace
        self.heads = tuple(ElidedLabel() for _ in self.parts)
        self._reading: Reading | None = None
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setRowStretch(1, 1)
        titles = POTENTIAL, LEARNED, "B: symbols of each state", "Over the sweeps"
        for k, (head, title, part) in enumerate(zip(self.heads, titles, self.parts, strict=True)):
            head.show_text(title)
            grid.addWidget(head, 0, k)
            grid.addWidget(part, 1, k)
            grid.setColumnStretch(k, 1)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for part in self.parts:
            part.apply_theme(theme)

    def show_experiment(self, experiment: Experiment) -> None:
        """Show the potential and B."""
        self.potentials.show_values(np.array(experiment.A))
        self.emissions.show_values(np.array(experiment.B))

    def show_moment(self, moment: Moment) -> None:
        """Show the measures of the last sweeps, and the A of a new reading."""
        self.trace.add(moment.measures, moment.order.experiment.n_states)
        reading = moment.reading
        if reading is not self._reading:
            self._reading = reading
            self.learned.show_values(reading.learned_A, reading.truth_A)
            known, field, learned = map(digits.probability, reading.associativities)
            self.heads[0].show_text(f"{POTENTIAL} · associativity {known}")
            self.heads[1].show_text(f"{LEARNED} · {learned} (field {field})")


class Figure(QWidget):
    """The maps, and below them the curves of copies or the matrices of a sampled truth."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Bias and variance")
        self.maps, self.curves, self.matrices = BenchMaps(), Curves(), Matrices()
        layouts.column(self.maps, (self.curves, 1), (self.matrices, 1), of=self)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for part in (self.maps, self.curves, self.matrices):
            part.apply_theme(theme)

    def show_experiment(self, experiment: Experiment) -> None:
        """Show what belongs to a mode, the window on the curves, and the matrices that are set."""
        is_fixed = experiment.mode == "fixed"
        self.curves.setVisible(is_fixed)
        self.matrices.setVisible(not is_fixed)
        self.maps.show_experiment(experiment)
        self.curves.show_window(experiment.window)
        self.matrices.show_experiment(experiment)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the results of copies so far."""
        self.maps.show_outcome(outcome)
        self.curves.show_outcome(outcome)

    def show_moment(self, moment: Moment) -> None:
        """Show a sampled truth as it is now."""
        self.maps.show_moment(moment)
        self.matrices.show_moment(moment)


class BenchWindow(QWidget):
    """A panel of controls at the left, the figure to the right, and a message below."""

    closed = pyqtSignal()  # its thread, ``document.worker``, is about to end
    wanted = pyqtSignal(object)  # callable that makes a picture and parameters, to be opened

    def __init__(
        self,
        settings: Settings,
        prepared: Event,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        running: bool = True,
    ) -> None:
        # ``prepared`` is set when the kernels are loaded; ``running`` begins to sweep
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fit(self, SIZE)
        self.settings = settings
        value, geometry = kept(settings)
        self.document = BenchDocument(prepared, value, running, self)
        self._make_parts()
        self._lay_out()
        self._connect_signals()
        self._add_shortcuts()
        self.apply_theme(theme)
        self._show_experiment(value)
        self._show_running()
        self.message.show_text(WAITING)
        self.restoreGeometry(geometry)
        WheelGuard(self)
        self.ring = FocusRing(self)
        self.setFocus()
        self.document.start()

    def _make_parts(self) -> None:
        self.banner, self.message = Banner(), ElidedLabel()
        self.controls, self.figure = BenchPanel(self.document), Figure()
        self.maps, self.curves = self.figure.maps, self.figure.curves
        self.matrices = self.figure.matrices
        self.draw_bar = DrawBar(self.document, self.maps.paper)
        self.background = Background(self)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setFixedWidth(160)
        self.progress.setAccessibleName("Copies decoded")
        self.cancel = button("Stop", "Stop, and keep the results so far")
        self.refine = button("Go on", "Decode the remaining copies")
        self.export = button("E&xport…", "Write the curves as CSV, or the figure")
        self.copy = button("Cop&y as Python", "Copy a script that computes this experiment")
        self.run = button("Pause", "Run or pause")
        self.run.setMinimumWidth(self.run.sizeHint().width())
        self.step = button("Step", "Sweep once, then pause")
        self.restart = button("Restart", "Begin again from random states")

    def _lay_out(self) -> None:
        bar = QWidget()
        fixed = self.progress, self.cancel, self.refine, self.export, self.copy
        layouts.row((self.message, 1), *fixed, self.run, self.step, self.restart, of=bar)
        content, area = QWidget(), QScrollArea()  # parts would overlap on a small screen
        parts = self.draw_bar, (self.figure, 1), bar
        layouts.column(*parts, of=content, margins=(0, 8, 0, 8))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the focusable widgets are inside
        area.setWidget(on_panel(content))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        panel = scrolled(self.controls)
        panel.setFixedWidth(WIDTH)
        across = layouts.row(panel, (area, 1), margins=(0, 0, 8, 0), spacing=8)
        layouts.column(self.banner, (across, 1), of=self, spacing=0)
        order_tabs((self.banner, self.controls, self.draw_bar, self.figure, bar))

    def _connect_signals(self) -> None:
        document, matrices = self.document, self.matrices
        document.failed.connect(self.banner.show_failure)
        document.value_changed.connect(self._show_experiment)
        document.outcome_changed.connect(self._show_outcome)
        document.moved.connect(self._show_moment)
        document.node_changed.connect(self.maps.show_node)
        document.node_changed.connect(self._show_message)
        document.activity_changed.connect(self._show_activity)
        document.running_changed.connect(self._show_running)
        document.worker.compiling.connect(lambda: self.message.show_text(COMPILING))
        self.background.failed.connect(self.banner.show_failure)
        self.maps.hovered.connect(document.point_at)
        self.curves.picked.connect(document.set_window)
        matrices.potentials.edited.connect(self._set_potential)
        matrices.emissions.edited.connect(self._set_probability)
        self.controls.draw.toggled.connect(self._draw)
        for part, act in (
            (self.cancel, document.cancel),
            (self.refine, document.refine),
            (self.export, self.ask_export),
            (self.copy, self.copy_python),
            (self.run, document.toggle),
            (self.step, document.step),
            (self.restart, document.restart),
            (self.controls.use, self.use_as_picture),
        ):
            part.clicked.connect(act)

    def _add_shortcuts(self) -> None:
        document, controls = self.document, self.controls
        buttons: dict[str, QAbstractButton] = {
            "New field": controls.new_field,
            "Reset": controls.reset,
            "Use as picture": controls.use,
            "Draw": controls.draw,
            "Export": self.export,
            "Copy as Python": self.copy,
            "Run": self.run,
            "Step": self.step,
            "Restart": self.restart,
            "Critical": controls.critical,
        }
        for name, part in buttons.items():
            part.setToolTip(with_keys(part.toolTip(), BENCH[name]))
            add_shortcut(self, BENCH[name], partial(_click, part))
        for name, act in {
            "Undo": document.undo_stack.undo,
            "Redo": document.undo_stack.redo,
            "Smaller window": lambda: document.set_window(document.value.window - 1),
            "Larger window": lambda: document.set_window(document.value.window + 1),
            "Close": self.close,
            "Dismiss": self.escape,
        }.items():
            add_shortcut(self, BENCH[name], act)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.figure.apply_theme(theme)
        self.draw_bar.apply_theme(theme)

    def escape(self) -> None:
        """Dismiss a message, or else stop decoding copies."""
        if self.banner.isVisible():
            self.banner.hide()
        else:
            self.document.cancel()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Click the focused button by Enter."""
        if event is not None and not clicks_button(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Store the experiment and the geometry, and end the thread without waiting."""
        geometry = QByteArray(self.saveGeometry())
        keep(self.settings, self.document.value, geometry)
        self.background.finish(all_of_it=True)  # files that are being written
        self.document.close()
        self.closed.emit()
        super().closeEvent(event)

    # Views

    def _show_experiment(self, experiment: Experiment) -> None:
        self.figure.show_experiment(experiment)
        is_fixed = experiment.mode == "fixed"
        for part in (self.export, self.copy):
            part.setVisible(is_fixed)
        for part in (self.run, self.step, self.restart):
            part.setVisible(not is_fixed)
        if not is_fixed:
            self.controls.draw.setChecked(False)
        self._show_activity(self.document.activity)

    def _show_outcome(self, outcome: Outcome) -> None:
        self.figure.show_outcome(outcome)
        self._show_message()

    def _show_moment(self, moment: Moment) -> None:
        self.figure.show_moment(moment)
        self._show_message()

    def _show_running(self) -> None:
        self.run.setText("Pause" if self.document.order.running else "Run")

    def _show_activity(self, activity: Activity) -> None:
        computing = activity.work == "computing"
        self.progress.setVisible(computing)
        self.progress.setValue(percent_done(activity.fraction))
        self.cancel.setVisible(computing)
        self.refine.setVisible(activity.work == "declined")
        self._show_message()

    def _show_message(self, *_: object) -> None:
        document, moment = self.document, self.document.moment
        if document.value.mode == "sampled":
            self.message.show_text(WAITING if moment is None else moment_text(document, moment))
            return
        pixel = pixel_text(document.outcome, document.value.window, document.node)
        known = activity_text(document.outcome, document.activity, document.value)
        self.message.show_text(f"{known}.  {pixel}")

    # What the user does

    def _draw(self, drawing: bool) -> None:
        self.draw_bar.draw(drawing)
        self.message.show_text(KEYS if drawing else "")

    def _set_potential(self, row: int, column: int, value: float) -> None:
        A = with_potential(self.document.value.A, row, column, value)
        self.document.set("Change the potential", A=A)

    def _set_probability(self, state: int, symbol: int, value: float) -> None:
        B = with_probability(self.document.value.B, state, symbol, value)
        self.document.set("Change B", B=B)

    def use_as_picture(self) -> None:
        """Open the observation in the main window, with its true states."""
        made, window = self.document.observed, self.document.value.window
        if made is None:
            self.message.show_text("There is no observation yet")
        else:
            seen, n = made.observation, made.experiment.n_states
            self.wanted.emit(partial(picture_of, seen, made.truth, n, window, PICTURE))

    def copy_python(self) -> None:
        """Copy a script that computes the experiment."""
        clipboard = QGuiApplication.clipboard()
        assert clipboard is not None
        clipboard.setText(python_of(self.document.value))
        self.message.show_text("Copied a Python script of this experiment")

    def ask_export(self) -> None:
        """Ask for a file and write the curves or the figure to it."""
        settings = self.settings
        path = ask_where(self, settings.export_folder, "bias-variance", (".csv", *FORMATS))
        if path:
            settings.export_folder = str(Path(path).parent)
            self.write(path)

    def write(self, path: str) -> None:
        """Write the curves to a .csv file, or else the figure, in the background."""
        outcome = self.document.outcome
        if outcome is None:
            self.message.show_text("There is nothing to export yet")
            return
        table = path.lower().endswith(".csv")
        write = partial(_write_table, outcome, path) if table else self._drawn_figure(path)
        self.background.start(write, lambda _: self.message.show_text(f"Wrote {path}"))

    def _drawn_figure(self, path: str) -> Writing:
        dpi = self.settings.dpi
        with on_paper(Figure, self._fill) as figure:
            title = figure.accessibleName()
            return drawn(figure, path, part=tight(figure), dpi=dpi, title=title)

    def _fill(self, figure: Figure) -> None:
        """Show the same as on screen in a figure, without the pixel under the pointer."""
        document = self.document
        assert document.outcome is not None
        figure.setFont(self.figure.font())
        figure.apply_theme(LIGHT)
        figure.resize(self.figure.size())
        figure.show()
        figure.show_experiment(document.value)
        figure.show_outcome(document.outcome)
        if not self.maps.lens.whole:
            figure.maps.truth.canvas.show_part(self.maps.truth.canvas.box.viewRect())


def moment_text(document: BenchDocument, moment: Moment) -> str:
    """Return the speed of the sweeps, and the accuracy of the last reading."""
    rate, read = document.rate, moment.reading
    running = document.order.running and rate
    going = f"{digits.count(rate)} sweeps per second" if running else "Paused"
    right = digits.share(read.accuracy)
    return f"{going}. With w = {read.experiment.window}, the accuracy is {right}."


def _click(part: QAbstractButton) -> None:
    """Click a button if the mode has it."""
    if part.isVisible():
        part.click()


def _write_table(outcome: Outcome, path: str) -> None:
    with replacing(path) as stream:
        stream.write(csv_of(outcome).encode())
