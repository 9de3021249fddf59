"""Images as a classifier takes them: one by one, so that no more is held than it learns from."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import as_array
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import middle_of
from latviz.core.data.masks import Mask, filled, in_a_row, moved_to_known
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.facts import around_unknown
from latviz.core.types import Shape
from latviz.core.values import Value
from latviz.wings.many.classify.targets import Label, iterated, refuse_sparse, words_of

LEAST = 1 << 12
"""Nodes of an image below which it is not cut: some images are left out then."""
BATCH = 1 << 20
"""Nodes that are held at a time of images that are classified."""
_KIND = re.compile(
    r"[a-z]{3,8}\d{0,2}, (in colour|grey)"
    r"|(symbols|vectors of \d{1,6} channels) in [123] dimensions",
    re.ASCII,
)
"""The pattern of `Reader.kind_of`."""
Array = NDArray[Any]
Item = Array | Callable[[], Any]
"""An image, or a callable that returns one, for example by reading a file."""


class NotNumbers(ParameterError, TypeError):
    """An array of objects holds something else than numbers; a `TypeError`, as in scikit-learn."""


def as_image(given: Any) -> Array:
    """Return an image as an array of numbers, or raise `ParameterError`."""
    # Objects are taken if all are numbers; text is refused, even if it could be read as numbers.
    # Of a masked array, what is masked is unknown
    refuse_sparse("it", given)
    if isinstance(given, np.ma.MaskedArray):
        return np.ma.MaskedArray(as_image(given.data), given.mask)
    is_boxed = isinstance(given, np.ndarray) and given.dtype == object
    if is_boxed and not any(isinstance(one, str | bytes) for one in given.flat):
        try:
            given = given.astype(np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise NotNumbers(f"it must hold only numbers: {error}") from None
    return as_array("it", given)


def parted(image: Array, axes: int) -> tuple[Array, Mask]:
    """Return an image and the mask of its known pixels; None if all are."""
    if not np.ma.is_masked(image):
        return np.asarray(image), None
    hidden = np.ma.getmaskarray(image).reshape(*image.shape[:axes], -1)
    return np.asarray(image), np.asarray(~hidden.any(axis=-1))


@dataclass
class KeptImages:
    """Images of a class, up to a number of nodes in all.

    As more arrive, all are cut to their middles equally; then every other image is left out.
    """

    most: int
    dimensions: int
    parts: list[Array] = field(default_factory=list)
    stride: int = 1
    seen: int = 0
    is_whole: bool = True  # nothing was cut or left out

    def take(self, image: Array) -> None:
        """Take an image, or its middle."""
        self.seen += 1
        if (self.seen - 1) % self.stride == 0:
            self.parts.append(self._cut(image, max(self.most // (len(self.parts) + 1), LEAST)))
            self._make_room()

    def _make_room(self) -> None:
        while sum(map(self._size, self.parts)) > self.most and len(self.parts) > 1:
            share = self.most // len(self.parts)
            if share < LEAST:
                self.stride *= 2
                self.parts, self.is_whole = self.parts[::2], False
            else:
                self.parts = [self._cut(part, share) for part in self.parts]
                return

    def _shape(self, image: Array) -> Shape:
        return image.shape[: self.dimensions]

    def _size(self, image: Array) -> int:
        return int(np.prod(self._shape(image)))

    def _cut(self, image: Array, most: int) -> Array:
        if self._size(image) <= most:
            return image
        self.is_whole = False
        region = middle_of(self._shape(image), most)
        return image[moved_to_known(region, parted(image, self.dimensions)[1])].copy()


@dataclass(frozen=True)
class Reader:
    """The way in which images become observations, before any was seen."""

    # False: images are observations already, symbols if integers, else vectors
    is_encoded: bool
    dimensions: int  # of the lattices of images that are encoded

    def each(self, items: Any) -> Iterator[tuple[str, Array, str]]:
        """Yield name, array and kind of each image, or raise `ParameterError` with its name."""
        # The name is its own or its index. A callable item returns its image. If images are
        # encoded, integers other than uint8 and uint16, such as those of lists, become float32
        for k, item in enumerate(iterated("X", items)):
            name = getattr(item, "name", None)
            title = f"image {k}" if not isinstance(name, str) else name
            try:
                given = item() if callable(item) else item
            except TypeError as error:  # most likely it needs arguments
                raise ParameterError(f"{title}: calling it failed: {error}") from error
            try:
                image = self._encodable(as_image(given))
                yield title, image, self.kind_of(image)
            except ParameterError as error:
                raise type(error)(f"{title}: {error}") from None

    def _encodable(self, image: Array) -> Array:
        is_other = image.dtype.kind in "iub" and image.dtype not in (np.uint8, np.uint16)
        return image.astype(np.float32) if is_other and self.is_encoded else image

    def kind_of(self, image: Array) -> str:
        """Return an image's kind, in words, or raise `ParameterError`: all images share one."""
        if image.ndim == 0:
            raise ParameterError(
                "it is a single number. Reshape your data: X must hold an image for each class"
            )
        if image.size == 0:
            found = f"0 feature(s) (shape={image.shape}) while a minimum of 1 is required"
            raise ParameterError(f"it holds no pixels: {found}.")
        dtype = "float" if image.dtype.kind == "f" else image.dtype.name
        if not self.is_encoded:
            axes = image.ndim - (dtype == "float")
            if not 1 <= axes <= 3:
                raise ParameterError(f"observations must have 1 to 3 dimensions, got {image.shape}")
            symbols = f"vectors of {image.shape[-1]} channels" if dtype == "float" else "symbols"
            return f"{symbols} in {axes} dimensions"
        colours = image.shape[self.dimensions :]
        if image.ndim < self.dimensions or colours not in ((), (3,)):
            wanted = ", ".join("DHW"[3 - self.dimensions :])
            raise ParameterError(f"it must be ({wanted}) or ({wanted}, 3), got {image.shape}")
        return f"{dtype}, {'in colour' if colours else 'grey'}"

    def axes_of(self, image: Array) -> int:
        """Return the dimensions of an image's lattice."""
        if self.is_encoded:
            return self.dimensions
        return image.ndim - (image.dtype.kind == "f")

    def fitted(self, parts: list[Array], encoding: Encoding | None) -> "Encoded":
        """Return the encoder of images, fitted to some."""
        if encoding is None:
            is_symbols = parts[0].dtype.kind != "f"
            size = 1 + max(int(one.max()) for one in parts) if is_symbols else parts[0].shape[-1]
            return Encoded(None, "discrete" if is_symbols else "gaussian", size)
        known = [in_a_row(*parted(part, self.dimensions)) for part in parts]
        one = encode(known, encoding, dimensions=self.dimensions)[0]
        kind = "discrete" if one.discrete else "gaussian"
        return Encoded(one.encoder, kind, len(one.names))


