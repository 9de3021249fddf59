"""The meaning of a TIFF's pages: slices, times, channels, copies; stacks of one directory."""

import io
import itertools
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray

from latviz.files.errors import ImageError
from latviz.files.images import read_image, read_lattice
from latviz.files.sizes import shape_of

read_volume = partial(read_lattice, roles={"volume": "lattice"})

rng = np.random.default_rng(37)
Array = NDArray[Any]
ORDERS = {"T": 2, "Z": 3, "C": 2}


def stack(*shape: int, dtype: Any = np.uint16) -> Array:
    return rng.integers(0, 250, shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("colours", [(), (3,)])
@pytest.mark.parametrize("imagej", [True, False])
def test_a_stack_of_one_directory(tmp_path, dtype, colours, imagej) -> None:
    if imagej and colours and dtype != np.uint8:
        return  # ImageJ writes no such files
    values, path = stack(7, 10, 12, *colours, dtype=dtype), tmp_path / "a.tif"
    kind = "rgb" if colours else "minisblack"
    axes = {"axes": "ZYXS" if colours else "ZYX"}
    tifffile.imwrite(path, values, imagej=imagej, truncate=True, metadata=axes, photometric=kind)
    with tifffile.TiffFile(path) as tif:
        assert len(tif.pages) == 1
    np.testing.assert_array_equal(read_volume(path).pixels, values)
    for page in range(7):
        file = read_image(path, page=page)
        np.testing.assert_array_equal(file.pixels, values[page])
        assert file.pages == 7
    with pytest.raises(ImageError, match="slice 8 was asked for, but it has 7"):
        read_image(path, page=7)
    path.write_bytes(path.read_bytes()[:-20])
    np.testing.assert_array_equal(read_image(path, page=5).pixels, values[5])
    with pytest.raises(ImageError, match="cut off before the end of page 7"):
        read_volume(path)


def imagej_of(axes: str, values: Array, one_directory: bool) -> bytes:
    """Return a hyperstack whose planes are in an order: ImageJ writes the fastest axis first."""
    names = {"Z": "slices", "T": "frames", "C": "channels"}
    sizes = "".join(f"{names[a]}={n}\n" for a, n in zip(axes, values.shape, strict=False))
    order = axes[::-1].lower()
    text = f"ImageJ=1.54f\nimages={np.prod(values.shape[:3])}\n{sizes}hyperstack=true\n"
    text += f"order={order}\n" if order != "czt" else ""
    stream = io.BytesIO()
    planes = values.reshape(-1, *values.shape[3:])
    with tifffile.TiffWriter(stream) as tif:
        for plane in planes[:1] if one_directory else planes:
            tif.write(plane, description=text, metadata=None, contiguous=False)
    return stream.getvalue() + (planes[1:].tobytes() if one_directory else b"")


def ome_of(axes: str, values: Array, shuffled: bool) -> bytes:
    """Return an OME-TIFF whose planes are in an order, or anywhere, as in its TiffData."""
    sizes = " ".join(f'Size{a}="{n}"' for a, n in zip(axes, values.shape, strict=False))
    planes = values.reshape(-1, *values.shape[3:])
    places = list(itertools.product(*map(range, values.shape[:3])))
    pages = rng.permutation(len(planes)).tolist() if shuffled else list(range(len(planes)))
    data = '<TiffData PlaneCount="12"/>'
    if shuffled:
        data = "".join(
            f'<TiffData IFD="{page}" PlaneCount="1" '
            + " ".join(f'First{a}="{k}"' for a, k in zip(axes, place, strict=True))
            + "/>"
            for page, place in zip(pages, places, strict=True)
        )
    text = (
        '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image>'
        f'<Pixels DimensionOrder="XY{axes[::-1]}" SizeX="12" SizeY="10" {sizes}>{data}'
        "</Pixels></Image></OME>"
    )
    stream = io.BytesIO()
    with tifffile.TiffWriter(stream) as tif:
        for page in range(len(planes)):
            plane = planes[pages.index(page)]
            tif.write(plane, description=text, metadata=None, contiguous=False)
    return stream.getvalue()


def shaped_of(axes: str, values: Array, one_directory: bool) -> bytes:
    stream = io.BytesIO()
    tifffile.imwrite(
        stream,
        values,
        metadata={"axes": f"{axes}YX"},
        truncate=one_directory,
        photometric="minisblack",
    )
    return stream.getvalue()


@pytest.mark.parametrize("axes", ["".join(one) for one in itertools.permutations("TZC")])
@pytest.mark.parametrize("write", [imagej_of, ome_of, shaped_of])
@pytest.mark.parametrize("other", [False, True])
def test_channels_and_times_are_no_slices(tmp_path, axes, write, other) -> None:
    path = tmp_path / "a.ome.tif"
    values = stack(*(ORDERS[axis] for axis in axes), 10, 12)
    path.write_bytes(write(axes, values, other))
    by_axis = np.moveaxis(values, [axes.index(axis) for axis in "TCZ"], [0, 1, 2])
    for page, place in enumerate(np.ndindex(*values.shape[:3])):
        at = dict(zip(axes, place, strict=True))
        file = read_image(path, page=page)
        np.testing.assert_array_equal(file.pixels, values[place])
        assert file.pages == 12
        assert {f"channel {at['C'] + 1} of 2", f"slice {at['Z'] + 1} of 3"} <= set(file.notes)
        if page % 5 == 0:
            volume = read_lattice(path, {"plane": (page,), "volume": "lattice"})
            np.testing.assert_array_equal(volume.pixels, by_axis[at["T"], at["C"]])
            assert f"channel {at['C'] + 1} of 2" in volume.notes
            assert f"time {at['T'] + 1} of 2" in volume.notes


def lsm_of(values: Array) -> bytes:
    """Return an LSM file with the head of its own tag, by which slices follow each other."""
    sizes = np.uint32([67127628, 28, 12, 10, values.shape[1], 1, values.shape[0]]).tobytes()
    stream = io.BytesIO()
    with tifffile.TiffWriter(stream, byteorder="<") as tif:
        for k, plane in enumerate(values.reshape(-1, 10, 12)):
            own = [(34412, 1, len(sizes), sizes, True)] * (k == 0)
            tif.write(plane, metadata=None, contiguous=False, extratags=own)
    return stream.getvalue()


def ome_of_colours(values: Array) -> bytes:
    stream = io.BytesIO()
    tifffile.imwrite(stream, values, ome=True, metadata={"axes": "TZYXS"}, photometric="rgb")
    return stream.getvalue()


@pytest.mark.parametrize(("write", "colours"), [(lsm_of, ()), (ome_of_colours, (3,))])
def test_slices_of_two_times(tmp_path: Path, write: Any, colours: tuple[int, ...]) -> None:
    values = stack(2, 3, 10, 12, *colours, dtype=np.uint8)
    path = tmp_path / "a.ome.tif"
    path.write_bytes(write(values))
    file = read_image(path, page=4)
    np.testing.assert_array_equal(file.pixels, values[1, 1])
    assert {"time 2 of 2", "slice 2 of 3"} <= set(file.notes)
    np.testing.assert_array_equal(
        read_lattice(path, {"plane": (4,), "volume": "lattice"}).pixels, values[1]
    )


@pytest.mark.parametrize("write", [imagej_of, ome_of, shaped_of])
def test_channels_alone_are_no_volume_and_times_alone_are(tmp_path: Path, write: Any) -> None:
    path = tmp_path / "a.tif"
    values = stack(3, 1, 1, 10, 12)
    path.write_bytes(write("CZT", values, False))
    with pytest.raises(ImageError, match="it has one plane of pixels, so it is not a volume"):
        read_volume(path)
    assert "channel 2 of 3" in read_image(path, page=1).notes
    np.testing.assert_array_equal(read_lattice(path).pixels, np.moveaxis(values[:, 0, 0], 0, -1))
    path.write_bytes(write("TZC", values, False))
    file = read_volume(path)
    np.testing.assert_array_equal(file.pixels, values[:, 0, 0])
    assert file.notes == ("its slices are points in time",)


def test_planes_in_other_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.ome.tif"
    values = stack(2, 10, 12)
    data = "".join(
        f'<TiffData IFD="{k % 2}" FirstZ="{k % 2}" FirstC="{k // 2}" PlaneCount="1">'
        f'<UUID FileName="{"ab"[k // 2]}.ome.tif">urn:uuid:{k // 2}</UUID></TiffData>'
        for k in range(4)
    )
    text = (
        '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="urn:uuid:0"><Image>'
        '<Pixels DimensionOrder="XYZCT" SizeX="12" SizeY="10" SizeZ="2" SizeC="2" SizeT="1">'
        f"{data}</Pixels></Image></OME>"
    )
    with tifffile.TiffWriter(path) as tif:
        for plane in values:
            tif.write(plane, description=text, metadata=None, contiguous=False)
    file = read_volume(path)
    np.testing.assert_array_equal(file.pixels, values)
    assert file.notes == ("planes in other files, which are not read: 2",)


@pytest.mark.parametrize("kind", [1, 4])
@pytest.mark.parametrize("first", [False, True])
def test_reduced_copies_and_masks_are_no_slices(tmp_path: Path, kind: int, first: bool) -> None:
    values, path = stack(4, 16, 20, dtype=np.uint8), tmp_path / "a.tif"
    with tifffile.TiffWriter(path) as tif:
        for plane in values:
            small = plane[::4, ::4] if kind == 1 else plane[::4, ::4] > 99
            for page in [small, plane] if first else [plane, small]:
                options = {"subfiletype": kind} if page is not plane else {}
                tif.write(page, contiguous=False, metadata=None, **options)
    np.testing.assert_array_equal(read_volume(path).pixels, values)
    assert shape_of(path) == (16, 20)
    for page in range(4):
        np.testing.assert_array_equal(read_image(path, page=page).pixels, values[page])
    with pytest.raises(ImageError, match="page 5 was asked for, but it has 4"):
        read_image(path, page=4)


@pytest.mark.parametrize(
    "text",
    [
        "ImageJ=1.5\nimages=many\nslices=-3\n",
        "ImageJ=1.5\nimages=9999999999\nslices=9999999999\n",
        "ImageJ=1.5\nslices=0\nframes=0\n",
        '{"shape": [9, 10, 12], "axes": 3}',
        '{"shape": "x"}',
        '{"shape": [',
        "<OME><Image><Pixels SizeZ='x'/></Image></OME>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><OME>&b;</OME>",
        "<OME><Image/><Image/></OME>",
        "<OME></OME",
    ],
)
def test_descriptions_that_make_no_sense_change_nothing(tmp_path: Path, text: str) -> None:
    values, path = stack(2, 10, 12), tmp_path / "a.tif"
    with tifffile.TiffWriter(path) as tif:
        for plane in values:
            tif.write(plane, description=text, metadata=None, contiguous=False)
    np.testing.assert_array_equal(read_volume(path).pixels, values)
    np.testing.assert_array_equal(read_image(path, page=1).pixels, values[1])


def with_inside(path, page, inside, kind=1, **options) -> Path:
    """Write a page with pictures inside of it, each with its subfile type, as a DNG has them."""
    with tifffile.TiffWriter(path, bigtiff=options.pop("bigtiff", False)) as tif:
        tif.write(page, subfiletype=kind, subifds=len(inside), metadata=None)
        for picture, own_kind in inside:
            tif.write(picture, subfiletype=own_kind, metadata=None, **options)
    return path


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("bigtiff", [False, True])
def test_the_picture_inside_of_a_page_whose_thumbnail_it_has(tmp_path, kind, bigtiff) -> None:
    picture, preview = stack(40, 60), stack(20, 30)
    path = with_inside(
        tmp_path / "a.tif", stack(10, 15), [(preview, 1), (picture, 0)], kind, bigtiff=bigtiff
    )
    file = read_image(path)
    np.testing.assert_array_equal(file.pixels, picture)
    assert file.pages == 1
    assert file.notes == ("the largest of its 3 pictures; left out: 15 × 10, 30 × 20 pixels",)
    assert shape_of(path) == (40, 60)
    reduced = read_image(path, reduction=4).pixels
    assert reduced.shape == (10, 15)


def test_a_picture_inside_that_pillow_decodes(tmp_path: Path) -> None:
    """Of 4 bits per pixel, which tifffile reads only with another package."""
    picture = rng.integers(0, 16, (40, 60)).astype(np.uint8)
    packed = (picture[:, ::2] << 4 | picture[:, 1::2]).tobytes()
    for bigtiff in (False, True):
        path = with_inside(tmp_path / "a.tif", stack(10, 15), [(picture, 0)], bigtiff=bigtiff)
        with tifffile.TiffFile(path) as tif:
            inside = tif.pages[0].aspage().pages[0].aspage()
            place, start = inside.tags["BitsPerSample"].valueoffset, inside.dataoffsets[0]
        data = bytearray(path.read_bytes())
        data[place : place + 2] = (4).to_bytes(2, "little")
        data[start : start + len(packed)] = packed
        path.write_bytes(data)
        np.testing.assert_array_equal(read_image(path).pixels, 17 * picture)


def test_reduced_copies_inside_of_pages_are_left_inside(tmp_path: Path) -> None:
    pages = stack(2, 40, 60)
    with tifffile.TiffWriter(tmp_path / "a.tif") as tif:
        for page in pages:
            tif.write(page, subifds=1, metadata=None)
            tif.write(page[::2, ::2], subfiletype=1, metadata=None)
    for number, page in enumerate(pages):
        file = read_image(tmp_path / "a.tif", page=number)
        np.testing.assert_array_equal(file.pixels, page)
        assert file.notes == (f"page {number + 1} of 2",)


def test_a_damaged_picture_inside_does_not_hide_its_page(tmp_path: Path) -> None:
    page = stack(10, 15)
    path = with_inside(tmp_path / "a.tif", page, [(stack(40, 60), 0)], kind=0)
    with tifffile.TiffFile(path) as tif:
        place = tif.pages[0].aspage().tags["SubIFDs"].valueoffset
    data = bytearray(path.read_bytes())
    data[place : place + 4] = (len(data) - 3).to_bytes(4, "little")
    path.write_bytes(data)
    np.testing.assert_array_equal(read_image(path).pixels, page)


def test_raw_data_of_a_camera_are_refused(tmp_path: Path) -> None:
    """The page of a DNG is a thumbnail; its picture is the mosaic of the sensor."""
    thumbnail, mosaic = stack(10, 15), stack(40, 60)
    path = with_inside(tmp_path / "a.dng", thumbnail, [(mosaic, 0)], photometric="cfa")
    with pytest.raises(ImageError, match="the raw data of a camera's sensor; develop it with"):
        read_image(path)
