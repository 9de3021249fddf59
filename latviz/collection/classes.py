"""Classes of images in files: one part of each is for learning, the rest is classified."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz import files
from latviz.collection.reading import Unreadable
from latviz.core import LatticeClassifier, Validation, cross_validate
from latviz.core.classify.class_models import ClassModel, Criterion
from latviz.core.classify.gathering import Encoded, is_coloured
from latviz.core.data.encoding import Encoding
from latviz.core.data.label_names import in_order
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.parameter import SWITCH, check, declared, named, nested, parameter
from latviz.core.progress import Progress, shares, stop_if_told
from latviz.core.types import Floats
from latviz.core.windows.decoding import decode_each
from latviz.engine.benches.rows import seed_row
from latviz.engine.indices import INDICES
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.shelf import Entry
from latviz.files.image_sets import ImageOnDisk, ImageSet, colours_for

BATCH = 16
"""Images that are classified together, on all cores, between two checks for cancellation."""
NO_COUNTS: Mapping[str, int] = MappingProxyType({})
"""No known numbers of images of each class."""
LOOKED_AT = 4
"""Images of each class that are decoded for its inertia."""
Pixels = NDArray[Any]


CRITERIA = {
    "cavity": "cavity: others' beliefs",
    "windows": "windows: its window",
    "data": "data: its own state",
    "printed": "printed: log P of the paper",
}
FOLDS = {1: "one held-out share"} | {k: f"cross-validation, {k} folds" for k in (2, 3, 5, 10)}


def _of_class_models(plan: "Plan", _dimensions: int) -> str:
    return "a head has the same states for all classes, and no score of pixels" if plan.head else ""


def _of_head(plan: "Plan", _dimensions: int) -> str:
    return "" if plan.head else "Bayes' rule takes one encoding"


def _by_hand(plan: "Plan", _dimensions: int) -> str:
    return "encodings and N are automatic" if plan.head and plan.automatic else ""


@dataclass(frozen=True)
class Plan:
    """Settings for learning classes, and the share of each that is held out."""

    automatic: bool = parameter(
        True,
        name="Automatic encodings",
        label="&Automatic encodings",
        tip=(
            "A palette (grey quantiles of grey images), textons and local binary patterns, with 16 "
            "states each. Otherwise one encoding and N, which you choose"
        ),
        group="Observations",
        undo="Change the encodings",
        choices=SWITCH,
        refusal=_of_head,
    )
    encoding: Encoding = nested(Encoding("quantiles", 8), _by_hand)
    n_states: int = parameter(
        4,
        label="States &N",
        tip="The number of states N of each class, or of each encoding of a head",
        group="Model",
        undo="Change N",
        bounds=(1, 24),
        refusal=_by_hand,
    )
    window: int = parameter(
        1,
        label="&Window w",
        tip="Half-width w of the window",
        group="Model",
        undo="Change w",
        bounds=(0, 12),
    )
    criterion: Criterion = parameter(
        "cavity",
        label="Sco&re",
        tip=(
            "What is summed over the pixels of an image: the probability of each, given the "
            "beliefs of others, its window or its decoded state. Or log P as in the paper"
        ),
        group="Model",
        choices=named(CRITERIA),
        refusal=_of_class_models,
    )
    shared: bool = parameter(
        False,
        name="Same states",
        label="&Same states for all classes",
        tip="One codebook for all classes, so that states can be compared",
        group="Model",
        undo="Change whether classes share states",
        choices=SWITCH,
        refusal=_of_class_models,
    )
    head: bool = parameter(
        True,
        name="Head",
        label="D&iscriminative head",
        tip=(
            "Logistic regression on shares of states and pairs. Otherwise by Bayes' rule, with a "
            "model for each class"
        ),
        group="Model",
        choices=SWITCH,
    )
    folds: int = parameter(
        1,
        label="Test b&y",
        tip=(
            "Whether one share is held out, or each of several folds in turn. With folds, every "
            "image is classified by models that have not seen it, but learning takes longer by the "
            "number of folds"
        ),
        group="Test",
        undo="Change the test",
        choices=named(FOLDS),
    )
    test_share: float = parameter(
        0.3,
        label="&Held out",
        tip="Share of each class's images that are not learned from",
        group="Test",
        undo="Change the share that is held out",
        bounds=(0.05, 0.9),
        decimals=2,
        refusal=lambda plan, _: "" if plan.folds == 1 else "each fold is held out in turn",
    )
    seed: int = declared(0, seed_row("Test", "the same seed holds out the same images"))

    def __post_init__(self) -> None:
        check(self)

    def classifier(self) -> LatticeClassifier:
        """Return a classifier that has learned nothing yet."""
        if self.head and self.automatic:
            return LatticeClassifier(window=self.window)
        return LatticeClassifier(
            self.encoding,
            n_states=self.n_states,
            window=self.window,
            criterion=None if self.head else self.criterion,
            shared=self.shared and not self.head,
            head=self.head,
        )


@dataclass(frozen=True, eq=False)
class ClassSet:
    """Images on a disk, and their classes."""

    place: Path  # the folder or list that was opened
    images: tuple[ImageOnDisk, ...]
    labels: tuple[str, ...]  # the class of each image
    entries: tuple[Entry, ...]  # the same files, for small pictures
    notes: tuple[str, ...] = ()  # omitted images and reasons

    @property
    def classes(self) -> dict[str, list[int]]:
        """The images of each class, as indices; classes are sorted."""
        found = dict[str, list[int]]()
        for k, label in enumerate(self.labels):
            found.setdefault(label, []).append(k)
        return {label: found[label] for label in in_order(found)}


def open_set(place: str | Path, split: str = "") -> ClassSet:
    """List the images of a data set and their classes, or raise `ImageSetError`."""
    # Classes without images and missing files are left out, with a note each
    found: ImageSet = files.image_sets.read_image_set(place, split, lenient=True)
    entries = tuple(_entry(image.path) for image in found.images)
    return ClassSet(Path(place), found.images, found.labels, entries, found.notes)


def _entry(path: Path) -> Entry:
    try:
        stat = path.stat()
    except OSError:  # reading it reports the reason
        return Entry(str(path.absolute()), 0, 0)
    return Entry(str(path.absolute()), stat.st_size, stat.st_mtime_ns)


def held_out(labels: Sequence[str], share: float, seed: int) -> tuple[list[int], list[int]]:
    """Return the images to learn from, and those held out, as increasing indices."""
    # Of each class about the share is held out, at random, but at least one image and never all; a
    # single image is learned from
    rng, learned, tested = np.random.default_rng(seed), list[int](), list[int]()
    for name in sorted(set(labels)):
        own = [k for k, label in enumerate(labels) if label == name]
        order = rng.permutation(own).tolist()
        n_tested = min(max(1, round(share * len(own))), len(own) - 1)
        tested += order[:n_tested]
        learned += order[n_tested:]
    return sorted(learned), sorted(tested)


@dataclass(frozen=True, eq=False)
class LearnedClass:
    """The results of learning for a class."""

    name: str  # empty of a head, whose states are those of all classes
    n_images: int  # learned from; 0 if that is not known
    of: ClassModel
    # by rows of the table: of the model, and of decodings of some images; else NaN
    indices: Mapping[str, float]
    encoding: str = ""  # in words


@dataclass(frozen=True, eq=False)
class ClassOutcome:
    """A classifier, and its verdicts on images."""

    # With folds, that is the classifier that learned from the others; ``classifier`` has learned
    # from all

    classifier: LatticeClassifier  # that has learned
    learned: tuple[LearnedClass, ...]  # of each class
    tested: tuple[int, ...] = ()  # indices of the classified images in the data set
    validation: Validation | None = None  # of these images, or None
    failures: tuple[Unreadable, ...] = ()  # images that were left out, and why
    is_held_out: bool = False  # if the classifier of these images was learned without them

    @property
    def classes(self) -> list[str]:
        """The names of the classes, sorted as the classifier has them."""
        return [str(one) for one in self.classifier.classes_]

    @property
    def counts(self) -> dict[str, int]:
        """The number of images of each class learned from; nothing where that is not known."""
        return {one.name: one.n_images for one in self.learned if one.n_images}

    def posteriors_of(self, index: int) -> Floats | None:
        """Return the posteriors of an image of the data set, (K,), or None."""
        row = self._rows.get(index)
        if row is None or self.validation is None:
            return None
        return np.asarray(self.validation.posteriors[row])

    def classifier_of(self, index: int) -> LatticeClassifier:
        """Return the classifier of an image: with folds, the one learned without it."""
        row, found = self._rows.get(index), self.validation
        if row is None or found is None or found.folds is None:
            return self.classifier
        return found.classifiers[int(found.folds[row])]

    @cached_property
    def _rows(self) -> dict[int, int]:
        """The row of each image that was classified."""
        return {k: row for row, k in enumerate(self.tested)}


def train(data: ClassSet, plan: Plan, progress: Progress | None = None) -> ClassOutcome:
    """Learn classes from some images, and classify the held-out ones."""
    # With folds, all are classified, each by models learned without it, and the final result is
    # learned from all. Images that cannot be read, or are of another kind than most, are left out.
    # ParameterError if no two classes have an image to learn from, or a class fewer images than
    # folds
    if plan.folds > 1:
        return _in_folds(data, plan, progress)
    learned, tested = held_out(data.labels, plan.test_share, plan.seed)
    reading, learning, testing = shares(progress, [1.0, 4.0, 2.0])
    classifier = plan.classifier()
    readable = _readable(data, learned, classifier, reading)
    classifier.fit(readable.on_disk(), readable.labels, progress=learning)
    found = tuple(_learned(classifier, readable.counts, readable.some))
    known = ClassOutcome(classifier, found, failures=tuple(readable.failures), is_held_out=True)
    return _tested(known, data, tested, testing)


def _in_folds(data: ClassSet, plan: Plan, progress: Progress | None) -> ClassOutcome:
    """Return a classifier of all images, with the cross-validated predictions of each."""
    classifier = plan.classifier()
    checking, testing, learning = shares(progress, [1.0, 4.0 * plan.folds, 4.0])
    readable = _readable(data, range(len(data.images)), classifier, checking)
    images, labels = readable.on_disk(), readable.labels
    validation = cross_validate(
        classifier, images, labels, folds=plan.folds, seed=plan.seed, progress=testing
    )
    classifier.fit(images, labels, progress=learning)
    found = tuple(_learned(classifier, readable.counts, readable.some))
    rest = tuple(readable.indices), validation, tuple(readable.failures), True
    return ClassOutcome(classifier, found, *rest)


def _readable(
    data: ClassSet,
    indices: Sequence[int],
    classifier: LatticeClassifier,
    progress: Progress | None,
) -> "_Readable":
    """Read images once, and return which can be read; none is held but some of each class."""
    found = _Readable(data, classifier)
    for done, k in enumerate(indices):
        stop_if_told(progress)
        found.read(k)
        if progress is not None:
            progress.report((done + 1) / len(indices))
    return found


def classify(
    data: ClassSet,
    classifier: LatticeClassifier,
    progress: Progress | None = None,
    *,
    counts: Mapping[str, int] = NO_COUNTS,
) -> ClassOutcome:
    """Classify all images of a data set by a classifier that has learned."""
    # Images that cannot be read, are of another kind, or of an unknown class are left out. counts:
    # those of the classifier's `ClassOutcome`, if there is one
    described, testing = shares(progress, [1.0, 9.0])
    known = loaded(classifier, data, described, counts=counts)
    return _tested(known, data, range(len(data.images)), testing)


def loaded(
    classifier: LatticeClassifier,
    data: ClassSet | None = None,
    progress: Progress | None = None,
    *,
    counts: Mapping[str, int] = NO_COUNTS,
) -> ClassOutcome:
    """Return the outcome of a classifier; inertia comes from some images of a data set."""
    # It is unknown without a readable image of a class. A file does not hold the number of images
    # learned from; ``counts`` gives it
    some = {} if data is None else _some_of_each(data, classifier, progress)
    return ClassOutcome(classifier, tuple(_learned(classifier, counts, some)))


def _some_of_each(
    data: ClassSet, classifier: LatticeClassifier, progress: Progress | None
) -> dict[str, list[Pixels]]:
    """Return some images of each class that a classifier can take."""
    reader, kind = classifier.reader, classifier.fitted.kind
    found = dict[str, list[Pixels]]()
    for done, (name, indices) in enumerate(data.classes.items()):
        own = found.setdefault(name, [])
        for k in indices:
            stop_if_told(progress)
            if len(own) == LOOKED_AT:
                break
            try:
                pixels = pixels_for(classifier, data.images[k])
                if reader.kind_of(pixels) == kind:
                    own.append(pixels)
            except (FileError, ParameterError, MemoryError):
                continue  # classifying it reports the reason
        if progress is not None:
            progress.report((done + 1) / len(data.classes))
    return found


def pixels_for(classifier: LatticeClassifier, image: ImageOnDisk) -> Pixels:
    """Return an image's pixels as a classifier takes them, grey or in colour, or `ImageError`."""
    return replace(image, colours=colours_for(classifier))()


