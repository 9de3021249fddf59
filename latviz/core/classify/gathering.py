"""Images as a classifier takes them: one by one, so that no more is held than it learns from."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import as_array, shown
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import middle_of
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.types import Shape
from latviz.core.values import Value

LEAST = 1 << 12
"""Nodes of an image below which it is not cut: some images are left out then."""
BATCH = 1 << 20
"""Nodes that are held at a time of images that are classified."""
_KIND = re.compile(
    r"[a-z]{3,8}\d{0,2}, (in colour|grey)"
    r"|(symbols|vectors of \d{1,6} channels) in [123] dimensions",
    re.ASCII,
)
"""What `Reader.kind_of` returns."""
Array = NDArray[Any]
Item = Array | Callable[[], Any]
"""An image, or what returns it when it is called, such as a file that is read then."""


def iterated(name: str, items: Any) -> Iterable[Any]:
    """Return what can be iterated over in an order, or raise `ParameterError`."""
    no_axis = isinstance(items, np.ndarray) and items.ndim == 0
    unordered = isinstance(items, str | bytes | dict | set)
    if no_axis or unordered or not isinstance(items, Iterable):
        raise ParameterError(f"{name} must be an iterable, one for each image, got {shown(items)}")
    return items


def images_of(items: Any) -> Iterator[tuple[str, Array]]:
    """Yield images one by one, each after what to call it: by its index, or the name that it has.

    An item that can be called returns its image.

    Raises
    ------
    ParameterError
        If there is no such iterable, or an item is no array of numbers; the message names it.
    """
    for k, item in enumerate(iterated("images", items)):
        name = getattr(item, "name", None)
        title = f"image {k}" if not isinstance(name, str) else name
        try:
            given = item() if callable(item) else item
        except TypeError as error:  # most likely it wants arguments
            raise ParameterError(f"{title}: calling it failed: {error}") from error
        try:
            yield title, as_array("it", given)
        except ParameterError as error:
            raise ParameterError(f"{title}: {error}") from None


@dataclass
class Kept:
    """What is kept of the images of a class: at most so many nodes in all.

    As images come, those that are kept are cut down to their middles, alike; once these have no
    more than `LEAST` nodes, every other image is left out. So what is kept depends on the images
    and on their order alone, not on where they come from.
    """

    most: int
    dimensions: int
    parts: list[Array] = field(default_factory=list)
    stride: int = 1
    seen: int = 0

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
                self.parts = self.parts[::2]
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
        return image[middle_of(self._shape(image), most)].copy()


@dataclass(frozen=True)
class Reader:
    """How images become observations, before any was seen.

    Attributes
    ----------
    encoding : Encoding or None
        None: images are observations already, symbols if they are integers, else vectors.
    dimensions : int
        Of the lattices of images that are encoded.
    """

    encoding: Encoding | None
    dimensions: int

    def kind_of(self, image: Array) -> str:
        """Return of what kind an image is, in words, or raise `ParameterError`.

        All images of a classifier must be of one kind.
        """
        if image.size == 0 or image.ndim == 0:
            raise ParameterError(f"it holds no pixels: its shape is {image.shape}")
        dtype = "float" if image.dtype.kind == "f" else image.dtype.name
        if self.encoding is None:
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
        if self.encoding is not None:
            return self.dimensions
        return image.ndim - (image.dtype.kind == "f")

    def fitted(self, parts: list[Array]) -> "Encoded":
        """Return what makes observations of images, fitted to some."""
        if self.encoding is None:
            is_symbols = parts[0].dtype.kind != "f"
            size = 1 + max(int(one.max()) for one in parts) if is_symbols else parts[0].shape[-1]
            return Encoded(None, "discrete" if is_symbols else "gaussian", size)
        one = encode(parts, self.encoding, dimensions=self.dimensions)[0]
        kind = "discrete" if one.discrete else "gaussian"
        return Encoded(one.encoder, kind, len(one.names))


@dataclass(frozen=True)
class Encoded:
    """What makes observations of images.

    Attributes
    ----------
    encoder : Encoder or None
        None: images are observations already.
    kind : str
        "discrete" or "gaussian".
    size : int
        The number of symbols or channels, M.
    """

    encoder: Encoder | None
    kind: str
    size: int

    def data_set(self, images: list[Array]) -> DataSet:
        """Return images as a data set."""
        values = images
        if self.encoder is not None:
            values = [one.values for one in self.encoder.encode(images)]
        return as_data_set(values, self.kind, self.size)


@dataclass(frozen=True, eq=False)
class Gathered(Value):
    """What a classifier learns from: for each class some images or parts, and how many it has."""

    classes: list[Any]
    parts: list[list[Array]]
    counts: list[int]
    kind: str


def gathered(items: Any, labels: Iterable[Any], reader: Reader, most: int) -> Gathered:
    """Return what is kept of images by their classes, in the order of the labels.

    Raises
    ------
    ParameterError
        If an image is none or of another kind than the first, or labels are missing or left over.
    """
    kept, first, told = dict[Any, Kept](), "", iter(labels)
    for k, (title, image) in enumerate(images_of(items)):
        try:
            kind = reader.kind_of(image)
        except ParameterError as error:
            raise ParameterError(f"{title}: {error}") from None
        first = first or kind
        if kind != first:
            wanted = "convert all to one kind"
            raise ParameterError(f"{title} is of the kind {kind}; the first is {first}; {wanted}")
        try:
            label = next(told)
        except StopIteration:
            raise ParameterError(f"there must be a label for each image, got {k} labels") from None
        kept.setdefault(label, Kept(most, reader.axes_of(image))).take(image)
    if more := len(list(told)):
        raise ParameterError(f"there must be an image for each label, got {more} labels more")
    if len({isinstance(label, str) for label in kept}) > 1:
        raise ParameterError("labels must all be text or all numbers, got both")
    classes = sorted(kept)
    if len(classes) < 2:
        found = f"only {classes[0]!r}" if classes else "no image"
        raise ParameterError(f"there must be images of two classes or more, got {found}")
    both = [kept[label] for label in classes]
    return Gathered(classes, [one.parts for one in both], [one.seen for one in both], first)


def is_kind(value: Any) -> bool:
    """Return whether a value is what `Reader.kind_of` calls images."""
    return isinstance(value, str) and _KIND.fullmatch(value) is not None


def batches(items: Any, reader: Reader, kind: str) -> Iterator[list[Array]]:
    """Yield images in batches of `BATCH` nodes or a single image.

    Raises
    ------
    ParameterError
        If an image is none, or of another kind than those that were learned from.
    """
    batch, size = list[Array](), 0
    for title, image in images_of(items):
        try:
            found = reader.kind_of(image)
        except ParameterError as error:
            raise ParameterError(f"{title}: {error}") from None
        if found != kind:
            raise ParameterError(
                f"{title} is of the kind {found}, the classifier learned from {kind}: convert it"
            )
        if batch and size + image.size > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(image)
        size += image.size
    if batch:
        yield batch
