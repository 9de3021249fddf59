"""Start the window."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PyQt6.QtCore import QCoreApplication, QEvent, QTimer
from PyQt6.QtWidgets import QApplication

import latviz
from latviz.app.settings import Settings
from latviz.app.window import MainWindow
from latviz.app.worker import Failure
from latviz.live.demo_titles import DEFAULT_DEMO
from latviz.live.parameters import Parameters

SWITCH_S = 0.0005
"""How long the worker may keep the interpreter from the window's thread; 5 ms would be usual."""

_application: QApplication | None = None  # outlives every window, or Qt would crash at the end


def application() -> QApplication:
    """Return the application, made if there is none."""
    global _application
    known = QApplication.instance()
    if isinstance(known, QApplication):
        return known
    _application = QApplication([sys.argv[0]])
    _application.setApplicationName("latviz")
    _application.setApplicationVersion(latviz.__version__)
    _application.setStyle("Fusion")
    return _application


def discard(window: MainWindow) -> None:
    """Close a window and delete it while the application is there."""
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def show(
    image: Path | None,
    page: int,
    demo: str | None,
    adjust: Callable[[Parameters], Parameters],
    theme: str = "",
) -> int:
    """Open the window on an image or a demo and run until it is closed; return the exit code.

    ``adjust`` makes the parameters to begin with from those that suit the picture.
    """
    sys.setswitchinterval(SWITCH_S)
    app = application()
    window = MainWindow(Settings(), theme)
    report_exceptions(window)
    window.show()
    if image is not None:
        window.open_path(str(image), page, adjust(Parameters()))
    else:
        window.open_demo(demo or DEFAULT_DEMO, adjust)
    code = app.exec()
    discard(window)
    return code


def report_exceptions(window: MainWindow) -> None:
    """Show exceptions that nobody caught in the window; the program goes on."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        details = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(details)
        failure = Failure(f"Something went wrong: {error!r}. The program goes on.", details)
        QTimer.singleShot(0, lambda: window.banner.show_failure(failure))

    sys.excepthook = hook