class _Readable:
    """The readable images with their labels; the others are noted."""

    def __init__(self, data: ClassSet, classifier: LatticeClassifier) -> None:
        self._data, self._reader, self._kind = data, classifier.reader, ""
        # None until the first image has decided
        self._colours = colours_for(classifier)
        self.failures: list[Unreadable] = []
        self.counts: dict[str, int] = {}
        self.indices: list[int] = []
        """Those of the images that were read."""
        self.some: dict[str, list[Pixels]] = {}
        """Some images of each class."""

    def read(self, k: int) -> None:
        """Read an image, or note why it is left out."""
        image, label = self._data.images[k], self._data.labels[k]
        try:
            pixels = replace(image, colours=self._colours)()
            kind = self._reader.kind_of(pixels)
        except (FileError, ParameterError, MemoryError) as error:
            self.failures.append(Unreadable.of(image.path, error))
            return
        self._kind, self._colours = self._kind or kind, is_coloured(self._kind or kind)
        if kind != self._kind:
            reason = f"it is {kind}, but the first image is {self._kind}; convert all to one kind"
            self.failures.append(Unreadable(str(image.path), reason))
            return
        self.counts[label] = self.counts.get(label, 0) + 1
        some = self.some.setdefault(label, [])
        if len(some) < LOOKED_AT:
            some.append(pixels)
        self.indices.append(k)

    def on_disk(self) -> list[ImageOnDisk]:
        """Return the images that were read, to be read again."""
        return [replace(self._data.images[k], colours=self._colours) for k in self.indices]

    @property
    def labels(self) -> list[str]:
        """The classes of the images that were read."""
        return [self._data.labels[k] for k in self.indices]


