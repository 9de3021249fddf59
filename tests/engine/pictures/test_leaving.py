"""Pixels left out of a picture, and used again."""

from typing import Any

import numpy as np
import pytest

from latviz.core.errors import ParameterError
from latviz.engine.pictures.leaving import LEFT_OUT, left_out_of, read_without, without
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.shelf import coloured, cut

SHAPES = (37,), (9, 13), (3, 8, 5)


def seen(shape: tuple[int, ...], known: Any = None) -> Picture:
    values = np.random.default_rng(0).integers(1, 255, shape).astype(np.uint8)
    alphabet = tuple(map(str, range(256))) if len(shape) == 1 else ()
    given = {"dimensions": len(shape), "labels": values, "known": known, "alphabet": alphabet}
    return Picture(values, "p", **given)


@pytest.mark.parametrize("shape", SHAPES)
def test_pixels_are_left_out_again_as_they_were(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    known, first, second = (rng.random(shape) < share for share in (0.8, 0.3, 0.3))
    whole = seen(shape, known)
    picture = without(without(whole, first), second)
    assert picture.whole is whole
    assert np.array_equal(picture.known, known & ~first & ~second)
    assert np.array_equal(left_out_of(picture), known & (first | second))
    value = whole.pixels[picture.known][0]
    for array in (picture.pixels, picture.labels):
        assert (array[~picture.known] == value).all()
        assert np.array_equal(array[picture.known], whole.pixels[picture.known])
    again = read_without(whole, picture.origin[LEFT_OUT])
    assert np.array_equal(again.known, picture.known)
    with pytest.raises(ParameterError, match="leave fewer out"):
        without(picture, np.ones(shape, bool))


@pytest.mark.parametrize("text", [None, 3, "", "??", "c$|"])
def test_other_texts_are_refused(text: Any) -> None:
    with pytest.raises(ParameterError, match="the pixels left out must be"):
        read_without(seen((9, 13)), text)


def test_a_text_of_another_size_is_refused() -> None:
    text = without(seen((3, 3)), np.eye(3, dtype=bool)).origin[LEFT_OUT]
    with pytest.raises(ParameterError, match="of a picture of this size"):
        read_without(seen((30, 30)), text)


def test_parts_and_colours_are_of_all_pixels() -> None:
    out = np.zeros((9, 13), bool)
    out[2:5, 3:6] = True
    picture = without(seen((9, 13)), out)
    part = cut(picture, ((1, 4), (2, 9)))
    assert np.array_equal(part.known, ~out[1:4, 2:9])
    assert np.array_equal(part.whole.pixels, picture.whole.pixels[1:4, 2:9])
    assert cut(picture, ((5, 9), (0, 13))).known is None
    assert np.array_equal(coloured(picture).whole.pixels[..., 1], picture.whole.pixels)
