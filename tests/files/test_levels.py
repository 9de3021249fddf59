"""Images out of pyramids: the level that fits, and its message."""

import json
import os
import sys

import numpy as np
import pytest

from latviz import workspace
from latviz.engine.keeping.session import opened
from latviz.engine.settings.parameters import opening
from latviz.files import levels
from latviz.files.errors import ImageError, SessionError
from latviz.files.levels import read_level
from latviz.files.session_archive import sha256_of
from tests.files.test_pyramids import VERSIONS, array_at, image_at, pixels


@pytest.fixture
def slide(tmp_path):
    """Three levels of 40 x 50 pixels in colour at two times."""
    values = pixels((2, 3, 1, 40, 50))
    return values, image_at(tmp_path / "slide.zarr", values, VERSIONS["0.5"][1])


def test_the_finest_level_that_fits_is_read(slide, monkeypatch):
    values, path = slide
    colours = values[0, :, 0].transpose(1, 2, 0)
    for most, step, said in [
        (2000, 1, "the finest of 3 levels"),
        (1999, 2, "level 2 of 3, 1/2 of 50 × 40"),
        (130, 4, "level 3 of 3, 1/4 of 50 × 40"),
    ]:
        monkeypatch.setattr(levels, "QUICK", most)
        found = read_level(path)
        assert np.array_equal(found.pixels, colours[::step, ::step])
        assert found.notes == (said, "time 1 of 2")
        assert found.roles["t"] == (0,)


def test_a_level_that_is_reduced_enough_is_read(slide):
    values, path = slide
    found = read_level(path, {"plane": (1,)}, reduction=4)
    assert np.array_equal(found.pixels, values[1, :, 0, ::4, ::4].transpose(1, 2, 0))
    with pytest.raises(ImageError, match="time 2 of the axis t was asked for"):
        read_level(path, {"plane": (2,)})


def test_memory_counts(slide, monkeypatch):
    monkeypatch.setattr(levels, "_most", lambda _: 500)
    assert read_level(slide[1]).pixels.shape == (20, 25, 3)


