"""Bias and variance of the decoding where the truth is known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core.agreement import matched_to
from latviz.core.checks import check_map
from latviz.core.decoding import decode
from latviz.core.emission import Emission, NormalEmission, as_emission, emit
from latviz.core.errors import ParameterError
from latviz.core.fixed_point import to_fixed_point
from latviz.core.lattice import check_integer, check_window
from latviz.core.learning import codebook_of, learn_tree
from latviz.core.models import DiscreteModel, GaussianModel
from latviz.core.progress import Cancelled, Progress, Share

RESAMPLES = 200
"""Bootstrap resamples that a standard error is of."""
KEPT = 1 << 16
"""Nodes, evenly spaced, whose states in every copy are kept for the bootstrap."""
_BLOCK = 1 << 12

Floats = NDArray[np.float64]
States = NDArray[np.uint8]
Source = Literal["true", "learned"] | DiscreteModel | GaussianModel


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """How the decoding errs over noisy copies of one truth (0-1 loss), for each of W windows.

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
        The main predictions.
    bias_maps : (W, *shape) bool
        Where they are not the truth.
    variance_maps : (W, *shape) float32
        Share of copies that differ from the main prediction.
    """

    windows: NDArray[np.int64]
    replicates: int
    bias: Floats
    variance: Floats
    error: Floats
    bias_band: Floats
    variance_band: Floats
    error_band: Floats
    modes: States
    bias_maps: NDArray[np.bool_]
    variance_maps: NDArray[np.float32]


def bias_variance(
    truth: ArrayLike,
    emission: Emission | ArrayLike,
    windows: Sequence[int],
    replicates: int = 100,
    *,
    model: Source = "true",
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> BiasVariance:
    """Decode noisy copies of a truth, all windows the same ones, and see how they err.

    Bands are value +- z standard errors, clipped to 0..1. The standard error is over the draw of
    the copies: of 200 bootstrap resamples of them. It is taken over at most 65,536 nodes, so for
    larger lattices, which average over more, bands are wider than need be. Beside a node's counts
    of states only these nodes' states in all copies are held.

    Parameters
    ----------
    truth : (*shape) int
        States 0..N-1.
    emission : (N, M) float, or NormalEmission
        What the states emit: B, or normal laws.
    windows : sequence of int
        Half-widths w >= 0.
    replicates : int
        R, the number of copies, at least 2.
    model : {"true", "learned"}, DiscreteModel or GaussianModel
        Where the codebook comes from: the emission itself, each copy (Fast PNN with the same
        window), or a model of N states. States of the latter two are matched to the truth, copy
        by copy, so that most nodes agree.
    confidence : float
        Of the bands, between 0 and 1.
    seed : int
        Settles the copies and the resamples.
    progress : Progress, optional
        Told of the fraction done; may cancel.

    Raises
    ------
    ParameterError
        If an argument is none of these.
    Cancelled
        If ``progress`` says so.
    """
    law = as_emission(emission)
    states = check_map(np.asarray(truth), len(law.codebook))
    widths = [check_window(window) for window in windows]
    check_integer("replicates", replicates, 2)
    _check_source(model, law)
    if not widths:
        raise ParameterError("windows must hold at least one half-width, got none")
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"confidence must be between 0 and 1, got {confidence!r}")
    trial = _Trial(states, law, model, replicates, seed, confidence)
    parts = [
        trial.run(window, None if progress is None else Share(progress, k, len(widths)))
        for k, window in enumerate(widths)
    ]
    columns = [np.stack(column) for column in zip(*parts, strict=True)]
    return BiasVariance(np.array(widths, dtype=np.int64), replicates, *columns)


@dataclass(frozen=True, eq=False)
class _Trial:
    """What is the same for all windows."""

    truth: States
    emission: Emission
    model: Source
    replicates: int
    seed: int
    confidence: float

    def run(self, window: int, progress: Progress | None) -> tuple[Any, ...]:
        """Return bias, variance, error, their bands, and the three maps of one window."""
        n_states = len(self.emission.codebook)
        counts = np.zeros((n_states, *self.truth.shape), dtype=np.uint32)
        step = -(-self.truth.size // KEPT)
        kept = np.empty((self.replicates, -(-self.truth.size // step)), dtype=np.uint8)
        errors = np.empty(self.replicates)
        for r, states in enumerate(self._copies(window, progress)):
            for state in range(n_states):
                counts[state] += states == state
            kept[r] = states.reshape(-1)[::step]
            errors[r] = np.mean(states != self.truth)
        modes = counts.argmax(axis=0).astype(np.uint8)
        variance = 1.0 - counts.max(axis=0) / self.replicates
        wrong = modes != self.truth
        values = np.array([wrong.mean(), variance.mean(), errors.mean()])
        bands = self._bands(values, kept, errors, step)
        return (*values, *bands, modes, wrong, variance.astype(np.float32))

    def _copies(self, window: int, progress: Progress | None) -> Iterable[States]:
        for r, child in enumerate(np.random.SeedSequence(self.seed).spawn(self.replicates)):
            if progress is not None:
                if progress.cancelled():
                    raise Cancelled
                progress.report(r / self.replicates)
            yield self._decoded(emit(self.truth, self.emission, seed=child), window)
        if progress is not None:
            progress.report(1.0)

    def _decoded(self, observation: NDArray[Any], window: int) -> States:
        lattice = to_fixed_point(observation) if observation.dtype.kind == "f" else observation
        n_states, n_symbols = self.emission.codebook.shape
        if self.model == "true":
            return decode(lattice, self.emission.codebook, window)
        if self.model == "learned":
            codebook = codebook_of(learn_tree([lattice], n_symbols, window), n_states)
        else:
            codebook = self.model.codebook
        return matched_to(self.truth, decode(lattice, codebook, window), n_states)

    def _bands(self, values: Floats, kept: States, errors: Floats, step: int) -> Floats:
        """Return the bands of bias, variance and error, shape (3, 2)."""
        from scipy.special import ndtri

        rng = np.random.default_rng(self.seed)
        shares = np.full(self.replicates, 1.0 / self.replicates)
        weights = rng.multinomial(self.replicates, shares, size=RESAMPLES)
        truth, n_states = self.truth.reshape(-1)[::step], len(self.emission.codebook)
        resampled = [*_resampled(kept, truth, n_states, weights), weights @ errors * shares[0]]
        half = ndtri(0.5 + self.confidence / 2) * np.std(resampled, axis=1, ddof=1)
        return np.asarray(np.clip(np.stack([values - half, values + half], axis=1), 0.0, 1.0))


def _resampled(
    kept: States, truth: States, n_states: int, weights: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return bias and variance of each resample; ``weights`` says how often it has each copy."""
    times, n_nodes = weights.astype(np.float32), truth.size
    wrong, agreeing = np.zeros(len(times)), np.zeros(len(times))
    for start in range(0, n_nodes, _BLOCK):
        states, wanted = kept[:, start : start + _BLOCK], truth[start : start + _BLOCK]
        votes = np.stack([times @ (states == j).astype(np.float32) for j in range(n_states)])
        wrong += (votes.argmax(axis=0) != wanted).sum(axis=1)
        agreeing += votes.max(axis=0).sum(axis=1, dtype=np.float64)
    return wrong / n_nodes, 1.0 - agreeing / (n_nodes * len(kept))


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
