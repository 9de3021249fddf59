"""Kept selections over all pictures: a table of statistics, and masks."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz import engine, files
from latviz.collection import selections
from latviz.collection.reading import Unreadable
from latviz.collection.selections import NEEDS, names_of
from latviz.core.disk.errors import ExportError
from latviz.core.disk.inputs import check_kept
from latviz.core.progress import Progress, shares
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.requests import request_for
from latviz.engine.frames.selection_table import Table, kept_arrays, kept_table
from latviz.engine.geometry.selection import Kept
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Pictures, PictureSet, as_set
from latviz.engine.pictures.shelf import Shelf
from latviz.files.suffixes import KEPT_EXPORTS

MOST_TOLD = 3
"""Files listed in an error about missing masks."""


def write_selections(
    path: str | Path, pictures: Pictures, session: Session, progress: Progress | None = None
) -> None:
    """Write the kept selections of a session: a table (.csv), all masks (.npz) or each as a PNG."""
    # Pictures of a shelf: over all of its files, ticked or not, decoded by the one model; files
    # that cannot be decoded have their reason in the table, or among the arrays. A mask alone is
    # written to the path; of several, each has the number of the picture, if there are several, and
    # the name of the selection behind the stem. Masks of sequences are one row; slices of volumes
    # are below each other. When cancelled, no table or archive is left. ExportError also if images
    # of a shelf have no masks
    path, suffix = Path(path), Path(path).suffix.lower()
    if suffix not in NEEDS:
        known = ", ".join(f"{key} ({what})" for key, what in KEPT_EXPORTS.items())
        raise ExportError(path, f"its suffix must be one of {known}")
    if session.state.shelf is not None:
        _write_of_shelf(path, session.state.shelf, as_set(pictures), session, progress)
        return
    frames = _frames(as_set(pictures), session, NEEDS[suffix], progress)
    if suffix == ".csv":
        files.writing.write_table(path, *kept_table(frames))
    elif suffix == ".npz":
        files.writing.write_arrays(path, _arrays(pictures, session, frames))
    else:
        _write_masks(path, pictures, session, frames)


def _write_of_shelf(
    path: Path, shelf: Shelf, pictures: PictureSet, session: Session, progress: Progress | None
) -> None:
    """Write the same of all files of a shelf."""
    if path.suffix.lower() == ".png":
        _check_inputs_stay(path, shelf, session.state.kept)
    found, names = selections.marked(path, shelf, pictures, session, progress), names_of(shelf)
    if path.suffix.lower() == ".csv":
        files.writing.write_table(path, *_table_of(dict(found), names))
    elif path.suffix.lower() == ".npz":
        files.writing.write_arrays(path, _arrays_of(found, names, session.state.kept))
    else:
        _check_written(path, dict(found), names)


def _check_inputs_stay(path: Path, shelf: Shelf, kept: tuple[Kept, ...]) -> None:
    """Raise `TargetError` if a mask would replace an input; other processes write them."""
    for number, entry in enumerate(shelf.entries, start=1):
        places = (selections.mask_file(path, kept, one, number, entry.name) for one in kept)
        for place in filter(os.path.lexists, places):
            check_kept(place)


def _table_of(found: Mapping[int, Any], names: Sequence[str]) -> Table:
    """Return the tables of all files as one, in their order; a file without has a row, too."""
    tables = [table for table in found.values() if not isinstance(table, Unreadable)]
    columns = next((columns for columns, _ in tables if columns), ["Picture"])
    rows = list[list[Any]]()
    for number, name in enumerate(names):
        table = found[number]
        if isinstance(table, Unreadable):
            rows.append([name, *[""] * (len(columns) - 1), table.reason])
        else:
            rows += ([name, *cells, ""] for _, *cells in table[1])
    return [*columns, "Problem"], rows


def _arrays_of(
    found: Iterable[tuple[int, Any]], names: Sequence[str], kept: Sequence[Kept]
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the names of selections and files, the masks in each, and the errors."""
    yield "selections", np.array([one.name for one in kept])
    yield "pictures", np.array(names)
    problems = [""] * len(names)
    for number, arrays in found:
        if isinstance(arrays, Unreadable):
            problems[number] = arrays.reason
        else:
            yield from arrays.items()
    yield "problems", np.array(problems)


def _check_written(path: Path, found: Mapping[int, Any], names: Sequence[str]) -> None:
    """Raise `ExportError` with the files that have no masks, if any; the others have theirs."""
    lost = {k: one.reason for k, one in sorted(found.items()) if isinstance(one, Unreadable)}
    if lost:
        told = "; ".join(f"{names[k]}: {reason}" for k, reason in list(lost.items())[:MOST_TOLD])
        more = f"; and {len(lost) - MOST_TOLD:,} more" if len(lost) > MOST_TOLD else ""
        text = (
            f"no masks for {len(lost):,} of {len(names):,} images; those of the others are written "
            f"({told}{more})"
        )
        raise ExportError(path, text)


def _frames(
    pictures: Any, session: Session, need: str, progress: Progress | None
) -> Iterator[Frame]:
    """Yield the frame of one picture after the other, of one model."""
    pipeline = engine.flow.pipeline.Pipeline()
    for index, part in enumerate(shares(progress, [1.0] * len(pictures.members))):
        request = request_for(session.shown, pictures.showing(index), frozenset({need}))
        request = replace(request, kept=session.state.kept)
        yield pipeline.run(request, Listener.of(part))
        if part is not None:
            part.report(1.0)


def _arrays(
    pictures: Pictures, session: Session, frames: Iterator[Frame]
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the names of selections and of pictures, and the masks in each picture."""
    yield "selections", np.array([kept.name for kept in session.state.kept])
    yield "pictures", np.array([member.name for member in as_set(pictures).members])
    for number, frame in enumerate(frames):
        yield from kept_arrays(number, frame).items()


def _write_masks(path: Path, pictures: Pictures, session: Session, frames: Iterator[Frame]) -> None:
    several = len(as_set(pictures).members) > 1
    for number, frame in enumerate(frames, start=1):
        selections.write_masks(path, session.state.kept, frame, number if several else None)
