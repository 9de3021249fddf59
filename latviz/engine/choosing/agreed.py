"""Cuts of a frame's merge tree that agree with strokes."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.agreeing import agreeing_cuts, gathered
from latviz.core.data.cutting import ClusterHierarchy, TreeCut
from latviz.core.data.data_set import as_data_set
from latviz.core.data.lattice import reach, sides_of
from latviz.core.data.masks import Mask
from latviz.core.types import Counts, Floats, Matrix, Nodes, Signature, Spacing, Window
from latviz.core.windows.parts import signatures_of
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.slots import nearest
from latviz.engine.pictures.picture import as_set
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import STATES_RANGE, in_force
from latviz.engine.settings.scribbles import Cutting, PaintedPixels, Scribbles, Stroke, painted

_AT_ONCE = 1 << 11
"""Signatures that are compared with all finest clusters at a time."""
_TILE = 1 << 18
"""Approximate nodes in a tile of a lattice: the surroundings of strokes are read tile by tile."""
_MOST = 1 << 15
"""Most stroked pixels to use, spread evenly."""


def agreed(frame: Frame, scribbles: Scribbles, now: Cutting) -> Scribbles:
    """Return strokes with the cut of a frame's merge tree that agrees best with them."""
    # Each stroked pixel counts in the finest cluster whose codeword is nearest to the signature of
    # its window, with the w of decoding. States are coarser clusters, whose codewords need not be
    # nearest to all nodes of their finer ones: so `Scribbled` scores the states themselves
    assert frame.cut is not None
    before = scribbles.cut_before(now)
    if not scribbles.strokes:
        return replace(scribbles, before=Cutting(), made=before)
    hierarchy = frame.cut.hierarchy
    given = TreeCut.of(hierarchy, min(before.n_states, hierarchy.n_leaves), before.hand_cut)
    if len(scribbles.names) < 2:
        return replace(scribbles, before=before, made=before)
    n_given = given.clusters.size
    taken = given.taking(_chosen(frame, scribbles, given).tolist())
    hand = before.hand_cut if taken is given else taken.hand
    n = before.n_states if taken.clusters.size == n_given else taken.clusters.size
    return replace(scribbles, before=before, made=Cutting(n, hand))


def _chosen(frame: Frame, scribbles: Scribbles, given: TreeCut) -> Counts:
    """Return the clusters of the cut that agrees best."""
    # A stroke counts as the number of windows that fit into it side by side. If a name does not
    # prevail in the cluster that holds most of it, all strokes count twice as much, and so on. This
    # ends when the least such name counts as many windows as the splits that may be needed to
    # separate it.
    labels, hierarchy = labels_of(frame, scribbles, given.hierarchy), given.hierarchy
    n_given, totals, times = given.clusters.size, labels.sum(axis=0), 1.0
    n_most = n_given if scribbles.keeps_n else STATES_RANGE[1]
    most_heard, best = -1, given.clusters
    while True:
        found = agreeing_cuts(hierarchy, times * labels, given.clusters, n_most)
        clusters = found.clusters(n_given if scribbles.keeps_n else found.n_best)
        heard = _prevail(hierarchy, labels, clusters)
        if heard.sum() > most_heard:
            most_heard, best = int(heard.sum()), clusters
        most = hierarchy.depth / float(totals[~heard & (totals > 0)].min(initial=np.inf))
        if times >= most:
            return best
        times = min(2.0 * times, most)


def _prevail(hierarchy: ClusterHierarchy, labels: Matrix, clusters: Counts) -> NDArray[np.bool_]:
    """Return which labels are the greatest in the cluster that holds most of them, shape (L,)."""
    held = gathered(hierarchy, labels)[clusters]
    greatest = held.argmax(axis=1)[held.argmax(axis=0)]
    heard: NDArray[np.bool_] = (greatest == np.arange(held.shape[1])) & held.any(axis=0)
    return heard


