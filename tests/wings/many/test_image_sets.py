"""Folders, CSVs and PASCAL VOC's layout: the images listed, and files refused."""

import pickle
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from latviz.files.errors import ImageError, ImageSetError
from latviz.wings.many.image_sets import ImageOnDisk, ImageSet, read_image_set, read_images


def image(place: Path, value: int = 0, colour: bool = False) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    shape = (5, 6, 3) if colour else (5, 6)
    PIL.Image.fromarray(np.full(shape, value, np.uint8)).save(place)
    return place


def text(place: Path, content: str | bytes) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return place


def pairs(found: ImageSet) -> list[tuple[str, str]]:
    return [(one.path.name, label) for one, label in zip(found.images, found.labels, strict=True)]


def test_a_folder_for_each_class(tmp_path: Path) -> None:
    for k, name in enumerate(["b/2.png", "b/1.PNG", "a/deep/3.png", ".hidden/4.png", "a/.5.png"]):
        image(tmp_path / name, k)
    text(tmp_path / "a" / "notes.txt", "no image")
    found = read_image_set(tmp_path)
    assert pairs(found) == [("3.png", "a"), ("1.PNG", "b"), ("2.png", "b")]
    assert found.notes == ()
    assert [int(one()[0, 0]) for one in found.images] == [2, 1, 0]
    assert found.images[1].name == "b/1.PNG"


def test_label_images_are_of_no_class(tmp_path: Path) -> None:
    for name in ("a/1.png", "a/1_labels.PNG", "b/2.jpg", "b/2.labels.tif", "b/labels/2.png"):
        image(tmp_path / name)
    assert pairs(read_image_set(tmp_path)) == [("1.png", "a"), ("2.jpg", "b")]
    assert len(read_images(tmp_path).images) == 2


def test_a_csv(tmp_path: Path) -> None:
    image(tmp_path / "x" / "1.png")
    image(tmp_path / "2, really.png")
    for content in (
        'name,class\nx/1.png,dog\n\n"2, really.png", cat \n',
        '\ufeffx/1.png,dog,more\r\n"2, really.png",cat\r\n',
    ):
        found = read_image_set(text(tmp_path / "list.csv", content))
        assert pairs(found) == [("1.png", "dog"), ("2, really.png", "cat")]


def voc(place: Path) -> Path:
    """Write a small data set as PASCAL VOC lays it out."""
    for name in ("1", "2", "3", "4"):
        image(place / "JPEGImages" / f"{name}.jpg", colour=True)
    lists = place / "ImageSets" / "Main"
    text(lists / "cat_train.txt", "1  1\n2 -1\n3  1\n4  0\n")
    text(lists / "dog_train.txt", "1 -1\n2  1\n3  1\n4 -1\n")
    text(lists / "val.txt", "4\n2\n3\n")
    written = {"2": ["dog", "dog"], "3": ["cat", "dog"], "4": ["cat", "dog<difficult>1"]}
    for name, objects in written.items():
        inside = "".join(f"<object><name>{one}</name></object>" for one in objects)
        inside = inside.replace("<difficult>1</name>", "</name><difficult>1</difficult>")
        text(place / "Annotations" / f"{name}.xml", f"<annotation>{inside}</annotation>")
    return place


def voc_2006(place: Path) -> Path:
    """Write the same data set as that of 2006, by the words of its development kit."""
    for name in ("1", "2", "3", "4"):
        image(place / "PNGImages" / f"{name}.png", colour=True)
    text(place / "ImageSets" / "cat_train.txt", "1 1\n2 -1\n3 1\n4 0\n")
    text(place / "ImageSets" / "dog_train.txt", "1 -1\n2 1\n3 1\n4 -1\n")
    text(place / "ImageSets" / "val.txt", "4\n2\n3\n")
    written = {
        "2": ["PASdogLeftTrunc", "PASdog"],
        "3": ["PAScat", "PASdogFrontal"],
        "4": ["PAScatRear", "PASdogTruncDifficult"],
    }
    for name, objects in written.items():
        named = " ".join(f'"{one}"' for one in objects)
        lines = [
            "# PASCAL Annotation Version 1.00",
            f'Image filename : "VOC2006/PNGImages/{name}.png"',
            "Image size (X x Y x C) : 6 x 5 x 3",
            'Database : "The VOC2006 Database"',
            f"Objects with ground truth : {len(objects)} {{ {named} }}",
        ]
        for k, one in enumerate(objects, start=1):
            box = "(Xmin, Ymin) - (Xmax, Ymax) : (1, 1) - (6, 5)"
            lines += [
                f'# Details for object {k} ("{one}")',
                f'Original label for object {k} "{one}" : "{one}"',
                f'Bounding box for object {k} "{one}" {box}',
            ]
        text(place / "Annotations" / f"{name}.txt", "\r\n".join(lines))
    return place


