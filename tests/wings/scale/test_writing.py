"""States as OME-Zarr pyramids."""

from dataclasses import replace

import dask.array as da
import numpy as np
import pytest
import zarr

from latviz import core
from latviz.core.disk.errors import ExportError
from latviz.files.pyramids import open_pyramid
from latviz.wings import scale
from latviz.wings.scale import writing
from tests.core.cases import blocky
from tests.files.test_pyramids import VERSIONS, array_at, image_at
from tests.files.zarrs.cases import array_2, refusal
from tests.wings.scale.cases import refusal_of_scale, states_in


@pytest.mark.parametrize("version", ["0.4", "0.5"])
def test_states_have_the_levels_of_the_image(tmp_path, version):
    zarr_format, attributes = VERSIONS[version]
    values = blocky((1, 1, 1, 40, 50), 4, 1)
    image = open_pyramid(image_at(tmp_path / "a.zarr", values, attributes, zarr_format))
    image, states = replace(image, unit="µm"), values[0, 0, 0].copy()
    states[2:9, 5:8] = 255  # unknown
    scale.write_states(
        tmp_path / "s.zarr",
        da.from_array(states, chunks=(7, 30)),
        like=image,
        attributes={"window": 2},
    )
    found = open_pyramid(tmp_path / "s.zarr")
    assert (found.axes, found.zarr_format, found.unit) == ("yx", zarr_format, "µm")
    assert [found.shape(k) for k in range(3)] == [image.shape(k) for k in range(3)]
    assert [found.scale(k) for k in range(3)] == [image.scale(k) for k in range(3)]
    assert np.array_equal(found.read(0), states + np.uint8(1))
    middles = found.read(1)
    assert np.array_equal(middles[:, :25], states[1::2, 1::2] + np.uint8(1))
    attributes = zarr.open_group(str(tmp_path / "s.zarr"), mode="r").attrs.asdict()
    assert attributes["latviz"] == {"window": 2}


def test_states_of_an_array_alone_get_levels_of_half_the_sides(tmp_path, monkeypatch):
    monkeypatch.setattr("latviz.files.zarrs.writing.SIDE", 16)
    states = blocky((41, 67), 4, 2)
    image = open_pyramid(array_at(tmp_path / "a.zarr", states))
    scale.write_states(tmp_path / "s.zarr", da.from_array(states, chunks=(16, 32)), like=image)
    found = open_pyramid(tmp_path / "s.zarr")
    shapes = [found.shape(k) for k in range(len(found.levels))]
    assert shapes == [(41, 67), (21, 34), (11, 17), (6, 9)]
    for k in range(1, 4):
        before, level = found.read(k - 1), found.read(k)
        rows, columns = (
            np.minimum(((np.arange(n) + 0.5) * m / n).astype(int), m - 1)
            for n, m in zip(level.shape, before.shape, strict=True)
        )
        even = [m == 2 * n for n, m in zip(level.shape, before.shape, strict=True)]
        rows = np.arange(level.shape[0]) * 2 + 1 if even[0] else rows
        columns = np.arange(level.shape[1]) * 2 + 1 if even[1] else columns
        assert np.array_equal(level, before[np.ix_(rows, columns)])


def test_chunks_are_whole_chunks_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "HELD", 3000)
    path = array_at(tmp_path / "a.zarr", blocky((100, 170), 4, 1))
    image = open_pyramid(path)
    array = scale.open_level(image)
    assert all(size % 16 == 0 for sizes in array.chunks for size in sizes[:-1])
    assert np.prod(array.chunksize) <= 3000
    assert np.array_equal(array.compute(), image.read(0))


def test_two_tasks_never_write_into_one_chunk(tmp_path, monkeypatch):
    stored = []
    store = da.store

    def spy(array, target, **options):
        stored.append((array.chunks, target.chunks))
        return store(array, target, **options)

    monkeypatch.setattr(da, "store", spy)
    monkeypatch.setattr("latviz.files.zarrs.writing.SIDE", 16)
    states = da.from_array(blocky((50, 70), 3, 1), chunks=(13, 29))
    scale.write_states(tmp_path / "s.zarr", states)
    assert len(stored) == 4
    for chunks, unit in stored:
        for sizes, side in zip(chunks, unit, strict=True):
            assert all(size % side == 0 for size in sizes[:-1])


