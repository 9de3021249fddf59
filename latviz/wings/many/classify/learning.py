"""What a classifier learns: a codebook of each encoding, and a head on the states of images."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import as_floats, check_word, shown
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, report, shares, stop_if_cancelled
from latviz.core.types import Floats
from latviz.core.values import Value
from latviz.wings.many.classify import head as heads
from latviz.wings.many.classify.class_models import ClassModel, learned_each
from latviz.wings.many.classify.gathering import Array, Encoded, Gathered, Reader, batched, batches


@dataclass(frozen=True, eq=False)
class Trained(Value):
    """The results of learning of a classifier."""

    classes: Annotated[NDArray[Any], "(K,)"]  # the labels, sorted
    encoded: tuple[Encoded, ...]  # each makes observations of images; without a head one
    kind: str  # of images
    models: list[ClassModel]  # one per class; with a head one per encoding, for all classes
    priors: Annotated[Floats, "(K,)"]  # sum 1
    temperature: float = 1.0  # divides scores
    head: heads.Head | None = None  # weighs shares of states and pairs in place of Bayes' rule

    def blocks(self, images: list[Array]) -> list[Floats]:
        """Return a head's features of images, (n, F) of each encoding."""
        each = zip(self.encoded, self.models, strict=True)
        return [
            heads.features(one.data_set(images), of.codebook, of.model.window) for one, of in each
        ]

    @property
    def summary(self) -> str:
        """What decides, and by which encodings, in words."""
        names = ", ".join(one.title for one in self.encoded)
        how = "Bayes' rule" if self.head is None else "logistic regression"
        return f"{how} on {names}"


@dataclass(frozen=True)
class HeadSettings:
    """The settings of a head."""

    encodings: tuple[Encoding | None, ...]
    reader: Reader
    n_states: int  # of each encoding
    window: int


def with_head(
    trained: Trained, found: Gathered, X: Any, settings: HeadSettings, progress: Progress | None
) -> Trained:
    """Return the results with a head on the states of all images."""
    n_encodings, reader = len(settings.encodings), settings.reader
    encoding, counting = shares(progress, [1.0, 1.0])
    parts = shares(encoding, [1.0] * n_encodings)
    both = zip(settings.encodings, parts, strict=True)
    encoded, models = zip(
        *(_states_of(found, one, settings, part) for one, part in both), strict=True
    )
    trained = replace(trained, encoded=encoded, models=[*models])
    if found.is_whole or isinstance(X, Iterator):  # which cannot be read again
        images, truth, times = batched(chain(*found.parts)), found.own, None
    else:
        images, truth, times = batches(X, reader, found.kind), found.truth, found.times
    blocks = _counted(trained, images, truth.size, counting)
    if times is not None:
        truth, blocks = truth.repeat(times), [one.repeat(times, axis=0) for one in blocks]
    head = heads.fitted(blocks, truth, trained.classes.size)
    seen = np.bincount(truth) / truth.size  # its offsets have these as priors
    offsets = head.offsets + np.log(trained.priors / seen)
    return replace(trained, head=replace(head, offsets=offsets))


def _states_of(
    found: Gathered, encoding: Encoding | None, settings: HeadSettings, progress: Progress | None
) -> tuple[Encoded, ClassModel]:
    """Return an encoding fitted to images of all classes, and its codebook for all."""
    stop_if_cancelled(progress)
    reader = settings.reader
    every = found.parts if encoding is None else found.thinned(heads.ENCODED, reader)
    encoded = reader.fitted([*chain(*every)], encoding)
    some = encoded.data_set([*chain(*found.thinned(heads.SAMPLE, reader))])
    (of,) = learned_each([some], settings.n_states, settings.window, "data")
    report(progress, 1.0)
    return encoded, of


def _counted(
    trained: Trained, images: Iterable[list[Array]], n_images: int, progress: Progress | None
) -> list[Floats]:
    """Return the features of images in batches, (n, F) of each encoding."""
    found, done = list[list[Floats]](), 0
    for batch in images:
        stop_if_cancelled(progress)
        found.append(trained.blocks(batch))
        done += len(batch)
        report(progress, min(1.0, done / n_images))
    if done != n_images:
        raise ParameterError(
            f"X must give the same images again, for a second reading: got {done}, first {n_images}"
        )
    return [np.concatenate(one) for one in zip(*found, strict=True)]


def priors_of(priors: Any, counts: Sequence[int]) -> Floats:
    """Return the priors of classes with these counts of images, or raise `ParameterError`."""
    n_classes = len(counts)
    if isinstance(priors, str):
        word = check_word("priors", priors, ("counts", "uniform"))
        weights = np.array(counts if word == "counts" else [1] * n_classes, dtype=np.float64)
        return np.asarray(weights / weights.sum())
    given = as_floats("priors", priors)
    if given.shape != (n_classes,) or not (given > 0).all() or abs(given.sum() - 1) > 1e-6:
        wanted = f"priors must be {n_classes} numbers above 0 that sum to 1"
        raise ParameterError(f"{wanted}, got {shown(priors)}")
    return given
