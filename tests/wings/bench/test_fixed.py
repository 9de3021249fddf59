"""A fixed truth: its views, its cursor, and that only the newest experiment is shown."""

import re
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.look import theme as themes
from latviz.core import bias_variance, digits, sample_blobs
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.wings.bench.copies import Outcome, run
from latviz.wings.bench.curves import FADE_AFTER_MS
from latviz.wings.bench.document import PATIENCE_S, BenchThread
from latviz.wings.bench.experiment import WINDOWS, Experiment
from latviz.wings.bench.sweeps import Order
from latviz.wings.bench.window import BenchWindow
from tests.app.conftest import drag
from tests.app.program.test_window import pixels_of
from tests.app.work.test_meters import meters
from tests.core.cases import Recorder
from tests.wings.bench.conftest import SMALL, discard, opened, settle
from tests.wings.bench.test_document import check_keyboard

Key = Qt.Key


def test_the_best_w_moves_as_the_task_says() -> None:
    """More noise makes it larger, smaller regions smaller."""

    def best(noise: float, scale: float) -> int:
        truth = sample_blobs((128, 128), n_states=4, scale=scale, random_state=1)
        emission = (1 - noise) * np.eye(4) + noise / 4
        windows = range(1, 9)
        found = bias_variance(truth, emission=emission, windows=windows, replicates=4)
        return windows[int(found.error.argmin())]

    assert best(0.3, 12.0) + 2 < best(0.8, 12.0) > best(0.8, 6.0)


def test_it_shows_what_the_core_says_and_lets_itself_be_pointed_at(lab: BenchWindow) -> None:
    wanted = bias_variance(
        SMALL.make_truth(), emission=SMALL.emission, windows=WINDOWS, replicates=SMALL.replicates
    )
    for window in (0, 5, 20):
        lab.document.set_window(window)
        error, bias, variance, *_ = (series.text_at(window) for series in lab.curves.series)
        for text, values in ((error, wanted.error), (bias, wanted.bias)):
            assert text.startswith(f"{100 * values[window]:.1f} ± ")
        assert lab.maps.bias.title.text() == f"Bias · {digits.share(wanted.bias[window])}"
        np.testing.assert_array_equal(lab.maps.bias.layer.image, wanted.bias_maps[window])
        np.testing.assert_array_equal(lab.maps.decoded.layer.image, wanted.modes[window])
        heat = lab.maps.variance.layer.image / 255 * (1 - 1 / SMALL.n_states)
        np.testing.assert_allclose(heat, wanted.variance_maps[window], rtol=0, atol=0.0014)
        assert variance.startswith(f"{100 * wanted.variance[window]:.1f}")
    np.testing.assert_array_equal(lab.maps.truth.layer.image, SMALL.make_truth())
    best = int(wanted.error.argmin())
    assert f"least error is at w = {best}." in lab.curves.accessibleDescription()

    # Maps share zoom and pan.
    first, *others = (panel.canvas for panel in lab.maps.panels)
    first.zoom(3.0)
    for other in others:
        assert other.scale_factor == pytest.approx(first.scale_factor, rel=0.02)
        assert not other.whole
    others[-1].show_all()
    assert first.whole

    # All focusable widgets are named and reached.
    check_keyboard(lab, lab.controls["mode"])

    # Cursor and slider are one.
    lab.document.set_window(3)
    curves, slider = lab.curves, lab.controls["window"].slider
    y = round(curves.plot.center().y())

    def at(window: int) -> QPoint:
        return QPoint(round(curves.axes().x(window)), y)

    QTest.mousePress(curves, Qt.MouseButton.LeftButton, pos=at(3))
    for window in (4, 9, 14):
        QTest.mouseMove(curves, at(window))
        assert lab.document.value.window == slider.value() == window
    QTest.mouseRelease(curves, Qt.MouseButton.LeftButton, pos=at(14))
    QTest.mouseMove(curves, at(2))
    assert slider.value() == 14
    before = pixels_of(curves)
    drag(slider, 6)
    assert lab.document.value.window == 6
    assert (pixels_of(curves) != before).any()
    assert curves.accessibleDescription().startswith("At w = 6: Error ")
    curves.setFocus()
    QTest.keyClick(curves, Key.Key_Right)
    QTest.keyClick(curves, Key.Key_Right)
    QTest.keyClick(curves, Key.Key_Left)
    assert lab.document.value.window == slider.value() == 7
    for _ in range(9):
        QTest.keyClick(curves, Key.Key_Left)
    assert slider.value() == 0
    QTest.keyClick(curves, Key.Key_Home)
    outcome = lab.document.outcome
    assert slider.value() == outcome.best
    QTest.keyClick(lab, Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert slider.value() == outcome.best + 1
    lab.document.set_window(99)
    assert slider.value() == WINDOWS[-1]
    assert lab.document.outcome is outcome  # w is looked up, and nothing is computed again
    assert lab.document.activity.work == "idle"

    # The status of a pixel shows its truth, its mode and its share.
    outcome = lab.document.outcome
    lab.document.set_window(3)
    r, canvas = outcome.result, lab.maps.truth.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, Key.Key_Right)
    QTest.keyClick(canvas, Key.Key_Down)
    node = lab.document.node
    assert node == (33, 32)
    share = digits.share(1 - r.variance_maps[3][node])
    text = (
        f"Row 33, column 32: true state {outcome.truth[node] + 1}, "
        f"commonest state {r.modes[3][node] + 1}, in {share} of the copies."
    )
    assert lab.message.whole_text() == f"20 of 20 copies.  {text}"
    for panel in lab.maps.panels:
        assert text in panel.canvas.accessibleDescription()
    lab.document.set(side=128)
    lab.document.point_at((100, 100))
    lab.document.set(side=64)
    lab.document.point_at(None)
    assert "Row" not in lab.message.whole_text()


