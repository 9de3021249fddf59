"""Small pictures of files, read in the background, newest request first; a few are cached."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QImage, QPixmap

from latviz import collection
from latviz.app.widgets.lifetimes import image_of
from latviz.app.work.background import Background
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.engine.pictures.shelf import Entry

SIDE = 96
"""Pixels of the longer side."""
MOST_KEPT = 600
"""Small pictures in memory: some 20 MB."""
MOST_WAITING = 150
"""Requests kept in the queue; older ones were scrolled past."""
LEFT_S = 2.0
"""Seconds to wait for a read in progress when the window closes."""

Read = Callable[[Entry], NDArray[np.uint8]]


def read(entry: Entry) -> NDArray[np.uint8]:
    """Return the small picture of a file, shape (height, width, 3)."""
    return collection.thumbnails.thumbnail(entry, SIDE)


class Thumbnails(QObject):
    """Small pictures by their files."""

    changed = pyqtSignal(object)  # Entry: its small picture is there, or the reason why not

    def __init__(self, parent: QObject | None = None, read: Read = read) -> None:
        super().__init__(parent)
        self.background = Background(self)
        self._read, self._lock = read, Lock()
        self._wanted: OrderedDict[Entry, None] = OrderedDict()
        self._there: OrderedDict[Entry, QPixmap] = OrderedDict()
        self.failures: dict[str, str] = {}
        """Why files cannot be read, by their paths."""

    def of(self, entry: Entry) -> QPixmap | None:
        """Return the small picture of a file; if it is not there, it will be."""
        found = self._there.get(entry)
        if found is not None:
            self._there.move_to_end(entry)
        elif entry.path not in self.failures:
            self._want(entry)
        return found

    def fail(self, path: str, reason: str) -> None:
        """Take note of a file that cannot be read."""
        self.failures[path] = reason

    def forget(self) -> None:
        """Drop all requests and failures, because the files have changed."""
        with self._lock:
            self._wanted.clear()
        self._there.clear()
        self.failures.clear()

    def close(self) -> None:
        """Read nothing more."""
        with self._lock:
            self._wanted.clear()
        self.background.finish(seconds=LEFT_S)

    def _want(self, entry: Entry) -> None:
        with self._lock:
            known = entry in self._wanted
            self._wanted[entry] = None
            self._wanted.move_to_end(entry)
            if len(self._wanted) > MOST_WAITING:
                self._wanted.popitem(last=False)
        if not known:
            self.background.start(self._read_newest, self._take)

    def _read_newest(self) -> tuple[Entry, QImage | str] | None:
        """Read the newest request, on another thread."""
        with self._lock:
            if not self._wanted:
                return None
            entry, _ = self._wanted.popitem()
        try:
            return entry, image_of(self._read(entry))
        except FileError as error:
            return entry, error.reason
        except (ParameterError, ValueError, MemoryError) as error:
            return entry, str(error)

    def _take(self, found: tuple[Entry, QImage | str] | None) -> None:
        if found is None:
            return
        entry, drawn = found
        if isinstance(drawn, str):
            self.fail(entry.path, drawn)
        else:
            self._there[entry] = QPixmap.fromImage(drawn)
            while len(self._there) > MOST_KEPT:
                self._there.popitem(last=False)
        self.changed.emit(entry)
