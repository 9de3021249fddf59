"""The parts of the trade-off view: places of numbers, and their words."""

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRect
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.tradeoff.curves import value_at, value_range
from latviz.app.views.tradeoff.maps import colors_of, spread
from latviz.app.views.tradeoff.panel import TradeOffScene, captions_of, numbers_text
from latviz.app.views.tradeoff.spec import table_rows
from latviz.app.views.tradeoff.view import SOON_MS, TradeOffView, arranged
from latviz.app.widgets import painting
from latviz.app.widgets.lifetimes import image_of
from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.curves import curves_of
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import Chosen, TradeOff
from latviz.engine.explain.stepping import sweep_film
from latviz.engine.frames import section
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.axes import ticks
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.palette import SLOT_COLORS, coloured
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import is_color, pixels, shown, tip_at
from tests.engine.choosing.test_sweeping import LABELS, Counting, filled, frame_of

SIZES = [(240, 240), (400, 300), (640, 300), (1280, 250), (1000, 700), (1900, 330)]


@cache
def case() -> tuple[Frame, TradeOff]:
    frame = frame_of(Parameters(LABELS, n_states=3, window=4))
    return frame, filled(Sweeping(), frame)


def view_of(qtbot, size=(1000, 700), trade_off=None, chosen=None) -> TradeOffView:
    frame, found = case()
    view = shown(qtbot, TradeOffView, frame, size)
    view.show_parameters(frame.request.parameters)
    view.show_trade_off(trade_off or found)
    if chosen is not None:
        view.show_chosen(chosen)
    qtbot.waitUntil(lambda: view.curves.scene is not None)
    qtbot.wait(2 * SOON_MS)
    return view


def chosen_of(n: int, w: int) -> Chosen:
    found = case()[1]
    return Chosen(found.scope, "both", n, w, "so", "because", "by a rule")


@pytest.mark.parametrize("size", SIZES)
def test_parts_and_labels_of_maps_have_room_and_do_not_overlap(qtbot, size) -> None:
    view = view_of(qtbot, size, chosen=chosen_of(3, 5))
    visible = [panel for panel in view.panels if panel.isVisible()]
    assert len(visible) == (1 if size[0] < 620 else 4)
    for theme in (LIGHT, DARK):
        view.apply_theme(theme)
        for panel in visible:
            assert panel.width() > 100
            assert panel.height() > 100
            assert not is_color(pixels(panel), theme.panel).all()
    for one, other in combinations(visible, 2):
        assert not one.geometry().intersects(other.geometry())
    film = view.film
    font = painting.scaled(film.font(), 0.9)
    maps = film.shown(film.scene)
    for _, room, label in maps:
        assert painting.text_width(font, label) <= room.width()
    for letter in "wN":
        row = [room for _, room, label in maps if label[0] == letter]
        assert all(one.right() <= other.left() for one, other in pairwise(row))


def test_tabs_show_one_part_at_a_time(qtbot: QtBot) -> None:
    view = view_of(qtbot, (300, 300))
    for k, panel in enumerate(view.panels):
        view.tabs.setCurrentIndex(k)
        assert [other for other in view.panels if other.isVisible()] == [panel]


def test_arranged_parts_fill_their_room() -> None:
    for size in ((1280, 220), (900, 600)):
        rects = arranged(QRect(0, 0, *size))
        assert sum(rect.width() * rect.height() for rect in rects) == size[0] * size[1]


def test_the_cursor_is_at_w_in_every_plot(qtbot: QtBot) -> None:
    view = view_of(qtbot)
    scene, image = view.curves.scene, pixels(view.curves)
    plots = curves_of(scene.trade_off)
    assert len(plots) == 4
    for plot, room in zip(plots, view.curves.rects(4), strict=True):
        axes = view.curves.axes(scene, plot, room)
        x, top, bottom = axes.x(4), round(axes.rect.top()) + 1, round(axes.rect.bottom()) - 1
        columns = image[top:bottom, round(x) - 1 : round(x) + 2]
        assert is_color(columns, LIGHT.accent).any(axis=1).mean() > 0.7
        assert [axes.w(axes.x(w)) for w in range(21)] == list(range(21))


def test_marks_are_at_the_least_code_length(qtbot: QtBot) -> None:
    view = view_of(qtbot)
    scene, found = view.curves.scene, case()[1]
    row = {s.window: s.code_length for s in found.row(3)}
    best = min(row, key=lambda w: row[w])
    assert found.best_window(3) == best
    plot, room = curves_of(scene.trade_off)[0], view.curves.rects(4)[0]
    axes = view.curves.axes(scene, plot, room)
    x, y = round(axes.x(best)), round(axes.y(row[best]))
    there = is_color(pixels(view.curves)[y - 3 : y + 4, x - 3 : x + 4], LIGHT.warning)
    assert there.mean() > 0.3
    cell = view.table.cell(view.table.scene, (3, best)).center().toPoint()  # type: ignore[arg-type]
    assert is_color(pixels(view.table)[cell.y() - 2 : cell.y() + 3, cell.x()], LIGHT.warning).any()


