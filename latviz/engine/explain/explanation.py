"""Why a pixel is in its state: the model's formulas with that pixel's own numbers.

All numbers are computed from the definitions, one pixel at a time, and never by the kernels, so
that they check the kernels.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.inference.emission import FLOOR
from latviz.core.types import Region
from latviz.engine.choosing.scales import ladder
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import further_signature, sum_over
from latviz.engine.geometry.dendrogram import Cuts
from latviz.engine.settings.parameters import STATES_RANGE, window_range

Node = tuple[int, ...]
_ROUNDING = 1e-12
"""Distances that differ by no more are the same."""
NEAR = 64
"""Up to this far from w all windows are tried for another state, and beyond it some."""
_SIDES = {1: (("before", "after"),), 2: (("above", "below"), ("left", "right"))}
_SIDES[3] = (("slice before", "slice after"), *_SIDES[2])
_AXES = {1: ("before and after",), 2: ("above and below", "left and right")}
_AXES[3] = ("slices before and after", *_AXES[2])


@dataclass(frozen=True)
class Flip:
    """The smallest number of changed pixels in a window that gives another state."""

    state: int  # nearest then, or as near with a smaller number
    moved: tuple[tuple[int, int, int], ...]  # a number of pixels, their symbol, and the new one

    @property
    def n_pixels(self) -> int:
        """The number of pixels that would change."""
        return sum(count for count, _, _ in self.moved)


@dataclass(frozen=True)
class Neighbour:
    """A neighbour's side and state, a(q, q'), and the pair's term in log2 P, in bits."""

    side: str
    state: int
    potential: float
    bits: float


@dataclass(frozen=True, eq=False)
class Product:
    """A belief as the product of a pixel's own evidence and the messages of its neighbours."""

    own: Annotated[NDArray[np.float64], "(N,)"]  # b(q, o) for each state, divided by their sum
    # where neighbours are, and the message of each axis (N,), of sum 1
    messages: tuple[tuple[str, NDArray[np.float64]], ...]
    product: Annotated[NDArray[np.float64], "(N,)"]  # all of these multiplied
    bits: float  # the cavity code length: the cost of the observation given the messages alone

    @property
    def belief(self) -> NDArray[np.float64]:
        """The product, divided by its sum."""
        return np.asarray(self.product / self.product.sum())


@dataclass(frozen=True, eq=False)
class LeftOutTerm:
    """A pixel's own term of the code length, predicted from its window."""

    state: int  # nearest to the window without the pixel
    symbol: int  # of the pixel
    # symbols of pixels that get this state in the same way
    counts: Annotated[NDArray[np.int64], "(M,)"]

    @property
    def share(self) -> float:
        """The share of the symbol in the state, if each symbol is counted half a time more."""
        return float((self.counts[self.symbol] + 0.5) / (self.counts.sum() + self.counts.size / 2))

    @property
    def bits(self) -> float:
        """The code length of the pixel."""
        return -math.log2(self.share)


@dataclass(frozen=True, eq=False)
class LeftOutVector:
    """A pixel's own term of the code length, where observations are vectors."""

    # Sigma and mu are of the vectors of pixels that get this state in the same way
    state: int  # nearest to the window without the pixel
    determinant_bits: float  # log2 of the determinant of 2 pi Sigma
    squared: float  # the pixel's squared distance to mu by Sigma

    @property
    def bits(self) -> float:
        """The code length of the pixel."""
        return (self.determinant_bits + self.squared / math.log(2)) / 2


@dataclass(frozen=True, eq=False)
class Explanation:
    """The numbers behind one pixel's state."""

    node: Node
    n_pixels: int  # of its window, clipped to the picture
    # symbols in the window; None of real vectors
    counts: Annotated[NDArray[np.int64] | None, "(M,)"]
    # shares of symbols, or the mean of each channel
    signature: Annotated[NDArray[np.float64], "(M,)"]
    # squared, to each codeword; of several windows their sum
    distances: Annotated[NDArray[np.float64], "(N,)"]
    by_window: Annotated[NDArray[np.float64], "(k, N)"]  # those of each window
    ranked: tuple[int, ...]  # all states, nearest first; of equally near ones the smallest
    state: int  # on screen: the nearest, unless decoded by belief
    flip: Flip | None  # None of real vectors, of one state, and of several windows
    # The next w below, and in ``larger`` above, at which another state of the same codebook is
    # nearest, and that state
    smaller: tuple[int, int] | None
    larger: tuple[int, int] | None
    # The next N below, and in ``more`` above, at which the merge tree gives the pixel to another
    # branch, and the present state in that branch. None too if the emissions are not a cut of the
    # tree
    fewer: tuple[int, int] | None
    more: tuple[int, int] | None
    occupied: Annotated[NDArray[np.int64], "(N,)"]  # pixels of the window in each state
    product: Product | None  # of beliefs only
    left_out: LeftOutTerm | LeftOutVector | None  # by the nearest codeword, if known
    neighbours: tuple[Neighbour, ...]  # those whose state the pair term of the log-likelihood reads
    normalizer: float  # k, the divisor of each pair's potential
    emission_bits: float  # log2 b(q, o) of its state

    @property
    def inertia(self) -> float:
        """The root of the sum of squared shares of the states in its window."""
        return math.sqrt(sum((n / self.n_pixels) ** 2 for n in self.occupied.tolist()))

    @property
    def bits(self) -> float:
        """The pixel's term of the log-likelihood with alpha = 1, in bits."""
        return self.emission_bits + sum(one.bits for one in self.neighbours)


