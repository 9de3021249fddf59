"""Sequences and volumes in the window."""

from pathlib import Path

import numpy as np
import pytest
import tifffile
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.compare.comparison import Comparing
from latviz.app.document.opening import Opener
from latviz.app.exporting.drawing import figure_image
from latviz.app.program.window import MainWindow
from latviz.app.views.pixel.words import describe
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.layer import MOST_CELLS
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.truth.emission import emit
from latviz.core.truth.geometry import sample_blobs
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import begin_anew, settle
from tests.app.frames import flags, outlines, pixels

LETTERS = tuple("ACDEFGHIKLMNPQRSTVWY")
LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


def sequence(length: int, run: int = 50) -> Picture:
    """Return a sequence of three states that take turns, each for a run of positions."""
    states = np.arange(length) // run % 3
    rows = np.random.default_rng(2).dirichlet(np.full(20, 0.3), 3)
    symbols = emit(states, emission=rows, random_state=3)
    return Picture(symbols, "protein", dimensions=1, alphabet=LETTERS)


def volume() -> Picture:
    states = sample_blobs((12, 40, 50), n_states=3, scale=6.0, random_state=1)
    noise = np.random.default_rng(4).normal(0.0, 25.0, states.shape)
    grey = np.rint(np.clip(60.0 + 60.0 * states + noise, 0, 255))
    return Picture(grey.astype(np.uint8), "volume", dimensions=3)


def opened(main: MainWindow, qtbot: QtBot, picture: Picture, **parameters: object) -> Frame:
    encoding = Encoding("labels" if picture.alphabet else "quantiles")
    asked = {"n_states": 3, "window": 2, **parameters}
    main.document.open(picture, Parameters(encoding, **asked))
    return settle(qtbot, main)


def genes(folder: Path) -> str:
    """Write a file of three records, of 400, 700 and 90 letters; return its path."""
    rng, path = np.random.default_rng(0), folder / "genes.fasta"
    texts = ("".join(rng.choice(list("ACGT"), n)) for n in (400, 700, 90))
    path.write_text("".join(f">{k}\n{text}\n" for k, text in enumerate(texts)))
    return str(path)


def press(main: MainWindow, text: str) -> None:
    action = main.menus[text]
    assert action.isEnabled()
    action.trigger()


def offered(main: MainWindow) -> set[str]:
    """Return the names of the encodings that can be chosen."""
    model = main.controls["encoding.name"].model()
    items = {name: model.item(row) for row, name in enumerate(ENCODINGS)}
    return {name for name, item in items.items() if item and item.isEnabled()}


def point_of(canvas: Canvas, row: int, column: int) -> QPoint:
    scene = canvas.box.mapViewToScene(QPointF(column + 0.5, row + 0.5))
    return canvas.mapFromScene(scene)


def assert_map_shows(canvas: Canvas, plane: np.ndarray, frame: Frame, shift: int = 0) -> None:
    """Compare a few cells of a drawn map with its states, ``shift`` pixels from their middle."""
    drawn, colors = pixels(canvas), state_colors(frame.slots)
    rows, columns = canvas.region
    rng = np.random.default_rng(0)
    for _ in range(100):
        row = rng.integers(rows.start, rows.stop)
        column = rng.integers(columns.start + 1, columns.stop - 1)
        point = point_of(canvas, row, column)
        expected = colors[plane[row, column]]
        np.testing.assert_array_equal(drawn[point.y() + shift, point.x()], expected)


def test_sequences_volumes_and_their_files(window, qtbot, tmp_path) -> None:
    check_a_sequence_is_a_ribbon(window, qtbot)
    # A line of one pixel of the screen could not be seen.
    row = np.random.default_rng(0).integers(0, 255, (1, 60)).astype(np.uint8)
    frame = opened(window, qtbot, Picture(row, "series"))
    canvas = window.views["states"].canvas
    assert canvas.row_scale > 50
    assert_map_shows(canvas, frame.states, frame, shift=20)
    ink = (pixels(window.views["image"].canvas) != [255, 255, 255]).any(axis=2).mean(axis=0)
    assert 0 < ink.mean() < 0.3  # a curve, which leaves the ground free
    assert figure_image(window.specs["image"], window.views["image"], 96).height() > 150
    check_a_volume_is_shown_by_slices(window, qtbot)
    window.tabs.stage.show_only(("image", "states"))
    check_a_long_sequence_is_drawn_in_few_cells(window, qtbot)
    check_pages_are_opened_as_a_volume(window, qtbot, tmp_path)
    check_channels_are_switched(window, qtbot, tmp_path)
    begin_anew(qtbot, window)
    check_what_was_learned_of_all_records_stays(window, qtbot, tmp_path)


