"""Why this pixel, as a view."""

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.why.view import WhyView
from latviz.engine.frame import Frame


def actions(_view: WhyView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    return (
        Action(
            "E&xplain a pixel",
            "Show the formulas with the numbers of the pixel under the pointer",
            lambda: context.shell.show("why", front=True),
            "Shift+F1",
            ("Help", 1.12),
        ),
    )


def rows(view: WhyView, _frame: Frame) -> Rows:
    """Return the squared distance of the pixel's signature to each state's codeword."""
    found = view.explanation
    if found is None:
        return []
    distances: Rows = [[q + 1, float(found.distances[q])] for q in found.ranked]
    return [["State", "Squared distance"], *distances]


SPEC = ViewSpec(
    name="why",
    title=WhyView.TITLE,
    of_picture=True,
    make=WhyView,
    place=Place("right", "states", width=400, at_most_one_in=2),
    explains=("signature", "distance", "belief", "likelihood"),
    help="The formulas of the model with the numbers of the pixel under the pointer, or of the one "
    "pinned last: its signature, the distance to every state, what would have to be different for "
    "another state, and what it adds to the log-likelihood.",
    shown_at_first=False,
    scrolled=True,
    needs=WhyView.NEEDS,
    connect=lambda view, context: view.use(context.typesetter),
    actions=actions,
    table=rows,
)
