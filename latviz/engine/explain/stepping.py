"""Four processes of the model, step by step: each step in values and in words.

A `StepFilm` holds all steps of a process. Windows are summed from their definitions, on a small
part of the picture; merges are those of the tree; state maps of every w are those of the trade-off;
beliefs are a field's, after each pass of its messages.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from latviz.core import digits
from latviz.core.data.masks import moved_to_known
from latviz.core.inference.field import field_of
from latviz.core.inference.potentials import potentials_of
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.types import Region
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.explain.explanation import nearest_state, squared_distances, summed
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import further_signature
from latviz.engine.frames.section import Section
from latviz.engine.geometry.dendrogram import Cuts, Dendrogram
from latviz.engine.pictures.data_sets import data_set_of
from latviz.engine.settings.parameters import PASSES_RANGE

Node = tuple[int, ...]
SIDE = 12
"""Rows and columns of the part of a picture that the window slides over, at most."""
LINE = 48
"""Nodes of a sequence that it slides over."""
MOST_CLUSTERS = 24
"""With which merging begins."""
MOST_PASSED = 1 << 18
"""Nodes that beliefs are passed on between, at most: of larger lattices the middle."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class WindowStep:
    """A window, its content, and the nearest state."""

    words: str
    node: Node
    window: Region  # clipped to the lattice
    signature: Annotated[NDArray[np.float64], "(M,)"]
    distances: Annotated[NDArray[np.float64], "(N,)"]  # squared, to each codeword
    state: int


@dataclass(frozen=True, eq=False)
class MergeStep:
    """Two of ``n`` clusters that are merged, by their rows, and the cost."""

    words: str
    n: int
    kept: int
    gone: int
    cost: float


@dataclass(frozen=True, eq=False)
class SweepStep:
    """The state map with a w, as slots, and its prediction error as the scale shows it."""

    words: str
    window: int
    error: float
    title: str  # of the error, with its unit
    slots: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class PassStep:
    """The most probable states after some passes, and the number of nodes that the last changed."""

    words: str
    passes: int
    states: NDArray[np.uint8]
    n_changed: int


@dataclass(frozen=True, eq=False)
class StepFilm(Generic[T]):
    """All steps of a process, and other data to draw."""

    name: str  # "window", "merges", "sweep" or "passes"
    steps: tuple[T, ...]
    part: Region = ()  # of the picture; empty if the process has none
    cuts: Cuts | None = None  # the clusters that merge
    tree: Dendrogram | None = None  # of their merges
    # (n, 2) a step: clusters on the plane in which they vary most
    points: tuple[NDArray[np.float64], ...] = ()


# The window slides


def window_film(
    frame: Frame, node: Node | None, progress: Progress | None = None
) -> StepFilm[WindowStep]:
    """Return the windows of a small part of the picture, around a node or in its middle."""
    known, shape = frame.request.picture.known, frame.states.shape
    part, steps = moved_to_known(part_around(shape, node), known), list[WindowStep]()
    for at in np.ndindex(*(side.stop - side.start for side in part)):
        stop_if_cancelled(progress)
        place = tuple(side.start + k for side, k in zip(part, at, strict=True))
        if known is None or known[place]:
            steps.append(_slid(frame, place))
    return StepFilm("window", tuple(steps), part)


