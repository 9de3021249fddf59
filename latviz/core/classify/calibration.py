"""The temperature of scores, by models that have not seen the images which tell it."""

from collections.abc import Callable, Sequence

import numpy as np

from latviz.core.classify.class_models import ClassModel, Criterion, scores, united
from latviz.core.classify.posteriors import temperature
from latviz.core.data.data_set import DataSet
from latviz.core.progress import Progress, shares
from latviz.core.types import Floats, Region, Shape

Learn = Callable[[Sequence[DataSet], Progress | None], list[ClassModel]]
"""Learns the models of all classes."""


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
