"""A Python console with the frame on screen, in the program's own process."""

import os
from dataclasses import fields
from typing import Any, Self

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPlainTextEdit, QWidget

from latviz import core
from latviz.app.document.document import Document
from latviz.app.views.base import View
from latviz.app.widgets import layouts
from latviz.core.errors import ParameterError
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State

BANNER = """\
frame, states, model, values: what is on screen.  latviz: the core.
set(window=6, n_states=4) moves sliders, help(set) lists all.
"""


def _started() -> Any:
    """Return the manager of a new interpreter in this process."""
    os.environ.setdefault("QT_API", "pyqt6")
    from qtconsole.inprocess import QtInProcessKernelManager  # takes a second, and may be missing
    from traitlets.config import Config  # as above

    options = {"HistoryManager": {"enabled": False}, "InteractiveShell": {"xmode": "Minimal"}}
    manager = QtInProcessKernelManager(config=Config(options))
    manager.start_kernel(show_banner=False)
    return manager


class ConsoleView(View):
    """The console; it starts when it is seen first."""

    TITLE = "Python console"
    SIZE = (640, 260)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.console: Any = None
        self._document: Document | None = None
        self._line = ""  # the line that a slider wrote
        self._sets = False

    def begin(self, document: Document) -> None:
        """Take the document that `set` changes."""
        self._document = document

    def in_words(self, _frame: Frame) -> str:
        """Return a description."""
        return "A Python console, in which set() changes parameters."

    def draw_frame(self) -> None:
        """Give the console the frame."""
        if self.console is None and not self.is_figure:
            self._start()
        if self.console is not None and self.frame is not None:
            frame = self.frame
            values = frame.observations.values
            self._push(frame=frame, states=frame.states, model=frame.model, values=values)

    def draw_theme(self) -> None:
        """Take other colours."""
        if self.console is not None:
            self.console.set_default_style("linux" if self.theme.name == "dark" else "lightbg")

    def show_state(self, state: State) -> None:
        """Write the line that sets what a slider has set, unless the user is writing."""
        before, after = self.state.parameters, state.parameters
        super().show_state(state)
        if self.console is None or before == after or self._sets:
            return
        names = (one.name for one in fields(Parameters))
        changed = {n: getattr(after, n) for n in names if getattr(after, n) != getattr(before, n)}
        if self.console.input_buffer in ("", self._line):
            self._line = f"set({', '.join(f'{n}={v!r}' for n, v in changed.items())})"
            self.console.input_buffer = self._line

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the text of another console."""
        text = "" if shown.console is None else shown.console._control.toPlainText()
        page = QPlainTextEdit(text)
        page.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layouts.column(page, of=self)
        super().show_as_figure(shown, scale)

    def finish(self) -> None:
        """End the interpreter and its thread."""
        if self.console is not None:
            self.console.kernel_client.stop_channels()
            kernel = self.console.kernel_manager.kernel
            kernel.iopub_thread.stop()
            type(kernel.shell).clear_instance()

    def _start(self) -> None:
        from qtconsole.rich_jupyter_widget import RichJupyterWidget  # as above

        manager = _started()
        client = manager.client()
        client.start_channels()
        self.console = RichJupyterWidget(banner=BANNER)
        self.console.kernel_manager, self.console.kernel_client = manager, client
        layouts.column(self.console, of=self)
        self.take_keyboard(self.console._control)
        self.draw_theme()
        self._push(latviz=core, set=self._set)

    def _push(self, **names: Any) -> None:
        self.console.kernel_manager.kernel.shell.push(names)

    def _set(self, **changes: Any) -> None:
        """Change parameters: encoding, n_states, window, alpha, decoder and others."""
        known = [one.name for one in fields(Parameters)]
        if unknown := [name for name in changes if name not in known]:
            raise ParameterError(f"{unknown[0]} must be one of {', '.join(known)}")
        assert self._document is not None
        self._sets = True
        try:
            self._document.set("Set in the console", **changes)
        finally:
            self._sets = False