def test_errors_below_0_are_bits_saved_on_axes_in_titles_tips_and_captions(qtbot: QtBot) -> None:
    """All code lengths are 3 bits less, as if the numbers had a unit an eighth as large."""
    found = case()[1]
    less = {p: replace(s, code_length=s.code_length - 3) for p, s in found.settings.items()}
    view = view_of(qtbot, trade_off=replace(found, settings=less, one=found.one - 3))
    scene, plot = view.curves.scene, curves_of(view.curves.scene.trade_off)[0]
    assert plot.titles[0] == "Bits saved over one state"
    saved = found.one - found.settings[3, 5].code_length
    assert dict(plot.points(scene.trade_off, 3))[5] == pytest.approx(saved)
    axes = view.curves.axes(scene, plot, view.curves.rects(4)[0])
    assert axes.up[0] > -0.5
    assert f"\nsaves {saved:.3f} bits over one state\n" in numbers_text(scene, (3, 5))
    assert captions_of(view.table.captions, scene)[0].startswith("Bits saved per pixel by N and w")
    plain = view_of(qtbot).curves.scene
    assert curves_of(plain.trade_off)[0].titles[0] == "Prediction error, bits per pixel"
    assert "\nprediction error " in numbers_text(plain, (3, 5))


def test_what_was_chosen_is_withheld_while_a_lesson_asks(qtbot: QtBot) -> None:
    bar = view_of(qtbot, chosen=chosen_of(3, 5)).bar
    assert bar.text.isVisible()
    for asked in (True, False):
        bar.parentWidget().show_asked(asked)
        assert bar.text.isVisible() == bar.rule.isVisible() == (not asked)
    bar.show_asked(True)
    bar.show_chosen(chosen_of(4, 2))
    assert bar.text.isHidden()
    assert bar.rule.isHidden()
    bar.show_asked(False)
    assert bar.text.whole_text() == "so. because"
    assert bar.text.isVisible()


def test_what_was_chosen_is_said_until_it_is_set_otherwise(qtbot: QtBot) -> None:
    view, set_so = view_of(qtbot), Parameters(LABELS, n_states=3, window=5)
    view.show_state(replace(view.state, parameters=set_so))
    view.show_chosen(chosen_of(3, 5))
    view.show_state(replace(view.state, parameters=replace(set_so, alpha=0.5)))
    assert view.bar.text.whole_text() == "so. because"
    view.show_state(replace(view.state, parameters=replace(set_so, window=4)))
    assert not view.bar.text.whole_text()


def test_what_was_chosen_is_marked_if_it_is_in_the_table(qtbot: QtBot) -> None:
    def marked(*place: int) -> int:
        table = view_of(qtbot, chosen=chosen_of(*place)).table
        return int(is_color(pixels(table), LIGHT.warning).sum())

    outside = {marked(*place) for place in ((3, 21), (3, 64), (9, 4), (255, 64))}
    assert len(outside) == 1
    assert marked(3, 20) > max(outside) + 20
    view = view_of(qtbot, chosen=chosen_of(3, 20))
    view.show_state(replace(view.state, parameters=Parameters(Encoding("quantiles", 5))))
    scene = view.scene()
    assert scene.chosen is None, "chosen with another encoding"


def test_numbers_are_told(qtbot: QtBot) -> None:
    view, found = view_of(qtbot), case()[1]
    scene = view.table.scene
    setting = found.settings[5, 7]
    at = view.table.cell(scene, (5, 7)).center()
    assert view.table.place_at(scene, at) == (5, 7)
    text = tip_at(view.table, at.x(), at.y())
    assert text.startswith("N = 5, w = 7\n")
    assert f"{setting.code_length:.3f} ± {setting.standard_error:.3f} bits" in text
    assert f"associativity {setting.associativity:.3f}, inertia {setting.inertia:.3f}" in text
    assert f"accuracy {100 * setting.accuracy:.1f}\N{NO-BREAK SPACE}%" in text
    wanted = [setting.code_length, setting.associativity, setting.inertia, setting.accuracy]
    five = view_scene(view, Parameters(LABELS, n_states=5, window=4))
    assert [value_at(five, plot, 7) for plot in curves_of(scene.trade_off)] == wanted


def view_scene(view: TradeOffView, parameters: Parameters) -> TradeOffScene:
    view.show_parameters(parameters)
    return view.scene()


