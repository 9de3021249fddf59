"""The panel of parameters, and the menus' commands on them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from PyQt6.QtCore import QEvent, QObject, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QStandardItemModel
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from latviz.app.document.document import Document, Lock
from latviz.app.shell.actions import OTHERS, Action, Item, Ready, plain
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.number_boxes import DecimalBox, WholeBox
from latviz.app.widgets.shortcuts import MAIN, name_of, with_keys
from latviz.app.widgets.slider import Slider
from latviz.app.widgets.title_controls import TitleButton, mark
from latviz.core.facts import PictureFacts
from latviz.core.parameter import SWITCH, Parameter, ParameterChoice, Spacing, row_of, rows
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.state import State

_SPARE = 40
"""Pixels that must be free below captions when they come back, so that they stay."""
KEEPING = "Use these settings, not the suggested ones, for the next picture of the same kind"


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
        self.slider.setRange(round(bounds[0] * self._unit), round(bounds[1] * self._unit))
        self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
        self.box: WholeBox | DecimalBox = DecimalBox() if decimals else WholeBox()
        if isinstance(self.box, DecimalBox):
            self.box.setDecimals(decimals)
            self.box.setRange(*bounds)
            self.box.setSingleStep(1 / self._unit)
        else:
            self.box.setRange(int(bounds[0]), int(bounds[1]))
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
        """Give the keyboard to the number, all of it selected: digits replace it."""
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
        control = LinkedControl(row.bounds, row.decimals, row.name, row.spacing, label, followed)
        label.setBuddy(control.link)
    elif row.spacing == "none":
        control = BoxControl(row.bounds, row.name)
        label.setBuddy(control)
    else:
        heading = None if compact else label
        control = NumberControl(row.bounds, row.decimals, row.name, row.spacing, heading)
        label.setBuddy(control.slider)
    label.setToolTip(tip_of(row))
    control.set_tool_tip(tip_of(row))
    return control


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


class TablePanel(NumberPanel):
    """One control for each row of a table of parameters: ``panel["n_states"]``.

    Subclasses set the value of a control in `_set`, and call `show_parameters`.
    """

    is_compact = False
    """True for labels next to their controls, without explanations of values."""

    def __init__(self, rows: tuple[Parameter, ...], values: Any) -> None:
        super().__init__()
        self._rows, self._facts = rows, PictureFacts()
        self._controls: dict[str, Control] = {}
        self._shown: dict[str, tuple[Any, ...]] = {}
        self._forms: dict[str, QFormLayout] = {}
        self._groups: dict[str, QGroupBox] = {}
        self._explanations: dict[str, WrappedLabel] = {}
        self._labels: dict[str, tuple[QLabel, QWidget | None]] = {}  # and what their letters focus
        self._elsewhere: Mapping[str, QWidget] = {}  # fields with a control in a view on screen
        self._is_brief = False  # captions are left out
        for row in rows:
            if row.group not in self._forms:
                self._groups[row.group], self._forms[row.group] = grouped(row.group)
            self._add(row, values)
            self[row.field].changed.connect(partial(self._set, row))

    def __getitem__(self, field: str) -> Control:
        """Return the control of a field, such as "window" or "encoding.scale"."""
        return self._controls[field]

    def number(self, field: str) -> NumberControl:
        """Return the control of a number."""
        control = self[field]
        assert isinstance(control, NumberControl)
        return control

    def _add(self, row: Parameter, values: Any) -> None:
        form, label = self._forms[row.group], QLabel(row.label)
        control = self._controls[row.field] = control_of(
            row, values, label, compact=self.is_compact
        )
        self._labels[row.field] = label, label.buddy()
        if label.parent() is None and not isinstance(control, SwitchControl):
            form.addRow(label, control)
        else:  # the label is inside
            form.addRow(control)
        if (row.explained or row.effect) and not self.is_compact:
            explanation = self._explanations[row.field] = WrappedLabel()
            explanation.setProperty("muted", True)
            form.addRow(explanation)

    def _set(self, row: Parameter, value: Any) -> None:
        raise NotImplementedError

    def show_parameters(self, values: Any) -> None:
        """Show the values of parameters that have an effect."""
        for row in self._rows:
            offered = not row.refused(values, self._facts.dimensions) and self._offers(row, values)
            visible = offered and row.field not in self._elsewhere
            shown = row.of(values), row.in_force(values), visible, self._facts
            if self._shown.get(row.field) != shown:
                self._shown[row.field] = shown
                self._show_row(row, *shown)
        for name, group in self._groups.items():
            form = self._forms[name]
            group.setVisible(any(form.isRowVisible(k) for k in range(form.rowCount())))

    def _offers(self, _row: Parameter, _values: Any) -> bool:
        """Return True if a parameter with an effect is shown."""
        return True

    def _show_row(
        self, row: Parameter, value: Any, in_force: Any, visible: bool, facts: PictureFacts
    ) -> None:
        control = self[row.field]
        if isinstance(control, LinkedControl):
            control.set_value(value, in_force)
        else:
            control.set_value(value)
        form = self._forms[row.group]
        if form.isRowVisible(control) != visible:  # else Qt lays the panel out again
            form.setRowVisible(control, visible)
        if row.field in self._explanations:
            tips = {choice.value: choice.tip for choice in row.choices_for(facts)}
            self._explanations[row.field].show_text(tips.get(value, row.effect))
            has_caption = visible and not self._is_brief
            if form.isRowVisible(self._explanations[row.field]) != has_caption:
                form.setRowVisible(self._explanations[row.field], has_caption)


class ControlPanel(TablePanel):
    """Panel that sets the parameters of a document, and shows them.

    The switch ``keep`` is for the title above it, where it is always visible.
    """

    def __init__(self, document: Document) -> None:
        self._document, self._shows_all = document, True
        super().__init__(rows(document.parameters), document.parameters)
        self.more = QPushButton()
        self.more.clicked.connect(lambda: self.show_advanced(not self._shows_all))
        self.reset = QPushButton("Reset")
        self.reset.setToolTip(
            with_keys("Return to the settings that suit this picture", MAIN["Reset parameters"])
        )
        self.keep = TitleButton("Keep these settings", "Keep")
        self.keep.setCheckable(True)
        self.keep.setToolTip(KEEPING)
        self.keep.setAccessibleName("Keep these settings")
        self._lay_out()
        self.reset.clicked.connect(document.reset)
        self.keep.clicked.connect(document.keep_settings)
        document.changed.connect(self._show_state)
        document.locked.connect(self._show_lock)
        self.show_parameters(document.parameters)
        self.align_boxes()

    def _lay_out(self) -> None:
        layout = layouts.column(*self._groups.values(), of=self, margins=(10, 8, 10, 10), spacing=8)
        below = layouts.row(self.more, self.reset)
        layout.addLayout(below)
        layout.addStretch(1)
        self.show_advanced(True)

    def show_advanced(self, shown: bool) -> None:
        """Show all parameters, or only those for newcomers."""
        self._shows_all = shown
        self.more.setText("Fewer ▴" if shown else "More ▾")
        self.more.setToolTip(
            "Show only the basic parameters, and those that you changed"
            if shown
            else "Show the advanced parameters, too"
        )
        self._show_again()

    def show_elsewhere(self, controls: Mapping[str, QWidget]) -> None:
        """Leave out the rows of fields that a view on screen has a control for."""
        if controls != self._elsewhere:
            self._elsewhere = dict(controls)
            for field, (label, buddy) in self._labels.items():  # whose letter is that of the view
                label.setBuddy(None if field in controls else buddy)
            self._show_again()

    def control_on_screen(self, field: str) -> QWidget:
        """Return the control of a field in a view on screen, or else in the panel."""
        return self._elsewhere.get(field, self[field])

    def event(self, event: QEvent | None) -> bool:
        """Leave captions out, or show them, in another height or with other parameters."""
        done = super().event(event)
        if event is not None and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return done

    def _fit(self) -> None:
        """Leave out captions that would make newcomers scroll."""
        viewport, need = self.parentWidget(), self.sizeHint().height()
        if viewport is None:
            return
        if self._is_brief:
            captions = self._explanations.values()
            need += sum(each.heightForWidth(self.width()) for each in captions) + _SPARE
        is_brief = not self._shows_all and need > viewport.height()
        if is_brief != self._is_brief:
            self._is_brief = is_brief
            self._show_again()

    def _show_again(self) -> None:
        self._shown.clear()
        self.show_parameters(self._document.parameters)

    def choosable(self) -> Iterator[tuple[Parameter, ChoiceControl]]:
        """Yield the parameters for newcomers that are chosen from a list, and their controls."""
        for row in self._rows:
            control = self[row.field]
            if row.essential and isinstance(control, ChoiceControl):
                yield row, control

    def choose(self, row: Parameter, value: Any, _on: bool = True) -> None:
        """Set a parameter from the menus."""
        self._set(row, value)

    def _set(self, row: Parameter, value: Any) -> None:
        """Set a control's value, which the document may change."""
        self._shown.pop(row.field, None)
        self._document.set(row.undo, **row.change(self._document.parameters, value))

    def _show_lock(self, lock: Lock | None) -> None:
        """Enable only parameters that can be set, with the reason for the others."""
        for row in self._rows:
            is_free = lock is None or row.field in lock.free
            self[row.field].setEnabled(is_free)
            self[row.field].set_tool_tip(
                tip_of(row) if lock is None or is_free else f"{lock.reason}\n{row.tip}"
            )
        self.reset.setEnabled(lock is None)

    def light(self, fields: Collection[str]) -> None:
        """Set off the controls of some parameters, and bring the first of them into view."""
        for row in self._rows:
            for control in {self[row.field], self.control_on_screen(row.field)}:
                control.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
                mark(control, "lit", row.field in fields)
        lit = [self[row.field] for row in self._rows if row.field in fields]
        viewport = self.parentWidget()
        area = None if viewport is None else viewport.parentWidget()
        if lit and isinstance(area, QScrollArea):
            area.ensureWidgetVisible(lit[0])

    def _show_state(self, old: State, new: State) -> None:
        self.keep.setChecked(new.keeps_settings)
        if new.pictures is not None and new.picture is not old.picture:
            self.show_pictures(new.pictures)
        elif new.parameters != old.parameters:
            self.show_parameters(new.parameters)

    def show_pictures(self, pictures: PictureSet) -> None:
        """Offer the choices that suit pictures."""
        self._facts = pictures.facts
        for row in self._rows:
            control = self[row.field]
            if isinstance(control, ChoiceControl):
                control.offer(row.choices_for(self._facts))
        self.show_parameters(self._document.parameters)

    def _offers(self, row: Parameter, values: Any) -> bool:
        """Return True for parameters for newcomers, and for those with an unusual value."""
        if self._shows_all or row.essential:
            return True
        return bool(row.of(values) != row.of(self._document.state.suited))


