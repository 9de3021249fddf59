"""From scores to posteriors: Bayes' rule by log-sum-exp, and one temperature for all images.

The temperature is found by models on images that they were not learned from.
"""

from collections.abc import Callable, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet
from latviz.core.progress import Progress, shares
from latviz.core.types import Floats, Region, Shape
from latviz.wings.many.classify.class_models import ClassModel, Criterion, scores, united

Learn = Callable[[Sequence[DataSet], Progress | None], list[ClassModel]]
"""Learns the models of all classes."""
HOTTEST = 1e6
"""The greatest temperature: scores of a million nodes then count as those of one."""


def posteriors(log_joints: Floats) -> Floats:
    """Return P(class | image) from log prior + log-likelihood, (n, K); rows sum to 1."""
    # If no class is possible, all are equally likely
    return np.asarray(scipy.special.softmax(_below_most(log_joints), axis=1))


def log_posteriors(log_joints: Floats) -> Floats:
    """Return log P(class | image), see `posteriors`; it is finite where P is too small for that."""
    return np.asarray(scipy.special.log_softmax(_below_most(log_joints), axis=1))


def _below_most(log_joints: Floats) -> Floats:
    """Return each row minus its greatest value; 0 if all are -inf."""
    most = log_joints.max(axis=1, keepdims=True)
    none = np.isneginf(most)
    return np.asarray(np.where(none, 0.0, log_joints - np.where(none, 0.0, most)))


def temperature(given: Floats, truth: NDArray[np.int64], log_priors: Floats) -> float:
    """Return the T >= 1 for which softmax(given / T + log priors) has the least log loss."""
    # Terms of neighbouring nodes are not independent, so their sum is as sure as a fraction 1 / T
    # of as many independent nodes would be. given: the scores (n, K) of images that the models have
    # not seen, truth (n,) their classes. Targets are (n + 1) / (n + 2), not 1 (after Platt, 1999),
    # so that T does not vanish where all are right
    n_images, n_classes = given.shape
    right = (n_images + 1) / (n_images + 2)
    targets = np.full(given.shape, (1 - right) / (n_classes - 1))
    targets[np.arange(n_images), truth] = right
    finite = np.maximum(given, np.nan_to_num(given, neginf=0.0).min(axis=1, keepdims=True) - 1e6)

    def loss(log_temperature: float) -> float:
        logs = finite / np.exp(log_temperature) + log_priors
        return -float((targets * scipy.special.log_softmax(logs, axis=1)).sum())

    ends = 0.0, float(np.log(HOTTEST))
    places = np.linspace(*ends, 57)
    start = int(np.argmin([loss(place) for place in places]))
    around = places[max(start - 1, 0)], places[min(start + 1, len(places) - 1)]
    found = scipy.optimize.minimize_scalar(loss, bounds=around, method="bounded")
    return float(np.exp(found.x))


def unseen_temperature(
    sets: Sequence[DataSet],
    learn: Learn,
    criterion: Criterion,
    priors: Floats,
    progress: Progress | None = None,
) -> float:
    """Return the temperature of scores by models learned from the other half of the images."""
    # sets: the images of each class; learn: learns the models of all classes from parts of them;
    # priors (K,)
    halves = list(zip(*map(halved, sets), strict=True))
    found, truth = [], []
    for (own, other), part in zip((halves, halves[::-1]), shares(progress, [1, 1]), strict=True):
        found.append(scores(united(other), learn(own, part), criterion))
        truth.append(np.repeat(np.arange(len(other)), [len(one) for one in other]))
    return temperature(np.concatenate(found), np.concatenate(truth), np.log(priors))


def halved(data: DataSet) -> tuple[DataSet, DataSet]:
    """Return every other lattice, and the others; of a single one its halves."""
    if len(data) > 1:
        first, second = ([(k, _whole(data, k)) for k in range(s, len(data), 2)] for s in (0, 1))
    else:
        first, second = ([(0, half)] for half in _halves(data.shapes[0]))
    return data.parts(first), data.parts(second)


def _whole(data: DataSet, k: int) -> Region:
    return tuple(slice(0, length) for length in data.shapes[k])


def _halves(shape: Shape) -> tuple[Region, Region]:
    """Return the halves of a lattice along its longest axis; of a single node both are it."""
    axis = int(np.argmax(shape))
    middle = max(1, shape[axis] // 2)
    cuts = slice(0, middle), slice(min(middle, shape[axis] - 1), shape[axis])
    first, second = (
        tuple(cut if a == axis else slice(0, n) for a, n in enumerate(shape)) for cut in cuts
    )
    return first, second
