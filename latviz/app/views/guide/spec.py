"""The guide to w, as a view."""

from dataclasses import replace
from functools import partial
from typing import Any

from latviz.app.views.guide.lives import river_rows
from latviz.app.views.guide.view import GuideView, asked
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.engine.frames.frame import Frame


def connect(view: GuideView, context: Context) -> None:
    """Connect its choice of w, and show results of idle work."""
    document, idle = context.document, context.idle_jobs
    view.window_wanted.connect(lambda window: document.set("Change w", window=window))

    def set_cut(text: str, **changes: Any) -> None:
        document.change(text, region_cut=replace(document.state.region_cut, **changes))

    view.cut_wanted.connect(lambda cut: set_cut("Change the least contrast", least_contrast=cut))
    view.lit.connect(lambda lit: document.point(lit=lit))
    by = "Change what regions are found by"
    view.axis_wanted.connect(lambda measure: set_cut(by, measure=measure))
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
    """Return the lives of large regions."""
    river = view.rivers.river
    return [] if river is None else river_rows(river)


def lines(view: GuideView, _frame: Frame) -> list[str]:
    """Return the advice as comments of the script."""
    advice = view.final_advice
    return [] if advice is None else ["", f"# {advice.says}", f"# {advice.because}"]


SPEC = ViewSpec(
    name="guide",
    title=GuideView.TITLE,
    make=GuideView,
    help=(
        "Which regions live as the window grows, or the cut of contrast: each is a line that ends "
        "where another takes it, and three scales to choose from. It also names the w that "
        "predict best, and offers changes that lower the pixel error."
    ),
    bare=True,
    needs=GuideView.NEEDS,
    asks=asked,
    connect=connect,
    verbs=lambda _view, _context: ("Choose w", "Larger window", "Smaller window"),
    table=rows,
    script=lines,
)
