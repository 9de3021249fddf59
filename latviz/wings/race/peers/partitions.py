"""Labels from signatures: clusters of nodes, or of the regions of an image, by their means.

They use neither emissions nor the strength of the coupling. All cluster with KMeans, from three
starts of a fixed seed.
"""

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from skimage import segmentation
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from latviz.core.progress import Progress, shares, stop_if_cancelled
from latviz.core.types import Floats, Signature, States
from latviz.wings.race.peers.problem import Problem

STARTS, SEED = 3, 0
NODES_A_SUPERPIXEL = 64
"""So that a superpixel is some 8 nodes wide."""
COMPACTNESS = 0.1
"""Weight of distance in superpixels, relative to signatures, which are within 0 and 1."""
SCALE = 20.0
"""Of Felzenszwalb and Huttenlocher: larger ones ask for larger regions."""
LEAST_SIZE = 20
"""Nodes of their smallest region."""

Labels = NDArray[Any]
Cut = Callable[[Signature], Labels]
"""Returns the region of each node (*shape), numbered from 0, for channels (*shape, M)."""


def clustered(problem: Problem, progress: Progress | None = None) -> list[States]:
    """Return the cluster of each node's signature, by KMeans; cancelled only before it."""
    stop_if_cancelled(progress)
    size = problem.signatures[0].shape[-1]
    points = np.concatenate([one.reshape(-1, size) for one in problem.signatures])
    found = _states_of(points, None, problem.n_states)
    ends = np.cumsum([one[..., 0].size for one in problem.signatures])[:-1]
    parts = np.split(found, ends)
    return [part.reshape(shape) for part, shape in zip(parts, problem.shapes, strict=True)]


def graph_regions(problem: Problem, progress: Progress | None = None) -> list[States]:
    """Return states of the regions of Felzenszwalb and Huttenlocher (2004); see `clustered`."""

    def cut(channels: Signature) -> Labels:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Got image with third dimension")
            found = segmentation.felzenszwalb(
                channels, scale=SCALE, sigma=0.0, min_size=LEAST_SIZE, channel_axis=-1
            )
        return np.asarray(found)

    return _by_regions(problem, cut, progress)


def superpixels(problem: Problem, progress: Progress | None = None) -> list[States]:
    """Return states of SLIC superpixels (Achanta et al. 2012); see `clustered`."""

    def cut(channels: Signature) -> Labels:
        n_nodes = channels[..., 0].size
        return np.asarray(
            segmentation.slic(
                channels,
                n_segments=max(1, n_nodes // NODES_A_SUPERPIXEL),
                compactness=COMPACTNESS,
                convert2lab=False,
                start_label=0,
                channel_axis=-1,
            )
        )

    return _by_regions(problem, cut, progress)


def _by_regions(problem: Problem, cut: Cut, progress: Progress | None) -> list[States]:
    """Return the states of regions: those whose mean signatures are in one cluster have one."""
    regions, means, areas = [], list[Floats](), list[Floats]()
    channels = _scaled(problem.signatures)
    for one, part in zip(channels, shares(progress, [1.0] * len(channels)), strict=True):
        stop_if_cancelled(part)
        labels = cut(one)
        size = np.bincount(labels.reshape(-1)).astype(np.float64)
        regions.append(labels)
        means.append(_means(labels, one, size))
        areas.append(size)
        if part is not None:
            part.report(1.0)
    found = _states_of(np.concatenate(means), np.concatenate(areas), problem.n_states)
    parts = np.split(found, np.cumsum([len(one) for one in areas])[:-1])
    return [part[labels] for part, labels in zip(parts, regions, strict=True)]


def _scaled(signatures: Iterable[Signature]) -> list[NDArray[np.float32]]:
    """Return signatures scaled so that the widest channel of all goes from 0 to 1."""
    some = list(signatures)
    axes = tuple(range(some[0].ndim - 1))
    low = np.min([one.min(axis=axes) for one in some], axis=0)
    high = np.max([one.max(axis=axes) for one in some], axis=0)
    widest = float((high - low).max()) or 1.0
    return [np.asarray((one - low) / widest, dtype=np.float32) for one in some]


def _means(labels: Labels, channels: NDArray[np.float32], areas: Floats) -> Floats:
    flat = labels.reshape(-1)
    sums = [
        np.bincount(flat, channel, len(areas))
        for channel in channels.reshape(-1, channels.shape[-1]).T
    ]
    return np.asarray(np.stack(sums, axis=1) / areas[:, None])


def _states_of(points: NDArray[Any], weights: Floats | None, n_states: int) -> States:
    """Return the cluster of each point (n, M); of fewer points than states there are fewer."""
    means = KMeans(min(n_states, len(points)), n_init=STARTS, random_state=SEED)
    with warnings.catch_warnings():  # of equal points there may be fewer clusters, too
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = means.fit(points, sample_weight=weights)
    return np.asarray(found.labels_, dtype=np.uint8)
