"""Learning from chunks: a codebook from signatures of nodes in all of them, A by counting."""

from collections.abc import Callable
from functools import partial
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import check_integer, check_memory, check_window
from latviz.core.data.data_set import DataSet, as_vectors
from latviz.core.data.lattice import each_of, n_directions
from latviz.core.data.masks import NONE_KNOWN, mask_in, only_known
from latviz.core.data.merge_tree import MergeTree
from latviz.core.data.quantization import N_EXACT, fast_pnn
from latviz.core.errors import ParameterError
from latviz.core.model import learning
from latviz.core.model.fitting import FitSettings, settings_of, showing_settings
from latviz.core.model.models import DiscreteModel, GaussianModel, discrete_parts, gaussian_parts
from latviz.core.renamed import renamed
from latviz.core.types import Floats, Matrix, Nodes, Region, Signature, States
from latviz.core.windows.decoding import decode_each
from latviz.core.windows.nodes import totals_at
from latviz.core.windows.stratified import SAMPLE_EXACT, spread_nodes
from latviz.wings.scale.blocks import map_chunks, surrounded, with_chunks
from latviz.wings.scale.chunks import UNEVEN, Chunked, chunked
from latviz.wings.scale.sums import count, count_with

SAMPLE = 1 << 16
"""Nodes whose signatures a codebook is learned from, at least."""
OF_EACH = 4
"""Of each chunk as many at least: a slide of 10,000 chunks has a few of all."""
BAND = 1 << 18
"""Nodes of a chunk whose products are summed at a time."""


@renamed("observations kind settings")
@showing_settings
def fit(
    observations: Any,
    *,
    kind: str = "discrete",
    settings: FitSettings | None = None,
    n_symbols: int | None = None,
    scalar: bool | None = None,
    mask: Any = None,
    sample: int | None = None,
    **fields: Any,
) -> DiscreteModel | GaussianModel:
    """Learn a model of arrays in chunks (Algorithms 4 and 8), by the scheduler that dask is set to.

    The codebook comes from the signatures of some nodes, spread evenly over all chunks (see
    `learn_codebook`). All nodes are decoded with it, and A, occupancies and covariances are counted
    and summed over them. So the arrays are read twice; vectors thrice, unless they are bytes.

    Parameters
    ----------
    observations, kind, n_symbols, scalar, mask
        As for `chunked`. All values are read once more if M is not given.
    settings, fields
        As for `DiscreteModel.fit`, of one window.
    sample : int, optional
        Nodes for learning the codebook; by default 65,536, and at least 4 of each chunk.

    Raises
    ------
    ParameterError
        If an argument is outside its range, or the arrays are not of the kind.
    """
    settings = settings_of(settings, fields)
    if settings.spacing is not None:
        raise ParameterError(UNEVEN)
    window, n_states = check_window(settings.window), settings.n_states
    data = chunked(observations, kind=kind, n_symbols=n_symbols, scalar=scalar, mask=mask)
    tree = learn_codebook(data, window=each_of(settings.learning_window)[0], sample=sample)
    codebook = learning.codebook_of(tree, n_states)
    nearest = partial(decode_each, codebook=codebook, window=window)
    states = data.each(nearest, window, np.uint8)
    if data.kind == "gaussian":
        return _gaussian(data, codebook, states, settings)
    counts = count(states, n_states=n_states)
    if settings.smoothing > 0:  # A belongs to the map that the smoothed B gives
        codebook = learning.smoothed_emissions(codebook, counts[1], settings.smoothing)
        smoothed = partial(decode_each, codebook=codebook, window=window)
        counts = count(data.each(smoothed, window, np.uint8), n_states=n_states)
    return DiscreteModel(**discrete_parts(settings, codebook, counts, n_directions(data.shapes)))