def labels_of(frame: Frame, scribbles: Scribbles, hierarchy: ClusterHierarchy) -> Matrix:
    """Return the weight of stroked pixels of each name in the finest clusters, (n_leaves, L)."""
    # A pixel weighs one over the number of pixels of its name in its window. Overlapping windows
    # share observations, so the weights sum to the number of disjoint windows
    n_names = len(scribbles.names)
    labels = np.zeros(hierarchy.n_leaves * n_names)
    for part in _parts(frame, scribbles):
        weights, signatures = part.weights(), part.signatures()
        for start in range(0, weights.size, _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            flat = nearest(signatures[some], hierarchy.finest) * n_names + part.labels[some]
            labels += np.bincount(flat, weights[some], labels.size)
    return labels.reshape(hierarchy.n_leaves, n_names)


@dataclass(frozen=True, eq=False)
class _Lattice:
    """A lattice with its stroked nodes; of many only every ``step``-th is used."""

    values: NDArray[Any]
    known: Mask
    some: PaintedPixels
    windows: Window
    discrete: bool
    n_symbols: int
    step: int
    spacing: Spacing

    def parts(self) -> Iterator["_Part"]:
        """Yield the nodes to use, tile by tile."""
        nodes, side = np.array(self.some.nodes), round(_TILE ** (1 / len(self.some.nodes)))
        kept = np.arange(0, self.some.labels.size, self.step)
        _, tiles = np.unique(nodes[:, kept] // side, axis=1, return_inverse=True)
        for tile in range(int(tiles.max(initial=-1)) + 1):
            yield self._part(nodes, kept[tiles.reshape(-1) == tile])

    def _part(self, nodes: Counts, here: Counts) -> "_Part":
        """Return some nodes with the margins of their windows."""
        starts = np.maximum(nodes[:, here].min(axis=1) - reach(self.windows), 0)
        stops = nodes[:, here].max(axis=1) + reach(self.windows) + 1
        is_near = ((nodes >= starts[:, None]) & (nodes < stops[:, None])).all(axis=0)
        near = PaintedPixels(tuple(nodes[:, is_near] - starts[:, None]), self.some.labels[is_near])
        around = tuple(map(slice, starts.tolist(), stops.tolist()))
        known = None if self.known is None else self.known[around]
        own = tuple(nodes[:, here] - starts[:, None])
        return _Part(self, self.values[around], known, own, here, near)


@dataclass(frozen=True, eq=False)
class _Part:
    """Some stroked nodes of a lattice, by their places in a part, and by their indices."""

    lattice: _Lattice
    values: NDArray[Any]
    known: Mask
    nodes: Nodes
    indices: Counts
    near: PaintedPixels

    @property
    def labels(self) -> Counts:
        """The label of each node."""
        return self.lattice.some.labels[self.indices]

    def signatures(self) -> Signature:
        """Return the signatures of the nodes, shape (n, M)."""
        kind = "discrete" if self.lattice.discrete else "gaussian"
        data = as_data_set([self.values], kind=kind, n_symbols=self.lattice.n_symbols).under(
            [self.known]
        )
        data = data.spaced(self.lattice.spacing)
        return signatures_of(data, self.lattice.windows, [self.nodes])

    def weights(self) -> Floats:
        """Return one over the number of nodes of the same label in each one's window, (n,)."""
        found = np.empty(self.labels.size)
        shape = self.values.shape[: len(self.nodes)]
        sides = sides_of(reach(self.lattice.windows), shape, self.lattice.spacing)
        across = [2 * side + 1 for side in sides]
        for label in np.unique(self.labels).tolist():
            chosen, same = self.labels == label, self.near.labels == label
            plane = np.zeros(shape)
            plane[tuple(axis[same] for axis in self.near.nodes)] = 1.0
            means = scipy.ndimage.uniform_filter(plane, across, mode="constant")
            at = tuple(axis[chosen] for axis in self.nodes)
            found[chosen] = 1.0 / np.maximum(1.0, np.rint(means[at] * math.prod(across)))
        return found * self.lattice.step


def _parts(frame: Frame, scribbles: Scribbles) -> Iterator[_Part]:
    """Yield the stroked nodes of all lattices, part by part."""
    pictures = as_set(frame.request.pictures).members
    every = [painted(scribbles.strokes, picture, k) for k, picture in enumerate(pictures)]
    step = -(-sum(some.labels.size for some in every) // _MOST)
    for picture, seen, some in zip(pictures, frame.observed, every, strict=True):
        parameters = in_force(frame.request.parameters, picture.dimensions)
        own = seen.discrete, seen.n_symbols, max(1, step), frame.request.spacing
        known = picture.known
        lattices = [(seen.values, known, some)]
        if picture.apart:
            lattices = [
                (seen.values[k], None if known is None else known[k], plane)
                for k, plane in _planes(some)
            ]
        for values, mask, nodes in lattices:
            yield from _Lattice(values, mask, nodes, parameters.windows, *own).parts()


def _planes(some: PaintedPixels) -> Iterator[tuple[int, PaintedPixels]]:
    """Yield the slices of a volume that have stroked nodes, and these."""
    for k in np.unique(some.nodes[0]).tolist():
        here = some.nodes[0] == k
        yield k, PaintedPixels(tuple(axis[here] for axis in some.nodes[1:]), some.labels[here])


def without_hidden(looks: Looks, frame: Frame, stroke: Stroke) -> Looks:
    """Return looks without that of the state that a stroke names: the one of most of its pixels.

    ``frame`` is the one that the stroke was painted on.
    """
    pictures = as_set(frame.request.pictures)
    some = painted((stroke,), pictures.picture, pictures.place)
    if not some.labels.size:
        return looks
    state = int(np.bincount(frame.states_at(*some.nodes)).argmax())
    return looks.changed(frame.slots[state], name="", color="")
