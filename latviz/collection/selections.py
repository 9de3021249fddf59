"""Selections that are kept, over all files of a shelf, which one model decodes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from latviz import engine, files
from latviz.collection.batch import names_in
from latviz.collection.models import model_of
from latviz.collection.reading import Unreadable, read_entry
from latviz.collection.record import RecordTask, check_suits, request_of
from latviz.collection.running import PROCESS, Room, bytes_a_pixel, each, room_beside
from latviz.core import memory
from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.requests import request_for
from latviz.engine.frames.selection_table import Table, kept_arrays, kept_of, kept_table
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import Kept, RegionSelection
from latviz.engine.geometry.space import LassoPlanes
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.appearance import Looks
from latviz.files.names import MOST_BYTES, fitting_name, safe_name

NEEDS = {".csv": "kept_statistics", ".png": "kept_lit", ".npz": "kept_lit"}
"""The result for a file of a suffix."""
MASKED = 12
"""Additional bytes per pixel while a mask is made."""


@dataclass(frozen=True)
class SelectionMarks:
    """Finds selections in an image, and returns or writes the results for a file's suffix."""

    task: RecordTask  # with the model that all images are decoded by
    looks: Looks  # of its states
    kept: tuple[Kept, ...]
    region_cut: RegionCut  # which regions are merged, of a selection that is one
    planes: LassoPlanes  # in which lassos were drawn: that of one image alone would be another
    path: str  # the requested file; masks (.png) are next to each other, by its name
    truth: str  # as `Shelf.truth`
    numbers: dict[str, int]  # by path, the place of each file on the shelf, from 0

    def __call__(self, entry: Entry) -> Any:
        """Return the table of an image (.csv) or its masks by name (.npz); or write them (.png)."""
        frame, suffix = self.frame(entry), Path(self.path).suffix.lower()
        if suffix == ".csv":
            return kept_table([frame])
        if suffix == ".npz":
            return kept_arrays(self.numbers[entry.path], frame)
        write_masks(Path(self.path), self.kept, frame, self.numbers[entry.path] + 1, entry.name)
        return None

    def frame(self, entry: Entry) -> Frame:
        """Return the frame of an image, with the results for its selections."""
        picture = read_entry(entry, self.truth)
        check_suits(picture, self.task)
        request = replace(
            request_of(picture, self.task, frozenset({NEEDS[Path(self.path).suffix.lower()]})),
            looks=self.looks,
            kept=self.kept,
            region_cut=self.region_cut,
            lasso_planes=self.planes,
        )
        found: Frame = engine.flow.pipeline.Pipeline().run(request, Listener())
        return found


def marked(
    path: str | Path,
    shelf: Shelf,
    pictures: PictureSet,
    session: Session,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Table | dict[str, NDArray[Any]] | Unreadable | None]]:
    """Yield the place of each file of a shelf and its result of `SelectionMarks`, once done."""
    # The model is the given one, or is learned from ``pictures`` with the session's settings
    work = _marks(str(path), shelf, pictures, session, progress)
    pixel = bytes_a_pixel(work.task) + MASKED
    room = Room(lambda: room_beside(memory.taken()), PROCESS)
    for done, (entry, found) in enumerate(
        each(shelf.entries, work, progress, pixel=pixel, room=room), start=1
    ):
        if progress is not None:
            progress.report(done / len(shelf.entries))
        yield work.numbers[entry.path], found


def _marks(
    path: str, shelf: Shelf, pictures: PictureSet, session: Session, progress: Progress | None
) -> SelectionMarks:
    """Learn the model, unless it is given, and find the planes that lassos were drawn in."""
    state, given = session.state, session.state.given
    learned = pictures if given is not None else pictures.showing(pictures.shown)
    lassos = [one for one in state.kept if isinstance(one.selection, RegionSelection)]
    frame = _learned(learned, session, lassos, progress)
    there = [one.selection for one in kept_of(frame)]
    drawn = [selection for selection in there if isinstance(selection, RegionSelection)]
    planes = zip(drawn, frame.results.get("kept_planes", ()), strict=True)
    return SelectionMarks(
        RecordTask(state.parameters, given or model_of(frame)),
        state.looks,
        state.kept,
        state.region_cut,
        tuple(planes),
        path,
        shelf.truth,
        {entry.path: number for number, entry in enumerate(shelf.entries)},
    )


def _learned(
    pictures: PictureSet, session: Session, lassos: list[Kept], progress: Progress | None
) -> Frame:
    request = request_for(session.shown, pictures, frozenset({"kept_planes"}))
    request = replace(request, kept=tuple(lassos))
    found: Frame = engine.flow.pipeline.Pipeline().run(request, Listener.of(progress))
    return found


def names_of(shelf: Shelf) -> list[str]:
    """Return the name of each file of a shelf: its path from the common folder."""
    names = names_in(shelf.entries)
    return [names[entry.path] for entry in shelf.entries]


def write_masks(
    path: Path, kept: tuple[Kept, ...], frame: Frame, number: int | None, name: str = ""
) -> None:
    """Write each mask of a picture as a PNG; ``number`` and ``name`` distinguish pictures."""
    # See `mask_file`. Sequences are one row; slices of volumes are below each other
    for one, found in zip(kept_of(frame), frame.results["kept_lit"], strict=True):
        place = mask_file(path, kept, one, number, name)
        files.writing.write_mask(place, found.mask.reshape(-1, found.mask.shape[-1]))


def mask_file(
    path: Path, kept: tuple[Kept, ...], one: Kept, number: int | None, name: str = ""
) -> Path:
    """Return the file of a mask: ``path``, or one next to it if there are several."""
    # The number and name of the picture, and those of the selection, follow the stem of the path
    picture = "" if number is None else f"{number}"
    if name:
        picture += f"-{safe_name(Path(name).stem)}"
    which = f"{kept.index(one) + 1}-{safe_name(one.name)}" if len(kept) > 1 else ""
    stem = "-".join(filter(None, (path.stem, picture, which)))
    return path.with_name(fitting_name(stem, MOST_BYTES - len(path.suffix)) + path.suffix)
