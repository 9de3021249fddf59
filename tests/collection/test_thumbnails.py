"""Small pictures of files."""

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import tifffile

from latviz.collection.reading import find
from latviz.collection.thumbnails import thumbnail
from latviz.engine.pictures.shelf import Entry
from latviz.files.errors import ImageError
from tests.collection.pictures import write


@pytest.fixture
def jpeg(tmp_path: Path) -> Entry:
    rows, columns = np.indices((900, 1200))
    pixels = ((rows // 3 + columns // 5) % 256).astype(np.uint8)
    write(tmp_path / "large.jpg", pixels)
    found = find([tmp_path / "large.jpg"]).shelf
    return found.entry


def test_thumbnails(jpeg: Entry) -> None:
    drawn = thumbnail(jpeg, 96)
    assert drawn.shape == (72, 96, 3)
    with PIL.Image.open(jpeg.path) as image:
        expected = np.asarray(image.convert("RGB").resize((96, 72), PIL.Image.Resampling.BOX))
    assert np.abs(drawn.astype(int) - expected).mean() < 4
    Path(jpeg.path).unlink()
    with pytest.raises(ImageError, match="no such file"):
        thumbnail(jpeg, 96)


def test_a_reduced_page_is_a_thumbnail(tmp_path: Path) -> None:

    path = tmp_path / "pyramid.tif"
    with tifffile.TiffWriter(path) as tif:
        tif.write(np.zeros((800, 1000), np.uint8), subifds=1)
        tif.write(np.full((200, 250), 77, np.uint8), subfiletype=1)
    entry = find([path]).shelf
    assert np.unique(thumbnail(entry.entry, 96)).tolist() == [77]  # the value of the second page
