"""Files for the robot to open, drop and paste: good, odd, damaged and missing ones."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from PIL import Image

from tests.bench.pictures import photograph
from tests.files.makers import chunk, png_header

Writer = Callable[[Path], object]
OLD_SESSION = Path(__file__).parents[2] / "data" / "format-1.latviz"
SIDE = 256


def _image(pixels: Any, **options: Any) -> Writer:
    return lambda path: Image.fromarray(pixels).save(path, **options)


def _bytes(data: bytes) -> Writer:
    return lambda path: path.write_bytes(data)


def _text(text: str) -> Writer:
    return lambda path: path.write_text(text, encoding="utf-8")


def _array(array: Any) -> Writer:
    return lambda path: np.save(path, array, allow_pickle=False)


def _pages(pages: Any, **options: Any) -> Writer:
    return lambda path: tifffile.imwrite(path, pages, photometric="minisblack", **options)


def _cut(write: Writer, share: float) -> Writer:
    """Write a file that ends too early."""

    def cut(path: Path) -> None:
        write(path)
        data = path.read_bytes()
        path.write_bytes(data[: int(share * len(data))])

    return cut


def _frames(path: Path) -> None:
    frames = [Image.fromarray(np.full((20, 30), 60 * k, np.uint8)) for k in range(4)]
    frames[0].save(path, save_all=True, append_images=frames[1:])


def _bomb() -> bytes:
    """Return a PNG that declares 4 thousand million pixels."""
    return png_header(65_000, 65_000, 8, 0) + chunk(b"IEND", b"")


def _records(rng: np.random.Generator, letters: str, lengths: tuple[int, ...]) -> str:
    return "".join(
        f">r{k}\n{''.join(rng.choice(list(letters), n))}\n" for k, n in enumerate(lengths)
    )


def writers() -> dict[str, Writer]:
    """Return the writer of each file, by name."""
    rng = np.random.default_rng(0)
    grey, colour = photograph(SIDE), photograph(SIDE, colour=True)
    spots = rng.random((40, 50)).astype(np.float32)
    spots[3:5] = np.nan
    volume = (np.add.outer(np.arange(6), grey[:60, :50]) % 256).astype(np.uint8)
    return {
        "grey.png": _image(grey),
        "colour.jpg": _image(colour, quality=80),
        "large.png": _image(photograph(1400)),
        "vast.png": _image(np.tile(photograph(1000), (3, 4))),
        "clear.png": _image(np.dstack([colour, grey])),
        "palette.gif": lambda path: Image.fromarray(colour[:90]).quantize(7).save(path),
        "bits.png": lambda path: Image.fromarray(grey).convert("1").save(path),
        "deep.tif": lambda path: tifffile.imwrite(path, grey.astype(np.uint16) * 200),
        "one.png": _image(np.zeros((1, 1), np.uint8)),
        "two.bmp": _image(colour[:2, :2]),
        "wide.png": _image(np.tile(grey[:1], (1, 16))),
        "thin.png": _image(np.ascontiguousarray(grey[:, :1])),
        "flat.webp": _image(np.full((60, 80, 3), 90, np.uint8)),
        "labels.png": _image((grey[:100] // 60).astype(np.uint8)),
        "spots.npy": _array(spots),
        "nothing but nan.npy": _array(np.full((5, 6), np.nan)),
        "huge numbers.npy": _array(rng.normal(0, 1e200, (20, 30))),
        "complex.npy": _array(np.zeros((4, 4), complex)),
        "empty.npy": _array(np.zeros((0, 5), np.uint8)),
        "pages.tif": _pages(volume),
        "moving.gif": _frames,
        "volume.npy": _array(volume),
        "cube.npy": _array(rng.integers(0, 256, (48, 64, 64)).astype(np.uint8)),
        "long.fa": _text(_records(rng, "ACGT", (400_000,))),
        "genes.fasta": _text(_records(rng, "ACGT", (500, 60, 1200))),
        "protein.faa": _text(_records(rng, "ACDEFGHIKLMNPQRSTVWY", (300,))),
        "one letter.fa": _text(">a\nAAAAAAAA\n"),
        "prose.txt": _text("It was the best of times, it was the worst of times. " * 9),
        "empty.txt": _text(""),
        "empty.png": _bytes(b""),
        "noise.png": _bytes(rng.bytes(4000)),
        "not an image.jpg": _text("not an image at all"),
        "cut.png": _cut(_image(colour), 0.4),
        "cut.jpg": _cut(_image(colour), 0.4),
        "cut.tif": _cut(_pages(volume), 0.6),
        "cut.npy": _cut(_array(volume), 0.6),
        "bomb.png": _bytes(_bomb()),
        "old.latviz": _bytes(OLD_SESSION.read_bytes()),
        "cut.latviz": _bytes(OLD_SESSION.read_bytes()[:300]),
        "noise.latviz": _bytes(rng.bytes(900)),
        "a <b>bold & näme 100%.png": _image(grey[:50, :70].copy()),
        "no suffix": _image(grey[:30].copy(), format="PNG"),
    }


def make(folder: Path) -> list[Path]:
    """Write all files into a folder; return their paths, and those of things that are not files."""
    paths = []
    for name, write in writers().items():
        write(folder / name)
        paths.append(folder / name)
    (folder / "folder.png").mkdir()
    (folder / "gone.png").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.png")
    return [*paths, folder / "folder.png", folder / "gone.png", folder / "pipe.png", folder / "x"]
