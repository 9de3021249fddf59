"""Idle states of a window, and its cut texts."""

from collections.abc import Iterator

from latviz.app.document.idle_jobs import VIEWS, IdleJobs
from latviz.app.program.window import MainWindow
from latviz.app.views.registry import Views
from latviz.app.views.spec import needs_of
from latviz.engine.frames.frame import SLOW
from tests.app.cut import is_cut, texts
from tests.screenshots import settle, wait_until


def come_to_rest(window: MainWindow) -> None:
    """Wait until the settings are on screen, including results of idle time."""
    rest = window.parts[IdleJobs]

    def is_filled() -> bool:
        return rest.trade_off is not None and rest.trade_off.fraction == 1.0

    settle(window)
    document = window.document
    slow = SLOW & needs_of((window.specs[n] for n in document.state.views), document.state)
    wait_until(lambda: document.frame is not None and slow <= document.frame.results.keys())
    if not VIEWS.isdisjoint(document.state.views):
        wait_until(is_filled)
    for view in window.views.values():
        view.end_passing()
        wait_until(lambda view=view: getattr(view, "is_settled", True))
    window.status.end_message()
    wait_until(lambda: window.parts[Views].rounds.is_over)


def cut_texts(window: MainWindow) -> Iterator[str]:
    for widget in texts(window):
        if is_cut(widget):
            said = widget.accessibleName() or getattr(widget, "text", str)()
            yield f"cut: {said or type(widget).__name__}"