def check_a_sequence_is_a_ribbon(window: MainWindow, qtbot: QtBot) -> None:
    picture = sequence(300)
    frame = opened(window, qtbot, picture, window=9)
    assert frame.states.shape == (300,)
    assert "300 positions" in window.docks["image"].bar.heading.whole_text()
    assert "all 300 positions" in window.status.learned.text()
    assert offered(window) == {"labels"}
    model = window.controls["encoding.name"].model()
    assert "its own symbols" in model.item(list(ENCODINGS).index("grey")).toolTip()
    axes = [window.views[name].canvas.axis.isVisible() for name in ("image", "states")]
    assert axes == [False, True]  # one below both
    canvas = window.views["states"].canvas
    assert canvas.region == (slice(0, 1), slice(0, 300))
    assert canvas.box.height() > 80
    check_ticks(window.views["image"].canvas.axis)
    check_marks_of_states(window, frame)
    check_zoom_along_the_axis(window, frame, picture)
    check_position_is_inspected_picked_and_pinned(window, qtbot, frame)
    check_every_view_can_be_shown(window, qtbot)
    photo = Picture(np.random.default_rng(0).integers(0, 255, (30, 40)).astype(np.uint8), "next")
    frame = opened(window, qtbot, photo)
    assert not window.docks["image"].header.slices.isVisible()
    assert not window.views["states"].writing.isVisible()
    assert_map_shows(window.views["states"].canvas, frame.states, frame)
    np.testing.assert_array_equal(window.views["image"].photo.image, photo.pixels)


def check_zoom_along_the_axis(window: MainWindow, frame: Frame, picture: Picture) -> None:
    canvas, image = window.views["states"].canvas, window.views["image"].canvas
    height = canvas.box.viewRect().height()
    canvas.zoom(6.0)
    assert canvas.box.viewRect().height() == pytest.approx(height)
    assert image.scale_factor == pytest.approx(canvas.scale_factor, rel=1e-6)
    assert image.centre.x() == pytest.approx(canvas.centre.x(), abs=0.5)
    assert image.box.viewRect().height() == pytest.approx(height)
    assert_map_shows(canvas, frame.states[None], frame, shift=30)
    colors = picture.colors
    assert image.region[1].stop - image.region[1].start < 60
    drawn = pixels(image)
    for position in range(image.region[1].start + 1, image.region[1].stop - 1):
        point = point_of(image, 0, position)
        expected = colors[picture.pixels[position]]
        np.testing.assert_array_equal(drawn[point.y() + 30, point.x()], expected)
    QTest.mouseDClick(canvas.viewport(), LEFT, pos=canvas.rect().center())
    assert canvas.whole


def check_ticks(axis: object) -> None:
    """The axis counts from one, and its labels have room."""
    for low, high, size in ((0, 40, 400), (3.3, 9.1, 300), (0, 1e6, 200), (5e5, 5.01e5, 900)):
        ((step, places),) = axis.tickValues(low, high, size)
        texts = axis.tickStrings(places, 1.0, step)
        numbers = [int(text.replace(",", "")) for text in texts]
        assert numbers
        assert [number - 0.5 for number in numbers] == places
        assert all(number >= 1 and number % step == 0 for number in numbers)
        assert low <= places[0] <= places[-1] <= high
        assert step * size / (high - low) > 7 * len(texts[-1])


def check_marks_of_states(window: MainWindow, frame: Frame) -> None:
    canvas = window.views["states"].canvas
    plain = pixels(canvas)
    window.document.set_display(marks="numbers")
    places = window.views["states"].now.numbers.places
    assert len(places) >= 3
    for place in places:
        assert 0.4 < place.y < 0.6
        assert frame.states[int(place.x)] == place.state
    window.document.set_display(marks="hatching")
    hatched = (pixels(canvas) != plain).any(axis=2)
    top, bottom = (point_of(canvas, row, 0).y() for row in (0, 1))
    height = abs(bottom - top)
    assert hatched[int(0.6 * height) : int(0.9 * height)].any()
    assert hatched[10 : int(0.3 * height)].any()
    window.document.set_display(marks="none")


