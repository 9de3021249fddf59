"""From an image to a lattice of observations: symbols, or real vectors (paper 2.4 and 3.2).

Grey values are in the image's own units: 0..255 for uint8, 0..65535 for uint16, the range of the
image for floats. The grey of a colour image is its Rec. 709 luma, rounded to a whole number where
symbols are made of a uint8 or uint16 image. Where colours are shown or compared, uint8 stands for
0..255 and floats within [0, 1] for themselves; any other image is stretched from its own least
value to its greatest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from latviz.core.data.binning import (
    bands,
    bin_totals,
    digits_for,
    even_bins,
    histogram,
    range_names,
    symbols_of,
)
from latviz.core.data.color import (
    distinct_colours,
    hex_names,
    lab_to_srgb,
    luma,
    nearest_colours,
    packed,
    srgb_to_lab,
    to_bytes,
    unpacked,
)
from latviz.core.data.encoding import Encoding, EncodingName
from latviz.core.data.lattice import check_integer, check_symbols
from latviz.core.data.quantization import fast_pnn
from latviz.core.data.vectors import ENCODERS as VECTOR_ENCODERS
from latviz.core.data.vectors import shown_range, three_channels, to_unit
from latviz.core.errors import ParameterError

MAX_LABELS: Final = 64

# Up to so many distinct colours the palette is sought among the colours themselves, beyond among
# the means of cells of 5 bits a channel.
_MAX_PALETTE_POINTS = 4096
# Labels whose greys are nearer to each other than this get colours that can be told apart.
_LEGIBLE_STEP = 16

_CHANNEL_COLOURS = {
    "grey": (128, 128, 128),
    "red": (214, 69, 65),
    "green": (46, 160, 87),
    "blue": (65, 105, 225),
    "L*": (128, 128, 128),
    "a*": (200, 70, 140),
    "b*": (205, 165, 45),
    "gradient": (226, 125, 45),
    "contrast": (130, 95, 190),
}

Image = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Observations:
    """A lattice of observations, and how to speak of them.

    Attributes
    ----------
    values : ndarray, contiguous and read-only
        Discrete: (*shape) uint8, symbols 0..M-1. Real: (*shape, M) float32, or uint8 where the
        image's own bytes are the observations; they share the memory of a read-only image.
    discrete : bool
        Which of the two.
    n_symbols : int
        M, the number of symbols or of channels.
    names : tuple of M str
        What people read for each symbol ("0–84", "#a1b2c3", "7") or channel ("L*", "gradient").
    colors : (M, 3) uint8
        The colour that stands for each symbol: the mean grey of its bin, its palette or label
        colour; for channels a tint.
    edges : (M+1,) float64 or None
        Of quantiles and levels: bin m holds ``edges[m] <= grey < edges[m+1]``, and the last bin
        that is used its upper edge too.
    notes : tuple of str
        What the user should know, such as "only 2 of 8 grey levels occur".
    """

    values: npt.NDArray[Any]
    discrete: bool
    n_symbols: int
    names: tuple[str, ...]
    colors: Bytes
    edges: npt.NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.values, self.colors, self.edges):
            if array is not None:
                array.flags.writeable = False


def named_symbols(symbols: npt.ArrayLike, alphabet: Sequence[str]) -> Observations:
    """Make observations of a lattice that holds symbols already, such as a sequence of letters.

    Parameters
    ----------
    symbols : (*shape) integers
        0..M-1, not empty.
    alphabet : sequence of M str
        Their names, at most 64; those that do not occur count too.

    Raises
    ------
    ParameterError
        If there are more than 64 names, or a symbol without one.
    """
    n_symbols = check_integer("the number of symbols", len(alphabet), 1, MAX_LABELS)
    values = check_symbols(symbols, n_symbols)
    own = values.copy() if values.flags.writeable else values
    return Observations(own, True, n_symbols, tuple(alphabet), distinct_colours(n_symbols))


def encode(
    image: npt.ArrayLike,
    encoding: Encoding,
    *,
    labels: npt.ArrayLike | None = None,
    dimensions: int = 2,
) -> Observations:
    """Make observations of an image, or of a volume.

    quantiles
        M bins of grey that are as even as possible: no single edge could move and make its two
        bins more even. A grey value is never split. With fewer than M values some bins are unused.
    levels
        M bins of equal width: over 0..255 for uint8, else from the image's least value to its
        greatest.
    palette
        At most M colours by Fast PNN in CIELAB, in the order of L*, rounded to 8 bits. Every pixel
        takes the nearest of them in CIELAB. M is as many as differ and occur.
    labels
        Ranks of the distinct values, or of the distinct colours (by red, then green, then blue).
        Greys too alike to be told apart are shown in colours made up for them.
    grey, rgb
        The image's own units.
    lab
        L*, a*, b*.
    texture
        With s = ``encoding.scale`` pixels: the grey value; s times the magnitude of the gradient
        of the grey smoothed with s; the standard deviation of the grey in a Gaussian window of s.
        All are in units of grey, and on a plain slope the last two are equal.

    Parameters
    ----------
    image : (H, W) or (H, W, 3) uint8, uint16 or float
        Finite, H and W at least 1. Floats are taken as float32. Of three dimensions
        (D, H, W) or (D, H, W, 3): bins, palette and labels are those of all slices together;
        texture is that of each slice.
    encoding : Encoding
        Which encoding.
    labels : (H, W) or (D, H, W) uint8, optional
        Palette indices of the image, which the encoding "labels" then ranks in place of the
        image's values; the image still gives the colours. Other encodings ignore it.
    dimensions : {2, 3}, optional
        How many of the image's axes are the lattice's; one more holds colours.

    Returns
    -------
    Observations
        Its lattice has the image's (H, W) or (D, H, W).

    Raises
    ------
    ParameterError
        If the image is none of these, `labels` does not fit it, or there are more than 64 labels.
    """
    if dimensions == 3:
        return _encode_volume(np.asarray(image), encoding, labels)
    checked = _checked_image(image)
    if encoding.name == "labels":
        return _encode_labels(checked, labels)
    if encoding.name in VECTOR_ENCODERS:
        values, names, notes = VECTOR_ENCODERS[encoding.name](checked, encoding)
        colors = np.array([_CHANNEL_COLOURS[name] for name in names], dtype=np.uint8)
        return Observations(values, False, len(names), names, colors, None, notes)
    return _ENCODERS[encoding.name](checked, encoding)


def _encode_volume(volume: Image, encoding: Encoding, labels: npt.ArrayLike | None) -> Observations:
    """Encode the slices below each other, as one tall image; texture slice by slice."""
    if volume.ndim not in (3, 4) or 0 in volume.shape:
        raise ParameterError(
            f"a volume must have shape (D, H, W) or (D, H, W, 3), not empty, got {volume.shape}"
        )
    shape = volume.shape[:3]
    if encoding.name == "texture":
        slices = [encode(one, encoding) for one in volume]
        return replace(slices[0], values=np.stack([part.values for part in slices]))
    if labels is not None:
        labels = _checked_labels(labels, shape).reshape(-1, shape[2])
    found = encode(volume.reshape(-1, *volume.shape[2:]), encoding, labels=labels)
    return replace(found, values=found.values.reshape(*shape, *found.values.shape[2:]))


def _checked_image(image: npt.ArrayLike) -> Image:
    array = np.asarray(image)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] != 3) or array.size == 0:
        raise ParameterError(
            f"image must have shape (H, W) or (H, W, 3), not empty, got {array.shape}"
        )
    if array.dtype in (np.uint8, np.uint16):
        return array
    if not np.issubdtype(array.dtype, np.floating):
        raise ParameterError(f"image must be uint8, uint16 or float, got {array.dtype}")
    with np.errstate(over="ignore"):
        array = array.astype(np.float32)
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ParameterError(f"image must be finite as float32, got {array[place]} at {place}")
    return array


def _countable_grey(image: Image) -> Image:
    if image.ndim == 2:
        return image
    grey = np.empty(image.shape[:2], dtype=image.dtype)
    for rows in bands(image.shape):
        part = luma(image[rows])
        grey[rows] = part if image.dtype == np.float32 else np.rint(part)
    return grey


def _shown(image: Image) -> Bytes:
    rgb = three_channels(image)
    return rgb if rgb.dtype == np.uint8 else to_bytes(to_unit(rgb, shown_range(image)))


def _encode_quantiles(image: Image, encoding: Encoding) -> Observations:
    grey = _countable_grey(image)
    values, counts = histogram(grey)
    n_bins = encoding.n_symbols
    starts = even_bins(counts, n_bins)
    edges = np.full(n_bins + 1, values[-1], dtype=np.float64)
    edges[: starts.size] = values[starts]
    lasts = np.full(n_bins, -np.inf)
    lasts[: starts.size] = values[np.append(starts[1:], values.size) - 1]
    names = range_names(edges[:-1], lasts, digits_for(grey, edges))
    return _binned(image, grey, (values, counts), edges, starts.size, names, "grey quantiles")


def _encode_levels(image: Image, encoding: Encoding) -> Observations:
    grey = _countable_grey(image)
    low, high = (0.0, 255.0) if grey.dtype == np.uint8 else (float(grey.min()), float(grey.max()))
    whole = grey.dtype != np.float32
    width = high - low + 1.0 if whole else (high - low) or 1.0
    edges = low + width * np.arange(encoding.n_symbols + 1) / encoding.n_symbols
    firsts, lasts = (np.ceil(edges), np.ceil(edges) - 1.0) if whole else (edges, edges)
    names = range_names(firsts[:-1], lasts[1:], digits_for(grey, edges))
    return _binned(image, grey, histogram(grey), edges, encoding.n_symbols, names, "grey levels")


def _binned(
    image: Image,
    grey: Image,
    found: tuple[Image, npt.NDArray[np.int64]],
    edges: npt.NDArray[np.float64],
    n_used: int,
    names: tuple[str, ...],
    noun: str,
) -> Observations:
    """Put greys into bins; ``found`` is their histogram."""
    n_bins, inner = edges.size - 1, edges[1:n_used]
    values, n_pixels = found
    bins = np.searchsorted(inner, values, side="right").astype(np.uint8)
    counts, sums = bin_totals(values, n_pixels, bins, n_bins)
    middles = (edges[:-1] + edges[1:]) / 2.0
    means = np.where(counts > 0, sums / np.maximum(counts, 1), middles)
    colors = to_bytes(to_unit(np.repeat(means[:, None], 3, axis=1), shown_range(image)))
    notes = _shortfall(int((counts > 0).sum()), n_bins, noun)
    return Observations(symbols_of(grey, inner), True, n_bins, names, colors, edges, notes)


def _shortfall(found: int, wanted: int, noun: str) -> tuple[str, ...]:
    return (f"only {found} of {wanted} {noun} occur",) if found < wanted else ()


def _encode_palette(image: Image, encoding: Encoding) -> Observations:
    shown = _shown(image)
    distinct, counts = _colour_counts(shown)
    lab = srgb_to_lab(unpacked(distinct) / 255.0)
    palette = _palette(lab, distinct, counts, encoding.n_symbols)
    used, symbols_of_colours = np.unique(nearest_colours(lab, palette), return_inverse=True)
    # Only the entries of colours that occur are ever written or read.
    table = np.empty(1 << 24, dtype=np.uint8)
    table[distinct] = symbols_of_colours
    values = np.empty(shown.shape[:2], dtype=np.uint8)
    for rows in bands(shown.shape):
        np.take(table, packed(shown[rows]), out=values[rows])
    colors = palette[used]
    notes = _shortfall(len(colors), encoding.n_symbols, "palette colours")
    return Observations(values, True, len(colors), hex_names(colors), colors, None, notes)


def _colour_counts(rgb: Bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Return the distinct colours, packed and increasing, and how many pixels have each."""
    counts = np.zeros(1 << 24, dtype=np.uint32)
    for rows in bands(rgb.shape):
        keys, found = np.unique(packed(rgb[rows]), return_counts=True)
        counts[keys] += found.astype(np.uint32)
    distinct = np.flatnonzero(counts).astype(np.uint32)
    return distinct, counts[distinct].astype(np.int64)