@pytest.mark.parametrize(("laid_out", "suffix"), [(voc, ".jpg"), (voc_2006, ".png")])
def test_the_layouts_of_pascal_voc(laid_out, suffix, tmp_path) -> None:
    found = read_image_set(laid_out(tmp_path))
    assert pairs(found) == [(f"1{suffix}", "cat"), (f"2{suffix}", "dog")]
    assert found.notes == ("images of several classes left out: 1",)
    by_objects = [(f"2{suffix}", "dog"), (f"4{suffix}", "cat")]
    assert pairs(read_image_set(tmp_path, "val")) == by_objects


def test_colours_as_asked(tmp_path: Path) -> None:
    one = image(tmp_path / "a" / "1.png", 7)
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[..., 0], pixels[..., 1] = 200, 100
    other = tmp_path / "a" / "2.png"
    PIL.Image.fromarray(pixels).save(other)
    found = read_image_set(tmp_path).with_colours(False)
    grey = round(0.2126 * 200 + 0.7152 * 100)
    assert [(im().shape, int(im()[0, 0])) for im in found.images] == [((5, 6), 7), ((2, 2), grey)]
    assert found.images[1]().dtype == np.uint8
    coloured = read_image_set(tmp_path).with_colours(True)
    assert [im().shape for im in coloured.images] == [(5, 6, 3), (2, 2, 3)]
    assert [ImageOnDisk(p, p.name)().ndim for p in (one, other)] == [2, 3]


def test_what_is_not_there_is_left_out_with_a_note_if_so_asked(tmp_path: Path) -> None:
    image(tmp_path / "folders" / "a" / "1.png")
    (tmp_path / "folders" / "b").mkdir()
    found = read_image_set(tmp_path / "folders", lenient=True)
    assert pairs(found) == [("1.png", "a")]
    (note,) = found.notes
    assert note.startswith("b: it holds no image")
    image(tmp_path / "1.png")
    names = text(tmp_path / "list.csv", "1.png,a\nnone.png,b\n")
    found = read_image_set(names, lenient=True)
    assert pairs(found) == [("1.png", "a")]
    (note,) = found.notes
    assert "it names none.png, but there is no such file" in note
    with pytest.raises(ImageSetError, match=r"none\.png"):
        read_image_set(names)
    with pytest.raises(ImageSetError, match="none of the files that it names exists"):
        read_image_set(text(tmp_path / "none.csv", "none.png,b\n"), lenient=True)
    place = voc(tmp_path / "voc")
    (place / "JPEGImages" / "1.jpg").unlink()
    found = read_image_set(place, lenient=True)
    assert pairs(found) == [("2.jpg", "dog")]
    assert any("1 is listed, but JPEGImages" in note for note in found.notes)


def test_images_of_no_class(tmp_path: Path) -> None:
    one = image(tmp_path / "b" / "1.png")
    image(tmp_path / "2.png")
    found = read_images(tmp_path)
    assert [im.path.name for im in found.images] == ["2.png", "1.png"]
    assert found.labels == ()
    assert [im.path for im in read_images(one).images] == [one]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImageSetError, match="it holds no image"):
        read_images(tmp_path / "empty")


def called(found: ImageSet) -> str:
    """Return the name in the message on the first image, which cannot be read."""
    with pytest.raises(ImageError) as raised:
        found.images[0]()
    name = str(raised.value).split(":")[0]
    assert name == pickle.loads(pickle.dumps(raised.value)).name == found.images[0].name
    return name


