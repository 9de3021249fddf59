"""Films and reports through the window."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.sharing import sharer
from latviz.app.sharing.film_dialog import FilmDialog, Wanted, bytes_text
from latviz.app.sharing.sharer import Sharer
from latviz.core.progress import Cancelled
from latviz.engine.films.film import Film
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from latviz.sharing import film_writing
from latviz.sharing.film_writing import Size
from tests.app.conftest import settle
from tests.app.keys import doubled

pytestmark = pytest.mark.usefixtures("few_views")

FILM = Film("window", 2, 4, side=240, shown="states", caption=False)


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the next questions: which film, and where to."""

    def set_answer(path: Path, wanted: Wanted | None = None) -> None:
        monkeypatch.setattr(sharer, "ask_film", lambda *_: wanted)
        monkeypatch.setattr(sharer, "ask_where", lambda *_: str(path))

    return set_answer


def test_films_and_reports_are_written_or_cancelled(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, answer: Callable[..., None], photo: Picture
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_cancelling_leaves_no_file_and_another_can_begin(
            window, qtbot, tmp_path, answer, patch
        )
    window.banner.hide()
    check_a_film_and_a_report_are_written_beside_the_window(window, qtbot, tmp_path, photo, answer)


def check_a_film_and_a_report_are_written_beside_the_window(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, photo: Picture, answer: Callable[..., None]
) -> None:
    frame = settle(qtbot, window)
    answer(tmp_path / "a.gif", Wanted(FILM, ".gif"))
    window.menus["Export a film"].trigger()
    assert window.parts[Sharer].is_on
    window.parts[Sharer].export_report()
    assert "a.gif is being written" in window.status.message.whole_text()
    window.document.set("w", window=9)  # the film has the settings at its start
    qtbot.waitUntil(lambda: not window.parts[Sharer].is_on, timeout=60_000)
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 3
        film.seek(1)
        drawn = np.asarray(film.convert("RGB"))
    np.testing.assert_array_equal(drawn, state_colors(frame.slots)[frame.states])
    size = bytes_text((tmp_path / "a.gif").stat().st_size)
    assert window.status.message.whole_text() == f"Wrote {tmp_path / 'a.gif'}, {size}"
    assert window.status.writing.isHidden()
    answer(tmp_path / "a.html")
    window.document.open(Picture(photo.pixels[:40, :40], "small"))
    window.menus["Export a report"].trigger()
    qtbot.waitUntil(lambda: not window.parts[Sharer].is_on)
    assert "<h1>small</h1>" in (tmp_path / "a.html").read_text(encoding="utf-8")


def check_cancelling_leaves_no_file_and_another_can_begin(
    window: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    answer: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settle(qtbot, window)
    answer(tmp_path / "a.gif", Wanted(FILM, ".gif"))
    ended: list[bool] = []
    write = film_writing.write_film

    def watched(*arguments: object) -> None:
        try:
            arguments[-1].report(0.25)
            time.sleep(0.15)  # so that the first report is shown
            arguments[-1].report(0.5)
            while not arguments[-1].cancelled():
                time.sleep(0.01)
            write(*arguments)
        except Cancelled:
            ended.append(True)
            raise

    monkeypatch.setattr(film_writing, "write_film", watched)
    window.parts[Sharer].export_film()
    bar = window.status.writing
    qtbot.waitUntil(bar.isVisible)
    qtbot.waitUntil(lambda: bar.bar.value() == 50)
    assert bar.cancel.accessibleName() == "Cancel writing a.gif"
    window.menus["Dismiss message or highlight"].trigger()  # as Esc does
    assert bar.isHidden()
    assert "a.gif was not written" in window.status.message.whole_text()
    qtbot.waitUntil(lambda: ended == [True])
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    answer(tmp_path / "b.webp", Wanted(FILM, ".webp"))
    window.parts[Sharer].export_film()
    qtbot.waitUntil(lambda: not window.parts[Sharer].is_on)
    assert (tmp_path / "b.webp").exists()
    answer(tmp_path / "no" / "a.gif", Wanted(FILM, ".gif"))
    window.parts[Sharer].export_film()
    qtbot.waitUntil(window.banner.isVisible)
    assert "a.gif" in window.banner.label.text()
    assert not window.parts[Sharer].is_on


def test_the_dialog_tells_the_length_and_the_size_of_what_is_asked_for(qtbot: QtBot) -> None:
    asked: list[tuple[Film, str]] = []

    def estimate(film: Film, suffix: str) -> Size:
        asked.append((film, suffix))
        return Size(520, 293, 123_456)

    dialog = FilmDialog(None, Wanted(), Parameters(n_states=5), 2, estimate)
    qtbot.addWidget(dialog)
    dialog.show()
    assert doubled(dialog) == {}
    assert dialog.facts.text() == "21 frames, 5.2 s"
    qtbot.waitUntil(lambda: "293" in dialog.facts.text())
    assert dialog.facts.text() == "21 frames, 5.2 s, 520 × 293 pixels, about 123.5 kB"
    assert asked == [(Film(), ".gif")]
    model = dialog.moving.model()
    assert model is not None
    passes = model.index(2, 0)
    assert not passes.flags() & Qt.ItemFlag.ItemIsEnabled
    assert passes.data(Qt.ItemDataRole.ToolTipRole) == "only belief decoders use passes"
    QTest.keyClick(dialog.moving, Qt.Key.Key_Down)
    assert dialog.wanted.film == Film("n_states")
    assert (dialog.first.value(), dialog.last.value()) == (1, 8)
    dialog.first.setValue(6)
    dialog.last.setValue(3)
    assert dialog.wanted.film.values == (6, 5, 4, 3)
    QTest.keyClick(dialog.format, Qt.Key.Key_Down)
    assert dialog.wanted.suffix == ".webp"
    qtbot.waitUntil(lambda: asked[-1] == (dialog.wanted.film, ".webp"))
    dialog.accept()