def _learned(
    classifier: LatticeClassifier, counts: Mapping[str, int], some: dict[str, list[Pixels]]
) -> Iterator[LearnedClass]:
    """Yield the model of each class, or those of a head's encodings."""
    # counts: images of each class that were learned from; some: a few of them
    trained = classifier.fitted
    names = [str(label) for label in trained.classes]
    if trained.head is None:
        for name, of in zip(names, trained.models, strict=True):
            yield _described(name, counts.get(name, 0), trained.encoded[0], of, some.get(name))
        return
    every = [pixels for name in names for pixels in some.get(name, [])]
    for one, of in zip(trained.encoded, trained.models, strict=True):
        yield _described("", 0, one, of, every)


def _described(
    name: str, n_images: int, encoded: Encoded, of: ClassModel, images: list[Pixels] | None
) -> LearnedClass:
    window = of.model.window
    states = decode_each(encoded.data_set(images), of.codebook, window) if images else None
    rows = INDICES.values()
    indices = {row.name: row.learned(of.model, states) for row in rows if row.learned}
    return LearnedClass(name, n_images, of, indices, encoded.title)


def _tested(
    known: ClassOutcome, data: ClassSet, indices: Sequence[int], progress: Progress | None
) -> ClassOutcome:
    """Return an outcome with its classifier's predictions for images."""
    places = {name: k for k, name in enumerate(known.classes)}
    failures, tested, rows = list(known.failures), list[int](), list[Floats]()
    for start in range(0, len(indices), BATCH):
        stop_if_told(progress)
        batch = indices[start : start + BATCH]
        for k, row in _classified(known.classifier, data, batch, places, failures):
            tested.append(k)
            rows.append(row)
        if progress is not None:
            progress.report((start + len(batch)) / len(indices))
    if not tested:
        return replace(known, failures=tuple(failures))
    validation = Validation(
        known.classifier.get_params(),
        known.classifier.classes_,
        np.array(rows),
        np.array([places[data.labels[k]] for k in tested], dtype=np.int64),
    )
    return replace(known, tested=tuple(tested), validation=validation, failures=tuple(failures))


