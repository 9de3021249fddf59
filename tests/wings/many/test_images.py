"""The results of each image of a shelf: a table, a plot, the confusion, and the classes."""

import csv
import gc
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.exporting.exporting import Exporter
from latviz.app.gallery import gallery as gallery_module
from latviz.app.gallery.gallery import TICKING_MS, Gallery
from latviz.app.program.window import MainWindow
from latviz.collection.reading import Unreadable, read_entry
from latviz.core import LatticeClassifier, cross_validate, digits, memory
from latviz.core.disk.errors import FileError
from latviz.core.model.indices import inertia
from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.shelf import Entry
from latviz.engine.startup.compile_cache import Part
from latviz.wings.many.results.record import Record, RecordTask, computed
from latviz.wings.many.views import AXES
from latviz.wings.many.window.survey import REST_MS
from latviz.wings.many.window.view import ImagesView, axes_of
from tests.app.conftest import settle
from tests.app.frames import timer_of
from tests.app.gallery.shelves import (
    ALL,
    BROKEN,
    LEFT,
    READABLE,
    open_folder,
    set_up,
    shelf_of,
    show,
    wait_until_shown,
)
from tests.wings.many.classify import cases


@pytest.fixture
def window(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window that keeps nothing between tests and waits for no user."""
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    window.views["images"].survey.run = one_by_one
    timer_of(window.views["images"].survey, REST_MS).setInterval(0)
    timer_of(window.parts[Gallery], TICKING_MS).setInterval(0)
    set_up(window)
    return window


@pytest.fixture
def opened(window: MainWindow, folder: Path, qtbot: QtBot) -> MainWindow:
    open_folder(window, folder, qtbot)
    return window


Results = Iterator[Record | Unreadable]


def one_by_one(entries, task, progress, truth, room) -> Results:
    """Compute in this process, where tests need no other."""
    for done, entry in enumerate(entries, start=1):
        try:
            yield computed(entry, task, truth)[0]
        except FileError as error:
            yield Unreadable.of(entry.path, error)
        progress.report(done / len(entries))


@pytest.fixture
def images(opened: MainWindow, qtbot: QtBot) -> ImagesView:
    """The view of results, all of them there."""
    opened.shell.show("images")
    wait_for_results(opened, qtbot)
    return opened.views["images"]


def wait_for_results(window: MainWindow, qtbot: QtBot) -> None:
    survey, n = window.views["images"].survey, len(shelf_of(window).entries)
    qtbot.waitUntil(lambda: survey.fraction is None and len(survey.fresh) == n)
    survey.changed.emit()


def column(view: ImagesView, name: str) -> int:
    return 1 + [column.name for column in view.rows.measures].index(name)


def texts(view: ImagesView, at: int) -> list[str]:
    return [view.rows.index(row, at).data() for row in range(view.rows.rowCount())]


@pytest.mark.usefixtures("few_views")
def test_each_image_has_its_results_by_the_same_model(
    opened, images, qtbot, tmp_path, monkeypatch
) -> None:
    check_plot(opened, images, qtbot)
    check_export(opened, images, qtbot, tmp_path, monkeypatch)
    assert texts(images, 0) == ALL
    assert "not an image" in images.rows.index(BROKEN, 1).data()
    assert len(images.rows.measures) >= 8
    counts = np.zeros((2, 2), int)
    for place in READABLE:
        show(opened, qtbot, place)
        frame = settle(qtbot, opened)
        check_record(opened, images, place, frame)
        truth = read_entry(shelf_of(opened).entries[place]).truth
        np.add.at(counts, (truth, frame.states), 1)
    check_confusion(images, counts)
    check_empty_panels_take_no_room(opened, images)


def check_record(opened: MainWindow, images: ImagesView, place: int, frame: Frame) -> None:
    record = images.rows.record(place)
    assert record.index("inertia") == pytest.approx(
        inertia(frame.states, n_states=2, window=2), rel=1e-12
    )
    shares = [float((frame.states == k).mean()) for k in range(2)]
    np.testing.assert_allclose(record.shares, shares, rtol=1e-12, atol=0.0)
    shown = images.rows.index(place, column(images, "inertia")).data()
    assert shown == f"{record.index('inertia'):.3f}"
    assert images.table.currentIndex().row() == images.rows.row_of(place)
    bar = opened.views["shelf"].model.index(place, 0).data(Qt.ItemDataRole.UserRole + 2)
    np.testing.assert_allclose([share for _, share in bar], shares, rtol=1e-12, atol=0.0)
    colors = [(r << 16) + (g << 8) + b for r, g, b in frame.colors.tolist()]
    assert [color for color, _ in bar] == colors


def check_confusion(images: ImagesView, counts: np.ndarray) -> None:
    """Compare accuracy and confusion over all images."""
    images.tabs.setCurrentIndex(1)
    rows = images.confusion_rows
    right = max(np.trace(counts), counts.sum() - np.trace(counts)) / counts.sum()
    assert f"{100 * right:.1f}\N{NO-BREAK SPACE}%" in images.accuracy.text()
    for label in range(2):
        assert rows.index(label, 1).data() == f"{counts[label].sum():,}"
        for state in range(2):
            share = counts[label, state] / counts[label].sum()
            assert rows.index(label, 2 + state).data() == f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
    images.confusion.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    shares = [float(rows.index(row, 2).data().split()[0]) for row in range(2)]
    assert shares == sorted(shares, reverse=True)
    accuracies = [text for text in texts(images, column(images, "accuracy")) if text]
    assert len(accuracies) == len(READABLE)


def check_plot(opened: MainWindow, images: ImagesView, qtbot: QtBot) -> None:
    """Rows and points show their images; the plot has the axes that are chosen."""
    place = images.table.visualRect(images.rows.index(2, 0)).center()
    QTest.mouseClick(images.table.viewport(), LEFT, pos=place)
    wait_until_shown(opened, qtbot, 2)
    images.table.setFocus()
    images.table.setCurrentIndex(images.rows.index(1, 0))
    QTest.keyClick(images.table, Qt.Key.Key_Return)
    wait_until_shown(opened, qtbot, 1)
    scatter, box = images.scatter, images.across
    assert [point.place for point in scatter.points] == list(READABLE)
    point = next(point for point in scatter.points if point.place == 5)
    at = scatter.place_of(point)
    nearest = min(scatter.points, key=lambda q: (scatter.place_of(q) - at).manhattanLength())
    QTest.mouseClick(scatter, LEFT, pos=at.toPoint())
    wait_until_shown(opened, qtbot, nearest.place)
    assert scatter.tip_at(QPointF(at)).startswith(nearest.name)
    show(opened, qtbot, 0)
    assert images.axes == ("inertia", "bits")
    box.setCurrentIndex(box.findData("height"))
    box.activated.emit(box.currentIndex())
    assert axes_of(opened.settings.store.value(AXES)) == images.axes == ("height", "bits")
    assert [point.x for point in scatter.points] == [24.0 + 2 * k for k in READABLE]
    assert scatter.titles[0] == "Height"
    scatter.setFocus()
    QTest.keyClick(scatter, Qt.Key.Key_Right)
    QTest.keyClick(scatter, Qt.Key.Key_Return)
    wait_until_shown(opened, qtbot, 1)  # the next higher one


def check_export(opened, images, qtbot, folder, monkeypatch) -> None:
    path = folder / "a.csv"
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
    opened.parts[Exporter].export_values("images")
    qtbot.waitUntil(path.exists)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["inertia"]) == images.rows.record(0).index("inertia")
    assert [Path(row["path"]).name for row in rows] == ALL
    assert "not an image" in rows[BROKEN]["problem"]
    heights = {place: int(rows[place]["height"]) for place in READABLE}
    assert heights == {place: 24 + 2 * place for place in READABLE}
    path = folder / "confusion.csv"
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
    opened.menus["Export confusion of images"].trigger()
    qtbot.waitUntil(path.exists)
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    pixels = sum(int(row[name]) for row in table for name in ("state 1", "state 2"))
    assert pixels == sum(height * 40 for height in heights.values())


@pytest.mark.usefixtures("few_views")
def test_images_in_folders_are_classified_by_models_that_did_not_learn_from_them(
    window, tmp_path, qtbot, monkeypatch
) -> None:
    window.worker.prepared.set()
    drawn, labels = cases.images(3)
    pixels = [*drawn[:2], drawn[-1], *drawn[3:]]  # the last one of the first class is of the other
    names = [f"{label}/{k}.png" for k, label in enumerate(labels)]
    for name, image in zip(names, pixels, strict=True):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        Image.fromarray(image).save(tmp_path / name)
    (tmp_path / "attract" / "9.png").write_bytes(b"no image")
    (tmp_path / "repel" / "9.png").write_bytes(b"no image")
    open_folder(window, tmp_path, qtbot)
    images = window.views["images"]
    classes = images.classes
    window.menus["Classify the images"].trigger()
    assert window.tabs.use.name == "images"
    qtbot.waitUntil(lambda: classes.found is not None, timeout=120_000)
    wanted = cross_validate(LatticeClassifier(), pixels, labels, folds=3)
    told = [str(wanted.classes[k]) for k in wanted.posteriors.argmax(axis=1)]
    pairs = [*zip(told, labels, strict=True)]
    assert told != labels
    right = [name for name in texts(images, 0) if name not in ("attract/9.png", "repel/9.png")]
    assert right == names
    rows = [images.rows.row_of(k) for k in (0, 1, 2, 4, 5, 6)]
    shown = [[texts(images, at)[row] for row in rows] for at in (1, 2)]
    assert shown[0] == [a if a == b else f"{a} ≠ {b}" for a, b in pairs]
    assert shown[1] == [digits.probability(p) for p in wanted.posteriors.max(axis=1).tolist()]
    assert "not an image" in texts(images, 1)[3]
    found = images.confusion_rows.found
    np.testing.assert_array_equal(found.table, wanted.confusion)
    assert found.accuracy == wanted.accuracy
    assert images.tabs.currentIndex() == 1
    assert digits.share(wanted.accuracy) in images.accuracy.text()
    check_classes_are_exported(window, tmp_path, qtbot, monkeypatch, pairs)
    window.document.undo_stack.undo()
    assert classes.found is None
    open_folder(window, tmp_path / "repel", qtbot)
    window.menus["Classify the images"].trigger()
    assert "lie in one folder" in window.status.message.whole_text()


def check_classes_are_exported(window, folder, qtbot, monkeypatch, pairs) -> None:
    wait_for_results(window, qtbot)
    path = folder / "a.csv"
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
    window.menus.refresh()
    window.parts[Exporter].export_values("images")
    qtbot.waitUntil(path.exists)
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["problem"]]
    assert [(row["predicted"], row["class"]) for row in rows] == pairs


def test_results_are_computed_while_they_are_wanted(opened, qtbot, monkeypatch) -> None:
    check_stop(opened, qtbot)
    with monkeypatch.context() as patch:
        check_memory(opened, qtbot, patch)
    wait_for_results(opened, qtbot)
    check_let_go(opened, qtbot)
    images = opened.views["images"]
    survey = images.survey
    before = images.rows.record(0)
    survey.run = lambda *_: iter(())
    opened.document.set("w", window=4)
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: not survey.fresh)
    images.refresh()
    assert images.rows.record(0) is before
    muted = images.rows.index(0, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert muted == images.theme.color("muted")
    survey.run = one_by_one
    opened.document.set("w", window=3)
    settle(qtbot, opened)
    wait_for_results(opened, qtbot)
    assert images.rows.record(0).window == 3
    assert images.rows.index(0, 1).data(Qt.ItemDataRole.ForegroundRole) is None
    assert images.confusion_rows.found is not None
    monkeypatch.setattr(gallery_module, "ask_labels", lambda *_: "_nowhere")
    opened.menus["Label images"].trigger()
    qtbot.waitUntil(lambda: shelf_of(opened).truth == "_nowhere")
    settle(qtbot, opened)
    assert opened.document.picture.truth is None
    wait_for_results(opened, qtbot)
    assert images.confusion_rows.found is None
    opened.document.undo_stack.undo()
    qtbot.waitUntil(lambda: opened.document.picture.truth is not None)


def check_stop(opened: MainWindow, qtbot: QtBot) -> None:
    """Computing is stopped, and continues."""

    def slowly(some: Sequence[Entry], task: RecordTask, progress: Progress, *how: Any) -> Results:
        # It may begin twice: the settings come to rest meanwhile
        for k, found in enumerate(one_by_one(some, task, progress, *how)):
            yield found
            if k == 1:
                while not progress.cancelled():
                    Event().wait(0.001)

    survey = opened.views["images"].survey
    survey.run = slowly
    opened.shell.show("images")
    qtbot.waitUntil(lambda: len(survey.fresh) >= 2)
    survey.changed.emit()
    button = opened.docks["images"].header.stop
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert survey.fraction is None
    assert button.text() == "Go on"
    survey.run = one_by_one
    QTest.mouseClick(button, LEFT)
    wait_for_results(opened, qtbot)
    assert not button.isVisible()


def check_memory(opened: MainWindow, qtbot: QtBot, patch: pytest.MonkeyPatch) -> None:
    """Images get the room that the window leaves."""
    survey = opened.views["images"].survey
    patch.setattr(memory, "taken", lambda: 1500 << 20)
    assert survey.free_room() == (2048 - 1500) << 20
    patch.setattr(memory, "taken", lambda: 3 << 30)
    assert survey.free_room() == 1  # one image at a time, in any case
    with patch.context() as compiling:
        compiling.setattr(Part, "is_compiling", property(lambda _: True))
        assert survey.free_room() == 0
    opened.document.set("w", window=5)
    assert opened.document.activity.work == "computing"
    assert survey.free_room() == 0
    settle(qtbot, opened)
    assert survey.free_room() == 1


def check_let_go(opened: MainWindow, qtbot: QtBot) -> None:
    """The earlier image on screen is no longer held by any object."""
    opened.document.undo_stack.clear()
    frame, survey = weakref.ref(settle(qtbot, opened)), opened.views["images"].survey
    names, colors = survey.names, survey.colors()
    for place in (1, 2):
        opened.parts[Gallery].step(1)
        wait_until_shown(opened, qtbot, place)
    gc.collect()
    assert frame() is None
    assert (names, colors) == (survey.names, survey.colors())


def check_empty_panels_take_no_room(opened: MainWindow, images: ImagesView) -> None:
    assert opened.docks["images"].isVisible()
    assert images.plots.isVisible()
    while opened.document.state.shelf is not None:
        opened.document.undo_stack.undo()
    assert not opened.docks["images"].isVisible()
    opened.shell.show("images")
    assert not images.plots.isVisible()


@pytest.mark.parametrize("kept", [None, "bits", ["bits"], ["bits", 3], ["a", "b", "c"]])
def test_axes_that_no_setting_keeps_are_the_usual_ones(kept: object) -> None:
    assert axes_of(kept) == ("inertia", "bits")
