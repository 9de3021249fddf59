"""The player of steps, as a view."""

from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.steps.view import StepsView
from latviz.engine.frames.frame import Frame


def actions(_view: StepsView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    return (
        Action(
            "&Step through the model",
            "Watch the window slide and grow, clusters merge and beliefs spread, step by step",
            lambda: context.shell.enter("steps"),
            at=(OTHERS, 0.7),
        ),
    )


def rows(view: StepsView, _frame: Frame) -> Rows:
    """Return the description of each step."""
    if view.film is None or not view.film.steps:
        return []
    steps: Rows = [[k, step.words] for k, step in enumerate(view.film.steps, start=1)]
    return [["Step", "What it does"], *steps]


SPEC = ViewSpec(
    name="steps",
    title=StepsView.TITLE,
    make=StepsView,
    help=(
        "What the model does, step by step: the window slides over pixels, clusters of signatures "
        "merge, the window grows, and beliefs spread from neighbour to neighbour."
    ),
    needs=StepsView.NEEDS,
    connect=lambda view, context: context.idle_jobs.trade_off_changed.connect(view.show_trade_off),
    actions=actions,
    table=rows,
)
