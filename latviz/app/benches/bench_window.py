"""Shared by the windows of all benches: a panel built from rows, undo, shortcuts and geometry."""

from collections.abc import Callable, Iterable, Mapping
from threading import Event
from typing import Any

from PyQt6.QtCore import QByteArray, Qt, pyqtSignal
from PyQt6.QtGui import QCloseEvent, QKeyEvent
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLayout, QScrollArea, QWidget

from latviz.app.benches.bench import BenchDocument
from latviz.app.docking.docks import scrolled
from latviz.app.look.screens import fit
from latviz.app.look.theme import Theme, on_panel
from latviz.app.panels.controls import TablePanel
from latviz.app.shell.banner import Banner
from latviz.app.shell.focus import FocusRing, order_tabs
from latviz.app.shell.settings import Settings
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import ElidedLabel, WrappedLabel
from latviz.app.widgets.keys import clicks_button
from latviz.app.widgets.shortcuts import BENCH, MAIN, Keys, add_shortcut, keyed, with_keys
from latviz.app.widgets.touchpad import WheelGuard
from latviz.core.parameter import Parameter, rows
from latviz.engine.keeping.plain import from_line, to_line

WIDTH = 270
"""Of the panel, in pixels."""
UNDO_TIP = with_keys("Undo the last change", MAIN["Undo"])
REDO_TIP = with_keys("Redo", MAIN["Redo"])
MAP_KEYS = keyed(
    "Arrow keys point at a pixel, with `Shift` in larger steps; plus and minus zoom, `Home` shows "
    "all."
)
USE_TIP = "Open the observation in the main window, where its states are known"

Act = tuple[Callable[[], object], *tuple[QWidget, ...]]
"""What a shortcut does, and the buttons that do the same, whose tips name it."""


def beside(*parts: QWidget) -> QWidget:
    """Return widgets in a line."""
    row = QWidget()
    layouts.row(*parts, of=row)
    return row


class BenchPanel(TablePanel):
    """Sets a field of the value with the control of each row, and shows the value.

    ``further`` rows set fields of the document besides its value.
    """

    is_compact = True
    about = ""
    """The text at the bottom."""

    def __init__(self, document: BenchDocument[Any], *further: Parameter) -> None:
        super().__init__((*further, *rows(document.value)), document.value)
        self._bench = document
        stack = document.undo_stack
        self.undo, self.redo = button("Undo", UNDO_TIP), button("Redo", REDO_TIP)
        for part, act, can in (
            (self.undo, stack.undo, stack.canUndoChanged),
            (self.redo, stack.redo, stack.canRedoChanged),
        ):
            part.clicked.connect(act)
            part.setEnabled(False)
            can.connect(part.setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)

    def _name_undo(self, text: str) -> None:
        self.undo.setToolTip(f"{UNDO_TIP}\n{text}".rstrip())

    def _name_redo(self, text: str) -> None:
        self.redo.setToolTip(f"{REDO_TIP}\n{text}".rstrip())

    def _set(self, row: Parameter, value: Any) -> None:
        """Set a control's value, which the document may change."""
        self._shown.pop(row.field, None)
        self._bench.set(row.undo, **row.change(self._bench.value, value))

    def lay_out(self, *below: QWidget, above: QWidget | None = None) -> None:
        """Lay out the groups, undo and redo, and the widgets ``below`` them.

        The widget ``above`` them takes the remaining height.
        """
        layout = layouts.column(of=self, margins=(10, 8, 10, 10), spacing=8)
        if above is not None:
            layout.addWidget(above, 1)
        for part in (*self._groups.values(), beside(self.undo, self.redo), *below):
            layout.addWidget(part)
        if self.about:
            layout.addStretch(1)
            about = WrappedLabel()
            about.setProperty("muted", True)
            about.show_text(self.about)
            layout.addWidget(about)
        self.align_boxes()
        self.show_parameters(self._bench.value)
        self._bench.value_changed.connect(self.show_parameters)


