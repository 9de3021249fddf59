"""Lists of images that are not regular files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from latviz.core.disk.errors import FileError
from latviz.wings.many.image_sets import read_image_set


@pytest.mark.parametrize("name", ["list.csv", "voc/ImageSets/Main/train.txt"])
def test_lists(name: str, odd: Callable[[str], Path], request: pytest.FixtureRequest) -> None:
    place = odd(name)
    if "folder" in request.node.name and name == "list.csv":
        return  # a folder of images
    with pytest.raises(FileError, match=r"device or a pipe|no images of the split"):
        read_image_set(place if name == "list.csv" else place.parents[2])


def test_annotations(odd: Callable[[str], Path], tmp_path: Path) -> None:
    main = tmp_path / "voc" / "ImageSets" / "Main"
    main.mkdir(parents=True)
    (main / "train.txt").write_text("a\n")
    odd("voc/Annotations/a.xml")
    with pytest.raises(FileError, match=r"a\.xml: it is a (device or a pipe|folder)"):
        read_image_set(tmp_path / "voc")
