"""The regions of the state map: a table, and controls for merging."""

from dataclasses import replace
from functools import partial
from typing import Any, Self

from PyQt6.QtCore import QModelIndex, Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QTableView, QToolButton, QWidget

from latviz.app.panels.parameter_controls import ChoiceControl, NumberControl, NumberPanel
from latviz.app.views.base import View
from latviz.app.views.regions.rows import RegionRows
from latviz.app.widgets import layouts, tables
from latviz.app.widgets.accessible_text import highlight
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import ENTER, keyed
from latviz.app.widgets.title_controls import caption, mark
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
_RANGES = {"size": SIZES, "evidence": EVIDENCE, "contrast": CONTRAST}
_TIPS = {
    "size": "Regions with fewer pixels are merged, the smallest first, each into its most similar "
    "neighbour",
    "evidence": "Borders with less evidence are removed, the weakest first. Evidence: how many "
    "more bits both regions need with one distribution than with one each",
    "contrast": "Borders with less contrast are removed, the weakest first. Contrast: how much "
    "signatures differ across the border, from 0 to 1, minus how much they do inside the regions",
}
_HINT = "Point at a border in the picture to see what makes it"
_NOTHING = "Nothing is highlighted"
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
        self.measure = ChoiceControl(_MEASURES, "Found by")
        self.limits: dict[str, NumberControl] = {}
        self._labels: dict[str, QLabel] = {}
        self._lines = QGridLayout(self)
        self._lines.setContentsMargins(8, 6, 8, 2)
        self._lines.setHorizontalSpacing(8)
        self._lines.setVerticalSpacing(2)
        self._add("Found by", self.measure, _MEASURE_TIP)
        for what, bounds in _RANGES.items():
            is_share, name = what == "contrast", f"Least {what}"
            control = NumberControl(bounds, 3 * is_share, name, "even" if is_share else "log")
            self.limits[what], self._labels[what] = control, self._add(name, control, _TIPS[what])
        self.align_boxes()

    def _add(self, text: str, control: NumberControl | ChoiceControl, tip: str) -> QLabel:
        """Add a line; return its label."""
        label, row = QLabel(text), self._lines.rowCount()
        label.setToolTip(tip)
        control.set_tool_tip(tip)
        label.setBuddy(control.slider if isinstance(control, NumberControl) else control)
        self._lines.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._lines.addWidget(control, row, 1)
        return label

    def show_state(self, state: State) -> None:
        """Show the settings, without a signal."""
        cut = state.region_cut
        self.measure.set_value(cut.measure)
        for what, control in self.limits.items():
            control.set_value(getattr(cut, f"least_{what}"))
            for part in (self._labels[what], control):
                part.setVisible(what in ("size", cut.measure))


class RegionsView(View):
    """What is highlighted, and a row for each of the largest regions; a click highlights one."""

    TITLE = "Regions"
    SIZE = (360, 300)
    NEEDS = frozenset({"regions", "listed_regions", "relief"})
    KEYS = keyed("Arrow keys move between rows, `Enter` highlights the pixels of one.")

    cut = pyqtSignal(str, object)  # name of the command, and the new RegionCut

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls, self.numbers, self.border = CutControls(), caption(""), caption(_HINT)
        self.rows, self.table = RegionRows(), QTableView()
        self.lit, self.clear, self.highlight = ElidedLabel(), QToolButton(), QWidget()
        self.clear.setText("Clear")
        self.clear.setToolTip(keyed("Clear the highlight (`Esc`)"))
        self.clear.setAccessibleName("Clear the highlight")
        layouts.row((self.lit, 1), self.clear, of=self.highlight, margins=(8, 0, 8, 4))
        self._set_up_table()
        parts = self.controls, self.numbers, self.border, self.highlight, (self.table, 1)
        layouts.column(*parts, of=self, spacing=0)
        for what, control in self.controls.limits.items():
            control.changed.connect(partial(self._set, f"the least {what}", f"least_{what}"))
        self.controls.measure.changed.connect(
            partial(self._set, "what regions are found by", "measure")
        )
        self.clear.clicked.connect(lambda: self.picked.emit(None))
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
        self.highlight.hide()
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
        is_lit = self.state.selection is not None
        self.clear.setEnabled(is_lit)
        mark(self.lit, "muted", not is_lit)
        if not is_lit or self.frame.lit is not None:  # a coarse frame has no highlight
            self.lit.show_text(highlight(self.frame) if is_lit else _NOTHING)
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

    def _set(self, what: str, field: str, value: Any) -> None:
        kind = type(getattr(self.state.region_cut, field))
        self.cut.emit(f"Change {what}", replace(self.state.region_cut, **{field: kind(value)}))


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
