"""The window of classes, driven by the events of a user."""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from threading import Event

import numpy as np
import PIL.Image
import pytest
from PyQt6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QColor, QDropEvent, QIcon
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractItemView
from pytestqt.qtbot import QtBot

from latviz.app.benches.classes import inspector as inspecting
from latviz.app.benches.classes import window as classes
from latviz.app.benches.classes.confusion import width_of
from latviz.app.benches.classes.window import LEFT_OUT, MODELS, RESULTS, ClassWindow
from latviz.app.benches.opener import Benches
from latviz.app.look import theme as themes
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.widgets.shortcuts import sequences
from latviz.core import Encoding, load_classifier, save_classifier
from latviz.core.progress import Cancelled, Progress
from latviz.engine.settings.palette import SLOT_COLORS
from tests.app.benches.test_benches import discard
from tests.app.frames import pixels
from tests.app.keys import doubled, window_keys, written
from tests.core.classify import cases

LEFT = Qt.MouseButton.LeftButton
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two classes, of each one image that is of the other; a broken file and an empty class."""
    place = tmp_path_factory.mktemp("textures")
    images, labels = cases.images(6)
    for k, (image, label) in enumerate(zip(images, labels, strict=True)):
        (place / label).mkdir(exist_ok=True)
        PIL.Image.fromarray(image).save(place / label / f"{k}.png")
    odd = cases.images(6)[0][-1]
    PIL.Image.fromarray(odd).save(place / "attract" / "odd.png")
    (place / "repel" / "broken.png").write_bytes(b"no image")
    (place / "none").mkdir()
    return place


@pytest.fixture
def window(qtbot: QtBot, no_leaked_threads: None) -> Iterator[ClassWindow]:
    prepared = Event()
    prepared.set()
    made = ClassWindow(Settings(lasting=False), prepared, themes.LIGHT)
    made.document.set(n_states=2, head=False)
    made.document.set(encoding=Encoding("quantiles", 2))
    made.document.undo_stack.clear()
    made.resize(1280, 800)
    made.show()
    yield made
    discard(made)


def opened(qtbot: QtBot, window: ClassWindow, folder: Path) -> None:
    """Drop a folder on the window, and wait until its images are listed."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(folder))])
    copy = Qt.DropAction.CopyAction
    event = QDropEvent(QPointF(9, 9), copy, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(window.document.data_changed, timeout=WAIT_MS):
        window.dropEvent(event)


def trained(qtbot: QtBot, window: ClassWindow, folder: Path) -> None:
    """Open a folder, press Train, and wait for the results."""
    opened(qtbot, window, folder)
    with qtbot.waitSignal(window.document.outcome_changed, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.train, LEFT)


def click(view: QAbstractItemView, index: QModelIndex) -> None:
    """Click on a cell or an item."""
    view.scrollTo(index)
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())


def looked(qtbot: QtBot, window: ClassWindow, act: Callable[[], object]) -> None:
    """Do something, and wait until an image has been explained."""
    with qtbot.waitSignal(window.document.look_changed, timeout=WAIT_MS):
        act()


