"""What leaves the laboratory: tables, pictures, a script."""

import csv
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication, QImage
from PyQt6.QtTest import QTest

from latviz.app.laboratory import window as window_module
from latviz.app.laboratory.window import LabWindow
from latviz.engine.laboratory_export import python_of
from tests.app.laboratory.conftest import SMALL


def test_the_curves_are_read_back(lab: LabWindow, tmp_path: Path) -> None:
    path = tmp_path / "curves.csv"
    lab.write(str(path))
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    outcome = lab.document.outcome
    assert outcome is not None
    r = outcome.result
    found = np.array([[float(row[name]) for name in ("error", "bias", "variance")] for row in rows])
    np.testing.assert_array_equal(found, np.stack([r.error, r.bias, r.variance], axis=1))
    assert [int(row["window"]) for row in rows] == r.windows.tolist()
    assert lab.message.whole_text() == f"Wrote {path}"


def test_the_figure_is_drawn_to_files(lab: LabWindow, tmp_path: Path) -> None:
    lab.write(str(tmp_path / "figure.png"))
    image = QImage(str(tmp_path / "figure.png"))
    assert image.width() == 2 * lab.figure.width()
    lab.write(str(tmp_path / "figure.svg"))
    text = "".join(ElementTree.parse(tmp_path / "figure.svg").getroot().itertext())
    for wanted in ("least error", "Variance", "At w = 3", "window w"):
        assert wanted in text


def test_a_file_is_asked_for(
    lab: LabWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "asked.csv"
    monkeypatch.setattr(window_module, "ask_where", lambda *_: str(path))
    QTest.keyClick(lab, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert path.read_text(encoding="utf-8").startswith("window,error,error_low")


def test_what_cannot_be_written_is_said(lab: LabWindow, tmp_path: Path) -> None:
    for name in ("curves.csv", "figure.svg"):
        path = tmp_path / "nowhere" / name
        lab.write(str(path))
        assert lab.banner.isVisible()
        assert name in lab.banner.label.text()
        QTest.keyClick(lab, Qt.Key.Key_Escape)
        assert not lab.banner.isVisible()


def test_the_script_is_copied(lab: LabWindow) -> None:
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(lab, Qt.Key.Key_C, keys)
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    assert clipboard.text() == python_of(SMALL)
