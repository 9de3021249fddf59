"""From images to lattices of real vectors (paper 3.2): greys, colours, slopes and contrasts."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from latviz.core import kernels, threads
from latviz.core.data.color import distinct_colours, luma, srgb_to_lab
from latviz.core.data.fixed_point import ends_of, fixed_within
from latviz.core.data.lattice import frozen
from latviz.core.data.light import robust_light
from latviz.core.data.method import Bytes, Fitted, Image, Method, Plain
from latviz.core.data.ranges import Range, Shown, joint_range, three_channels, to_unit
from latviz.core.errors import ParameterError
from latviz.core.progress import stop_if_unwanted

# Pixels whose real vectors are made at a time, so that wide temporaries stay small.
_PART = 1 << 17

ROUNDED = 1e-4
"""A spread of rounding, in spreads of the largest channel: a thousand times that of float32."""

MOST_CHANNELS = 32
"""More channels are reduced to this number of principal components."""

_HIGH = {"uint8": 0, "int32": 13}
"""The lowest bits of fixed-point numbers that principal components leave out."""

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

Floats = npt.NDArray[np.floating[Any]]


def channels(*names: str, notes: tuple[str, ...] = (), **arrays: npt.NDArray[Any]) -> Fitted:
    """Return the fitted parts of channels by their names."""
    colors = np.array([_CHANNEL_COLOURS[name] for name in names], dtype=np.uint8)
    return Fitted(names, colors, None, notes, arrays)


def grey_of(image: Image) -> npt.NDArray[np.float32]:
    """Return the grey values, (H, W) float32."""
    if image.ndim == 2:
        return image.astype(np.float32)

    def fill(rows: slice, grey: npt.NDArray[np.float32]) -> None:
        grey[rows] = luma(image[rows])

    return _in_parts(image.shape[:2], fill)


def _own(image: Image) -> Image:
    """Return the image if it is read-only, else a copy."""
    return image.copy() if image.flags.writeable else image


def _contiguous(values: Image) -> Image:
    kind = np.uint8 if values.dtype == np.uint8 else np.float32
    return np.ascontiguousarray(values, dtype=kind)


class Grey(Plain):
    """The grey value of each pixel."""

    def fit(self, prepared: Sequence[Image]) -> Fitted:
        """Return the channel; nothing depends on the images."""
        return channels("grey")

    def values(self, prepared: Image, fitted: Fitted) -> Image:
        """Return greys in the image's own units, (H, W, 1)."""
        own = prepared.ndim == 2 and prepared.dtype == np.uint8
        return _contiguous((_own(prepared) if own else grey_of(prepared))[..., None])


class Levelled:
    """A method for greys that gets them without the slow field of uneven light of their image."""

    def __init__(self, method: Method[Any]) -> None:
        self.fit, self.values, self._prepare = method.fit, method.values, method.prepare

    def prepare(self, image: Image, labels: Bytes | None) -> Any:
        """Prepare the image without its light, (H, W) float32."""
        grey = grey_of(image)
        return self._prepare((grey - robust_light(grey)).astype(np.float32), labels)


class Rgb(Plain):
    """The red, green and blue of each pixel."""

    def __init__(self, scaled: bool) -> None:
        self.scaled = scaled

    def fit(self, prepared: Sequence[Image]) -> Fitted:
        """Return the channels, with their spreads if they are scaled."""
        grey = prepared[0].ndim == 2
        notes = ("a grey image: the three channels are equal",) if grey else ()
        spreads = _spreads([three_channels(one) for one in prepared]) if self.scaled else {}
        return channels("red", "green", "blue", notes=notes, **spreads)

    def values(self, prepared: Image, fitted: Fitted) -> Image:
        """Return the image's own values, (H, W, 3), or these by their spreads."""
        own = three_channels(prepared)
        return _scaled(own, fitted) if self.scaled else _contiguous(_own(own))


