"""Opening images and demos, away from the window's thread."""

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
from PyQt6.QtCore import QObject, QRunnable, QThreadPool, pyqtSignal
from PyQt6.QtGui import QImage, QPainter

from latviz.app.worker import Failure
from latviz.core.errors import ParameterError
from latviz.files.errors import FileError
from latviz.live.parameters import Picture

SUFFIXES = ("png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp", "gif", "npy")


def picture_of(image: QImage) -> Picture:
    """Turn an image from the clipboard into a picture; transparency is put on white."""
    flat = QImage(image.size(), QImage.Format.Format_RGB888)
    flat.fill(0xFFFFFFFF)
    painter = QPainter(flat)
    painter.drawImage(0, 0, image)
    painter.end()
    bits = flat.constBits()
    assert bits is not None
    rows = np.frombuffer(bytes(bits.asstring(flat.sizeInBytes())), dtype=np.uint8)
    rows = rows.reshape(flat.height(), flat.bytesPerLine())[:, : 3 * flat.width()]
    pixels = np.ascontiguousarray(rows.reshape(flat.height(), flat.width(), 3))
    notes = ("transparency composited on white",) if image.hasAlphaChannel() else ()
    return Picture(pixels, "Pasted image", notes=notes, origin={"clipboard": True})


class _Job(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()


class Background(QObject):
    """Runs small jobs on the thread pool and reports in the window's thread.

    Signals
    -------
    done(object, object)
        The callback that was given, and the job's result.
    failed(Failure)
    """

    done = pyqtSignal(object, object)
    failed = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._finished = False
        self.done.connect(self._deliver)

    def start(self, work: Callable[[], Any], callback: Callable[[Any], None]) -> None:
        """Call ``work`` on another thread, then ``callback`` with its result on this one."""

        def run() -> None:
            try:
                result = work()
            except (FileError, ParameterError) as error:
                self.failed.emit(Failure(_sentence(error)))
            except Exception as error:
                self.failed.emit(Failure(f"This failed: {error!r}.", traceback.format_exc()))
            else:
                self.done.emit(callback, result)

        self._pool.start(_Job(run))

    def finish(self) -> None:
        """Wait for what runs; forget what waits, and what comes of either."""
        self._finished = True
        self._pool.clear()
        self._pool.waitForDone()

    def _deliver(self, callback: Callable[[Any], None], result: Any) -> None:
        if not self._finished:
            callback(result)


def _sentence(error: Exception) -> str:
    return f"{error}" if str(error).endswith(".") else f"{error}."
