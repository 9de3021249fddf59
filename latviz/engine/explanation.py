"""Why a pixel is in its state: the model's formulas with that pixel's own numbers.

All of it is computed from the definitions, a pixel at a time, and never by the kernels, so that it
shows what these must give.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.engine.frame import Frame
from latviz.engine.inspection import window_around
from latviz.engine.parameters import WINDOW_RANGE

Node = tuple[int, ...]
_ROUNDING = 1e-12
"""Distances that differ by no more are the same."""
_SIDES = {1: (("before", "after"),), 2: (("above", "below"), ("left", "right"))}
_SIDES[3] = (("slice before", "slice after"), *_SIDES[2])


@dataclass(frozen=True)
class Flip:
    """How few pixels of a window would have to show other symbols for another state.

    Attributes
    ----------
    state : int
        The state that would be nearest then, or as near with a smaller number.
    moved : tuple of (int, int, int)
        How many pixels, which symbol they have, and which they would have.
    """

    state: int
    moved: tuple[tuple[int, int, int], ...]

    @property
    def n_pixels(self) -> int:
        """How many pixels would change."""
        return sum(count for count, _, _ in self.moved)


@dataclass(frozen=True)
class Neighbour:
    """A neighbour's side and state, and what its pair adds to the log-likelihood, in bits."""

    side: str
    state: int
    bits: float


@dataclass(frozen=True, eq=False)
class Explanation:
    """The numbers behind one pixel's state.

    Attributes
    ----------
    node : tuple of int
    n_pixels : int
        Of its window, clipped to the picture.
    counts : ndarray, shape (M,), int64, or None
        How often each symbol occurs in the window; None of real vectors.
    signature : ndarray, shape (M,), float64
        The shares of the symbols, or the mean of each channel.
    distances : ndarray, shape (N,), float64
        The squared distance of the signature to each state's codeword.
    ranked : tuple of int
        All states, nearest first; of states that are as near the smallest.
    state : int
        The pixel's state on screen: the nearest, unless it was decoded by belief.
    flip : Flip or None
        The smallest change of the window's symbols that makes another state the nearest; None of
        real vectors and of one state.
    smaller, larger : (int, int) or None
        The next w below and above with which another state of the same codebook is the nearest,
        and that state; None if there is none.
    neighbours : tuple of Neighbour
        Those whose state the pair term of the log-likelihood reads.
    emission_bits : float
        log2 of what its state emits its observation with: log2 b(q, o).
    """

    node: Node
    n_pixels: int
    counts: NDArray[np.int64] | None
    signature: NDArray[np.float64]
    distances: NDArray[np.float64]
    ranked: tuple[int, ...]
    state: int
    flip: Flip | None
    smaller: tuple[int, int] | None
    larger: tuple[int, int] | None
    neighbours: tuple[Neighbour, ...]
    emission_bits: float

    @property
    def margin(self) -> float:
        """How much nearer the nearest codeword is than the next; infinite for one state."""
        if len(self.ranked) < 2:
            return math.inf
        return float(self.distances[self.ranked[1]] - self.distances[self.ranked[0]])

    @property
    def bits(self) -> float:
        """The pixel's term of the log-likelihood with alpha = 1, in bits."""
        return self.emission_bits + sum(one.bits for one in self.neighbours)


def explain(frame: Frame, node: Node) -> Explanation:
    """Return why a pixel of a whole frame is in its state; costs its windows."""
    observations, codebook = frame.observations, np.asarray(frame.codebook, dtype=np.float64)
    window = frame.request.parameters.window
    counts, total, n_pixels = _summed(frame, node, window)
    signature = total / n_pixels
    distances = _distances(signature, codebook)
    first = _nearest(distances)
    others = (int(q) for q in np.argsort(distances, kind="stable"))
    ranked = first, *(q for q in others if q != first)
    state = int(frame.states[node])
    flip = _flip(counts, codebook) if observations.discrete and len(codebook) > 1 else None
    return Explanation(
        node,
        n_pixels,
        counts if observations.discrete else None,
        signature,
        distances,
        ranked,
        state,
        flip,
        _other(frame, node, ranked[0], range(window - 1, WINDOW_RANGE[0] - 1, -1)),
        _other(frame, node, ranked[0], range(window + 1, WINDOW_RANGE[1] + 1)),
        tuple(_neighbours(frame, node, state)),
        _emission(frame, node, state),
    )


