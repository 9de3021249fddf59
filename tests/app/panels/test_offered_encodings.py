"""Encodings that a picture cannot have are not offered, and the reason is the same everywhere."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QStandardItemModel
from PyQt6.QtTest import QTest

from latviz import cli
from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.computing import compute
from latviz.core import ParameterError
from latviz.core.data.distinct import few_distinct
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.facts import MAX_LABELS, PictureFacts
from latviz.engine.keeping.session import opened
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters, opening, suited
from latviz.workspace import read_pictures
from tests.app.conftest import opens, settle

pytestmark = pytest.mark.usefixtures("few_views")

TOO_MANY = "more than 64 distinct values, too many for one symbol each"
GREY = "The picture is grey: use Grey instead"
RNG = np.random.default_rng(0)


def image(n_values: int, *shape: int, dtype: type = np.uint8) -> np.ndarray:
    """Return an image with an exact number of values."""
    values = np.resize(np.arange(n_values), int(np.prod(shape)))
    return RNG.permutation(values).reshape(shape).astype(dtype)


def offered(window: MainWindow) -> dict[str, str]:
    """Return the encodings in the box, with the tool tips of disabled ones."""
    model = window.controls["encoding.name"].model()
    assert isinstance(model, QStandardItemModel)
    items = {name: model.item(row) for row, name in enumerate(ENCODINGS)}
    return {n: "" if item.isEnabled() else item.toolTip() for n, item in items.items() if item}


def test_few_values_are_found_and_many_are_told() -> None:
    for dtype in (np.uint8, np.uint16, np.float32):
        late = np.zeros((90, 120), dtype)
        late[-1, -60:] = np.arange(60)
        greys = [image(n_values, 90, 120, dtype=dtype) for n_values in (1, 64, 65, 200)]
        check_values(*greys, late, late[::-1])


def check_values(*arrays: np.ndarray) -> None:
    for values in arrays:
        wanted = {float(v) for row in values.tolist() for v in row}
        found = few_distinct(values, 64)
        assert found == (wanted if len(wanted) <= 64 else None)
        colours = np.stack([values, values // 2, values], axis=2)
        as_colours = few_distinct(colours, 64, in_colour=True)
        assert (None if as_colours is None else len(as_colours)) == (
            len(wanted) if len(wanted) <= 64 else None
        )


def test_facts_are_those_of_all_pictures_of_a_data_set() -> None:
    first, second = Picture(image(40, 20, 20), "a"), Picture(image(40, 20, 20) + 40, "b")
    colour = Picture(np.zeros((4, 5, 3), np.uint8), "c")
    assert PictureSet((first,)).facts == PictureFacts(2, True, 40, 20, n_nodes=400)
    assert PictureSet((first, first)).facts.n_labels == 40
    assert PictureSet((first, second)).facts.n_labels == MAX_LABELS + 1  # 80 in this picture
    assert PictureSet((colour,)).facts == PictureFacts(2, False, 1, 4, n_nodes=20)
    indexed = Picture(image(200, 20, 20), "indexed", labels=image(3, 20, 20))
    assert PictureSet((indexed,)).facts.n_labels == 3


def test_another_encoding_of_the_same_kind_takes_the_place() -> None:
    photo, grey = PictureFacts(2, n_labels=65), PictureFacts(2, is_grey=True, n_labels=9)
    for facts, name, wanted in (
        (photo, "labels", "quantiles"),
        (grey, "labels", "labels"),
        (grey, "rgb", "grey"),
        (grey, "lab", "grey"),
        (photo, "rgb", "rgb"),
        (PictureFacts(1), "rgb", "labels"),
    ):
        assert suited(Parameters(Encoding(name)), facts).encoding == Encoding(wanted)


def test_few_labels_are_states() -> None:
    for dimensions, n in ((2, 2), (2, 9), (3, 32)):
        found = opening(PictureFacts(dimensions, False, n, 500, 500**dimensions))
        labels = Parameters(Encoding("labels"), window=3, learning_window=3)
        assert found == replace(labels, n_states=n)  # a decoder that w moves


def test_the_box_offers_what_a_picture_can_have(window, qtbot, tmp_path) -> None:
    box = window.controls["encoding.name"]
    grey = Picture(image(65, 60, 70), "grey")
    few = Picture(np.repeat(image(64, 60, 70)[..., None], 3, axis=2), "few colours")
    window.document.open(grey)
    assert {n for n, why in offered(window).items() if why} == {"labels", "rgb", "lab", "channels"}
    assert TOO_MANY in offered(window)["labels"]
    assert offered(window)["rgb"] == offered(window)["lab"] == GREY
    settle(qtbot, window)
    for _ in range(len(ENCODINGS)):  # keys skip disabled encodings
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert not offered(window)[window.document.parameters.encoding.name]
    window.document.open(few)
    assert {name for name, why in offered(window).items() if why} == {"channels"}
    settle(qtbot, window)
    window.document.set("Change", encoding=Encoding("labels"))
    settle(qtbot, window)
    window.document.open(grey)  # labels would fail
    assert window.document.parameters.encoding == Encoding("quantiles", 8)
    settle(qtbot, window)
    assert not window.banner.isVisible()
    window.document.undo_stack.undo()
    assert window.document.parameters.encoding == Encoding("labels")
    settle(qtbot, window)
    path, asked = str(tmp_path / "photo.png"), Parameters(Encoding("labels"))
    Image.fromarray(image(200, 40, 50)).save(path)
    opens(window, qtbot, lambda: window.parts[Opener].open_path(path, adjust=lambda _: asked))
    assert window.document.parameters.encoding == Encoding("quantiles")
    assert window.banner.isVisible()  # a requested encoding that cannot be used is reported
    settle(qtbot, window)


def test_the_range_of_w_follows_the_length_of_a_sequence(window, qtbot, tmp_path, capsys) -> None:
    letters = image(4, 4000)
    sequence = Picture(letters, "gene", labels=letters, dimensions=1, alphabet=tuple("ACGT"))
    assert PictureSet((sequence,)).facts.longest == 4000
    controls, document = window.controls, window.document
    document.open(sequence)
    document.set("Change w", window=300)
    sliders = [controls["window"].slider, controls["learning_window"].number.slider]
    assert [slider.maximum() for slider in sliders] == [500, 500]
    assert sliders[0].value() == 300
    settle(qtbot, window)
    document.open(Picture(image(9, 40, 50), "image"), document.parameters)
    assert document.parameters.window == 64
    assert [slider.maximum() for slider in sliders] == [64, 64]
    settle(qtbot, window)
    path, out = tmp_path / "gene.fasta", str(tmp_path / "out.json")
    path.write_text(">gene\n" + "GATTACA" * 600)
    assert cli.run([str(path), "--window", "300", "--export", out]) == 0
    assert cli.run([str(path), "--window", "526", "--export", out]) == 2
    assert "from 0 to 525, got 526" in capsys.readouterr().err


def test_the_command_line_and_a_session_give_the_same_reason(tmp_path, capsys) -> None:
    path, out = tmp_path / "photo.png", tmp_path / "out.json"
    Image.fromarray(image(200, 40, 50)).save(path)
    facts = read_pictures(path).facts
    for name, reason in (("labels", TOO_MANY), ("rgb", GREY), ("lab", GREY)):
        assert reason in ENCODINGS[name].refusal(facts)
        assert cli.run([str(path), "--encoding", name, "--export", str(out)]) == 2
        # Of other encodings the command line names the options
        assert reason.partition(":")[0] in capsys.readouterr().err
        assert not out.exists()
    picture = Picture(image(200, 40, 50), "photo")
    session = opened(picture, Parameters(Encoding("labels")))
    with pytest.raises(ParameterError, match=TOO_MANY):
        compute(picture, session.shown)
