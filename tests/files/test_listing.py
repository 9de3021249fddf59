"""Files that arguments list: the order, omitted files, and unreadable ones."""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import tifffile

from latviz.files.errors import ImageError
from latviz.files.label_files import labels_next_to
from latviz.files.listing import listed, natural
from latviz.files.sizes import read_small, shape_of


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")


def test_names_are_sorted_as_people_do() -> None:
    names = ["b2", "B10", "a", "b1x", "b1", "10", "9", "b02"]
    found = sorted(map(Path, names), key=natural)
    assert [str(path) for path in found] == ["9", "10", "a", "b1", "b1x", "b02", "b2", "B10"]


def test_each_file_once_in_the_order_of_the_places(tmp_path: Path) -> None:
    touch(tmp_path, "a/2.png", "a/10.PNG", "b/1.tif", "a/x.doc")
    found, failures, _ = listed([tmp_path / "b", tmp_path / "a" / "10.PNG", tmp_path / "a"])
    assert [one.path.name for one in found] == ["1.tif", "10.PNG", "2.png"]
    assert failures == []
    by_name, _, _ = listed([tmp_path / "a" / "x.doc"])
    assert [one.path.name for one in by_name] == ["x.doc"]
    deep, _, _ = listed([str(tmp_path / "**" / "*.png")])
    assert [one.path.name for one in deep] == ["2.png"]


