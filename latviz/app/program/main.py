"""Start the window."""

import ctypes
import locale
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from PyQt6.QtCore import QCoreApplication, QEvent, QLocale, QMimeData, QObject, Qt, pyqtSignal

from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import Gallery
from latviz.app.lessons.teacher import Teacher
from latviz.app.program.application import NAME, Application
from latviz.app.program.window import MainWindow
from latviz.app.session.autosave import Autosave
from latviz.app.session.ending import reported
from latviz.app.session.sessions import PlainWork, Sessions, StateText
from latviz.app.shell.settings import Settings
from latviz.app.widgets.number_boxes import number_locale
from latviz.app.work.activity import Failure
from latviz.core.printable import complain
from latviz.engine.pictures.demo_titles import DEFAULT_DEMO
from latviz.engine.settings.parameters import Parameters
from latviz.files.suffixes import is_session
from latviz.workspace import read_work

SWITCH_S = 1e-3
"""Seconds that the worker may keep the interpreter after the window's thread requests it. By
default it is 5 ms, too long while the worker imports Numba: the window requests it some hundred
times. At 20 us the threads interrupt each other so often that a step of a slider takes 1.2 times as
long."""

MAPPED = 2 << 20
"""Bytes from which an array has its own pages, which the system gets back when it is freed."""
RETAINED = 2 * MAPPED
"""Bytes kept at the end of a heap: about the arrays of a frame of a megapixel. Getting their pages
again would take a tenth of that frame's time."""

_application: Application | None = None  # outlives every window, or Qt would crash at the end


def application() -> Application:
    """Return the application, made on the first call."""
    global _application
    known = Application.instance()
    if not isinstance(known, Application):
        _suit_process()
        # Cocoa sends an event for each word of the command, which Qt drops if it knows the word
        words = (word for word in sys.argv[1:] if not word.startswith("-"))
        known = _application = Application([NAME, *words])
    _suit_numbers()
    return known


def _suit_numbers() -> None:
    """Write and read numbers alike on all systems, in Qt and in C libraries, which Qt changes."""
    QLocale.setDefault(number_locale())
    locale.setlocale(locale.LC_NUMERIC, "C")


def _suit_process() -> None:
    """Tune the interpreter and the allocator for a window whose worker fills arrays all the time.

    By default the C library comes to keep ever larger arrays in its heaps, which become fragmented.
    """
    sys.setswitchinterval(SWITCH_S)
    with suppress(AttributeError, OSError, TypeError):  # other C libraries lack this option
        library = ctypes.CDLL(None)
        library.mallopt(-3, MAPPED)  # M_MMAP_THRESHOLD
        library.mallopt(-1, RETAINED)  # M_TRIM_THRESHOLD


def discard(main_window: MainWindow) -> None:
    """Close a window and delete it while the application is there."""
    main_window.close_now()
    main_window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def open_handed(main_window: MainWindow, data: QMimeData) -> None:
    """Open files that the desktop handed over, in front of other windows."""
    main_window.parts[Opener].drop(data)
    main_window.raise_()
    main_window.activateWindow()


def show(
    image: Path | None,
    axes: str,
    reduction: int,
    demo: str | None,
    adjust: Callable[[Parameters], Parameters],
    theme: str = "",
    state: str = "",
    lesson: str = "",
    mask: str = "",
) -> int:
    """Open the window on a file or a demo and run until it is closed; return the exit code."""
    # ``adjust`` changes the parameters that suit the picture, at the start; ``state`` is a text
    # with further settings (see `latviz.engine.keeping.session`), ``lesson`` is the name of a
    # lesson to begin
    with shown(theme) as main_window:
        if lesson:
            main_window.parts[Teacher].teach(lesson)
        elif image is not None and is_session(image) and not state:
            main_window.parts[Sessions].open_path(str(image), adjust)
        elif state:
            name = demo or DEFAULT_DEMO

            def read() -> PlainWork:
                pictures, session = read_work(image, name, axes, reduction, state, mask)
                return pictures, session.adjusted(adjust)

            main_window.parts[StateText].open(
                read, f"The demo {name}" if image is None else image.name
            )
        elif image is not None:
            main_window.parts[Opener].open_path(
                str(image), axes, adjust, reduction=reduction, mask=mask
            )
        else:
            main_window.parts[Opener].open_demo(demo or DEFAULT_DEMO, adjust)
        return application().exec()


def show_shelf(
    places: list[str],
    recursive: bool,
    labels: str,
    adjust: Callable[[Parameters], Parameters],
    theme: str = "",
    model: Path | None = None,
) -> int:
    """Open the window on the shelf of files, folders and patterns; return the exit code."""
    # ``labels`` finds label images, see `Shelf.truth`; ``model`` is the file of one to apply
    with shown(theme) as main_window:
        main_window.parts[Gallery].open(places, recursive, labels, adjust, model=model)
        return application().exec()


@contextmanager
def shown(theme: str) -> Iterator[MainWindow]:
    """Show a window with the settings that were kept; a report stays if it does not end well."""
    app, settings = application(), Settings()
    with reported(settings.kept_folder) as ending:
        main_window = MainWindow(settings, theme, use=settings.use)
        main_window.parts[Autosave].follow(ending)
        report_exceptions(main_window)
        main_window.show()
        app.hand_files_to(partial(open_handed, main_window))
        yield main_window
        app.hand_files_to(None)
        discard(main_window)


class _Relay(QObject):
    """Carries failures to the window's thread."""

    failed = pyqtSignal(object)


def report_exceptions(main_window: MainWindow) -> None:
    """Show uncaught exceptions of any thread in the window; the program continues."""
    relay = _Relay(main_window)
    relay.failed.connect(main_window.banner.show_failure, Qt.ConnectionType.QueuedConnection)  # type: ignore[call-arg]

    def hook(
        kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        details = "".join(traceback.format_exception(kind, error, trace))
        for line in details.splitlines():
            complain(line)
        message = f"Something went wrong: {error!r}. The program continues."
        relay.failed.emit(Failure(message, details))

    sys.excepthook = hook
    threading.excepthook = lambda args: hook(args.exc_type, args.exc_value, args.exc_traceback)
