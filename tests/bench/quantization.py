"""Quantization against k-means, its growth, and learning."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import DiscreteModel, fast_pnn, window_signature
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.model.learning import learn_tree
from latviz.core.windows.parts import signatures_of
from latviz.core.windows.stratified import SAMPLE, SAMPLE_EXACT, stratified_nodes
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.pictures.data_sets import data_set_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.bench.harness import Line, Result, Skipped, against, by_turns, peer, settings
from tests.bench.pictures import photograph

M = N = 8
SAMPLED = {"quantiles": 8, "levels": 8, "palette": 16, "grey": 8, "rgb": 8, "lab": 8, "texture": 8}
"""Encodings and their M; those of real vectors do not use it."""
SIZES = tuple(2**k for k in range(16, 23))
GROWTH_LIMIT = 1.15


def symbols(side: int) -> NDArray[np.uint8]:
    """Return the lattice of a photograph's grey quantiles."""
    return encode(photograph(side), Encoding("quantiles", M)).values


def signatures(side: int) -> NDArray[np.float32]:
    """Return the signatures of a photograph, shape (side * side, M)."""
    return window_signature(symbols(side), M, 5).reshape(-1, M)


def quantization() -> Iterator[Line]:
    """Fast PNN of many signatures against scikit-learn's k-means; the growth of its time."""
    clusters = peer("sklearn.cluster")
    if clusters is None:
        reason = "scikit-learn is not installed"
        yield Skipped("fast_pnn, 2²⁰ signatures", reason)
        yield Skipped("fast_pnn, squared error", reason)
    else:
        yield from _against_means(clusters.KMeans)
    yield growth()


def _against_means(means: Callable[..., Any]) -> Iterator[Result]:
    points, name = signatures(1024), f"KMeans({N}, n_init=1)"
    notes = settings("1024² quantiles", M=M, N=N, w=5)
    fits: list[Any] = []

    def fit() -> None:
        fits.append(means(N, n_init=1, random_state=len(fits)).fit(points))

    yield against(
        "fast_pnn, 2²⁰ signatures", lambda: fast_pnn(points), fit, name, 0.7, settings=notes
    )
    error = mean_square(points, fast_pnn(points).codebook(N))
    theirs = float(np.median([fit.inertia_ for fit in fits])) / len(points)
    yield Result(
        "fast_pnn, squared error", error, error, error / theirs, name, 1.08, notes, unit=""
    )


def mean_square(points: NDArray[Any], codebook: NDArray[np.float64]) -> float:
    """Return the mean squared distance to the nearest codeword."""
    total = 0.0
    for block in np.array_split(points.astype(np.float64), 64):
        distances = ((block[:, None] - codebook) ** 2).sum(axis=2)
        total += float(distances.min(axis=1).sum())
    return total / len(points)


def growth() -> Result:
    """Return how fast_pnn's time grows with the number of points of a mixture, all distinct."""
    rng = np.random.default_rng(2)
    points = rng.dirichlet(np.ones(M), 64)[rng.integers(0, 64, SIZES[-1])]
    points = points + rng.normal(0, 0.05, points.shape)
    tasks = [lambda n=n: fast_pnn(points[:n]) for n in SIZES]
    medians = np.median(by_turns(tasks, 3), axis=0)
    return grown("fast_pnn, exponent of growth", SIZES, medians.tolist())


def grown(name: str, sizes: Sequence[float], seconds: Sequence[float]) -> Result:
    """Return the exponent of times by size as a result."""
    exponent = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    notes = settings(f"U={sizes[0]:,}..{sizes[-1]:,} of a mixture", M=M)
    points = tuple(zip(map(float, sizes), map(float, seconds), strict=True))
    return Result(
        name, exponent, exponent, exponent, "U", GROWTH_LIMIT, notes, unit="", points=points
    )


def learning() -> Iterator[Result]:
    """A whole fit, the trees of samples and of all signatures, and a frame that learns from all."""
    small, lattice = symbols(512), symbols(1024)
    for name, task, side in (
        ("DiscreteModel.fit", lambda: DiscreteModel.fit(small, n_states=N, window=5), 512),
        ("learn_tree", lambda: learn_tree([lattice], M, 5), 1024),
    ):
        notes = settings(f"{side}² quantiles", M=M, N=N, w=5)
        yield against(name, task, settings=notes)
    yield from _samples()
    yield from _large()


def _samples() -> Iterator[Result]:
    """Time a drag of w: the sample's signatures and its tree."""
    for side in (512, 1024):
        image = photograph(side, colour=True)
        nodes = [stratified_nodes((side, side), SAMPLE)]
        for name, m in SAMPLED.items():
            data = data_set_of((encode(image, Encoding(name, m)),), slices_apart=False)
            points = signatures_of(data, 8, nodes)
            notes = settings(f"{side}² {name}", M=points.shape[1], w=8)
            for what, task, limit in (
                ("signatures", lambda: signatures_of(data, 8, nodes), 0.2),  # noqa: B023
                ("tree", lambda: fast_pnn(points, n_exact=SAMPLE_EXACT), 0.4),  # noqa: B023
            ):
                line = f"{what} of a sample, {name}, {side}²"
                yield against(line, task, limit=limit, settings=notes)


def _large() -> Iterator[Result]:
    """Frames of colour photographs that are learned from all of their nodes."""
    for side in (2048, 4096):
        picture = Picture(photograph(side, colour=True, grain=4.0), "photograph")
        parameters = Parameters(Encoding("lab"), n_states=6, window=5)
        request = Request(0, picture, parameters, complete=True)
        yield against(
            f"frame learned from all nodes, CIELAB, {side}²",
            lambda: Pipeline().run(request),  # noqa: B023
            limit=600.0,
            repeats=3,
            settings=settings(f"{side}² CIELAB", N=6, w=5),
            share=(side / 4096) ** 2,
        )
