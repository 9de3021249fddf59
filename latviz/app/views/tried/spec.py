"""The page of what was tried: settings and other methods."""

from functools import partial

from PyQt6.QtWidgets import QPushButton, QWidget

from latviz.app.compare.racing import Racing
from latviz.app.shell.actions import Action
from latviz.app.views.spec import Context, Rows, Verb, ViewSpec
from latviz.app.views.tried.trials import Trials
from latviz.app.views.tried.view import COMPARE, USE, Tried, TriedView
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.title_controls import Switch
from latviz.engine.frames.methods import Labelled
from latviz.engine.keeping.trial import trial_table
from latviz.engine.settings.state import State

SCORES = frozenset({"code_lengths", "truth"})


def connect(view: TriedView, context: Context) -> None:
    """Show the settings tried, and pass on the user's requests."""
    trials = Trials(context.document, context.opener, view)
    trials.changed.connect(lambda: view.show_trials(trials.shown()))
    view.wanted.connect(context.document.return_to)
    view.removed.connect(trials.remove)
    racing = context.racing
    racing.changed.connect(lambda: view.show_labelled(racing.found))

    def compare(one: Tried) -> None:
        if view.is_reference(one):
            context.comparing.stop_comparing()
        else:
            racing.compare(one) if isinstance(one, Labelled) else trials.compare(one)

    view.compared.connect(compare)


def header(_view: TriedView, context: Context) -> QWidget:
    """Return the button of races, and the choice of the order."""
    switch = Switch(
        ("By time", "In the order in which you tried them, oldest first"),
        (
            "By score",
            "Best first: highest accuracy, or lowest prediction error. Settings with another "
            "encoding follow, because their errors cannot be compared",
        ),
    )
    switch.picked.connect(lambda on: context.document.set_display("Sort", by_score=on))
    context.document.changed.connect(lambda _, new: switch.show_choice(new.display.by_score))
    made = QWidget()
    button = [_race_button(context.racing)] if context.racing.methods else []
    layouts.row(*button, switch, of=made, spacing=4)
    return made


def _race_button(racing: Racing) -> QPushButton:
    """Return the button that starts a race, or cancels the one that runs."""
    button = small_button("Race all", racing.tip)
    button.clicked.connect(lambda: racing.cancel() if racing.is_on else racing.start())

    def show() -> None:
        button.setText(f"Cancel: {racing.running}" if racing.running else "Race all")

    racing.changed.connect(show)
    return button


def asks(state: State) -> frozenset[str]:
    """Return the scores that are possible for a picture."""
    return SCORES if state.knows_truth else SCORES - {"truth"}


def rows(view: TriedView) -> Rows:
    """Return a row for each trial; unknown values are empty."""
    names, found = trial_table(view.trials)
    return [names, *(["" if cell is None else cell for cell in row] for row in found)]


def verbs(view: TriedView, _context: Context) -> tuple[Verb, ...]:
    """Return the commands on the selected row."""
    one = view.chosen_row
    if one is None:
        return ()
    name = "Stop comparing" if view.is_reference(one) else "Compare with the states on screen"
    compare = Action(name, COMPARE, partial(view.compared.emit, one))
    if isinstance(one, Labelled):
        return (compare,)
    use = Action(f"Use {one.name}", USE, partial(view.wanted.emit, one))
    return use, compare, Action("Remove", "Remove this row", partial(view.removed.emit, one))


SPEC = ViewSpec(
    name="tried",
    title=TriedView.TITLE,
    of_picture=True,
    make=TriedView,
    help=(
        "Every setting that you paused at, with its state map and score; the best has a star. "
        "Race all adds other methods. Click a row to compare it with the states on screen; Use "
        "returns to its settings."
    ),
    needs=SCORES,
    asks=asks,
    header=header,
    connect=connect,
    verbs=verbs,
    table=lambda view, _frame: rows(view) if view.trials else [],
)
