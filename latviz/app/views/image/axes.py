"""The controls for the axes of a file, in the title of the image."""

from functools import partial

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMenu, QToolButton, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.number_boxes import WholeBox
from latviz.core.axes import APART, COLOUR, LATTICE, VECTOR, Axis, Role, roles_of
from latviz.engine.pictures.picture import Picture

MOST_LISTED = 40
"""Entries that a menu lists; one of more is chosen by its number."""


class AxisControl(QWidget):
    """Shows the role of an axis, and gives it another: a menu, and a box for the entry shown."""

    picked = pyqtSignal(str, object)  # the name of the axis and its new role

    def __init__(self, axis: Axis, role: Role, readable: bool) -> None:
        super().__init__()
        self._axis, self._role = axis, role
        self.button, self.box = QToolButton(), WholeBox()
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.button)
        self.button.setMenu(self.menu)
        self.button.setText(f"{_text(axis, role)} ▾")
        self.button.setToolTip(f"What the {axis.length} {axis.word}s of the file are")
        self.button.setAccessibleName(f"Axis {axis.name}: {_text(axis, role)}")
        self.box.setKeyboardTracking(False)
        self.box.setRange(1, axis.length)
        self.box.setAccessibleName(axis.word.capitalize())
        self.box.setToolTip(f"Which of {axis.length} {axis.word}s is shown")
        layouts.row(self.button, self.box, of=self, margins=(0, 0, 6, 0), spacing=4)
        is_one = isinstance(role, tuple) and len(role) == 1
        self.box.setVisible(is_one)
        if is_one:
            with QSignalBlocker(self.box):
                self.box.setValue(int(role[0]) + 1)
        self.box.valueChanged.connect(lambda value: self._pick((value - 1,)))
        self._fill(readable)

    def _fill(self, readable: bool) -> None:
        """List roles, and entries if they are few; of a picture without a file, slices alone."""
        axis = self._axis
        if not axis.of_samples and axis.name != "c":
            self._add("As slices of a volume", LATTICE)
            self._add("As slices apart, one model for all", APART)
        if not readable:
            return
        if axis.may_be_colour:
            self._add("As red, green and blue", COLOUR)
        self._add("As the numbers of a pixel", VECTOR)
        self._add(f"One {axis.word}", (0,))
        if axis.length > MOST_LISTED or not (axis.of_samples or axis.name == "c"):
            return
        self.menu.addSeparator()
        for index in range(axis.length):
            action = self._add(axis.entry(index), None)
            action.setChecked(self._role != COLOUR and index in axis.chosen(self._role))
            action.triggered.connect(partial(self._toggle, index))

    def _add(self, text: str, role: Role | None) -> QAction:
        action = QAction(text.replace("&", "&&"), self.menu)
        action.setCheckable(True)
        self.menu.addAction(action)
        if role is not None:
            alike = isinstance(role, tuple) and isinstance(self._role, tuple)
            action.setChecked(role == self._role or (alike and len(self._role) == 1))
            action.triggered.connect(partial(self._pick, role))
        return action

    def _toggle(self, index: int, on: bool) -> None:
        """Add an entry to those of the vector, or take it away; one at least stays."""
        before = () if self._role == COLOUR else self._axis.chosen(self._role)
        entries = {*before, index} if on else {*before} - {index}
        whole = len(entries) == self._axis.length
        self._pick(VECTOR if whole else tuple(sorted(entries)) or (index,))

    def _pick(self, role: Role, *_: object) -> None:
        self.picked.emit(self._axis.name, role)


class AxesBar(QWidget):
    """A control for each axis of the file on screen; hidden if it has none."""

    picked = pyqtSignal(str, object)  # the name of an axis and its new role

    def __init__(self) -> None:
        super().__init__()
        self._row = layouts.row(of=self, margins=(0, 0, 0, 0), spacing=0)
        self.controls: list[AxisControl] = []
        self.hide()

    def show_picture(self, picture: Picture) -> None:
        """Show the axes of the picture's file, or the slices of another volume."""
        for control in self.controls:
            self._row.removeWidget(control)
            control.deleteLater()
        roles, axes = roles_of(picture.origin.get("axes", "")), picture.axes
        if not axes and picture.dimensions == 3:
            axes = (Axis("z", picture.shape[0], usual=LATTICE),)
        readable = "path" in picture.origin
        self.controls = [
            AxisControl(axis, roles.get(axis.name, axis.usual), readable) for axis in axes
        ]
        for control in self.controls:
            control.picked.connect(self.picked)
            self._row.addWidget(control)
        self.setVisible(bool(self.controls))


def _text(axis: Axis, role: Role) -> str:
    """Return the role of an axis in a few words."""
    if isinstance(role, tuple) and len(role) == 1:
        return axis.entries[role[0]] if axis.entries else axis.word
    n = len(axis.chosen(role))
    words = {LATTICE: f"{n} {axis.word}s", APART: f"{n} {axis.word}s apart", COLOUR: "colour"}
    return words.get(str(role), f"{n} channels")
