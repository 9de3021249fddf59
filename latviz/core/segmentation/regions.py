"""Regions of a state map: its components, and the results of merging them."""

import math
import operator
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core import digits, html
from latviz.core.checks import (
    MOST_STATES,
    check_integer,
    check_memory,
    check_number,
    check_progress,
)
from latviz.core.data.data_set import Kind
from latviz.core.data.per_lattice import per_lattice
from latviz.core.errors import ParameterError
from latviz.core.inference.emission import LEAST_SPREAD
from latviz.core.model.indices import observed_in
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.segmentation import measures, merging
from latviz.core.segmentation.components import Labels, borders, components, counted
from latviz.core.segmentation.merging import Codes, Contrast, Hierarchy
from latviz.core.segmentation.relief import Relief
from latviz.core.types import Counts, Floats, Matrix, States
from latviz.core.values import Value


@dataclass(frozen=True, eq=False)
class Scale(Value):
    """The units in which observations follow from the sums of `Codes`."""

    n_symbols: int  # M, the number of symbols or channels
    columns: Annotated[Counts, "(C,)"]  # the symbols that occur, or all channels
    origin: Annotated[Floats, "(C,)"]  # the mean of all; 0 of symbols
    unit: Annotated[Floats, "(C,)"]  # of sums; 1 of symbols


