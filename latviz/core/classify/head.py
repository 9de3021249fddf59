"""The discriminative head: shares and pairs of states, weighed by logistic regression."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.data.data_set import DataSet
from latviz.core.errors import ParameterError
from latviz.core.types import Floats, Matrix
from latviz.core.values import Value
from latviz.core.windows.decoding import decode_each

SAMPLE = 1 << 15
"""Nodes of all classes together for learning the codebook."""
MOST_SYMBOLS = 32
"""Most symbols that are counted besides states."""


@dataclass(frozen=True, eq=False)
class Head(Value):
    """Weights of features: logits are features @ weights + offsets."""

    weights: Matrix  # (F, K)
    offsets: Floats  # (K,)

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
    found = _counted(states, len(codebook))
    if data.kind == "discrete" and data.n_symbols <= MOST_SYMBOLS:
        found = np.concatenate([found, _counted(data.values, data.n_symbols)], axis=1)
    return np.sqrt(found)


def _counted(maps: Sequence[NDArray[Any]], n: int) -> Floats:
    return np.array(threads.each(maps, lambda one: _of_map(one, n)))


def _of_map(labels: NDArray[Any], n: int) -> Floats:
    found = [np.bincount(labels.reshape(-1), minlength=n) / labels.size]
    upper = np.triu_indices(n)
    for axis in range(labels.ndim):
        lines = np.moveaxis(labels, axis, 0).astype(np.intp)
        pairs = np.bincount((n * lines[1:] + lines[:-1]).reshape(-1), minlength=n * n)
        square = pairs.reshape(n, n)
        square = square + np.triu(square.T, 1)
        found.append(square[upper] / max(1, pairs.sum()))
    return np.concatenate(found)


def fitted(features: Floats, truth: NDArray[np.int64], n_classes: int) -> Head:
    """Return scikit-learn's logistic regression on standardised features, or `ParameterError`."""
    # It is raised if scikit-learn is not installed
    try:
        from sklearn.linear_model import LogisticRegression  # an extra: only the head needs it
    except ImportError:
        raise ParameterError(
            "head=True needs scikit-learn: install it by pip install 'latviz[compare]'"
        ) from None
    mean = features.mean(axis=0)
    spread = features.std(axis=0)
    spread[spread < 1e-9] = 1.0
    found = LogisticRegression(max_iter=2000).fit((features - mean) / spread, truth)
    weights, offsets = found.coef_.T, found.intercept_
    if n_classes == 2:  # the second against the first
        weights = np.hstack([np.zeros_like(weights), weights])
        offsets = np.append(0.0, offsets)
    weights = weights / spread[:, None]
    return Head(weights, offsets - mean @ weights)
