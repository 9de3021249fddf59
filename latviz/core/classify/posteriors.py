"""From scores to posteriors: Bayes' rule by log-sum-exp, and one temperature for all of them."""

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.types import Floats

HOTTEST = 1e6
"""The greatest temperature: scores of a million nodes then count as those of one."""


def posteriors(log_joints: Floats) -> Floats:
    """Return P(class | image) from log prior + log-likelihood, (n, K); rows sum to 1."""
    # Where no class is possible, all are equally likely
    return np.asarray(scipy.special.softmax(_below_most(log_joints), axis=1))


def log_posteriors(log_joints: Floats) -> Floats:
    """Return log P(class | image), see `posteriors`; it is finite where P is too small for that."""
    return np.asarray(scipy.special.log_softmax(_below_most(log_joints), axis=1))


def _below_most(log_joints: Floats) -> Floats:
    """Return by how much each is less than the greatest of its row; 0 if all are -inf."""
    most = log_joints.max(axis=1, keepdims=True)
    none = np.isneginf(most)
    return np.asarray(np.where(none, 0.0, log_joints - np.where(none, 0.0, most)))


def temperature(scores: Floats, truth: NDArray[np.int64], log_priors: Floats) -> float:
    """Return the T >= 1 for which softmax(scores / T + log priors) has the least log loss."""
    # Terms of neighbouring nodes are not independent, so their sum is as sure as a fraction 1 / T
    # of as many independent nodes would be. scores (n, K) are of images that the models have not
    # seen, truth (n,) their classes. Targets are (n + 1) / (n + 2), not 1 (after Platt, 1999), so
    # that T does not vanish where all are right
    n_images, n_classes = scores.shape
    right = (n_images + 1) / (n_images + 2)
    targets = np.full(scores.shape, (1 - right) / (n_classes - 1))
    targets[np.arange(n_images), truth] = right
    finite = np.maximum(scores, np.nan_to_num(scores, neginf=0.0).min(axis=1, keepdims=True) - 1e6)

    def loss(log_temperature: float) -> float:
        logs = finite / np.exp(log_temperature) + log_priors
        return -float((targets * scipy.special.log_softmax(logs, axis=1)).sum())

    ends = 0.0, float(np.log(HOTTEST))
    places = np.linspace(*ends, 57)
    start = int(np.argmin([loss(place) for place in places]))
    around = places[max(start - 1, 0)], places[min(start + 1, len(places) - 1)]
    found = scipy.optimize.minimize_scalar(loss, bounds=around, method="bounded")
    return float(np.exp(found.x))
