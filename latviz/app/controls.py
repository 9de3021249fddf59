"""The panel of parameters."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PyQt6.QtCore import QEvent, QObject, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QStandardItemModel
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from latviz.app.document import Document
from latviz.app.widgets.elided import WrappedLabel
from latviz.core.data.encoding import ENCODINGS, SCALE_RANGE, SYMBOL_RANGE
from latviz.engine.parameters import (
    ALPHA_RANGE,
    SMOOTHING_RANGE,
    STATES_RANGE,
    WINDOW_RANGE,
    Parameters,
)
from latviz.engine.picture import Picture

LETTERS = "Each letter of the sequence is a symbol of its own."


class WheelGuard(QObject):
    """Lets the wheel change a control only if it has the keyboard; else the panel scrolls."""

    def guard(self, widget: QWidget) -> None:
        """Guard a control."""
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Pass wheel events on to the panel."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            return self._keeps(event)
        if event is None or event.type() != QEvent.Type.Wheel:
            return False
        if isinstance(watched, QWidget) and watched.hasFocus():
            return False
        event.ignore()
        return True

    @staticmethod
    def _keeps(event: QKeyEvent) -> bool:
        """Leave the page keys, which also turn slices, to the control that has the keyboard."""
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and not event.modifiers():
            event.accept()
        return event.isAccepted()


class NumberControl(QWidget):
    """A slider and a number box that agree.

    Arrow keys, page keys and the wheel work in both while they have the keyboard.

    Signals
    -------
    changed(object)
        The new number, when a person set it.
    """

    changed = pyqtSignal(object)

    def __init__(self, bounds: tuple[float, float], decimals: int = 0, name: str = "") -> None:
        super().__init__()
        self._unit = 10**decimals
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(round(bounds[0] * self._unit), round(bounds[1] * self._unit))
        self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
        self.box: QSpinBox | QDoubleSpinBox = QDoubleSpinBox() if decimals else QSpinBox()
        if isinstance(self.box, QDoubleSpinBox):
            self.box.setDecimals(decimals)
            self.box.setRange(*bounds)
            self.box.setSingleStep(1 / self._unit)
        else:
            self.box.setRange(int(bounds[0]), int(bounds[1]))
        self.box.setKeyboardTracking(False)
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        for part, kind in ((self.slider, "slider"), (self.box, "number")):
            part.setAccessibleName(f"{name} {kind}")
        self._lay_out()
        self.slider.valueChanged.connect(self._slider_moved)
        self.box.valueChanged.connect(self._box_set)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.box)

    @property
    def value(self) -> float:
        """The number."""
        return self.box.value()

    def set_value(self, value: float) -> None:
        """Show a number, without a signal."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setValue(round(value * self._unit))
            if isinstance(self.box, QDoubleSpinBox):
                self.box.setValue(value)
            else:
                self.box.setValue(round(value))

    def set_tool_tip(self, text: str) -> None:
        """Explain the number."""
        self.slider.setToolTip(text)
        self.box.setToolTip(text)

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

    changed = pyqtSignal(object)

    def __init__(self, name: str, symbol: str) -> None:
        super().__init__()
        self.number = NumberControl(WINDOW_RANGE, name=name)
        self.link = QCheckBox("= w")
        self.link.setToolTip(
            f"{symbol} follows w as long as this is ticked; untick it to set it apart"
        )
        self.link.setAccessibleName(f"{name} equals w")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.link)
        layout.addWidget(self.number, 1)
        self.number.changed.connect(self.changed)
        self.link.toggled.connect(self._toggled)

    def set_value(self, value: int | None, followed: int) -> None:
        """Show a value, or None for linked to ``followed``."""
        with QSignalBlocker(self.link):
            self.link.setChecked(value is None)
        self.number.set_value(followed if value is None else value)
        self.number.setEnabled(value is not None)

    def _toggled(self, linked: bool) -> None:
        self.changed.emit(None if linked else int(self.number.value))


