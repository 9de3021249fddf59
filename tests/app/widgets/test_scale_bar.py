"""The scale bar: a round length, as long as it says."""

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.scale_bar import ScaleBar


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    made = Canvas()
    made.resize(600, 400)
    made.set_shape((200, 300))
    made.show()
    yield made
    made.hide()
    qtbot.wait(1)  # what follows is done before it is deleted
    made.deleteLater()


@pytest.mark.parametrize("step", [0.26, 3.0, 1e-7, 2e6])
@pytest.mark.parametrize("part", [(0, 0, 300, 200), (100, 50, 40, 30), (-900, -900, 3000, 2000)])
def test_it_is_as_long_as_it_says(canvas: Canvas, step: float, part: tuple[int, ...]) -> None:
    bar = ScaleBar(canvas)
    bar.show_unit(step, "µm")
    canvas.show_part(QRectF(*part))
    number, unit = bar.text.split(" ")
    value = float(number.replace(",", "").replace("−", "-"))
    assert unit == "µm"
    assert float(f"{value:.9e}".split("e")[0]) in {1.0, 2.0, 5.0}
    on_screen = canvas.box.width() / canvas.box.viewRect().width()
    assert bar.length == pytest.approx(value / step * on_screen, rel=1e-6)
    assert 0.08 * canvas.box.width() <= bar.length <= 0.23 * canvas.box.width()
    assert canvas.rect().toRectF().contains(bar.ground)


def test_without_a_unit_there_is_none(canvas: Canvas) -> None:
    bar = ScaleBar(canvas)
    bar.show_unit(1.0, "mm")
    assert bar.isVisible()
    bar.show_unit(1.0, "")
    assert not bar.isVisible()
