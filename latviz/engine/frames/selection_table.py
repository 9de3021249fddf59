"""Statistics of a selection's pixels, and the table of kept selections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.types import Counts
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import Kept, Mask
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Color, mean_colors

Box = tuple[tuple[int, int], ...]
"""The first and the last node along each axis."""
Table = tuple[list[str], list[list[Any]]]
"""The names of columns, and rows of cells."""
_AXES = ("slice", "row", "column")


@dataclass(frozen=True, eq=False)
class Statistics:
    """Statistics of the nodes of a selection."""

    n_nodes: int
    share: float  # of all nodes of the picture
    color: Color | None  # mean of its nodes; None if it has none
    states: Counts  # (N,): its nodes in each state
    bits: float  # mean log-likelihood of its nodes; NaN if it has none
    box: Box | None  # first and last node along each axis, from 0


def statistics_of(
    mask: Mask,
    picture: Picture,
    states: NDArray[np.uint8],
    node_log_likelihood: NDArray[Any],
    n_states: int,
) -> Statistics:
    """Describe the nodes of a mask, (*shape), given their states and log-likelihoods in nats."""
    n_nodes = int(np.count_nonzero(mask))
    share = n_nodes / mask.size
    if not n_nodes:
        return Statistics(0, 0.0, None, np.zeros(n_states, np.int64), float("nan"), None)
    red, green, blue = mean_colors(picture, mask.view(np.uint8), 2)[1].tolist()
    counts = np.bincount(states[mask], minlength=n_states)
    bits = float(node_log_likelihood[mask].mean(dtype=np.float64)) / float(np.log(2.0))
    return Statistics(n_nodes, share, (red, green, blue), counts, bits, _box(mask))


def _box(mask: Mask) -> Box:
    """Return the first and the last node along each axis; there is one."""
    found = list[tuple[int, int]]()
    for axis in range(mask.ndim):
        others = tuple(other for other in range(mask.ndim) if other != axis)
        places = np.flatnonzero(mask.any(axis=others))
        found.append((int(places[0]), int(places[-1])))
    return tuple(found)


def kept_of(frame: Frame) -> tuple[Kept, ...]:
    """Return the selections that are kept and mean something in a frame."""
    encoding, name = frame.request.parameters.encoding, frame.request.picture.name
    return tuple(kept for kept in frame.request.kept if kept.means_something(encoding, name))


def described(frame: Frame) -> tuple[tuple[Kept, Statistics], ...]:
    """Return the statistics of each kept selection with a meaning in a frame."""
    known: Sequence[Statistics] = frame.results.get("kept_statistics", ())
    kept = kept_of(frame)
    return tuple(zip(kept, known, strict=True)) if len(kept) == len(known) else ()


def kept_table(frames: Iterable[Frame]) -> Table:
    """Return the table of selections over pictures, with one frame for each."""
    # Positions and slices are counted from 1, rows and columns from 0. Missing values are left
    # empty
    names, rows = list[str](), list[list[Any]]()
    for frame in frames:
        names = names or _columns(frame)
        rows += ([*_cells(frame, kept, found)] for kept, found in described(frame))
    return names, rows


def _columns(frame: Frame) -> list[str]:
    """Return the names of the columns for a selection."""
    picture = frame.request.picture
    axes = ("position",) if picture.dimensions == 1 else _AXES[-picture.dimensions :]
    ends = (f"{end} {axis}" for axis in axes for end in ("First", "Last"))
    nodes = f"{picture.node_name.capitalize()}s"
    shares = (f"Share of {frame.called(k)}" for k in range(len(frame.slots)))
    return ["Picture", "Selection", nodes, "Share", "Red", "Green", "Blue", "Bits", *ends, *shares]


def _cells(frame: Frame, kept: Kept, found: Statistics) -> Iterable[Any]:
    """Yield the cells of a row."""
    picture = frame.request.picture
    yield from (picture.name, kept.name, found.n_nodes, found.share)
    yield from found.color or ("", "", "")
    yield found.bits if found.n_nodes else ""
    d = picture.dimensions
    for axis, from_1 in enumerate((d != 2, *[False] * (d - 1))):
        yield from ("", "") if found.box is None else (end + from_1 for end in found.box[axis])
    for count in found.states.tolist():
        yield count / found.n_nodes if found.n_nodes else ""


def kept_arrays(number: int, frame: Frame) -> dict[str, NDArray[Any]]:
    """Return the masks of selections in the picture of a ``number``."""
    # masks_<number> (S, *shape) bool; all False for a selection without meaning in this picture
    shape = frame.request.picture.shape
    there = dict(zip(kept_of(frame), frame.results["kept_lit"], strict=True))
    nowhere = np.zeros(shape, bool)
    masks = [there[kept].mask if kept in there else nowhere for kept in frame.request.kept]
    return {f"masks_{number}": np.stack(masks) if masks else np.zeros((0, *shape), bool)}
