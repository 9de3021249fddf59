"""The paths of the codewords in the view of the signature space."""

from functools import cache

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from latviz.app.document.inspector import Pointer
from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.space.items import path_places
from latviz.app.views.space.layout import Mapping
from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import NEEDED, Frame
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from tests.app.frames import pixels
from tests.app.views.spaces import MEDIUM, at_pixel, on_view, picture, shown
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


def test_on_a_line_the_height_is_the_window(qtbot: QtBot) -> None:
    view = drawn(qtbot, with_paths("quantiles", 2))
    at = path_places(view.plot.shown, Mapping.of(view.plot.box))
    assert (np.diff(at[:, :, 1], axis=0) < 0).all()
    np.testing.assert_array_equal(at[:, 0, 1], at[:, 1, 1])
    assert at[:, :, 1].max() < view.plot.box.height()
    assert at[:, :, 1].min() > max(disc.centre.y() for disc in view.plot.discs())


def test_the_codewords_of_w_l_have_a_ring_whatever_w_is(qtbot: QtBot) -> None:
    within, beyond = with_paths("quantiles", 3, 4), with_paths("quantiles", 3, 40)
    rings = []
    for frame in (within, beyond):
        view = shown(qtbot, SpaceView, frame, SIZE)
        plain = pixels(view)
        view.show_state(State(display=Display(paths=True)))
        changed = (pixels(view) != plain).any(axis=2)
        for disc in view.plot.discs():
            radius, angles = disc.radius + 4, np.linspace(0, 2 * np.pi, 40)
            x, y = on_view(view, disc.centre)
            u, v = np.rint(x + radius * np.cos(angles)), np.rint(y + radius * np.sin(angles))
            rings.append(changed[v.astype(int), u.astype(int)].mean())
    assert min(rings[:4]) > 0.9
    assert min(rings[4:]) < 0.5


def test_paths_of_other_states_fade(qtbot: QtBot) -> None:
    view = drawn(qtbot, with_paths("quantiles", 3))
    before = pixels(view)
    view.show_state(State(display=Display(paths=True)))
    view.show_pointer(Pointer(state=1))
    assert (pixels(view) != before).any()


def test_a_frame_without_paths_has_none_to_draw(qtbot: QtBot) -> None:
    photo = picture("camera")
    plain = new_frame(photo, Parameters(Encoding("quantiles", 3)))
    view = shown(qtbot, SpaceView, plain, MEDIUM)
    before = pixels(view)
    view.show_state(State(display=Display(paths=True)))
    np.testing.assert_array_equal(pixels(view), before)
