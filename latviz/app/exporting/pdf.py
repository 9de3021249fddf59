"""Images in files of Qt's PDF writer, inserted after they were written.

Qt packs an image while it is painted, on the window's thread, which takes seconds for large ones.
"""

import re
import zlib
from collections.abc import Sequence

import pyqtgraph as pg
from PyQt6.QtGui import QImage

_TABLE = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
_ENTRY = re.compile(rb"^(\d{10}) \d{5} n", re.MULTILINE)
_PIXEL = re.compile(
    rb"/Width 1\n/Height 1\n/BitsPerComponent 8\n/ColorSpace /DeviceRGB\n/SMask (\d+) 0 R\n"
)
_LENGTH = re.compile(rb"/Length (\d+) 0 R\n")
_STREAM = re.compile(rb"stream\n(.*)\nendstream", re.DOTALL)


def put_in(pdf: bytes, images: Sequence[QImage]) -> bytes:
    """Insert each image for the translucent pixel whose colour is its index in the list.

    Any thread may call it. It raises `ValueError` if Qt did not write the file.
    """
    if not images:
        return pdf
    found = _TABLE.search(pdf)
    if found is None:
        raise ValueError("a PDF file without a table of its objects")
    table = int(found[1])
    offsets = [int(offset) for offset in _ENTRY.findall(pdf, table)]
    ends = dict(zip(sorted(offsets), [*sorted(offsets)[1:], table], strict=True))
    objects = [pdf[offset : ends[offset]] for offset in offsets]
    pixels = [(place, found) for place, found in enumerate(map(_PIXEL.search, objects)) if found]
    if len(pixels) != len(images):
        raise ValueError(f"{len(images)} images for {len(pixels)} places in a PDF file")
    for place, pixel in pixels:
        image = images[int.from_bytes(_unpacked(objects[place]))]
        colors, opacity = _channels(image)
        _replace(objects, place, image, colors)
        _replace(objects, int(pixel[1]) - 1, image, opacity)
    return _joined(pdf[: min(offsets)], objects, pdf[table : found.start()])


def _unpacked(content: bytes) -> bytes:
    packed = _STREAM.search(content)
    assert packed is not None
    return zlib.decompress(packed[1])


def _channels(image: QImage) -> tuple[bytes, bytes]:
    """Return the colours of all pixels, and their opacities."""
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    pixels = pg.functions.ndarray_from_qimage(image)
    return pixels[..., :3].tobytes(), pixels[..., 3].tobytes()


def _replace(objects: list[bytes], place: int, image: QImage, pixels: bytes) -> None:
    """Insert other pixels into an image, and their packed length into the object that holds it."""
    content, packed = objects[place], zlib.compress(pixels)
    length = _LENGTH.search(content)
    assert length is not None
    head = content[: content.index(b"stream\n")]
    size = b"/Width %d\n/Height %d\n" % (image.width(), image.height())
    head = head.replace(b"/Width 1\n/Height 1\n", size)
    objects[place] = b"%bstream\n%b\nendstream\nendobj\n" % (head, packed)
    objects[int(length[1]) - 1] = b"%b 0 obj\n%d\nendobj\n" % (length[1], len(packed))


def _joined(start: bytes, objects: Sequence[bytes], table: bytes) -> bytes:
    """Return a file of some objects, with a table of their new offsets."""
    offset, entries = len(start), []
    for content in objects:
        entries.append(b"%010d 00000 n" % offset)
        offset += len(content)
    left = iter(entries)
    table = _ENTRY.sub(lambda _: next(left), table)
    return b"%b%b%bstartxref\n%d\n%%%%EOF\n" % (start, b"".join(objects), table, offset)
