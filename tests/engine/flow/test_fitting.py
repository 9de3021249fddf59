"""Encodings that do not fit into memory are refused, and nothing is lost."""

import numpy as np
import pytest

from latviz.core import ParameterError, memory
from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.pictures.data_sets import bytes_needed, check_fits
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

GREY = Picture(np.zeros((2100, 2000), np.uint8), "grey")
COLOUR = Picture(np.zeros((2100, 2000, 3), np.uint8), "colour")
DEEP = Picture(np.zeros((2100, 2000, 3), np.uint16), "deep")


def request(picture: Picture, name: str) -> Request:
    return Request(picture, Parameters(Encoding(name)))


@pytest.mark.parametrize(
    ("picture", "name", "bytes_a_pixel"),
    [
        (GREY, "quantiles", 12),
        (GREY, "grey", 12),
        (COLOUR, "grey", 20),
        (COLOUR, "rgb", 12),
        (DEEP, "rgb", 36),
        (COLOUR, "lab", 36),
        (GREY, "texture", 36),
    ],
)
def test_bytes_needed(picture: Picture, name: str, bytes_a_pixel: int) -> None:
    assert bytes_needed(picture, Encoding(name)) == 2100 * 2000 * bytes_a_pixel


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Pipeline()
    monkeypatch.setattr(memory, "available", lambda: 20 * 2100 * 2000)
    with pytest.raises(
        ParameterError, match=r"CIELAB colour” of 2000 × 2100 .* 0\.2 GB .* 0\.1 GB"
    ):
        pipeline.run(request(COLOUR, "lab"))
    assert pipeline.run(request(GREY, "quantiles")).whole


def test_small_images_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 0)
    check_fits([Picture(np.zeros((200, 200), np.uint8), "small")], Encoding("texture"))


def test_pictures_of_a_data_set_are_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [Picture(np.zeros((1050, 2000, 3), np.uint8), "half")] * 2
    monkeypatch.setattr(memory, "available", lambda: 35 * 2100 * 2000)
    with pytest.raises(ParameterError, match="of 2 pictures"):
        check_fits(parts, Encoding("lab"))
    check_fits(parts, Encoding("rgb"))
