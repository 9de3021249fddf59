"""Small pictures of a session, against values of images made up by hand."""

import numpy as np
import pytest

from latviz.computing import compute
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.thumbnail import MAP_SIDE, SIDE, small_map, thumbnail
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters

COLORS = ((0, 114, 178), (213, 94, 0), (240, 228, 66), (86, 180, 233))
"""Of the first slots, by Okabe and Ito (2008)."""


def decoded(picture: Picture) -> Frame:
    encoding = Encoding("labels") if picture.alphabet else Encoding("grey", n_symbols=2)
    return compute(picture, Decoding(Parameters(encoding, n_states=2, window=1), 4096))


@pytest.fixture
def halves() -> Picture:
    """An image twice as wide as high; its upper half is white."""
    pixels = np.zeros((30, 60), np.uint8)
    pixels[:15] = 255
    return Picture(pixels, "halves")


def test_the_image_alone(halves: Picture) -> None:
    drawn = thumbnail(halves, 0)
    assert drawn.shape == (SIDE, SIDE, 4)
    opaque = np.zeros((SIDE, SIDE), bool)
    opaque[16:48] = True
    np.testing.assert_array_equal(drawn[..., 3] == 255, opaque)
    assert (drawn[16:32, :, :3] == 255).all()
    assert (drawn[32:48, :, :3] == 0).all()


def test_the_states_at_the_right(halves: Picture) -> None:
    frame = decoded(halves)
    drawn = thumbnail(halves, 0, frame)
    np.testing.assert_array_equal(drawn[:, :32], thumbnail(halves, 0)[:, :32])
    for row, node in ((18, (3, 50)), (46, (28, 50))):
        wanted = COLORS[frame.slots[frame.states[node]]]
        assert (drawn[row, 32:, :3] == wanted).all()
    other = Picture(halves.pixels.copy(), "the same again")
    np.testing.assert_array_equal(thumbnail(other, 0, frame), thumbnail(other, 0))


def test_a_state_map_alone(halves: Picture) -> None:
    frame = decoded(halves)
    drawn = small_map(frame, 0)
    assert drawn.shape == (30, 60, 4)  # no pixel is enlarged
    for node in ((3, 50), (28, 5)):
        assert (drawn[node][:3] == COLORS[frame.slots[frame.states[node]]]).all()
    long = Picture(np.repeat(halves.pixels, 10, axis=1), "long")
    assert small_map(decoded(long), 0).shape == (round(30 * MAP_SIDE / 600), MAP_SIDE, 4)


def test_colours() -> None:
    pixels = np.zeros((8, 8, 3), np.uint8)
    pixels[:] = (10, 20, 30)
    assert (thumbnail(Picture(pixels, "blue"), 0) == (10, 20, 30, 255)).all()


def test_a_slice_of_a_volume() -> None:
    volume = np.zeros((3, 20, 10), np.uint8)
    volume[2] = 255
    picture = Picture(volume, "volume", dimensions=3)
    drawn = thumbnail(picture, 2)
    assert (drawn[:, 16:48] == 255).all()
    assert not drawn[:, :16].any()
    assert (thumbnail(picture, 0)[:, 16:48, :3] == 0).all()


def test_a_sequence_has_its_symbols_above_its_states() -> None:
    symbols = np.repeat(np.array([0, 1], np.uint8), 50)
    picture = Picture(symbols, "sequence", dimensions=1, alphabet=("A", "C"))
    frame = decoded(picture)
    drawn = thumbnail(picture, 0, frame)
    for column, symbol, node in ((5, 0, 8), (60, 1, 93)):
        assert (drawn[:32, column, :3] == picture.colors[symbol]).all()
        assert (drawn[32:, column, :3] == COLORS[frame.slots[frame.states[node]]]).all()