@dataclass(frozen=True, eq=False)
class Regions(Value):
    """Regions of a lattice; each is connected along the axes, and each node is in one.

    Attributes
    ----------
    labels : ndarray, shape (*shape), int32
        The region of each node, from 0 to R - 1; -1 where a node is unknown. Regions of a state map
        are in raster order of their first nodes; those by contrast turn with the image.
    areas : ndarray, shape (R,), int64
        Their nodes.
    perimeters : ndarray, shape (R,), int64
        The sides of nodes at a region's outline: pairs of neighbours of which one is in the region,
        and sides at the edge of the lattice or of its known part.
    states : ndarray, shape (R,), uint8
        The state of most of their nodes, the least of those.
    pairs : ndarray, shape (E, 2), int64
        The regions that are neighbours, the lesser first, in lexicographic order.
    borders : ndarray, shape (E,), int64
        The number of neighbouring nodes across the border of each pair.

    Examples
    --------
    >>> states = np.array([[0, 0, 1], [0, 1, 1]])
    >>> found = regions(states, states=states)
    >>> found.areas.tolist(), found.borders.tolist(), found.perimeters.tolist()
    ([3, 3], [3], [8, 8])
    """

    labels: Labels
    areas: Counts
    perimeters: Counts
    states: States
    pairs: Counts
    borders: Counts
    _codes: Codes = field(repr=False)
    _scale: Scale = field(repr=False)
    _composition: tuple[Counts, Counts] = field(repr=False)
    """Pairs of a region and a state, (K, 2), and their numbers of nodes, (K,)."""
    _contrast: Contrast | None = field(default=None, repr=False)
    _derived: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.areas)

    def __getitem__(self, label: int) -> measures.RegionProperties:
        boxes, centroids = self._places
        if not -len(self) <= (k := operator.index(label)) < len(self):
            raise IndexError(f"there are {len(self)} regions, got {k}")
        values = int(self.states[k]), int(self.areas[k]), tuple(boxes[k].tolist())
        return measures.RegionProperties(k % len(self), *values, tuple(centroids[k].tolist()))

    def __iter__(self) -> Iterator[measures.RegionProperties]:
        return (self[k] for k in range(len(self)))

    @cached_property
    def _places(self) -> tuple[Counts, Floats]:
        return measures.boxes(self.labels), measures.centroids(self.labels, self.areas)

    def table(self) -> dict[str, NDArray[Any]]:
        """Return columns with a row for each region, as ``pandas.DataFrame`` takes them.

        Returns
        -------
        dict of str to ndarray, shape (R,)
            ``label``, from 0, and ``state``; ``area`` in nodes; ``bbox-0`` and on, the first node
            along each axis and then the node after the last; ``centroid-0`` and on. Names and
            values are those of scikit-image's ``regionprops_table(found.labels + 1)``, where labels
            are from 1.

        Examples
        --------
        >>> states = np.array([[0, 0, 1], [0, 1, 1]])
        >>> regions(states, states=states).table()["centroid-1"].round(2).tolist()
        [0.33, 1.67]
        """
        boxes, centroids = self._places
        labels = np.arange(len(self))
        own: dict[str, NDArray[Any]] = {"label": labels, "state": self.states, "area": self.areas}
        columns = {"bbox": boxes.T, "centroid": centroids.T}
        rows = {
            f"{name}-{k}": row for name, found in columns.items() for k, row in enumerate(found)
        }
        return own | rows

    def _repr_html_(self) -> str:
        shape = " × ".join(map(str, self.labels.shape))
        columns = np.arange(len(self)), self.states, self.areas, self.perimeters, self.neighbours
        order = np.argsort(-self.areas, kind="stable").tolist()
        rows = ([column[k] for column in columns] for k in order)
        heads = "region", "state", "area", "perimeter", "neighbours"
        table = html.table("The largest", heads, rows)
        return html.titled(f"{digits.count(len(self))} regions of {shape} nodes", table)

    @cached_property
    def means(self) -> Matrix:
        """The mean observation of each region, (R, M): shares of symbols, or means of channels."""
        found = np.zeros((len(self), self._scale.n_symbols))
        mean = self._codes.sums / self.areas[:, None]
        found[:, self._scale.columns] = self._scale.origin + self._scale.unit * mean
        return found

    @cached_property
    def evidence(self) -> Floats:
        """The evidence of each border, (E,) float64: the bits that one code for both costs more."""
        return self._codes.evidence(self.pairs)

    @cached_property
    def contrasts(self) -> Floats:
        """The contrast of each border, (E,) float64; see `contrast_regions`.

        `ParameterError` if they are regions of a state map; see `contrast_regions`.
        """
        return self._contrasted().between(self.pairs, self.borders, self.areas)

    @property
    def measure(self) -> Literal["evidence", "contrast"]:
        """The measure of borders: contrast of regions by `contrast_regions`, else evidence."""
        return "evidence" if self._contrast is None else "contrast"

    @property
    def strengths(self) -> Floats:
        """The `contrasts` of borders, or their `evidence`, by the `measure`; (E,) float64."""
        return self.evidence if self._contrast is None else self.contrasts

    @cached_property
    def neighbours(self) -> Counts:
        """The number of other regions that each has a border with, (R,) int64."""
        return np.bincount(self.pairs.reshape(-1), minlength=len(self)).astype(np.int64)

    @cached_property
    def weakest(self) -> Counts:
        """The weakest border of each region, (R,) int64, by its place; -1 without any."""
        found = np.full(len(self), -1)
        order = np.lexsort((-np.arange(len(self.pairs)), -self.strengths))
        found[self.pairs[order].reshape(-1)] = np.repeat(order, 2)  # the least is written last
        return found

    @renamed("progress")
    def by_size(self, *, progress: Progress | None = None) -> Hierarchy:
        """Return the hierarchy that merges the smallest region next.

        It is merged with the neighbour of least evidence. Ties in size go to the first region, and
        ties in evidence to the first pair.

        Parameters
        ----------
        progress : Progress, optional
            May cancel.

        Returns
        -------
        Hierarchy
            Heights are numbers of nodes.

        Raises
        ------
        ParameterError
            If ``progress`` is invalid.
        Cancelled
            If ``progress`` is cancelled.
        """
        return self._hierarchy("size", progress)

    @renamed("progress")
    def by_evidence(self, *, progress: Progress | None = None) -> Hierarchy:
        """Return the hierarchy that merges the pair of least evidence next.

        See `latviz.core.segmentation.merging.by_evidence` for when evidence is computed again.

        Parameters
        ----------
        progress : Progress, optional
            May cancel.

        Returns
        -------
        Hierarchy
            Heights are in bits, and 0 if the evidence is negative.

        Raises
        ------
        ParameterError
            If ``progress`` is invalid.
        Cancelled
            If ``progress`` is cancelled.
        """
        return self._hierarchy("evidence", progress)

    @renamed("progress")
    def by_contrast(self, *, progress: Progress | None = None) -> Hierarchy:
        """Return the hierarchy that merges the pair of least contrast next.

        Ties go to the first pair.

        Parameters
        ----------
        progress : Progress, optional
            May cancel.

        Returns
        -------
        Hierarchy
            Heights are contrasts, and 0 if the contrast is negative.

        Raises
        ------
        ParameterError
            If they are regions of a state map, or ``progress`` is invalid.
        Cancelled
            If ``progress`` is cancelled.
        """
        return self._hierarchy("contrast", progress)

    @renamed("least_size least_evidence progress")
    def merged(
        self,
        least_size: int = 1,
        *,
        least_evidence: float = 0.0,
        progress: Progress | None = None,
        least_contrast: float = 0.0,
    ) -> "Regions":
        """Return the merged regions: across low contrasts, then small ones, then weak borders.

        Regions of `contrast_regions` are merged as by `by_contrast`, up to the least contrast.
        Regions below the least size are merged as by `by_size`, and the result as by `by_evidence`,
        up to the least evidence. All orders are cached, so that other thresholds are quick.

        Parameters
        ----------
        least_size : int, optional
            The least number of nodes of a region, unless it is alone in its lattice; from 1, which
            merges none.
        least_evidence : float, optional
            The bits that keep two regions apart, from 0, which merges none. Compare them within one
            picture only: they assume independent observations, while neighbours in photographs are
            correlated.
        progress : Progress, optional
            May cancel.
        least_contrast : float, optional
            The contrast that keeps two regions apart, from 0, which merges none, to 1.

        Returns
        -------
        Regions

        Raises
        ------
        ParameterError
            If an argument is outside its range, or there is a least contrast of regions of a state
            map.
        Cancelled
            If ``progress`` is cancelled.
        """
        size = check_integer("least_size", least_size, 1)
        evidence = check_number("least_evidence", least_evidence, 0.0, math.inf)
        contrast = check_number("least_contrast", least_contrast, 0.0, 1.0)
        check_progress(progress)
        clear = self._cut("contrast", contrast, progress)
        large = clear._cut("size", size, progress)
        return large._cut("evidence", evidence, progress)

    def _hierarchy(self, order: str, progress: Progress | None) -> Hierarchy:
        check_progress(progress)
        if order not in self._derived:
            self._derived[order] = self._merges(order, progress)
        found: Hierarchy = self._derived[order]
        return found

    def _merges(self, order: str, progress: Progress | None) -> Hierarchy:
        if order == "contrast":
            given = self._contrasted(), self.pairs, self.borders, self.areas
            return merging.by_contrast(*given, progress)
        merge = merging.by_size if order == "size" else merging.by_evidence
        return merge(self._codes, self.pairs, progress)

    def _contrasted(self) -> Contrast:
        if self._contrast is None:
            raise ParameterError(
                "regions of a state map have no contrasts: contrast_regions finds regions that do"
            )
        return self._contrast

    def _cut(self, order: str, height: float, progress: Progress | None) -> "Regions":
        """Return the regions after all merges that are lower; the last ones are remembered."""
        lowest = self.areas.min() if order == "size" else 0.0
        if height <= lowest:
            return self
        hierarchy = self._hierarchy(order, progress)
        n_merges = hierarchy.merges_below(height)
        if n_merges == 0:
            return self
        key = "after", order
        before, found = self._derived.get(key, (0, self))
        if before != n_merges:
            found = self._joined(hierarchy.cut(height))
            self._derived[key] = n_merges, found
        joined: Regions = found
        return joined

    def _joined(self, numbers: Labels) -> "Regions":
        """Return the joined regions; ``numbers`` (R,) is the new region of each one."""
        n = int(numbers.max()) + 1
        ends = numbers[self.pairs]
        inside = ends[:, 0] == ends[:, 1]
        less, more = np.sort(ends[~inside], axis=1).T
        pairs, lengths = counted(less, more, (n, n), self.borders[~inside])
        outlines = np.bincount(numbers, self.perimeters, minlength=n)
        lost = np.bincount(ends[inside, 0], self.borders[inside], minlength=n)
        parts, nodes = self._composition
        composition = counted(numbers[parts[:, 0]], parts[:, 1], (n, MOST_STATES), nodes)
        codes, contrast = self._codes.merged(numbers, n), self._contrast
        if contrast is not None:
            kept = counted(less, more, (n, n), contrast.along[~inside])[1]
            contrast = contrast.merged(numbers, n, kept)
        return Regions(
            np.append(numbers, numbers.dtype.type(-1))[self.labels],  # -1 stays
            codes.sizes,
            (outlines - 2 * lost).astype(np.int64),
            _most(*composition, n),
            pairs,
            lengths,
            codes,
            self._scale,
            composition,
            contrast,
        )


