"""State maps of several N and w side by side: the choice of cells, and their decodings."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from latviz.core.digits import ErrorScale
from latviz.engine.choosing.tradeoff import Place
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import decoding_of
from latviz.engine.geometry.slots import extended, matched_slots, slots_of_rows
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import STATES_RANGE, WINDOW_RANGE
from latviz.engine.settings.state import State

WINDOWS = (1, 3, 7, 15)
"""The default w of the cells."""
STATES = (2, 3, 4, 6)
"""The N that are offered together."""
COMPARED = 1 << 14
"""Nodes whose states are compared to give cells the colours of a frame, about."""
MOST = 12
"""Cells that can be shown at once."""


Ground = tuple[PictureSet, Decoding]
"""All that cells follow from but N and w, which are the least ones; coloring does not count."""


def ground_of(frame: Frame) -> Ground:
    """Return the ground of a frame."""
    decoding = decoding_of(frame)
    bare = replace(decoding.parameters, n_states=STATES_RANGE[0], window=WINDOW_RANGE[0])
    return frame.request.modelled, replace(decoding, parameters=bare)


@dataclass(frozen=True, eq=False)
class Cell:
    """The decoding of an N and w."""

    place: Place  # N and w
    # complete except for results that only the newest frame shows; colours follow overlap
    frame: Frame
    rows: tuple[int, ...]  # the row of the merge tree that each state is, see `rows_of`
    ground: Ground
    complete: bool  # learned from all signatures, not from a sample
    bits: float | None  # code length of the observations, if known
    accuracy: float | None  # share of nodes in their true states, if known
    bits_of_one: float = 0.0  # code length with one state


def scale_of(cells: Iterable[Cell]) -> ErrorScale:
    """Return how the prediction errors of cells are shown."""
    known = [(cell.bits, cell.bits_of_one) for cell in cells if cell.bits is not None]
    return ErrorScale.of((bits for bits, _ in known), *(one for _, one in known))


def cells_of(state: State) -> tuple[Place, ...]:
    """Return the N and w that a state shows side by side; a given model has only its own N."""
    n_states = state.parameters.n_states
    places = state.cells or tuple((n_states, w) for w in WINDOWS)
    if state.given is None:
        return places
    return tuple(dict.fromkeys((n_states, w) for _, w in places))


def rows_of(frame: Frame) -> tuple[int, ...]:
    """Return the row of the merge tree for each state of a frame, to find it again.

    Codewords without a cluster in the tree, as no signature is left for them, have none.
    """
    assert frame.cut is not None
    rows = dict(zip(frame.row_slots, frame.cut.rows.tolist(), strict=False))
    return tuple(rows.get(slot, -1) for slot in frame.slots)


def drawn(cell: Cell, frame: Frame) -> Frame:
    """Return a cell's frame in the colours of the frame on screen."""
    # Along one tree its states keep their slots; otherwise they take the slots of those that they
    # overlap most. Coarse frames, and those of another picture of a data set, keep theirs. Looks
    # are current
    own, slots = cell.frame, cell.frame.slots
    if _are_of_one_tree(own, frame):
        own_slots = zip(rows_of(frame), frame.slots, strict=True)  # all that a given model has
        known = dict(frame.tree_slots or own_slots)
        known = slots_of_rows(known, sorted(row for row in cell.rows if row >= 0))
        slots = tuple(extended([known.get(row) for row in cell.rows]))
    elif not frame.coarse and frame.states.shape == own.states.shape:
        step = max(1, own.states.size // COMPARED)
        old, new = (states.reshape(-1)[::step] for states in (frame.states, own.states))
        slots = tuple(matched_slots(old, frame.slots, new, len(own.slots)))
    return replace(own, slots=slots, appearance=frame.appearance)


def _are_of_one_tree(one: Frame, other: Frame) -> bool:
    """Return True if both codebooks are cuts of one merge tree; a kept frame has no tree."""
    windows = {each.request.parameters.fit.learning_window for each in (one, other)}
    return other.cut is not None and len(windows) == 1 and one.n_learned == other.n_learned


def due(frame: Frame, wanted: tuple[Place, ...], known: dict[Place, Cell]) -> tuple[Place, ...]:
    """Return the cells to decode, in order: missing or, unlike the frame, of a sample.

    N and w of the frame come first, then those of one w together, which share learned results.
    """
    complete, now = decoding_of(frame).complete, frame.request.parameters

    def lacks(place: Place) -> bool:
        cell = known.get(place)
        return cell is None or (complete and not cell.complete)

    def order(place: Place) -> tuple[bool, int, int]:
        return place != (now.n_states, now.window), place[1], place[0]

    return tuple(sorted(filter(lacks, dict.fromkeys(wanted)), key=order))
