"""Files whose axes have names: what they open as, by default and by roles."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tifffile
from sklearn.metrics import adjusted_rand_score

from latviz.computing import compute
from latviz.core import sample_blobs
from latviz.engine.keeping.session import opened
from latviz.engine.settings.parameters import opening
from latviz.files import memory
from latviz.files.errors import ImageError
from latviz.workspace import dimensions_of, read_picture, read_pictures

rng = np.random.default_rng(59)
STACK = rng.integers(0, 60_000, (2, 4, 3, 20, 30)).astype(np.uint16)  # t, z, c, y, x
STAINS = ["DAPI", "GFP", "RFP"]


def write_imagej(path: Path) -> None:
    about = {"axes": "TZCYX", "spacing": 5.0, "unit": "um"}
    tifffile.imwrite(path, STACK, imagej=True, resolution=(4, 4), metadata=about)


def write_ome(path: Path) -> None:
    sizes = {"PhysicalSizeX": 0.25, "PhysicalSizeY": 0.25, "PhysicalSizeZ": 5.0}
    about = {"axes": "TZCYX", "Channel": {"Name": STAINS}, **sizes}
    tifffile.imwrite(path, STACK, ome=True, metadata=about)


@pytest.mark.parametrize("write", [write_imagej, write_ome])
def test_slices_are_a_volume_channels_a_vector_and_the_first_time_is_shown(tmp_path, write) -> None:
    path = tmp_path / ("a.ome.tif" if write is write_ome else "a.tif")
    write(path)
    names = tuple(STAINS) if write is write_ome else ("channel 1", "channel 2", "channel 3")
    picture = read_picture(path)
    np.testing.assert_array_equal(picture.pixels, np.moveaxis(STACK[0], 1, -1))
    assert (picture.dimensions, picture.channels) == (3, names)
    assert (picture.spacing, picture.unit) == ((5.0, 0.25, 0.25), "µm")
    assert picture.origin["axes"] == "t=0, z=lattice, c=vector"
    for roles, wanted, shape in (
        ("t=1", np.moveaxis(STACK[1], 1, -1), (4, 20, 30)),
        ("z=2, c=0+2", np.moveaxis(STACK[0, 2, [0, 2]], 0, -1), (20, 30)),
        ("t=1, z=3, c=1", STACK[1, 3, 1], (20, 30)),
        ("t=lattice, c=2", STACK[:, 0, 2], (2, 20, 30)),
        ("t=1, z=vector", np.moveaxis(STACK[1, :, 0], 0, -1), (20, 30)),
    ):
        found = read_picture(path, roles)
        np.testing.assert_array_equal(found.pixels, wanted)
        assert found.shape == shape
        assert dimensions_of(path, roles) == len(shape)
        again = read_picture(path, found.origin["axes"])
        np.testing.assert_array_equal(again.pixels, wanted)
    assert read_picture(path, "z=apart").apart
    # A number is a page of the file, as it was before axes had roles
    np.testing.assert_array_equal(read_picture(path, 17).pixels, STACK[1, 1, 2])
    for roles in ("q=1", "c=lattice", "z=9", "c=colour", "z=lattice, t=lattice"):
        with pytest.raises(ImageError):
            read_picture(path, roles)


def test_reduced_nodes_are_further_apart(tmp_path: Path) -> None:
    write_imagej(tmp_path / "a.tif")
    assert read_picture(tmp_path / "a.tif", "", 2).spacing == (5.0, 0.5, 0.5)


@pytest.mark.parametrize("limit", ["MAX_READ", "MAX_PIXELS"])
def test_slices_that_do_not_fit_are_shown_in_their_middle(tmp_path, monkeypatch, limit) -> None:
    write_imagej(tmp_path / "a.tif")
    monkeypatch.setattr(memory, limit, 10 * 20 * 30)
    picture = read_picture(tmp_path / "a.tif")
    np.testing.assert_array_equal(picture.pixels, STACK[0, 2, 1])
    assert picture.notes[0].startswith("4 slices and 3 channels do not fit into memory")
    with pytest.raises(ImageError, match="12 slices of 30 × 20 pixels, more than"):
        read_picture(tmp_path / "a.tif", "z=lattice, c=vector")


def test_stains_in_samples_are_no_colours(tmp_path: Path) -> None:
    four = np.moveaxis(STACK[0, :, 0], 0, -1)
    tifffile.imwrite(tmp_path / "a.tif", four, photometric="minisblack", planarconfig="contig")
    np.save(tmp_path / "a.npy", four)
    for name in ("a.tif", "a.npy"):
        picture = read_picture(tmp_path / name)
        np.testing.assert_array_equal(picture.pixels, four)
        assert len(picture.channels) == 4
        np.testing.assert_array_equal(read_picture(tmp_path / name, "c=2").pixels, four[..., 2])
    rgb = four[..., :3].astype(np.uint8)
    tifffile.imwrite(tmp_path / "b.tif", rgb, photometric="rgb")
    np.save(tmp_path / "c.npy", np.dstack([rgb, np.full((20, 30), 255, np.uint8)]))
    for name in ("b.tif", "c.npy"):
        assert read_picture(tmp_path / name).channels == ()
        np.testing.assert_array_equal(read_picture(tmp_path / name).pixels, rgb)
        picture = read_picture(tmp_path / name, "c=0+2")
        np.testing.assert_array_equal(picture.pixels, rgb[..., [0, 2]])


def test_metres_of_a_map(tmp_path: Path) -> None:
    scale = (33550, "d", 3, (10.0, 20.0, 0.0), True)
    keys = (34735, "H", 8, (1, 1, 0, 1, 1024, 0, 1, 1), True)
    tifffile.imwrite(tmp_path / "a.tif", STACK[0, 0, 0], extratags=[scale, keys])
    picture = read_picture(tmp_path / "a.tif")
    assert (picture.spacing, picture.unit) == ((20.0, 10.0), "m")


MAGENTA, GREEN, BLUE = (255, 0, 255), (0, 255, 0), (0, 0, 255)


@pytest.mark.parametrize("kind", ["ome", "imagej"])
def test_channels_are_drawn_in_the_colours_that_the_file_gives(tmp_path: Path, kind: str) -> None:
    pixels = np.zeros((3, 30, 40), np.uint16)
    pixels[0, :10], pixels[1, 10:20], pixels[2, 20:] = 900, 500, 70
    path, colors = tmp_path / f"a.{kind}.tif", (MAGENTA, GREEN, BLUE)
    if kind == "ome":
        numbers = [int.from_bytes([*c, 255], "big", signed=True) for c in colors]
        about = {"axes": "CYX", "Channel": {"Name": STAINS, "Color": numbers}}
        tifffile.imwrite(path, pixels, metadata=about)
    else:
        tables = [np.outer(c, np.arange(256) / 255.0).astype(np.uint8) for c in colors]
        tifffile.imwrite(path, pixels, imagej=True, metadata={"axes": "CYX", "LUTs": tables})
    picture = read_picture(path)
    assert [tuple(picture.shown[y, 0].tolist()) for y in (0, 10, 20)] == [MAGENTA, GREEN, BLUE]
    chosen = read_picture(path, "c=0+2")
    assert chosen.tints.tolist() == [[*MAGENTA], [*BLUE]]


def test_stains_of_twelve_classes_open_with_all_channels(tmp_path: Path) -> None:
    """A channel alone confuses classes that the vector of all tells apart."""
    classes = sample_blobs((96, 128), n_states=12, scale=14, random_state=3)
    means = np.random.default_rng(1).uniform(0, 1, (12, 3))
    stains = means[classes] + 0.12 * rng.normal(size=(*classes.shape, 3))
    pixels = np.moveaxis((np.clip(stains + 0.5, 0, 2) * 20_000).astype(np.uint16), -1, 0)
    path = tmp_path / "a.ome.tif"
    tifffile.imwrite(path, pixels, metadata={"axes": "CYX", "Channel": {"Name": STAINS}})
    scores = []
    for roles in ("", "c=0"):
        pictures = read_pictures(path, roles)
        session = opened(pictures, opening(pictures.facts))
        decoding = session.adjusted(lambda own: replace(own, n_states=12, decoder="refined")).shown
        states = compute(pictures, decoding).states
        scores.append(adjusted_rand_score(classes.ravel(), states.ravel()))
    assert scores[0] > scores[1] + 0.2
