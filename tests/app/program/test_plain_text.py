"""Names of files are shown literally, even if they look like markup."""

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QTextDocumentFragment
from PyQt6.QtWidgets import QLabel

from latviz.app.document.opening import Opener
from tests.app.conftest import opened

pytestmark = pytest.mark.usefixtures("few_views")

NAME = "<b>bold<br> & co.png"


def read(label: QLabel) -> str:
    """Return the visible text of a label."""
    text, how = label.text(), label.textFormat()
    is_rich = how == Qt.TextFormat.RichText or (
        how == Qt.TextFormat.AutoText and Qt.mightBeRichText(text)
    )
    return QTextDocumentFragment.fromHtml(text).toPlainText() if is_rich else text


def tip_of(text: str) -> str:
    """Return the visible text of a tool tip."""
    return read(QLabel(text))


def test_names_that_look_like_markup_are_shown_as_they_are_and_whole_in_the_tip(
    window, qtbot, tmp_path
) -> None:
    path = tmp_path / NAME
    Image.fromarray(np.arange(600, dtype=np.uint8).reshape(20, 30)).save(path, "png")
    window.resize(1900, 1000)
    opened(window, qtbot, lambda: window.parts[Opener].open_path(str(path)))
    labels = window.docks["image"].bar.findChildren(QLabel)
    assert any(read(label).startswith("<b>bold") for label in labels)

    menu = window.menus.menus["Open recent"]
    menu.aboutToShow.emit()
    first = menu.actions()[0]
    assert first.text() == "<b>bold<br> && co.png"
    assert tip_of(first.toolTip()) == str(path)

    path.write_bytes(b"no image")
    window.parts[Opener].open_path(str(path))
    qtbot.waitUntil(window.banner.isVisible)
    assert read(window.banner.label).startswith(f"{NAME}: ")
    window.banner.hide()
    path = tmp_path / f"<i>{'long ' * 30}</i>.npy".replace("/", "")
    np.save(path, np.zeros((20, 30), np.uint8))
    opened(window, qtbot, lambda: window.parts[Opener].open_path(str(path)))
    labels = window.docks["image"].bar.findChildren(QLabel)
    assert any(path.name in tip_of(label.toolTip()) for label in labels)
