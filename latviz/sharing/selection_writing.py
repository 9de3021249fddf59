"""Selections that are kept, over all pictures: a table of what is known of them, and masks."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz import engine, files
from latviz.core.progress import Progress, shares
from latviz.engine.frame import Frame
from latviz.engine.listener import Listener
from latviz.engine.picture import Pictures, as_set
from latviz.engine.selection_table import kept_arrays, kept_of, kept_table
from latviz.engine.session import Session, request_for
from latviz.files.errors import ExportError
from latviz.files.names import safe_name
from latviz.files.suffixes import KEPT_EXPORTS

_NEEDS = {".csv": "kept_statistics", ".png": "kept_lit", ".npz": "kept_lit"}


def write_selections(
    path: str | Path, pictures: Pictures, session: Session, progress: Progress | None = None
) -> None:
    """Write what a session keeps: a table (.csv), all masks (.npz) or each as a PNG.

    A mask alone is written to ``path``. Of several, each has the number of the picture, if there
    are several, and the name of the selection behind the stem. The mask of a sequence is one row;
    the slices of a volume are below each other.

    Raises
    ------
    Cancelled
        If ``progress`` says so; of a table and of arrays no file is left then.
    ParameterError
        If the pictures cannot be encoded as asked.
    ExportError
        If the suffix is another, or a file cannot be written.
    """
    path, suffix = Path(path), Path(path).suffix.lower()
    if suffix not in _NEEDS:
        known = ", ".join(f"{key} ({what})" for key, what in KEPT_EXPORTS.items())
        raise ExportError(path, f"its suffix must be one of {known}")
    frames = _frames(as_set(pictures), session, _NEEDS[suffix], progress)
    if suffix == ".csv":
        files.writing.write_table(path, *kept_table(frames))
    elif suffix == ".npz":
        files.writing.write_arrays(path, _arrays(pictures, session, frames))
    else:
        _write_masks(path, pictures, session, frames)


def _frames(
    pictures: Any, session: Session, need: str, progress: Progress | None
) -> Iterator[Frame]:
    """Yield the frame of one picture after the other, of one model."""
    pipeline = engine.pipeline.Pipeline()
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
    kept, n_pictures = session.state.kept, len(as_set(pictures).members)
    for number, frame in enumerate(frames, start=1):
        lit = frame.results["kept_lit"]
        for each, found in zip(kept_of(frame), lit, strict=True):
            name = f"{kept.index(each) + 1}-{safe_name(each.name)}" if len(kept) > 1 else ""
            parts = (path.stem, str(number) if n_pictures > 1 else "", name)
            place = path.with_name("-".join(filter(None, parts)) + path.suffix)
            files.writing.write_mask(place, found.mask.reshape(-1, found.mask.shape[-1]))
