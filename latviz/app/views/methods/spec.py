"""The page of all that the states on screen can be compared with, as a view."""

from PyQt6.QtWidgets import QWidget

from latviz.app.shell.actions import Action
from latviz.app.views.methods.view import COMPARE, USE, MethodsView
from latviz.app.views.spec import Context, Verb, ViewSpec
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.engine.frames.methods import Labelled


def connect(view: MethodsView, context: Context) -> None:
    """List settings and methods, compare those that are clicked, and use settings again."""
    racing = context.racing
    racing.changed.connect(lambda: view.show_labelled((*racing.kept, *racing.found)))
    view.used.connect(racing.use)

    def compare(one: Labelled) -> None:
        if view.is_reference(one):
            context.comparing.stop_comparing()
        else:
            racing.compare(one)

    view.compared.connect(compare)


def header(_view: MethodsView, context: Context) -> QWidget:
    """Return the button that starts a race, or cancels the one that runs; none without methods."""
    racing, made = context.racing, QWidget()
    if not racing.methods:
        return made
    button = small_button("Race all", racing.tip)
    layouts.row(button, of=made)
    button.clicked.connect(lambda: racing.cancel() if racing.is_on else racing.start())

    def show() -> None:
        button.setText(f"Cancel: {racing.running}" if racing.running else "Race all")

    racing.changed.connect(show)
    return made


def verbs(view: MethodsView, _context: Context) -> tuple[Verb, ...]:
    """Return the commands on the chosen row."""
    one = view.chosen_one
    if one is None:
        return ()
    name = "Stop comparing" if view.is_reference(one) else "Compare with the states on screen"
    use = Action("Use these settings", USE, lambda: view.used.emit(one))
    return (Action(name, COMPARE, view.compare), *(() if one.frame.by else (use,)))


SPEC = ViewSpec(
    name="methods",
    title=MethodsView.TITLE,
    of_picture=True,
    make=MethodsView,
    help=(
        "A row for each setting that you kept as reference, with Use, and for each other method "
        "that labelled the picture, with its score. Click a row to compare it with the states on "
        "screen. Race all runs the methods."
    ),
    header=header,
    connect=connect,
    verbs=verbs,
)
