"""The controls of parameters: numbers, choices, switches."""

from typing import Any

from PyQt6.QtCore import QEvent, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QStandardItemModel
from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QWidget

from latviz.app.shell.actions import plain
from latviz.app.widgets import layouts
from latviz.app.widgets.number_boxes import DecimalBox, WholeBox
from latviz.app.widgets.shortcuts import MAIN, name_of
from latviz.app.widgets.slider import Slider
from latviz.core.parameter import SWITCH, Parameter, ParameterChoice, Spacing, row_of


class NumberControl(QWidget):
    """A slider and a number box that agree."""

    # They are in one line, or below a ``heading``: it is next to the box, and the slider has a line
    # of its own. Arrow keys, page keys and the wheel work in both while they have the keyboard
    changed = pyqtSignal(object)  # the number that the user set

    def __init__(
        self,
        bounds: tuple[float, float],
        decimals: int = 0,
        name: str = "",
        spacing: Spacing = "even",
        heading: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._unit = 10**decimals
        self.slider = Slider(spacing)
        self.box: WholeBox | DecimalBox = DecimalBox() if decimals else WholeBox()
        if isinstance(self.box, DecimalBox):
            self.box.setDecimals(decimals)
            self.box.setSingleStep(1 / self._unit)
        self.set_range(bounds)
        self.box.setKeyboardTracking(False)
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        for part, kind in ((self.slider, "slider"), (self.box, "number")):
            part.setAccessibleName(f"{name} {kind}")
        self._lay_out(heading)
        self.slider.valueChanged.connect(self._slider_moved)
        self.box.valueChanged.connect(self._box_set)

    def _lay_out(self, heading: QWidget | None) -> None:
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(2)
        layout.setColumnStretch(0, 1)
        if heading is None:
            layout.addWidget(self.slider, 0, 0)
        else:
            layout.addWidget(heading, 0, 0)
            layout.addWidget(self.slider, 1, 0, 1, 2)
        layout.addWidget(self.box, 0, 1)

    @property
    def value(self) -> float:
        """The number."""
        return self.box.value()

    def set_range(self, bounds: tuple[float, float]) -> None:
        """Take other bounds, without a signal."""
        low, high = (round(end * self._unit) for end in bounds)
        if (low, high) == (self.slider.minimum(), self.slider.maximum()):
            return
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setRange(low, high)
            self.slider.setPageStep(max(1, (high - low) // 10))
            if isinstance(self.box, DecimalBox):
                self.box.setRange(*bounds)
            else:
                self.box.setRange(low, high)

    def set_value(self, value: float) -> None:
        """Show a number, without a signal."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setValue(round(value * self._unit))
            if isinstance(self.box, DecimalBox):
                self.box.setValue(value)
            else:
                self.box.setValue(round(value))

    def set_tool_tip(self, text: str) -> None:
        """Explain the number."""
        self.slider.setToolTip(text)
        self.box.setToolTip(text)

    def set_free(self, free: bool) -> None:
        """Enable the number, or hide the slider and only show the number."""
        self.slider.setVisible(free)
        self.box.setEnabled(free)

    def edit(self) -> None:
        """Give the keyboard to the number and select it, so that typed digits replace it."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def focusInEvent(self, event: QFocusEvent | None) -> None:
        """Give the keyboard to the slider; a focus proxy would be one more stop for Tab."""
        reason = Qt.FocusReason.OtherFocusReason if event is None else event.reason()
        self.slider.setFocus(reason)

    def _slider_moved(self, position: int) -> None:
        value = position if self._unit == 1 else position / self._unit
        self.set_value(value)
        self.changed.emit(value)

    def _box_set(self, value: float) -> None:
        self.set_value(value)
        self.changed.emit(value)


class LinkedControl(QWidget):
    """A number that follows another one until it is unlinked; its value is then its own."""

    changed = pyqtSignal(object)  # the number that the user set; None: linked

    def __init__(
        self,
        bounds: tuple[float, float],
        decimals: int,
        name: str,
        spacing: Spacing,
        label: QWidget,
        followed: str,
    ) -> None:
        super().__init__()
        self.link = QCheckBox(f"= {followed}")
        self.link.setToolTip(
            f"{name} follows {followed} while this is ticked; untick it to set it separately"
        )
        self.link.setAccessibleName(f"{name} equals {followed}")
        heading = QWidget()
        layouts.row((label, 1), self.link, of=heading)
        self.number = NumberControl(bounds, decimals, name, spacing, heading)
        layouts.column(self.number, of=self)
        self.number.changed.connect(self.changed)
        self.link.toggled.connect(self._toggled)

    def set_value(self, value: float | None, followed: float) -> None:
        """Show a value, or None for linked to ``followed``."""
        with QSignalBlocker(self.link):
            self.link.setChecked(value is None)
        self.number.set_value(followed if value is None else value)
        self.number.set_free(value is not None)

    def set_tool_tip(self, text: str) -> None:
        """Explain the number."""
        self.number.set_tool_tip(text)

    def _toggled(self, linked: bool) -> None:
        self.changed.emit(None if linked else self.number.value)


class ChoiceControl(QComboBox):
    """A list of values to choose from; a ``narrow`` one cuts long texts."""

    changed = pyqtSignal(object)  # the value that the user chose

    def __init__(
        self, choices: tuple[ParameterChoice, ...], name: str, *, narrow: bool = False
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        if narrow:
            self.setMinimumContentsLength(1)
            self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for choice in choices:
            self.addItem(choice.text, choice.value)
        self.offer(choices)
        self.activated.connect(lambda _: self.changed.emit(self.currentData()))

    def offer(self, choices: tuple[ParameterChoice, ...]) -> None:
        """Enable the values that the picture can have; the others show why it cannot."""
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for row, choice in enumerate(choices):
            item = model.item(row)
            assert item is not None
            item.setEnabled(not choice.refusal)
            item.setToolTip(choice.refusal or choice.tip)

    def shows(self, value: Any) -> bool:
        """Return True if a value is chosen."""
        return bool(self.currentData() == value)

    def offers(self, value: Any) -> bool:
        """Return True if a value can be chosen now."""
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        item = model.item(self.findData(value))
        return self.isEnabled() and item is not None and item.isEnabled()

    def set_value(self, value: Any) -> None:
        """Show a value, without a signal."""
        self.setCurrentIndex(self.findData(value))

    def set_tool_tip(self, text: str) -> None:
        """Explain the choice."""
        self.setToolTip(text)


class SwitchControl(QCheckBox):
    """A check box with a label."""

    changed = pyqtSignal(object)  # True if the user ticked it

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.clicked.connect(lambda on: self.changed.emit(on))

    def set_value(self, value: bool) -> None:
        """Show a value, without a signal."""
        self.setChecked(value)

    def set_tool_tip(self, text: str) -> None:
        """Explain the switch."""
        self.setToolTip(text)


class BoxControl(WholeBox):
    """An integer of too wide a range for a slider."""

    changed = pyqtSignal(object)  # the number that the user set

    def __init__(self, bounds: tuple[float, float], name: str) -> None:
        super().__init__()
        self.setRange(int(bounds[0]), int(bounds[1]))
        self.setKeyboardTracking(False)
        self.setAccessibleName(name)
        self.valueChanged.connect(lambda number: self.changed.emit(number))

    def set_value(self, value: int) -> None:
        """Show a number, without a signal."""
        with QSignalBlocker(self):
            self.setValue(value)

    def set_tool_tip(self, text: str) -> None:
        """Explain the number."""
        self.setToolTip(text)


Control = NumberControl | LinkedControl | ChoiceControl | SwitchControl | BoxControl


def control_of(row: Parameter, table: Any, label: QLabel, *, compact: bool = False) -> Control:
    """Return the control of a parameter, explained.

    That of a number holds the label, too, unless it is compact.
    """
    control: Control
    if row.choices is SWITCH:
        control = SwitchControl(row.label)
    elif row.bounds is None:
        control = ChoiceControl(row.choices_for(), row.name, narrow=compact)
        label.setBuddy(control)
    elif row.follows:
        followed = row_of(table, row.follows).short
        control = LinkedControl(
            row.bounds_for(), row.decimals, row.name, row.spacing, label, followed
        )
        label.setBuddy(control.link)
    elif row.spacing == "none":
        control = BoxControl(row.bounds, row.name)
        label.setBuddy(control)
    else:
        heading = None if compact else label
        control = NumberControl(row.bounds_for(), row.decimals, row.name, row.spacing, heading)
        label.setBuddy(control.slider)
    label.setToolTip(tip_of(row))
    control.set_tool_tip(tip_of(row))
    return control


def tip_of(row: Parameter) -> str:
    """Return the tip of a parameter with the keys of its steps."""
    steps = ", ".join(name_of(MAIN[plain(step.text)]) for step in row.steps)
    return "\n".join(filter(None, (row.tool_tip, steps)))


class NumberPanel(QWidget):
    """A panel whose number boxes begin in one line, for any size of the text."""

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.align_boxes()

    def align_boxes(self) -> None:
        """Make all number boxes as wide as the widest."""
        boxes = [control.box for control in self.findChildren(NumberControl)]
        widest = max((box.sizeHint().width() for box in boxes), default=0)
        for box in boxes:
            box.setFixedWidth(widest)