def _classified(
    classifier: LatticeClassifier,
    data: ClassSet,
    indices: Sequence[int],
    places: dict[str, int],
    failures: list[Unreadable],
) -> list[tuple[int, Floats]]:
    """Return the posteriors of those images that can be classified; note why others cannot."""
    reader, kind = classifier.reader, classifier.fitted.kind
    known, images = list[int](), list[Pixels]()
    for k in indices:
        path = data.images[k].path
        try:
            if data.labels[k] not in places:
                raise ParameterError(
                    f"the classifier has no class {data.labels[k]!r}; open images of its classes"
                )
            found = pixels_for(classifier, data.images[k])
            if (own := reader.kind_of(found)) != kind:
                raise ParameterError(
                    f"it is {own}, but the classifier learned from {kind}; convert it"
                )
        except (FileError, ParameterError, MemoryError) as error:
            failures.append(Unreadable.of(path, error))
            continue
        known.append(k)
        images.append(found)
    return list(zip(known, classifier.predict_proba(images), strict=True)) if images else []


@dataclass(frozen=True, eq=False)
class ClassLook:
    """One image, with the evidence for each class by pixel."""

    index: int  # of the image in its data set
    colours: NDArray[np.uint8]  # (H, W, 3): the unchanged image
    maps: Floats | None  # (K, H, W) or None: each pixel's term in each class's score, in nats
    reason: str = ""  # the reason for missing maps, or ""
    # (K, N), of a head: the term of each state's share in each class's logit
    evidence: Floats | None = None