def test_the_newest_experiment_wins(lab: BenchWindow, qtbot: QtBot) -> None:
    told: list[Outcome] = []
    lab.document.set(replicates=80)
    lab.document.outcome_changed.connect(told.append)
    for noise in np.linspace(0.2, 0.8, 14).round(3):
        lab.document.set(noise=float(noise))
        qtbot.wait(15)
    last = settle(qtbot, lab)
    assert last.experiment.noise == 0.8
    assert told[-1] is last
    assert [o.experiment.noise for o in told if o.complete] == [0.8]
    shown = [o.experiment.noise for o in told if o.experiment.noise != SMALL.noise]
    assert shown == sorted(shown)
    assert len(set(shown)) > 2  # a drag sees pictures on its way


def check_colors(lab: BenchWindow, theme: themes.Theme) -> None:
    panel = np.array(theme.color("panel").getRgb()[:3])
    assert (pixels_of(lab.curves) == panel).all(axis=2).mean() > 0.7
    for canvas in (m.canvas for m in lab.maps.panels):
        assert abs(canvas.width() - canvas.height()) <= 4
    truth = pixels_of(lab.maps.truth.canvas).reshape(-1, 3)
    for color in SLOT_COLORS[: SMALL.n_states]:
        assert (truth == color).all(axis=1).mean() > 0.1