def test_a_data_set_is_opened_learned_from_and_looked_at(
    window: ClassWindow, folder: Path, qtbot: QtBot
) -> None:
    assert doubled(window) == {}
    table = {key for keys in window.keys.values() for key in written(sequences(keys))}
    assert window_keys(window) == table
    # Classes lie on shelves with their numbers.
    assert not window.controls.train.isEnabled()
    opened(qtbot, window, folder)
    shelves = window.controls.shelves.shelves
    names = [shelves.data(shelves.index(k, 0)) for k in range(shelves.rowCount())]
    assert names == ["attract: 7 images", "repel: 7 images"]
    assert window.controls.train.isEnabled()
    assert not window.controls.test.isEnabled()
    assert [window.left_out.item(k).text().split(":")[0] for k in range(1)] == ["none"]
    assert window.tabs.tabText(LEFT_OUT) == "Left out (1)"
    click(window.controls.shelves, shelves.index(0, 0))
    assert window.strip.images.rowCount() == 7
    assert window.listed.text() == "All of attract in the data set: 7 images"
    entry = window.document.data.entries[0]
    qtbot.waitUntil(lambda: window.thumbnails.of(entry) is not None, timeout=WAIT_MS)

    # The confusion comes with the results, and is seen whole.
    assert not window.table.isVisible()
    window._upper.setSizes([60, 900])
    with qtbot.waitSignal(window.document.outcome_changed, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.train, LEFT)
    assert window.table.isVisible()
    assert window.table.width() >= width_of(window.table)
    assert not window.table.horizontalScrollBar().maximum()

    # Training shows models and the confusion.
    outcome = window.document.outcome
    found = outcome.validation
    assert [card.title.text() for card in window.cards.cards] == ["attract", "repel"]
    for card, one in zip(window.cards.cards, outcome.learned, strict=True):
        np.testing.assert_array_equal(card.emissions.values, one.of.model.B)
        np.testing.assert_array_equal(card.adjacency.values, one.of.model.A)
        assert card.indices["Associativity"] == f"{one.indices['associativity']:.3f}"
        assert card.indices["Images"] == str(one.n_images)
    table = window.confusion
    shown = [[table.data(table.index(i, j)) for j in range(2)] for i in range(2)]
    truth, told = found.truth.tolist(), found.posteriors.argmax(axis=1).tolist()
    pairs = list(zip(truth, told, strict=True))
    assert shown == [[str(pairs.count((i, j))) for j in range(2)] for i in range(2)]
    for k in range(2):
        right, own, all_ = pairs.count((k, k)), truth.count(k), told.count(k)
        assert table.data(table.index(k, 2)) == f"{100 * right / own:.0f}\N{NO-BREAK SPACE}%"
        precision = f"{100 * right / all_:.0f}\N{NO-BREAK SPACE}%" if all_ else "–"
        assert table.data(table.index(2, k)) == precision
    assert f"{sum(i == j for i, j in pairs)} of {len(pairs)} held-out" in window.message.text()

    # Long names of classes are shown, or cut visibly.
    for box in (window.inspector.first, window.inspector.second):
        narrow = box.sizeHint().width()
        box.addItem("clouds of a long name")
        assert box.sizeHint().width() > narrow
    header = window.table.horizontalHeader()
    assert header.textElideMode() == Qt.TextElideMode.ElideMiddle

    # It takes the colours of a theme.
    looked(qtbot, window, lambda: click(window.strip, window.strip.images.index(0, 0)))
    window.apply_theme(themes.DARK)
    panel = themes.DARK.color("panel")
    bars = window.inspector.bars
    assert bars.grab().toImage().pixelColor(1, bars.height() - 2) == panel
    canvas = window.inspector.difference.canvas
    assert canvas.grab().toImage().pixelColor(QPoint(1, 1)) == panel