def part_around(shape: tuple[int, ...], node: Node | None) -> Region:
    """Return a small part of a lattice: of a sequence a stretch, of a volume a part of a slice."""
    middle = tuple(length // 2 for length in shape) if node is None else node
    sides = {1: (LINE,), 2: (SIDE, SIDE), 3: (1, SIDE, SIDE)}[len(shape)]
    found = []
    for at, side, length in zip(middle, sides, shape, strict=True):
        start = max(0, min(at - side // 2, length - side))
        found.append(slice(start, min(length, start + side)))
    return tuple(found)


def _slid(frame: Frame, node: Node) -> WindowStep:
    parameters = frame.request.parameters
    counts, total, n_pixels = summed(frame, node, parameters.window)
    signature = total / n_pixels
    ends = np.concatenate([signature, further_signature(frame, node)])
    distances = squared_distances(ends, frame.codewords)
    state = nearest_state(distances)
    where = frame.request.window_of(node, parameters.window)
    names = frame.observations.names
    if frame.observations.discrete:
        most = int(counts.argmax())
        held = f"mostly {names[most]} ({int(counts[most])} of them)"
    else:
        means = zip(names, frame.observations.in_own_units(signature).tolist(), strict=True)
        held = "with the mean " + ", ".join(f"{n} {digits.measure(x)}" for n, x in [*means][:3])
    apart = digits.measure(float(distances[state]))
    words = (
        f"{node_words(node)}: its window holds {n_pixels} {frame.request.picture.node_name}"
        f"{'s' * (n_pixels != 1)}, "
        f"{held}. The nearest codeword is that of state {state + 1}; its squared distance is "
        f"{apart}."
    )
    return WindowStep(words, node, where, signature, distances, state)


def node_words(node: Node) -> str:
    """Return the place of a node, as the beginning of a sentence."""
    names = {1: ("Position",), 2: ("Row", "column"), 3: ("Slice", "row", "column")}[len(node)]
    shift = 1 if len(node) != 2 else 0
    counted = (node[0] + shift, *node[1:])
    return ", ".join(f"{name} {at}" for name, at in zip(names, counted, strict=True))


# Clusters merge


def merge_film(cuts: Cuts) -> StepFilm[MergeStep]:
    """Return the last merges of a tree, from some clusters down to one."""
    n_first = min(len(cuts.weights), MOST_CLUSTERS)
    tree = Dendrogram.of(
        cuts.joins[:n_first].copy(), cuts.costs[:n_first].copy(), cuts.weights[n_first - 1].copy()
    )
    steps = tuple(_merge(cuts, n) for n in range(n_first, 1, -1))
    return StepFilm("merges", steps, cuts=cuts, tree=tree, points=tuple(_points(cuts, n_first)))


def _merge(cuts: Cuts, n: int) -> MergeStep:
    """Return the merge of ``n`` clusters; its cost is computed from its definition."""
    gone, kept = n - 1, int(cuts.joins[n - 1])
    one, other = (float(cuts.weights[n - 1][row]) for row in (kept, gone))
    apart = float(((cuts.codebooks[n - 1][kept] - cuts.codebooks[n - 1][gone]) ** 2).sum())
    cost = one * other / (one + other) * apart
    a, b = digits.count(one), digits.count(other)
    words = (
        f"{n} clusters. Merging {kept + 1} and {gone + 1} costs least: {a} · {b} / ({a} + {b}) · "
        f"{digits.measure(apart)} = {digits.measure(cost)}."
    )
    return MergeStep(words, n, kept, gone, cost)


def _points(cuts: Cuts, n: int) -> Iterator[NDArray[np.float64]]:
    """Yield the codebooks from ``n`` codewords down, on the plane in which those of n vary most."""
    book = cuts.codebooks[n - 1]
    middle = book.mean(axis=0)
    _, _, axes = np.linalg.svd(book - middle, full_matrices=False)
    plane = np.zeros((2, book.shape[1]))
    plane[: min(2, len(axes))] = axes[:2]
    for k in range(n, 0, -1):
        yield np.asarray((cuts.codebooks[k - 1] - middle) @ plane.T)


# The window grows


def sweep_film(trade_off: TradeOff | None, n_states: int) -> StepFilm[SweepStep]:
    """Return the state maps of one N at each w that was tried so far; none of large pictures."""
    if trade_off is None or not trade_off.exact:
        return StepFilm("sweep", ())
    best, scale = trade_off.best_window(n_states), trade_off.scale
    found = []
    for setting in trade_off.row(n_states):
        w, bits = setting.window, setting.code_length
        remark = ", the best so far" if w == best else ""
        words = f"w = {w}: {scale.text(bits, of='pixel')}{remark}."
        shown = scale.value(bits)
        found.append(SweepStep(words, w, shown, scale.named("bits"), trade_off.maps[n_states, w]))
    return StepFilm("sweep", tuple(found))


# Beliefs pass on


def strength_of(frame: Frame) -> float:
    """Return the strength of beliefs of a frame, or the one that belief would use."""
    if frame.believed is not None:
        return frame.believed.strength
    data = data_set_of((frame.observations,), (frame.request.picture,))
    return frame.decoding_model.strength(data)


def passes_film(
    frame: Frame, section: Section, progress: Progress | None = None
) -> StepFilm[PassStep]:
    """Return the states of most belief after each pass, on the plane that is shown."""
    apart = frame.request.picture.apart
    at: Any = section.index if apart else slice(None)
    values, known = frame.observations.values[at], frame.request.picture.known
    known = None if known is None else known[at]
    shape = frame.states.shape[1:] if apart else frame.states.shape
    part = moved_to_known(middle_part(shape), known)
    model, sides = frame.decoding_model, tuple(s.stop - s.start for s in part)
    mask = None if known is None or known[part].all() else known[part]
    field = field_of(model.emission, values[part], sides, mask)
    plane = Section(field.shape, section.index - part[0].start if len(shape) == 3 else 0)
    potentials = potentials_of(model.A, strength_of(frame))
    steps, before = [], plane.plane(field.states())
    n_passes = 1 if len(shape) == 1 else PASSES_RANGE[1]
    steps.append(PassStep("No pass: each pixel decides alone.", 0, before, 0))
    for passes in range(1, n_passes + 1):
        stop_if_cancelled(progress)
        field.send(potentials, 1)
        states = plane.plane(field.states())
        changed = int((states != before).sum())
        going = f"Pass {passes}: messages go along every axis"
        words = f"{going}. Pixels that change state: {digits.count(changed)}."
        steps.append(PassStep(words, passes, states, changed))
        before = states
    return StepFilm("passes", tuple(steps), part)


def middle_part(shape: tuple[int, ...]) -> Region:
    """Return the middle of a lattice, of `MOST_PASSED` nodes at most, all slices of a volume."""
    share = min(1.0, (MOST_PASSED / math.prod(shape)) ** (1 / min(2, len(shape))))
    found = []
    for axis, length in enumerate(shape):
        side = length if len(shape) == 3 and axis == 0 else max(1, int(length * share))
        start = (length - side) // 2
        found.append(slice(start, start + side))
    return tuple(found)