def tip_of(row: Parameter) -> str:
    """Return the tip of a parameter with the keys of its steps."""
    steps = ", ".join(name_of(MAIN[plain(step.text)]) for step in row.steps)
    return "\n".join(filter(None, (row.tool_tip, steps)))


def grouped(title: str) -> tuple[QGroupBox, QFormLayout]:
    """Return a titled group of controls and the form inside it."""
    group = QGroupBox(title)
    form = QFormLayout(group)
    form.setContentsMargins(0, 4, 0, 0)
    form.setHorizontalSpacing(10)
    form.setVerticalSpacing(6)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return group, form


def edit_actions(document: Document, owner: QObject) -> tuple[Item, ...]:
    """Return the actions that undo, redo and reset."""
    undo, redo = document.undo_stack.actions(owner)
    return (
        Ready(undo, ("Edit", 1.1)),
        Ready(redo, ("Edit", 1.2)),
        Action(
            "R&eset parameters",
            "Return to the settings that suit the picture",
            document.reset,
            at=(OTHERS, 2.1),
        ),
        Action(
            "&Keep these settings",
            KEEPING,
            document.keep_settings,
            at=(OTHERS, 2.0),
            ticked=lambda: document.state.keeps_settings,
        ),
    )


def step_actions(document: Document) -> tuple[Item, ...]:
    """Return the actions that raise or lower a parameter by one."""
    steps = ((row, step) for row in rows(document.parameters) for step in row.steps)
    return tuple(
        Action(
            step.text,
            step.tip,
            partial(step_by, document, row, step.by),
            at=("Steps", k / 10),
        )
        for k, (row, step) in enumerate(steps)
    )


