"""The Layers control in the title of a viewer: it follows from the table of layers."""

from collections.abc import Iterable
from typing import Any

from PyQt6.QtCore import QEvent, QPoint, QSignalBlocker, QSize, Qt
from PyQt6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PyQt6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QGridLayout,
    QRadioButton,
    QSlider,
    QWidget,
)

from latviz.app.document.document import Document
from latviz.app.views.viewer.layers import LayerRow, rows_of
from latviz.app.views.viewer.view import Viewer
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.title_controls import TitleButton
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import State, ViewerName

_INDENT = 22
_SLIDER = 96
_SIGN = "▾"
_LEAST_ROW = 52
"""Least height of every viewer's title, so that viewers side by side are equal."""


class LayerControls:
    """The check box of a layer, its opacity, options and histogram, in rows of a grid."""

    def __init__(
        self, row: LayerRow, document: Document, viewer: ViewerName, foot: QWidget | None
    ) -> None:
        self.row, self._document, self._viewer, self.foot = row, document, viewer, foot
        self.box = QCheckBox(row.title)
        self._explain(row.tip)
        self.box.clicked.connect(lambda on: row.switch(document, viewer, on))
        self.slider = self._slider() if row.opacity else None
        self.group = QButtonGroup(self.box)
        self.radios = {value: self._radio(value, text) for value, text in self._texts()}

    def _explain(self, tip: str) -> None:
        self.box.setToolTip(tip)
        self.box.setAccessibleDescription(tip)

    def _texts(self) -> tuple[tuple[Any, str], ...]:
        return () if self.row.options is None else self.row.options.texts

    def _slider(self) -> QSlider:
        slider, field = QSlider(Qt.Orientation.Horizontal), self.row.opacity
        slider.setRange(0, 100)
        slider.setFixedWidth(_SLIDER)
        slider.setAccessibleName(f"Opacity of {self.row.title}")
        slider.setToolTip("How far the layer covers what is below it")
        slider.valueChanged.connect(
            lambda value: self._document.set_layers(self._viewer, **{field: value / 100})
        )
        return slider

    def _radio(self, value: Any, text: str) -> QRadioButton:
        radio, options = QRadioButton(text), self.row.options
        assert options is not None
        radio.setAccessibleName(f"{self.row.title}: {text}")
        radio.clicked.connect(lambda: options.choose(self._document, self._viewer, value))
        self.group.addButton(radio)
        return radio

    def put(self, grid: QGridLayout) -> None:
        """Add the controls below the others in a grid."""
        line = grid.rowCount()
        grid.addWidget(self.box, line, 0)
        if self.slider is not None:
            grid.addWidget(self.slider, line, 1)
        for k, radio in enumerate(self.radios.values(), start=1):
            radio.setStyleSheet(f"margin-left: {_INDENT}px")
            grid.addWidget(radio, line + k, 0, 1, 2)
        if self.foot is not None:
            grid.addWidget(self.foot, grid.rowCount(), 0, 1, 2)

    def show_state(self, state: State) -> None:
        """Show the layer's settings, without a signal; hide controls without a use."""
        layers = state.display.layers(self._viewer)
        there, on = self.row.there(state), self.row.is_on(state, layers)
        self.box.setVisible(there)
        self.box.setChecked(on)
        if self.slider is not None:
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(100 * getattr(layers, self.row.opacity)))
            self.slider.setVisible(there)
            self.slider.setEnabled(on)
        chosen = None if self.row.options is None else self.row.options.chosen(state, layers)
        for value, radio in self.radios.items():
            radio.setVisible(there and on)
            radio.setChecked(value == chosen)
        if self.foot is not None:
            self.foot.setVisible(there and on)

    def show_frame(self, frame: Frame) -> None:
        """Say in the tip what a frame shows of the layer."""
        about = self.row.about(frame)
        self._explain(f"{self.row.tip}. {about}" if about else self.row.tip)