class BenchWindow(QWidget):
    """A panel of controls at the left, the rest to the right, and a message below."""

    # Subclasses make their parts, and define shortcuts. ``prepared`` is set when the kernels are
    # loaded; ``running`` starts automatic work
    closed = pyqtSignal()  # its thread, ``document.worker``, is about to end
    # Callable that makes a picture and parameters: show it in the main window
    wanted = pyqtSignal(object)
    name: str
    """The name in the settings file."""
    title: str
    size_: tuple[int, int]
    keys: Mapping[str, Keys] = BENCH
    """Its table of shortcuts."""
    document: BenchDocument[Any]
    controls: BenchPanel

    def __init__(
        self,
        settings: Settings,
        prepared: Event,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        running: bool = True,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(self.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fit(self, self.size_)
        self._settings = settings
        self.banner, self.message = Banner(), ElidedLabel()
        text, geometry = settings.bench(self.name)
        usual = self.usual()
        value = from_line(type(usual), text, usual)
        self.document = self.make_document(prepared, value, running)
        right, order = self.make_parts()
        self._lay_out(right)
        self.document.failed.connect(self.banner.show_failure)
        self._add_shortcuts()
        self.apply_theme(theme)
        self.restoreGeometry(geometry)
        order_tabs((self.banner, self.controls, *order))
        WheelGuard(self)
        self.ring = FocusRing(self)
        self.setFocus()
        self.document.start()

    def usual(self) -> Any:
        """Return the value to begin with if none was kept."""
        raise NotImplementedError

    def make_document(self, prepared: Event, value: Any, running: bool) -> BenchDocument[Any]:
        """Return the document of a value."""
        raise NotImplementedError

    def make_parts(self) -> tuple[QLayout, Iterable[QWidget]]:
        """Make and connect ``controls`` and the rest; return the layout next to them, and tabs."""
        raise NotImplementedError

    def acts(self) -> dict[str, Act]:
        """Return what the shortcuts of its own do, by their names."""
        return {}

    def escape(self) -> None:
        """Dismiss the message."""
        self.banner.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""

    def finish(self) -> None:
        """End background work besides the document's thread."""

    def bar(self, *parts: QWidget) -> QWidget:
        """Return the row at the bottom: the message and the buttons."""
        made = beside(self.message, *parts)
        layout = made.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.setStretch(0, 1)
        return made

    def want(self, make: Callable[[], object] | None) -> None:
        """Open the observation in the main window; without one, show a message."""
        if make is None:
            self.message.show_text("There is no observation yet")
        else:
            self.wanted.emit(make)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Click the focused button by Enter."""
        if event is not None and not clicks_button(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Store the value and the geometry, and end the thread without waiting."""
        geometry = QByteArray(self.saveGeometry())
        self._settings.keep_bench(self.name, to_line(self.document.value), geometry)
        self.finish()
        self.document.close()
        self.closed.emit()
        super().closeEvent(event)

    def _lay_out(self, right: QLayout) -> None:
        panel = scrolled(self.controls)
        panel.setFixedWidth(WIDTH)
        across = layouts.row(panel, (_roomy(right), 1), margins=(0, 0, 8, 0), spacing=8)
        layouts.column(self.banner, (across, 1), of=self, spacing=0)

    def _add_shortcuts(self) -> None:
        stack = self.document.undo_stack
        acts: dict[str, Act] = {
            **self.acts(),
            "Undo": (stack.undo,),
            "Redo": (stack.redo,),
            "Close": (self.close,),
            "Dismiss": (self.escape,),
        }
        for name, (act, *shown) in acts.items():
            keys = self.keys[name]
            add_shortcut(self, keys, act)
            for part in shown:
                part.setToolTip(with_keys(part.toolTip(), keys))


def _roomy(layout: QLayout) -> QScrollArea:
    """Return a scroll area around a layout, because its parts would overlap on a small screen."""
    content, area = QWidget(), QScrollArea()
    content.setLayout(layout)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the focusable widgets are inside
    area.setWidget(on_panel(content))
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    return area
