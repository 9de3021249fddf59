"""Cross-validation: the accuracy of classifiers on unseen images, and the choice of the best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import threads
from latviz.core.checks import check_integer, check_progress, check_seed, shown
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.renamed import renamed
from latviz.core.scalars import plain
from latviz.core.truth.emission import Seed
from latviz.core.types import Counts, Floats
from latviz.core.values import Value
from latviz.wings.many.classify.classifier import LatticeClassifier, check_classifier
from latviz.wings.many.classify.targets import iterated, labels_of

TOGETHER = 1 << 21
"""Nodes of folds that are learned from side by side: a head takes some 250 bytes of each."""


@dataclass(frozen=True, eq=False)
class Validation(Value):
    """Results of a classifier on images that it was not learned from.

    Attributes
    ----------
    parameters : dict
        Parameters of the classifier, by name.
    classes : ndarray, shape (K,)
        The labels, sorted.
    posteriors : ndarray, shape (n, K), float64
        The posteriors of each image, by the classifier that learned from the other folds.
    truth : ndarray, shape (n,), int64
        The class of each image, as an index into ``classes``.
    classifiers : tuple of LatticeClassifier
        In cross-validation, the classifier that did not learn from each fold. Not compared: equal
        validations may have different ones.
    folds : ndarray, shape (n,), int64, or None
        The fold of each image, as an index into ``classifiers``.

    Examples
    --------
    >>> images = [np.full((4, 4), grey, np.uint8) for grey in (0, 255, 10, 240)]
    >>> settings = {"n_states": 1, "criterion": "windows", "calibrated": False}
    >>> classifier = LatticeClassifier(Encoding("levels", 2), **settings)
    >>> found = cross_validate(classifier, images, [0, 1, 0, 1], folds=2)
    >>> found.accuracy, found.confusion.tolist()
    (1.0, [[2, 0], [0, 2]])
    """

    parameters: Mapping[str, Any]
    classes: NDArray[Any]
    posteriors: Floats
    truth: Counts
    classifiers: tuple[LatticeClassifier, ...] = field(default=(), compare=False)
    folds: Counts | None = None

    @property
    def accuracy(self) -> float:
        """The share of images whose most probable class is their own."""
        return float((self.posteriors.argmax(axis=1) == self.truth).mean())

    @property
    def log_loss(self) -> float:
        """The mean of -log of the posterior of an image's own class, in nats."""
        own = self.posteriors[np.arange(self.truth.size), self.truth]
        return float(-np.log(np.maximum(own, 1e-300)).mean())

    @property
    def confusion(self) -> Counts:
        """Images by their class (rows) and the most probable one (columns), (K, K) int64."""
        size = self.classes.size
        both = size * self.truth + self.posteriors.argmax(axis=1)
        return np.bincount(both, minlength=size * size).reshape(size, size)

    @property
    def recalls(self) -> Floats:
        """The share of each class's images with a right prediction, (K,); NaN for none."""
        return _shares(self.confusion, 1)

    @property
    def precisions(self) -> Floats:
        """The share of each class's predictions that are right, (K,); NaN for none."""
        return _shares(self.confusion, 0)


def _shares(confusion: Counts, axis: int) -> Floats:
    """Return the diagonal divided by the sums of rows (1) or columns (0)."""
    right, all_ = np.diagonal(confusion), confusion.sum(axis=axis)
    none = np.full(right.shape, np.nan)
    return np.asarray(np.divide(right, all_, out=none, where=all_ > 0))


@renamed(seed="random_state")
def cross_validate(
    classifier: LatticeClassifier,
    images: Sequence[Any],
    labels: Sequence[Any],
    *,
    folds: int = 5,
    random_state: Seed = 0,
    progress: Progress | None = None,
) -> Validation:
    """Return the results of a classifier on folds of images that it did not learn from.

    Every fold has about as many images of each class. Encoders are fitted again, to the images of
    the other folds. Several threads test a fold each, and may call callables at the same time.

    Parameters
    ----------
    classifier : LatticeClassifier
        The source of the parameters; it is not changed.
    images : sequence of ndarray, or of callables that return one
        As `LatticeClassifier.fit` takes them.
    labels : sequence of str, int or float
        The class of each image.
    folds : int, optional
        From 2 to the number of images of the rarest class.
    random_state : int, SeedSequence, Generator or None, optional
        Of the folds, as of ``numpy.random.default_rng``.
    progress : Progress, optional
        Receives the fraction done; may cancel.

    Returns
    -------
    Validation

    Raises
    ------
    ParameterError
        As `LatticeClassifier.fit` does, or if a class has fewer images than there are folds.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> images = [np.full((4, 4), grey, np.uint8) for grey in (0, 255, 10, 240)]
    >>> settings = {"n_states": 1, "criterion": "windows", "calibrated": False}
    >>> classifier = LatticeClassifier(Encoding("levels", 2), **settings)
    >>> cross_validate(classifier, images, [0, 1, 0, 1], folds=2).accuracy
    1.0
    """
    check_classifier(classifier)
    return _validated([classifier], images, labels, folds, random_state, progress)[0]


