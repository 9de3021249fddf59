"""The shelf: open many files, step through them, choose which to learn from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QWidget

from latviz import collection
from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.shell.dialogs import ask_folder, ask_line
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.work.activity import Failure, Remedy
from latviz.app.work.background import failure_of
from latviz.app.work.timers import once_after
from latviz.core.progress import Progress
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.files.errors import ImageError
from latviz.files.suffixes import holds_images

if TYPE_CHECKING:  # at run time it would load decoders
    from latviz.files.label_guesses import LabelGuess

AT_FIRST = 32
"""Files, evenly spaced, that are learned from until the user ticks others."""
_LONGEST = 4096
"""Letters of the rule of label images, at most."""
TICKING_MS = 500
"""Ticks within this time are read together."""
INVITATION = (
    "Open a folder…",
    with_keys("Choose a folder of images", MAIN["Open a folder"]),
    "Its images are listed below with their results. One model can be learned from several. You "
    "can also drop several images here.",
)
"""A button's label, its tool tip, and the text next to it."""

Adjust = Callable[[Parameters], Parameters]
Shares = tuple[tuple[int, float], ...]
"""The colour of each state, as 0xrrggbb, and its share of a picture."""


class Invitation(QWidget):
    """A button, and a text on its effect."""

    def __init__(self, action: str, tip: str, text: str) -> None:
        super().__init__()
        self.setProperty("strip", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.button, self.text = small_button(action, tip), ElidedLabel()
        self.text.show_text(text)
        layouts.row(self.button, (self.text, 1), of=self, margins=(8, 4, 8, 4))
        self.hide()


def _is_there(gallery: "Gallery") -> bool:
    return gallery.shelf is not None


class Gallery(QObject, Feature):
    """Opens files onto the shelf and moves along it; reads in the background."""

    changed = pyqtSignal()  # other files are ticked, requested, or found unreadable; other shares

    def __init__(self, parts: Parts) -> None:
        document, shell, opener = parts[Document], parts[Shell], parts[Opener]
        super().__init__(shell)
        self._document, self._shell = document, shell
        self._settings, self._opener = parts[Settings], opener
        self.thumbnails = Thumbnails(self)
        # others set it
        self.shares: Callable[[Entry], Shares] = lambda _: ()
        self.invitation = Invitation(*INVITATION)
        self.invitation.button.clicked.connect(self.choose_folder)
        self._wanted: int | None = None
        self._pending: Shelf | None = None
        self._ticking = once_after(TICKING_MS, self._learn, self)
        opener.open_many = self.open
        opener.add_kind(holds_images, lambda path: self.open([path]))
        opener.background.failed.connect(lambda _: self._forget_wishes())
        opener.cancelled = self._forget_wishes
        document.changed.connect(self._follow)

    def bar_below_menus(self) -> Invitation:
        """Return the invitation to open a folder."""
        return self.invitation

    def invite(self, invites: bool) -> None:
        """Show or hide the hint for when no folder is open."""
        self.invitation.setVisible(invites and self._document.state.shelf is None)

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        for k, (name, where, by) in enumerate((("Next", "next", 1), ("Previous", "previous", -1))):
            tip, at = f"Show the {where} image of the shelf", ("Zoom and slices", 3 + k / 10)
            run = partial(self.step, by)
            yield Action(f"{name} image", tip, run, at=at, enabled=self._has_several)

    @property
    def shelf(self) -> Shelf | None:
        """The files with the user's ticks, or None."""
        return self._pending or self._document.state.shelf

    @property
    def reason(self) -> str:
        """Why no files can be ticked now, or nothing."""
        given = self._document.state.given
        return "" if given is None else given.reason

    # Opening

    @in_menu(
        "Open a &folder…",
        "Put all images of a folder onto the shelf; a zarr folder is one image",
        ("File", 1.15),
    )
    def choose_folder(self) -> None:
        """Ask for a folder, and open its images."""
        folder = self._shell.ask(ask_folder, "Open a folder of images", self._settings.folder)
        if folder:
            self._opener.open_file(folder)

    def open(
        self,
        places: Sequence[str],
        recursive: bool = False,
        truth: str = "",
        adjust: Adjust | None = None,
        given: Given | None = None,
        model: Path | None = None,
    ) -> None:
        """Open files, and the images of folders and patterns, as the shelf."""
        # ``truth`` is that of `Shelf`; ``adjust`` changes the parameters that suit the pictures.
        # ``given``, or a model read from a file, is applied
        folder = places[0] if len(places) == 1 and Path(places[0]).is_dir() else ""
        name = Path(places[0]).name if len(places) == 1 else f"{len(places)} files"
        self._opener.open_with(
            lambda progress: _read(places, recursive, truth, given, model, progress),
            partial(self._take, folder, adjust),
            failure_of,
            name,
            f"Opening {name}: reading the images to learn from",
        )

    def _take(
        self,
        folder: str,
        adjust: Adjust | None,
        found: tuple["collection.reading.Opened", Given | None, "LabelGuess | None"],
    ) -> None:
        opened, given, guess = found
        if folder:
            self._settings.add_recent(folder)
        self.thumbnails.forget()
        self._note(opened.failures)
        self._opener.take_pictures(opened.pictures, adjust, opened.shelf, given)
        n, learned = len(opened.shelf.entries), len(opened.shelf.ticked)
        if self._document.state.shelf is opened.shelf:
            self._shell.show("shelf")
            images = f"{n:,} image{'s' * (n != 1)}"
            own = f"; {opened.n_own:,} that latviz wrote are left out" if opened.n_own else ""
            self._shell.say(f"{images}; the model learns from {learned:,}{self._lost()}{own}")
            self._ask_or_warn(opened, guess)

    def _ask_or_warn(self, opened: "collection.reading.Opened", guess: "LabelGuess | None") -> None:
        """Ask about files that look like labels, or name a place that is not on the shelf."""
        there = {entry.path for entry in opened.shelf.entries}
        others = [failure for failure in opened.failures if failure.path not in there]
        if guess is not None:
            use = Remedy("Use them as labels", partial(self._label, guess.ending))
            self._shell.fail(Failure(f"{guess}.", remedy=use))
        elif others:
            name = Path(others[0].path).name
            self._shell.fail(Failure(f"{name} is not on the shelf: {others[0].reason}."))

    def _lost(self) -> str:
        n = len(self.thumbnails.failures)
        return f"; {n:,} cannot be read" if n else ""

    def _note(self, failures: "Sequence[collection.reading.Unreadable]") -> None:
        for failure in failures:
            self.thumbnails.fail(failure.path, failure.reason)
        if failures:
            self.changed.emit()

    @in_menu(
        "La&bel images…",
        "Choose where the label images are, which hold the true states",
        ("Images and models", 3.9),
        enabled=_is_there,
    )
    def choose_labels(self) -> None:
        """Ask for the place of label images, and read the learned files again with them."""
        shelf = self._document.state.shelf
        if shelf is None:
            return
        rule = self._shell.ask(ask_labels, shelf.truth)
        if rule is not None and rule != shelf.truth:
            self._label(rule)

    def _label(self, rule: str) -> None:
        """Take the label images that follow a rule off the shelf, and read the others with them."""
        before = self._document.state.shelf
        if before is None:
            return

        def read(progress: Progress) -> "collection.reading.Opened":
            wanted = collection.reading.labelled_by(before, rule)
            if before.ticked == tuple(evenly(len(before.entries))):
                wanted = wanted.ticking(evenly(len(wanted.entries)))
            return collection.reading.read_learned(wanted, progress)

        take = partial(self._take_learned, before)
        self._opener.read_more(read, take, failure_of, "Reading label images")

    # Moving along

    def step(self, by: int) -> None:
        """Show the next file that can be read, or the one before; after the last, the first."""
        shelf = self._document.state.shelf
        if shelf is None:
            return
        n, start = len(shelf.entries), shelf.shown if self._wanted is None else self._wanted
        places = ((start + by * k) % n for k in range(1, n))
        readable = (k for k in places if shelf.entries[k].path not in self.thumbnails.failures)
        found = next(readable, None)
        if found is not None:
            self.show(found, by)

    def show(self, index: int, by: int = 0) -> None:
        """Show a file of the shelf; if it cannot be read, the next one in a direction, if any."""
        state = self._document.state
        shelf, pictures = state.shelf, state.pictures
        if shelf is None or pictures is None or not 0 <= index < len(shelf.entries):
            return
        self._wanted = index
        if index == shelf.shown:
            self._opener.give_up()
            self._forget_wishes()
            return
        entry = shelf.entries[index]
        self.changed.emit()
        self._opener.read_more(
            lambda _: _shown(shelf, pictures, index),
            partial(self._take_shown, shelf, index, by),
            message=f"Opening {entry.name}",
        )

    def _take_shown(
        self,
        shelf: Shelf,
        index: int,
        by: int,
        opened: "collection.reading.Opened | collection.reading.Unreadable",
    ) -> None:
        state, self._wanted = self._document.state, None
        if self._pending is not None:  # it waited, or was cancelled, for the image
            self._ticking.start()
        if isinstance(opened, collection.reading.Unreadable):
            self._note([opened])
            if by:
                self._wanted = index
                self.step(by)
            else:
                self._fail(opened)
            return
        if state.shelf is None or state.pictures is None or state.shelf.entries != shelf.entries:
            return
        picture = opened.pictures.picture
        reason = "" if state.given is None else state.given.refusal(picture)
        if reason:
            self._fail(collection.reading.Unreadable(opened.shelf.entry.path, reason))
        else:
            pictures = state.pictures.with_other(picture)
            moved = state.shelf.showing(index)
            self._document.show_of_shelf("Show another image", pictures, moved)

    def _fail(self, failure: "collection.reading.Unreadable") -> None:
        self._shell.fail(Failure(f"{Path(failure.path).name} cannot be shown: {failure.reason}."))
        self.changed.emit()

    # Files to learn from

    def toggle(self, index: int) -> None:
        """Learn from a file, or no longer; the last one stays."""
        if self.shelf is not None:
            self._want(self.shelf.toggled(index))

    @in_menu(
        "Tick or &untick this image",
        "Learn from the image on screen, or stop learning from it",
        (OTHERS, 3.3),
        enabled=_is_there,
    )
    def toggle_shown(self) -> None:
        """Learn from the file on screen, or no longer."""
        if self.shelf is not None:
            self.toggle(self.shelf.shown)

    @in_menu(
        "Learn only from &this image",
        "Learn the model from the image on screen, and from no other image of the shelf",
        (OTHERS, 3.0),
        enabled=_is_there,
    )
    def tick_shown_alone(self) -> None:
        """Learn from the file on screen alone."""
        if self.shelf is not None:
            self._want(self.shelf.ticking([self.shelf.shown]))

    def tick(self, indices: Sequence[int]) -> None:
        """Learn from these files."""
        if self.shelf is not None and indices:
            self._want(self.shelf.ticking(indices))

    @in_menu(
        "L&earn from all images",
        "Learn the model from all images of the shelf",
        (OTHERS, 3.1),
        enabled=_is_there,
    )
    def tick_all(self) -> None:
        """Learn from all files."""
        if self.shelf is not None:
            self.tick(range(len(self.shelf.entries)))

    @in_menu(
        "Learn from s&ome, spread evenly",
        f"Learn the model from about {AT_FIRST} images, spread evenly over the shelf",
        (OTHERS, 3.2),
        enabled=_is_there,
    )
    def tick_some(self) -> None:
        """Learn from some files, evenly."""
        if self.shelf is not None:
            self.tick(evenly(len(self.shelf.entries)))

    def _want(self, shelf: Shelf) -> None:
        """Learn from the ticked files once the user pauses."""
        if self.reason:
            self._shell.say(self.reason)
            return
        lost = self.thumbnails.failures
        readable = [k for k in shelf.ticked if shelf.entries[k].path not in lost]
        if readable and shelf.ticking(readable) != self._document.state.shelf:
            self._pending = shelf.ticking(readable)
            self._ticking.start()
        else:
            self._pending = None
            self._ticking.stop()
        self.changed.emit()

    def _learn(self) -> None:
        shelf, state = self._pending, self._document.state
        if shelf is None or state.shelf is None or state.pictures is None:
            return
        if self._wanted is not None:  # of two readings the newest wins: the image comes first
            return
        shelf = self._pending = shelf.showing(state.shelf.shown)
        known = state.pictures.everything
        self._opener.read_more(
            lambda progress: collection.reading.read_learned(shelf, progress, known),
            partial(self._take_learned, shelf),
            failure_of,
            "Reading the images to learn from",
        )

    def _take_learned(self, before: Shelf, opened: "collection.reading.Opened") -> None:
        self._pending = None
        state = self._document.state
        if state.shelf is not None and state.shelf.entries == before.entries:
            is_ticking = state.shelf.truth == opened.shelf.truth
            text = "Change the images to learn from" if is_ticking else "Choose label images"
            self._document.show_of_shelf(text, opened.pictures, opened.shelf, object())
        self._note(opened.failures)
        self.changed.emit()

    # Result

    def close(self) -> None:
        """Read nothing more, because the window closes."""
        self._ticking.stop()
        self.thumbnails.close()

    def _forget_wishes(self) -> None:
        self._wanted = self._pending = None
        self._ticking.stop()
        self.changed.emit()

    def _follow(self, old: State, new: State) -> None:
        if new.shelf is old.shelf:
            return
        before = None if old.shelf is None else old.shelf.entries
        after = None if new.shelf is None else new.shelf.entries
        if before is not after and before != after:
            self._forget_wishes()
            if new.shelf is not None and old.shelf is not None:
                self.thumbnails.forget()

    def _has_several(self) -> bool:
        shelf = self._document.state.shelf
        return shelf is not None and len(shelf.entries) > 1


def ask_labels(parent: QWidget, rule: str) -> str | None:
    """Ask for the rule that finds label images; return it, or None on Cancel."""
    prompt = (
        "A folder of label images with the names of the images, or the ending of the names of\n"
        "label images, such as _truth. If empty: name.labels.png, name_labels.png and\n"
        "labels/name.png."
    )
    return ask_line(parent, "Label images", prompt, rule, "Place of label images", _LONGEST)


def evenly(n: int) -> list[int]:
    """Return the places of all of n files, or of `AT_FIRST` of more, evenly."""
    return sorted({k * n // AT_FIRST for k in range(AT_FIRST)}) if n > AT_FIRST else list(range(n))


def _read(
    places: Sequence[str],
    recursive: bool,
    truth: str,
    given: Given | None,
    model: Path | None,
    progress: Progress,
) -> tuple["collection.reading.Opened", Given | None, "LabelGuess | None"]:
    """Find files, and read those to learn from first, and a model; runs on another thread."""
    # A folder of nothing but folders stands for the images in these, which are their classes
    if model is not None:
        given = collection.models.read_model(model)
    found = collection.reading.find(places, recursive=recursive, truth=truth)
    if found.shelf is None and len(places) == 1 and holds_images(places[0]):
        inside = collection.reading.find([Path(places[0], "*", "*")], truth=truth)
        found = found if inside.shelf is None else inside
    if found.shelf is None:
        first = found.failures[0]
        raise ImageError(Path(first.path), first.reason)
    shelf = found.shelf.ticking(evenly(len(found.shelf.entries)))
    opened = collection.reading.read_learned(shelf, progress)
    failures = (*found.failures, *opened.failures)
    opened = replace(opened, failures=failures, n_own=found.n_own)
    return opened, given, collection.reading.guess_labels(shelf)


def _shown(
    shelf: Shelf, pictures: PictureSet, index: int
) -> "collection.reading.Opened | collection.reading.Unreadable":
    """Read a file, or return why it cannot be read; runs on another thread."""
    try:
        return collection.reading.show(shelf, pictures, index)
    except Exception as error:  # any file may be damaged, and others are still shown
        return collection.reading.Unreadable.of(shelf.entries[index].path, error)
