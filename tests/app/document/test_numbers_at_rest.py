"""Numbers, colours and names of states at rest follow from what is set, not from what was."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot
from sklearn.datasets import load_sample_image

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.settings.appearance import Looks
from tests.app.conftest import answered, opened, settle

pytestmark = pytest.mark.usefixtures("few_views")


@pytest.fixture
def flower(tmp_path: Path) -> Path:
    path = tmp_path / "flower.png"
    Image.fromarray(load_sample_image("flower.jpg")[::4, ::4]).save(path)
    return path


def begin(window: MainWindow, qtbot: QtBot, path: Path) -> Frame:
    window.tabs.stage.show_only({"controls", "states"})
    return opened(window, qtbot, lambda: window.parts[Opener].open_file(str(path)))


def test_a_name_stays_on_its_state(window: MainWindow, qtbot: QtBot, flower: Path) -> None:
    document, first = window.document, begin(window, qtbot, flower)
    looks = Looks()
    for k, slot in enumerate(first.slots):
        looks = looks.changed(slot, name=f"name {k}", color=f"#{k}{k}0000")
    document.change("Name them", looks=looks)
    document.select(StateSelection(first.slots[2]))
    before = answered(qtbot, window, "looks", "selection")
    document.set("w_l", learning_window=6)
    after = settle(qtbot, window)
    joint = np.zeros((4, 4), np.int64)
    np.add.at(joint, (before.states, after.states), 1)
    for state, name in enumerate(before.names):
        overlap = joint[state]
        if 2 * overlap.max() > max(joint[state].sum(), joint[:, overlap.argmax()].sum()):
            assert after.names[overlap.argmax()] == name
            assert after.colors[overlap.argmax()].tolist() == before.colors[state].tolist()
    picked = document.state.selection
    assert isinstance(picked, StateSelection)
    assert after.names[after.slots.index(picked.slot)] == "name 2"
    assert document.state.looks == after.request.looks
    document.undo_stack.undo()
    back = settle(qtbot, window)
    assert (back.slots, back.names) == (before.slots, before.names)
    np.testing.assert_array_equal(back.states, before.states)
    document.undo_stack.redo()
    again = settle(qtbot, window)
    assert (again.slots, again.names) == (after.slots, after.names)