def test_names_that_look_like_patterns_are_names_if_they_are_there(tmp_path: Path) -> None:
    touch(tmp_path, "scan[1].png", "scan1.png")
    found, _, _ = listed([str(tmp_path / "scan[1].png")])
    assert [one.path.name for one in found] == ["scan[1].png"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_lead_in_a_circle_are_not_followed(tmp_path: Path) -> None:
    touch(tmp_path, "in/a.png")
    os.symlink(tmp_path, tmp_path / "in" / "up")
    found, failures, _ = listed([tmp_path], recursive=True)
    assert [one.path.name for one in found] == ["a.png"]
    assert failures == []


def test_a_folder_that_cannot_be_read_costs_no_other(tmp_path, monkeypatch) -> None:
    touch(tmp_path, "closed/a.png", "open/b.png")
    scan = os.scandir

    def refusing(place: Path) -> object:
        if Path(place).name == "closed":
            raise PermissionError(13, "no")
        return scan(place)

    monkeypatch.setattr(os, "scandir", refusing)
    found, failures, _ = listed([tmp_path], recursive=True)
    assert [one.path.name for one in found] == ["b.png"]
    assert [error.path.name for error in failures] == ["closed"]
    assert "not permitted" in failures[0].reason
    _, failures, _ = listed([tmp_path / "closed"])
    assert len(failures) == 1


def test_bad_names_are_failures() -> None:
    _, failures, _ = listed(["a\0b.png"])
    assert len(failures) == 1


def test_an_image_is_no_label_of_itself(tmp_path: Path) -> None:
    touch(tmp_path, "a.labels.png", "a.png")
    assert labels_next_to(tmp_path / "a.png") == tmp_path / "a.labels.png"
    assert labels_next_to(tmp_path / "a.labels.png") is None
    assert labels_next_to(tmp_path / "a.png", "_gt") is None


def names(places: list[Path | str], **options: Any) -> list[str]:
    return sorted(one.path.name for one in listed(places, **options)[0])


@pytest.mark.parametrize(
    ("label", "rule"),
    [
        ("a.labels.PNG", ""),
        ("a.Labels.Png", ""),
        ("a.jpg.labels.TIF", ""),
        ("a_labels.TIFF", ""),
        ("a_LABELS.npy", ""),
        ("a.labels.PGM", ""),
        ("a.labels.tga", ""),
        ("Labels/a.PNG", ""),
        ("a_Truth.Gif", "_truth"),
        ("gt/a.BMP", "gt"),
    ],
)
def test_labels_are_found_in_small_and_capital_letters(tmp_path, label, rule) -> None:
    touch(tmp_path, "a.jpg", label, "A.png")
    assert labels_next_to(tmp_path / "a.jpg", rule) == tmp_path / label
    if label != "Labels/a.PNG":  # folders have no stem to distinguish
        assert labels_next_to(tmp_path / "A.png", rule) is None  # it is another image
    assert names([tmp_path], labels=rule) == ["A.png", "a.jpg"]
    assert names([tmp_path], labels=rule, recursive=True) == ["A.png", "a.jpg"]


@pytest.mark.parametrize("suffix", [".jpg", ".JPEG", ".webp", ".J2C", ".avifs"])
@pytest.mark.parametrize("stem", ["a.labels", "a.png.labels", "a_labels", "labels/a"])
def test_labels_in_formats_that_change_values_are_left_out_and_named(
    tmp_path, stem, suffix
) -> None:
    touch(tmp_path, "a.png", f"{stem}{suffix}")
    assert labels_next_to(tmp_path / "a.png") is None
    found, failures, _ = listed([tmp_path])
    assert [one.path.name for one in found] == ["a.png"]
    (failure,) = failures
    assert failure.path == tmp_path / f"{stem}{suffix}"
    assert "may change values; save labels as .png" in failure.reason
    touch(tmp_path, "a.labels.png")
    assert listed([tmp_path])[1] == []


def test_lossy_labels_of_many_images_are_one_line(tmp_path: Path) -> None:
    touch(tmp_path, *(f"{k}.png" for k in range(5)), *(f"{k}_labels.jpg" for k in range(5)))
    found, (failure,), _ = listed([tmp_path])
    assert len(found) == 5
    assert "(files in all: 5)" in failure.reason


def test_labels_are_left_out_wherever_their_images_are(tmp_path: Path) -> None:
    """Patterns, single files and folders are treated alike, and labels without an image too."""
    touch(tmp_path, "a.jpg", "a_labels.png", "b.labels.png", "labels/a.png", "food_labels.png")
    assert names([str(tmp_path / "*.png")]) == ["food_labels.png"]
    assert names([str(tmp_path / "**" / "*.png")]) == ["food_labels.png"]
    assert names([tmp_path / "a.jpg", tmp_path / "a_labels.png"]) == ["a.jpg"]
    assert names([tmp_path / "a_labels.png", tmp_path / "a.jpg"]) == ["a.jpg"]
    assert names([tmp_path / "a_labels.png"]) == ["a_labels.png"]  # named alone, it is shown
    _, (failure,), _ = listed([str(tmp_path / "a_*.png")])
    assert "there are only label images" in failure.reason
    touch(tmp_path, "c_truth.png")
    assert names([str(tmp_path / "c*.png")], labels="_truth", recursive=True) == []


def test_labels_that_come_and_go_are_seen_at_once(tmp_path: Path) -> None:
    touch(tmp_path, "a.png")
    for _ in range(5):
        assert labels_next_to(tmp_path / "a.png") is None
        touch(tmp_path, "a_labels.png")
        assert labels_next_to(tmp_path / "a.png") is not None
        (tmp_path / "a_labels.png").unlink()


@pytest.mark.skipif(sys.platform == "win32", reason="names have no such characters there")
@pytest.mark.parametrize("folder", ["run[2]", "a[!b]*", "what?", "[", "*", "x[0-9]{2}"])
def test_a_pattern_in_a_folder_that_looks_like_one(tmp_path: Path, folder: str) -> None:
    place = tmp_path / folder / "in[1]"
    touch(place, "1.png", "2.png", "2[3].png", "x.txt")
    wanted = ["1.png", "2.png", "2[3].png"]
    assert names([place]) == names([str(place)]) == wanted
    assert names([f"{place}/*.png"]) == names([f"{tmp_path}/*/*/*.png"]) == wanted
    assert names([f"{tmp_path}/{folder}/**/*.png"]) == wanted
    assert names([f"{place}/2[3].png"]) == ["2[3].png"]
    assert names([f"{place}/[12].png"]) == ["1.png", "2.png"]


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tif", "a.npy", "a.webp"])
def test_the_shape_is_that_of_the_header(tmp_path: Path, name: str) -> None:
    pixels, path = np.zeros((30, 70, 3), np.uint8), tmp_path / name
    if name.endswith("npy"):
        np.save(path, pixels[..., 0])
    else:
        PIL.Image.fromarray(pixels).save(path)
    assert shape_of(path) == (30, 70)
    path.write_bytes(b"\x89PNG\r\n\x1a\n no")
    with pytest.raises(ImageError, match=r"PNG file but is damaged.*its header is not valid"):
        shape_of(path)
    path.write_bytes(path.read_bytes()[:5])
    with pytest.raises(ImageError):
        shape_of(path)


def test_small_pictures_are_not_much_larger_than_wanted(tmp_path: Path) -> None:
    pixels = np.add.outer(np.arange(400), np.arange(700)).astype(np.uint16) * 50
    path = tmp_path / "deep.tif"
    tifffile.imwrite(path, pixels)
    small = read_small(path, 100)
    assert small.shape == (100, 175)
    expected = pixels.reshape(100, 4, 175, 4).mean(axis=(1, 3))
    np.testing.assert_allclose(small, expected, rtol=0, atol=1)
    assert read_small(path, 500).shape == (400, 700)


def test_zarr_folders_are_left_out_and_named(tmp_path: Path) -> None:
    """Each is an image by itself, with files that are not images."""
    for name in ("b.zarr", "a 10.zarr", "a 9.zarr", "deep/c", "only/d.zarr"):
        (tmp_path / name / "0").mkdir(parents=True)
        (tmp_path / name / ".zgroup").write_text('{"zarr_format": 2}')
        (tmp_path / name / "0" / "0.png").write_bytes(b"a chunk")
    image = tmp_path / "a.png"
    image.write_bytes(b"")
    alone, several = (
        f"it is a zarr folder, which cannot be one of several images{more}; open it by itself"
        for more in ("", " (folders in all: 3)")
    )

    def told(*places: Path, recursive: bool = False) -> list[tuple[str, str]]:
        files, failures, _ = listed(places, recursive=recursive)
        assert [file.path for file in files] in ([], [image])
        return [(error.name, error.reason) for error in failures]

    assert told(image, tmp_path / "b.zarr") == [("b.zarr", alone)]
    assert told(tmp_path) == [("a 9.zarr", several)]
    every = told(tmp_path, recursive=True)
    assert every == [("a 9.zarr", several.replace("3", "5"))]
    assert told(tmp_path / "only") == [("d.zarr", alone)]
    assert told(tmp_path / "*.zarr") == [("a 9.zarr", several)]
    assert listed([tmp_path / "deep"])[1][0].reason == alone
