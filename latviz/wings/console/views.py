"""Its row of the table of views, if the extra ``console`` is installed."""

from importlib.util import find_spec

from latviz.app.views.spec import ViewSpec
from latviz.wings.console.view import ConsoleView

SPEC = ViewSpec(
    name="console",
    title=ConsoleView.TITLE,
    make=ConsoleView,
    help=(
        "A Python console with what is on screen: frame, states, model and values. "
        "set(window=6) moves the slider, and a slider that moves writes the line that would."
    ),
    connect=lambda view, context: view.begin(context.document),
)
ROWS = (SPEC,) if find_spec("qtconsole") else ()
