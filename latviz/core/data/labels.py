"""Symbols that images and sequences carry themselves: values, colours, palette indices, letters."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from latviz.core.checks import check_integer, check_symbols
from latviz.core.data.color import distinct_colours, hex_names, packed
from latviz.core.data.label_names import label_name
from latviz.core.data.method import Bytes, Fitted, Image, Plain
from latviz.core.data.ranges import joint_range, own_range, shown_bytes
from latviz.core.errors import ParameterError
from latviz.core.facts import MAX_LABELS, PictureFacts, too_many_labels

# Labels whose greys are nearer than this get distinct colours.
_LEGIBLE_STEP = 16


class _Keys(NamedTuple):
    """A number for each label, in their order, and the distinct labels of an image."""

    # colours (K,) or (K, 3) are the distinct ones as the image has them

    of_pixels: npt.NDArray[Any]
    distinct: npt.NDArray[Any]
    colours: Image
    range: tuple[float, float]
    in_colour: bool
    are_indices: bool


class Labels:
    """Each distinct value or colour is a symbol; or each palette index, if there are any."""

    def prepare(self, image: Image, labels: Bytes | None) -> _Keys:
        """Return keys that identify labels."""
        keys = _keys(image if labels is None else labels)
        distinct, first = np.unique(keys, return_index=True)
        colours = image.reshape(-1, *image.shape[2:])[first]
        return _Keys(keys, distinct, colours, own_range(image), image.ndim == 3, labels is not None)

    def fit(self, prepared: Sequence[_Keys]) -> Fitted:
        """Return the labels of all images, in the order of their values."""
        keys = np.concatenate([one.distinct for one in prepared])
        distinct, first = np.unique(keys, return_index=True)
        if reason := too_many_labels(PictureFacts(n_labels=distinct.size)):
            raise ParameterError(reason)
        own = np.concatenate([one.colours for one in prepared])[first]
        in_colour, are_indices = prepared[0].in_colour, prepared[0].are_indices
        ends = joint_range([one.range for one in prepared], own.dtype)
        colors = shown_bytes(own[:, None], ends).reshape(-1, 3)
        if in_colour and not are_indices:
            names, known = hex_names(colors), own
        else:
            names, known = tuple(map(label_name, distinct)), distinct
            keep = in_colour or _legible(colors)
            colors = colors if keep else distinct_colours(distinct.size)
        arrays = {"known": known, "are_indices": np.array(are_indices)}
        return Fitted(names, colors, arrays=arrays)

    def values(self, prepared: _Keys, fitted: Fitted) -> Bytes:
        """Return the rank of each pixel's label."""
        known = fitted.arrays["known"]
        if bool(fitted.arrays["are_indices"]) != prepared.are_indices or (known.ndim == 2) != (
            prepared.in_colour and not prepared.are_indices
        ):
            raise ParameterError(
                "labels mean the same only in images that are all grey, all in colour, or all "
                "with palette indices"
            )
        known = _keys(known[:, None] if known.ndim == 2 else known).reshape(-1)
        ranks = np.minimum(np.searchsorted(known, prepared.distinct), known.size - 1)
        unknown = np.flatnonzero(known[ranks] != prepared.distinct)
        if unknown.size:
            value = prepared.colours[unknown[0]]
            raise ParameterError(f"the label {value} is not one of the {known.size} that are known")
        return np.searchsorted(known, prepared.of_pixels).astype(np.uint8)


class Named(Plain):
    """Symbols that have names already, such as letters."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def fit(self, prepared: Sequence[Image]) -> Fitted:
        """Return the names, with distinct colours."""
        n_symbols = check_integer("the number of symbols", len(self.names), 1, MAX_LABELS)
        return Fitted(self.names, distinct_colours(n_symbols))

    def values(self, prepared: Image, fitted: Fitted) -> Image:
        """Return the symbols, in memory not shared with the input."""
        values = check_symbols(prepared, len(fitted.names))
        return values.copy() if values.flags.writeable else values


def _keys(labels: Image) -> npt.NDArray[Any]:
    """Return a number for each label, whose order is that of values, or of red, green and blue."""
    if labels.ndim < 3:
        return labels
    if labels.dtype == np.uint8:
        return packed(labels)
    rows = np.ascontiguousarray(labels).view([(name, labels.dtype) for name in "rgb"])
    return np.asarray(rows[..., 0])


def _legible(colors: Bytes) -> bool:
    differences = np.abs(colors[:, None].astype(int) - colors).max(axis=2)
    np.fill_diagonal(differences, 255)
    return bool(differences.min() >= _LEGIBLE_STEP)
