"""The guide to w, as a view."""

from functools import partial

from latviz.app.views.guide.view import GuideView
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.engine.frames.frame import Frame


def connect(view: GuideView, context: Context) -> None:
    """Connect its choice of w, and show results of idle work."""
    document, idle = context.document, context.idle_jobs
    view.window_wanted.connect(lambda window: document.set("Change w", window=window))
    view.map_wanted.connect(context.comparing.show_window_map)
    view.offer_taken.connect(context.adviser.take)
    adviser = context.adviser
    adviser.took.connect(lambda taken: view.show_outcome("" if taken is None else taken.text))
    view.kept.connect(adviser.keep)
    view.undone.connect(adviser.undo)
    adviser.changed.connect(lambda advice: view.show_advice(advice, adviser.is_dependent))
    view.choice_wanted.connect(partial(idle.choose, "w"))
    idle.scales_changed.connect(view.show_scales)
    idle.trade_off_changed.connect(view.show_trade_off)
    idle.chosen.connect(view.show_chosen)
    idle.choosing_changed.connect(view.show_choosing)
    document.locked.connect(lambda lock: view.show_lock(lock is None or "window" in lock.free))


def rows(view: GuideView, _frame: Frame) -> Rows:
    """Return the regions and changed pixels of the map of every w."""
    scales = view.scales
    found: Rows = [
        [one.window, one.n_regions, one.n_large, "" if one.changed is None else one.changed]
        for one in ([] if scales is None else scales.row)
    ]
    return [["w", "Regions", "Large regions", "Changed from w - 1"], *found] if found else []


def lines(view: GuideView, _frame: Frame) -> list[str]:
    """Return the advice as comments of the script."""
    advice = view.final_advice
    return [] if advice is None else ["", f"# {advice.says}", f"# {advice.because}"]


SPEC = ViewSpec(
    name="guide",
    title=GuideView.TITLE,
    make=GuideView,
    help=(
        "How the window changes the state map: its regions, what changes from one w to the next, "
        "and three scales to choose from. It also shows how well each w predicts, and offers "
        "changes that lower the pixel error."
    ),
    bare=True,
    connect=connect,
    verbs=lambda _view, _context: ("Choose w", "Larger window", "Smaller window"),
    table=rows,
    script=lines,
)