def explain(frame: Frame, node: Node) -> Explanation:
    """Return why a pixel of a whole frame is in its state; costs its windows."""
    observations, codewords = frame.observations, frame.codewords
    window, rest = frame.request.parameters.window, further_signature(frame, node)
    counts, total, n_pixels = summed(frame, node, window)
    signature = total / n_pixels
    ends = np.concatenate([signature, rest])
    by_window = np.array(
        [
            squared_distances(*pair)
            for pair in zip(
                np.split(ends, 1 + len(frame.further)),
                np.split(codewords, 1 + len(frame.further), axis=1),
                strict=True,
            )
        ]
    )
    distances = by_window.sum(axis=0)
    first = nearest_state(distances)
    others = (int(q) for q in np.argsort(distances, kind="stable"))
    ranked = first, *(q for q in others if q != first)
    state = int(frame.states[node])
    flips = observations.discrete and len(codewords) > 1 and not frame.further
    every = _compared(frame, window)
    below = reversed([*_growing(frame, node, [w for w in every if w < window])])
    above = _growing(frame, node, [w for w in every if w > window])
    return Explanation(
        node,
        n_pixels,
        counts if observations.discrete else None,
        signature,
        distances,
        by_window,
        ranked,
        state,
        smallest_flip(counts, codewords) if flips else None,
        _other(codewords, first, below, rest),
        _other(codewords, first, above, rest),
        _branch(frame, ends, ranked[0], range(len(codewords) - 1, STATES_RANGE[0] - 1, -1)),
        _branch(frame, ends, ranked[0], range(len(codewords) + 1, STATES_RANGE[1] + 1)),
        _occupied(frame, node),
        None if frame.believed is None else _product(frame, node),
        _left_out(frame, node),
        tuple(_neighbours(frame, node, state)),
        _normalizer(frame, node, state),
        _emission(frame.model, frame.observations.values[node], state),
    )


