"""Exports of a fixed truth: tables, pictures, a script."""

import os
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QCloseEvent, QGuiApplication, QImage
from PyQt6.QtSvg import QSvgRenderer
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.wings.bench import window as window_module
from latviz.wings.bench.exports import csv_of, python_of
from latviz.wings.bench.window import BenchWindow
from tests.wings.bench.conftest import SMALL

pytestmark = pytest.mark.usefixtures("few_views")


def written(lab: BenchWindow, qtbot: QtBot, path: Path) -> None:
    """Write a file, and wait for the message."""
    lab.write(str(path))
    qtbot.waitUntil(lambda: lab.message.whole_text() == f"Wrote {path}")


def test_curves_and_figure_are_written(lab: BenchWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "curves.csv"
    written(lab, qtbot, path)
    assert path.read_text(encoding="utf-8") == csv_of(lab.document.outcome)

    # The figure is drawn to files.
    written(lab, qtbot, tmp_path / "figure.png")
    image = QImage(str(tmp_path / "figure.png"))
    inches = image.width() / (image.dotsPerMeterX() * 0.0254)
    assert lab.figure.width() - 40 < 96 * inches <= lab.figure.width() + 16
    written(lab, qtbot, tmp_path / "figure.svg")
    assert QSvgRenderer(str(tmp_path / "figure.svg")).isValid()
    written(lab, qtbot, tmp_path / "figure.pdf")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF-")
    text = "".join(ElementTree.parse(tmp_path / "figure.svg").getroot().itertext())
    for wanted in ("least error", "Variance", "At w = 3", "window w"):
        assert wanted in text

    # The pixel that is pointed at is in no figure.
    found = []
    for node in (None, (20, 30)):
        lab.document.point_at(node)
        written(lab, qtbot, tmp_path / "figure.png")
        found.append((tmp_path / "figure.png").read_bytes())
        (tmp_path / "figure.png").unlink()
    assert lab.document.node == (20, 30)
    assert found[0] == found[1]

    # Files that cannot be written are reported.
    for name in ("curves.csv", "figure.svg"):
        path = tmp_path / "nowhere" / name
        lab.write(str(path))
        qtbot.waitUntil(lab.banner.isVisible)
        assert name in lab.banner.label.text()
        QTest.keyClick(lab, Qt.Key.Key_Escape)
        assert not lab.banner.isVisible()


def test_a_file_is_asked_for_and_written_beside_the_window_before_it_is_gone(
    lab, qtbot, tmp_path, monkeypatch
) -> None:
    path = tmp_path / "asked.csv"
    monkeypatch.setattr(window_module, "ask_where", lambda *_: str(path))
    QTest.keyClick(lab, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: lab.message.whole_text() == f"Wrote {path}")
    assert path.read_text(encoding="utf-8").startswith("window,error,error_low")

    # The script is copied.
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(lab, Qt.Key.Key_C, keys)
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == python_of(SMALL)

    # Files are written on another thread, and before the window is deleted.
    path.unlink()
    threads: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _: threads.append(threading.get_ident()))
    for name in ("curves.csv", "figure.svg", "figure.png"):
        lab.write(str(tmp_path / name))
    lab.closeEvent(QCloseEvent())  # the fixture closes it finally
    assert len(threads) == len(list(tmp_path.iterdir())) == 3
    assert threading.get_ident() not in threads
