"""The highlight is visible whatever colour a state has."""

import itertools

import numpy as np
import pytest
from PyQt6.QtGui import QColor
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.states.map_layer import faded_table
from latviz.app.views.states.view import StatesView
from latviz.app.views.viewer.veil import veil_over
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests.app.frames import pixels
from tests.new_frames import new_frame

GREYS = [(k, k, k) for k in range(0, 256, 15)]
COLORS = [*GREYS, *map(tuple, SLOT_COLORS.tolist()), (255, 0, 0), (0, 0, 255), (0, 255, 0)]


def luminance(color) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = np.asarray(color, float) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(one, other) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_state_of_any_colour_has_three_times_the_contrast_of_the_rest() -> None:
    for lit, other in itertools.product(COLORS, COLORS):
        *veil, alpha = veil_over([lit], [1])[0].astype(float)
        below = faded_table(np.array([lit, other], np.uint8), 0)[1]
        rest = (alpha * np.array(veil) + (255 - alpha) * below) / 255
        assert contrast(lit, rest) >= 2.95, (lit, other)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("color", ["#000000", "#202020", "#5a5a5a", "#888888", "#ffffff"])
def test_it_is_painted_so(qtbot: QtBot, theme, color: str) -> None:
    halves = np.repeat(np.repeat([[0, 255]], 20, axis=1), 30, axis=0).astype(np.uint8)
    picture = Picture(halves, "halves")
    looks = Looks(own=(Look(0, "", color), Look(1, "", "#606060")))
    parameters = Parameters(n_states=2, window=0)
    asked = {"looks": looks, "selection": StateSelection(0)}
    frame = new_frame(picture, parameters, complete=True, **asked)
    view = StatesView()
    qtbot.addWidget(view)
    view.apply_theme(theme)
    view.show_picture(picture)
    view.show_state(State(pictures=as_set(picture), parameters=parameters, **asked))
    view.resize(500, 400)
    view.show()
    view.show_frame(frame)
    drawn = pixels(view.canvas)
    rows = drawn[drawn.shape[0] // 2]
    lit, rest = rows[len(rows) // 2 - 60], rows[len(rows) // 2 + 60]
    assert QColor(color).getRgb()[:3] == tuple(lit.tolist())
    assert contrast(lit, rest) >= 2.9