def summed(
    frame: Frame, node: Node, window: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Return a window's counts of symbols, or its sums of channels, and its number of pixels."""
    total, n_pixels = sum_over(frame, _window(frame, node, window))
    discrete = frame.observations.discrete
    counts = total.astype(np.int64) if discrete else np.zeros(0, dtype=np.int64)
    return counts, total, n_pixels


def _window(frame: Frame, node: Node, window: int) -> Region:
    return frame.request.window_of(node, window)


def _compared(frame: Frame, window: int) -> list[int]:
    """Return the windows that may give another state: all near w, and of large ones some."""
    low, high = window_range(frame.request.picture.longest)
    near = range(max(low, window - NEAR), min(high, window + NEAR) + 1)
    return sorted({*near, *ladder(frame.request.picture)})


def _growing(
    frame: Frame, node: Node, windows: Sequence[int]
) -> Iterator[tuple[int, NDArray[np.float64], int]]:
    """Yield increasing w with the sum over the window of each and the window's pixels."""
    # Each adds only the new pixels: all together take no longer than the largest.
    if not windows:
        return
    inner = _window(frame, node, windows[0])
    total, n_pixels = sum_over(frame, inner)
    yield windows[0], total, n_pixels
    for window in windows[1:]:
        outer = _window(frame, node, window)
        for slab in _around_of(inner, outer):
            more, n_more = sum_over(frame, slab)
            total, n_pixels = total + more, n_pixels + n_more
        inner = outer
        yield window, total, n_pixels


def _around_of(inner: Region, outer: Region) -> Iterator[Region]:
    """Yield slabs that make up the difference of a region and a region inside it."""
    for axis, (near, far) in enumerate(zip(inner, outer, strict=True)):
        for side in (slice(far.start, near.start), slice(near.stop, far.stop)):
            if side.start < side.stop:
                yield (*inner[:axis], side, *outer[axis + 1 :])


def squared_distances(
    signature: NDArray[np.float64], codebook: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the squared distance of a signature (M,) to each codeword (N, M)."""
    return np.asarray(((codebook - signature) ** 2).sum(axis=1))


def nearest_state(distances: NDArray[np.float64]) -> int:
    """Return the nearest state; ties, up to rounding, go to the smallest."""
    return int(np.argmax(distances <= distances.min() + _ROUNDING * (1.0 + distances.min())))


def _other(
    codebook: NDArray[np.float64],
    nearest: int,
    windows: Iterable[tuple[int, NDArray[np.float64], int]],
    rest: NDArray[np.float64],
) -> tuple[int, int] | None:
    """Return the first of some windows, before a ``rest``, with another state, and that state."""
    for window, total, n_pixels in windows:
        ends = np.concatenate([total / n_pixels, rest])
        found = nearest_state(squared_distances(ends, codebook))
        if found != nearest:
            return window, found
    return None


def cuts_in_force(frame: Frame) -> Cuts | None:
    """Return the cuts of the tree, if known and if a frame's codebook is one of them."""
    parameters = frame.request.parameters
    smoothed = parameters.smoothing > 0 and frame.observations.discrete
    return None if smoothed or parameters.decoding.refines else frame.cuts


def _branch(
    frame: Frame, signature: NDArray[np.float64], nearest: int, sizes: range
) -> tuple[int, int] | None:
    """Return the first N of some that gives a signature to another branch of the tree, and it."""
    # A codeword of a larger codebook is in the branch of the state that it was split from, one of a
    # smaller codebook in those of all states that it was split into.
    cuts = cuts_in_force(frame)
    if cuts is None:
        return None
    rows = np.argsort(frame.row_slots).tolist()
    for n in sizes:
        low = min(n, len(rows))
        found = cuts.branch(nearest_state(squared_distances(signature, cuts.codebooks[n - 1])), low)
        if found != cuts.branch(rows[nearest], low):
            return n, rows.index(found)
    return None


def _occupied(frame: Frame, node: Node) -> NDArray[np.int64]:
    """Return the number of pixels of a window in each state."""
    where, n = _window(frame, node, frame.request.parameters.window), len(frame.slots)
    return np.bincount(frame.states[where].reshape(-1), minlength=n)[:n]


def _product(frame: Frame, node: Node) -> Product:
    """Return the evidence of a pixel's observation by definition, and the existing messages."""
    assert frame.believed is not None
    logs = [_evidence(frame, node, q) for q in range(len(frame.slots))]
    top = max(logs)
    own = np.array([1.0 if math.isinf(top) else max(2.0 ** (x - top), FLOOR) for x in logs])
    sides = frame.believed.at(node).axes
    cavity = np.ones(len(own))
    for message in sides:
        cavity = cavity * message
    share = sum(c * 2.0**x for c, x in zip((cavity / cavity.sum()).tolist(), logs, strict=True))
    bits = -math.log2(share) if share > 0 else math.inf
    messages = tuple(zip(_AXES[len(sides)], sides, strict=True))
    return Product(own / own.sum(), messages, cavity * own / own.sum(), bits)


def _left_out(frame: Frame, node: Node) -> LeftOutTerm | LeftOutVector | None:
    """Return the prediction of a pixel from its window without it, if the emissions are known."""
    lengths, observed = frame.code_lengths, frame.observations.values[node]
    is_nearest = frame.request.parameters.decoding.is_nearest
    if lengths is None or lengths.codebook is None or not is_nearest:
        return None
    distances = np.zeros(len(lengths.codebook))
    windows = frame.request.parameters.window, *frame.further
    for window, codewords in zip(
        windows, np.split(lengths.codebook, len(windows), axis=1), strict=True
    ):
        _, total, n_pixels = summed(frame, node, window)
        if n_pixels > 1:
            own = np.eye(len(total))[int(observed)] if frame.observations.discrete else observed
            distances += squared_distances((total - own) / (n_pixels - 1), codewords)
    state = nearest_state(distances)
    if lengths.emitted is not None:
        return LeftOutTerm(state, int(observed), lengths.emitted[state])
    if lengths.normal is None:
        return None
    normal = lengths.normal
    return LeftOutVector(state, *_normal(observed, normal.means[state], normal.covariances[state]))


def _normal(at: NDArray[Any], mean: NDArray[Any], sigma: NDArray[Any]) -> tuple[float, float]:
    """Return log2 of the determinant of 2 pi Sigma, and the squared distance to mu by Sigma."""
    away = np.asarray(at, dtype=np.float64) - np.asarray(mean, dtype=np.float64)
    _, nats = np.linalg.slogdet(2 * math.pi * sigma)
    return float(nats) / math.log(2), float(away @ np.linalg.solve(sigma, away))


def smallest_flip(counts: NDArray[np.int64], codebook: NDArray[np.float64]) -> Flip | None:
    """Return the fewest pixels whose symbols, if they were others, made another state nearest."""
    nearest = nearest_state(squared_distances(counts / counts.sum(), codebook))
    found = (_towards(counts, codebook, nearest, q) for q in range(len(codebook)) if q != nearest)
    flips = [flip for flip in found if flip is not None]
    if not flips:
        return None
    best = min(flips, key=lambda flip: (flip.n_pixels, flip.state))
    changed = counts.copy()
    for n, old, new in best.moved:
        changed[old] -= n
        changed[new] += n
    # It may pass another state on the way to the one that it was to reach.
    state = nearest_state(squared_distances(changed / counts.sum(), codebook))
    return replace(best, state=state)


def _towards(
    counts: NDArray[np.int64], codebook: NDArray[np.float64], nearest: int, other: int
) -> Flip | None:
    """Return the fewest pixels that bring another codeword at least as near as the nearest."""
    # The difference of two squared distances is linear in the counts, so the best symbol to change
    # to is always the same one, and symbols are best changed in the order of their gains.
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
    """Return True if a state at this extra distance wins; ties go to the smaller state."""
    return short <= _ROUNDING if smaller else short < -_ROUNDING


def _neighbours(frame: Frame, node: Node, state: int) -> Iterator[Neighbour]:
    """Yield the neighbours of a pixel: each pair is shared by two, so half is counted."""
    # The likelihood reads the states of the evaluation window; here they are those on screen.
    row, among = frame.model.A[state], _normalizer(frame, node, state)
    for side, at in around(frame, node):
        other = int(frame.states[at])
        a = float(row[other])
        yield Neighbour(side, other, a, math.log2(a / among) / 2 if a > 0 else -math.inf)


def _normalizer(frame: Frame, node: Node, state: int) -> float:
    """Return k: the sum of the potentials with a pixel's neighbours, or with all states."""
    row = frame.model.A[state]
    if frame.request.parameters.normalizer == "states":
        return float(row.sum())
    return sum(float(row[frame.states[at]]) for _, at in around(frame, node))


def around(frame: Frame, node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the known neighbours of a pixel, each with its side."""
    shape, known = frame.states.shape, frame.request.picture.known
    apart = frame.request.picture.apart
    for axis, names in enumerate(_SIDES[len(shape)]):
        if axis == 0 and apart:
            continue
        for step, name in zip((-1, 1), names, strict=True):
            at = list(node)
            at[axis] += step
            inside = 0 <= at[axis] < shape[axis]
            if inside and (known is None or known[tuple(at)]):
                yield name, tuple(at)


def _emission(model: Any, observed: Any, state: int) -> float:
    """Return log2 of b of an observation."""
    if model.kind == "discrete":
        b = float(model.B[state, int(observed)])
        return math.log2(b) if b > 0 else -math.inf
    sigma = np.asarray(model.covariances[state], dtype=np.float64)
    determinant_bits, squared = _normal(observed, model.means[state], sigma)
    return -0.5 * (determinant_bits + squared / math.log(2))


def _evidence(frame: Frame, node: Node, state: int) -> float:
    """Return log2 of the likelihood of a pixel's observation in beliefs."""
    model: Any = frame.decoding_model
    observed = frame.observations.values[node]
    if frame.observations.discrete or model.bin_edges is None:
        return _emission(model, observed, state)
    if model.score_correlations is None:
        return _bin_of(observed[0], model.bin_edges, model.bin_shares[state])[0]
    both = zip(observed, model.bin_edges, model.bin_shares[state], strict=True)
    bits, scores = np.array([_bin_of(*channel) for channel in both]).T
    coupling = model.score_correlations[state]
    determinant_bits, squared = _normal(scores, np.zeros(len(scores)), coupling)
    free_bits, free = _normal(scores, np.zeros(len(scores)), np.eye(len(scores)))
    apart = determinant_bits - free_bits + (squared - free) / math.log(2)
    return float(bits.sum() - 0.5 * apart)


def _bin_of(number: float, edges: NDArray[Any], shares: NDArray[Any]) -> tuple[float, float]:
    """Return log2 of the density of the bin of a number, and its normal score."""
    k = int(sum(number > edge for edge in edges[1:-1]))
    below = float(sum(shares[:k])) + float(shares[k]) / 2
    bits = math.log2(float(shares[k]) / float(edges[k + 1] - edges[k])) if shares[k] else -math.inf
    return bits, NormalDist().inv_cdf(below) if 0 < below < 1 else math.nan
