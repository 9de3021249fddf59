"""Learning from chunks: a codebook from signatures of nodes in all of them, A from a count."""

from collections.abc import Iterator
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.checks import check_integer, check_memory, check_window
from latviz.core.data.data_set import as_vectors
from latviz.core.data.lattice import each_of
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import N_EXACT, fast_pnn
from latviz.core.errors import ParameterError
from latviz.core.model import learning
from latviz.core.model.fitting import FitSettings
from latviz.core.model.models import DiscreteModel, GaussianModel, discrete_parts, gaussian_parts
from latviz.core.types import Counts, Matrix, Nodes, Region, States
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.stratified import SAMPLE_EXACT, spread_nodes
from latviz.scale.blocks import map_chunks, surrounded, with_chunks
from latviz.scale.chunked import Chunked, Ends, chunked, lattice_of
from latviz.scale.maps import decode_with
from latviz.scale.sums import count, count_with

SAMPLE = 1 << 16
"""Nodes whose signatures a codebook is learned from, at least."""
OF_EACH = 4
"""Of each chunk as many at least: a slide of 10,000 chunks has a few of all."""
BAND = 1 << 18
"""Nodes of a chunk whose products are summed at a time."""


def fit(
    observations: Any,
    kind: str = "discrete",
    *,
    n_states: int,
    window: int,
    n_symbols: int | None = None,
    smoothing: float = 0.0,
    scalar: bool = False,
    sample: int | None = None,
    codebook_window: int | None = None,
) -> DiscreteModel | GaussianModel:
    """Learn a model of arrays in chunks (Algorithms 4 and 8), by the scheduler that dask is set to.

    The codebook is that of some nodes' signatures, which lie evenly in all chunks (see
    `learn_codebook`); all nodes are decoded with it, and A, occupancies and covariances are counted
    and summed over them. So the arrays are read twice; vectors thrice, unless they are bytes.

    Parameters
    ----------
    observations : dask array, a list or tuple of them, or Chunked
        Symbols 0..M-1, or vectors (*shape, M).
    kind : {"discrete", "gaussian"}, optional
        Whether they are symbols or vectors.
    n_states : int
        N, from 1 to 255.
    window : int
        Half-width w >= 0 of the model, which nodes are decoded with.
    n_symbols : int, optional
        M; by default one more than the largest symbol, for which all values are read once more.
    smoothing : float, optional
        As for `DiscreteModel.fit`.
    scalar : bool, optional
        Vectors are numbers (*shape), M = 1.
    sample : int, optional
        Nodes that the codebook is learned from; by default 65,536, and 4 of each chunk at least.
    codebook_window : int, optional
        Half-width w_l >= 0 of the windows that the codebook is learned from; by default w.

    Returns
    -------
    DiscreteModel or GaussianModel

    Raises
    ------
    ParameterError
        If an argument is outside its range, or the arrays are none of the kind.
    """
    settings = FitSettings(n_states, check_window(window), codebook_window, smoothing)
    data = chunked(observations, kind, n_symbols, scalar)
    tree = learn_codebook(data, each_of(settings.learning_window)[0], sample=sample)
    codebook = learning.codebook_of(tree, n_states)
    states = decode_with(data, codebook, window)
    if data.kind == "gaussian":
        return _gaussian(data, codebook, states, settings)
    counts = count(states, n_states)
    return DiscreteModel(**discrete_parts(settings, codebook, counts, data.dimensions))


def learn_codebook(data: Chunked, window: int, *, sample: int | None = None) -> MergeTree:
    """Return the merge tree of the signatures of nodes that lie evenly in all lattices.

    There is one node at random in each cell of an even grid, by the rule of the core's own samples:
    which nodes these are depends on shapes and on how many they are, not on chunks.

    Parameters
    ----------
    data : Chunked
    window : int
        Half-width w_l >= 0.
    sample : int, optional
        How many nodes, about; by default 65,536, and 4 of each chunk at least.

    Returns
    -------
    MergeTree
        Of codebooks of up to 256 codewords, or 1,024 where all nodes are taken: then the signatures
        are those of `DiscreteModel.fit`, and so is the codebook.

    Raises
    ------
    ParameterError
        If an argument is outside its range, lattices have more than three dimensions, or memory
        cannot hold the signatures.
    """
    if data.dimensions > 3:
        raise ParameterError(f"lattices must have 1 to 3 dimensions, got {data.dimensions}")
    check_window(window)
    wanted = max(SAMPLE, OF_EACH * data.n_chunks) if sample is None else sample
    size = min(check_integer("sample", wanted, 1), data.n_nodes)
    check_memory(f"{size} signatures of {data.n_symbols} symbols", 24 * size * data.n_symbols)
    parts = [
        _signatures(data, k, window, nodes)
        for k, nodes in enumerate(spread_nodes(data.shapes, size))
    ]
    points = np.concatenate([_in_order(one) for one in dask.compute(*parts)])
    tree = fast_pnn(points, n_exact=SAMPLE_EXACT if size < data.n_nodes else N_EXACT)
    return tree if data.origin is None else tree.moved(data.origin)