def check_position_is_inspected_picked_and_pinned(window, qtbot, frame) -> None:
    canvas = window.views["states"].canvas
    point = point_of(canvas, 0, 60) + QPoint(0, 30)
    QTest.mouseMove(canvas.viewport(), point)
    fields = window.views["pixel"].fields
    qtbot.waitUntil(lambda: fields["Pixel"].text() == "position 61")
    assert fields["Window"].text() == "19 positions"
    assert fields["Value"].text() in LETTERS
    assert ": 0." in fields["Signature"].text()
    assert fields["Signature"].text()[0] in LETTERS
    mark = outlines(canvas)[0]
    assert mark.isVisible()
    assert (mark.rect().left(), mark.rect().right()) == (51, 70)
    QTest.mouseClick(canvas.viewport(), LEFT, pos=point)
    slot = frame.slots[frame.states[60]]
    assert window.document.state.selection == StateSelection(slot)
    qtbot.waitUntil(lambda: "Highlighted: " in window.status.message.whole_text())
    count = int((frame.states == frame.states[60]).sum())
    assert f"Highlighted: {count} positions" in window.status.message.whole_text()
    QTest.mouseClick(canvas.viewport(), LEFT, SHIFT, point)
    rows = window.views["pixel"].table.rows
    qtbot.waitUntil(lambda: rows.rowCount() == 1)
    assert rows.index(0, 5).data() == "position 61"


def check_a_long_sequence_is_drawn_in_few_cells(window: MainWindow, qtbot: QtBot) -> None:
    frame = opened(window, qtbot, sequence(100_000, run=2000), window=20)
    view = window.views["states"]
    canvas, layer = view.canvas, view.now.states
    assert layer.image.shape[1] <= MOST_CELLS
    # Compare positions in the middle of long runs.
    drawn, colors, n_compared = pixels(canvas), state_colors(frame.slots), 0
    for position in range(1000, 99_000, 1000):
        near = frame.states[position - 500 : position + 500]
        if (near == near[0]).all():
            point = point_of(canvas, 0, position)
            np.testing.assert_array_equal(drawn[point.y(), point.x()], colors[near[0]])
            n_compared += 1
    assert n_compared > 20
    canvas.box.setXRange(1000, 1300, padding=0)
    assert layer.image.shape[1] < 310
    assert_map_shows(canvas, frame.states[None], frame, shift=30)
    # A few selected positions of many are seen
    symbols = np.zeros(100_000, np.uint8)
    symbols[23_456:23_466] = 1
    picture = Picture(symbols, "rare", dimensions=1, alphabet=("a", "b"))
    frame = opened(window, qtbot, picture, n_states=2, window=1)
    canvas.show_all()
    rare = frame.slots[frame.states[23_460]]
    window.document.select(StateSelection(rare))
    qtbot.waitUntil(lambda: window.document.frame is not None and bool(window.document.frame.lit))
    mask = view.lit.image
    assert mask.shape[1] <= MOST_CELLS
    assert mask.sum() == 1


def check_every_view_can_be_shown(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.stage.open_dock("tree")
    window.document.set_layers("image", map=True)
    window.document.set_display(borders=True, leaves=True)
    for kind in ("inertia", "doubt"):
        window.document.change("Change the map", map=kind)
        qtbot.waitUntil(lambda kind=kind: shown_map(window) == kind, timeout=30_000)
    window.document.freeze(True)
    window.document.set("w", window=1)
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: window.document.frame.agreement is not None)
    assert window.views["states"].kept.isVisible()
    nodes = f"{frame.request.picture.node_name}s agree"
    assert nodes in window.parts[Comparing].bar.agreement.whole_text()
    assert not window.banner.isVisible()
    window.document.freeze(False)
    window.document.set_display(borders=False, leaves=False)
    window.document.set_layers("image", map=False)


def shown_map(window: MainWindow) -> str:
    frame = window.document.frame
    return frame.node_map.kind if frame is not None and frame.node_map is not None else ""