@renamed("states observations")
@per_lattice
def regions(
    observations: Any,
    *,
    states: Any,
    kind: Kind = "discrete",
    n_symbols: int | None = None,
    scalar: bool | None = None,
    progress: Progress | None = None,
) -> list[Regions]:
    """Return the connected components of a state map; `Regions.merged` merges them.

    Nodes of one state are connected along the axes, as the model's neighbours are. The evidence of
    a border, in bits, is the length of one code for the observations of both regions minus the
    lengths of separate codes. Symbols are coded by the shares of the earlier ones, plus half a
    symbol of each kind: n symbols, of which n_k are symbol k, take -log2 of Gamma(M/2) / Gamma(n +
    M/2) times the product of Gamma(n_k + 1/2) / Gamma(1/2). Vectors are normal by channel, with the
    variance s^2 of all observations around the means of their states; the mean of a region is
    normal with the mean m and the variance t^2 of all observations. So n vectors whose differences
    from m sum to S take, up to terms that do not depend on the regions, log2(1 + n t^2 / s^2) / 2 -
    S^2 t^2 / (2 ln(2) s^2 (s^2 + n t^2)) by channel.

    Parameters
    ----------
    observations, states, kind, n_symbols, scalar, progress
        As for `residual_correlation`.

    Returns
    -------
    Regions, or a list of them for a data set
        Each lattice on its own.

    Raises
    ------
    ParameterError
        If an argument is invalid, or there is not enough memory.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> states = np.array([[0, 0, 1], [0, 1, 1]])
    >>> regions(states, states=states).labels.tolist()
    [[0, 0, 1], [0, 1, 1]]
    """
    check_progress(progress)
    call = "regions(observations, states=...)"
    given = kind, n_symbols, scalar
    data, maps = observed_in(observations, states, call, *given)
    return [
        regions_of(own, values, data.kind == "discrete", data.n_symbols, own.ndim, progress)
        for own, values in zip(maps, data.values, strict=True)
    ]


