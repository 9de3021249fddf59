"""The sheet of the trade-off: places of columns and numbers, and their words."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT
from latviz.app.views.tradeoff.columns import SheetAxis, columns, placed, spread
from latviz.app.views.tradeoff.maps import colors_of
from latviz.app.views.tradeoff.scene import numbers_text
from latviz.app.views.tradeoff.spec import table_rows
from latviz.app.views.tradeoff.view import SOON_MS, TradeOffView
from latviz.app.widgets.lifetimes import image_of
from latviz.app.widgets.slider import Slider
from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.scales import over_windows
from latviz.engine.choosing.scaling import scales_of
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import Chosen, TradeOff
from latviz.engine.explain.stepping import sweep_film
from latviz.engine.frames import section
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import keep
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.palette import SLOT_COLORS, coloured
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests.app.frames import is_color, pixels, shown, tip_at
from tests.engine.choosing.test_sweeping import LABELS, Counting, filled, frame_of

SIZES = [(240, 240), (400, 300), (1000, 290), (1020, 720), (1560, 1000)]
WINDOWS = tuple(range(21))


@cache
def case() -> tuple[Frame, TradeOff]:
    frame = frame_of(Parameters(LABELS, n_states=3, window=4))
    return frame, filled(Sweeping(), frame)


def view_of(qtbot, size=(1000, 700), trade_off=None, chosen=None, **state) -> TradeOffView:
    frame, found = case()
    view = shown(qtbot, TradeOffView, None, size)
    view.show_state(State(parameters=state.pop("parameters", frame.request.parameters), **state))
    view.show_frame(frame)
    view.show_trade_off(trade_off or found)
    if chosen is not None:
        view.show_chosen(chosen)
    settle(qtbot, view)
    return view


def settle(qtbot: QtBot, view: TradeOffView) -> None:
    qtbot.wait(2 * SOON_MS)
    qtbot.waitUntil(lambda: view.is_settled)


def chosen_of(n: int, w: int) -> Chosen:
    found = case()[1]
    return Chosen(found.scope, "both", n, w, "so", "because", "by a rule")


def test_windows_lie_as_on_their_slider(qtbot: QtBot) -> None:
    slider = Slider("log")
    qtbot.addWidget(slider)
    slider.setRange(0, 20)
    axis = SheetAxis(WINDOWS, True, 0.0, 1.0)
    assert [axis.x(w) for w in WINDOWS] == pytest.approx([slider.share_of(w) for w in WINDOWS])
    assert all(axis.nearest(axis.x(w)) == w for w in WINDOWS)
    even = SheetAxis((1, 2, 5), False, 10.0, 50.0)
    assert [even.x(n) for n in (1, 2, 5)] == [10, 20, 50]
    assert SheetAxis((4,), False, 10.0, 50.0).x(4) == 30
    assert spread((4,), False, 1) == ((4,), 1.0)


@pytest.mark.parametrize("by_ratio", [True, False])
@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_columns_are_as_far_apart_as_they_can(count: int, by_ratio: bool) -> None:
    values = WINDOWS[:9]
    axis = SheetAxis(values, by_ratio, 0.0, 1.0)
    found, share = spread(values, by_ratio, count)
    assert len(found) == count
    assert (found[0], found[-1]) == (0, 8)

    def fit(least: float) -> int:
        last, kept = 0, 1
        for value in values:
            if axis.x(value) - axis.x(last) >= least:
                last, kept = value, kept + 1
        return kept

    assert share == min(axis.x(b) - axis.x(a) for a, b in pairwise(found))
    assert fit(share) >= count
    assert fit(share + 1e-9) < count


@pytest.mark.parametrize("aspect", [0.25, 1.0, 1.5, 4.0])
@pytest.mark.parametrize("wide", [240, 760, 1020, 1560])
def test_maps_stay_in_their_room_and_apart_wherever_the_current_and_kept_are(wide, aspect) -> None:
    room, high = QRectF(0, 0, wide, 700), 190.0
    axis, shown_, width = columns(WINDOWS, True, room, (140.0, 60.0), aspect, high)
    assert width / aspect <= high + 1e-9
    for now in (0, 3, 4, 7, 19, 20):
        for kept in (None, 0, 1, 4, 5, 20):
            middles = placed(axis, shown_, width, now, kept)
            assert {now} | ({kept} - {None}) <= set(middles)
            assert list(middles) == sorted(middles)
            xs = list(middles.values())
            assert all(b - a >= width - 1e-6 for a, b in pairwise(xs))
            assert xs[0] - width / 2 >= 0
            assert xs[-1] + width / 2 <= wide
            if kept is None:  # the line at the current place meets its map
                assert abs(axis.x(now) - middles[now]) <= max(width / 2, 0.2 * wide)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("turned", [False, True])
def test_the_sheet_has_one_axis_at_every_size(qtbot, size, turned) -> None:
    view = view_of(qtbot, size)
    view.turn(turned)
    settle(qtbot, view)
    scene, sheet = view.sheet.scene, view.sheet
    layout = sheet.layout_of(scene)
    names = [curve.name for curve, _ in layout.plots]
    assert names == ["code_length", "associativity", "inertia", "accuracy"][: len(names)]
    assert len(names) == 4 or size[1] < 700
    assert {(axes.left, axes.width) for _, axes in layout.plots} == {
        (layout.axis.left, layout.axis.right - layout.axis.left)
    }
    rooms = [*layout.maps.values(), *(axes.rect for _, axes in layout.plots)]
    assert all(QRectF(sheet.rect()).contains(rect) for rect in rooms)
    lowest = max(rect.bottom() for rect in layout.maps.values())
    assert all(lowest < axes.top for _, axes in layout.plots)
    assert all(a.rect.bottom() < b.top for (_, a), (_, b) in pairwise(layout.plots))
    for theme in (LIGHT, DARK):
        view.apply_theme(theme)
        settle(qtbot, view)
        image, x = pixels(sheet), layout.axis.x(scene.value)
        for _, axes in layout.plots:
            top, bottom = round(axes.rect.top()) + 1, round(axes.rect.bottom()) - 1
            line = image[top:bottom, max(0, round(x) - 2) : round(x) + 3]
            assert is_color(line, theme.accent).any(axis=1).mean() > 0.6


def test_numbers_of_places_under_the_pointer(qtbot: QtBot) -> None:
    view, found = view_of(qtbot), case()[1]
    scene, sheet = view.sheet.scene, view.sheet
    layout = sheet.layout_of(scene)
    curves = {curve.name: (curve, axes) for curve, axes in layout.plots}
    for w in WINDOWS:
        assert sheet.value_at(scene, QPointF(layout.axis.x(w), layout.plots[1][1].top)) == w
    for w, rect in layout.maps.items():
        assert sheet.value_at(scene, rect.topLeft() + QPointF(1, 1)) == w
    setting = found.settings[3, 7]
    text = tip_at(sheet, layout.axis.x(7), layout.plots[2][1].top + 5)
    assert text.startswith("N = 3, w = 7\n")
    assert f"{setting.code_length:.3f} ± {setting.standard_error:.3f} bits" in text
    assert f"associativity {setting.associativity:.3f}, inertia {setting.inertia:.3f}" in text
    assert f"accuracy {100 * setting.accuracy:.1f}\N{NO-BREAK SPACE}%" in text
    for name, (curve, _) in curves.items():
        assert scene.number(curve, (3, 7)) == getattr(setting, name)
    view.turn(True)
    settle(qtbot, view)
    scene = sheet.scene
    x = sheet.layout_of(scene).axis.x(5)
    text = tip_at(sheet, x, layout.plots[2][1].top + 5)
    assert text.startswith("N = 5, w = 4\n")
    assert dict(scene.points(curves["inertia"][0], scene.row)) == {
        n: found.settings[n, 4].inertia for n in range(1, 9)
    }


def test_the_reference_keeps_its_column_and_is_in_words(qtbot: QtBot) -> None:
    frame, found = case()
    kept = keep(frame)
    wider = replace(frame.request.parameters, window=6, learning_window=4)
    view = view_of(qtbot, parameters=wider, compared=kept)
    scene = view.sheet.scene
    assert (scene.reference, scene.kept, scene.value) == ((3, 4), 4, 6)
    assert {4, 6} <= set(view.sheet.layout_of(scene).maps)
    said = view.keyboard.accessibleDescription()
    assert "Reference: N = 3, w = 4, prediction error" in said
    other = replace(wider, n_states=5)
    scene = view_of(qtbot, parameters=other, compared=kept).sheet.scene
    assert (scene.reference, scene.kept) == ((3, 4), None)  # it is on another line
    finer = replace(wider, encoding=Encoding("quantiles", 5))
    assert view_of(qtbot, parameters=finer, compared=kept).sheet.scene.reference is None
    assert found.settings[3, 4]


def test_lives_lie_on_the_axis_of_the_sheet(qtbot: QtBot) -> None:
    frame = case()[0]
    view = view_of(qtbot)
    sheet, codebook = view.sheet, frame.codewords
    assert sheet.rivers.isVisible()  # its room is kept
    assert sheet.rivers.river is None
    view.show_scales(scales_of(frame, codebook))
    settle(qtbot, view)
    assert sheet.rivers.river is not None
    assert sheet.rivers.now == 4
    axis = sheet.layout_of(sheet.scene).axis
    places = np.array([axis.x(w) - sheet.rivers.x() for w in WINDOWS])
    assert [sheet.rivers.x_of(w) for w in WINDOWS] == pytest.approx(places)
    np.testing.assert_allclose(sheet.rivers.value_at(places), WINDOWS, atol=1e-9)
    assert np.isnan(sheet.rivers.value_at(np.array([places[0] - 1, places[-1] + 1]))).all()
    holding = over_windows(scales_of(frame, codebook).lives, 4)
    assert f"{holding}. 100 %" in view.keyboard.accessibleDescription()
    at = QPointF(sheet.rivers.geometry().center())
    assert "line is a region" in sheet.tip_at(at) or "%" in sheet.tip_at(at)
    with qtbot.waitSignal(view.wanted) as told:  # the sheet takes its clicks
        QTest.mouseClick(
            sheet, Qt.MouseButton.LeftButton, pos=QPoint(round(axis.x(9)), int(at.y()))
        )
    assert told.args == [(3, 9)]
    view.turn(True)
    settle(qtbot, view)
    assert sheet.rivers.isHidden()


def test_errors_below_0_are_bits_saved(qtbot: QtBot) -> None:
    """All code lengths are 3 bits less, as if the numbers had a unit an eighth as large."""
    found = case()[1]
    less = {p: replace(s, code_length=s.code_length - 3) for p, s in found.settings.items()}
    scene = view_of(qtbot, trade_off=replace(found, settings=less, one=found.one - 3)).sheet.scene
    curve = scene.plots(())[0]
    assert curve.titles[0] == "Bits saved over one state"
    saved = found.one - found.settings[3, 5].code_length
    assert dict(scene.points(curve, scene.row))[5] == pytest.approx(saved)
    assert scene.range(curve)[0] > -0.5
    assert f"\nsaves {saved:.3f} bits over one state\n" in numbers_text(scene, (3, 5))
    plain = view_of(qtbot).sheet.scene
    assert plain.plots(())[0].titles[0] == "Prediction error, bits per pixel"
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


def test_what_is_not_there_is_left_out(qtbot: QtBot) -> None:
    view = view_of(qtbot, trade_off=Sweeping().next(case()[0], Counting()))
    sheet, scene = view.sheet, view.sheet.scene
    x = sheet.layout_of(scene).axis.x(9)
    assert tip_at(sheet, x, sheet.height() - 80) == "N = 3, w = 9: not yet computed"
    assert {s.window for s in scene.row} == {0}
    assert view.bar.rule.whole_text() == "4 % of the settings are computed"  # 1 of 21
    pixels(sheet)
    view.show_trade_off(None)
    qtbot.waitUntil(lambda: sheet.scene is None)
    assert view.bar.rule.whole_text() == ""


def test_maps_wear_the_frame_s_colours(qtbot: QtBot) -> None:
    view, (frame, found) = view_of(qtbot), case()
    image = image_of(coloured(found.maps[3, 4], colors_of(view.sheet.scene.appearance)))
    wanted = SLOT_COLORS[np.array(frame.slots)[frame.states]]
    rows, columns_ = np.indices(frame.states.shape).reshape(2, -1)[:, ::37]
    assert all(
        image.pixelColor(int(c), int(r)).getRgb()[:3] == tuple(int(k) for k in wanted[r, c])
        for r, c in zip(rows, columns_, strict=True)
    )
    pixels(view.sheet)  # which keeps the maps that it has coloured
    looks = Looks(own=(Look(frame.slots[0], color="#fe01fd"),))
    view.show_frame(replace(frame, appearance=replace(frame.appearance, looks=looks)))
    qtbot.waitUntil(lambda: view.sheet.scene.appearance.looks == looks)
    assert is_color(pixels(view.sheet), "#fe01fd").any()


def test_of_a_large_picture_bands_are_drawn_and_the_setting_on_screen(qtbot, monkeypatch) -> None:
    """No small map, score or number of another setting, which would not be those of the picture."""
    frame, _ = case()  # first: it is kept for the other tests
    monkeypatch.setattr(section, "MOST", 2000)
    part = filled(Sweeping(), frame)
    assert not part.exact
    view = view_of(qtbot, trade_off=part)
    scene, sheet = view.sheet.scene, view.sheet
    layout = sheet.layout_of(scene)
    assert not layout.maps
    assert scene.note.startswith("The picture has more than ")
    curve, axes = layout.plots[1]
    assert scene.number(curve, (3, 4)) == frame.associativity
    assert scene.number(curve, (3, 5)) is None
    pixels(sheet)
    tip = tip_at(sheet, layout.axis.x(9), axes.rect.center().y())
    assert tip == "N = 3, w = 9: click to set it. The band is computed from the picture's middle"
    assert len(table_rows(part)) == 1 + len(part.settings)
    assert not sweep_film(part, 3).steps
    by_belief = replace(frame.request.parameters, decoder="belief")
    view.show_state(replace(view.state, parameters=by_belief))
    assert view.scene().number(curve, (3, 4)) is None