def test_what_cannot_be_read_names_the_file(tmp_path: Path) -> None:
    bad = text(tmp_path / "a" / "more" / "1.png", b"\x89PNG nothing")
    assert called(read_image_set(tmp_path)) == called(read_images(tmp_path)) == "a/more/1.png"
    assert called(read_image_set(text(tmp_path / "l.csv", "a/more/1.png,b\n"))) == "a/more/1.png"
    assert called(read_images(bad)) == "1.png"
    text(voc(tmp_path / "v") / "JPEGImages" / "1.jpg", b"\xff\xd8\xff nothing")
    assert called(read_image_set(tmp_path / "v")) == "JPEGImages/1.jpg"
    with pytest.raises(ImageSetError, match="no such file or folder"):
        read_image_set(tmp_path / "nowhere")
    with pytest.raises(ImageSetError, match="only folders of PASCAL VOC have a split"):
        read_image_set(tmp_path, "val")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "it names no image"),
        ("name,class\n", "it names no image"),
        ("1.png,a\n2.png\n", "line 2 has no class"),
        ("1.png,a\n1.png, \n", "line 2 has no class"),
        ("1.png,a\n,b\n", "line 2 has no name"),
        ("1.png,a\nc/9.png,b\n", "it names c/9.png, but there is no such file"),
        (b"\xff\xfe1", "not plain text in UTF-8"),
        ("1.png\0,a", "it is not a CSV file"),
    ],
)
def test_csvs_that_are_refused(content: str | bytes, said: str, tmp_path: Path) -> None:
    image(tmp_path / "1.png")
    with pytest.raises(ImageSetError, match=f"list.csv: .*{said}"):
        read_image_set(text(tmp_path / "list.csv", content))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("ImageSets/Main/cat_train.txt", "1 1\n2\n", "a line must be a name and 1, 0 or -1"),
        ("ImageSets/Main/cat_train.txt", "1 7\n", "a line must be a name and 1, 0 or -1"),
        ("ImageSets/Main/cat_train.txt", "1 -1\n", "the class 'cat' has no image in the split"),
        ("ImageSets/Main/cat_train.txt", "9 1\n", "9 is listed, but JPEGImages has no such"),
        ("Annotations/4.xml", "<annotation><object>", "it is not an annotation in XML"),
        ("Annotations/4.xml", "<annotation/>", "it names no object"),
        ("Annotations/4.xml", "<annotation><object/></annotation>", "one without a class"),
        ("Annotations/4.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', "it defines entities"),
    ],
)
def test_voc_that_is_refused(name: str, content: str, said: str, tmp_path: Path) -> None:
    text(voc(tmp_path) / name, content)
    with pytest.raises(ImageSetError, match=said):
        read_image_set(tmp_path, "val" if name.endswith("xml") else "train")


def test_annotations_of_2006_that_name_no_object(tmp_path: Path) -> None:
    text(voc_2006(tmp_path) / "Annotations" / "4.txt", "# PASCAL Annotation Version 1.00\n")
    with pytest.raises(ImageSetError, match=r"4\.txt: it names no object"):
        read_image_set(tmp_path, "val")
    text(tmp_path / "ImageSets" / "cat_train.txt", "9 1\n")
    with pytest.raises(ImageSetError, match="9 is listed, but PNGImages has no such image"):
        read_image_set(tmp_path)


def test_splits_and_annotations_that_are_not_there(tmp_path: Path) -> None:
    voc(tmp_path)
    with pytest.raises(ImageSetError, match="no images of the split 'test'"):
        read_image_set(tmp_path, "test")
    (tmp_path / "Annotations" / "4.xml").unlink()
    with pytest.raises(ImageSetError, match=r"4\.xml: there is no such file"):
        read_image_set(tmp_path, "val")


@pytest.mark.parametrize("colours", [True, False, None])
def test_unknown_pixels_are_masked(tmp_path: Path, colours: bool | None) -> None:
    np.save(tmp_path / "a.npy", np.where(np.eye(20, 30), np.nan, 1.0))
    found = ImageOnDisk(tmp_path / "a.npy", "set/a.npy", colours)()
    assert isinstance(found, np.ma.MaskedArray)
    for channel in np.moveaxis(np.atleast_3d(found.mask), 2, 0):
        np.testing.assert_array_equal(channel, np.eye(20, 30, dtype=bool))
