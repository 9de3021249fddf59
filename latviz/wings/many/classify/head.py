"""The discriminative head: shares and pairs of states, weighed by logistic regression."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.data.data_set import DataSet
from latviz.core.data.masks import Mask, marked
from latviz.core.errors import ParameterError
from latviz.core.types import Floats, Matrix
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

ENCODED = 1 << 20
"""Nodes of all classes together that each encoding is fitted to."""
SAMPLE = 1 << 15
"""Nodes of all classes together for learning each codebook."""
MOST_SYMBOLS = 32
"""Most symbols that are counted besides states."""
COST = 100.0
"""The cost of an image's log loss, where half the sum of squared weights costs 1."""
LEAST = 1e-4
"""Added to the spread of each feature, so that those that hardly vary weigh nothing."""
ROUNDING = 1e-9
"""The mean deviation below which all features of an encoding are constant."""
_STEPS = {"maxiter": 2000, "gtol": 1e-3}
"""Those of the regression: of the slope COST is a part, so that 1e-3 is 1e-5 of an image's."""


@dataclass(frozen=True, eq=False)
class Head(Value):
    """Weights of features: logits are features @ weights + offsets."""

    weights: Annotated[Matrix, "(F, K)"]
    offsets: Annotated[Floats, "(K,)"]

    def logits(self, features: Floats) -> Floats:
        """Return the logarithms of posteriors up to a constant, (n, K)."""
        wanted, given = len(self.weights), features.shape[1]
        if given != wanted:
            raise ParameterError(
                f"the head of the classifier must have a weight for each of {given} features, "
                f"got {wanted}; train it again"
            )
        return np.asarray(features @ self.weights + self.offsets)


def features(data: DataSet, codebook: Matrix, window: int) -> Floats:
    """Return the features (n, F) of lattices: roots of shares of states and of pairs."""
    # Shares of N states, decoded by the codebook, and of their unordered pairs of neighbours along
    # each axis; and the same of up to MOST_SYMBOLS symbols. Of roots, distances are those of
    # Hellinger
    states = decode_each(data, codebook, window)
    found = _counted(states, data.masks, len(codebook))
    if data.kind == "discrete" and data.n_symbols <= MOST_SYMBOLS:
        found = np.concatenate([found, _counted(data.values, data.masks, data.n_symbols)], axis=1)
    return np.sqrt(found)


def _counted(maps: Sequence[NDArray[Any]], masks: Sequence[Mask], n: int) -> Floats:
    pairs = list(zip(maps, masks, strict=True))
    return np.array(threads.each(pairs, lambda pair: _of_map(*pair, n)))


def _of_map(labels: NDArray[Any], known: Mask, n: int) -> Floats:
    labels = marked(labels, known, n)  # what is not known is one more, which is left out below
    own = np.bincount(labels.reshape(-1), minlength=n)[:n]
    found = [own / own.sum()]
    upper = np.triu_indices(n)
    for axis in range(labels.ndim):
        lines = np.moveaxis(labels, axis, 0).astype(np.intp)
        one, other = lines[1:], lines[:-1]
        if known is not None:
            both = (one < n) & (other < n)
            one, other = one[both], other[both]
        pairs = np.bincount((n * one + other).reshape(-1), minlength=n * n)
        square = pairs.reshape(n, n)
        square = square + np.triu(square.T, 1)
        found.append(square[upper] / max(1, pairs.sum()))
    return np.concatenate(found)


def fitted(blocks: Sequence[Floats], truth: NDArray[np.int64], n_classes: int) -> Head:
    """Return the mean of a logistic regression for each encoding, of its features (n, F)."""
    # The mean of their logits: an encoding that cannot separate the classes adds little, while its
    # features would disturb one regression of all
    each = [_regressed(block, truth, n_classes) for block in blocks]
    weights = np.concatenate([one.weights for one in each]) / len(each)
    return Head(weights, np.mean([one.offsets for one in each], axis=0))


def _regressed(block: Floats, truth: NDArray[np.int64], n_classes: int) -> Head:
    """Return the regression of features, each divided by the root of its spread."""
    # That is halfway between all as they are and all of one spread. In all, deviations have a mean
    # square of 1, so that COST means the same for every encoding
    mean, scales = block.mean(axis=0), np.sqrt(block.std(axis=0) + LEAST)
    length = float(np.sqrt((block.var(axis=0) / scales**2).sum()))
    scales *= length if length > ROUNDING else 1.0
    weights, offsets = regression((block - mean) / scales, truth, n_classes)
    weights /= scales[:, None]
    return Head(weights, offsets - mean @ weights)


def regression(points: Floats, truth: NDArray[np.int64], n_classes: int) -> tuple[Matrix, Floats]:
    """Return weights (F, K) and offsets (K,) of least log loss with a penalty on weights."""
    # The sum of COST log losses and half the squared weights, which is scikit-learn's
    # `LogisticRegression` of three classes or more
    own = np.eye(n_classes)[truth]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, offsets = flat[n_classes:].reshape(-1, n_classes), flat[:n_classes]
        logs = scipy.special.log_softmax(points @ weights + offsets, axis=1)
        errors = COST * (np.exp(logs) - own)
        slope = np.concatenate([errors.sum(axis=0), (points.T @ errors + weights).ravel()])
        return float((weights**2).sum() / 2 - COST * (own * logs).sum()), slope

    start = np.zeros(n_classes * (1 + points.shape[1]))
    found = scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options=_STEPS).x
    return found[n_classes:].reshape(-1, n_classes), found[:n_classes]