def _summed(
    frame: Frame, node: Node, window: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Return a window's counts of symbols, or its sums of channels, and how many pixels it has."""
    observations, request = frame.observations, frame.request
    apart = request.parameters.slices_apart
    inside = observations.values[window_around(request.picture.shape, node, window, apart)]
    if observations.discrete:
        counts = np.bincount(inside.reshape(-1), minlength=observations.n_symbols)
        return counts, counts.astype(np.float64), inside.size
    rows = inside.reshape(-1, inside.shape[-1])
    return np.zeros(0, dtype=np.int64), rows.sum(axis=0, dtype=np.float64), len(rows)


def _distances(
    signature: NDArray[np.float64], codebook: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.asarray(((codebook - signature) ** 2).sum(axis=1))


def _nearest(distances: NDArray[np.float64]) -> int:
    """Return the nearest state; of several the smallest, whatever was rounded on the way."""
    return int(np.argmax(distances <= distances.min() + _ROUNDING * (1.0 + distances.min())))


def _other(frame: Frame, node: Node, nearest: int, windows: range) -> tuple[int, int] | None:
    """Return the first of some windows that is nearest to another state, and that state."""
    codebook = np.asarray(frame.codebook, dtype=np.float64)
    for window in windows:
        _, total, n_pixels = _summed(frame, node, window)
        found = _nearest(_distances(total / n_pixels, codebook))
        if found != nearest:
            return window, found
    return None


def _flip(counts: NDArray[np.int64], codebook: NDArray[np.float64]) -> Flip | None:
    """Return the fewest pixels whose symbols, if they were others, made another state nearest."""
    nearest = _nearest(_distances(counts / counts.sum(), codebook))
    found = [_towards(counts, codebook, nearest, q) for q in range(len(codebook)) if q != nearest]
    return min(
        (flip for flip in found if flip is not None),
        key=lambda flip: (flip.n_pixels, flip.state),
        default=None,
    )


def _towards(
    counts: NDArray[np.int64], codebook: NDArray[np.float64], nearest: int, other: int
) -> Flip | None:
    """Return the fewest pixels that bring another codeword at least as near as the nearest.

    The difference of two squared distances is linear in the counts, so the best symbol to change
    to is always the same one, and symbols are best changed in the order of what each gains.
    """
    n = int(counts.sum())
    difference = codebook[nearest] - codebook[other]
    short = 2 * float(counts @ difference) / n
    short -= float((codebook[nearest] ** 2).sum() - (codebook[other] ** 2).sum())
    target = int(np.argmin(difference))
    gains = 2 * (difference - difference[target]) / n
    moved = []
    for symbol in np.argsort(-gains, kind="stable").tolist():
        if _flips(short, other < nearest) or gains[symbol] <= 0:
            break
        if counts[symbol] == 0:
            continue
        needed = max(1, math.ceil(short / gains[symbol] - _ROUNDING))
        needed += not _flips(short - needed * gains[symbol], other < nearest)
        count = min(int(counts[symbol]), needed)
        moved.append((count, symbol, target))
        short -= count * float(gains[symbol])
    return Flip(other, tuple(moved)) if _flips(short, other < nearest) else None


def _flips(short: float, smaller: bool) -> bool:
    """Tell whether the other state is taken, of which the codeword is this much farther.

    If both are as near, the smaller state is.
    """
    return short <= _ROUNDING if smaller else short < -_ROUNDING


def _neighbours(frame: Frame, node: Node, state: int) -> Iterator[Neighbour]:
    """Yield the neighbours of a pixel: each pair is shared by two, so that half of it is counted.

    The likelihood reads the states of the evaluation window; here they are those on screen.
    """
    A, parameters = frame.model.A, frame.request.parameters
    near = list(_around(frame, node))
    row = A[state]
    among = (
        sum(float(row[other]) for _, other in near)
        if parameters.normalizer == "neighbours"
        else float(row.sum())
    )
    for side, other in near:
        a = float(row[other])
        yield Neighbour(side, other, math.log2(a / among) / 2 if a > 0 else -math.inf)


def _around(frame: Frame, node: Node) -> Iterator[tuple[str, int]]:
    shape = frame.states.shape
    apart = frame.request.parameters.slices_apart
    for axis, names in enumerate(_SIDES[len(shape)]):
        if axis == 0 and len(shape) == 3 and apart:
            continue
        for step, name in zip((-1, 1), names, strict=True):
            at = list(node)
            at[axis] += step
            if 0 <= at[axis] < shape[axis]:
                yield name, int(frame.states[tuple(at)])


def _emission(frame: Frame, node: Node, state: int) -> float:
    observed, model = frame.observations.values[node], frame.model
    if frame.observations.discrete:
        b = float(model.B[state, int(observed)])  # type: ignore[union-attr]
        return math.log2(b) if b > 0 else -math.inf
    mean = np.asarray(model.means[state], dtype=np.float64)  # type: ignore[union-attr]
    covariance = np.asarray(model.covariances[state], dtype=np.float64)  # type: ignore[union-attr]
    away = np.asarray(observed, dtype=np.float64) - mean
    _, log_determinant = np.linalg.slogdet(covariance)
    squared = float(away @ np.linalg.solve(covariance, away))
    nats = -0.5 * (len(mean) * math.log(2 * math.pi) + float(log_determinant) + squared)
    return nats / math.log(2)
