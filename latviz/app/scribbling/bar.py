"""A strip across the window: names, brushes, and the agreement of states with strokes."""

from PyQt6.QtCore import QEvent, QSize, Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QWidget,
)

from latviz.app.look.theme import on_panel
from latviz.app.panels.parameter_controls import NumberControl
from latviz.app.scribbling.scribbler import Scribbler
from latviz.app.shell.feature import Feature, Parts
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import CHIP, chip, small_button
from latviz.app.widgets.elided import ElidedLabel, as_tip
from latviz.app.widgets.shortcuts import CANCELS, keyed
from latviz.app.widgets.title_controls import embolden
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.appearance import LONGEST
from latviz.engine.settings.scribbles import BRUSHES, Scribbled

HINT = (
    "Type a name, such as sky, and paint over a part of it. Then paint other names. The merge "
    "tree is cut to match."
)
CUTTING = f"Cutting the tree … ({CANCELS})"
NO_PIXELS = "–"


class ScribbleBar(QWidget):
    """The tools of scribbling and their scores; visible while the user scribbles."""

    def __init__(self, scribbler: Scribbler) -> None:
        super().__init__()
        self.setObjectName("scribble-bar")
        self.setProperty("strip", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._scribbler = scribbler
        self.name = QLineEdit()
        self.name.setMaxLength(LONGEST)
        self.name.setPlaceholderText("name, e.g. sky")
        self.name.setAccessibleName("Name of the next stroke")
        self.name.setToolTip("The name of the next stroke; the states under it take the name")
        self.name.setFixedWidth(130)
        self.color = small_button("C&olour…", "Give this name another colour")
        self.size_ = NumberControl(BRUSHES, 0, "Brush size")
        self.size_.set_tool_tip("Width of the brush in pixels ([ and ] on the picture)")
        self.size_.slider.setMinimumWidth(60)
        self.size_.setMaximumWidth(180)
        self.erase = small_button("Erase", "Erase the strokes that you touch (E on the picture)")
        self.erase.setCheckable(True)
        self.clear = small_button("Clea&r", "Erase all strokes; the tree is cut as before")
        self.again = small_button(
            "Cu&t again", "Cut the tree to match the strokes, after w or N changed"
        )
        self.keeps_n = small_button(
            "&Keep N", "Move the cut of the tree, but do not change the number of states"
        )
        self.keeps_n.setCheckable(True)
        self.done = small_button("Done", keyed("Stop painting; the names stay (`Esc`)"))
        self.chips: list[QToolButton] = []
        self._group = QButtonGroup(self)
        self._gauge = _chip()
        self._gauge.setText("name")
        self._gauge.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.total = ElidedLabel()
        self.total.setToolTip("Share of painted pixels whose state has the name of the stroke")
        self._lay_out()
        self._connect()
        self._fit_height()
        self.hide()

    def _lay_out(self) -> None:
        layout = layouts.column(of=self, margins=(8, 4, 8, 4), spacing=4)
        above = layouts.row(
            QLabel("Scribble"),
            self.name,
            self.color,
            self.size_,
            self.erase,
            self.clear,
            self.again,
            self.keeps_n,
            1,
            self.done,
        )
        self._row = QWidget()
        self._chips = layouts.row(1, of=self._row, spacing=4)
        self._gauge.setParent(self._row)
        self._gauge.hide()
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setWidget(on_panel(self._row))
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        below = layouts.row((self._area, 2), (self.total, 1))
        layout.addLayout(above)
        layout.addLayout(below)

    def _connect(self) -> None:
        scribbler = self._scribbler
        self.name.textEdited.connect(scribbler.set_name)
        self.color.clicked.connect(scribbler.ask_color)
        self.size_.changed.connect(lambda size: scribbler.set_size(int(size)))
        self.erase.clicked.connect(scribbler.erase)
        self.clear.clicked.connect(scribbler.clear)
        self.again.clicked.connect(scribbler.cut_again)
        self.keeps_n.clicked.connect(scribbler.keep_n)
        self.done.clicked.connect(lambda: scribbler.set_on(False))
        scribbler.changed.connect(self.show_scribbles)

    def show_scribbles(self) -> None:
        """Show the tool in use, and the scores of the strokes."""
        scribbler, frame = self._scribbler, self._scribbler.frame
        was_shown = not self.isHidden()
        if was_shown != scribbler.is_on:
            self.setVisible(scribbler.is_on)
            self._fit_height()
        if not scribbler.is_on:
            return
        if self.name.text().strip() != scribbler.name:
            self.name.setText(scribbler.name)
        if not was_shown and not scribbler.name:
            self.name.setFocus()
        named = scribbler.name or "name"
        self.color.setIcon(chip(QColor(scribbler.color_of(named)), square=True))
        self.size_.set_value(scribbler.size)
        self.erase.setChecked(scribbler.erasing)
        self.keeps_n.setChecked(scribbler.scribbles.keeps_n)
        for button in (self.erase, self.clear, self.again):
            button.setEnabled(scribbler.has_strokes)
        self._show_scores(frame)

    def _show_scores(self, frame: Frame | None) -> None:
        names = self._scribbler.names
        found = None if frame is None else frame.scribbled
        node = "pixel" if frame is None else frame.request.picture.node_name
        self._make_chips(len(names))
        for button, name in zip(self.chips, names, strict=True):
            text, tip = score_texts(found, name, node)
            button.setText(f"{name}  {text}".replace("&", "&&"))
            button.setAccessibleName(f"Brush of {name}, {text}")
            button.setToolTip(as_tip(tip))
            button.setIcon(chip(QColor(self._scribbler.color_of(name)), square=True))
            button.setChecked(name == self._scribbler.name)
            embolden(button, name == self._scribbler.name)
        self._area.setVisible(bool(names))
        text = CUTTING if self._scribbler.is_cutting else total_text(found, node)
        self.total.show_text(text if names else HINT)

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_height()

    def _fit_height(self) -> None:
        """Give the lower line the height of a button, with names and without."""
        height = self._gauge.sizeHint().height()
        for part in (self._area, self.total):
            part.setFixedHeight(height)

    def _make_chips(self, n: int) -> None:
        while len(self.chips) > n:
            gone = self.chips.pop()
            self._group.removeButton(gone)
            self._chips.removeWidget(gone)
            gone.deleteLater()
        while len(self.chips) < n:
            button, place = _chip(), len(self.chips)
            button.clicked.connect(lambda _, place=place: self._scribbler.pick(place))
            self._group.addButton(button)
            self._chips.insertWidget(place, button)
            self.chips.append(button)


class Scribbling(Feature):
    """The bar of the brush below the menus."""

    def __init__(self, parts: Parts) -> None:
        self.bar = ScribbleBar(parts[Scribbler])

    def bar_below_menus(self) -> QWidget:
        """Return the bar."""
        return self.bar


def _chip() -> QToolButton:
    button = QToolButton()
    button.setCheckable(True)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setIconSize(QSize(CHIP, CHIP))
    return button


def score_texts(found: Scribbled | None, name: str, node: str = "pixel") -> tuple[str, str]:
    """Return the score of a name, and its meaning."""
    if found is None or name not in found.names:
        return "…", "The states are being decoded"
    label = found.names.index(name)
    n, right = found.n_pixels[label], found.n_right[label]
    if not n:
        return NO_PIXELS, "Its strokes are in another picture"
    states = [str(k + 1) for k, named in enumerate(found.named) if named == label]
    which = f"state {' and '.join(states)}" if states else "no state has it"
    tip = f"{node.capitalize()}s under its strokes with its name: {right:,} of {n:,} ({which})"
    return digits.share(right, n), tip


def total_text(found: Scribbled | None, node: str = "pixel") -> str:
    """Return the score of all strokes, in words."""
    n = 0 if found is None else sum(found.n_pixels)
    if found is None or not n:
        return ""
    return f"All: {digits.share(found.score())} of {n:,} {node}s"
