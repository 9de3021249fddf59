"""The paths of the codewords in the view of the signature space."""

from functools import cache

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.space.items import path_places
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import NEEDED, Frame
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from tests.app.frames import pixels
from tests.app.views.spaces import at_pixel, on_view, picture, shown
from tests.new_frames import new_frame

SIZE = (700, 600)


@cache
def with_paths(name: str, n_symbols: int = 3, w_l: int = 4) -> Frame:
    photo = picture("camera" if name == "quantiles" else "astronaut")
    parameters = Parameters(Encoding(name, n_symbols), learning_window=w_l)
    return new_frame(photo, parameters, needs=NEEDED | {"paths"})


def drawn(qtbot: QtBot, frame: Frame) -> SpaceView:
    view = shown(qtbot, SpaceView, frame, SIZE)
    view.show_state(State(display=Display(paths=True)))
    return view


FRAMES = [("quantiles", 3), ("quantiles", 4), ("palette", 6), ("rgb", 3), ("quantiles", 2)]


@pytest.mark.parametrize(("name", "n_symbols"), FRAMES)
def test_paths_are_there_when_they_are_wanted(qtbot: QtBot, name: str, n_symbols: int) -> None:
    view = shown(qtbot, SpaceView, with_paths(name, n_symbols), SIZE)
    for theme in (LIGHT, DARK):
        view.apply_theme(theme)
        plain = pixels(view)
        view.show_state(State(display=Display(paths=True)))
        changed = (pixels(view) != plain).any(axis=2)
        discs, at = view.plot.discs(), path_places(view.plot.shown, Mapping.of(view.plot.box))
        centres = np.array([(disc.centre.x(), disc.centre.y()) for disc in discs])
        rims = [disc.radius + 6 for disc in discs]  # of a disc or the rings around it
        for x, y in at.reshape(-1, 2).tolist():
            covered = (np.hypot(*(centres - (x, y)).T) < rims).any()
            u, v = on_view(view, QPointF(x, y))
            assert covered or changed[v - 1 : v + 2, u - 1 : u + 2].any()
        view.show_state(State())
        np.testing.assert_array_equal(pixels(view), plain)


@pytest.mark.parametrize(("name", "n_symbols"), FRAMES[:-1])
def test_paths_go_through_the_codewords_at_each_window(qtbot, name, n_symbols) -> None:
    frame = with_paths(name, n_symbols)
    view = drawn(qtbot, frame)
    at = path_places(view.plot.shown, Mapping.of(view.plot.box))
    for k, codebook in enumerate(frame.paths.codewords):
        for j, codeword in enumerate(codebook):
            place = at_pixel(view, frame.space.locate(codeword))
            np.testing.assert_allclose(at[k, j], (place.x(), place.y()), rtol=0, atol=1e-6)
