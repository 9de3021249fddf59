"""Noisy copies of a fixed truth: the errors of decoding them, and bias and variance of these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.lattice import frozen
from latviz.core.progress import Cancelled, Progress
from latviz.core.truth.decomposition import BiasVariance, bias_variance_by_copies
from latviz.core.truth.emission import emit
from latviz.core.types import Floats, States
from latviz.wings.bench.experiment import LEAST_COPIES, WINDOWS, Experiment


@dataclass(frozen=True, eq=False)
class Outcome:
    """The results of an experiment so far."""

    experiment: Experiment
    truth: Annotated[States, "(side, side)"]  # 0..N-1
    observation: NDArray[Any]  # first noisy copy, (side, side) uint8 or (side, side, 1) float64
    result: BiasVariance  # of the copies so far; its bands are NaN before the last
    # mean variance inside regions: at nodes whose whole window is inside the lattice and
    # holds one state. NaN without such nodes, and in the first outcomes
    inside: Annotated[Floats, "(W,)"]
    # maximum of that; NaN in the first outcomes, and if the codebook is learned
    bound: Annotated[Floats, "(W,)"]
    complete: bool  # no more will follow

    def index_of(self, window: int) -> int | None:
        """Return the place of a window in the result, if it is there yet."""
        found = np.flatnonzero(self.result.windows == window)
        return int(found[0]) if found.size else None

    @property
    def has_curves(self) -> bool:
        """True if it has every window."""
        return len(self.result.windows) == len(WINDOWS)

    @cached_property
    def best(self) -> int:
        """The window of the least error, the smallest of those if there are several."""
        return int(self.result.windows[self.result.error.argmin()])


def run(experiment: Experiment, progress: Progress) -> Iterator[Outcome]:
    """Yield outcomes: of one window and two copies, then of all windows and ever more copies."""
    # The last outcome holds `bias_variance` for `WINDOWS`
    truth = experiment.make_truth()
    first = np.random.SeedSequence(experiment.seed).spawn(1)[0]
    seen = frozen(emit(truth, emission=experiment.emission, random_state=first))

    levels = partial(
        bias_variance_by_copies,
        truth,
        emission=experiment.emission,
        model=experiment.codebook,
        random_state=experiment.seed,
    )

    def outcome(result: BiasVariance, complete: bool = False) -> Outcome:
        n = len(result.windows)
        inside = np.full(n, np.nan) if masks is None else _means_inside(result, masks)
        return Outcome(experiment, truth, seen, result, inside, bound[:n], complete)

    masks: list[NDArray[np.bool_]] | None = None
    bound = np.full(len(WINDOWS), np.nan)
    yield outcome(next(levels(windows=(experiment.window,), replicates=LEAST_COPIES)))
    for result in levels(windows=WINDOWS, replicates=experiment.replicates, progress=progress):
        yield outcome(result)
        if masks is None:
            masks = [inside_regions(truth, w) for w in WINDOWS]
            bound = _bounds(experiment, progress)
    yield outcome(result, complete=True)


def inside_regions(truth: States, window: int) -> NDArray[np.bool_]:
    """Return a mask of windows that are not clipped and hold one state, of the truth's shape."""
    width = 2 * window + 1
    pure = scipy.ndimage.maximum_filter(truth, width) == scipy.ndimage.minimum_filter(truth, width)
    whole = np.zeros(truth.shape, dtype=bool)
    middle = slice(window, -window or None)
    whole[middle, middle] = True
    return np.asarray(pure & whole)


def _means_inside(result: BiasVariance, masks: Sequence[NDArray[np.bool_]]) -> Floats:
    pairs = zip(result.variance_maps, masks, strict=True)
    means = [float(v[m].mean(dtype=np.float64)) if m.any() else np.nan for v, m in pairs]
    return np.array(means)


def _bounds(experiment: Experiment, progress: Progress) -> Floats:
    found = np.full(len(WINDOWS), np.nan)
    if experiment.codebook == "true":
        for k, window in enumerate(WINDOWS):
            if progress.cancelled():
                raise Cancelled
            found[k] = experiment.bound(window)
    return found