def _validated(
    classifiers: Sequence[LatticeClassifier],
    images: Sequence[Any],
    labels: Sequence[Any],
    folds: int,
    random_state: Seed,
    progress: Progress | None,
) -> list[Validation]:
    """Return the results of each of some classifiers on the same folds."""
    for one in classifiers:
        one.check()
    items, names = list(iterated("images", images)), list(labels_of(labels, "cross_validate"))
    if len(items) != len(names):
        raise ParameterError(f"there must be {len(items)} labels, got {len(names)}")
    classes, truth = np.unique(names, return_inverse=True)
    folds = _check_folds(folds, classes, truth)
    fold = _folds(truth, folds, random_state)

    def tested(
        one: LatticeClassifier, k: int, part: Progress | None
    ) -> tuple[LatticeClassifier, Floats]:
        seen, unseen = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        made = LatticeClassifier(**one.get_params(deep=False))
        made.fit([items[i] for i in seen], [names[i] for i in seen], progress=part)
        return made, made.predict_proba(_until_cancelled([items[i] for i in unseen], part))

    tasks = [partial(tested, one, k) for one in classifiers for k in range(folds)]
    held = max((plain(one.most_nodes) for one in classifiers), default=1) * classes.size
    held = min(held, sum(one.size if isinstance(one, np.ndarray) else held for one in items))
    done = threads.all_of(tasks, check_progress(progress), most=max(1, TOGETHER // max(1, held)))
    found = []
    for one, start in zip(classifiers, range(0, len(done), folds), strict=True):
        made, parts = zip(*done[start : start + folds], strict=True)
        posteriors = np.zeros((len(items), classes.size))
        for k, part in enumerate(parts):
            posteriors[fold == k] = part
        found.append(Validation(one.get_params(deep=False), classes, posteriors, truth, made, fold))
    return found


def _check_folds(folds: int, classes: NDArray[Any], truth: Counts) -> int:
    """Return the number of folds, or raise `ParameterError` if a class has fewer images."""
    counts = np.bincount(truth, minlength=1)
    folds = check_integer("folds", folds, 2)
    if counts.min() < folds:
        rare = classes[counts.argmin()] if counts.size and classes.size else "none"
        raise ParameterError(
            f"each class must have at least as many images as there are folds, {folds}, got "
            f"{counts.min()} of {rare}"
        )
    return folds


def _until_cancelled(items: Sequence[Any], progress: Progress | None) -> Iterator[Any]:
    """Yield items, until the progress is cancelled."""
    for item in items:
        stop_if_cancelled(progress)
        yield item


def _folds(truth: Counts, folds: int, random_state: Seed) -> Counts:
    """Return the fold of each image: those of a class are dealt out in a random order."""
    rng, fold = (
        np.random.default_rng(check_seed(random_state)),
        np.zeros(truth.size, dtype=np.int64),
    )
    for k in range(truth.max() + 1):
        own = rng.permutation(np.flatnonzero(truth == k))
        fold[own] = np.arange(own.size) % folds
    return fold


@renamed("classifier images labels choices", seed="random_state")
def select(
    classifier: LatticeClassifier,
    images: Sequence[Any],
    labels: Sequence[Any],
    *,
    choices: Mapping[str, Sequence[Any]],
    folds: int = 5,
    random_state: Seed = 0,
    progress: Progress | None = None,
) -> list[Validation]:
    """Return the results of all combinations of some parameters, best first.

    The best has the highest accuracy; ties are broken by the lower log loss.

    Parameters
    ----------
    classifier : LatticeClassifier
        The source of the other parameters.
    images, labels
        As for `cross_validate`.
    choices : mapping of str to sequence
        Values to try, by the name of the parameter: ``{"n_states": [2, 4, 8], "window": [1, 2]}``.
    folds, random_state, progress
        As for `cross_validate`; all combinations have the same folds.

    Returns
    -------
    list of Validation

    Raises
    ------
    ParameterError
        As for `cross_validate`, or if a parameter does not exist or has no values.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> images = [np.full((4, 4), grey, np.uint8) for grey in (0, 255, 10, 240)]
    >>> settings = {"n_states": 1, "criterion": "windows", "calibrated": False}
    >>> classifier = LatticeClassifier(Encoding("levels", 2), **settings)
    >>> choices = {"window": [0, 1]}
    >>> found = select(classifier, images, [0, 1, 0, 1], choices=choices, folds=2)
    >>> sorted(each.parameters["window"] for each in found)
    [0, 1]
    """
    combinations = list(_combinations(classifier, choices))
    found = _validated(combinations, images, labels, folds, random_state, progress)
    return sorted(found, key=lambda one: (-one.accuracy, one.log_loss))


def _combinations(
    classifier: LatticeClassifier, choices: Mapping[str, Sequence[Any]]
) -> Iterator[LatticeClassifier]:
    check_classifier(classifier)
    if not isinstance(choices, Mapping):
        raise ParameterError(f"choices must be values by name, got {shown(choices)}")
    for name, values in choices.items():
        if not list(iterated(f"values of {name}", values)):
            raise ParameterError(f"there must be at least one value of {name}, got none")
    for values in product(*choices.values()):
        one = LatticeClassifier(**classifier.get_params(deep=False))
        yield one.set_params(**dict(zip(choices, values, strict=True)))
