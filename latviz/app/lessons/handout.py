"""A lesson on two pages of paper: what it asks, and what is right."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QMarginsF, QSizeF, QUrl
from PyQt6.QtGui import QImage, QPageLayout, QPageSize, QTextDocument

from latviz.app.widgets.lifetimes import painting_on, pdf_writer
from latviz.core.disk.writing import replacing
from latviz.engine.frames.section import Section
from latviz.engine.lessons.lesson import Lesson, LessonStep, shown
from latviz.workspace import make_picture

_DPI = 96
_MARGIN = 15.0
"""Around a page, in millimetres."""
_SIZES = tuple(size / 2 for size in range(22, 11, -1))
"""Sizes of text in points; the largest with which a page holds all of its text is taken."""
_PICTURE = 170, 34
"""The width of a picture, and the height of a sequence, on screens."""
_LINE = "_" * 24


def write_handout(path: str | Path, lesson: Lesson) -> None:
    """Write a lesson as PDF: its questions on one page, answers and what is learned on another."""
    demos = list(dict.fromkeys(map(lesson.demo_at, range(len(lesson.steps)))))
    with pdf_writer() as (writer, buffer):
        writer.setTitle(lesson.title)
        writer.setCreator("latviz")
        writer.setResolution(_DPI)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(*[_MARGIN] * 4), QPageLayout.Unit.Millimeter)
        room = QSizeF(writer.width(), writer.height())
        pages = [_page(text, room, demos) for text in (_asked(lesson, demos), _answered(lesson))]
        with painting_on(writer) as painter:
            for k, page in enumerate(pages):
                if k:
                    writer.newPage()
                page.drawContents(painter)
        content = buffer.data().data()
    with replacing(path) as stream:
        stream.write(content)


def _page(html: str, room: QSizeF, demos: list[str]) -> QTextDocument:
    """Return one page of text, as large as it fits."""
    page = QTextDocument()
    for demo in demos:
        page.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(demo), drawn(demo))
    page.setDocumentMargin(0)
    page.setPageSize(room)
    for size in _SIZES:
        # Pixels, since points would follow the screen
        page.setHtml(f'<div style="font-size: {size * _DPI / 72:g}px">{html}</div>')
        if page.pageCount() == 1:
            break
    return page


def _asked(lesson: Lesson, demos: list[str]) -> str:
    cells = "".join(f"<td><img src='{demo}' width='{_PICTURE[0]}'></td>" for demo in demos)
    head = f"<h2>{escape(lesson.title)}</h2><p>{_html(lesson.summary)}</p>"
    steps = "".join(_question(k, step) for k, step in enumerate(lesson.steps, start=1))
    return f"{head}<table cellspacing='6'><tr>{cells}</tr></table>{steps}"


def _question(k: int, step: LessonStep) -> str:
    options = " &nbsp; ".join(_html(f"☐ {option}", unbroken=True) for option in step.guess.options)
    answer = options or (_LINE if step.guess.kind != "none" else "")
    return f"{_headed(k, step)} {_html(step.text)}</p><p>{answer}</p>"


def _answered(lesson: Lesson) -> str:
    learned = "".join(f"<li>{_html(sentence)}</li>" for sentence in lesson.learned)
    steps = "".join(_answers(lesson))
    return f"<h2>Answers: {escape(lesson.title)}</h2>{steps}<p><b>Learned</b></p><ul>{learned}</ul>"


def _answers(lesson: Lesson) -> Iterator[str]:
    for k, step in enumerate(lesson.steps, start=1):
        if step.then:
            guess, answer = step.guess, ""
            if guess.options and guess.answer is not None:
                answer = f"☑ {_html(guess.options[int(guess.answer.shown) - 1])}. "
            yield f"{_headed(k, step)} {answer}{_html(step.then)}</p>"


def _headed(k: int, step: LessonStep) -> str:
    return f"<p><b>{k} &nbsp;{escape(step.title)}.</b>"


def _html(text: str, *, unbroken: bool = False) -> str:
    """Return a text of a lesson with its marks for bold and italic letters."""
    text = shown(text).replace(" ", "\N{NO-BREAK SPACE}") if unbroken else shown(text)
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", bold)


def drawn(demo: str) -> QImage:
    """Return the image of a demo, a slice of a volume, or a sequence as a band."""
    picture, _ = make_picture(demo)
    section = Section(picture.shape, picture.shape[0] // 2)
    colors = picture.in_colour(section.plane(picture.shown))
    rows, columns = section.shape
    width, band = _PICTURE
    image = pg.functions.ndarray_to_qimage(
        np.ascontiguousarray(colors), QImage.Format.Format_RGB888
    )
    high = band if rows == 1 else width * rows // columns
    scaled: QImage = image.scaled(2 * width, 2 * high)
    return scaled
