"""The pictures of a shelf, read from their files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from latviz import files
from latviz.collection.models import file_of
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.engine.pictures import shelf as shelves
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.state import State
from latviz.files.errors import ImageError
from latviz.files.label_files import mask_next_to
from latviz.workspace import read_pictures, with_truth

if TYPE_CHECKING:  # at run time it would load decoders
    from latviz.files.label_guesses import LabelGuess


@dataclass(frozen=True)
class Unreadable:
    """A file that is left out, and why, as one plain sentence."""

    path: str
    reason: str

    @classmethod
    def of(cls, path: str | Path, error: Exception) -> "Unreadable":
        """Return a file with the reason of an error."""
        reason = error.reason if isinstance(error, FileError) else str(error)
        return cls(str(path), reason)


@dataclass(frozen=True)
class Found:
    """The files behind the given places: a shelf if there are any, and errors."""

    shelf: Shelf | None
    failures: tuple[Unreadable, ...] = ()
    n_own: int = 0  # files that latviz wrote, which are left out


@dataclass(frozen=True, eq=False)
class Opened:
    """Pictures of a shelf: those learned from, and the one on screen."""

    shelf: Shelf  # on which only readable files are ticked and shown
    pictures: PictureSet
    # files to learn from, or to show, that could not be read
    failures: tuple[Unreadable, ...] = ()
    n_own: int = 0  # as of `Found`


def find(places: Iterable[str | Path], *, recursive: bool = False, truth: str = "") -> Found:
    """Return the shelf of files, folders and patterns, all ticked; no file is read."""
    # See `files.listing.listed`; the first one is shown
    listed = files.listing.listed(places, recursive=recursive, labels=truth)
    entries = [Entry(str(path), size, mtime) for path, size, mtime in listed.files]
    failures = tuple(Unreadable.of(error.path, error) for error in listed.failures)
    return Found(Shelf.of(entries, truth) if entries else None, failures, len(listed.own))


def files_of(shelf: Shelf) -> Iterator[str | Path]:
    """Yield the files of a shelf that are read: images, and their label images and masks."""
    for entry in shelf.entries:
        yield entry.path
        path = Path(entry.path)
        more = files.label_files.labels_next_to(path, shelf.truth), mask_next_to(path)
        yield from (one for one in more if one is not None)


def inputs_of(state: State, target: Path) -> Iterator[str | Path]:
    """Yield the files that results of a state are made from; ``target`` is a file to write."""
    for picture in () if state.pictures is None else state.pictures.everything:
        yield from (
            picture.origin[name] for name in ("path", "truth", "mask") if name in picture.origin
        )
    model = None if state.given is None else file_of(state.given)
    yield from [] if model is None else [model]
    if state.shelf is not None:
        yield from (entry.path for entry in state.shelf.entries)
        # By its name: to look for the label images of all would take long
        if files.label_files.may_be_labels(target, state.shelf.truth):
            yield target


def guess_labels(shelf: Shelf) -> "LabelGuess | None":
    """Return the files on a shelf that look like label images, if it has no rule for them."""
    paths = [Path(entry.path) for entry in shelf.entries]
    return None if shelf.truth else files.label_guesses.guess_labels(paths)


def labelled_by(shelf: Shelf, rule: str) -> Shelf:
    """Return the shelf with another rule for label images, which are then not on it."""
    # ParameterError if all its files follow the rule
    paths = {Path(entry.path): k for k, entry in enumerate(shelf.entries)}
    images = [path for path in paths if not files.label_files.is_labels(path, rule)]
    kept = files.listing.without_labels(images, rule)
    if not kept:
        raise ParameterError(f"all images would be label images by {rule!r}; choose another rule")
    return replace(shelf.keeping(paths[path] for path in kept), truth=rule)


def read_entry(entry: Entry, truth: str = "") -> Picture:
    """Read the picture of a file, with the true states of its label image if there is one."""
    # ImageError also if labels do not fit; truth as `Shelf.truth`
    picture = read_pictures(entry.path).picture
    if picture.dimensions != 2:
        return picture
    labels = files.label_files.labels_next_to(Path(entry.path), truth)
    return picture if labels is None else with_truth(picture, labels)


def read_learned(
    shelf: Shelf, progress: Progress | None = None, known: Sequence[Picture] = ()
) -> Opened:
    """Read the files of a shelf to learn from, and the one on screen."""
    # Of many large pictures only the middle parts are kept, see MOST_LEARNED; each file is read
    # whole, one at a time, but the picture on screen stays whole. Files that cannot be read, or not
    # learned from together with most, are left out, in any order. Whole ``known`` pictures of the
    # same files are not read again. ImageError if none is left
    kinds, failures = list[dict[int, Picture]](), dict[int, Unreadable]()
    whole, read = dict[int, Picture](), _Reader(shelf.truth, known)
    for done, index in enumerate(shelf.ticked):
        stop_if_cancelled(progress)
        entry = shelf.entries[index]
        try:
            picture = read(entry)
        except FileError as error:
            failures[index] = Unreadable.of(entry.path, error)
            continue
        _kind_of(picture, kinds)[index] = shelves.part_of(picture, len(shelf.ticked))
        if index == shelf.shown:
            whole[index] = picture
        if progress is not None:
            progress.report((done + 1) / len(shelf.ticked))
    if not kinds:
        first = failures[shelf.ticked[0]]
        raise ImageError(Path(first.path), first.reason)
    kept = max(kinds, key=len)
    failures |= _unlike(shelf, kinds, kept)
    members = tuple(shelves.alike(list(kept.values())))
    learned = shelf.ticking(kept)
    there = dict(zip(kept, members, strict=True))
    failed = tuple(failures[index] for index in sorted(failures))
    return _shown(learned, PictureSet(members), there, whole, failed, read)


def _kind_of(picture: Picture, kinds: list[dict[int, Picture]]) -> dict[int, Picture]:
    """Return the pictures, by place, that one can be learned with; new ones by default."""
    for kind in kinds:
        if not shelves.unlike(picture, next(iter(kind.values()))):
            return kind
    kinds.append({})
    return kinds[-1]


def _unlike(
    shelf: Shelf, kinds: Sequence[dict[int, Picture]], kept: dict[int, Picture]
) -> dict[int, Unreadable]:
    """Return why the pictures of all kinds but one are left out."""
    first = next(iter(kept.values()))
    return {
        index: Unreadable(shelf.entries[index].path, shelves.unlike(picture, first))
        for kind in kinds
        if kind is not kept
        for index, picture in kind.items()
    }


class _Reader:
    """Reads files, unless they were read before and are unchanged."""

    def __init__(self, truth: str, known: Sequence[Picture]) -> None:
        changed = {"part", "coloured"}
        self._truth = truth
        self._known = {
            picture.origin["path"]: picture
            for picture in known
            if "path" in picture.origin and not changed & picture.origin.keys()
        }

    def __call__(self, entry: Entry) -> Picture:
        """Return the picture of a file; see `read_entry`."""
        return self._known.get(entry.path) or read_entry(entry, self._truth)


def _shown(
    shelf: Shelf,
    pictures: PictureSet,
    known: dict[int, Picture],
    whole: dict[int, Picture],
    failures: tuple[Unreadable, ...],
    read: Callable[[Entry], Picture],
) -> Opened:
    """Return the pictures with the one shown that the shelf shows, or else the first member."""
    index = shelf.shown
    if index in known and "part" not in known[index].origin:
        return Opened(shelf, pictures.with_other(known[index]), failures)
    try:
        picture = whole[index] if index in whole else read(shelf.entry)
        _check_alike(picture, pictures, shelf.entry)
        return Opened(shelf, pictures.with_other(picture), failures)
    except (FileError, ParameterError) as error:
        failed = Unreadable.of(shelf.entry.path, error)
        others = tuple(failure for failure in failures if failure.path != failed.path)
        return Opened(shelf.showing(shelf.ticked[0]), pictures, (*others, failed))


def show(shelf: Shelf, pictures: PictureSet, index: int) -> Opened:
    """Return the same pictures, and another file of the shelf shown, which is read."""
    # ImageError also if its kind differs from those learned from
    entry, moved = shelf.entries[index], shelf.showing(index)
    for member in pictures.members:
        if member.origin.get("path") == entry.path and "part" not in member.origin:
            return Opened(moved, pictures.with_other(member))
    picture = read_entry(entry, shelf.truth)
    _check_alike(picture, pictures, entry)
    return Opened(moved, pictures.with_other(picture))


def _check_alike(picture: Picture, pictures: PictureSet, entry: Entry) -> None:
    """Raise `ImageError` if a picture cannot be encoded like those learned from."""
    if reason := shelves.unlike(picture, pictures.members[0]):
        raise ImageError(Path(entry.path), reason)
