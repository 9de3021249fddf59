"""Sentences in the window are whole, in lines that the eye can follow, in every tab."""

from collections.abc import Iterator

from PyQt6.QtGui import QTextLayout
from PyQt6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.docking.uses import USES
from latviz.app.widgets.elided import LINE, ElidedLabel
from tests.app.looking import come_to_rest, cut_texts
from tests.screenshots import shown


def longest_line(label: QLabel) -> int:
    """Return how many characters the longest line of a wrapped label has."""
    layout, lengths = QTextLayout(label.text(), label.font()), [0]
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(label.contentsRect().width())
        lengths.append(line.textLength())
    layout.endLayout()
    return max(lengths)


def faults(window: QWidget) -> Iterator[str]:
    """Yield the texts that are cut within a sentence, or have longer lines."""
    for label in window.findChildren(QLabel):
        if not label.isVisible():
            continue
        shown = label.text()
        whole = label.whole_text() if isinstance(label, ElidedLabel) else shown
        if shown != whole and whole.endswith(".") and not shown.endswith("."):
            yield f"cut: {whole}"
        if label.wordWrap() and "<" not in shown and longest_line(label) > LINE:
            yield f"lines of {longest_line(label)} characters: {shown}"


def test_sentences_are_whole_and_lines_short(qtbot: QtBot, no_leaked_threads: None) -> None:
    with shown("blobs", use=USES[0].name) as window:
        for use in USES:
            window.tabs.enter(use.name)
            for size in ((1280, 800), (1920, 1080)):
                window.resize(*size)
                come_to_rest(window)  # results of idle time are laid out
                found = [*cut_texts(window), *faults(window)]
                assert found == [], (use.name, size)
