"""DICOM: the image or the slices in one file."""

from __future__ import annotations

from typing import IO, Any

import pydicom

from latviz.files.array_readers.bounds import check_room
from latviz.files.decoding import DecodeError
from latviz.files.readers import ReadArray

_OVER_TIME = ("FrameTime", "FrameTimeVector", "CineRate")


def read(stream: IO[bytes]) -> ReadArray:
    """Return the values after the rescale slope and intercept, with the spacing in mm."""
    found = pydicom.dcmread(stream)
    if "PixelData" not in found:
        raise DecodeError("it holds no pixels; choose an image of the series")
    n, samples = int(found.get("NumberOfFrames") or 1), int(found.SamplesPerPixel)
    check_room(8 * n * samples * int(found.Rows) * int(found.Columns))
    try:
        stored = pydicom.pixels.pixel_array(found)
    except (RuntimeError, NotImplementedError) as error:  # compressed in a way that needs more
        kind = found.file_meta.TransferSyntaxUID.name
        raise DecodeError(
            f'its pixels are compressed ({kind}): pip install "pylibjpeg[all]" opens it, or save '
            "it without compression: gdcmconv --raw FILE a.dcm"
        ) from error
    scaled = float(found.get("RescaleSlope", 1)), float(found.get("RescaleIntercept", 0))
    array = stored if scaled == (1, 0) else pydicom.pixels.apply_rescale(stored, found)
    padding = found.get("PixelPaddingValue") if samples == 1 else None
    frames = "" if n == 1 else "t" if any(one in found for one in _OVER_TIME) else "z"
    return ReadArray(
        array,
        f"{frames}yx{'s' if samples > 1 else ''}",
        spacing=_spacing(found, bool(frames), samples > 1),
        unit="mm",
        mask=None if padding is None else stored != padding,
    )


def _spacing(found: Any, is_deep: bool, in_colour: bool) -> tuple[float, ...]:
    shared = found.get("SharedFunctionalGroupsSequence")
    is_shared = shared and "PixelMeasuresSequence" in shared[0]
    one = shared[0].PixelMeasuresSequence[0] if is_shared else found
    own = one.get("PixelSpacing")
    deep = one.get("SpacingBetweenSlices") or one.get("SliceThickness") or 0
    if own is None:
        return ()
    return (*(float(deep),) * is_deep, *map(float, own), *(0.0,) * in_colour)
