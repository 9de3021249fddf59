"""Pictures that latviz wrote bear its mark, and folders leave them out."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import tifffile

from latviz import __version__
from latviz.core.disk import inputs
from latviz.files import listing
from latviz.files.marks import SOFTWARE, TAG, is_marked
from latviz.files.writing import write_labels, write_state_map

STATES = np.array([[0, 1, 1], [1, 0, 0]], np.uint8)
COLOURS = np.array([[10, 20, 30], [200, 210, 220]], np.uint8)


def write_film(place: Path) -> None:
    """Write a film as older versions did, with the mark in a comment, or in Exif."""
    first, second = (PIL.Image.fromarray(10 * states) for states in (STATES, 1 - STATES))
    exif = PIL.Image.Exif()
    exif[TAG] = SOFTWARE
    more = {"comment": SOFTWARE.encode()} if place.suffix == ".gif" else {"exif": exif}
    first.save(place, save_all=True, append_images=[second], **more)


WRITERS: dict[str, Callable[[Path], None]] = {
    "map.png": lambda place: write_state_map(place, STATES, COLOURS),
    "labels.png": lambda place: write_labels(place, STATES.astype(np.int32)),
    "film.gif": write_film,
    "film.webp": write_film,
    **{
        f"{name}.tif": lambda place, more=more: tifffile.imwrite(
            place, STATES, software=SOFTWARE, **more
        )
        for name, more in {
            "plain": {},
            "big": {"bigtiff": True},
            "other order": {"byteorder": ">"},
        }.items()
    },
}


@pytest.mark.parametrize("name", WRITERS)
def test_pictures_of_latviz_bear_its_mark(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    with PIL.Image.open(path) as image:  # another reader of the mark
        texts = image.info.get("Software"), image.info.get("comment", b"").decode()
        assert f"latviz {__version__}" in (*texts, image.getexif().get(0x0131))
    with inputs.kept():
        assert is_marked(path)
        WRITERS[name](path)  # which may be done again: it is not an input


@pytest.mark.parametrize("suffix", [".png", ".gif", ".webp", ".tif", ".bmp", ".jpg"])
def test_others_do_not(suffix: str, tmp_path: Path) -> None:
    """Not even a picture whose name or pixels are those of a map, nor a damaged one."""
    path = tmp_path / f"a.states{suffix}"
    image = PIL.Image.fromarray(np.kron(STATES, np.ones((8, 8), np.uint8)))
    image.save(path)
    assert not is_marked(path)
    whole = path.read_bytes()
    for length in (0, 1, 5, 9, 13, 20, len(whole) // 2):
        path.write_bytes(whole[:length])
        assert not is_marked(path)
    assert not is_marked(tmp_path / "none.png")
    if suffix in (".png", ".tif"):
        more = {"software": "GIMP"} if suffix == ".tif" else {}
        image.save(path, **more)
        assert not is_marked(path)


def test_a_file_that_is_cut_off_anywhere_is_no_error(tmp_path: Path) -> None:
    for name, write in WRITERS.items():
        write(tmp_path / name)
        whole = (tmp_path / name).read_bytes()
        for length in range(0, len(whole), 7):
            (tmp_path / name).write_bytes(whole[:length])
            assert is_marked(tmp_path / name) in (True, False)


def test_folders_and_patterns_leave_them_out(tmp_path: Path) -> None:
    pictures = [tmp_path / "a.png", tmp_path / "kind" / "b.png"]
    for path in pictures:
        path.parent.mkdir(exist_ok=True)
        PIL.Image.fromarray(STATES).save(path)
    own = [tmp_path / "a.png.states.png", tmp_path / "renamed.png", tmp_path / "kind" / "c.png"]
    for path in own:
        write_state_map(path, STATES, COLOURS)
    write_state_map(tmp_path / "a.labels.png", STATES, COLOURS)  # of which labels may be made
    deep = listing.listed([tmp_path], recursive=True)
    assert [one.path for one in deep.files] == sorted(pictures)
    assert (deep.own, deep.failures) == ({*own}, [])
    assert [one.path for one in listing.listed([tmp_path / "*.png"]).files] == pictures[:1]
    named = listing.listed([own[0]])
    assert ([one.path for one in named.files], named.own) == (own[:1], set())
    os.remove(pictures[1])
    (failure,) = listing.listed([tmp_path / "kind"]).failures
    assert "there are only files that latviz wrote" in failure.reason
