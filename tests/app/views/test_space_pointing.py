"""From the pointer over the signature space to signals, and highlighted parts."""

import itertools
import math

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.document.inspector import Pointer
from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.space.view import SpaceView, describe_state
from latviz.engine.frames.inspection import inspect
from tests.app.frames import frame_of, leave, pixels, told_by
from tests.app.views.spaces import (
    KINDS,
    MEDIUM,
    at,
    at_pixel,
    on_view,
    point_to,
    settled,
    shown,
    tip,
    uncovered,
)


@pytest.mark.parametrize("name", [*KINDS, "32 states"])
def test_pointing_at_a_disc_tells_its_state(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    told = told_by(view.state_hovered)
    for disc, place in uncovered(view):
        point_to(view, place)
        assert told[-1] == disc.state
    leave(view.plot)
    assert told[-1] is None
    assert all(a != b for a, b in itertools.pairwise(told))


def test_pointing_at_a_cell_tells_its_state(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    told = told_by(view.state_hovered)
    signatures = np.random.default_rng(0).dirichlet([1, 1, 1], 200)
    n_checked = 0
    for x, point in zip(signatures, frame.space.locate(signatures), strict=True):
        distances = np.sqrt(((frame.codebook - x) ** 2).sum(axis=1))
        pixel = at_pixel(view, point)
        on_disc = any(math.dist(at(pixel), at(d.centre)) < d.radius + 3 for d in view.plot.discs())
        on_edge = x.min() < 0.01  # the nearest whole pixel may be beyond it
        if on_disc or on_edge or np.diff(np.sort(distances))[0] < 0.03:
            continue
        told.clear()
        leave(view.plot)
        point_to(view, pixel)
        assert told[-1] == distances.argmin()
        n_checked += 1
    assert n_checked > 50


@pytest.mark.parametrize("name", ["two states", "density"])
def test_pointing_at_a_part_of_a_line_tells_its_state(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    found = frame.space
    left, _, width, _ = found.extent
    values = left + width * np.linspace(0.02, 0.98, 23)
    for value in values:
        if np.abs(found.boundaries - value).min() > 0.02 * width:
            wanted = int(np.abs(found.codewords[:, 0] - value).argmin())
            assert view.plot.state_at(at_pixel(view, np.array([value, 0.01]))) == wanted
    outside = at_pixel(view, np.array([left - 0.01 * width, 0.01]))
    assert view.plot.state_at(outside) == (
        None if name == "two states" else found.codewords[:, 0].argmin()
    )


def test_tool_tips_of_states(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    disc = view.plot.discs()[-1]
    row = frame.codebook[disc.state]
    share = 100 * frame.occupancy[disc.state] / frame.n_nodes
    wanted = (
        f"state {disc.state + 1} · {share:.1f} % of pixels · "
        f"B = ({row[0]:.3f}, {row[1]:.3f}, {row[2]:.3f})"
    )
    assert " ".join(tip(view, disc.centre).split()) == wanted


def test_descriptions_of_real_vectors_and_of_many_symbols() -> None:
    frame = frame_of("lab")
    assert describe_state(frame, 0).split(" · ")[2].startswith("mean L* ")
    many = frame_of("64 symbols")
    text, row = describe_state(many, 1), many.codebook[1]
    most = int(row.argmax())
    assert text.split(" · ")[2].startswith(
        f"mostly {many.observations.names[most]} ({row[most]:.3f}), "
    )
    assert text.count("(") == 4


@pytest.mark.parametrize("name", ["camera", "lab", "palette", "two states", "density"])
def test_the_inspected_signature_is_marked(qtbot: QtBot, name: str) -> None:
    frame = frame_of(name)
    view = shown(qtbot, SpaceView, frame, (700, 500))
    rows, columns = frame.states.shape
    for theme in (LIGHT, DARK):
        view.show_inspection(None)
        view.apply_theme(theme)
        settled(view)
        before = pixels(view)
        for k in range(0, 60, 18):
            found = inspect(frame, (rows // 2 + k, columns // 3 + 5 * k))
            view.show_inspection(found)
            after = pixels(view)
            place = at_pixel(view, frame.space.locate(found.signature))
            disc = next(d for d in view.plot.discs() if d.state == found.nearest[0][0])
            if frame.space.kind in ("segment", "histogram"):
                place.setY(disc.centre.y())
            changed = np.argwhere((before != after).any(axis=2))
            x, y = on_view(view, place)
            for dx, dy in ((5, 0), (-5, 0), (0, 5), (0, -5)):
                around = after[y + dy - 1 : y + dy + 2, x + dx - 1 : x + dx + 2]
                wanted = np.array(theme.color("text").getRgb()[:3])
                assert np.abs(around - wanted).sum(axis=2).min() < 150
            top, left = changed.min(axis=0)
            assert top <= y - 9
            assert left <= x - 9
    view.show_inspection(None)
    np.testing.assert_array_equal(pixels(view), before)


@pytest.mark.parametrize("name", KINDS)
def test_a_state_that_is_no_more_is_not_set_off(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, SpaceView, frame_of(name), MEDIUM)
    plain = pixels(view)
    view.show_pointer(Pointer(state=len(frame_of(name).occupancy)))
    np.testing.assert_array_equal(pixels(view), plain)
    view.show_pointer(Pointer(state=0))
    assert (pixels(view) != plain).any()