def test_a_cell_lists_its_images_and_an_image_its_maps(
    window: ClassWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained(qtbot, window, folder)
    data, outcome, table = window.document.data, window.document.outcome, window.confusion
    told = outcome.validation.posteriors.argmax(axis=1)
    for row, column in ((0, 0), (1, 1), (2, 0), (1, 2), (2, 2)):
        click(window.table, table.index(row, column))
        wanted = [
            k
            for k, own, other in zip(outcome.tested, outcome.validation.truth, told, strict=True)
            if row in (own, 2) and column in (other, 2)
        ]
        assert [one.index for one in window.strip.images.items] == wanted
    images = window.strip.images
    looked(qtbot, window, lambda: click(window.strip, images.index(0, 0)))
    index, inspector = images.items[0].index, window.inspector
    image = np.asarray(PIL.Image.open(data.images[index].path))
    np.testing.assert_array_equal(window.document.look.colours[..., 0], image)
    assert inspector.bars.values == outcome.posteriors_of(index).tolist()
    a, b = inspector.first.currentIndex(), inspector.second.currentIndex()
    scores = outcome.classifier.class_scores([image])[0]
    gap = float(scores[a] - scores[b])
    assert f"{abs(gap):.1f}" in inspector.difference.title.text()
    assert window.document.look.maps.sum(axis=(1, 2)) == pytest.approx(scores, rel=1e-9)
    check_a_class_has_one_colour(window)
    before = inspector.difference.title.text()
    drawn = inspector.difference.layer.image.copy()
    inspector.radius.setFocus()
    QTest.keyClick(inspector.radius, Qt.Key.Key_Up)
    assert inspector.difference.title.text() == before
    assert (inspector.difference.layer.image != drawn).any()
    node = (4, 7)
    inspector.one.canvas.hovered.emit(node)
    assert inspector.said.text().startswith("Row 4, column 7: ")
    assert f"{window.document.look.maps[a][node]:.3f}"[1:] in inspector.said.text()
    inspector.one.canvas.hovered.emit(None)
    before = inspector.difference.title.text()
    inspector.first.setFocus()
    QTest.keyClick(inspector.first, Qt.Key.Key_Down if a == 0 else Qt.Key.Key_Up)
    assert inspector.first.currentIndex() != a
    assert inspector.difference.title.text() != before

    # Maps of large images are prepared in the background.
    looked(qtbot, window, lambda: click(window.strip, images.index(1, 0)))
    inspector.radius.setValue(1)
    wanted = inspector.difference.layer.image.copy()
    inspector.radius.setValue(0)
    assert (inspector.difference.layer.image != wanted).any()
    monkeypatch.setattr(inspecting, "AT_ONCE", 10)
    inspector.radius.setValue(3)  # outdated results are not shown
    inspector.radius.setValue(1)
    drawn = inspector.difference.layer
    qtbot.waitUntil(lambda: np.array_equal(drawn.image, wanted), timeout=WAIT_MS)

    # Explaining an image can be cancelled.
    seen = list[bool]()

    def wait(*given: object) -> object:
        progress = given[-1]
        while not progress.cancelled():
            progress.report(0.5)
        seen.append(True)
        raise Cancelled

    monkeypatch.setattr(classes.collection.classes, "look", wait)
    before = window.document.look
    click(window.strip, images.index(0, 0))
    qtbot.waitUntil(window.controls.bar.isVisible, timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    assert window.document.look is before
    assert not window.document.is_looking
    assert not window.controls.bar.isVisible()


def check_a_class_has_one_colour(window: ClassWindow) -> None:
    """Look for it in the list of classes, the table, the bars and the maps."""
    names, inspector = window.confusion._names, window.inspector
    wanted = dict(zip(names, SLOT_COLORS.tolist(), strict=False))
    shelves = window.controls.shelves.shelves
    for row, shelf in enumerate(shelves.items):
        icon = shelves.data(shelves.index(row, 0), Qt.ItemDataRole.DecorationRole)
        assert middle(icon) == wanted[shelf.name]
    for orientation, k in product(Qt.Orientation, range(len(names))):
        icon = window.confusion.headerData(k, orientation, Qt.ItemDataRole.DecorationRole)
        assert middle(icon) == wanted[names[k]]
    image = pixels(inspector.bars)
    for k, name in enumerate(inspector.bars.names):
        bar = inspector.bars.row(k)
        own = image[int(bar.bottom()) - 6, int(bar.left()) + 1].tolist()
        assert own == wanted[name] or inspector.bars.values[k] < 0.02
    one, other = (wanted[box.currentText()] for box in (inspector.first, inspector.second))
    assert inspector.one.key._colors[-1].tolist() == one
    assert inspector.other.key._colors[-1].tolist() == other
    assert [inspector.difference.key._colors[k].tolist() for k in (0, -1)] == [other, one]


def middle(icon: QIcon) -> list[int]:
    """Return the colour in the middle of an icon."""
    return list(QColor(icon.pixmap(20).toImage().pixel(10, 10)).getRgb()[:3])  # type: ignore[arg-type]


def test_an_image_that_is_told_wrong_opens_with_the_class_it_is_taken_for(
    window: ClassWindow, folder: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    trained(qtbot, window, folder)
    before = window.document.outcome
    QTest.mouseClick(window.controls.test, LEFT)
    qtbot.waitUntil(lambda: len(window.document.outcome.tested) == 13, timeout=WAIT_MS)
    assert [card.indices["Images"] for card in window.cards.cards] == [
        str(one.n_images) for one in before.learned
    ]
    data = window.document.data
    assert (window.table.currentIndex().row(), window.table.currentIndex().column()) == (0, 1)
    names = [data.images[one.index].path.name for one in window.strip.images.items]
    assert names == ["odd.png"]
    window.strip.setFocus()
    window.strip.setCurrentIndex(window.strip.images.index(0, 0))
    looked(qtbot, window, lambda: QTest.keyClick(window.strip, Qt.Key.Key_Return))
    inspector = window.inspector
    assert inspector.title.text() == "odd.png: attract, wrongly classified as repel"
    assert (inspector.first.currentText(), inspector.second.currentText()) == ("repel", "attract")
    reasons = [window.left_out.item(k).text() for k in range(window.left_out.count())]
    assert [reason.split(":")[0] for reason in reasons] == ["none", "repel/broken.png"]
    with qtbot.waitSignal(window.wanted) as caught:
        QTest.mouseClick(inspector.open, LEFT)
    assert caught.args == [str(folder / "attract" / "odd.png")]

    # Files that cannot be opened or learned change nothing.
    data, outcome = window.document.data, window.document.outcome
    with qtbot.waitSignal(window.document.failed, timeout=WAIT_MS):
        window.open(str(tmp_path))
    assert "make one for each class" in window.banner.label.text()
    assert (window.document.data, window.document.outcome) == (data, outcome)
    (tmp_path / "single").mkdir()
    PIL.Image.fromarray(cases.images()[0][0]).save(tmp_path / "single" / "1.png")
    opened(qtbot, window, tmp_path)
    with qtbot.waitSignal(window.document.failed, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.train, LEFT)
    assert "two classes or more, got only 'single'" in window.banner.label.text()
    assert window.document.outcome.classifier is outcome.classifier
    assert window.controls.train.isEnabled()


def test_a_list_opens_as_a_folder_does(
    window: ClassWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["attract/0.png,left", "repel/6.png,right", "attract/1.png,left", "gone.png,right"]
    (folder / "some.csv").write_text("\n".join(lines))
    path = str(folder / "some.csv")
    monkeypatch.setattr(classes.QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    with qtbot.waitSignal(window.document.data_changed, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.list, LEFT)
    assert window.document.data.labels == ("left", "right", "left")
    assert "gone.png" in window.left_out.item(0).text()
    window.controls.split.setText("val")
    with qtbot.waitSignal(window.document.failed, timeout=WAIT_MS):
        window.open(path)
    assert "only folders of PASCAL VOC have a split" in window.banner.label.text()


def test_a_head_says_why_it_has_no_maps(window: ClassWindow, folder: Path, qtbot: QtBot) -> None:
    window.controls["head"].click()
    assert not window.controls["criterion"].isVisible()
    assert not window.controls["n_states"].isVisible()
    assert not window.controls["encoding.name"].isVisible()
    window.controls["automatic"].click()
    assert window.controls["n_states"].isVisible()
    trained(qtbot, window, folder)
    titles = [card.title.text() for card in window.cards.cards]
    assert titles == ["All classes: grey quantiles"]
    looked(qtbot, window, lambda: click(window.strip, window.strip.images.index(0, 0)))
    assert window.inspector.difference.isHidden()
    assert "uses roots of shares" in window.inspector.reason.text()
    evidence = window.document.look.evidence
    np.testing.assert_allclose(window.inspector.evidence.values, evidence.T)


def test_a_classifier_is_written_and_read(
    window: ClassWindow, folder: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained(qtbot, window, folder)
    first, path = window.document.outcome, tmp_path / "a.latclf"
    monkeypatch.setattr(classes, "ask_to_save", lambda *_: (str(path), ""))
    monkeypatch.setattr(classes.QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(window.document.said, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.save, LEFT)
    kept = load_classifier(path)
    images = cases.images(2, start=9)[0]
    np.testing.assert_array_equal(
        kept.predict_proba(images), first.classifier.predict_proba(images)
    )
    with qtbot.waitSignal(window.document.outcome_changed, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.load, LEFT)
    assert window.document.outcome.validation is None
    assert window.tabs.currentIndex() == MODELS
    assert window.confusion.rowCount() == 0
    QTest.mouseClick(window.controls.test, LEFT)
    qtbot.waitUntil(lambda: window.document.outcome.validation is not None, timeout=WAIT_MS)
    assert window.tabs.currentIndex() == RESULTS
    path.write_bytes(b"nothing")
    before = window.document.outcome
    with qtbot.waitSignal(window.document.failed, timeout=WAIT_MS):
        QTest.mouseClick(window.controls.load, LEFT)
    assert window.banner.isVisible()
    assert "a.latclf" in window.banner.label.text()
    assert window.document.outcome is before


def test_folds_are_chosen_and_each_image_has_the_maps_of_models_that_have_not_seen_it(
    window: ClassWindow, folder: Path, qtbot: QtBot
) -> None:
    box = window.controls["folds"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert window.document.value.folds == box.currentData() == 2
    assert not window.controls["test_share"].isVisible()
    trained(qtbot, window, folder)
    outcome = window.document.outcome
    assert outcome.validation.confusion.sum() == len(outcome.tested) == 13
    right = outcome.validation.confusion.trace()
    assert f"{right} of 13 images in 2 folds right" in window.message.text()
    looked(qtbot, window, lambda: click(window.strip, window.strip.images.index(0, 0)))
    look = window.document.look
    image = np.asarray(PIL.Image.open(window.document.data.images[look.index].path))
    unseeing = outcome.classifier_of(look.index)
    assert unseeing is not outcome.classifier
    sums = look.maps.sum(axis=(1, 2))
    np.testing.assert_allclose(sums, unseeing.class_scores([image])[0], rtol=1e-9)
    assert f"temperature {unseeing.temperature_:.3g})" in window.inspector.said.text()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert window.controls["test_share"].isVisible()


def test_images_that_are_opened_tell_the_inertia_of_a_loaded_classifier(
    window: ClassWindow, folder: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.latclf"
    save_classifier(cases.fitted(encoding=Encoding("quantiles", 2)), path)
    with qtbot.waitSignal(window.document.outcome_changed, timeout=WAIT_MS):
        window.open(str(path))
    assert [card.indices["Inertia"] for card in window.cards.cards] == ["–", "–"]
    assert (
        "no readable image of the class is open"
        in window.cards.cards[0].numbers["Inertia"].toolTip()
    )
    with qtbot.waitSignal(window.document.described, timeout=WAIT_MS):
        opened(qtbot, window, folder)
    found = [one.indices["inertia"] for one in window.document.outcome.learned]
    assert not np.isnan(found).any()
    shown = [card.indices["Inertia"] for card in window.cards.cards]
    assert shown == [f"{one:.3f}" for one in found]


def test_learning_can_be_cancelled(
    window: ClassWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, window, folder)
    reached, seen = Event(), list[bool]()

    def wait(_data: object, _plan: object, progress: Progress) -> object:
        reached.set()
        while not progress.cancelled():
            progress.report(0.5)
        seen.append(True)
        raise Cancelled

    monkeypatch.setattr(classes.collection.classes, "train", wait)
    QTest.mouseClick(window.controls.train, LEFT)
    assert reached.wait(60)
    assert not window.controls.train.isEnabled()
    qtbot.waitUntil(window.controls.bar.isVisible, timeout=WAIT_MS)
    QTest.mouseClick(window.controls.bar.cancel, LEFT)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    assert window.controls.train.isEnabled()
    assert window.document.outcome is None


def test_the_main_window_opens_it_and_shows_an_image(
    begun: Callable[..., MainWindow], folder: Path, qtbot: QtBot
) -> None:
    main = begun()
    main.worker.prepared.set()
    (action,) = (a for a in main.menus.actions if a.text().startswith("&Classes of images"))
    action.trigger()
    window = main.parts[Benches].shown("classes")
    window.document.set(n_states=2)
    opened(qtbot, window, folder)
    click(window.controls.shelves, window.controls.shelves.shelves.index(1, 0))
    path = str(folder / "repel" / "6.png")
    with qtbot.waitSignal(main.document.changed, timeout=WAIT_MS):
        window.wanted.emit(path)
    assert main.document.state.picture.origin["path"] == path
    worker = window.document.worker
    main.close()
    assert worker.isFinished()
    assert main.parts[Benches].shown("classes") is None
