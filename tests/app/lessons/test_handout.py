"""A lesson on paper: two pages, the first without answers."""

from pathlib import Path

import pytest
from PyQt6.QtGui import QImage
from PyQt6.QtPdf import QPdfDocument

from latviz.app.lessons import handout
from latviz.app.lessons.handout import write_handout
from latviz.engine.lessons.lesson import Lesson, read
from latviz.resources import lessons


def texts(path: Path) -> list[str]:
    """Return the text of each page, on one line."""
    document = QPdfDocument(None)
    assert document.load(str(path)) == QPdfDocument.Error.None_
    pages = [document.getAllText(k).text() for k in range(document.pageCount())]
    return [" ".join(page.split()) for page in pages]


def blank(_demo: str) -> QImage:
    image = QImage(340, 340, QImage.Format.Format_RGB888)
    image.fill(0)
    return image


@pytest.mark.usefixtures("qapp")
def test_each_lesson_is_two_pages_with_answers_on_the_second(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(handout, "drawn", blank)
    for name, path in lessons().items():
        lesson, out = read(path), tmp_path / f"{name}.pdf"
        write_handout(out, lesson)
        check(lesson, texts(out))


def check(lesson: Lesson, pages: list[str]) -> None:
    asked, answers = pages
    assert asked.count("☐") == sum(len(step.guess.options) for step in lesson.steps)
    assert "☑" not in asked
    assert "**" not in asked + answers
    for k, step in enumerate(lesson.steps, start=1):
        assert f"{k} {step.title}." in asked
        assert (f"{k} {step.title}." in answers) == bool(step.then)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("demo", "size"), [("stripes", (340, 340)), ("protein", (340, 68))])
def test_pictures_are_images_and_bands(demo: str, size: tuple[int, int]) -> None:
    image = handout.drawn(demo)
    assert (image.width(), image.height()) == size
    assert len({image.pixel(x, 20) for x in range(0, 340, 7)}) > 1