@dataclass(frozen=True)
class Encoded:
    """Makes observations of images."""

    encoder: Encoder | None  # None: images are observations already
    kind: str  # "discrete" or "gaussian"
    size: int  # the number of symbols or channels, M

    @property
    def title(self) -> str:
        """The encoding in words."""
        return "observations" if self.encoder is None else self.encoder.encoding.kind.title.lower()

    def data_set(self, images: list[Array]) -> DataSet:
        """Return images as a data set."""
        ends = self.encoder is None and self.kind == "gaussian"
        axes = images[0].ndim - ends if self.encoder is None else self.encoder.dimensions
        values, masks = map(list, zip(*(parted(one, axes) for one in images), strict=True))
        if self.encoder is not None:
            if self.encoder.encoding.kind.looks_around and any(one is not None for one in masks):
                raise ParameterError(around_unknown(self.encoder.encoding.kind.title))
            pairs = zip(values, masks, strict=True)
            values = [one.values for one in self.encoder.encode([filled(*pair) for pair in pairs])]
        return as_data_set(values, kind=self.kind, n_symbols=self.size, mask=masks)


@dataclass(frozen=True, eq=False)
class Gathered(Value):
    """The images to learn from, by class, or parts of them, and their numbers."""

    classes: list[Any]
    parts: list[list[Array]]
    counts: list[int]
    kind: str
    truth: Annotated[NDArray[np.int64], "(n,)"]  # the class of each image, in their order
    times: Annotated[NDArray[np.int64], "(n,)"]  # how often each counts
    is_whole: bool  # the parts are all images, whole

    @property
    def own(self) -> NDArray[np.int64]:
        """The class of each part, one class after the other."""
        return np.repeat(np.arange(len(self.parts)), [len(some) for some in self.parts])

    @property
    def is_masked(self) -> bool:
        """True if a pixel is unknown."""
        return any(np.ma.is_masked(part) for some in self.parts for part in some)

    def thinned(self, most: int, reader: Reader) -> list[list[Array]]:
        """Return the parts, up to ``most`` nodes of all classes together."""
        axes = reader.axes_of(self.parts[0][0])
        kept = [KeptImages(most // len(self.parts), axes) for _ in self.parts]
        for one, parts in zip(kept, self.parts, strict=True):
            for part in parts:
                one.take(part)
        return [one.parts for one in kept]


def gathered(
    items: Any,
    labels: Iterable[Label],
    reader: Reader,
    most: int,
    weights: Sequence[int] | None = None,
) -> Gathered:
    """Return the images that are kept, by class, in the order of the labels."""
    # An image of weight k is taken k times. Images of another kind than the first, and labels or
    # weights that are missing or left over, raise `ParameterError`
    kept, first, words, k = dict[Any, KeptImages](), "", set[str](), -1
    seen = list[tuple[Any, int]]()
    remaining, counts = iter(labels), repeat(1) if weights is None else iter(weights)
    for k, (title, image, kind) in enumerate(reader.each(items)):
        first = first or kind
        if kind != first:
            wanted = "convert all to one kind"
            raise ParameterError(f"{title} is of the kind {kind}; the first is {first}; {wanted}")
        label, count = _next(remaining, "label", k), _next(counts, "weight", k)
        words.add(words_of(label))
        seen.append((label, count))
        if count:
            own = kept.setdefault(label, KeptImages(most, reader.axes_of(image)))
            for _ in range(count):
                own.take(image)
    if more := len(list(remaining)):
        raise ParameterError(
            f"there must be an image for each label, got {more} more labels than images"
        )
    if weights is not None and len(weights) > k + 1:
        raise ParameterError(
            f"there must be a weight for each of {k + 1} images, got {len(weights)}"
        )
    if len(words) > 1:
        found = " and ".join(sorted(words))
        raise ParameterError(f"labels must all be of one kind, got {found}")
    return _by_class(kept, first, seen)


def _next(items: Iterator[Any], what: str, k: int) -> Any:
    try:
        return next(items)
    except StopIteration:
        raise ParameterError(f"there must be a {what} for each image, got {k} {what}s") from None


def _by_class(kept: dict[Any, KeptImages], kind: str, seen: Sequence[tuple[Any, int]]) -> Gathered:
    classes = sorted(kept)  # as scikit-learn's scores of posteriors expect
    if len(classes) < 2:
        found = f"only {classes[0]!r}, one class" if classes else "no image"
        raise ParameterError(f"there must be images of two classes or more, got {found}")
    both, places = [kept[label] for label in classes], {c: k for k, c in enumerate(classes)}
    parts, counts = [one.parts for one in both], [one.seen for one in both]
    truth = np.array([places.get(label, 0) for label, _ in seen])  # a class may have no weight
    times, is_whole = np.array([n for _, n in seen]), all(one.is_whole for one in both)
    return Gathered(classes, parts, counts, kind, truth, times, is_whole)


def is_kind(value: Any) -> bool:
    """Return True if a value is a kind of images of `Reader.kind_of`."""
    return isinstance(value, str) and _KIND.fullmatch(value) is not None


def is_coloured(kind: str) -> bool:
    """Return True if images of a kind of `Reader.kind_of` have colours."""
    return kind.endswith("in colour")


def batches(items: Any, reader: Reader, kind: str) -> Iterator[list[Array]]:
    """Yield images in batches of BATCH nodes or a single image; all must be of ``kind``."""
    return batched(_of_kind(items, reader, kind))


def _of_kind(items: Any, reader: Reader, kind: str) -> Iterator[Array]:
    for title, image, found in reader.each(items):
        if found != kind:
            raise ParameterError(
                f"{title} is of the kind {found}, the classifier learned from {kind}: convert it"
            )
        yield image


def batched(images: Iterable[Array]) -> Iterator[list[Array]]:
    """Yield images in batches of BATCH nodes or a single image."""
    batch, size = list[Array](), 0
    for image in images:
        if batch and size + image.size > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(image)
        size += image.size
    if batch:
        yield batch
