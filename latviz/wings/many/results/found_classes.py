"""The class of each image of a shelf, found by models that did not learn from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from latviz.collection.reading import Unreadable
from latviz.core import digits
from latviz.core.data.label_names import in_order
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, shares, stop_if_cancelled
from latviz.wings.many.classify.classifier import LatticeClassifier
from latviz.wings.many.classify.gathering import is_coloured
from latviz.wings.many.classify.selecting import Validation, cross_validate
from latviz.wings.many.image_sets import ImageOnDisk, colours_for
from latviz.wings.many.results.tables import Together

FOLDS = 5
"""The parts of the images, each classified by what is learned from the others: at most."""


class FoundClass(NamedTuple):
    """The most probable class of an image, by models that did not learn from it."""

    own: str  # the folder of the image
    name: str
    posterior: float

    @property
    def is_right(self) -> bool:
        """True if the image belongs to this class."""
        return self.name == self.own

    @property
    def text(self) -> str:
        """The class, and the image's own if it is another."""
        return self.name if self.is_right else f"{self.name} ≠ {self.own}"

    @property
    def in_words(self) -> str:
        """Both classes and the posterior."""
        own = "" if self.is_right else f" Its folder is {self.own}."
        return f"Classified as {self.name} (P = {digits.probability(self.posterior)}).{own}"


@dataclass(frozen=True, eq=False)
class FoundClasses:
    """The classes that were found, and the images that were left out."""

    each: Mapping[str, FoundClass]  # by the path of the image
    together: Together  # images by their own class and the found one
    folds: int
    failures: tuple[Unreadable, ...] = ()


def classify(known: Mapping[str, str], progress: Progress | None = None) -> FoundClasses:
    """Return the class of each image, as ``latviz classify cross-validate`` finds it."""
    # known: the class of each image, by path. Images that cannot be read, or are of another kind
    # than the first, are left out. Raises `ParameterError` if too few are left
    classifier = LatticeClassifier()
    reading, testing = shares(progress, [1.0, 9.0])
    images, failures = _readable(sorted(map(Path, known)), classifier, reading)
    labels = [known[str(image.path)] for image in images]
    for name, n in Counter(labels).items():
        if n < 2:
            raise ParameterError(
                f"a class needs two images or more, to hold one out, but the folder {name!r} has "
                "one that can be read: add images, or open the others without it"
            )
    folds = min([FOLDS, *Counter(labels).values()])
    found = cross_validate(classifier, images, labels, folds=folds, progress=testing)
    best, most = found.posteriors.argmax(axis=1).tolist(), found.posteriors.max(axis=1).tolist()
    each = {
        str(image.path): FoundClass(own, str(found.classes[k]), posterior)
        for image, own, k, posterior in zip(images, labels, best, most, strict=True)
    }
    return FoundClasses(each, _together(found), folds, tuple(failures))


def _readable(
    paths: Sequence[Path], classifier: LatticeClassifier, progress: Progress | None
) -> tuple[list[ImageOnDisk], list[Unreadable]]:
    """Return the images of one kind, to be read again, and the others with the reason."""
    reader, first = classifier.reader, ""
    colours = colours_for(classifier)  # None: the first image decides
    images, failures = list[ImageOnDisk](), list[Unreadable]()
    for done, path in enumerate(paths, start=1):
        stop_if_cancelled(progress)
        image = ImageOnDisk(path, path.name, colours)
        try:
            kind = reader.kind_of(image())
            first = first or kind
            colours = is_coloured(first)
            if kind != first:
                raise ParameterError(f"it is {kind}, but the first is {first}: convert it")
            images.append(replace(image, colours=colours))
        except (FileError, ParameterError, MemoryError) as error:
            failures.append(Unreadable.of(path, error))
        if progress is not None:
            progress.report(done / len(paths))
    return images, failures


def _together(found: Validation) -> Together:
    """Return the confusion of images, with classes in the order of people."""
    names = [str(name) for name in found.classes]
    classes = tuple(in_order(names))
    order = [*map(names.index, classes)]
    table = found.confusion[np.ix_(order, order)]
    return Together(classes, classes, table, found.accuracy, found.truth.size, "images")
