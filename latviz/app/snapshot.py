"""Pictures of the window, without a display."""

import os
import sys
from pathlib import Path

from PyQt6.QtCore import QEventLoop, QMessageLogContext, QtMsgType, qInstallMessageHandler

from latviz.app.activity import Failure
from latviz.app.drawing import drawn
from latviz.app.main import application, discard
from latviz.app.session.sessions import Opened
from latviz.app.window import MainWindow
from latviz.core.errors import ParameterError
from latviz.engine.frame import EXPORTED, Frame
from latviz.engine.picture import PictureSet
from latviz.engine.session import Session
from latviz.workspace import state_of


def snapshot(
    pictures: PictureSet, session: Session, path: Path, size: tuple[int, int], theme: str
) -> Frame:
    """Draw the window to a file; return the frame that it shows.

    Raises
    ------
    ParameterError
        If the picture cannot be encoded as asked, or the session holds options that cannot be.
    ExportError
        If the file cannot be written.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    qInstallMessageHandler(_report)
    app = application()
    main_window = MainWindow(theme=theme, patient=True)
    try:
        main_window.resize(*size)
        main_window.restore_layout()
        main_window.show()
        frame = _computed(main_window, (session, state_of(pictures, session)))
        app.processEvents()
        drawn(main_window, path, title="latviz")()
    finally:
        discard(main_window)
    return frame


def _report(_kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
    """Pass on what Qt reports, except that a window without a display takes no size hints."""
    if message and "propagateSizeHints" not in message:
        sys.stderr.write(f"{message}\n")


def _computed(main_window: MainWindow, opened: Opened) -> Frame:
    loop = QEventLoop()
    answers: list[Frame | Failure] = []

    def take(answer: Frame | Failure) -> None:
        answers.append(answer)
        loop.quit()

    main_window.document.failed.connect(take)
    main_window.sessions.resume(opened)
    main_window.document.when_whole(take, needs=EXPORTED)
    loop.exec()
    answer = answers[-1]
    if isinstance(answer, Failure):
        raise ParameterError(answer.message)
    return answer