def test_other_experiments_are_computed_and_drawn_from_few_copies_to_all(lab, qtbot) -> None:
    told: list[Outcome] = []
    lab.document.outcome_changed.connect(told.append)
    lab.document.new_field()
    settle(qtbot, lab)
    assert [outcome.result.replicates for outcome in told] == [2, 2, 4, 8, 16, 20, 20]
    assert [outcome.has_curves for outcome in told] == [False] + 6 * [True]
    assert told[0].experiment.seed == 1

    # Curves of another experiment fade soon.
    whole = lab.document.outcome
    assert whole is not None
    before = pixels_of(lab.curves)
    one = next(run(replace(SMALL, codebook="learned"), Recorder()))
    lab.curves.show_outcome(one)
    np.testing.assert_array_equal(pixels_of(lab.curves), before)
    qtbot.wait(FADE_AFTER_MS + 50)
    after = pixels_of(lab.curves).astype(int)
    panel = np.array(themes.LIGHT.color("panel").getRgb()[:3])
    assert np.abs(after - panel).sum() < 0.5 * np.abs(before.astype(int) - panel).sum()
    lab.curves.show_outcome(whole)
    np.testing.assert_array_equal(pixels_of(lab.curves), before)

    # Light and dark.
    for size in ((1280, 800), (1920, 1080)):
        lab.resize(*size)
        for theme in (themes.DARK, themes.LIGHT):
            lab.apply_theme(theme)
            check_colors(lab, theme)

    # Grey noise is seen, and all is reset.
    lab.document.set(noise_kind="normal")
    settle(qtbot, lab)
    assert lab.maps.observation.layer.image.max() == 255
    lab.controls.reset.click()
    assert lab.document.value == Experiment()

    # When stopped, it keeps its results, and continues later.
    lab.document.set(replicates=200, side=256, codebook="learned")
    qtbot.waitUntil(lambda: lab.document.outcome.experiment.side == 256, timeout=30_000)
    assert lab.cancel.isVisible()
    lab.cancel.click()
    qtbot.waitUntil(lambda: lab.document.activity.work == "declined", timeout=30_000)
    assert lab.message.whole_text().startswith("2 of 200 copies, stopped")
    assert not lab.progress.isVisible()
    lab.document.set(replicates=4, side=64)
    settle(qtbot, lab)
    assert not lab.refine.isVisible()
    lab.document.set(replicates=200, noise=0.3, codebook="learned")
    QTest.keyClick(lab, Key.Key_Escape)
    qtbot.waitUntil(lambda: lab.refine.isVisible(), timeout=30_000)
    lab.refine.click()
    assert lab.document.activity.work == "computing"


def test_a_drag_sees_fields_and_now_and_then_curves(qtbot, monkeypatch) -> None:
    worker, now = BenchThread(Event()), [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    order, (field, curves, *_) = Order(SMALL), run(SMALL, Recorder())
    assert not worker.is_given_up(order, curves)
    worker.submit(Order(SMALL))
    assert not worker.is_given_up(order, None)
    assert worker.is_given_up(order, field)  # the last curves are new
    now[0] += 2 * PATIENCE_S
    assert not worker.is_given_up(order, field)
    assert worker.is_given_up(order, curves)
    worker.cancel(order)
    assert worker.is_given_up(order, None)


def test_it_closes_while_it_computes(qtbot: QtBot, no_leaked_threads: None) -> None:
    window = opened(replace(SMALL, side=256, replicates=200))
    assert window.message.whole_text().startswith("Waiting")
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    discard(window)


def test_the_newest_experiment_waits_for_the_kernels(qtbot: QtBot, no_leaked_threads: None) -> None:
    prepared, told = Event(), list[Outcome]()
    window = opened(SMALL, prepared)
    window.document.outcome_changed.connect(told.append)
    for seed in (4, 5, 6):
        window.document.set(seed=seed)
    qtbot.wait(100)
    assert told == []
    prepared.set()
    settle(qtbot, window)
    assert {outcome.experiment.seed for outcome in told} == {6}
    discard(window)


def test_the_bench_has_one_percentage(lab: BenchWindow, qtbot: QtBot) -> None:
    """It counted the copies on screen, which are half as many as were decoded."""
    seen: list[tuple[dict[str, int], str]] = []

    def read(*_: object) -> None:
        if lab.document.activity.work == "computing" and lab.progress.isVisible():
            seen.append((meters(lab.progress, lab.message), lab.message.whole_text()))

    lab.document.activity_changed.connect(read)
    lab.document.outcome_changed.connect(read)
    lab.document.set(replicates=48, side=64, codebook="learned")
    qtbot.waitUntil(lambda: any(f.get("Copies decoded", 0) > 12 for f, _ in seen), timeout=60_000)
    lab.cancel.click()
    qtbot.waitUntil(lambda: lab.document.activity.work == "declined", timeout=30_000)
    assert all(set(found) == {"Copies decoded"} for found, _ in seen)
    assert seen[0][1].startswith("Results of 20 copies of the previous settings.")
    assert any(re.match(r"Results of \d+ copies\. ", text) for _, text in seen)
    shown = lab.document.outcome
    assert re.match(rf"{shown.result.replicates} of 48 copies, stopped", lab.message.whole_text())
