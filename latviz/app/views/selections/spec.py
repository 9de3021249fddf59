"""Selections, as a view."""

from functools import partial

from latviz.app.shell.actions import Action
from latviz.app.views.selections.view import SelectionsView, asked
from latviz.app.views.spec import Context, Rows, Verb, ViewSpec
from latviz.app.views.verbs import letting_go
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.selection_table import kept_table


def connect(view: SelectionsView, context: Context) -> None:
    """Connect highlighting and removing of rows."""
    view.wanted.connect(context.keeper.show)
    view.removed.connect(context.keeper.remove)
    view.naming.connect(context.keeper.keep)


def table_rows(frame: Frame) -> Rows:
    """Return the statistics of kept selections."""
    names, rows = kept_table([frame])
    return [[*names], *rows] if rows else []


def verbs(view: SelectionsView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the selected row."""
    keeper, kept = context.keeper, None if view.row is None else view.row.kept
    everything = (*letting_go(context), "Export saved selections")
    if kept is None:
        return everything
    name = kept.name.replace("&", "&&")
    return (
        Action(f"Rename “{name}”…", "", partial(keeper.rename, kept)),
        Action(f"Remove “{name}”", "The highlight stays", partial(keeper.remove, kept)),
        Action(
            f"Export “{name}” alone…",
            "Write its statistics in all pictures, or its masks",
            partial(keeper.export, kept),
        ),
        *everything,
    )


SPEC = ViewSpec(
    name="selections",
    title=SelectionsView.TITLE,
    of_picture=True,
    make=SelectionsView,
    explains=("likelihood",),
    help=(
        "The highlight and the saved selections: how many pixels each has, their mean colour, "
        "their states, how well the model explains them, and where they are."
    ),
    needs=SelectionsView.NEEDS,
    asks=asked,
    holds=lambda state: bool(state.kept),
    connect=connect,
    verbs=verbs,
    table=lambda _view, frame: table_rows(frame),
)
