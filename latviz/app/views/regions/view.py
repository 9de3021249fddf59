"""The regions of the state map: a table, and controls for merging."""

from dataclasses import replace
from typing import Any, Self

from PyQt6.QtCore import QModelIndex, Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QTableView, QWidget

from latviz.app.panels.controls import NumberControl, NumberPanel, WheelGuard
from latviz.app.views.base import View
from latviz.app.views.regions.rows import RegionRows
from latviz.app.widgets import layouts, tables
from latviz.app.widgets.title_controls import caption
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import Listed
from latviz.engine.geometry.region_cut import EVIDENCE, SIZES
from latviz.engine.geometry.selection import ConnectedSelection
from latviz.engine.settings.state import State

_MARGINS = 6
"""Pixels above and below a row's text."""
_LOOKED_AT = 100
"""Rows by whose texts columns are made wide enough."""
_MOST_DRAWN = 50
"""Rows of a figure, at most."""
_SIZE_TIP = (
    "Regions with fewer pixels are merged, the smallest first, each into its most similar neighbour"
)
_EVIDENCE_TIP = (
    "Borders with less evidence are removed, the weakest first. Evidence: how many more bits both "
    "regions need with one distribution than with one each"
)


class CutControls(NumberPanel):
    """The limits below which regions are merged."""

    def __init__(self) -> None:
        super().__init__()
        self.size_control = NumberControl(SIZES, name="Least size", spacing="log")
        self.evidence_control = NumberControl(EVIDENCE, name="Least evidence", spacing="log")
        lines = QGridLayout(self)
        lines.setContentsMargins(8, 6, 8, 2)
        lines.setHorizontalSpacing(8)
        lines.setVerticalSpacing(2)
        guard, controls = WheelGuard(self), (self.size_control, self.evidence_control)
        for row, (control, text, tip) in enumerate(
            zip(controls, ("Least size", "Least evidence"), (_SIZE_TIP, _EVIDENCE_TIP), strict=True)
        ):
            label = QLabel(text)
            label.setBuddy(control.slider)
            label.setToolTip(tip)
            control.set_tool_tip(tip)
            for part in (control.slider, control.box):
                guard.guard(part)
            lines.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            lines.addWidget(control, row, 1)
        self.align_boxes()

    def show_state(self, state: State) -> None:
        """Show the settings, without a signal."""
        self.size_control.set_value(state.region_cut.least_size)
        self.evidence_control.set_value(state.region_cut.least_evidence)


class RegionsView(View):
    """A row for each of the largest regions; a click highlights its pixels."""

    TITLE = "Regions"
    SIZE = (360, 300)
    NEEDS = frozenset({"regions", "listed_regions"})
    KEYS = "Arrow keys move between rows, Enter highlights the pixels of one."

    cut = pyqtSignal(str, object)  # name of the command, and the new RegionCut

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls, self.said = CutControls(), caption("")
        self.rows, self.table = RegionRows(), QTableView()
        self._set_up_table()
        layouts.column(self.controls, self.said, (self.table, 1), of=self, spacing=0)
        self.controls.size_control.changed.connect(
            lambda size: self._set("size", least_size=int(size))
        )
        self.controls.evidence_control.changed.connect(
            lambda bits: self._set("evidence", least_evidence=float(bits))
        )
        self.table.clicked.connect(self._pick)
        tables.on_keys(self.table, self._pick, "Return", "Enter")

    def _set_up_table(self) -> None:
        header = tables.set_up(self.table, self.rows)
        header.setResizeContentsPrecision(_LOOKED_AT)
        header.setStretchLastSection(True)
        header.setSortIndicator(*self.rows.order)
        self.table.setSortingEnabled(True)
        self.take_keyboard(self.table)
        self.rows.modelReset.connect(self._mark_picked)

    def in_words(self, frame: Frame) -> str:
        """Return the number of regions, and the largest one."""
        some = _listed(frame)
        if some is None:
            return "Computing."
        node = frame.request.picture.node_name
        state, area = frame.called(int(some.states[0])), int(some.areas[0])
        return f"{_said(some)}. The largest is in {state}; its size in {node}s: {area:,}."

    def show_state(self, state: State) -> None:
        """Take the state."""
        super().show_state(state)
        self.controls.show_state(state)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the table without controls; of a long one the first rows."""
        self.controls.hide()
        tables.as_in_print(self.table)
        self.rows.order = shown.rows.order
        super().show_as_figure(shown, scale)
        header, rows = tables.headers(self.table)
        header.setSortIndicatorShown(False)
        height = min(self.rows.rowCount(), _MOST_DRAWN) * rows.defaultSectionSize()
        tables.fit_to_print(self, self.table, height, self.said.sizeHint().height())

    def draw_frame(self) -> None:
        """Fill the table."""
        assert self.frame is not None
        if (some := _listed(self.frame)) is not None:
            tables.set_row_heights(self.table, _MARGINS)
            self.said.setText(_said(some))
            self.rows.show_regions(self.frame, some, self.colors())

    def _mark_picked(self) -> None:
        """Select the row of the highlighted region."""
        picked, frame = self.state.selection, self.frame
        row = -1
        if isinstance(picked, ConnectedSelection) and frame is not None:
            assert frame.regions is not None
            labels = frame.regions.labels
            if len(picked.node) == labels.ndim:
                row = self.rows.row_of_region(int(labels[picked.node]))
        if row < 0:
            self.table.clearSelection()
        else:
            self.table.setCurrentIndex(self.rows.index(row, 0))

    def _pick(self, index: QModelIndex) -> None:
        if index.isValid():
            self.picked.emit(ConnectedSelection(self.rows.node(index.row())))

    def _set(self, what: str, **limit: Any) -> None:
        self.cut.emit(f"Change the least {what}", replace(self.state.region_cut, **limit))


def _listed(frame: Frame) -> Listed | None:
    return frame.results.get("listed_regions")


def _said(some: Listed) -> str:
    """Return the numbers of regions in all and in the list."""
    n, listed = some.n_regions, len(some.numbers)
    text = f"{n:,} region{'s' if n > 1 else ''}"
    return text if listed == n else f"{text}; the {listed:,} largest are listed"
