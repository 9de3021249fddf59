"""Classes of images in folders: found held out, or refused with a reason."""

from pathlib import Path

import PIL.Image
import pytest

from latviz.core import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.pictures.shelf import Entry, classes_of
from latviz.wings.many.results import found_classes
from tests.wings.many.classify import cases


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (["/a/cat/1.png", "/a/dog/1.png", "/a/dog/far/2.png"], ["cat", "dog", "dog"]),
        (["/a/cat/1.png", "/a/dog/1.png", "/a/2.png"], ["cat", "dog", None]),
        (["/a/cat/1.png", "/b/dog/1.png"], ["a", "b"]),
        (["/a/cat/1.png", "/a/cat/2.png"], [None, None]),
        (["/a/cat/1.png", "/a/2.png"], [None, None]),  # a single class
        ([], []),
    ],
)
def test_classes_are_the_folders_in_the_common_one(paths, wanted) -> None:
    found = classes_of([Entry(path, 1, 1) for path in paths])
    assert [found.get(path) for path in paths] == wanted


def put(folder: Path, n: int) -> dict[str, str]:
    """Write ``n`` images of each of two classes, and return their classes by path."""
    found = dict[str, str]()
    for k, (image, label) in enumerate(zip(*cases.images(n), strict=True)):
        place = folder / label / f"{k}.png"
        place.parent.mkdir(exist_ok=True)
        PIL.Image.fromarray(image).save(place)
        found[str(place)] = label
    return found


def test_a_class_of_a_single_readable_image_is_refused(tmp_path: Path) -> None:
    known = put(tmp_path, 2)
    (tmp_path / "repel" / "3.png").write_bytes(b"no image")
    with pytest.raises(ParameterError, match=r"two images or more.* 'repel' has one"):
        found_classes.classify(known)


def test_it_can_be_cancelled(tmp_path: Path) -> None:
    class Stop:
        def report(self, _: float) -> None: ...

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        found_classes.classify(put(tmp_path, 2), Stop())