def _signatures(data: Chunked, k: int, window: int, nodes: Nodes) -> list[tuple[Counts, Any]]:
    """Return for each chunk of a lattice which of the nodes it holds, and their signatures."""
    d = data.dimensions
    ready = with_chunks(data.arrays[k], d, window)
    blocks = surrounded(ready, d, window).to_delayed()
    found = []
    for place, chosen, inside in _by_chunk(ready, d, window, nodes):
        block = blocks[place + (0,) * (ready.ndim - d)]
        options = {**data.context(k), "window": window, "origin": data.origin}
        found.append((chosen, _at(block, inside, options)))
    return found


def _by_chunk(
    array: da.Array, d: int, depth: int, nodes: Nodes
) -> Iterator[tuple[tuple[int, ...], Counts, Nodes]]:
    """Yield each chunk that holds some of the nodes, which these are, and where in its block."""
    starts = [np.cumsum((0, *sizes[:-1])) for sizes in array.chunks[:d]]
    places = [
        np.searchsorted(start, axis, side="right") - 1
        for start, axis in zip(starts, nodes, strict=True)
    ]
    flat = np.ravel_multi_index(places, array.numblocks[:d])
    order = np.argsort(flat, kind="stable")
    numbers, firsts = np.unique(flat[order], return_index=True)
    for number, chosen in zip(numbers, np.split(order, firsts[1:]), strict=True):
        place = tuple(int(p) for p in np.unravel_index(number, array.numblocks[:d]))
        first = [max(0, start[p] - depth) for start, p in zip(starts, place, strict=True)]
        yield place, chosen, tuple(axis[chosen] - f for axis, f in zip(nodes, first, strict=True))


@dask.delayed(pure=True)  # type: ignore[untyped-decorator]
def _at(block: NDArray[Any], nodes: Nodes, options: dict[str, Any]) -> NDArray[Any]:
    """Return the signatures at some nodes of a block."""
    ends: Ends | None = options["ends"]
    with threads.alone():
        lattice = lattice_of(block, options["n_symbols"], ends)
        totals = totals_at(lattice, options["n_symbols"], options["window"], nodes)
        found: NDArray[Any] = totals.signatures(options["origin"])
    return found


def _in_order(parts: list[tuple[Counts, NDArray[Any]]]) -> NDArray[Any]:
    """Return the signatures of all chunks in the order of the nodes."""
    order = np.concatenate([chosen for chosen, _ in parts])
    points = np.concatenate([found for _, found in parts])
    ordered = np.empty_like(points)
    ordered[order] = points
    return ordered


def _gaussian(
    data: Chunked, means: Matrix, states: list[da.Array], settings: FitSettings
) -> GaussianModel:
    """Return the model of means, with A and Sigma of the states, from a single run."""
    d, side = data.dimensions, data.n_symbols + 1
    sums = [
        map_chunks(_moments, [one, q], d, [0, 0], np.float64, (len(means), side, side), means=means)
        for one, q in zip(data.arrays, states, strict=True)
    ]
    pairs, occupancy, moments = count_with(states, len(means), sums)
    sigma = moments[:, :-1, :-1] / np.maximum(occupancy, 1)[:, None, None]
    spread = learning.with_ridge(sigma, _variance(moments, means))
    counts = pairs, occupancy
    return GaussianModel(**gaussian_parts(settings, means, counts, d, spread, data.scalar))


def _moments(
    block: NDArray[Any], states: States, _region: Region, _states_region: Region, *, means: Matrix
) -> NDArray[np.float64]:
    """Return the sums of z z' over the nodes of a chunk, by state, with z = (o - mu, 1)."""
    side = means.shape[1] + 1
    vectors, flat = as_vectors(block).reshape(-1, side - 1), states.reshape(-1)
    centres, sums = np.append(means, np.zeros((len(means), 1)), axis=1), np.zeros((1, 1, 1))
    for first in range(0, len(vectors), BAND):
        some = vectors[first : first + BAND]
        z = np.append(some, np.ones((len(some), 1)), axis=1)
        sums = sums + learning.scatter_of(z, flat[first : first + BAND], centres)
    return np.asarray(sums + np.tril(sums, -1).transpose(0, 2, 1))


def _variance(moments: NDArray[np.float64], means: Matrix) -> float:
    """Return the mean of the channels' variances over all nodes; 1.0 if nothing varies."""
    n_nodes, rest = moments[:, -1, -1:], moments[:, :-1, -1]
    middle = (rest + n_nodes * means).sum(axis=0) / n_nodes.sum()
    apart = means - middle
    squares = np.diagonal(moments, axis1=1, axis2=2)[:, :-1] + 2 * apart * rest + n_nodes * apart**2
    variance = float(squares.sum() / (n_nodes.sum() * means.shape[1]))
    return variance if variance > 0 else 1.0
