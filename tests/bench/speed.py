"""What is measured: frames after a move, decoding, quantization."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import zoom
from skimage import data

from latviz.core import DiscreteModel, fast_pnn, window_signature
from latviz.core.decoding import decode
from latviz.core.encoding import Encoding
from latviz.core.observations import encode
from latviz.live.frame import Request
from latviz.live.parameters import Parameters, Picture
from latviz.live.pipeline import Pipeline
from tests.bench.harness import Result, against, times, yardstick

N = 8


def photograph(side: int = 1024) -> NDArray[np.uint8]:
    """Return scikit-image's camera at a size."""
    pixels = zoom(data.camera().astype(np.float32), side / 512, order=1)
    return np.clip(np.rint(pixels), 0, 255).astype(np.uint8)


def live(repeats: int) -> Iterator[Result]:
    """All that the views show, after a move of w, of N, of alpha."""
    picture, pipeline = Picture(photograph(), "camera"), Pipeline()
    start = Parameters(Encoding("quantiles", 8), n_states=8, window=5)
    pipeline.run(Request(0, picture, start))

    def mover(field: str, values: list[float]) -> Callable[[], object]:
        turn = cycle(values)
        return lambda: pipeline.run(Request(1, picture, replace(start, **{field: next(turn)})))

    for name, field, values, limit in (
        ("frame after a w move", "window", [6, 7, 8, 9, 4, 5], 1.5),
        ("frame after an N move", "n_states", [7, 8, 6, 5], 1.3),
        ("frame after an alpha move", "alpha", [0.5, 0.6, 0.7], 0.05),
    ):
        reference = yardstick()
        yield against(f"{name}, 1024 x 1024", mover(field, values), reference, "F", limit, repeats)


def decoding(repeats: int) -> Iterator[Result]:
    """Decoding by window, by number of symbols and of states, and by size."""
    pixels = photograph()

    def seconds(symbols: int, states: int, window: int, image: NDArray[np.uint8] = pixels) -> float:
        values = encode(image, Encoding("quantiles", symbols)).values
        rng = np.random.default_rng(0)
        codebook = rng.dirichlet(np.ones(symbols), states)
        return float(np.median(times(lambda: decode(values, codebook, window), repeats)))

    base = seconds(8, 8, 5)
    yield Result("decode N = 8, w = 5", base, base, base / yardstick(), "F")
    for name, one, other, against_, limit in (
        ("decode w = 50", (8, 8, 50), (8, 8, 1), "w = 1", 1.15),
        ("decode M = 64", (64, 8, 5), (4, 8, 5), "M = 4", 1.3),
        ("decode N = 32", (8, 32, 5), (8, 8, 5), "N = 8", 4.0),
    ):
        slow, fast = seconds(*one), seconds(*other)
        yield Result(name, slow, slow, slow / fast, against_, limit)
    large = seconds(8, 8, 5, photograph(2048))
    yield Result("decode 2048 x 2048", large, large, large / base, "1024 x 1024", 4.4)
    yield from other_dimensions(base, repeats)


def other_dimensions(base: float, repeats: int) -> Iterator[Result]:
    """Decoding a sequence and a volume, a node."""
    rng = np.random.default_rng(1)
    codebook = rng.dirichlet(np.ones(8), 8)
    for name, shape in (("a sequence", (2_000_000,)), ("a volume", (128, 128, 128))):
        values = rng.integers(0, 8, shape).astype(np.uint8)
        taken = float(np.median(times(lambda v=values: decode(v, codebook, 2), repeats)))
        ratio = taken / values.size / (base / 2**20)
        yield Result(f"decode {name}, a node", taken, taken, ratio, "a node of the image", 2.0)


def quantization(repeats: int) -> Iterator[Result]:
    """Fast PNN of 2^20 signatures against scikit-learn's k-means; the growth of its time."""
    from sklearn.cluster import KMeans

    symbols = encode(photograph(), Encoding("quantiles", 8)).values
    points = window_signature(symbols, 8, 5).reshape(-1, 8)
    means = KMeans(N, n_init=1, random_state=0)
    peer = min(times(lambda: means.fit(points), 2))
    yield against(
        "fast_pnn, 2^20 signatures in R^8", lambda: fast_pnn(points), peer, "KMeans", 0.7, 2
    )
    error = squared_error(points, fast_pnn(points).codebook(N))
    ratio = error / squared_error(points, means.cluster_centers_)
    yield Result("fast_pnn, squared error", error, error, ratio, "KMeans", 1.08)
    yield growth(repeats)


def growth(repeats: int) -> Result:
    """Return the exponent of fast_pnn's time over 2^16 to 2^20 points of a mixture."""
    rng = np.random.default_rng(2)
    points = rng.dirichlet(np.ones(8), 64)[rng.integers(0, 64, 2**20)]
    points = points + rng.normal(0, 0.05, points.shape)
    sizes = [2**k for k in range(16, 21)]
    taken = [min(times(lambda n=n: fast_pnn(points[:n]), min(repeats, 2))) for n in sizes]
    exponent = float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])
    return Result("fast_pnn, exponent of growth", taken[-1], taken[0], exponent, "U", 1.15)


def squared_error(points: NDArray[np.float32], codebook: NDArray[np.float64]) -> float:
    """Return the sum of squared distances to the nearest codeword."""
    total = 0.0
    for block in np.array_split(points.astype(np.float64), 64):
        distances = ((block[:, None] - codebook) ** 2).sum(axis=2)
        total += float(distances.min(axis=1).sum())
    return total


def learning(repeats: int) -> Iterator[Result]:
    """A whole fit, and the codebook of the sample that a drag learns from."""
    symbols = encode(photograph(512), Encoding("quantiles", 8)).values
    reference = yardstick()
    yield against(
        "DiscreteModel.fit, 512 x 512",
        lambda: DiscreteModel.fit(symbols, n_states=8, window=5, n_symbols=8),
        reference,
        "F",
        repeats=min(repeats, 3),
    )


FAMILIES: dict[str, Callable[[int], Iterator[Result]]] = {
    "live": live,
    "decoding": decoding,
    "learning": learning,
    "quantization": quantization,
}
