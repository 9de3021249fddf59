"""The constant alpha under which the probabilities of all images sum to 1."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, get_args

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import kernels
from latviz.core.checks import (
    check_integer,
    check_memory,
    check_progress,
    check_shape,
    check_word,
)
from latviz.core.data.lattice import fit_window, frozen, n_pairs, window_slices
from latviz.core.errors import ParameterError
from latviz.core.model.evaluation import Normalizer, check_normalizer, potentials
from latviz.core.model.indices import as_rows
from latviz.core.model.models import DiscreteModel
from latviz.core.progress import Progress, report, stop_if_told
from latviz.core.types import Floats, Shape, States
from latviz.core.values import Value
from latviz.core.windows.scores import scores

ENUMERATED = 1 << 20
"""Most images for which all are enumerated."""
DOUBT = 0.2
"""Share of the belief that is divided equally among states: otherwise some images weigh too
much."""
_BATCH = 1 << 20
_IMPOSSIBLE = -30.0

Images = States | NDArray[np.uint16]
Method = Literal["enumeration", "sampling"]


@dataclass(frozen=True, eq=False)
class NormalisingAlpha(Value):
    """The alpha* that makes P(O | model, alpha) sum to 1 over all images; `float` returns it.

    Attributes
    ----------
    alpha : float
        alpha* = (sum over O of P(O | alpha = 1)) ** (-1 / |E|). It may be above 1.
    standard_error : float
        Standard error of alpha over the draw of the images; 0 if all were enumerated.
    log_sum : float
        Log of the sum, in nats; its standard error is ``standard_error |E| / alpha``.
    method : {"enumeration", "sampling"}
    n_images : int
        The number of evaluated images.
    effective_images : float
        The sampled weights' (sum)^2 / sum of squares: the number of images drawn from P itself with
        the same accuracy. Below about 100, alpha and its error are unreliable.

    Examples
    --------
    >>> model = DiscreteModel(A=np.ones((2, 2)), B=np.eye(2), window=0)
    >>> found = normalising_alpha(model, (2,))
    >>> found.method, found.n_images, round(float(np.exp(found.log_sum)), 6)  # 4 images of P = 1
    ('enumeration', 4, 4.0)
    """

    alpha: float
    standard_error: float
    log_sum: float
    method: Method
    n_images: int
    effective_images: float

    def __float__(self) -> float:
        return self.alpha


def normalising_alpha(
    model: DiscreteModel,
    shape: Shape,
    *,
    window: int | None = None,
    normalizer: Normalizer = "neighbours",
    method: Method | None = None,
    n_images: int = 20_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> NormalisingAlpha:
    """Return the constant alpha that normalises P over all images of symbols on a lattice.

    A constant alpha is a factor alpha^|E|, |E| the number of pairs of adjacent nodes, so that
    alpha* follows from the sum of P under alpha = 1.

    ``"enumeration"`` sums over all M^U images. ``"sampling"`` is importance sampling. An image is,
    with probability 1/2 each,

    - of one random state at all nodes, its symbols by that row of B;
    - drawn node by node in row order: a symbol by the rows of B, mixed by the belief in each state
      from the earlier nodes within max(w, 1) of it.

    It weighs P / g, where g is its probability under this mixture. This works for models with
    distinct states, on about a hundred nodes; `effective_images` shows when it fails.

    Parameters
    ----------
    model : DiscreteModel
    shape : positive integers
        The lattice; two nodes at least.
    window : int, optional
        Half-width w_e; the model's own by default.
    normalizer : {"neighbours", "states"}, optional
        As in the model's `evaluate`.
    method : {"enumeration", "sampling"}, optional
        By default enumeration of up to 2^20 images, sampling beyond.
    n_images : int, optional
        The number of sampled images, at least 2.
    seed : int, optional
        The seed of the sampled images.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    NormalisingAlpha

    Raises
    ------
    ParameterError
        If an argument is invalid, or all images evaluated are impossible.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> model = DiscreteModel(A=np.ones((2, 2)), B=np.eye(2), window=0)
    >>> float(normalising_alpha(model, (2,)))  # each of 4 images has P = 1, and there is one pair
    0.25
    """
    if not isinstance(model, DiscreteModel):
        raise ParameterError(f"model must be a DiscreteModel, got a {type(model).__name__}")
    lattice = check_shape(shape)
    seed, progress = check_integer("seed", seed, 0), check_progress(progress)
    half_width = fit_window(model.one_window(window), lattice)
    chosen = _chosen(method, model.n_symbols ** prod(lattice))
    n_images = check_integer("n_images", n_images, 2)
    check_memory("that many images", 8 * n_images)
    if n_pairs(lattice) == 0:
        raise ParameterError(f"shape must have adjacent nodes, got {lattice}")
    score = _scorer(model, lattice, half_width, check_normalizer(normalizer))
    if chosen == "enumeration":
        total, source = model.n_symbols ** prod(lattice), _all_images(model, lattice)
    else:
        total = n_images
        source = _Proposal(model, lattice, max(half_width, 1)).batches(n_images, seed)
    weights = _log_weights(source, score, total, progress)
    return _result(weights, n_pairs(lattice), chosen)


def _chosen(method: Method | None, n_images: int) -> Method:
    if method is not None:
        check_word("method", method, get_args(Method))
    if method == "enumeration" and n_images > ENUMERATED:
        raise ParameterError(f"at most {ENUMERATED} images can be enumerated, got {n_images}")
    return method or ("enumeration" if n_images <= ENUMERATED else "sampling")


def _result(weights: Floats, pairs: int, method: Method) -> NormalisingAlpha:
    log_total = float(scipy.special.logsumexp(weights))
    if log_total == -np.inf:
        raise ParameterError("at least one image must be possible under the model, got none")
    n_images = weights.size
    if method == "enumeration":
        effective, error, log_sum = float(n_images), 0.0, log_total
    else:
        effective = float(np.exp(2.0 * log_total - scipy.special.logsumexp(2.0 * weights)))
        error = float(np.sqrt(max(1.0 / effective - 1.0 / n_images, 0.0)))
        log_sum = log_total - float(np.log(n_images))
    alpha = float(np.exp(-log_sum / pairs))
    return NormalisingAlpha(alpha, alpha * error / pairs, log_sum, method, n_images, effective)


def _log_weights(
    source: Iterator[tuple[Images, Floats]],
    score: Callable[[Images], Floats],
    total: int,
    progress: Progress | None,
) -> Floats:
    """Return log P - log g of the images of all batches (images, log g)."""
    found = np.empty(total)
    done = 0
    for images, log_g in source:
        stop_if_told(progress)
        found[done : done + len(images)] = score(images) - log_g
        done += len(images)
        report(progress, done / total)
    return found


def _batch(model: DiscreteModel, shape: Shape) -> int:
    return max(2, _BATCH // (prod(shape) * max(model.n_states, model.n_symbols)))


def _all_images(model: DiscreteModel, shape: Shape) -> Iterator[tuple[Images, Floats]]:
    """Yield all images in batches; the first node's symbol changes from one to the next."""
    n_nodes, n_symbols = prod(shape), model.n_symbols
    places, size = n_symbols ** np.arange(n_nodes), _batch(model, shape)
    for start in range(0, n_symbols**n_nodes, size):
        codes = np.arange(start, min(start + size, n_symbols**n_nodes))
        symbols = (codes[:, None] // places % n_symbols).astype(_dtype(model))
        yield symbols.reshape(-1, *shape), np.zeros(len(symbols))


def _dtype(model: DiscreteModel) -> type[np.unsignedinteger[Any]]:
    return np.uint8 if model.n_symbols <= 256 else np.uint16


def _scorer(
    model: DiscreteModel, shape: Shape, window: int, normalizer: Normalizer
) -> Callable[[Images], Floats]:
    """Return the function from images (n, *shape) to log P under alpha = 1, (n,)."""
    # The likelihood kernels take all images as one stack of rows: rows of different images are not
    # neighbours, because a row's place in its lattice is its number modulo the lengths
    _, strides, lengths = as_rows(np.empty(shape))
    with np.errstate(divide="ignore"):
        log_B = np.log(model.B)
    pairs = potentials(model.A, normalizer)

    def score(images: Images) -> Floats:
        symbols = frozen(images.reshape(-1, shape[-1]))
        states = frozen(_decoded(images, model.B, window).reshape(symbols.shape))
        out, stop = np.empty(states.shape), len(states)
        kernels.likelihood.symbol_terms(states, symbols, log_B, 0, stop, out)
        kernels.likelihood.pair_terms(states, strides, lengths, *pairs, 0, stop, out)
        return np.asarray(out.reshape(len(images), -1).sum(axis=1))

    return score


def _decoded(images: Images, B: Floats, window: int) -> States:
    """Return `decode` for each of many small images (n, *shape), with the same ties."""
    sums = scores(images[0].shape, B, window).table.astype(np.int64)[images]
    for axis, length in enumerate(images.shape[1:], start=1):
        upto = np.insert(np.cumsum(sums, axis=axis), 0, 0, axis=axis)
        t = np.arange(length)
        last = np.take(upto, np.minimum(t + window + 1, length), axis=axis)
        sums = last - np.take(upto, np.maximum(t - window, 0), axis=axis)
    states: States = sums.argmin(axis=-1).astype(np.uint8)
    return states


class _Proposal:
    """Distribution of the images: one state at all nodes, or states by those before them."""

    def __init__(self, model: DiscreteModel, shape: Shape, reach: int) -> None:
        self._model, self._shape = model, shape
        index = np.arange(prod(shape)).reshape(shape)
        nodes = [index[window_slices(shape, t, reach)].ravel() for t in np.ndindex(shape)]
        self._before = [near[near < t] for t, near in enumerate(nodes)]
        with np.errstate(divide="ignore"):
            self._log_B = np.log(model.B)

    def batches(self, n_images: int, seed: int) -> Iterator[tuple[Images, Floats]]:
        """Yield images and their log g; each is of either kind with probability 1/2."""
        rng, size = np.random.default_rng(seed), _batch(self._model, self._shape)
        for start in range(0, n_images, size):
            n = min(size, n_images - start)
            n_alike = int(rng.binomial(n, 0.5))
            apart, _ = self._in_row_order(n - n_alike, rng=rng)
            symbols = np.concatenate([self._of_one_state(rng, n_alike), apart])
            _, log_g = self._in_row_order(n, symbols)
            log_g = np.logaddexp(self._log_of_one_state(symbols), log_g) - np.log(2.0)
            yield symbols.reshape(-1, *self._shape), log_g

    def _of_one_state(self, rng: np.random.Generator, n: int) -> Images:
        states = rng.integers(self._model.n_states, size=n)
        return self._drawn(self._model.B[states][:, None], rng.random((n, prod(self._shape))))

    def _log_of_one_state(self, symbols: Images) -> Floats:
        log_P = np.stack([row[symbols].sum(axis=1) for row in self._log_B])
        return np.asarray(scipy.special.logsumexp(log_P, axis=0) - np.log(len(log_P)))

    def _in_row_order(
        self, n: int, symbols: Images | None = None, rng: np.random.Generator | None = None
    ) -> tuple[Images, Floats]:
        """Draw images node by node, or take these, and return them and their log g."""
        found = (
            np.empty((n, prod(self._shape)), _dtype(self._model)) if symbols is None else symbols
        )
        evidence = np.maximum(self._log_B, _IMPOSSIBLE).T
        log_g, each = np.zeros(n), np.arange(n)
        for t, before in enumerate(self._before):
            shares = self._mixed(evidence[found[:, before]].sum(axis=1))
            if rng is not None:
                found[:, t] = self._drawn(shares, rng.random(n))
            log_g += np.log(shares[each, found[:, t]])
        return found, log_g

    def _mixed(self, evidence: Floats) -> Floats:
        """Return the distribution of the next symbol, (n, M), given the log-beliefs (n, N)."""
        belief = np.exp(evidence - evidence.max(axis=1, keepdims=True))
        belief /= belief.sum(axis=1, keepdims=True)
        return np.asarray(((1.0 - DOUBT) * belief + DOUBT / belief.shape[1]) @ self._model.B)

    def _drawn(self, shares: Floats, uniform: Floats) -> Images:
        """Draw symbols from distributions (..., M)."""
        bounds = np.cumsum(shares, axis=-1)[..., :-1]
        return np.asarray((uniform[..., None] >= bounds).sum(axis=-1), dtype=_dtype(self._model))
