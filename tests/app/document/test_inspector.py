"""The choice of inspected pixels, without a window."""

from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document.inspector import Inspector, inside
from latviz.computing import compute
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters


class Heard:
    """An inspector, and its signals: places only."""

    def __init__(self) -> None:
        self.inspector = Inspector()
        self.told: list[Any] = []
        self.inspector.changed.connect(lambda one: self.told.append(one and one.node))
        self.inspector.pins_changed.connect(
            lambda pins: self.told.append([pin.node for pin in pins])
        )

    def pin(self, *nodes: tuple[int, ...]) -> None:
        """Show these pins and no others."""
        self.inspector.show_pins(nodes)

    def since(self) -> list[Any]:
        told, self.told[:] = self.told[:], []
        return told


@pytest.fixture
def heard(qtbot: QtBot) -> Heard:
    return Heard()


def frame_of(seed: int) -> Frame:
    pixels = np.random.default_rng(seed).integers(0, 256, (9, 9), dtype=np.uint8)
    return compute(Picture(pixels, "noise"), Decoding(Parameters(n_states=2, window=1), 4096))


def test_nothing_is_told_of_pixels_before_there_is_a_frame(heard: Heard) -> None:
    heard.inspector.hover((1, 1))
    heard.pin((2, 2))
    assert heard.since() == [[]]
    heard.inspector.show_frame(frame_of(0))
    assert heard.since() == [[(2, 2)], (1, 1)]


def test_another_picture_has_pixels_of_its_own(heard: Heard) -> None:
    heard.inspector.show_frame(frame_of(0))
    heard.inspector.hover((1, 1))
    heard.pin((2, 2))
    heard.since()
    heard.inspector.begin()
    heard.pin((5, 6))
    assert [] in heard.since()  # nothing is emitted of the last picture's frame
    heard.inspector.show_frame(frame_of(1))
    assert heard.since() == [[(5, 6)], (5, 6)]


def test_nothing_is_told_of_pixels_of_another_picture(heard: Heard) -> None:
    """The pointer may rest on a picture that is replaced by one of other axes."""
    frame = frame_of(0)
    for node in ((3, 1, 1), (4,), (9, 0), (0, 9), (-1, 0)):
        heard.inspector.begin()
        heard.inspector.hover(node)
        assert inside(node, frame) is None
        heard.inspector.show_frame(frame)
        assert heard.since() == []
    heard.inspector.hover((8, 8))
    assert inside((8, 8), frame) == (8, 8)
    heard.pin((1, 1), (2, 2, 2))
    assert heard.since()[-1] == [(1, 1)]
