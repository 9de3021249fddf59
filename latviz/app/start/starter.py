"""Shows, fills and hides the start page."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QObject, QRect, Qt

from latviz import collection
from latviz.app.docking.docks import Docks
from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.lessons.teacher import Teacher
from latviz.app.session.autosave import Autosave
from latviz.app.session.recent_work import when_left
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.start.page import LINK_ICON, Link, StartPage
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.app.work.background import Background
from latviz.app.work.timers import once_after
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import stop_if_unwanted
from latviz.engine.frames.thumbnail import thumbnail
from latviz.engine.keeping.session import middle_slice
from latviz.engine.pictures.shelf import Entry
from latviz.engine.settings.state import State
from latviz.files.errors import SessionError
from latviz.workspace import make_picture, read_preview

MOST_WORK, MOST_FILES, MOST_LESSONS = 3, 3, 5
"""Lines of each kind."""
LARGEST = 1 << 25
"""The largest file, in bytes, whose small picture is read."""
LEFT_S = 2.0
"""Seconds to wait for a drawing in progress when the window closes."""

Preview = tuple[Path, str, str, NDArray[np.uint8] | None]
"""A kept session: its file, its title, its time, and a small picture."""
Pictures = dict[str, NDArray[np.uint8]]
"""Small pictures, shape (height, width, 3), of image files by path."""


class Starter(QObject, Feature):
    """Shows the start page over the docks, without a picture or at the user's request."""

    # The docks are disabled meanwhile, so that the keyboard stays on the page. Small pictures are
    # drawn in the background, one by one, when the page is first shown

    def __init__(self, parts: Parts) -> None:
        document, shell, opener = parts[Document], parts[Shell], parts[Opener]
        main_window = shell.main_window
        super().__init__(main_window)
        self._main_window, self._document, self._shell = main_window, document, shell
        self._settings, self._opener, self._recent = parts[Settings], opener, parts[Autosave].recent
        self._teacher, self._docks, self._drawn = parts[Teacher], parts[Docks], False
        self.page = StartPage(main_window)
        self.background = Background(self)
        self._drawing = self.background.task()
        self.page.open_wanted.connect(opener.choose_image)
        self.page.paste_wanted.connect(opener.paste)
        self.page.demo_wanted.connect(opener.open_demo)
        self.page.close_wanted.connect(self.hide)
        opener.background.failed.connect(lambda _: self.show_if_empty())
        document.changed.connect(self._follow)
        self._placing = once_after(0, self._place, self)
        main_window.installEventFilter(self)

    def show_if_empty(self) -> None:
        """Show the page if there is no picture."""
        if self._document.picture is None:
            self.show()

    @in_menu("Start pa&ge", "Show demos, lessons and what was open last", ("File", 1.05))
    def show(self) -> None:
        """Show the page, and give it the keyboard."""
        page, has_picture = self.page, self._document.picture is not None
        page.back.setVisible(has_picture)
        page.title.setText("Open another picture" if has_picture else "Open a picture to begin")
        self._fill()
        self._place()
        self._enable_docks(False)
        page.show()
        page.raise_()
        page.open_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def hide(self) -> None:
        """Hide the page and enable the docks below it."""
        if self.page.isVisible():
            self.page.hide()
            self._enable_docks(True)

    def connect(self, parts: Parts) -> None:
        """Show the page again if the first picture is not opened."""
        parts[StatusLine].opening.cancelled.connect(self.show_if_empty)

    def dismiss(self) -> bool:
        """Hide the page over a picture."""
        may_hide = self.page.isVisible() and self._document.picture is not None
        if may_hide:
            self.hide()
        return may_hide

    def close(self) -> None:
        """Draw nothing more, because the window closes."""
        self._drawing.give_up()
        self.background.finish(seconds=LEFT_S)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Cover the docks when the window or its bars change."""
        if event is not None and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._placing.start()
        return super().eventFilter(watched, event)

    def _enable_docks(self, enabled: bool) -> None:
        for dock in self._docks.values():
            dock.setEnabled(enabled)

    def _place(self) -> None:
        """Place the page between the menus and the status line."""
        top, bottom = self._main_window.menuWidget(), self._main_window.statusBar()
        assert top is not None
        assert bottom is not None
        y = top.geometry().bottom() + 1
        height = self._main_window.height() - bottom.height() - y
        self.page.setGeometry(QRect(0, y, self._main_window.width(), max(0, height)))

    def _follow(self, old: State, new: State) -> None:
        if new.picture is not old.picture:
            self.hide()

    # Contents

    def _fill(self) -> None:
        page = self.page
        page.show_links(page.lessons, self._lessons(), "")
        files = self._settings.recent[:MOST_FILES]
        page.show_links(page.recent, self._files(files, {}), "Nothing yet")
        read = partial(small_pictures, self._recent.paths()[:MOST_WORK], files)
        self.background.start(read, self._show_recent, task=self._drawing)
        if not self._drawn:
            self._drawn = True
            for name in page.demos:
                self.background.start(
                    partial(small_demo, name), self._show_demo, task=self._drawing
                )

    def _lessons(self) -> list[Link]:
        done, known = self._settings.lessons_done, self._teacher.lessons()
        ahead = [lesson for lesson in known.values() if lesson.name not in done]
        return [
            *(
                Link(lesson.title, lesson.summary, "Begin this lesson", partial(self._teach, name))
                for lesson in ahead[:MOST_LESSONS]
                for name in [lesson.name]
            ),
            Link(f"All {len(known)} lessons", "", "Go to Learn", partial(self._teach, "")),
        ]

    def _teach(self, name: str) -> None:
        self.hide()
        self._teacher.teach(name)

    def _files(self, paths: list[str], pictures: Pictures) -> list[Link]:
        return [
            Link(
                Path(path).name,
                str(Path(path).parent),
                as_tip(path),
                partial(self._opener.open_file, path),
                pixmap_of(pictures[path]) if path in pictures else None,
            )
            for path in paths
        ]

    def _show_recent(self, found: tuple[list[Preview], Pictures]) -> None:
        work, pictures = found
        links = [
            Link(
                title,
                f"Left {when}",
                "Return to this work with all its settings",
                partial(self._recent.restore, path),
                None if drawn is None else pixmap_of(drawn),
            )
            for path, title, when, drawn in work
        ]
        links += self._files(self._settings.recent[:MOST_FILES], pictures)
        self.page.show_links(self.page.recent, links, "Nothing yet")

    def _show_demo(self, made: tuple[str, NDArray[np.uint8]]) -> None:
        name, drawn = made
        self.page.show_picture_of(name, pixmap_of(drawn))


def small_demo(name: str) -> tuple[str, NDArray[np.uint8]]:
    """Return a demo's name, and a small picture of it."""
    picture, _ = make_picture(name)
    return name, thumbnail(picture, middle_slice(picture))


def small_pictures(work: list[Path], files: list[str]) -> tuple[list[Preview], Pictures]:
    """Return small pictures of kept sessions, and of image files by path."""
    previews = []
    for path in work:
        with suppress(OSError, SessionError):
            title, drawn = read_preview(path)
            previews.append((path, title or path.stem, when_left(path), drawn))
    images = {path: drawn for path in files if (drawn := _small(path)) is not None}
    return previews, images


def _small(path: str) -> NDArray[np.uint8] | None:
    """Return a small picture of an image file; None if it cannot be read, or is large."""
    stop_if_unwanted()
    with suppress(OSError, FileError, ParameterError, ValueError, MemoryError):
        found = Path(path).stat()
        if found.st_size <= LARGEST:
            entry = Entry(path, found.st_size, found.st_mtime_ns)
            return collection.thumbnails.thumbnail(entry, LINK_ICON)
    return None