def test_what_is_not_there_is_left_out(qtbot: QtBot) -> None:
    frame = case()[0]
    one = Sweeping().next(frame, Counting())
    view = view_of(qtbot, trade_off=one)
    scene = view.table.scene
    shades = view.table.shades(scene)
    assert shades.shape == (8, 21, 4)
    assert [int(k) for k in np.flatnonzero(shades[..., 3].any(axis=0))] == [0]
    at = view.table.cell(scene, (5, 9)).center()
    assert tip_at(view.table, at.x(), at.y()) == "N = 5, w = 9: not yet computed"
    assert view.bar.rule.whole_text() == "4 % of the settings are computed"  # 1 of 21
    view.show_trade_off(None)
    qtbot.waitUntil(lambda: view.curves.scene is None)
    assert view.bar.rule.whole_text() == ""


def test_the_range_shows_the_present_n_its_band_and_the_threshold(qtbot: QtBot) -> None:
    scene = view_of(qtbot).scene()
    found = scene.trade_off
    plots = curves_of(scene.trade_off)
    low, high = value_range(scene, plots[0])
    for setting in found.row(3)[1:]:  # without w = 0, which is far off
        assert low < setting.code_length - setting.standard_error
        assert high > setting.code_length + setting.standard_error
    low, high = value_range(scene, plots[2])
    assert low < 0.9 < high


def test_maps_wear_the_frame_s_colours(qtbot: QtBot) -> None:
    view, (frame, found) = view_of(qtbot), case()
    scene = view.film.scene
    image = image_of(coloured(found.maps[3, 4], colors_of(scene.appearance)))
    wanted = SLOT_COLORS[np.array(frame.slots)[frame.states]]
    rows, columns = np.indices(frame.states.shape).reshape(2, -1)[:, ::37]
    same = [
        image.pixelColor(int(c), int(r)).getRgb()[:3] == tuple(int(k) for k in wanted[r, c])
        for r, c in zip(rows, columns, strict=True)
    ]
    assert all(same)
    pixels(view.film)  # which keeps the maps that it has coloured
    looks = Looks(own=(Look(frame.slots[0], color="#fe01fd"),))
    view.show_frame(replace(frame, appearance=replace(frame.appearance, looks=looks)))
    qtbot.waitUntil(lambda: view.film.scene.appearance.looks == looks)
    assert is_color(pixels(view.film), "#fe01fd").any()


def test_of_a_large_picture_bands_are_drawn_and_the_setting_on_screen(qtbot, monkeypatch) -> None:
    """No small map, score or number of another setting, which would not be those of the picture."""
    frame, _ = case()  # first: it is kept for the other tests
    monkeypatch.setattr(section, "MOST", 2000)
    part = filled(Sweeping(), frame)
    assert not part.exact
    view = view_of(qtbot, trade_off=part)
    assert [panel.isVisible() for panel in view.panels] == [True, False, False, False]
    assert not any(view.tabs.isTabEnabled(k) for k in range(1, 4))
    scene = view.curves.scene
    plots = curves_of(scene.trade_off)
    assert value_at(scene, plots[1], 4) == frame.associativity
    assert value_at(scene, plots[1], 5) is None
    by_belief = replace(frame.request.parameters, decoder="belief")
    assert value_at(view_scene(view, by_belief), plots[1], 4) is None
    view.show_parameters(frame.request.parameters)
    axes = view.curves.axes(scene, plots[1], view.curves.rects(len(plots))[1])
    tip = tip_at(view.curves, axes.x(9), axes.rect.center().y())
    assert tip == "N = 3, w = 9: click to set it. The band is computed from the picture's middle"
    assert table_rows(part) == []
    assert not sweep_film(part, 3).steps


def test_ticks_are_round_and_few() -> None:
    np.testing.assert_allclose(ticks(0.03, 0.97, 4), [0.5], rtol=1e-12)
    np.testing.assert_allclose(ticks(1.93, 2.31, 4), [2.0, 2.1, 2.2, 2.3], rtol=1e-12)
    assert ticks(-4.2, 0.1, 3) == [-4, -2, 0]


def test_spread_keeps_ends_and_the_current_one() -> None:
    row = [(3, w) for w in range(21)]
    assert spread(row, (3, 4), 21) == row
    some = spread(row, (3, 13), 6)
    assert len(some) == 6
    assert {(3, 0), (3, 20), (3, 13)} <= set(some)
    assert some == sorted(some)
    assert spread(row, (3, 5), 1) == [(3, 5)]


def test_nothing_is_outside_of_a_part(qtbot: QtBot) -> None:
    view = view_of(qtbot)
    scene = view.scene()
    assert all(panel.place_at(scene, QPointF(-5, -5)) is None for panel in view.panels)