def regions_of(
    states: States,
    values: NDArray[Any],
    discrete: bool,
    n_symbols: int,
    dimensions: int,
    progress: Progress | None = None,
) -> Regions:
    """Return the regions of a checked map (*shape) uint8, of which first axes may be apart."""
    # values (*shape) symbols or (*shape, M); neighbours are along the last ``dimensions`` axes
    stop_if_cancelled(progress)
    labels = components(states, dimensions)
    return described(labels, states, values, discrete, n_symbols, dimensions, progress)


def described(
    labels: Labels,
    states: States | None,
    values: NDArray[Any],
    discrete: bool,
    n_symbols: int,
    dimensions: int,
    progress: Progress | None = None,
    relief: Relief | None = None,
) -> Regions:
    """Return regions by their labels (*shape), with contrasts if a relief is given."""
    # Without states all nodes have state 0, and spreads are those within regions
    stop_if_cancelled(progress)
    inside = ... if labels.min() >= 0 else labels >= 0
    flat = labels[inside].reshape(-1).astype(np.intp)  # as bincount would do each time
    areas = np.bincount(flat)
    n, own = len(areas), flat if states is None else states[inside].reshape(-1)
    if states is None:
        composition = np.column_stack([np.arange(n), np.zeros(n, np.int64)]), areas
    else:
        composition = counted(flat, own, (n, MOST_STATES))
    heights = None if relief is None else relief.heights
    outlines = borders(labels, n, dimensions, heights)
    stop_if_cancelled(progress)
    observed = values[inside].reshape(flat.size, -1)
    n_columns = min(n_symbols, flat.size)
    check_memory(f"{n} regions", 40 * n * n_columns)
    if discrete:
        codes, scale = _of_symbols(observed[:, 0], flat, areas, n_symbols)
    else:
        codes, scale = _of_vectors(observed, own, flat, areas)
    contrast = None
    if relief is not None and outlines.heights is not None:
        within = np.bincount(flat, relief.heights[inside].reshape(-1)).astype(np.float64)
        contrast = Contrast(within, outlines.heights, relief.signatures, relief.channels)
    return Regions(
        labels,
        areas,
        outlines.perimeters,
        _most(*composition, n),
        outlines.pairs,
        outlines.lengths,
        codes,
        scale,
        composition,
        contrast,
    )