def check_a_volume_is_shown_by_slices(window: MainWindow, qtbot: QtBot) -> None:
    picture, axes = volume(), window.docks["image"].header.axes
    assert not axes.isVisible()
    frame = opened(window, qtbot, picture)
    assert frame.states.shape == (12, 40, 50)
    assert [one.button.text() for one in axes.controls] == ["12 slices ▾"]
    assert offered(window) >= {"palette", "grey", "texture"}
    assert not offered(window) & {"rgb", "lab"}
    canvas = window.views["states"].canvas
    assert not canvas.axis.isVisible()
    rect = canvas.box.viewRect()
    ratio = (canvas.box.width() / rect.width()) / (canvas.box.height() / rect.height())
    assert ratio == pytest.approx(1.0, rel=1e-3)
    check_slice_is_shown(window, qtbot, picture, frame)
    check_voxel_is_inspected_in_its_slice(window, qtbot)
    check_slices_are_taken_apart_and_put_together(window, qtbot, frame)
    # Page keys belong to the control that has the keyboard.
    before = window.document.state.slice
    window.activateWindow()
    slider = window.controls["n_states"].slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    assert window.document.parameters.n_states > 3
    assert window.document.state.slice == before
    settle(qtbot, window)
    check_every_view_can_be_shown(window, qtbot)


def check_slice_is_shown(window: MainWindow, qtbot: QtBot, picture: Picture, frame: Frame) -> None:
    assert window.document.state.slice == 6
    image, states = (window.docks[n].header.slices for n in ("image", "states"))
    number = frame.request.number
    for bar in (image, states):
        assert bar.isVisible()
    image.box.setValue(3)
    assert states.slider.value() == states.box.value() == 3
    np.testing.assert_array_equal(window.views["image"].photo.image, picture.pixels[2])
    np.testing.assert_array_equal(window.views["states"].photo.image, picture.pixels[2])
    assert_map_shows(window.views["states"].canvas, frame.states[2], frame)
    states.slider.setValue(12)
    assert_map_shows(window.views["states"].canvas, frame.states[11], frame)
    for key, index in (
        (Qt.Key.Key_PageDown, 11),
        (Qt.Key.Key_PageUp, 10),
        (Qt.Key.Key_PageUp, 9),
        (Qt.Key.Key_PageDown, 10),
    ):
        QTest.keyClick(window, key)
        assert window.document.state.slice == index
    qtbot.wait(200)
    assert window.document.frame is frame
    assert frame.request.number == number
    assert "12 slices of 50 × 40" in window.docks["image"].bar.heading.whole_text()


def check_voxel_is_inspected_in_its_slice(window: MainWindow, qtbot: QtBot) -> None:
    document, canvas = window.document, window.views["image"].canvas
    fields = window.views["pixel"].fields
    document.set_slice(4)
    QTest.mouseMove(canvas.viewport(), point_of(canvas, 10, 20))
    qtbot.waitUntil(lambda: fields["Pixel"].text() == "slice 5, row 10, column 20")
    assert fields["Window"].text() == "5 × 5 × 5 voxels"
    document.pin((4, 10, 20))
    assert [mark.name for mark in flags(canvas)] == ["P1"]
    _, row = window.specs["pixel"].table(window.views["pixel"], document.frame)
    assert row[:4] == ["P1", 5, 10, 20]
    QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert fields["Pixel"].text() == "slice 6, row 10, column 20"
    assert flags(canvas) == []
    assert len(outlines(canvas)[2:]) == 1  # it reaches two slices further
    QTest.mouseMove(canvas.viewport(), point_of(canvas, 10, 23))
    assert outlines(canvas)[0].isVisible()


def check_slices_are_taken_apart_and_put_together(window, qtbot, together) -> None:
    window.document.set_slice(6)
    give_role(window, "As slices apart, one model for all")
    apart = settle(qtbot, window)
    assert apart.request.picture.apart
    assert (apart.states != together.states).any()
    window.document.inspector.hover(None)  # its outlines hide pixels around it
    assert_map_shows(window.views["states"].canvas, apart.states[6], apart)
    window.document.inspector.hover((6, 10, 20))
    assert window.views["pixel"].fields["Window"].text() == "1 × 5 × 5 voxels"
    window.document.undo_stack.undo()
    again = settle(qtbot, window)
    np.testing.assert_array_equal(again.states, together.states)
    assert window.docks["image"].header.axes.controls[0].button.text() == "12 slices ▾"


