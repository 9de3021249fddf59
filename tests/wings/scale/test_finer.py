"""Finer levels of a zarr image: which, and which of their pixels."""

import numpy as np
import pytest

from latviz.engine.pictures.picture import Picture
from latviz.files.pyramids import open_pyramid
from latviz.wings.scale.finer import Finer
from tests.files.test_pyramids import VERSIONS, array_at, image_at, pixels


def finer_of(tmp_path, shape=(43, 50), level=2, depth=1):
    values = pixels((2, 3, depth, *shape)).astype(np.uint8)
    pyramid = open_pyramid(image_at(tmp_path / "a.zarr", values, VERSIONS["0.5"][1]))
    return values, Finer(pyramid, 1, pyramid.shape(level))


def test_a_pixel_stands_for_the_square_that_it_was_made_of(tmp_path):
    values, finer = finer_of(tmp_path)
    assert finer.shape == (11, 13)
    assert finer.n_finer() == 2
    assert finer.steps(0) == (4.0, 4.0)
    assert finer.steps(1) == (2.0, 2.0)
    assert finer.region(0, (slice(2, 5), slice(0, 1))) == (slice(8, 20), slice(0, 4))
    assert finer.region(0, (slice(10, 11), slice(12, 13))) == (slice(40, 43), slice(48, 50))
    found = finer.read(0, (slice(8, 20), slice(0, 4)))
    assert np.array_equal(found, values[1, :, 0, 8:20, :4].transpose(1, 2, 0))


def test_the_finest_level_of_few_pixels_is_taken(tmp_path):
    _, finer = finer_of(tmp_path)
    region = slice(0, 5), slice(0, 5)
    assert finer.level_for(region, most=400) == 0
    assert finer.level_for(region, most=399) == 1
    assert finer.level_for(region, most=99) is None


def test_sides_that_are_no_multiples_are_divided(tmp_path):
    pyramid = open_pyramid(array_at(tmp_path / "a.zarr", pixels((51, 38)).astype(np.uint8)))
    finer = Finer(pyramid, 0, (20, 16))
    assert finer.steps(0) == (51 / 20, 38 / 16)
    assert finer.region(0, (slice(1, 3), slice(15, 16))) == (slice(2, 8), slice(35, 38))
    rounded = Finer(pyramid, 0, (25, 13))  # down, and up
    assert rounded.steps(0) == (2.0, 3.0)


@pytest.mark.parametrize(("level", "depth"), [(0, 1), (2, 4)])
def test_nothing_is_finer_than_the_finest_nor_in_a_volume(tmp_path, level, depth):
    _, finer = finer_of(tmp_path, level=level, depth=depth)
    assert finer.n_finer() == 0
    assert depth > 1 or finer.level_for((slice(0, 5), slice(0, 5))) is None


def test_unknown_values_are_filled(tmp_path):
    values = np.full((40, 40), 1.0, dtype=np.float32)
    values[30, 30] = np.nan
    finer = Finer(open_pyramid(array_at(tmp_path / "a.zarr", values)), 0, (20, 20))
    assert (finer.read(0, (slice(20, 40), slice(0, 40))) == 1).all()


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_finer_pixels_are_as_light_as_those_that_were_opened(dtype):
    picture = Picture(np.array([[100, 310], [200, 500]], dtype=dtype), "deep")
    found = picture.as_shown(np.array([[100, 50, 310, 500, 900, 200]], dtype=dtype))
    assert found.tolist() == [[0, 0, 134, 255, 255, 64]]
    assert picture.shown.tolist() == [[0, 134], [64, 255]]
