"""Typing numbers, under the locale of any system."""

import locale
from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QEvent, QLocale, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDoubleSpinBox, QSpinBox
from pytestqt.qtbot import QtBot

from latviz.app.lessons.guess import CountBox, Guess
from latviz.app.program.main import application
from latviz.app.widgets.number_boxes import DecimalBox, WholeBox

LOCALES = ("de_DE", "de_CH", "ar_EG", "fa_IR", "pt_BR", "fr_FR", "en_US")


@pytest.fixture(params=LOCALES)
def system(request: pytest.FixtureRequest) -> Iterator[QLocale]:
    """The locale of the system, as Qt takes it before the application is made."""
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield QLocale(request.param)
    QLocale.setDefault(before)


def typed(box: QSpinBox | QDoubleSpinBox, keys: str) -> float:
    """Type key by key over the text, and enter it."""
    box.selectAll()
    for key in keys:  # QTest's own has no keys of other scripts
        press = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, key)
        QApplication.sendEvent(box.lineEdit(), press)
    QTest.keyClick(box, Qt.Key.Key_Return)
    return box.value()


def test_both_separators_are_understood(qtbot: QtBot, system: QLocale) -> None:
    box, share = DecimalBox(), CountBox()
    share.guess = Guess("gauge")
    qtbot.addWidget(box)
    qtbot.addWidget(share)
    box.setDecimals(2)
    share.setRange(0, 100)
    own = system.toString(0.5, "f", 2)  # with the digits and the separator of this locale
    for keys in ("0.5", "0,5", ".50", "0٫5", "۰٫۵", own):
        box.setValue(0.25)
        assert typed(box, keys) == 0.5
        assert box.text() == "0.50"
    for keys in ("0.83", "0,83", "۰٫۸۳"):
        share.setValue(10)
        assert typed(share, keys) == 83


def test_what_could_be_misread_is_not_taken(qtbot: QtBot, system: QLocale) -> None:
    box, whole = DecimalBox(), WholeBox()
    for one in (box, whole):
        qtbot.addWidget(one)
        one.setKeyboardTracking(False)
        one.setMaximum(10_000)
        one.setValue(7)
    for keys in ("1,234.5", "1.234,5", "1,234,567", "1’234", "1.2.3"):
        taken = typed(box, keys)
        # An apostrophe is not typed at all, as a letter is not
        assert taken == (1234 if keys == "1’234" else 7)
        box.setValue(7)
    for keys in ("1.5", "1,5", "1,234", "1.234", system.toString(1234.5, "f", 1)):
        assert typed(whole, keys) == 7
        assert whole.text() == "7"
    assert typed(whole, "1234") == 1234
    assert whole.text() == "1234"
    assert typed(whole, "٣٢") == 32
    for keys, text in (("15", "15"), ("-3", "3")):
        typed(whole, keys)
        assert whole.text() == text


def test_the_application_sets_the_locale_of_numbers(system: QLocale) -> None:
    application()
    assert QLocale().toString(1234.5, "f", 1) == "1234.5"
    assert locale.localeconv()["decimal_point"] == "."
