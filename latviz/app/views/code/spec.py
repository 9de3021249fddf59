"""The code of the state, as a view."""

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.code.view import CodeView
from latviz.app.views.spec import Context, ViewSpec


def actions(_view: CodeView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    return (
        Action(
            "Show state as &QR code",
            "Show all that is set as a code to scan, the text of “Copy state as text”",
            lambda: context.shell.show("code", front=True),
            "Ctrl+Alt+Q",
            ("Edit", 3.45),
        ),
    )


SPEC = ViewSpec(
    name="code",
    title=CodeView.TITLE,
    make=CodeView,
    place=Place("right", "states", width=300, at_most_one_in=3),
    help="All that is set as a QR code, to be scanned across a room. It holds the text of “Copy "
    "state as text”: of a demo it opens the same picture, of your own it holds what is set alone.",
    shown_at_first=False,
    actions=actions,
)