class ControlPanel(QWidget):
    """Sets one field of the document's parameters with each control, and shows what is set."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._named = document, False
        self._make_controls()
        self._lay_out()
        self._connect_signals()
        self._wheel_guard = WheelGuard(self)
        for kind in (QSlider, QSpinBox, QDoubleSpinBox, QComboBox):
            for control in self.findChildren(kind):
                self._wheel_guard.guard(control)
        self.show_parameters(document.parameters)
        self._align_boxes()

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._align_boxes()

    def _align_boxes(self) -> None:
        """Let all number boxes be as wide as the widest, so that sliders end in one line."""
        boxes = [control.box for control in self.findChildren(NumberControl)]
        widest = max((box.sizeHint().width() for box in boxes), default=0)
        for box in boxes:
            box.setFixedWidth(widest)

    def _make_controls(self) -> None:
        self.encoding = QComboBox()
        for name, info in ENCODINGS.items():
            self.encoding.addItem(info.title, name)
            self.encoding.setItemData(
                self.encoding.count() - 1, info.summary, Qt.ItemDataRole.ToolTipRole
            )
        self.slices = self._choice((False, "together, in 3-D"), (True, "apart, in 2-D"))
        self.slices.setToolTip("Whether windows and neighbours reach into the next slices")
        self.slices.setAccessibleName("Slices")
        self.symbols = NumberControl(SYMBOL_RANGE, name="Symbols M")
        self.symbols.set_tool_tip("How many symbols the image is reduced to")
        self.scale = NumberControl(SCALE_RANGE, decimals=1, name="Texture scale")
        self.scale.set_tool_tip("Gaussian scale of the texture features, in pixels")
        self.states = NumberControl(STATES_RANGE, name="States N")
        self.states.set_tool_tip("The number of latent states N (Ctrl+Up, Ctrl+Down)")
        self.window_ = NumberControl(WINDOW_RANGE, name="Window w")
        self.window_.set_tool_tip("Half-width w of the window, in pixels (Ctrl+Right, Ctrl+Left)")
        self.learning = LinkedControl("Learning window", "w_l")
        self.learning.number.set_tool_tip(
            "Half-width of the window that the codebook is learned with"
        )
        self.evaluation = LinkedControl("Evaluation window", "w_e")
        self.evaluation.number.set_tool_tip(
            "Half-width of the window of the decoding that is evaluated"
        )
        self.alpha = NumberControl(ALPHA_RANGE, decimals=2, name="Markov correction alpha")
        self.alpha.set_tool_tip("Corrects the likelihood for assuming the Markov property")
        self.alpha_mode = self._choice(
            ("constant", "the same everywhere"), ("local", "by the window's inertia")
        )
        self.normalizer = self._choice(
            ("neighbours", "over the neighbours"), ("states", "over all states")
        )
        self.smoothing = NumberControl(SMOOTHING_RANGE, decimals=1, name="Smoothing")
        self.smoothing.set_tool_tip("Pseudo-counts added to A' and to each state's symbol counts")
        self.alpha_mode.setToolTip("Whether alpha depends on how inert the pixel's window is")
        self.alpha_mode.setAccessibleName("Kind of alpha")
        self.normalizer.setToolTip("What each pair's potential is divided by")
        self.normalizer.setAccessibleName("Normaliser")
        self.encoding.setToolTip("What the model sees of the image")
        self.encoding.setAccessibleName("Encoding")
        self.reset = QPushButton("Reset")
        self.reset.setToolTip(
            "Return to the parameters that were set when this picture was opened (Ctrl+R)"
        )

    @staticmethod
    def _choice(*items: tuple[Any, str]) -> QComboBox:
        box = QComboBox()
        for name, text in items:
            box.addItem(text, name)
        return box

    def _lay_out(self) -> None:
        self.encoding_summary = WrappedLabel()
        self.encoding_summary.setProperty("muted", True)
        observations, self._observation_form = grouped("Observations")
        self._observation_form.addRow("&Encoding", self.encoding)
        self._observation_form.addRow(self.encoding_summary)
        self._observation_form.addRow("Symbols &M", self.symbols)
        self._observation_form.addRow("S&cale", self.scale)
        model, form = grouped("Model")
        self._model_form = form
        form.addRow("Slices", self.slices)
        form.setRowVisible(self.slices, False)
        form.addRow("States &N", self.states)
        form.addRow("Window &w", self.window_)
        form.addRow("Learning w<sub>l</sub>", self.learning)
        form.addRow("Evaluation w<sub>e</sub>", self.evaluation)
        form.addRow("Smoothing", self.smoothing)
        likelihood, form = grouped("Likelihood")
        form.addRow("&Alpha α", self.alpha)
        form.addRow("α is", self.alpha_mode)
        form.addRow("Normalised", self.normalizer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.setSpacing(8)
        for part in (observations, model, likelihood):
            layout.addWidget(part)
        layout.addWidget(self.reset)
        layout.addStretch(1)
        for label in self.findChildren(QLabel):
            if isinstance(field := label.buddy(), NumberControl):
                label.setBuddy(field.slider)

    def _connect_signals(self) -> None:
        document = self._document
        document.parameters_changed.connect(self.show_parameters)
        document.picture_changed.connect(self.show_picture)
        self.slices.activated.connect(
            lambda _: document.set("Take slices apart", slices_apart=self.slices.currentData())
        )
        self.encoding.activated.connect(
            lambda _: self._set_encoding(name=self.encoding.currentData())
        )
        self.symbols.changed.connect(lambda value: self._set_encoding(n_symbols=int(value)))
        self.scale.changed.connect(lambda value: self._set_encoding(scale=float(value)))
        self._bind(self.states, "n_states", "Change N", int)
        self._bind(self.window_, "window", "Change w", int)
        self._bind(self.learning, "learning_window", "Change the learning window", _int_or_none)
        self._bind(
            self.evaluation, "evaluation_window", "Change the evaluation window", _int_or_none
        )
        self._bind(self.alpha, "alpha", "Change alpha", float)
        self._bind(self.smoothing, "smoothing", "Change the smoothing", float)
        self.alpha_mode.activated.connect(
            lambda _: document.set("Change alpha's kind", alpha_mode=self.alpha_mode.currentData())
        )
        self.normalizer.activated.connect(
            lambda _: document.set(
                "Change the normaliser", normalizer=self.normalizer.currentData()
            )
        )
        self.reset.clicked.connect(document.reset)

    def _bind(self, control: Any, field: str, text: str, kind: Callable[[Any], Any]) -> None:
        control.changed.connect(lambda value: self._document.set(text, **{field: kind(value)}))

    def _set_encoding(self, **changes: Any) -> None:
        encoding = replace(self._document.parameters.encoding, **changes)
        self._document.set("Change the encoding", encoding=encoding)

    def show_picture(self, picture: Picture) -> None:
        """Offer what suits a picture."""
        self._model_form.setRowVisible(self.slices, picture.dimensions == 3)
        model = self.encoding.model()
        assert isinstance(model, QStandardItemModel)
        for row, (name, info) in enumerate(ENCODINGS.items()):
            item, there = model.item(row), name in picture.encodings
            assert item is not None
            item.setEnabled(there)
            item.setToolTip(info.summary if there else "A sequence has symbols of its own")
        self._named = bool(picture.alphabet)
        self.show_parameters(self._document.parameters)

    def show_parameters(self, parameters: Parameters) -> None:
        """Show what is set."""
        info = ENCODINGS[parameters.encoding.name]
        self.encoding.setCurrentIndex(self.encoding.findData(parameters.encoding.name))
        self.encoding_summary.show_text(LETTERS if self._named else info.summary)
        self.symbols.set_value(parameters.encoding.n_symbols)
        self.scale.set_value(parameters.encoding.scale)
        self._observation_form.setRowVisible(self.symbols, info.uses_symbols)
        self._observation_form.setRowVisible(self.scale, info.uses_scale)
        self.slices.setCurrentIndex(int(parameters.slices_apart))
        self.states.set_value(parameters.n_states)
        self.window_.set_value(parameters.window)
        self.learning.set_value(parameters.learning_window, parameters.window)
        self.evaluation.set_value(parameters.evaluation_window, parameters.window)
        self.alpha.set_value(parameters.alpha)
        self.alpha_mode.setCurrentIndex(self.alpha_mode.findData(parameters.alpha_mode))
        self.normalizer.setCurrentIndex(self.normalizer.findData(parameters.normalizer))
        self.smoothing.set_value(parameters.smoothing)


def grouped(title: str) -> tuple[QGroupBox, QFormLayout]:
    """Return a titled group of controls and the form inside it."""
    group = QGroupBox(title)
    form = QFormLayout(group)
    form.setContentsMargins(0, 4, 0, 0)
    form.setHorizontalSpacing(10)
    form.setVerticalSpacing(6)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return group, form


def _int_or_none(value: Any) -> int | None:
    return None if value is None else int(value)
