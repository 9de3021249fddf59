"""Films as animated GIF and WebP, drawn with one palette: every pixel keeps its very colour."""

import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import PIL.features
import PIL.Image
from numpy.typing import NDArray
from PIL import ImageDraw, ImageFont

from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import replacing
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, stop_if_told
from latviz.files import marks
from latviz.files.suffixes import FILMS, PathLike

Drawn = NDArray[np.uint8]
GREYS = 8
"""The greys of a caption, from its ground to its ink."""
_GROUND, _INK = 255, 32
_TEXT = 0.62
"""The size of a caption's text, by the caption's height."""
_BAR = 0.1
"""The height of its bar, by the same."""
_MARGIN = 0.3


def grey_ramp() -> Drawn:
    """Return the colours of captions, shape (GREYS, 3), from the ground to the ink."""
    levels = np.rint(np.linspace(_GROUND, _INK, GREYS)).astype(np.uint8)
    return np.repeat(levels[:, None], 3, axis=1)


def check_animation(path: PathLike) -> None:
    """Raise `ExportError` if a film cannot be written to a file of this suffix."""
    suffix = Path(path).suffix.lower()
    if suffix not in FILMS:
        raise ExportError(Path(path), f"its suffix must be one of {', '.join(FILMS)}")
    if suffix == ".webp" and not PIL.features.check("webp"):
        raise ExportError(Path(path), "this copy of Pillow cannot write WebP; choose .gif")


def write_animation(
    path: PathLike,
    frames: Sequence[Drawn],
    palette: Drawn,
    milliseconds: int,
    progress: Progress | None = None,
) -> None:
    """Write frames as an animated GIF or WebP that repeats, by the suffix."""
    # Cancelled, no file is left. frames (H, W) uint8, one at least: indices into the palette (K,
    # 3), K <= 256, whose colours both formats keep. Successive equal frames become one that stays
    # as long as both; milliseconds from 20. Raises ParameterError for other arrays, ExportError
    check_animation(path)
    _check(frames, palette)
    with replacing(path) as stream:
        _save(stream, frames, palette, Path(path).suffix.lower(), milliseconds, progress)
        stop_if_told(progress)


def animation_size(frames: Sequence[Drawn], palette: Drawn, suffix: str) -> int:
    """Return the bytes of a film in the format of a suffix; see `write_animation`."""
    stream = io.BytesIO()
    _save(stream, frames, palette, suffix, 100, None)
    return len(stream.getvalue())


def caption(text: str, height: int, width: int, share: float) -> Drawn:
    """Return a line of text over a progress bar, (height, width) uint8 indices into `grey_ramp`."""
    # 8 pixels at least; text that is too wide is made smaller. ``share`` of the bar, 0 to 1, is
    # done
    image = PIL.Image.new("L", (width, height), 0)
    draw, margin = ImageDraw.Draw(image), round(_MARGIN * height)
    bar = max(2, round(_BAR * height))
    font = _fitting(text, round(_TEXT * height), width - 2 * margin)
    draw.text((margin, (height - bar) / 2), text, fill=255, font=font, anchor="lm")
    draw.rectangle((0, height - bar, round(share * width) - 1, height), fill=160)
    return np.rint(np.asarray(image) / 255 * (GREYS - 1)).astype(np.uint8)


def in_few_colours(picture: Drawn, n_colours: int) -> tuple[Drawn, Drawn]:
    """Return a picture (H, W, 3) as indices (H, W) into its colours (n_colours, 3), up to 256."""
    # Colours that are not needed are black
    found = PIL.Image.fromarray(np.ascontiguousarray(picture)).quantize(n_colours)
    colours = np.zeros((n_colours, 3), np.uint8)
    known = np.array(found.getpalette(), np.uint8).reshape(-1, 3)[:n_colours]
    colours[: len(known)] = known
    return np.array(found), colours


@cache
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def _fitting(text: str, size: int, width: int) -> Any:
    """Return the font of a size, or a smaller one that fits a text into a width."""
    wide = _font(size).getlength(text)
    return _font(size) if wide <= width else _font(max(4, int(size * max(0, width) / wide)))


def _check(frames: Sequence[Drawn], palette: Drawn) -> None:
    if palette.dtype != np.uint8 or palette.ndim != 2 or palette.shape[1] != 3:
        raise ParameterError(
            f"palette: wanted uint8 of shape (K, 3), got {palette.dtype} {palette.shape}"
        )
    if not 1 <= len(palette) <= 256:
        raise ParameterError(f"palette: wanted 1 to 256 colours, got {len(palette)}")
    if not frames or {frame.shape for frame in frames} != {frames[0].shape}:
        raise ParameterError("frames: wanted at least one, all of the same shape")
    for frame in frames:
        if frame.dtype != np.uint8 or frame.ndim != 2 or frame.size == 0:
            raise ParameterError(
                "frames: wanted uint8 of shape (height, width), not empty, "
                f"got {frame.dtype} {frame.shape}"
            )
        if frame.max() >= len(palette):
            raise ParameterError(
                f"frames: wanted less than the {len(palette)} colours, got {frame.max()}"
            )


def _save(
    stream: IO[bytes],
    frames: Sequence[Drawn],
    palette: Drawn,
    suffix: str,
    milliseconds: int,
    progress: Progress | None,
) -> None:
    """Write frames; Pillow goes to each, once, before it encodes it."""
    images = []
    for k, drawn in enumerate(frames):
        image = PIL.Image.frombytes("P", drawn.shape[::-1], np.ascontiguousarray(drawn).tobytes())
        image.putpalette(palette.tobytes())
        if progress is not None and k > 0:  # to the first one Pillow returns in the end
            _watch(image, k / len(frames), progress)
        images.append(image)
    first, *others = images
    shared = {"save_all": True, "append_images": others, "duration": milliseconds, "loop": 0}
    if suffix == ".gif":
        first.save(stream, "GIF", optimize=True, comment=marks.SOFTWARE.encode(), **shared)
    else:
        exif = PIL.Image.Exif()
        exif[marks.TAG] = marks.SOFTWARE
        more = {"lossless": True, "method": 2, "quality": 40, "exif": exif}
        first.save(stream, "WEBP", **more, **shared)


def _watch(image: PIL.Image.Image, fraction: float, progress: Progress) -> None:
    """Make an image report progress when it seeks, and stop when cancelled."""
    seek: Callable[[int], None] = image.seek

    def told(frame: int) -> None:
        stop_if_told(progress)
        progress.report(fraction)
        seek(frame)

    image.seek = told  # type: ignore[method-assign]
