"""An open picture: an image, a volume or a sequence, or a data set of several of a kind."""

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import digits
from latviz.core.axes import APART, LATTICE, Axis, is_deep, roles_of, text_of, turned
from latviz.core.checks import check_spacing
from latviz.core.data.bins import informative_bins
from latviz.core.data.color import distinct_colours
from latviz.core.data.distinct import few_distinct
from latviz.core.data.masks import Mask, check_mask
from latviz.core.errors import ParameterError
from latviz.core.facts import MAX_LABELS, N_GREYS, PictureFacts
from latviz.core.types import Spacing
from latviz.core.values import Sealed

_COLOR = re.compile("#(?!000000)[0-9a-f]{6}")
"""Any that a channel can be drawn in."""
_PLACES = tuple(map(np.dtype, ("float64", "datetime64[ms]", "timedelta64[ms]")))
"""The types of places on an axis."""
MOST_CURVES = 32
"""Channels of a row that are drawn as curves; more are drawn as colours."""
SPARSE: Mapping[str, bool] = {"sparse": True}
"""Marks fields that files leave out at their defaults, so that older programs can read them."""
_PART = 2**16
"""Values that are brought to 8 bits at a time."""
_SAMPLE, _DARKEST = 2**18, 0.001
"""Pixels, and the share of them below the darkest value, that set how a channel is drawn."""


