"""The regions of the state map: a table, and controls for merging."""

from dataclasses import replace
from typing import Any, Self

from PyQt6.QtCore import QModelIndex, Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QTableView, QWidget

from latviz.app.panels.parameter_controls import ChoiceControl, NumberControl, NumberPanel
from latviz.app.views.base import View
from latviz.app.views.regions.rows import RegionRows
from latviz.app.widgets import layouts, tables
from latviz.app.widgets.shortcuts import ENTER, keyed
from latviz.app.widgets.title_controls import caption
from latviz.core import digits
from latviz.core.parameter import ParameterChoice
from latviz.engine.frames.border import Border, border_near
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import Listed
from latviz.engine.geometry.region_cut import CONTRAST, EVIDENCE, SIZES
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


_CONTRAST_TIP = (
    "Borders with less contrast are removed, the weakest first. Contrast: how much signatures "
    "differ across the border, from 0 to 1, minus how much they do inside the regions"
)
_HINT = "Point at a border in the picture to see what makes it"
_MEASURE_TIP = "Where regions begin and end"
_MEASURES = (
    ParameterChoice(
        "evidence",
        "states",
        "States",
        "Regions are connected pixels of one state. Suits pixels that are independent given their "
        "states",
    ),
    ParameterChoice(
        "contrast",
        "contrast",
        "Contrast",
        "Borders are where colours and textures differ, whatever the states. Suits photographs",
    ),
)


class CutControls(NumberPanel):
    """What regions are found by, and the limits below which they are merged."""

    def __init__(self) -> None:
        super().__init__()
        self.measure_control = ChoiceControl(_MEASURES, "Found by")
        self.size_control = NumberControl(SIZES, name="Least size", spacing="log")
        self.evidence_control = NumberControl(EVIDENCE, name="Least evidence", spacing="log")
        self.contrast_control = NumberControl(CONTRAST, 3, name="Least contrast")
        self._lines = QGridLayout(self)
        self._lines.setContentsMargins(8, 6, 8, 2)
        self._lines.setHorizontalSpacing(8)
        self._lines.setVerticalSpacing(2)
        self._add("Found by", self.measure_control, _MEASURE_TIP)
        self._add("Least size", self.size_control, _SIZE_TIP)
        self._limits = {
            "evidence": (
                self._add("Least evidence", self.evidence_control, _EVIDENCE_TIP),
                self.evidence_control,
            ),
            "contrast": (
                self._add("Least contrast", self.contrast_control, _CONTRAST_TIP),
                self.contrast_control,
            ),
        }
        self.align_boxes()

    def _add(self, text: str, control: NumberControl | ChoiceControl, tip: str) -> QLabel:
        """Add a line; return its label."""
        label, row = QLabel(text), self._lines.rowCount()
        label.setToolTip(tip)
        control.set_tool_tip(tip)
        if isinstance(control, NumberControl):
            label.setBuddy(control.slider)
        else:
            label.setBuddy(control)
        self._lines.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._lines.addWidget(control, row, 1)
        return label

    def show_state(self, state: State) -> None:
        """Show the settings, without a signal."""
        cut = state.region_cut
        self.measure_control.set_value(cut.measure)
        self.size_control.set_value(cut.least_size)
        self.evidence_control.set_value(cut.least_evidence)
        self.contrast_control.set_value(cut.least_contrast)
        for measure, parts in self._limits.items():
            for part in parts:
                part.setVisible(measure == cut.measure)


