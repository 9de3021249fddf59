"""Pictures of the window, and figures of its views, without a display."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PyQt6.QtCore import QEventLoop, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PyQt6.QtWidgets import QApplication

from latviz.app.document.idle_jobs import VIEWS, IdleJobs
from latviz.app.exporting.drawing import drawn, drawn_figure
from latviz.app.program.main import application, discard
from latviz.app.program.platforms import draw_offscreen
from latviz.app.program.window import MainWindow
from latviz.app.session.sessions import Opened, Sessions
from latviz.app.views.registry import Views
from latviz.app.views.spec import needs_of
from latviz.app.work.activity import Failure
from latviz.computing import state_of
from latviz.core.errors import ParameterError
from latviz.core.printable import complain
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.files.suffixes import DPI

_WITHOUT_DISPLAY = "propagateSizeHints", "Cannot find font directory"
"""Windows take no size hints then; and Qt ships no fonts, see `ensure_letters`."""


@dataclass(frozen=True)
class Drawings:
    """Drawings to make: the window to a file, and figures of views, by name, to files.

    ``dpi`` is the resolution of the figures.
    """

    window: Path | None = None
    figures: tuple[tuple[str, Path], ...] = ()
    dpi: int = DPI


def snapshot(
    pictures: PictureSet, session: Session, drawings: Drawings, size: tuple[int, int], theme: str
) -> Frame:
    """Draw the window and its views to files; return the frame that they show."""
    draw_offscreen()
    qInstallMessageHandler(_report)
    app = application()
    main_window = MainWindow(theme=theme, patient=True)
    try:
        main_window.resize(*size)
        main_window.tabs.restore_default()
        main_window.show()
        names = [name for name, _ in drawings.figures]
        _check(main_window, names)
        opened = session, state_of(pictures, session)
        frame = _computed(main_window, opened, names)
        _draw_all(app, main_window)
        if drawings.window is not None:
            drawn(main_window, drawings.window, title="latviz")()
        for name, path in drawings.figures:
            _fill(main_window, name)
            spec, view = main_window.specs[name], main_window.views[name]
            drawn_figure(spec, view, path, drawings.dpi)()
    finally:
        discard(main_window)
    return frame


def _report(_kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
    """Pass on Qt's messages, unless a window without a display is their reason."""
    if message and not any(reason in message for reason in _WITHOUT_DISPLAY):
        complain(message)


class UnknownView(ParameterError):
    """A figure names a view that does not exist."""


def _check(main_window: MainWindow, names: Iterable[str]) -> None:
    for name in names:
        if name not in main_window.specs:
            known = ", ".join(main_window.specs)
            raise UnknownView(f"there is no view {name!r}; choose one of {known}")


def _draw_all(app: QApplication, main_window: MainWindow) -> None:
    """Draw the views that a slow machine has left for later rounds."""
    rounds = main_window.parts[Views].rounds
    app.processEvents()
    while not rounds.is_over:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def _fill(main_window: MainWindow, name: str) -> None:
    """Wait for a view's results from idle time, while the view is visible."""
    jobs, view = main_window.parts[IdleJobs], main_window.views[name]
    if name in VIEWS:
        main_window.docks[name].show()
        while jobs.trade_off is None or jobs.trade_off.fraction < 1 or not view.is_complete:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def _computed(main_window: MainWindow, opened: Opened, names: Iterable[str]) -> Frame:
    """Return the frame of the open picture, with the results for files and some views."""
    loop = QEventLoop()
    answers: list[Frame | Failure] = []

    def take(answer: Frame | Failure) -> None:
        answers.append(answer)
        loop.quit()

    main_window.document.failed.connect(take)
    main_window.parts[Sessions].resume(opened)
    drawn_too = needs_of((main_window.specs[name] for name in names), main_window.document.state)
    main_window.document.when_whole(take, needs=EXPORTED | drawn_too)
    loop.exec()
    answer = answers[-1]
    if isinstance(answer, Failure):
        raise ParameterError(answer.message)
    return answer