@renamed("data window")
def learn_codebook(data: Chunked, *, window: int, sample: int | None = None) -> MergeTree:
    """Return the merge tree of the signatures of nodes spread evenly over all lattices.

    There is one random node in each cell of an even grid, by the rule of the core's own samples.
    The nodes depend on shapes and on their number, not on chunks.

    Parameters
    ----------
    data : Chunked
    window : int
        Half-width w_l >= 0.
    sample : int, optional
        The approximate number of nodes; by default 65,536, and at least 4 of each chunk.

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
    window = check_window(window)
    wanted = max(SAMPLE, OF_EACH * data.n_chunks) if sample is None else sample
    size = min(check_integer("sample", wanted, 1), data.n_nodes)
    check_memory(f"{size} signatures of {data.n_symbols} symbols", 24 * size * data.n_symbols)
    orders, parts = zip(
        *(_signatures(data, k, window, at) for k, at in enumerate(spread_nodes(data.shapes, size))),
        strict=True,
    )
    found = map(np.concatenate, dask.compute(*parts))
    points = np.concatenate([one[order] for one, order in zip(found, orders, strict=True)])
    points = points[~np.isnan(points[:, 0])]
    if not len(points):
        raise ParameterError(NONE_KNOWN)
    tree = fast_pnn(points, n_exact=SAMPLE_EXACT if size < data.n_nodes else N_EXACT)
    return tree if data.origin is None else tree.moved(data.origin)


def _signatures(data: Chunked, k: int, window: int, nodes: Nodes) -> tuple[Any, list[Any]]:
    """Return each node's place in the order of chunks, and the chunks' signatures."""
    ready = with_chunks(data.arrays[k], data.dimensions, window)
    blocks = surrounded(ready, data.dimensions, window).to_delayed().reshape(-1)
    starts = [np.cumsum((0, *sizes[:-1])) for sizes in ready.chunks[: data.dimensions]]
    places = [
        np.searchsorted(start, axis, side="right") - 1
        for start, axis in zip(starts, nodes, strict=True)
    ]
    inside = [
        axis - np.maximum(0, start[place] - window)
        for axis, start, place in zip(nodes, starts, places, strict=True)
    ]
    flat = np.ravel_multi_index(places, ready.numblocks[: data.dimensions])
    order = np.argsort(flat, kind="stable")
    numbers, firsts = np.unique(flat[order], return_index=True)
    fixed = data.reader(k), window, data.origin
    found = [
        _at(blocks[number], tuple(axis[chosen] for axis in inside), *fixed)
        for number, chosen in zip(numbers, np.split(order, firsts[1:]), strict=True)
    ]
    return np.argsort(order), found


@dask.delayed(pure=True)  # type: ignore[untyped-decorator]
def _at(
    block: NDArray[Any],
    nodes: Nodes,
    read: Callable[[NDArray[Any]], DataSet],
    window: int,
    origin: Floats | None,
) -> Signature:
    """Return the signatures at some nodes of a block, NaN of unknown ones."""
    data = read(block)
    totals = totals_at(data.lattices[0], data.n_symbols, window, nodes)
    found = totals.signatures(origin)
    if totals.known is not None:
        found[~totals.known] = np.nan
    return found


def _gaussian(
    data: Chunked, means: Matrix, states: list[da.Array], settings: FitSettings
) -> GaussianModel:
    """Return the model of means, with A and Sigma of the states, from a single run."""
    d, tail = data.dimensions, (len(means), data.n_symbols + 1, data.n_symbols + 1)
    sums = [
        map_chunks(partial(_moments, means), [one, q], d, 0, np.float64, tail)
        for one, q in zip(data.arrays, states, strict=True)
    ]
    pairs, occupancy, found = count_with(states, len(means), sums)
    sigma = found[:, :-1, :-1] / np.maximum(occupancy, 1)[:, None, None]
    spread = learning.with_ridge(sigma, _variance(found, means))
    counts = pairs, occupancy
    return GaussianModel(
        **gaussian_parts(settings, means, counts, n_directions(data.shapes), spread, data.scalar)
    )


def _moments(means: Matrix, block: NDArray[Any], states: States, _region: Region) -> Floats:
    """Return the sums of z z' over the nodes of a chunk, by state, with z = (o - mu, 1)."""
    (n_states, size), known = means.shape, [mask_in(states)] * 2
    vectors, flat = only_known([as_vectors(block)[..., :size], states], known)
    vectors, flat = vectors.reshape(-1, size), flat.reshape(-1)
    centres = np.append(means, np.zeros((n_states, 1)), axis=1)
    sums = np.zeros((n_states, size + 1, size + 1))
    for first in range(0, len(vectors), BAND):
        some = vectors[first : first + BAND]
        z = np.append(some, np.ones((len(some), 1)), axis=1)
        sums += learning.scatter_of(z, flat[first : first + BAND], centres)
    return np.asarray(sums + np.tril(sums, -1).transpose(0, 2, 1))


def _variance(moments: Floats, means: Matrix) -> float:
    """Return the mean of the channels' variances over all nodes; 1.0 if all are 0."""
    n_nodes, rest = moments[:, -1, -1:], moments[:, :-1, -1]
    middle = (rest + n_nodes * means).sum(axis=0) / n_nodes.sum()
    apart = means - middle
    squares = np.diagonal(moments, axis1=1, axis2=2)[:, :-1] + 2 * apart * rest + n_nodes * apart**2
    variance = float(squares.sum() / (n_nodes.sum() * means.shape[1]))
    return variance if variance > 0 else 1.0