def check_pages_are_opened_as_a_volume(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path, pages = tmp_path / "stack.tif", volume().pixels
    tifffile.imwrite(path, pages, photometric="minisblack")
    window.parts[Opener].open_path(str(path), "page=3")
    header = window.docks["image"].header
    qtbot.waitUntil(header.axes.isVisible)
    assert header.axes.controls[0].box.value() == 4
    assert not header.slices.isVisible()
    give_role(window, "As slices of a volume")
    qtbot.waitUntil(header.slices.isVisible)
    assert not header.axes.controls[0].box.isVisible()
    assert window.document.state.slice == 3
    frame = settle(qtbot, window)
    assert frame.states.shape == pages.shape
    give_role(window, "As slices apart, one model for all")
    qtbot.waitUntil(lambda: window.document.picture.apart)
    settle(qtbot, window)
    window.document.set_slice(5)
    give_role(window, "One page")
    qtbot.waitUntil(lambda: window.document.picture.dimensions == 2)
    assert header.axes.controls[0].box.value() == 6
    frame = settle(qtbot, window)
    assert frame.states.shape == pages.shape[1:]
    give_role(window, "As slices of a volume")
    qtbot.waitUntil(header.slices.isVisible)
    assert window.document.state.slice == 5
    settle(qtbot, window)
    # Pages that differ stay pages
    uneven = tmp_path / "uneven.tif"
    with tifffile.TiffWriter(uneven) as tif:
        for width in (30, 40):
            tif.write(np.eye(20, width, dtype=np.uint8), metadata=None)
    window.parts[Opener].open_path(str(uneven))
    qtbot.waitUntil(lambda: window.document.picture.name == "uneven.tif")
    give_role(window, "As slices of a volume")
    qtbot.waitUntil(window.banner.isVisible)
    assert window.document.picture.shape == (20, 30)
    settle(qtbot, window)


def give_role(window: MainWindow, text: str, axis: int = 0) -> None:
    control = window.docks["image"].header.axes.controls[axis]
    next(action for action in control.menu.actions() if action.text() == text).trigger()


def check_channels_are_switched(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path, planes = tmp_path / "stains.ome.tif", volume().pixels[:3]
    names = ["DAPI", "GFP", "RFP"]
    sizes = {"PhysicalSizeX": 0.5, "PhysicalSizeY": 0.5}
    about = {"axes": "CYX", "Channel": {"Name": names}, **sizes}
    tifffile.imwrite(path, planes, metadata=about)
    window.parts[Opener].open_path(str(path))
    for switched, channels in (("GFP", ("DAPI", "RFP")), ("GFP", tuple(names)), ("", ())):
        qtbot.waitUntil(lambda: window.document.picture.name == path.name)
        give_role(window, switched or "One channel")
        wanted = channels
        qtbot.waitUntil(lambda c=wanted: window.document.picture.channels == c)
        frame = settle(qtbot, window)
        colors = ["#000000"] * len(frame.colors)
        shown = describe(frame, inspect(frame, (10, 12)), colors)["Window"]
        sides = 2 * window.document.parameters.window + 1
        assert shown == f"{sides} × {sides} pixels, {sides / 2:g} × {sides / 2:g} µm"
        if channels:
            assert frame.observations.names == channels
            at = [names.index(one) for one in channels]
            np.testing.assert_array_equal(
                window.document.picture.pixels, np.moveaxis(planes[at], 0, -1)
            )
    np.testing.assert_array_equal(window.document.picture.pixels, planes[0])


def check_what_was_learned_of_all_records_stays(window, qtbot, tmp_path) -> None:
    """Choosing a record can be undone; its pins are removed and restored with it."""
    window.parts[Opener].open_path(genes(tmp_path))
    picker = window.docks["image"].header.pages
    qtbot.waitUntil(picker.isVisible)
    settle(qtbot, window)
    window.document.pin((350,))
    assert picker.box.maximum() == 3
    picker.box.setValue(3)
    qtbot.waitUntil(lambda: window.document.picture.shape == (90,))
    after = settle(qtbot, window)
    assert after.states.shape == (90,)
    assert window.document.state.pins == ()
    # The state map, its legend and B belong to the record; the status bar counts all learned nodes.
    shares = [100 * np.mean(after.states == k) for k in range(3)]
    for name in ("states", "emissions", "space"):
        said = window.views[name].in_words(after)
        for share in shares:
            assert f"{share:.1f}\N{NO-BREAK SPACE}%" in said, name
    assert "all 1,190 positions" in window.status.learned.text()
    assert "record 3 of 3: 2" in window.status.message.whole_text()
    press(window, "Previous slice")
    qtbot.waitUntil(lambda: window.document.picture.shape == (700,))
    press(window, "Next slice")
    press(window, "Next slice")  # there is none after the last
    assert window.document.picture.shape == (90,)
    assert picker.box.value() == 3
    while picker.box.value() != 1:
        window.document.undo_stack.undo()
    settle(qtbot, window)
    assert picker.box.value() == 1
    assert window.document.state.pins == ((350,),)