def _palette(
    lab: Floats,
    distinct: npt.NDArray[np.uint32],
    counts: npt.NDArray[np.int64],
    n_colours: int,
) -> Bytes:
    if distinct.size > _MAX_PALETTE_POINTS:
        lab, counts = _cell_means(lab, distinct, counts)
    tree = fast_pnn(lab, weights=counts)
    codebook = tree.codebook(min(n_colours, tree.n_max))
    colours = np.unique(to_bytes(lab_to_srgb(codebook)), axis=0)
    return colours[np.argsort(srgb_to_lab(colours / 255.0)[:, 0], kind="stable")]


def _cell_means(
    lab: Floats, distinct: npt.NDArray[np.uint32], counts: npt.NDArray[np.int64]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Merge the colours that agree in the upper 5 bits of every channel."""
    cells = ((distinct >> 9) & 0x7C00) | ((distinct >> 6) & 0x03E0) | ((distinct >> 3) & 0x001F)
    totals = np.bincount(cells, weights=counts)
    kept = np.flatnonzero(totals)
    sums = [np.bincount(cells, weights=counts * channel)[kept] for channel in lab.T]
    return np.stack(sums, axis=1) / totals[kept, None], totals[kept].astype(np.int64)


def _encode_labels(image: Image, labels: npt.ArrayLike | None) -> Observations:
    indices = image if labels is None else _checked_labels(labels, image.shape[:2])
    keys = _colour_keys(indices) if indices.ndim == 3 else indices
    values, first = np.unique(keys, return_index=True)
    if values.size > MAX_LABELS:
        raise ParameterError(
            f"image must have at most {MAX_LABELS} distinct labels, got {values.size}: "
            "use quantiles, levels or palette instead"
        )
    colors = _shown(image).reshape(-1, 3)[first]
    if indices.ndim == 3:
        names = hex_names(colors)
    else:
        names = tuple(f"{value:.6g}" for value in values)
        keep = image.ndim == 3 or _legible(colors)
        colors = colors if keep else distinct_colours(values.size)
    symbols = np.searchsorted(values, keys).astype(np.uint8)
    return Observations(symbols, True, values.size, names, colors)


def _checked_labels(labels: npt.ArrayLike, shape: tuple[int, ...]) -> Bytes:
    array = np.asarray(labels)
    if array.dtype != np.uint8 or array.shape != shape:
        raise ParameterError(
            f"labels must be uint8 of shape {shape}, got {array.dtype} of shape {array.shape}"
        )
    return array


def _colour_keys(image: Image) -> npt.NDArray[Any]:
    if image.dtype == np.uint8:
        return packed(image)
    _, ranks = np.unique(image.reshape(-1, 3), axis=0, return_inverse=True)
    return ranks.reshape(image.shape[:2])


def _legible(colors: Bytes) -> bool:
    differences = np.abs(colors[:, None].astype(int) - colors).max(axis=2)
    np.fill_diagonal(differences, 255)
    return bool(differences.min() >= _LEGIBLE_STEP)


_ENCODERS: dict[EncodingName, Callable[[Image, Encoding], Observations]] = {
    "quantiles": _encode_quantiles,
    "levels": _encode_levels,
    "palette": _encode_palette,
}
