"""TIFF files whose strips or tiles are separate pictures: WebP, PNG, JPEG 2000."""

from __future__ import annotations

import io
from typing import IO, Any

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from latviz.files.decoding import DecodeError
from latviz.files.raster import identified, samples_of

_YCBCR_IN_JPEG2000 = 33003
PICTURES = {
    50001: "WEBP",
    34933: "PNG",
    34712: "JPEG2000",
    _YCBCR_IN_JPEG2000: "JPEG2000",
    33004: "JPEG2000",
    33005: "JPEG2000",
}
"""By the number of a compression, Pillow's name of the format that each part has."""


def read_parts(ifd: Any, stream: IO[bytes]) -> NDArray[Any]:
    """Return the samples (H, W, C) of a page, each of whose parts is a picture."""
    # DecodeError if Pillow lacks the codec, or a part does not have the size that it must have
    kind, channels = PICTURES[int(ifd.compression)], ifd.samplesperpixel
    if int(ifd.planarconfig) == 2 and channels > 1:
        raise DecodeError(f"its channels are stored apart as {kind}; save them together")
    height, width = ifd.imagelength, ifd.imagewidth
    rows = ifd.tilelength if ifd.is_tiled else min(ifd.rowsperstrip, height)
    columns = ifd.tilewidth if ifd.is_tiled else width
    samples = np.zeros((height, width, channels), ifd.dtype)
    across = -(-width // columns)
    for k, (offset, size) in enumerate(zip(ifd.dataoffsets, ifd.databytecounts, strict=True)):
        top, left = k // across * rows, k % across * columns
        place = samples[top : top + rows, left : left + columns]
        if size == 0 or place.size == 0:  # parts of zeros are not stored
            continue
        stream.seek(offset)
        part = _part(stream.read(size), kind, (columns, rows), int(ifd.compression))
        part = part[: place.shape[0], : place.shape[1], :channels]
        if part.shape != place.shape or part.dtype != samples.dtype:
            raise DecodeError(f"its part {k + 1} has another size or depth; get a fresh copy")
        place[...] = part
    return samples


def _part(content: bytes, kind: str, most: tuple[int, int], compression: int) -> NDArray[Any]:
    image: PIL.Image.Image = identified(io.BytesIO(content), kind)
    if image.width > most[0] or image.height > most[1]:
        raise DecodeError("a part of it is larger than its page; get a fresh copy")
    samples = samples_of(image)
    if compression == _YCBCR_IN_JPEG2000:
        samples = np.asarray(PIL.Image.fromarray(samples, "YCbCr").convert("RGB"))
    return samples.reshape(*samples.shape[:2], -1)