def step_by(document: Document, row: Parameter, by: int) -> None:
    """Raise or lower a parameter, unless that leaves its range."""
    parameters, (low, high) = document.parameters, row.bounds or (0, 0)
    value = row.in_force(parameters) + by
    if low <= value <= high:
        document.set(row.undo, **row.change(parameters, value))


def focus_actions(document: Document, focus: Callable[[str], object]) -> tuple[Item, ...]:
    """Return the actions that focus a control, by the field of its parameter."""
    targets = ((row.field, row.focus) for row in rows(document.parameters) if row.focus)
    return tuple(
        Action(to.text, to.tip, partial(focus, field), at=("Focus", k / 10))
        for k, (field, to) in enumerate(targets)
    )


def choice_actions(panel: ControlPanel) -> Iterator[Item]:
    """Yield an action for each value of the parameters that are chosen from a list."""
    # No menu holds them, as the panel does: the finder lists them
    for row, control in panel.choosable():
        for k, choice in enumerate(row.choices_for()):
            yield Action(
                f"{row.name}: {choice.text}",
                choice.tip,
                partial(panel.choose, row, choice.value),
                at=("Parameters", k / 100),
                ticked=partial(control.shows, choice.value),
                enabled=partial(control.offers, choice.value),
            )


class Controls(Feature):
    """The panel, and the menu items for parameters."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]
        self.panel = ControlPanel(self._document)

    def menu_items(self) -> Iterator[Item]:
        """Yield the actions that undo, step and focus a control."""
        yield from edit_actions(self._document, self.panel)
        yield from step_actions(self._document)
        yield from focus_actions(self._document, self._focus)
        yield from choice_actions(self.panel)

    def _focus(self, field: str) -> None:
        """Give the keyboard to a parameter's control, and show the panel if it is hidden."""
        self._shell.show("controls")
        control = self.panel.control_on_screen(field)
        if isinstance(control, NumberControl):
            control.edit()
        else:
            control.setFocus(Qt.FocusReason.ShortcutFocusReason)
