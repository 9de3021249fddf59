"""A small picture that is opened while a large one is encoded does not wait for it."""

import threading
import time

import numpy as np
import pytest

from latviz.core.data import vectors
from latviz.core.data.encoding import Encoding
from latviz.core.types import Floats
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle

pytestmark = pytest.mark.usefixtures("few_views")

ROWS = 2000


def test_the_newest_picture_does_not_wait_for_a_large_one(window, qtbot, monkeypatch) -> None:
    begun, made, to_lab = threading.Event(), list[int](), vectors.srgb_to_lab

    def slowly(rgb: Floats) -> Floats:
        if rgb.shape[1] == 300:
            begun.set()
            made.append(len(rgb))
            time.sleep(0.02)
        return to_lab(rgb)

    settle(qtbot, window)
    monkeypatch.setattr(vectors, "srgb_to_lab", slowly)
    monkeypatch.setattr(vectors, "_PART", 300)  # a part is a row
    noise = np.random.default_rng(0).integers(0, 256, (ROWS, 300, 3)).astype(np.uint8)
    parameters = Parameters(Encoding("lab"), n_states=3)
    window.document.open(Picture(noise, "large"), parameters)
    qtbot.waitUntil(begun.is_set)
    small = Picture(np.ascontiguousarray(noise[:40, :50]), "small")
    window.document.open(small, parameters)
    assert settle(qtbot, window).request.picture is small
    assert sum(made) < ROWS