class LayersPanel(QFrame):
    """The layers of a viewer in a list that stays open; Escape and a click elsewhere close it."""

    def __init__(self, document: Document, view: Viewer, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("layers")
        self.setAccessibleName(f"Layers of the {view.TITLE.lower()}")
        feet, viewer = {"map": view.histogram}, view.VIEWER
        self.controls = {
            row.name: LayerControls(row, document, viewer, feet.get(row.name))
            for row in rows_of(viewer)
        }
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 10)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        for part in self.controls.values():
            part.put(grid)

    def show_state(self, state: State) -> None:
        """Show the settings."""
        for part in self.controls.values():
            part.show_state(state)
        self.adjustSize()

    def show_frame(self, frame: Frame | None) -> None:
        """Show what a frame has of the layers."""
        if frame is not None:
            for part in self.controls.values():
                part.show_frame(frame)

    def changeEvent(self, event: QEvent | None) -> None:
        """Close where nothing can be set: keys, and so Escape, do not reach what is disabled."""
        super().changeEvent(event)
        if not self.isEnabled():
            self.hide()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Close on Escape."""
        if keys.bare(event) == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


class LayersButton(TitleButton):
    """Opens the list of a viewer's layers, which is made on first use."""

    def __init__(self, document: Document, view: Viewer) -> None:
        super().__init__(f"Layers {_SIGN}", _SIGN)
        self._document, self._view = document, view
        self._panel: LayersPanel | None = None
        self.setProperty("menu", True)
        name = f"ayers of the {view.TITLE.lower()}"
        self.setAccessibleName(f"L{name}")
        self.setToolTip(f"The l{name}, one over the other")
        self.clicked.connect(self.open)
        document.changed.connect(self._show_state)
        document.frame_changed.connect(self._show_frame)

    @property
    def panel(self) -> LayersPanel:
        """The list."""
        if self._panel is None:
            self._panel = LayersPanel(self._document, self._view, self)
            self._panel.show_state(self._document.state)
            self._panel.show_frame(self._document.frame)
        return self._panel

    def open(self) -> None:
        """Open the list below the button, inside the screen, and give it the keyboard."""
        if not self.isEnabled():
            return
        panel = self.panel
        panel.show_state(self._document.state)
        self._place(panel)
        panel.show()
        first = next(iter(panel.controls.values()))
        first.box.setFocus(Qt.FocusReason.PopupFocusReason)

    def _place(self, panel: LayersPanel) -> None:
        """Put the list below the button, inside the screen."""
        below = self.mapToGlobal(QPoint(self.width() - panel.sizeHint().width(), self.height()))
        screen = self.screen() or QGuiApplication.primaryScreen()
        if screen is not None:
            room = screen.availableGeometry()
            size = panel.sizeHint()
            below.setX(max(room.left(), min(below.x(), room.right() - size.width())))
            below.setY(max(room.top(), min(below.y(), room.bottom() - size.height())))
        panel.move(below)

    def _show_state(self, _old: State, new: State) -> None:
        viewer = self._view.VIEWER
        layers, rows = new.display.layers(viewer), rows_of(viewer)
        on = [row.title for row in rows if row.there(new) and row.is_on(new, layers)]
        self.setAccessibleDescription(f"On: {', '.join(on)}." if on else "All are off.")
        if self._panel is not None:
            self._panel.show_state(new)
            self._place(self._panel)  # it may be longer now

    def _show_frame(self, frame: Frame) -> None:
        if self._panel is not None:
            self._panel.show_frame(frame)


class LayersRow(QWidget):
    """Controls in the title of a viewer, and the button of its layers."""

    # The button has its name unless the others would have too little room; the text next to it
    # shrinks first

    def __init__(self, parts: Iterable[QWidget], layers: LayersButton) -> None:
        super().__init__()
        self.layers = layers
        self._row = layouts.row(*parts, layers, of=self, spacing=0)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Return room for the other controls and for the sign of the list."""
        width = self._width_of_others() + self.layers.minimumSizeHint().width()
        return QSize(max(_LEAST_ROW, width), self._row.minimumSize().height())

    def sizeHint(self) -> QSize:
        """Ask for room for all."""
        hint = self._row.sizeHint()
        spare = self.layers.sizeHint().width() - self.layers.minimumWidth()
        return QSize(hint.width() + spare, hint.height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Name the button if there is room."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent | None) -> bool:
        """Show the button's name if there is room, when the other controls change."""
        done = super().event(event)
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _width_of_others(self) -> int:
        """Return the least width of the controls next to the button."""
        return self._row.minimumSize().width() - self.layers.minimumWidth()

    def _fit(self) -> None:
        named = self.layers.sizeHint().width()
        has_room = self._width_of_others() + named <= self.width()
        self.layers.setFixedWidth(named if has_room else self.layers.minimumSizeHint().width())
