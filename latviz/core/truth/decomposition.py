"""Bias and variance of the decoding where the truth is known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from latviz.core import kernels, threads
from latviz.core.checks import (
    MOST_COUNTED,
    check_integer,
    check_integers,
    check_memory,
    check_number,
    check_progress,
    check_seed,
)
from latviz.core.data.data_set import DataSet, as_data_set, is_several
from latviz.core.data.lattice import frozen
from latviz.core.errors import ParameterError
from latviz.core.model.indices import as_maps
from latviz.core.model.learning import codebook_of, learn_tree
from latviz.core.model.models import DiscreteModel, GaussianModel
from latviz.core.progress import Progress, report, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.truth.agreement import matched_to
from latviz.core.truth.emission import Emission, NormalEmission, Seed, as_emission, emit
from latviz.core.types import Counts, Floats, Matrix, States
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

RESAMPLES = 200
"""Bootstrap resamples for a standard error."""
KEPT = 1 << 16
"""Nodes, evenly spaced, whose states in every copy are kept for the bootstrap."""

Source = Literal["true", "learned"] | DiscreteModel | GaussianModel


@dataclass(frozen=True, eq=False)
class BiasVariance(Value):
    """Errors of the decoding over noisy copies of one truth (0-1 loss), for each of W windows.

    The main prediction of a node is its commonest state over the copies, the least of those if
    there are several. With two states a node's error is variance + bias - 2 variance bias.

    Attributes
    ----------
    windows : (W,) int64
        Half-widths w.
    replicates : int
        R, the number of copies.
    bias : (W,) float64
        Share of nodes whose main prediction is not the truth.
    variance : (W,) float64
        Share of nodes, over all copies, that differ from their main prediction.
    error : (W,) float64
        Share of nodes, over all copies, that are not the truth.
    bias_band, variance_band, error_band : (W, 2) float64
        Confidence bands, see `bias_variance`.
    modes : (W, *shape) uint8
        The main predictions. Of a data set the maps are lists, an array for each lattice.
    bias_maps : (W, *shape) bool
        True where they differ from the truth.
    variance_maps : (W, *shape) float32
        Share of copies that differ from the main prediction.

    Examples
    --------
    The second node is alone in its state, so a window of three nodes gets it wrong in every copy:

    >>> truth, emission = [0, 1, 0, 0, 0], [[1, 0], [0, 1]]
    >>> found = bias_variance(truth, emission=emission, windows=[0, 1], replicates=2)
    >>> found.bias.tolist(), found.variance.tolist()
    ([0.0, 0.2], [0.0, 0.0])
    """

    windows: Counts
    replicates: int
    bias: Floats
    variance: Floats
    error: Floats
    bias_band: Floats
    variance_band: Floats
    error_band: Floats
    modes: Any
    bias_maps: Any
    variance_maps: Any


@renamed("truth emission windows replicates", seed="random_state")
def bias_variance(
    truth: Any,
    *,
    emission: Emission | ArrayLike,
    windows: Sequence[int],
    replicates: int = 100,
    model: Source = "true",
    confidence: float = 0.95,
    random_state: Seed = 0,
    progress: Progress | None = None,
) -> BiasVariance:
    """Decode noisy copies of a truth with the same windows, and measure their errors.

    Bands are value +- z standard errors, clipped to 0..1. The standard error is over the draw of
    the copies, from 200 bootstrap resamples. It uses at most 65,536 nodes, so for larger lattices,
    which average over more, bands are wider than necessary. Besides a node's counts of states, for
    each window, memory holds only these nodes' states in all copies.

    Parameters
    ----------
    truth : (*shape) int, or a list or tuple of such arrays
        States 0..N-1. Shares are of the nodes of all lattices; a copy is one of the data set.
    emission : (N, M) float, or NormalEmission
        The emissions: B, or normal laws.
    windows : sequence of int
        Half-widths w >= 0.
    replicates : int
        R, the number of copies, at least 2.
    model : {"true", "learned"}, DiscreteModel or GaussianModel
        The source of the codebook: the emission itself, each copy (Fast PNN with the same window),
        or a model of N states. States of a learned codebook or a model are matched to the truth,
        copy by copy, so that most nodes agree.
    confidence : float
        The confidence of the bands, between 0 and 1.
    random_state : int, SeedSequence, Generator or None, optional
        Of the copies and the resamples, as of ``numpy.random.default_rng``.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    BiasVariance

    Raises
    ------
    ParameterError
        If an argument is invalid.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    The second node is alone in its state, so a window of three nodes gets it wrong:

    >>> truth, emission = [0, 1, 0, 0, 0], [[1, 0], [0, 1]]
    >>> bias_variance(truth, emission=emission, windows=[0, 1], replicates=2).error.tolist()
    [0.0, 0.2]
    """
    check_progress(progress)
    trial = _Trial(truth, emission, windows, replicates, model, confidence, random_state)
    return next(_results(trial, [replicates], progress))


@renamed("truth emission windows replicates", seed="random_state")
def bias_variance_by_copies(
    truth: Any,
    *,
    emission: Emission | ArrayLike,
    windows: Sequence[int],
    replicates: int = 100,
    model: Source = "true",
    confidence: float = 0.95,
    random_state: Seed = 0,
    progress: Progress | None = None,
) -> Iterator[BiasVariance]:
    """Yield the results after 2, 4, 8, .. copies; the last equals `bias_variance`.

    The bands of all but the last are NaN: resampling takes longer than decoding a few copies.

    Parameters
    ----------
    truth, emission, windows, replicates, model, confidence, random_state, progress
        As for `bias_variance`.

    Yields
    ------
    BiasVariance
        From a growing number of copies.

    Raises
    ------
    ParameterError
        If an argument is invalid.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> growing = bias_variance_by_copies([0, 1], emission=np.eye(2), windows=[0], replicates=8)
    >>> [each.replicates for each in growing]
    [2, 4, 8]
    """
    check_progress(progress)
    trial = _Trial(truth, emission, windows, replicates, model, confidence, random_state)
    levels = takewhile(lambda n: n < replicates, (2**k for k in count(1)))
    return _results(trial, [*levels, replicates], progress)


def _results(
    trial: "_Trial", levels: Sequence[int], progress: Progress | None
) -> Iterator[BiasVariance]:
    """Yield the results after each number of copies; the last result has bands."""
    for n_copies in levels:
        trial.decode_copies(n_copies, progress)
        yield trial.result(progress, bands=n_copies == levels[-1])


def _integer(random_state: Seed) -> int:
    """Return an integer seed, for copies and resamples that follow from it on their own."""
    if isinstance(found := check_seed(random_state), int):
        return found
    return int(np.random.default_rng(found).integers(1 << 63))


class _Trial:
    """Counts of the states of some copies, decoded with each of W windows."""

    # The nodes of all lattices are counted one after the other, as a flat array of U nodes

    def __init__(
        self,
        truth: Any,
        emission: Emission | ArrayLike,
        windows: Sequence[int],
        replicates: int,
        model: Source,
        confidence: float,
        random_state: Seed,
    ) -> None:
        """Check the arguments, which are those of `bias_variance`; count no copies yet."""
        self._emission, self._model = as_emission(emission), model
        n_states = len(self._emission.codebook)
        self._maps, self._several = as_maps(truth, n_states), is_several(truth)
        self._truth = np.concatenate([one.reshape(-1) for one in self._maps])
        self._windows = check_integers(
            "windows", windows, 0, MOST_COUNTED, what="at least one half-width"
        )
        replicates = check_integer("replicates", replicates, 2)
        self._seed, self._done = _integer(random_state), 0
        self._confidence = check_number("confidence", confidence, 0.0, 1.0, above=True)
        _check_source(model, self._emission)
        if self._confidence == 1.0:
            raise ParameterError("confidence must be between 0 and 1, got 1")
        size, n_windows = self._truth.size, len(self._windows)
        self._step = -(-size // KEPT)
        kept, each = -(-size // self._step), np.dtype(np.uint32).itemsize * n_states * size
        check_memory(f"{replicates} copies", n_windows * (replicates * (kept + 200) + each))
        self._children = np.random.SeedSequence(self._seed).spawn(replicates)
        self._counts = np.zeros((n_windows, n_states, size), dtype=np.uint32)
        self._kept = np.empty((n_windows, replicates, kept), dtype=np.uint8)
        self._errors = np.empty((n_windows, replicates))

    def decode_copies(self, n_copies: int, progress: Progress | None) -> None:
        """Decode until ``n_copies`` copies are counted."""
        n_windows, n_all = len(self._windows), len(self._children)
        for r in range(self._done, n_copies):
            copy = self._copy(r)
            for k, window in enumerate(self._windows):
                stop_if_cancelled(progress)
                report(progress, (r + k / n_windows) / n_all)
                self._count(k, r, self._decoded(copy, window))
            self._done = r + 1
        report(progress, n_copies / n_all)

    def _copy(self, r: int) -> DataSet:
        values = emit(self._maps, emission=self._emission, random_state=self._children[r])
        kind = "gaussian" if isinstance(self._emission, NormalEmission) else "discrete"
        return as_data_set(values, kind=kind, n_symbols=self._emission.codebook.shape[1])

    def _count(self, k: int, r: int, states: States) -> None:
        for state, counts in enumerate(self._counts[k]):
            counts += states == state
        self._kept[k, r] = states[:: self._step]
        self._errors[k, r] = np.mean(states != self._truth)

    def _decoded(self, copy: DataSet, window: int) -> States:
        """Return the states of all nodes of a copy, (U,)."""
        states = decode_each(copy, self._codebook(copy, window), window)
        flat = np.concatenate([one.reshape(-1) for one in states])
        if self._model == "true":
            return flat
        return matched_to(self._truth, flat, len(self._emission.codebook))

    def _codebook(self, copy: DataSet, window: int) -> Matrix:
        if self._model == "true":
            return self._emission.codebook
        if self._model == "learned":
            tree = learn_tree(copy.lattices, copy.n_symbols, window)
            return codebook_of(tree, len(self._emission.codebook))
        return self._model.codebook

    def result(self, progress: Progress | None, *, bands: bool) -> BiasVariance:
        """Return the results of the copies; bands are NaN unless requested."""
        parts = []
        for k in range(len(self._windows)):
            stop_if_cancelled(progress)
            parts.append(self._of_window(k, bands))
        *columns, modes, wrong, variance = (np.stack(c) for c in zip(*parts, strict=True))
        maps = (self._by_lattice(one) for one in (modes, wrong, variance))
        return BiasVariance(np.array(self._windows, dtype=np.int64), self._done, *columns, *maps)

    def _by_lattice(self, flat: NDArray[Any]) -> Any:
        """Return maps of all nodes, (W, U), as those of each lattice, (W, *shape)."""
        ends = np.cumsum([one.size for one in self._maps])[:-1]
        parts = np.split(flat, ends, axis=1)
        maps = [part.reshape(-1, *m.shape) for part, m in zip(parts, self._maps, strict=True)]
        return maps if self._several else maps[0]

    def _of_window(self, k: int, bands: bool) -> tuple[Any, ...]:
        """Return bias, variance, error, their bands, and the three maps of one window."""
        counts = self._counts[k]
        modes = counts.argmax(axis=0).astype(np.uint8)
        variance = 1.0 - counts.max(axis=0) / self._done
        wrong = modes != self._truth
        errors = self._errors[k, : self._done]
        values = np.array([wrong.mean(), variance.mean(), errors.mean()])
        around = self._bands(values, k) if bands else np.full((3, 2), np.nan)
        return (*values, *around, modes, wrong, variance.astype(np.float32))

    def _bands(self, values: Floats, k: int) -> Floats:
        """Return the bands of bias, variance and error, shape (3, 2)."""
        rng = np.random.default_rng(self._seed)
        shares = np.full(self._done, 1.0 / self._done)
        weights = rng.multinomial(self._done, shares, size=RESAMPLES)
        truth, n_states = self._truth[:: self._step], len(self._emission.codebook)
        kept, errors = self._kept[k, : self._done], self._errors[k, : self._done]
        resampled = [*_resampled(kept, truth, n_states, weights), weights @ errors * shares[0]]
        half = scipy.special.ndtri(0.5 + self._confidence / 2) * np.std(resampled, axis=1, ddof=1)
        return np.asarray(np.clip(np.stack([values - half, values + half], axis=1), 0.0, 1.0))


def _resampled(
    kept: States, truth: States, n_states: int, weights: Counts
) -> tuple[Floats, Floats]:
    """Return bias and variance of each resample; ``weights`` are its numbers of each copy."""
    copies, times = frozen(kept), frozen(weights.T.astype(np.int32))
    wanted = frozen(truth)

    def task(start: int, stop: int) -> Counts:
        counts = np.zeros((2, len(weights)), dtype=np.int64)
        kernels.counting.count_errors(copies, wanted, times, n_states, start, stop, *counts)
        return counts

    wrong, agreeing = np.sum(threads.over_rows(truth.size, task), axis=0)
    return wrong / truth.size, 1.0 - agreeing / kept.size


def _check_source(model: Any, emission: Emission) -> None:
    if isinstance(model, str) and model in ("true", "learned"):
        return
    if not isinstance(model, DiscreteModel | GaussianModel):
        raise ParameterError(f"model must be 'true', 'learned' or a model, got {model!r}")
    wanted = emission.codebook.shape
    normal = isinstance(emission, NormalEmission)
    if model.codebook.shape != wanted or isinstance(model, GaussianModel) != normal:
        kind = "a GaussianModel" if normal else "a DiscreteModel"
        raise ParameterError(
            f"model must be {kind} with a codebook of shape {wanted} as the emission has, "
            f"got a {type(model).__name__} with {model.codebook.shape}"
        )
