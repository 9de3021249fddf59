"""The console: lines move sliders, and sliders write lines."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from tests.app.conftest import settle

pytest.importorskip("qtconsole")


def test_lines_and_sliders_follow_each_other(window: MainWindow, qtbot: QtBot) -> None:
    view, document = window.views["console"], window.document
    window.tabs.stage.open_dock("console")
    settle(qtbot, window)
    console, shell = view.console, view.console.kernel_manager.kernel.shell
    np.testing.assert_array_equal(shell.user_ns["states"], document.frame.states)
    console.execute("set(window=6, n_states=3)")
    settle(qtbot, window)
    assert (document.parameters.window, document.parameters.n_states) == (6, 3)
    assert document.frame.states is shell.user_ns["states"]
    assert console.input_buffer == ""
    document.set("w", window=7)
    settle(qtbot, window)
    assert console.input_buffer == "set(window=7)"
    document.set("w", window=8)
    assert console.input_buffer == "set(window=8)"
    console.input_buffer = "mine"
    document.set("w", window=9)
    assert console.input_buffer == "mine"
    console.execute("set(width=2)")
    qtbot.waitUntil(lambda: "width must be one of encoding" in console._control.toPlainText())
    assert "Traceback" not in console._control.toPlainText()
