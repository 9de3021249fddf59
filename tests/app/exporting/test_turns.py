"""Drawings are made step by step: events are handled between steps, and none is lost."""

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QCoreApplication, QObject, QTimer
from pytestqt.qtbot import QtBot

from latviz.app.exporting.drawing import Writing
from latviz.app.exporting.exporting import Turns


def steps(name: str, done: list[str], count: int = 3) -> Iterator[Writing | None]:
    for k in range(count):
        done.append(f"{name}{k}")
        yield (lambda: done.append(f"{name} written")) if k == count - 1 else None
    done.append(f"{name} freed")


def test_events_are_looked_at_between_steps(qtbot: QtBot) -> None:
    done: list[str] = []
    parent = QObject()
    turns = Turns(parent)
    looks = QTimer(parent)
    looks.timeout.connect(lambda: done.append("look"))
    looks.start(0)
    turns.begin(steps("a", done), lambda write: write())
    assert done == ["a0"]  # at once, because the drawing may change
    qtbot.waitUntil(lambda: "a written" in done)
    first, second, third = (done.index(f"a{k}") for k in range(3))
    assert "look" in done[first:second]
    assert "look" in done[second:third]
    assert done.index("a freed") < done.index("a written")


def test_all_that_has_begun_can_be_finished_at_once(qtbot: QtBot) -> None:
    done: list[str] = []
    parent = QObject()
    turns = Turns(parent)
    for name, count in (("a", 3), ("b", 1), ("c", 2)):
        turns.begin(steps(name, done, count), lambda write: write())
    assert [text for text in done if "written" in text] == ["b written"]
    turns.finish()
    written = [text for text in done if "written" in text]
    assert written == ["b written", "a written", "c written"]  # each whole, before the next one
    QCoreApplication.processEvents()
    assert len(done) == 3 + 1 + 2 + 2 * 3


def test_what_fails_holds_up_nothing(qtbot: QtBot) -> None:
    def failing() -> Iterator[Writing | None]:
        yield None
        raise OSError("no room")

    done: list[str] = []
    parent = QObject()
    turns = Turns(parent)
    turns.begin(failing(), lambda _: None)
    turns.begin(steps("b", done), lambda write: write())
    with pytest.raises(OSError, match="no room"):
        turns.finish()
    qtbot.waitUntil(lambda: "b written" in done)