class RegionsView(View):
    """A row for each of the largest regions; a click highlights its pixels."""

    TITLE = "Regions"
    SIZE = (360, 300)
    NEEDS = frozenset({"regions", "listed_regions", "relief"})
    KEYS = keyed("Arrow keys move between rows, `Enter` highlights the pixels of one.")

    cut = pyqtSignal(str, object)  # name of the command, and the new RegionCut

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls, self.numbers, self.border = CutControls(), caption(""), caption(_HINT)
        self.rows, self.table = RegionRows(), QTableView()
        self._set_up_table()
        layouts.column(
            self.controls, self.numbers, self.border, (self.table, 1), of=self, spacing=0
        )
        self.controls.size_control.changed.connect(
            lambda size: self._set("size", least_size=int(size))
        )
        self.controls.evidence_control.changed.connect(
            lambda bits: self._set("evidence", least_evidence=float(bits))
        )
        self.controls.contrast_control.changed.connect(
            lambda contrast: self._set("contrast", least_contrast=float(contrast))
        )
        self.controls.measure_control.changed.connect(
            lambda measure: self.cut.emit(
                "Change what regions are found by", replace(self.state.region_cut, measure=measure)
            )
        )
        self.table.clicked.connect(self._pick)
        tables.on_keys(self.table, self._pick, ENTER)

    def _set_up_table(self) -> None:
        header = tables.set_up(self.table, self.rows)
        header.setResizeContentsPrecision(_LOOKED_AT)
        header.setStretchLastSection(True)
        header.setSortIndicator(*self.rows.order)
        self.table.setSortingEnabled(True)
        self.take_keyboard(self.table)
        self.rows.modelReset.connect(self._mark_picked)

    def needed(self) -> frozenset[str]:
        """Return the needed results."""
        return asked(self.state)

    def in_words(self, frame: Frame) -> str:
        """Return the number of regions, and the largest one."""
        some = _listed(frame)
        if some is None:
            return "Computing."
        node = frame.request.picture.node_name
        state, area = frame.called(int(some.states[0])), int(some.areas[0])
        text = _numbers_text(some, frame)
        return f"{text}. The largest is in {state}; its size in {node}s: {area:,}."

    def show_state(self, state: State) -> None:
        """Take the state."""
        super().show_state(state)
        self.controls.show_state(state)

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the table without controls; of a long one the first rows."""
        self.controls.hide()
        self.border.hide()
        tables.as_in_print(self.table)
        self.rows.order = shown.rows.order
        super().show_as_figure(shown, scale)
        header, rows = tables.headers(self.table)
        header.setSortIndicatorShown(False)
        height = min(self.rows.rowCount(), _MOST_DRAWN) * rows.defaultSectionSize()
        tables.fit_to_print(self, self.table, height, self.numbers.sizeHint().height())

    def draw_frame(self) -> None:
        """Fill the table."""
        assert self.frame is not None
        if (some := _listed(self.frame)) is not None:
            tables.set_row_heights(self.table, _MARGINS)
            self.numbers.setText(_numbers_text(some, self.frame))
            self.rows.show_regions(self.frame, some, self.colors())
        self.draw_inspection()

    def draw_inspection(self) -> None:
        """Explain the border at the pointer."""
        text, frame = "", self.frame
        if self.inspection is not None and frame is not None:
            text = border_text(border_near(frame, self.inspection.node), frame)
        self.border.setText(text or _HINT)

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


def asked(state: State) -> frozenset[str]:
    """Return the results that the view draws in a state."""
    by_contrast = state.region_cut.measure == "contrast"
    return RegionsView.NEEDS if by_contrast else RegionsView.NEEDS - {"relief"}


def border_text(border: Border | None, frame: Frame) -> str:
    """Return what separates two regions, in words; empty without a border."""
    if border is None:
        return ""
    one, other = (region + 1 for region in border.regions)
    between, strength = f"Regions {one:,} and {other:,}:", digits.bits(border.strength)
    is_share = border.contrast is not None or frame.observations.discrete
    p, q = (digits.share(value) if is_share else digits.measure(value) for value in border.values)
    if border.contrast is None:
        return f"{between} evidence {strength} bits. {border.what}: {p} and {q}"
    first, second = border.sides
    here = digits.bits(border.contrast)
    return f"{between} contrast {strength}, here {here}. {border.what}: {p} {first}, {q} {second}"


def _listed(frame: Frame) -> Listed | None:
    return frame.results.get("listed_regions")


def _numbers_text(some: Listed, frame: Frame) -> str:
    """Return the numbers of regions in all and in the list."""
    n, listed = some.n_regions, len(some.numbers)
    text = f"{n:,} region{'s' if n > 1 else ''}"
    if frame.request.region_cut.measure == "contrast":  # and not those of states in the headline
        text += " by contrast"
    return text if listed == n else f"{text}; the {listed:,} largest are listed"