def _of_symbols(
    symbols: NDArray[Any], labels: NDArray[np.intp], areas: Counts, n_symbols: int
) -> tuple[Codes, Scale]:
    """Count the symbols of each region; absent symbols only count among all M."""
    columns = np.flatnonzero(np.bincount(symbols))
    names = np.zeros(int(columns[-1]) + 1, np.int64)
    names[columns] = np.arange(len(columns))
    places = labels * len(columns) + names[symbols]
    counts = np.bincount(places, minlength=len(areas) * len(columns))
    sums = counts.reshape(len(areas), -1).astype(np.float64)
    zeros, ones = np.zeros(len(columns)), np.ones(len(columns))
    codes = Codes(areas, sums, np.array([n_symbols / 2]), True)
    return codes, Scale(n_symbols, columns, zeros, ones)


def _of_vectors(
    vectors: NDArray[Any], states: NDArray[Any], labels: NDArray[np.intp], areas: Counts
) -> tuple[Codes, Scale]:
    """Sum the channels of each region, in units of their spread around the means of states."""
    n_channels = vectors.shape[1]
    origin, unit, prior = np.zeros(n_channels), np.ones(n_channels), np.zeros(n_channels)
    sums = np.empty((len(areas), n_channels))
    sizes = np.maximum(np.bincount(states), 1)
    for c in range(n_channels):
        channel = vectors[:, c].astype(np.float64)
        origin[c] = channel.mean()
        channel -= origin[c]
        sums[:, c] = np.bincount(labels, channel)
        own = sums[:, c] if states is labels else np.bincount(states, channel)
        variance = np.square(channel, out=channel).mean()
        if variance > 0:
            # That around the means of states: what is not between them
            within = variance - (own**2 / sizes).sum() / labels.size
            unit[c] = math.sqrt(max(within, LEAST_SPREAD**2 * variance))
            prior[c] = variance / unit[c] ** 2
        sums[:, c] /= unit[c]
    codes = Codes(areas, sums, prior, False)
    return codes, Scale(n_channels, np.arange(n_channels), origin, unit)


def _most(pairs: Counts, nodes: Counts, n: int) -> States:
    """Return the state of most nodes of each of n regions, the least of those."""
    order = np.lexsort((-pairs[:, 1], nodes))
    found = np.empty(n, np.uint8)
    found[pairs[order, 0]] = pairs[order, 1]  # of a region's states the last is written last
    return found
