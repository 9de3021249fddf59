"""Pictures that are shown beside those learned from, and applied models, in the window's steps."""

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.collection.models import model_of
from latviz.collection.reading import find, read_learned, show
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.parameters import Parameters
from latviz.files import memory
from tests.app.conftest import begin_anew, settle
from tests.app.conftest import opened as opened_by
from tests.collection.pictures import write_noisy

pytestmark = pytest.mark.usefixtures("few_views")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    write_noisy(tmp_path, 3)
    found = find([tmp_path]).shelf
    return found.ticking([0])


def test_shelves_and_models_are_undone(window: MainWindow, qtbot: QtBot, shelf: Shelf) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_steps_along_a_shelf_are_undone(window, qtbot, shelf, patch)
    begin_anew(qtbot, window)
    check_a_model_is_applied_and_let_go_of(window, qtbot, shelf)


def check_steps_along_a_shelf_are_undone(window, qtbot, shelf, monkeypatch) -> None:
    monkeypatch.setattr(memory, "most_held", lambda: 0)  # so that files are read again
    document, opened = window.document, read_learned(shelf)
    document.open(opened.pictures, Parameters(n_states=3))
    document.begin(shelf=opened.shelf)
    first = settle(qtbot, window)
    beside = show(opened.shelf, opened.pictures, 1)
    document.change("Show another file", pictures=beside.pictures, shelf=beside.shelf)
    second = settle(qtbot, window)
    assert second.model is first.model  # nothing is learned again
    assert document.state.shelf.shown == 1
    pixels, held = document.picture.pixels.copy(), weakref.ref(document.picture)
    last = show(opened.shelf, opened.pictures, 2)
    document.change("Show another file", object(), pictures=last.pictures, shelf=last.shelf)
    settle(qtbot, window)
    del second, beside
    gc.unfreeze()
    gc.collect()
    assert held() is None
    again = opened_by(window, qtbot, document.undo_stack.undo)
    assert document.state.shelf.shown == 1
    assert document.state.members == opened.pictures.members
    np.testing.assert_array_equal(document.picture.pixels, pixels)
    np.testing.assert_array_equal(again.model.A, first.model.A)


def check_a_model_is_applied_and_let_go_of(window: MainWindow, qtbot: QtBot, shelf: Shelf) -> None:
    document, opened = window.document, read_learned(shelf)
    document.open(opened.pictures, Parameters(n_states=3, window=2))
    first = settle(qtbot, window)
    given = model_of(first, "bones.npz")
    other = show(opened.shelf, opened.pictures, 2)
    document.change("Show another file", pictures=other.pictures)
    applied = document.state.applying(given)
    document.change("Apply a model", given=given, parameters=applied.parameters)
    frame = settle(qtbot, window)
    assert frame.request.given == given
    values = given.encoder.encode(other.pictures.picture.pixels).values
    np.testing.assert_array_equal(frame.states, given.model.decode(values, window=2))
    document.set("N", n_states=7)
    assert document.parameters.n_states == 3
    document.undo_stack.undo()
    assert document.state.given is None
    assert settle(qtbot, window).request.given is None
