"""The guide to w, as a view."""

from functools import partial

from latviz.app.docks import Place
from latviz.app.views.guide.view import GuideView
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.engine.frame import Frame


def connect(view: GuideView, context: Context) -> None:
    """Let it set w, and show what is computed at rest."""
    document, idle = context.document, context.idle_jobs
    view.window_wanted.connect(lambda window: document.set("Change w", window=window))
    view.choice_wanted.connect(partial(idle.choose, "w"))
    idle.trade_off_changed.connect(view.show_trade_off)
    idle.chosen.connect(view.show_chosen)
    idle.choosing_changed.connect(view.show_choosing)
    document.locked.connect(lambda lock: view.show_lock(lock is None or "window" in lock.free))


def rows(view: GuideView, _frame: Frame) -> Rows:
    """Return the code length of every w that was tried."""
    found: Rows = [[s.window, s.code_length, s.standard_error] for s in view.guidance.settings]
    return [["w", "Code length (est.)", "Standard error"], *found] if found else []


SPEC = ViewSpec(
    name="guide",
    title=GuideView.TITLE,
    make=GuideView,
    place=Place("bottom", height=170, at_most_one_in=3),
    explains=("code_length",),
    help="A headline on the window: too small, about right or too large, by how well windows "
    "foretell the pixel in their middle; and a slider as wide as the pictures.",
    shown_at_first=False,
    needs=GuideView.NEEDS,
    connect=connect,
    verbs=lambda _view, _context: ("Choose w", "Larger window", "Smaller window"),
    table=rows,
)