def test_an_image_without_levels_is_reduced_by_means(tmp_path, monkeypatch):
    values = pixels((37, 41))
    path = array_at(tmp_path / "a.zarr", values)
    monkeypatch.setattr(levels, "_most", lambda _: 500)
    monkeypatch.setattr(levels, "BAND", 100)
    found = read_level(path)
    assert found.notes == ("reduced to 1/2 of the width and height of 41 × 37 pixels",)
    for row in range(19):
        for column in range(21):
            square = values[2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
            assert abs(found.pixels[row, column] - square.mean()) <= 0.5


def test_what_does_not_fit_is_refused(tmp_path, monkeypatch):
    path = array_at(tmp_path / "a.zarr", pixels((37, 41)))
    monkeypatch.setattr(levels, "_most", lambda _: 500)
    monkeypatch.setattr(levels, "MAX_READ", 1000)
    with pytest.raises(ImageError, match="coarsest level has 37 × 41 pixels"):
        read_level(path)
    with pytest.raises(ImageError, match="sequence of numbers"):
        read_level(array_at(tmp_path / "b.zarr", pixels((30,))))
    with pytest.raises(ImageError, match="nothing is known of its 20 pixels"):
        read_level(array_at(tmp_path / "c.zarr", np.full((4, 5), np.nan, np.float32)))


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_channels_are_a_vector_unless_three_are_colours(tmp_path, n):
    values = pixels((2, n, 1, 20, 30))
    path = image_at(tmp_path / "a.zarr", values, VERSIONS["0.4"][1], 2)
    found = read_level(path)
    np.testing.assert_array_equal(found.pixels, values[0, :, 0].transpose(1, 2, 0))
    assert len(found.channels) == (0 if n == 3 else n)
    found = read_level(path, {"t": (1,), "c": (1,)})
    np.testing.assert_array_equal(found.pixels, values[1, 1, 0])
    assert found.notes[-2:] == ("time 2 of 2", f"channel 2 of {n}")
    picture = workspace.read_picture(path, "t=1, c=1+0")
    np.testing.assert_array_equal(picture.pixels, values[1, [1, 0], 0].transpose(1, 2, 0))
    assert picture.channels == ("channel 2", "channel 1")
    # A number is a time, of the channels that were read before axes had roles
    own = values[1, :3, 0].transpose(1, 2, 0) if n in (3, 4) else values[1, 0, 0]
    np.testing.assert_array_equal(read_level(path, {"plane": (1,)}).pixels, own)


def test_names_and_colours_of_channels_and_the_unit_of_distances(tmp_path):
    path = image_at(tmp_path / "a.zarr", pixels((1, 3, 1, 20, 30)), VERSIONS["0.4"][1], 2)
    attributes = json.loads((path / ".zattrs").read_text())
    axes = attributes["multiscales"][0]["axes"]
    attributes["multiscales"][0]["axes"] = [
        {**axis, "unit": "micrometer"} if axis["name"] in "zyx" else axis for axis in axes
    ]
    for colors, names in ((("0000FF", "00FF00", "FF0000"), ("DAPI", "GFP", "RFP")), (RGB, ())):
        listed = [
            {"label": label, "color": color}
            for label, color in zip(("DAPI", "GFP", "RFP"), colors, strict=True)
        ]
        (path / ".zattrs").write_text(json.dumps({**attributes, "omero": {"channels": listed}}))
        picture = workspace.read_picture(path)
        assert picture.channels == names
        assert picture.unit == "µm"
        assert len(picture.spacing) == 2
        if names:
            assert picture.tints.tolist() == [list(bytes.fromhex(one)) for one in colors]


RGB = "FF0000", "00FF00", "0000FF"


@pytest.mark.parametrize("version", VERSIONS)
def test_slices_have_a_role(tmp_path, version):
    values = pixels((1, 1, 6, 20, 30))
    path = image_at(tmp_path / "a.zarr", values, VERSIONS[version][1], 2)
    volume, own = workspace.read_picture(path), values[0, 0]
    assert volume.pixels.tolist() == own.tolist()
    assert len(volume.spacing) in (0, 3)
    apart = workspace.read_picture(path, "z=apart")
    assert (apart.shape, apart.apart) == (own.shape, True)
    one = workspace.read_picture(path, "z=4")
    assert one.pixels.tolist() == own[4].tolist()
    assert workspace.dimensions_of(path, "z=4") == 2
    assert workspace.read_again([one.origin]).picture.pixels.tolist() == own[4].tolist()
    for wrong in ("z=0+2", "z=6", "z=vector"):
        with pytest.raises(ImageError):
            workspace.read_picture(path, wrong)


def test_the_workspace_opens_a_pyramid_and_opens_it_again(slide, tmp_path, monkeypatch):
    _, path = slide
    monkeypatch.setattr(levels, "QUICK", 500)
    pictures = workspace.read_pictures(path)
    picture = pictures.picture
    assert (picture.shape, picture.dimensions) == ((20, 25), 2)
    assert picture.origin["reduction"] == 2
    assert picture.origin["sha256"] == sha256_of(path, 2)
    again = workspace.read_again([picture.origin])
    assert np.array_equal(again.picture.pixels, picture.pixels)
    session = opened(pictures, opening(pictures.facts))
    workspace.write_session(tmp_path / "work.latviz", session, pictures)
    found, _ = workspace.read_session(tmp_path / "work.latviz")
    assert np.array_equal(found.picture.pixels, picture.pixels)
    (path / "zarr.json").write_text((path / "zarr.json").read_text().replace("slide", "other"))
    with pytest.raises(SessionError, match="has changed"):
        workspace.read_session(tmp_path / "work.latviz")


LAYOUTS = {
    "2 flat": {"zarr_format": 2},
    "2 nested": {"zarr_format": 2, "chunk_key_encoding": {"name": "v2", "separator": "/"}},
    "3": {},
    "3 flat": {"chunk_key_encoding": {"name": "default", "separator": "."}},
    "shards": {"shards": (32, 32)},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_change_of_a_chunk_is_a_change(tmp_path, layout):
    values = pixels((40, 50))
    values[:16, :16] = 1  # the first chunk has another size
    path = array_at(tmp_path / "a.zarr", values, **LAYOUTS[layout])
    before, picture = sha256_of(path), workspace.read_pictures(path).picture
    chunks = [p for p in path.rglob("*") if p.is_file() and "z" not in p.name]
    assert len(chunks) == (4 if layout == "shards" else 12)
    chunk = sorted(chunks)[2]
    told, content = chunk.stat(), chunk.read_bytes()
    times = told.st_atime_ns, told.st_mtime_ns
    (path / ".DS_Store").write_bytes(b"of a file manager")
    chunk.write_bytes(content)
    os.utime(chunk, ns=times)
    assert sha256_of(path) == before
    other = sorted(chunks)[0].read_bytes()
    changes = {
        "2 flat": lambda: chunk.unlink(),
        "2 nested": lambda: (chunk.write_bytes(other), os.utime(chunk, ns=times)),  # its size
        "3": lambda: os.utime(chunk, ns=(times[0], times[1] + 1)),
        "3 flat": lambda: chunk.with_name("c.2.9").write_bytes(b""),
        "shards": lambda: chunk.write_bytes(other),
    }
    changes[layout]()
    assert sha256_of(path) != before
    with pytest.raises(ImageError, match=r"has changed since it was opened; restore the old a\."):
        workspace.read_again([picture.origin])


def test_chunks_of_the_level_that_is_read_count(slide, monkeypatch):
    _, path = slide
    monkeypatch.setattr(levels, "QUICK", 500)
    origin = workspace.read_pictures(path).picture.origin
    for level, found in (("s0", "opened"), ("s2", "opened"), ("s1", "changed")):
        chunk = next(p for p in (path / level / "c").rglob("*") if p.is_file())
        os.utime(chunk, ns=(0, 0))
        if found == "opened":
            workspace.read_again([origin])
    with pytest.raises(ImageError, match="has changed"):
        workspace.read_again([origin])
    older = origin["sha256"].partition("-")[0]  # which ignored chunks
    workspace.read_again([{**origin, "sha256": older}])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such links")
def test_links_among_chunks_lead_nowhere(tmp_path):
    path = array_at(tmp_path / "a.zarr", pixels((20, 20)), side=16)
    for name in ("2", "3"):
        (path / "c" / name).symlink_to(path / "c")
        (path / "c" / "0" / name).symlink_to("nowhere")
    assert sha256_of(path) == sha256_of(path)


def test_volumes_are_volumes(tmp_path):
    values = pixels((1, 1, 4, 20, 30))
    path = image_at(tmp_path / "a.zarr", values, VERSIONS["0.5"][1])
    assert workspace.dimensions_of(path) == 3
    assert workspace.read_pictures(path).picture.shape == (4, 20, 30)
