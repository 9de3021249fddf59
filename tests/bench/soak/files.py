"""Files for the robot to open, drop and paste: good, odd, damaged and missing ones."""

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.bench.pictures import photograph
from tests.files.corpus import damaged, sound_files
from tests.files.makers import chunk, png_header

SUFFIXES = {"jpeg": "jpg", "jpeg2000": "jp2", "numbers": "txt", "text": "txt", "volume": ""}


def _image(pixels: Any) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


def _array(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def contents() -> dict[str, bytes]:
    """Return the content of each file, by name: larger and odder ones than every format has."""
    rng = np.random.default_rng(0)
    grey, colour = photograph(256), photograph(256, colour=True)
    spots = np.where(np.arange(40)[:, None] // 2 == 2, np.nan, rng.random((40, 50)))
    letters = "".join(rng.choice(list("ACGT"), 400_000))
    protein = "".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), 300))
    found = {
        "grey.png": _image(grey),
        "colour.png": _image(colour),
        "large.png": _image(photograph(1400)),
        "vast.png": _image(np.tile(photograph(1000), (3, 4))),
        "clear.png": _image(np.dstack([colour, grey])),
        "one.png": _image(np.zeros((1, 1), np.uint8)),
        "wide.png": _image(np.tile(grey[:1], (1, 16))),
        "thin.png": _image(grey[:, :1]),
        "flat.png": _image(np.full((60, 80, 3), 90, np.uint8)),
        "labels.png": _image((grey[:100] // 60).astype(np.uint8)),
        "a <b>bold & näme 100%.png": _image(grey[:50, :70]),
        "no suffix": _image(grey[:30]),
        "bomb.png": png_header(65_000, 65_000, 8, 0) + chunk(b"IEND", b""),
        "spots.npy": _array(spots),
        "huge numbers.npy": _array(rng.normal(0, 1e200, (20, 30))),
        "complex.npy": _array(np.zeros((4, 4), complex)),
        "empty.npy": _array(np.zeros((0, 5), np.uint8)),
        "cube.npy": _array(rng.integers(0, 256, (48, 64, 64)).astype(np.uint8)),
        "long.fa": f">long\n{letters}\n".encode(),
        "protein.faa": f">a\n{protein}\n".encode(),
        "one letter.fa": b">a\nAAAAAAAA\n",
        "prose.txt": b"It was the best of times, it was the worst of times. " * 9,
        "empty.txt": b"",
        "empty.png": b"",
        "noise.png": rng.bytes(4000),
        "noise.latviz": rng.bytes(900),
        "old.latviz": (Path(__file__).parents[2] / "data" / "format-1.latviz").read_bytes(),
    }
    for k, (name, sound) in enumerate(sound_files().items()):
        kind = name.removeprefix("volume ").split()[0]
        suffix = "latviz" if kind == "session" else SUFFIXES.get(kind, kind)
        own = name.replace("?", "bool").replace(">", "")
        found[f"{own}.{suffix}"] = sound.content
        if k % 4 == 0:
            found[f"damaged {own}.{suffix}"] = damaged(sound.content, k)
    return found


def make(folder: Path) -> list[Path]:
    """Write all files into a folder; return their paths, and those of things that are not files."""
    paths = [folder / name for name in contents()]
    for path, content in zip(paths, contents().values(), strict=True):
        path.write_bytes(content)
    (folder / "folder.png").mkdir()
    (folder / "gone.png").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.png")
    return [*paths, folder / "folder.png", folder / "gone.png", folder / "pipe.png", folder / "x"]
