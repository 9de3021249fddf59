"""Opening images and demos: from files, drops and the clipboard."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QMimeData, QUrl
from PyQt6.QtGui import QGuiApplication, QImage

from latviz import files
from latviz.app.document.document import Document
from latviz.app.document.history import Remembered
from latviz.app.shell.actions import Action, Item, Submenu
from latviz.app.shell.dialogs import ask_files
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.shortcuts import CANCELS, demo_keys
from latviz.app.work.activity import Failure, Remedy
from latviz.app.work.background import Background, Task, failure_of
from latviz.app.work.timers import once_after
from latviz.core.axes import APART, LATTICE, Role, exchanged, is_deep, roles_of, text_of
from latviz.core.progress import Progress
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import (
    Parameters,
    opening,
    window_range,
    within_reach,
)
from latviz.engine.settings.state import State
from latviz.files.names import local_path, on_disk
from latviz.workspace import make_picture, read_pictures

T = TypeVar("T")
SLOW_MS = 4000
"""Delay before a message reports a slow read and how to cancel it."""
OPEN_DEMO = "Open this demo in place of the picture on screen"
OPENING_A = "Opening: the reference is computed again"
LEFT_S = 2.0
"""Seconds to wait for a read in progress when the window closes."""


class Opener(Feature):
    """Reads pictures on another thread; the one on screen stays until then."""

    # If several are opened, the last one counts. ``bar`` shows the progress. A reader that hangs
    # blocks neither closing the window nor opening another file. ``leave`` is called before
    # opening, and continues if the current work may be left; ``cancelled`` when the user cancels.
    # ``open_many`` opens several files

    def __init__(self, parts: Parts) -> None:
        document, shell, self._status = parts[Document], parts[Shell], parts[StatusLine]
        self._document, self._shell, self._settings = document, shell, parts[Settings]
        self._bar = bar = self._status.opening
        self._task: Task | None = None
        self._kinds: list[tuple[Callable[[str], bool], Callable[[str], None]]] = []
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)
        self.background.failed.connect(lambda _: self.give_up())
        self.background.reported.connect(self._take_progress)
        bar.cancelled.connect(self.cancel)
        document.undo_stack.missing.connect(self._bring_back)
        self.leave: Callable[[Callable[[], None]], None] = lambda go_on: go_on()
        self.cancelled: Callable[[], object] = lambda: None
        self.open_many: Callable[[Sequence[str]], object] = lambda paths: self.open_file(paths[0])
        self._what = self._message = ""
        self._slow = once_after(SLOW_MS, self._report_slow, shell)

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        yield Submenu("Open &recent", "", ("File", 1.2), self._recent)
        for index, (name, title) in enumerate(DEMO_TITLES.items(), start=1):
            run, at = partial(self.open_demo, name), ("Open a demo", index / 100)
            yield Action(title, OPEN_DEMO, run, demo_keys(index), at, opens=True)

    def _recent(self) -> Iterator[Item]:
        """Yield the files opened last."""
        paths = self._settings.recent
        for place, path in enumerate(paths):
            at = ("Open recent", place / 100)
            name = Path(path).name.replace("&", "&&")  # else the next letter would be its key
            yield Action(name, as_tip(path), partial(self.open_file, path), at=at)
        clear = self._settings.clear_recent
        if paths:
            yield Action("&Clear this list", "", clear, at=("Open recent", 1))
        else:
            yield Action("No files yet", "", clear, at=("Open recent", 0), enabled=lambda: False)

    def add_kind(self, is_one: Callable[[str], bool], open_one: Callable[[str], None]) -> None:
        """Register an opener of files that are not pictures."""
        self._kinds.append((is_one, open_one))

    @in_menu("&Open…", "Open one or several image files, or a session", ("File", 1.1))
    def choose_image(self) -> None:
        """Ask for image files and open them."""
        self.open_files(self._shell.ask(ask_files, self._settings.folder))

    def open_files(self, paths: Sequence[str]) -> None:
        """Open one file or several; each may be a file:// URL."""
        paths = [local_path(path) for path in paths]
        if len(paths) == 1:
            self.open_file(paths[0])
        elif paths:
            self.open_many([on_disk(path) for path in paths])

    def open_file(self, path: str) -> None:
        """Open an image or session file, or all images of a folder."""
        path = on_disk(path)
        for is_one, open_one in self._kinds:
            if is_one(path):
                open_one(path)
                return
        self.open_path(path)

    def open_path(
        self,
        path: str,
        axes: str | int = "",
        adjust: Callable[[Parameters], Parameters] | None = None,
        *,
        reduction: int = 1,
        mask: str = "",
        given: Given | None = None,
        continues: bool = False,
    ) -> None:
        """Open a file by the roles of its axes; the picture on screen stays until then."""
        # ``axes``, ``mask``: as for `read_pictures`. ``adjust`` changes the parameters
        # that suit the picture; without it `State.opened` decides. ``given`` is a model to apply.
        # ``continues``: the file is the one on screen
        name = Path(path).name

        def take(pictures: PictureSet) -> None:
            self.take_pictures(pictures, adjust, given=given, continues=continues)

        def explain(error: Exception) -> Failure:
            failure, smaller = failure_of(error), getattr(error, "reduction", None)
            if smaller is None:
                return failure
            again = partial(
                self.open_path,
                path,
                axes,
                adjust,
                reduction=smaller,
                mask=mask,
                given=given,
                continues=continues,
            )
            return replace(failure, remedy=Remedy(f"Open at 1/{smaller} of its size", again))

        part = axes, reduction, mask
        self.open_with(lambda _: read_pictures(path, *part), take, explain, name)

    def open_demo(
        self, name: str, adjust: Callable[[Parameters], Parameters] | None = None
    ) -> None:
        """Open a demo with the parameters that suit it, changed by ``adjust``."""

        def take(made: tuple[Picture, Parameters]) -> None:
            picture, parameters = made
            self._document.open(picture, adjust(parameters) if adjust else parameters)

        self.open_with(lambda _: make_picture(name), take)

    def open_with(
        self,
        read: Callable[[Progress], T],
        take: Callable[[T], None],
        explain: Callable[[Exception], Failure] = failure_of,
        what: str = "",
        message: str = OPENING_A,
    ) -> None:
        """Read on another thread, then take the result unless something else was opened meanwhile.

        ``what`` is a file's name, if any; ``message`` is shown in the status line meanwhile.
        """
        self.leave(partial(self.read_more, read, take, explain, message, what))

    def read_more(
        self,
        read: Callable[[Progress], T],
        take: Callable[[T], None],
        explain: Callable[[Exception], Failure] = failure_of,
        message: str = OPENING_A,
        what: str = "",
    ) -> None:
        """Read or compute something to add to the work on screen, which stays; see `open_with`."""
        self.give_up()
        task = self._task = self.background.task()
        self._what, self._message = what, message
        self._slow.start(SLOW_MS)
        if what:
            self._shell.say(f"Opening {what}…")

        def take_newest(result: T) -> None:
            if task is self._task:
                self.give_up()
                take(result)

        self.background.start(lambda: read(task), take_newest, explain, task)

    def _bring_back(self, wanted: Remembered, go_on: Callable[[], None]) -> None:
        """Read the pictures for undo again, then continue; if reading fails, nothing changes."""

        def take(state: State) -> None:
            wanted.bring_back(state)
            go_on()

        def explain(error: Exception) -> Failure:
            return Failure(f"This step cannot be undone or redone now: {failure_of(error).message}")

        name = "" if wanted.opening is None else wanted.opening.name
        self.read_more(wanted.read, take, explain, what=name)

    def cancel(self) -> None:
        """Cancel opening, and keep the picture on screen."""
        self.give_up()
        self.cancelled()
        self._shell.say("Opening was cancelled")

    def dismiss(self) -> bool:
        """Cancel opening."""
        was_on = self._bar.isVisible()
        if was_on:
            self._bar.cancelled.emit()
        return was_on

    def close(self) -> None:
        """Cancel opening; wait until the thread has ended, unless it hangs."""
        self.give_up()
        self.background.finish(seconds=LEFT_S)

    def give_up(self) -> None:
        """Cancel opening."""
        if self._task is not None:
            self._task.give_up()
            self._task = None
            self._status.end_message()  # it named the file
        self._slow.stop()
        self._bar.show_fraction(None)

    def _report_slow(self) -> None:
        """Report a slow file, whose disk may never answer, and how to cancel."""
        what = self._what or "the file"
        self._bar.show_busy()
        self._shell.say(f"Still reading {what}; its disk may not respond. {CANCELS}.")

    def _take_progress(self, task: Task, fraction: float) -> None:
        if task is self._task:
            self._slow.stop()
            self._bar.show_fraction(fraction)
            self._shell.say(f"{self._message} ({CANCELS})")

    @in_menu(
        "&Paste image", "Open the image or image file on the clipboard", ("File", 1.5), opens=True
    )
    def paste(self) -> None:
        """Open the image, or the first image file, that the clipboard holds."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData() if clipboard is not None else None
        if data is None or not self.open_data(data):
            message = "The clipboard holds no image. Copy an image or an image file first."
            self._shell.fail(Failure(message))

    def drop(self, data: QMimeData | None) -> bool:
        """Open what was dropped; return False, with a message, if nothing is left of it."""
        # While it is dragged, the other program says what it is; it may end before the drop
        taken = data is not None and self.open_data(data)
        if not taken:
            message = "What you dropped is gone: its program no longer offers it. Drag it again."
            self._shell.fail(Failure(message))
        return taken

    def open_data(self, data: QMimeData) -> bool:
        """Open dropped or pasted files or an image; return True if there are any."""
        urls = data.urls()
        paths = [path_of(url) for url in urls if url.isLocalFile()]
        image = data.imageData() if data.hasImage() else None
        if paths:
            self.open_files(paths)
        elif isinstance(image, QImage) and not image.isNull():
            self.give_up()
            try:
                picture = picture_of(image)
            except files.decoding.DecodeError as error:
                self._shell.fail(Failure(f"The image in the clipboard cannot be opened: {error}."))
            else:
                self.leave(partial(self.take_pictures, as_set(picture)))
        elif urls:
            message = f"{urls[0].toString()} is not on this computer. Save it first."
            self._shell.fail(Failure(message))
        else:
            return False
        return True

    def _applied(
        self, picture: Picture, given: Given | None, again: Callable[[], None]
    ) -> tuple[bool, Given | None]:
        """Return True if a picture can be shown, and the model to apply to it.

        If the model in use does not fit the picture, the message offers to stop using it.
        """
        applied = given or self._document.state.given
        reason = "" if applied is None else applied.refusal(picture)
        if reason:
            remedy = Remedy("Open it without the model", again) if given is None else None
            self._shell.fail(Failure(f"{picture.name} cannot be opened: {reason}.", remedy=remedy))
        return not reason, applied

    def take_pictures(
        self,
        pictures: PictureSet,
        adjust: Callable[[Parameters], Parameters] | None = None,
        shelf: Shelf | None = None,
        given: Given | None = None,
        keeps_given: bool = True,
        continues: bool = False,
    ) -> None:
        """Show pictures that were read, and remember their file; see `open_path`.

        A model that is ``given`` is applied, or else the one that is applied already.
        """
        again = partial(
            self.take_pictures, pictures, adjust, shelf, keeps_given=False, continues=continues
        )
        fits, applied = True, given
        if keeps_given:
            fits, applied = self._applied(pictures.picture, given, again)
        if not fits:
            return
        parameters = None if adjust is None else adjust(opening(pictures.facts))
        self._document.open(pictures, parameters, shelf=shelf, given=applied, continues=continues)
        wanted = None if parameters is None else parameters.encoding.kind
        if applied is None and wanted is not None and (reason := wanted.refusal(pictures.facts)):
            self._shell.fail(Failure(f"{wanted.title}: {reason}."))
        if parameters is not None and within_reach(parameters, pictures.facts) != parameters:
            self._shell.fail(
                Failure(f"The greatest w here is {window_range(pictures.longest)[1]}.")
            )
        path = pictures.picture.origin.get("path")
        if path is not None and shelf is None:
            self._settings.add_recent(path)

    def open_page(self, page: int) -> None:
        """Show another picture of the data set, or another record of the file."""
        picture = self._document.picture
        assert picture is not None
        if len(self._document.state.members) > 1:
            self._document.show_member(page)
        else:
            mask = picture.origin.get("mask", "")
            self.open_path(picture.origin["path"], page, mask=mask, continues=True)

    def open_axis(self, name: str, role: Role) -> None:
        """Give an axis of the file another role."""
        picture = self._document.picture
        if picture is None:
            return
        roles = roles_of(picture.origin.get("axes", ""))
        before, now = roles.get(name, LATTICE), self._document.state.slice
        if is_deep({name: role}) and is_deep({name: before}):
            self._document.take_apart(role == APART)
            return
        if is_deep({name: role}) and isinstance(before, tuple):
            self._document.slices.expect(picture, before[0])
        elif role == (0,) and is_deep({name: before}):
            role = (now,)
        roles = exchanged(picture.axes, roles, name, role)
        origin = picture.origin
        more = {"reduction": origin["reduction"], "mask": origin.get("mask", "")}
        self.open_path(origin["path"], text_of(roles), **more, continues=True)


def path_of(url: QUrl) -> str:
    """Return the path of a file that was dropped; Qt keeps the host "localhost" before it."""
    return local_path(url.toEncoded().data().decode())


def picture_of(image: QImage) -> Picture:
    """Turn an image from the clipboard into a picture, in sRGB and on white as those of files."""
    straight = image.convertToFormat(QImage.Format.Format_RGBA8888)
    samples = np.array(pg.functions.ndarray_from_qimage(straight))  # not a view of freed memory
    profile = image.colorSpace().iccProfile().data()  # empty without a colour space
    decoded = files.decoding.DecodedFile(samples, "straight", profile=profile)
    found = files.pixels.settle(decoded)
    notes = (*found.notes, *files.pixels.unknown_notes(found.known, found.reasons))
    origin = {"clipboard": True}
    return Picture(found.pixels, "Pasted image", notes=notes, origin=origin, known=found.known)