@dataclass(frozen=True, eq=False)
class Picture(Sealed):
    """An opened image, volume or sequence, read-only; compared by identity."""

    # Its lattice has the ``shape`` (n,), (H, W) or (D, H, W)
    # (*shape), (*shape, 3) or (*shape, C), uint8, uint16 or float32; or symbols
    pixels: NDArray[Any]
    name: str  # in the window
    labels: NDArray[np.uint8] | None = None  # (*shape): symbols in the file (palette indices)
    notes: tuple[str, ...] = ()  # changes that reading made
    truth: NDArray[np.uint8] | None = None  # (*shape): known states that generated it
    # {"path": ..., "page": ...} or {"demo": ...}; with "embedded" if it was inside a session file,
    # and its source may be missing
    origin: Mapping[str, Any] = field(default_factory=dict)
    dimensions: int = 2  # d, 1 to 3, axes of the lattice; one more holds colours
    alphabet: tuple[str, ...] = ()  # of a sequence: the names of its symbols
    truth_names: tuple[str, ...] = ()  # by their number; may be empty
    truth_colors: tuple[str, ...] = ()  # "#rrggbb" by their number; may be empty
    # (n,): where the nodes of a ribbon are; increasing, of a type of `_PLACES`
    x: NDArray[Any] | None = None
    channels: tuple[str, ...] = ()  # names of C numbers per pixel, which are not colours
    spacing: tuple[float, ...] = ()  # between nodes along each axis, in units; empty if unknown
    unit: str = ""  # of the spacing: "µm"; empty if unknown
    axes: tuple[Axis, ...] = ()  # of its file, beside rows and columns; origin["axes"] has roles
    # (*shape): True where a node is known, None if all are; pixels hold known values in the others
    known: Mask = field(default=None, metadata=SPARSE)
    # the one with all pixels, if the user left some out (see `leaving`); else None
    whole: "Picture | None" = field(default=None, metadata=SPARSE)

    def __post_init__(self) -> None:
        lattice, colours = self.shape, self.pixels.shape[self.dimensions :]
        fits = colours == (len(self.channels),) if self.channels else colours in ((), (3,))
        if len(lattice) != self.dimensions or not fits:
            own = len(self.channels) or "one or three"
            raise ParameterError(
                f"a picture must have {self.dimensions} axes, and {own} numbers per pixel, "
                f"got shape {self.pixels.shape}"
            )
        x, n = self.x, self.shape[-1]
        if x is not None and not (x.shape == (n,) and x.dtype in _PLACES and np.isfinite(x).all()):
            raise ParameterError(f"x must have {n:,} places, got {x.dtype} of shape {x.shape}")
        if x is not None and not (x[1:] > x[:-1]).all():
            raise ParameterError("x must increase from node to node")
        object.__setattr__(self, "known", check_mask(self.known, self.shape))
        for array in (self.pixels, self.x, self.known):
            if array is not None:
                array.flags.writeable = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The lattice's: the length, height and width, or slices, height and width."""
        return self.pixels.shape[: self.dimensions]

    @property
    def apart(self) -> bool:
        """True if each slice of a volume is a lattice of its own: the role of its axis."""
        return self.dimensions == 3 and APART in roles_of(self.origin.get("axes", "")).values()

    @property
    def lattice_dimensions(self) -> int:
        """The axes that windows, neighbours and regions run along."""
        return self.dimensions - self.apart

    def sliced(self, apart: bool) -> "Picture":
        """Return the picture with its slices apart, or together; itself, if it has none."""
        if self.dimensions < 3 or apart == self.apart:
            return self
        roles = roles_of(self.origin.get("axes", ""))
        roles = turned(roles if is_deep(roles) else {"z": LATTICE}, apart)
        whole = None if self.whole is None else self.whole.sliced(apart)
        found = replace(self, origin={**self.origin, "axes": text_of(roles)}, whole=whole)
        vars(found).update({k: part for k, part in vars(self).items() if k not in vars(found)})
        return found  # what is cached stays, as pixels do

    @property
    def n_nodes(self) -> int:
        """The number of nodes of the lattice."""
        return math.prod(self.shape)

    @cached_property
    def n_known(self) -> int:
        """The number of known nodes."""
        return self.n_nodes if self.known is None else int(np.count_nonzero(self.known))

    @property
    def is_ribbon(self) -> bool:
        """True for a sequence or an image of one row, which is drawn as high as there is room."""
        return self.shape[:-1] in ((), (1,))

    @property
    def longest(self) -> int:
        """Its positions if it is a ribbon, else 0."""
        return self.n_nodes if self.is_ribbon else 0

    @property
    def node_name(self) -> str:
        """The word for a node: "position", "pixel" or "voxel"."""
        is_sequence = self.is_ribbon and self.n_nodes > 1
        return "position" if is_sequence else ("pixel", "voxel")[max(0, self.dimensions - 2)]

    @property
    def size_text(self) -> str:
        """The size in words: "1,200 positions", "640 × 480 pixels", "20 slices of 64 × 48"."""
        n_unknown = self.n_nodes - self.n_known
        unknown = f", {digits.share(n_unknown, self.n_nodes)} unknown" if n_unknown else ""
        if self.is_ribbon:
            return f"{self.n_nodes:,} positions{unknown}"
        *slices, height, width = self.shape
        area = f"{width} × {height}"
        return f"{f'{slices[0]} slices of {area}' if slices else f'{area} pixels'}{unknown}"

    def measured(self, sides: Sequence[int]) -> str:
        """Return the sides of a window in the picture's unit, after a comma; or ""."""
        steps = self.spacing[len(self.spacing) - len(sides) :]
        if not self.unit or len(steps) != len(sides):
            return ""
        each = (digits.measure(n * step) for n, step in zip(sides, steps, strict=True))
        return f", {' × '.join(each)} {self.unit}"

    @property
    def colors(self) -> NDArray[np.uint8] | None:
        """The colours of a sequence's symbols, shape (M, 3); None for others."""
        return distinct_colours(len(self.alphabet)) if self.alphabet else None

    @property
    def is_grey(self) -> bool:
        """True if it has one number per pixel, not a colour."""
        return self.pixels.ndim == self.dimensions

    @cached_property
    def curves(self) -> NDArray[Any] | None:
        """The numbers along a ribbon, shape (n, C), a curve each; None for symbols and colours."""
        is_of_numbers = self.is_grey or 0 < len(self.channels) <= MOST_CURVES
        if self.alphabet or not (self.is_ribbon and is_of_numbers):
            return None
        return np.asfortranarray(self.pixels.reshape(self.shape[-1], -1))

    @property
    def is_made(self) -> bool:
        """True if the program made it: a demo, or an observation of a known truth."""
        return not {"demo", "made"}.isdisjoint(self.origin)

    @cached_property
    def few_labels(self) -> frozenset[Hashable] | None:
        """The distinct values, colours or palette indices; None if they are too many for labels."""
        if self.labels is not None:
            return few_distinct(self.labels, MAX_LABELS)
        if self.channels:
            return None
        return few_distinct(self.pixels, MAX_LABELS, in_colour=not self.is_grey)

    @cached_property
    def grey_as(self) -> str:
        """The bins of grey that say more about neighbours; "quantiles" for other pictures."""
        is_image = self.is_grey and self.dimensions > 1 and self.few_labels is None
        return informative_bins(self.pixels, self.known, N_GREYS) if is_image else "quantiles"

    @cached_property
    def shown(self) -> NDArray[np.uint8]:
        """The pixels as 8 bits: unchanged, or from the least value (0) to the largest (255).

        For a sequence its symbols, which have `colors`; for channels the sum of their colours.
        """
        return self.as_shown(self.pixels)

    def as_shown(self, pixels: NDArray[Any]) -> NDArray[np.uint8]:
        """Return pixels of the same kind as 8 bits, by the picture's own least and largest value.

        Values outside this range are clipped.
        """
        if self.channels:
            return _summed(pixels, self._ranges, self.tints)
        return pixels if pixels.dtype == np.uint8 else _in_8_bits(pixels, *self.ends)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value."""
        return float(self.pixels.min()), float(self.pixels.max())

    @cached_property
    def _ranges(self) -> NDArray[np.float64]:
        """The values of each channel that are drawn dark and bright, (2, C)."""
        some = self.pixels.reshape(-1, len(self.channels))
        some = some[:: max(1, len(some) // _SAMPLE)]
        return np.asarray(np.quantile(some, (_DARKEST, 1 - _DARKEST), axis=0))

    @cached_property
    def tints(self) -> NDArray[np.uint8]:
        """The colours that channels are drawn in, (C, 3): the file's own, if they all differ."""
        roles, n = roles_of(self.origin.get("axes", "")), len(self.channels)
        for axis in self.axes:
            chosen = axis.chosen(roles.get(axis.name, axis.usual))
            own = {axis.colors[k] for k in chosen if k < len(axis.colors)}
            if len(own) == len(chosen) == n and all(map(_COLOR.fullmatch, own)):
                return np.array([list(bytes.fromhex(axis.colors[k][1:])) for k in chosen], np.uint8)
        return distinct_colours(n)

    @property
    def contrasted(self) -> NDArray[Any]:
        """The greys or colours that contrasts are measured in: of channels those on screen."""
        return self.shown if self.channels else self.pixels

    @property
    def holds_image(self) -> bool:
        """True if its values are those of images: whole numbers from 0, or numbers up to 1."""
        least, most = self.ends
        return least >= 0 and (most <= 1 or bool((self.pixels % 1 == 0).all()))

    def in_colour(self, shown: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the colours of some values of `shown`, shape (*their nodes, 3)."""
        if self.colors is not None:
            return np.asarray(self.colors[shown])
        if not self.is_grey:
            return shown
        return np.repeat(shown[..., None], 3, axis=-1)


def _summed(
    pixels: NDArray[Any], ranges: NDArray[np.float64], colors: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return the colours of channels laid over each other like light, each from dark to bright."""
    (low, high), tints = ranges, colors / 255.0
    steps = 1.0 / np.maximum(high - low, np.finfo(np.float32).tiny)
    flat = pixels.reshape(-1, low.size)
    found = np.empty((len(flat), 3), np.uint8)
    for start in range(0, len(flat), _PART):
        part = flat[start : start + _PART].astype(np.float64)
        dark = np.ones((len(part), 3))
        for k, tint in enumerate(tints):
            level = np.clip((part[:, k] - low[k]) * steps[k], 0.0, 1.0)
            dark *= 1.0 - level[:, None] * tint
        found[start : start + _PART] = np.rint(255.0 * (1.0 - dark))
    return found.reshape(*pixels.shape[:-1], 3)


def _in_8_bits(pixels: NDArray[Any], low: float, high: float) -> NDArray[np.uint8]:
    """Return values from ``low`` (0) to ``high`` (255), in small parts to save memory."""
    # Differences of float32 may exceed it, so they are taken in float64.
    scale = 255.0 / (high - low) if high > low else 0.0
    levels = np.empty(pixels.shape, np.uint8)
    values, out = np.ravel(pixels), levels.reshape(-1)
    for start in range(0, values.size, _PART):
        part = np.clip(values[start : start + _PART].astype(np.float64), low, high)
        part -= low
        part *= scale
        out[start : start + _PART] = np.rint(part, out=part)
    return levels


@dataclass(frozen=True)
class PictureSet:
    """A data set of pictures, which a model is learned from, and the picture that is shown."""

    # Two are equal if they hold the same pictures, by identity, and show the same one
    members: tuple[Picture, ...]  # at least one, of equal dimensions and alphabet
    shown: int = 0  # index of the member that is shown, unless ``other`` is
    # shown without being learned from; encoded and decoded as the members
    other: Picture | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.shown < len(self.members):
            raise ParameterError(
                f"the picture that is shown must be one of {len(self.members)}, got {self.shown}"
            )
        if len({(p.dimensions, p.apart, p.alphabet, p.channels) for p in self.everything}) > 1:
            raise ParameterError("the pictures of a data set must all be of one kind")

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return self.members[self.shown] if self.other is None else self.other

    @property
    def everything(self) -> tuple[Picture, ...]:
        """The members, and the other picture if there is one."""
        return self.members if self.other is None else (*self.members, self.other)

    @property
    def spacing(self) -> Spacing:
        """The distance of nodes along each axis of a lattice; None if equal or not all the same."""
        known = {each.spacing for each in self.everything}
        own = known.pop()
        if known or len(own) != self.picture.dimensions:
            return None
        return check_spacing(own[int(self.picture.apart) :])

    @property
    def place(self) -> int:
        """The index of the picture that is shown among `everything`."""
        return self.shown if self.other is None else len(self.members)

    @property
    def facts(self) -> PictureFacts:
        """Facts that decide which encodings the members can have; each member is scanned once."""
        dimensions = self.members[0].dimensions
        if dimensions == 1:  # letters are few, but records may be many
            return PictureFacts(dimensions, longest=self.longest)
        n_labels, found = 0, [member.few_labels for member in self.members]
        if None in found:
            n_labels = MAX_LABELS + 1
        elif len({member.labels is None for member in self.members}) == 1:
            n_labels = len(frozenset[Hashable]().union(*filter(None, found)))
        is_grey = all(member.is_grey for member in self.members)
        least_side = min(min(member.shape) for member in self.members)
        n_labels = min(n_labels, MAX_LABELS + 1)
        return PictureFacts(
            dimensions,
            is_grey,
            n_labels,
            least_side,
            self.n_nodes,
            len(self.members[0].channels),
            self.has_unknown,
            self.members[0].grey_as,
            self.longest,
        )

    @property
    def longest(self) -> int:
        """The positions of the longest sequence, or image of one row; 0 if there is none."""
        return max(picture.longest for picture in self.everything)

    @property
    def has_unknown(self) -> bool:
        """True if a pixel of any picture is unknown."""
        return any(picture.known is not None for picture in self.everything)

    @property
    def kind(self) -> tuple[int, str] | None:
        """The kind in the facts; None if the program made the picture, with its own settings."""
        return None if self.picture.is_made else self.facts.kind

    @property
    def is_photograph(self) -> bool:
        """True for an image in colour that the program did not make."""
        return self.kind == (2, "colour")

    @property
    def n_nodes(self) -> int:
        """The number of known nodes of all members."""
        return sum(member.n_known for member in self.members)

    def showing(self, index: int) -> "PictureSet":
        """Return the same members, with another one shown."""
        return PictureSet(self.members, index)

    def sliced(self, apart: bool) -> "PictureSet":
        """Return the same pictures with their slices apart, or together."""
        return self.changed(lambda one: one.sliced(apart))

    def changed(self, change: Callable[[Picture], Picture]) -> "PictureSet":
        """Return the set of changed pictures, of which the same one is shown."""
        other = None if self.other is None else change(self.other)
        return PictureSet(tuple(map(change, self.members)), self.shown, other)

    def with_other(self, picture: Picture) -> "PictureSet":
        """Return the same members, and that picture shown, whether it is one of them or not."""
        for index, member in enumerate(self.members):
            if member is picture:
                return self.showing(index)
        return PictureSet(self.members, self.shown, picture.sliced(self.members[0].apart))


Pictures = Picture | PictureSet
"""One picture, or several: the type of arguments for open pictures."""


def as_set(pictures: Pictures) -> PictureSet:
    """Return pictures as a data set: one picture is a data set of itself."""
    return pictures if isinstance(pictures, PictureSet) else PictureSet((pictures,))
