"""The laboratory's window."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from threading import Event

from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QLayout, QProgressBar, QWidget

from latviz.app.benches.bench_window import USE_TIP, Act, BenchPanel, BenchWindow, beside
from latviz.app.benches.laboratory.curves import Curves, activity_text, pixel_text
from latviz.app.benches.laboratory.document import LabDocument
from latviz.app.benches.laboratory.draw_bar import KEYS, DrawBar
from latviz.app.benches.laboratory.easel import Easel
from latviz.app.benches.laboratory.maps import LabMaps
from latviz.app.exporting.drawing import FORMATS, Writing, drawn, tight
from latviz.app.exporting.figures import on_paper
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.shell.dialogs import ask_where
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.shortcuts import LABORATORY
from latviz.app.work.activity import Activity, percent_done
from latviz.app.work.background import Background
from latviz.core.disk.writing import replacing
from latviz.engine.benches.laboratory import WINDOW, Experiment, Outcome
from latviz.engine.benches.laboratory_export import csv_of, python_of
from latviz.engine.settings.made_picture import picture_of

PICTURE = "Made in the laboratory"


class LabControls(BenchPanel):
    """Sets the experiment and the inspected window."""

    about = (
        "The lab decodes noisy copies of a field whose true states are known. Bias: the commonest "
        "state over the copies is wrong. Variance: copies differ from it. Small windows have more "
        "variance, large ones more bias."
    )

    def __init__(self, document: LabDocument) -> None:
        super().__init__(document)
        self.new_field = button(
            "&New field", "Make another field of the same kind, with new copies"
        )
        self.draw = button("Dr&aw", "Draw on the current truth")
        self.draw.setCheckable(True)
        self._forms["Truth"].addRow(beside(self.new_field, self.draw))
        self.use = button("&Use as the picture", USE_TIP)
        self.reset = button("Reset", "Return to the first experiment")
        self._add(WINDOW, document)
        window = self.number("window")
        window.set_value(document.window)
        self.lay_out(self.reset, self.use)
        window.changed.connect(lambda window: document.set_window(int(window)))
        self.new_field.clicked.connect(document.new_field)
        self.reset.clicked.connect(document.reset)
        document.window_changed.connect(window.set_value)


class Figure(QWidget):
    """The maps, and below them the curves: the figure for files."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Bias and variance")
        self.maps, self.curves = LabMaps(), Curves()
        layouts.column(self.maps, (self.curves, 1), of=self)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.maps.apply_theme(theme)
        self.curves.apply_theme(theme)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the results so far."""
        self.maps.show_outcome(outcome)
        self.curves.show_outcome(outcome)

    def show_window(self, window: int) -> None:
        """Show the maps of another window, and where it is on the curves."""
        self.maps.show_window(window)
        self.curves.show_window(window)


class LabWindow(BenchWindow):
    """Bias and variance where the truth is known: controls, maps, curves, and a status line."""

    name = "lab"
    title = "Bias and variance lab"
    size_ = (1100, 750)
    keys = LABORATORY
    document: LabDocument
    controls: LabControls

    def usual(self) -> Experiment:
        """Return the usual experiment."""
        return Experiment()

    def make_document(self, prepared: Event, value: Experiment, _running: bool) -> LabDocument:
        """Return the document of an experiment."""
        return LabDocument(prepared, value, self)

    def make_parts(self) -> tuple[QLayout, Iterable[QWidget]]:
        """Make the figure, the drawing tools, and the bar below."""
        self.controls = LabControls(self.document)
        self.figure, self.easel = Figure(), Easel(self.document)
        self.maps, self.curves = self.figure.maps, self.figure.curves
        self.draw_bar = DrawBar(self.easel)
        self.background = Background(self)
        bar = self._made_bar()
        right = layouts.column(self.draw_bar, (self.figure, 1), bar, margins=(0, 8, 0, 8))
        self._connect_signals()
        self._connect_easel()
        self._show_window(self.document.window)
        self._show_experiment(self.document.value)
        self._show_activity(self.document.activity)
        return right, (self.draw_bar, self.figure, bar)

    def _made_bar(self) -> QWidget:
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setFixedWidth(160)
        self.progress.setAccessibleName("Copies decoded")
        self.cancel = button("Stop", "Stop, and keep the results so far")
        self.refine = button("Go on", "Decode the remaining copies")
        self.export = button("E&xport…", "Write the curves as CSV, or the figure")
        self.copy = button("Copy as &Python", "Copy a script that computes this experiment")
        return self.bar(self.progress, self.cancel, self.refine, self.export, self.copy)

    def _connect_signals(self) -> None:
        document = self.document
        document.outcome_changed.connect(self._show_outcome)
        document.window_changed.connect(self._show_window)
        document.node_changed.connect(self.maps.show_node)
        document.node_changed.connect(self._show_message)
        document.activity_changed.connect(self._show_activity)
        document.value_changed.connect(self._show_experiment)
        self.background.failed.connect(self.banner.show_failure)
        self.maps.hovered.connect(document.point_at)
        self.curves.picked.connect(document.set_window)
        self.cancel.clicked.connect(document.cancel)
        self.refine.clicked.connect(document.refine)
        self.export.clicked.connect(self.ask_export)
        self.copy.clicked.connect(self.copy_python)
        self.controls.use.clicked.connect(self.use_as_picture)

    def _connect_easel(self) -> None:
        easel, paper = self.easel, self.maps.paper
        self.controls.draw.toggled.connect(easel.draw)
        easel.changed.connect(self._show_easel)
        paper.pressed.connect(easel.press)
        paper.moved.connect(easel.move)
        paper.released.connect(easel.release)
        paper.dabbed.connect(easel.dab)
        paper.picked.connect(easel.pick)
        paper.widened.connect(lambda more: easel.set_size(easel.size + more))
        paper.toggled.connect(lambda: easel.fill(not easel.filling))

    def acts(self) -> dict[str, Act]:
        """Return what its own shortcuts do."""
        document = self.document
        return {
            "New field": (document.new_field, self.controls.new_field),
            "Reset": (document.reset, self.controls.reset),
            "Export": (self.ask_export, self.export),
            "Copy as Python": (self.copy_python, self.copy),
            "Use as picture": (self.use_as_picture, self.controls.use),
            "Draw": (self.controls.draw.toggle, self.controls.draw),
            "Smaller window": (lambda: document.set_window(document.window - 1),),
            "Larger window": (lambda: document.set_window(document.window + 1),),
        }

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.figure.apply_theme(theme)
        self.draw_bar.apply_theme(theme)

    def _show_outcome(self, outcome: Outcome) -> None:
        self.figure.show_outcome(outcome)
        self._show_message()

    def _show_experiment(self, experiment: Experiment) -> None:
        drawn = experiment.field == "drawn"
        n, truth = experiment.n_states, experiment.make_truth() if drawn else None
        self.maps.show_drawn(truth, n)
        self.draw_bar.show_states(n)

    def _show_easel(self) -> None:
        self.controls.draw.setChecked(self.easel.drawing)
        if self.maps.paper.drawing != self.easel.drawing:
            self.maps.paper.set_drawing(self.easel.drawing)
            self.message.show_text(KEYS if self.easel.drawing else "")

    def _show_window(self, window: int) -> None:
        self.figure.show_window(window)
        self._show_message()

    def _show_activity(self, activity: Activity) -> None:
        computing = activity.work == "computing"
        self.progress.setVisible(computing)
        self.progress.setValue(percent_done(activity.fraction))
        self.cancel.setVisible(computing)
        self.refine.setVisible(activity.work == "declined")
        self._show_message()

    def _show_message(self, *_: object) -> None:
        document = self.document
        pixel = pixel_text(document.outcome, document.window, document.node)
        known = activity_text(document.outcome, document.activity, document.value)
        self.message.show_text(f"{known}.  {pixel}")

    def escape(self) -> None:
        """Dismiss a message, or else stop computing."""
        if self.banner.isVisible():
            self.banner.hide()
        else:
            self.document.cancel()

    # Exports

    def ask_export(self) -> None:
        """Ask for a file and write the curves or the figure to it."""
        settings = self._settings
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
        dpi = self._settings.dpi
        with on_paper(Figure, self._fill) as figure:
            title = figure.accessibleName()
            return drawn(figure, path, part=tight(figure), dpi=dpi, title=title)

    def _fill(self, figure: "Figure") -> None:
        """Show the same as on screen in a figure, without the pixel under the pointer."""
        document = self.document
        assert document.outcome is not None
        figure.setFont(self.figure.font())
        figure.apply_theme(LIGHT)
        figure.resize(self.figure.size())
        figure.show()
        figure.show_outcome(document.outcome)
        figure.show_window(document.window)
        if not self.maps.lens.whole:
            figure.maps.truth.canvas.show_part(self.maps.truth.canvas.box.viewRect())

    def use_as_picture(self) -> None:
        """Open the observation in the main window, with its true states."""
        outcome, window = self.document.outcome, self.document.window
        if outcome is None:
            self.want(None)
        else:
            n = outcome.experiment.n_states
            self.want(partial(picture_of, outcome.observation, outcome.truth, n, window, PICTURE))

    def copy_python(self) -> None:
        """Copy a script that computes the experiment."""
        clipboard = QGuiApplication.clipboard()
        assert clipboard is not None
        clipboard.setText(python_of(self.document.value))
        self.message.show_text("Copied a Python script of this experiment")

    def finish(self) -> None:
        """Wait for files being written."""
        self.background.finish(all_of_it=True)


def _write_table(outcome: Outcome, path: str) -> None:
    with replacing(path) as stream:
        stream.write(csv_of(outcome).encode())