def test_what_is_there_stays(tmp_path):
    states = da.from_array(blocky((20, 20), 3, 1))
    (tmp_path / "s.zarr").mkdir()
    with pytest.raises(ExportError, match="already"):
        scale.write_states(tmp_path / "s.zarr", states)
    with pytest.raises(ExportError, match=r"s\.zarr: there is no folder .*none; make it"):
        scale.write_states(tmp_path / "none" / "s.zarr", states)
    assert [one.name for one in tmp_path.iterdir()] == ["s.zarr"]


def test_what_fails_leaves_nothing(tmp_path):
    symbols = da.from_array(np.full((20, 20), 3, np.uint8), chunks=10)
    model = core.DiscreteModel(np.eye(2), np.array([[0.5, 0.5], [0.2, 0.8]]), 1)
    with pytest.raises(core.ParameterError, match="symbols must be"):
        scale.write_states(tmp_path / "s.zarr", scale.decode(symbols, model=model))
    assert not list(tmp_path.iterdir())


def test_states_of_another_size_are_refused(tmp_path):
    image = open_pyramid(array_at(tmp_path / "a.zarr", blocky((20, 20), 3, 1)))
    with pytest.raises(core.ParameterError, match="states must have shape"):
        scale.write_states(tmp_path / "s.zarr", da.zeros((9, 9), dtype=np.uint8), like=image)
    with pytest.raises(core.ParameterError, match="there is no level 1 at time 0"):
        scale.open_level(image, level=1)


def test_a_large_image_in_chunks_is_read_where_it_is_asked_for(tmp_path):
    """A slide of 300,000 x 300,000 pixels, of which one chunk is there."""
    path = array_2(tmp_path / "a.zarr", shape=[300_000, 300_000], chunks=[1024, 1024])
    (path / "0.0").unlink()
    values = np.random.default_rng(1).integers(0, 256, (1024, 1024)).astype(np.uint8)
    (path / "290.7").write_bytes(values.tobytes())
    found = scale.open_level(open_pyramid(path))
    assert found.shape == (300_000, 300_000)
    top, left = 290 * 1024, 7 * 1024
    part = found[top + 5 : top + 70, left - 3 : left + 40].compute()
    assert np.array_equal(part[:, 3:], values[5:70, :40])
    assert not part[:, :3].any()


def test_states_of_an_image_in_tiny_chunks_are_written_in_larger_ones(tmp_path):
    image = open_pyramid(array_at(tmp_path / "a.zarr", blocky((100, 90), 3, 1), side=3))
    states = blocky((100, 90), 3, 2)
    scale.write_states(tmp_path / "s.zarr", da.from_array(states), like=image)
    written = open_pyramid(tmp_path / "s.zarr")
    assert np.array_equal(states_in(written), states)
    assert np.prod(written.chunks(0)) >= writing.LEAST // 2


def test_parts_that_no_memory_holds_are_refused(tmp_path, monkeypatch):
    """Of each pixel 64 channels are read together, though each has a chunk of its own."""
    path = array_2(tmp_path / "a.zarr", shape=[1, 64, 1, 9000, 9000], chunks=[1, 1, 1, 3000, 3000])
    image = open_pyramid(path)
    assert scale.open_level(image).shape == (9000, 9000, 64)
    monkeypatch.setattr(writing.memory, "available", lambda: 2**30)
    with pytest.raises(core.ParameterError, match="in parts of 576,000,000 bytes"):
        scale.open_level(image)


def test_numbers_that_float32_cannot_hold_are_refused_without_a_warning(tmp_path, capsys):
    path = array_at(tmp_path / "a.zarr", np.full((20, 30), 1e300))
    assert "no pixel of those" in refusal_of_scale(path, capsys)
    assert "nothing is known of its 600 pixels (infinite)" in refusal(path)