class AnyChannels(Plain):
    """The channels of each pixel, any number of them, or their principal components if many."""

    def __init__(self, scaled: bool, names: tuple[str, ...] = ()) -> None:
        self.scaled, self.names = scaled, names

    def prepare(self, image: Image, labels: Bytes | None) -> Image:
        """Return the image with an axis of channels."""
        return image if image.ndim == 3 else image[..., None]

    def fit(self, prepared: Sequence[Image]) -> Fitted:
        """Return the channels' names, spreads and principal components over all these images."""
        n = prepared[0].shape[-1]
        names = self.names or tuple(f"channel {k + 1}" for k in range(n))
        if len(names) != n:
            raise ParameterError(f"channels must be {n} names, one for each, got {len(names)}")
        spreads = _spreads(prepared)["spreads"] if self.scaled else np.ones(n)
        if n <= MOST_CHANNELS:
            arrays = {"spreads": spreads} if self.scaled else {}
            return Fitted(names, distinct_colours(n), arrays=arrays)
        arrays = {"axes": _principal_axes(prepared, scales_of(spreads))}
        notes = (f"{n} channels reduced to {MOST_CHANNELS} principal components",)
        names = tuple(f"PC {k + 1}" for k in range(MOST_CHANNELS))
        return Fitted(names, distinct_colours(MOST_CHANNELS), None, notes, arrays)

    def values(self, prepared: Image, fitted: Fitted) -> Image:
        """Return the channels, (H, W, M), by their spreads if they are scaled."""
        axes = fitted.arrays.get("axes")
        n = len(fitted.names) if axes is None else axes.shape[1]
        if prepared.shape[-1] != n:
            raise ParameterError(
                f"this encoder was fitted to {n} channels, got {prepared.shape[-1]}"
            )
        if axes is not None:
            return _projected(prepared, axes.astype(np.float32))
        return _scaled(prepared, fitted) if self.scaled else _contiguous(_own(prepared))


