"""The panel of parameters, and the menus' commands on them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtWidgets import (
    QFormLayout,
    QGroupBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from latviz.app.document.document import Document
from latviz.app.panels.parameter_controls import (
    ChoiceControl,
    Control,
    LinkedControl,
    NumberControl,
    NumberPanel,
    SwitchControl,
    control_of,
    tip_of,
)
from latviz.app.shell.actions import OTHERS, Action, Item, Ready
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import WrappedLabel
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.widgets.title_controls import TitleButton, mark
from latviz.core.facts import PictureFacts
from latviz.core.parameter import Parameter, rows
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.given import Lock
from latviz.engine.settings.state import State

_SPARE = 40
"""Pixels that must be free below captions when they come back, so that they stay."""
KEEPING = "Use these settings, not the suggested ones, for the next picture of the same kind"


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
        if value != row.of(self._document.parameters):
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
        if new.pictures is not None and new.pictures is not old.pictures:
            self.show_pictures(new.pictures)
        elif new.parameters != old.parameters:
            self.show_parameters(new.parameters)

    def show_pictures(self, pictures: PictureSet) -> None:
        """Offer the choices and the ranges that suit pictures."""
        self._facts = pictures.facts
        for row in self._rows:
            control = self[row.field]
            if isinstance(control, ChoiceControl):
                control.offer(row.choices_for(self._facts))
            if row.reach is not None and isinstance(control, NumberControl | LinkedControl):
                number = control.number if isinstance(control, LinkedControl) else control
                number.set_range(row.bounds_for(self._facts))
        self.align_boxes()
        self.show_parameters(self._document.parameters)

    def _offers(self, row: Parameter, values: Any) -> bool:
        """Return True for parameters for newcomers, and for those with an unusual value."""
        if self._shows_all or row.essential:
            return True
        return bool(row.of(values) != row.of(self._document.state.suited))


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
    parameters, pictures = document.parameters, document.state.pictures
    low, high = row.bounds_for(None if pictures is None else pictures.facts)
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