def averaged(plane: Floats, radius: int) -> Floats:
    """Return the mean of a map (H, W) over each pixel's window, clipped to the map."""
    # radius: half-width; 0 leaves the map as it is
    if radius == 0:
        return plane
    side = {"size": 2 * radius + 1, "mode": "constant"}
    shares = scipy.ndimage.uniform_filter(np.ones(plane.shape), **side)
    return np.asarray(scipy.ndimage.uniform_filter(plane, **side) / shares)


def look(
    data: ClassSet,
    index: int,
    classifier: LatticeClassifier,
    progress: Progress | None = None,
) -> ClassLook:
    """Read an image, and score its pixels under each class."""
    # ImageError; ParameterError if its kind differs from those that were learned from
    image = data.images[index]
    picture = Picture(files.images.read_image(image.path).pixels, image.name)
    colours, pixels = picture.in_colour(picture.shown), pixels_for(classifier, image)
    if classifier.fitted.head is not None:
        reason = (
            "The head uses roots of shares of states and pairs in the whole image, so single "
            "pixels have no score. Below is what the share of each state adds to the logit of "
            f"each class{_states_by_encoding(classifier)}."
        )
        return ClassLook(index, colours, None, reason, classifier.head_evidence(pixels))
    try:
        return ClassLook(index, colours, classifier.score_maps(pixels, progress=progress))
    except ParameterError as error:
        return ClassLook(index, colours, None, f"There are no maps: {error}.")


def _states_by_encoding(classifier: LatticeClassifier) -> str:
    """Return which states are of which of several encodings, or ""."""
    trained, parts, last = classifier.fitted, list[str](), 0
    for one, of in zip(trained.encoded, trained.models, strict=True):
        first, last = last + 1, last + of.model.n_states
        parts.append(f"{first} to {last} are of {one.title}")
    return f": {', '.join(parts)}" if len(parts) > 1 else ""