def _principal_axes(
    images: Sequence[Image], scales: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the axes (32, C) of the largest variance of channels divided by their scales."""
    # Sums of whole numbers of 13 bits are exact in float64, so they do not depend on the order of
    # pixels. The sign makes the sum of an axis positive
    ends = [ends_of(image) for image in images]
    low, high = np.min([one[0] for one in ends], axis=0), np.max([one[1] for one in ends], axis=0)
    size = low.size
    total, products, n = np.zeros(size), np.zeros((size, size)), 0
    for part in (part for image in images for part in _parts(image)):
        stop_if_unwanted()
        fixed = fixed_within(part, low, high)
        whole = (fixed.values.reshape(-1, size) >> _HIGH[fixed.values.dtype.name]).astype(float)
        total, products, n = total + whole.sum(axis=0), products + whole.T @ whole, n + len(whole)
        steps = fixed.scales * 2.0 ** _HIGH[fixed.values.dtype.name] / scales
    covariance = (products / n - np.outer(total / n, total / n)) * np.outer(steps, steps)
    axes = np.linalg.eigh(covariance)[1][:, ::-1].T[:MOST_CHANNELS]
    return axes * np.where(axes.sum(axis=1, keepdims=True) < 0, -1.0, 1.0) / scales


def _projected(image: Image, axes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the components (H, W, M) of channels."""

    def fill(rows: slice, found: npt.NDArray[np.float32]) -> None:
        found[rows] = np.einsum("hwc,mc->hwm", image[rows].astype(np.float32), axes)

    return _in_parts((*image.shape[:2], len(axes)), fill)


class Lab:
    """The L*, a* and b* of each pixel; L* without the light of its image, if that is levelled."""

    def __init__(self, scaled: bool, level: bool = False) -> None:
        self.scaled, self.level = scaled, level

    def prepare(self, image: Image, labels: Bytes | None) -> Shown[Floats]:
        """Return the coordinates of the image shown in a range."""

        def to_lab(ends: Range, rows: slice, found: Floats) -> None:
            part = three_channels(image[rows])
            is_bytes = part.dtype == np.uint8  # whose range is fixed
            found[rows] = srgb_to_lab(part if is_bytes else to_unit(part, ends).astype(np.float32))

        def follow(ends: Range) -> Floats:
            found = _in_parts((*image.shape[:2], 3), partial(to_lab, ends))
            if self.level:
                found[..., 0] -= robust_light(found[..., 0])
            return found

        return Shown.of(image, follow)

    def fit(self, prepared: Sequence[Shown[Floats]]) -> Fitted:
        """Return the range that all these images are shown in, and the channels' spreads."""
        ends = joint_range([one.range for one in prepared], prepared[0].dtype)
        notes = ("a grey image: a* and b* are 0",) if prepared[0].is_grey else ()
        spreads = _spreads([one.within(ends) for one in prepared]) if self.scaled else {}
        return channels("L*", "a*", "b*", notes=notes, range=np.array(ends), **spreads)

    def values(self, prepared: Shown[Floats], fitted: Fitted) -> Floats:
        """Return the coordinates, (H, W, 3) float32, by their spreads if they are scaled."""
        low, high = fitted.arrays["range"].tolist()
        found = prepared.within((low, high))
        return _scaled(found, fitted) if self.scaled else found


def _spreads(images: Sequence[Image]) -> dict[str, npt.NDArray[np.float64]]:
    """Return the standard deviation of each channel over the pixels of all images."""
    # Whole numbers are summed: their order does not change a bit of the result
    ends = [ends_of(image) for image in images]
    low, high = np.min([one[0] for one in ends], axis=0), np.max([one[1] for one in ends], axis=0)
    parts = [part for image in images for part in _parts(image)]

    def moments(part: Image) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        stop_if_unwanted()
        fixed, found = fixed_within(part, low, high), np.zeros((4, 8 * low.size), np.int64)
        kernels.rounding.add_moments(frozen(fixed.values.reshape(-1)), found)
        return found.reshape(4, 8, -1).sum(axis=1), fixed.scales

    found, scales = zip(*threads.each(parts, moments), strict=True)
    n = sum(image.shape[0] * image.shape[1] for image in images)
    total, *thirds = np.sum(found, axis=0, dtype=object)
    squares = (thirds[0] << 26) + (thirds[1] << 14) + thirds[2]
    variances = (n * squares - total**2) / n**2
    return {"spreads": scales[0] * np.sqrt(variances.astype(np.float64))}


def _parts(image: Image) -> list[Image]:
    """Cut an image into parts of which wide copies are small."""
    n_rows = max(1, _PART // image.shape[1])
    return [image[start : start + n_rows] for start in range(0, len(image), n_rows)]


def _scaled(values: Image, fitted: Fitted) -> npt.NDArray[np.float32]:
    """Return channels by their spreads."""
    # By whole rows, which numpy is many times faster at than three numbers at a time
    scales = scales_of(fitted.arrays["spreads"]).astype(np.float32)
    rows = values.reshape(len(values), -1) / np.tile(scales, values.shape[1])
    return np.asarray(rows.reshape(values.shape), dtype=np.float32)


def scales_of(spreads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the divisors of channels."""
    # A channel that varies by no more than float32 rounds the largest stays small: a* and b* of a
    # grey image are rounding alone
    largest = float(spreads.max()) or 1.0
    return np.where(spreads > ROUNDED * largest, spreads, largest)


class Texture(Plain):
    """The grey, slope and contrast of each pixel at a scale."""

    def __init__(self, scale: float) -> None:
        self.scale, self.reach = float(scale), int(4.0 * scale + 0.5)

    def fit(self, prepared: Sequence[Image]) -> Fitted:
        """Return the channels; nothing depends on the images."""
        return channels("grey", "gradient", "contrast")

    def values(self, prepared: Image, fitted: Fitted) -> Floats:
        """Return the features, (H, W, 3) float32, of greys that are mirrored at their borders."""
        # In double precision, because the variance is the small difference of two large moments
        grey, weights = frozen(grey_of(prepared)), _windows(self.scale, self.reach)
        width = grey.shape[1]

        def fill(rows: slice, values: Floats) -> None:
            rooms = np.empty((3, width + 2 * self.reach)), np.empty((4, width))
            part = (rows.start, rows.stop), weights, self.scale
            kernels.texture.write_texture(grey, *part, *rooms, values)

        return _in_parts((*grey.shape, 3), fill)


def _windows(scale: float, reach: int) -> npt.NDArray[np.float64]:
    """Return half a Gaussian window, whose whole sums to 1, and its slope, (2, reach + 1)."""
    places = np.arange(reach + 1.0)
    window = np.exp(-(places**2) / (2.0 * scale**2))
    window /= 2.0 * window.sum() - window[0]
    return np.stack([window, places / scale**2 * window])


def _in_parts(
    shape: tuple[int, ...], fill: Callable[[slice, npt.NDArray[np.float32]], None]
) -> npt.NDArray[np.float32]:
    """Make numbers of an image by parts, on all threads; ``fill`` writes some rows."""
    values = np.empty(shape, dtype=np.float32)
    starts = range(0, shape[0], max(1, _PART // shape[1]))

    def fill_parts(first: int, last: int) -> None:
        for start in starts[first:last]:
            stop_if_unwanted()
            fill(slice(start, min(shape[0], start + starts.step)), values)

    threads.over_rows(len(starts), fill_parts)
    return values
