"""Reports through the window."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from latviz.app.sharing.writer import Sharer, Writer, bytes_text
from latviz.core.progress import Cancelled
from latviz.engine.pictures.picture import Picture
from latviz.sharing import page
from tests.app.conftest import settle
from tests.sharing.test_live import codebook, content_of

pytestmark = pytest.mark.usefixtures("few_views")


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the next question: where to."""

    def set_answer(path: Path) -> None:
        monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))

    return set_answer


def test_reports_are_written_or_cancelled(window, qtbot, tmp_path, answer, photo) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_cancelling_leaves_no_file_and_another_can_begin(
            window, qtbot, tmp_path, answer, patch
        )
    window.banner.hide()
    check_a_report_is_written_while_the_window_goes_on(window, qtbot, tmp_path, photo, answer)


def test_a_live_page_has_the_states_on_screen(window, qtbot, tmp_path, answer, photo) -> None:
    window.document.open(photo)
    frame = settle(qtbot, window)
    answer(tmp_path / "a.html")
    window.parts[Sharer].export_live_page()
    qtbot.waitUntil(lambda: not window.parts[Writer].is_on, timeout=60_000)
    tree, n = content_of(tmp_path / "a.html")["tree"], len(frame.model.B)
    assert codebook(tree, n) == frame.model.B.tolist()
    assert sorted(tree["slots"][:n]) == list(frame.slots)
    window.document.open(
        Picture(np.dstack([photo.pixels, photo.pixels[::-1], photo.pixels])[:40, :40], "colours")
    )
    settle(qtbot, window)
    window.parts[Sharer].export_live_page()
    qtbot.waitUntil(window.banner.isVisible)
    assert "--encoding palette" in window.banner.label.text()


def check_a_report_is_written_while_the_window_goes_on(
    window, qtbot, tmp_path, photo, answer
) -> None:
    window.document.open(Picture(photo.pixels[:40, :40], "small"))
    w = settle(qtbot, window).request.parameters.window
    answer(tmp_path / "a.html")
    window.menus["Export a report"].trigger()
    assert window.parts[Writer].is_on
    window.parts[Sharer].export_report()
    assert "a.html is being written" in window.status.message.whole_text()
    window.document.set("w", window=w + 2)  # the report has the settings at its start
    qtbot.waitUntil(lambda: not window.parts[Writer].is_on, timeout=60_000)
    written = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<h1>small</h1>" in written
    assert f"<td>{w}</td><td>--window</td>" in re.sub(r">\s+<", "><", written)
    size = bytes_text((tmp_path / "a.html").stat().st_size)
    assert window.status.message.whole_text() == f"Wrote {tmp_path / 'a.html'}, {size}"
    assert window.status.writing.isHidden()


def check_cancelling_leaves_no_file_and_another_can_begin(
    window, qtbot, tmp_path, answer, monkeypatch
) -> None:
    settle(qtbot, window)
    answer(tmp_path / "a.html")
    ended: list[bool] = []
    write = page.write_report

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

    monkeypatch.setattr(page, "write_report", watched)
    window.parts[Sharer].export_report()
    bar = window.status.writing
    qtbot.waitUntil(bar.isVisible)
    qtbot.waitUntil(lambda: bar.bar.value() == 50)
    assert bar.cancel.accessibleName() == "Cancel writing a.html"
    window.menus["Dismiss message or highlight"].trigger()  # as Esc does
    assert bar.isHidden()
    assert "a.html was not written" in window.status.message.whole_text()
    qtbot.waitUntil(lambda: ended == [True])
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    answer(tmp_path / "no" / "a.html")
    window.parts[Sharer].export_report()
    qtbot.waitUntil(window.banner.isVisible)
    assert "a.html" in window.banner.label.text()
    assert not window.parts[Writer].is_on
